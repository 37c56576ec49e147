//! Processors, memory and privileges of a job's threads.

use cardiograph_core::message;
use cardiograph_core::workload::{Affinity, IoClass, IoPriority, Placement};

use super::Problem;
use super::reader::Reader;
use crate::options::EngineDef;
use crate::value::{parse_cpu_list, parse_memory_policy, parse_nodes, parse_signed};

pub(super) fn affinity(reader: &mut Reader<'_>) -> Option<Affinity> {
    let cpus = match reader.later_of("cpus_allowed", "cpumask")? {
        "cpus_allowed" => reader.read("cpus_allowed", parse_cpu_list)?,
        _ => {
            let mask = reader.count("cpumask");
            (0..64).filter(|cpu| mask >> cpu & 1 == 1).collect()
        }
    };
    let is_split = reader.word("cpus_allowed_policy", &["shared", "split"]) == "split";
    Some(Affinity { cpus, is_split })
}

pub(super) fn nice(reader: &mut Reader<'_>) -> i32 {
    reader.read("nice", parse_signed).map_or(0, |nice| nice.clamp(-20, 19) as i32)
}

/// `prio` without a class is best effort; a class without `prio` has its highest priority.
pub(super) fn io_priority(reader: &mut Reader<'_>) -> Option<IoPriority> {
    let (class, level) = (reader.count_if("prioclass"), reader.count_if("prio"));
    let class = match class {
        None if level.is_none() => return None,
        Some(1) => IoClass::Realtime,
        Some(3) => IoClass::Idle,
        _ => IoClass::BestEffort,
    };
    Some(IoPriority { class, level: level.unwrap_or(0) as u8 })
}

/// The I/O scheduler. Only the drive knows the available ones.
pub(super) fn io_scheduler(reader: &mut Reader<'_>, engine: &EngineDef) -> Option<String> {
    let name = reader.text("ioscheduler")?;
    if !engine.is_on_files() {
        reader.report("ioscheduler", Problem::Refused { why: const { &message!("jobs-refused.no-drive") } });
    }
    Some(name.trim().to_string())
}

pub(super) fn placement(reader: &mut Reader<'_>) -> Placement {
    let placement = Placement {
        cpu_nodes: reader.read("numa_cpu_nodes", parse_nodes),
        memory: reader.read("numa_mem_policy", parse_memory_policy),
    };
    if placement.cpu_nodes.is_some()
        && let Some(other) = reader.later_of("cpus_allowed", "cpumask")
    {
        reader.report("numa_cpu_nodes", Problem::Contradicts { other });
    }
    placement
}

/// Options of the threads of a job.
const OF_THREADS: &[&str] = &[
    "nice",
    "prio",
    "prioclass",
    "cpus_allowed",
    "cpumask",
    "numa_cpu_nodes",
    "numa_mem_policy",
    "uid",
    "gid",
];

/// Remarks on options without effect on a simulated drive.
pub(super) fn remark_simulated(reader: &mut Reader<'_>, engine: &EngineDef) {
    if engine.is_simulated {
        reader.remark_each(OF_THREADS, &message!("jobs-remark.no-threads"));
    }
}
