//! Checks that the machine has the processors and NUMA nodes that jobs name.

use cardiograph_core::workload::Nodes;
use cardiograph_core::{Parameter, PlannedJob, Workload, message};
use cardiograph_engine::numa;
use cardiograph_jobs::resolve::Resolved;
use cardiograph_jobs::value::parse_cpu_list;

use crate::exit::Failure;

/// Refuses jobs on missing processors or nodes.
pub fn refuse_missing(resolved: &Resolved) -> Result<(), Failure> {
    refuse_missing_cpus(&resolved.plan.jobs)?;
    let placed = resolved.plan.jobs.iter().map(|job| &job.workload);
    let placed: Vec<&Workload> = placed.filter(|workload| !workload.placement.is_free()).collect();
    if placed.is_empty() {
        return Ok(());
    }
    let online = numa::online();
    placed.into_iter().try_for_each(|workload| refuse_missing_nodes(workload, &online))
}

fn refuse_missing_cpus(jobs: &[PlannedJob]) -> Result<(), Failure> {
    if jobs.iter().all(|job| job.workload.affinity.is_none()) {
        return Ok(());
    }
    let online = std::fs::read_to_string("/sys/devices/system/cpu/online").unwrap_or_default();
    // If unknown, binding itself reports an error.
    let Ok(online) = parse_cpu_list(online.trim()) else { return Ok(()) };
    for job in jobs {
        let cpus = job.workload.affinity.iter().flat_map(|affinity| &affinity.cpus);
        if let Some(cpu) = cpus.into_iter().find(|cpu| !online.contains(cpu)) {
            let (name, cpu, known) = (&job.workload.name, cpu.to_string(), listed(&online));
            return Err(Failure::usage(message!("fio-no-cpu", job = name, cpu, known)));
        }
    }
    Ok(())
}

fn refuse_missing_nodes(workload: &Workload, online: &[u32]) -> Result<(), Failure> {
    let job = &workload.name;
    if online.is_empty() {
        return Err(Failure::usage(message!("fio-no-node.none", job)));
    }
    if let Some((option, node)) = workload.placement.wanted().find(|(_, node)| !online.contains(node)) {
        let (node, known) = (node.to_string(), listed(online));
        let refusal = message!("fio-no-node", job, node, known, option);
        return Err(Failure::usage(refusal));
    }
    let has_cpus = |nodes: &Nodes| match nodes {
        Nodes::All => true,
        Nodes::Listed { nodes } => nodes.iter().any(|&node| !numa::cpus_of(node).is_empty()),
    };
    match &workload.placement.cpu_nodes {
        Some(nodes) if !has_cpus(nodes) => Err(Failure::usage(message!("fio-no-node.memory-only", job))),
        _ => Ok(()),
    }
}

fn listed(numbers: &[u32]) -> Parameter {
    Parameter::all(numbers.iter().map(u32::to_string))
}
