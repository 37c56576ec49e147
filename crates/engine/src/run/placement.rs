//! CPU affinity, NUMA policy, priorities and user of a worker's thread.

use std::io;
use std::num::NonZeroU64;

use cardiograph_core::result::EngineNote;
use cardiograph_core::system_error::cause;
use cardiograph_core::system_error::explained;
use cardiograph_core::workload::{IoClass, IoPriority, MemoryPolicy, Placement};
use cardiograph_core::{Workload, message};
use rustix::process::{Gid, Uid};
use rustix::thread::CpuSet;

use crate::error::RunError;
use crate::numa;

mod kernel;

/// Applies a clone's processors, memory policy, niceness, I/O priority and user to the calling thread and the
/// threads it starts. Returns refusals that do not matter.
///
/// # Errors
/// When the system refuses a setting that affects the I/O or its memory.
pub(super) fn apply(workload: &Workload, clone: u32) -> Result<Vec<EngineNote>, RunError> {
    let job = &workload.name;
    bind_to_nodes(&workload.placement)
        .map_err(|error| RunError::Failed(message!("run-seat-refused.nodes", job, error)))?;
    if let Some(priority) = workload.io_priority {
        kernel::set_io_priority(priority).map_err(|error| priority_refused(job, priority, &error))?;
    }
    let mut notes = Vec::new();
    if let Err(reason) = pin(workload, clone) {
        notes.push(EngineNote::NotPinned { job: workload.name.clone(), reason: cause(&reason) });
    }
    if workload.nice != 0
        && let Err(errno) = rustix::process::setpriority_process(None, workload.nice)
    {
        notes.push(EngineNote::NicenessNotSet {
            job: workload.name.clone(),
            nice: workload.nice,
            reason: cause(&errno.into()),
        });
    }
    if workload.is_paced() {
        // The kernel wakes sleepers up to 50 µs late to save power, which harms pacing. If this cannot be
        // changed, I/Os are late by the slack.
        let _ = rustix::thread::set_current_timer_slack(NonZeroU64::new(1));
    }
    become_user(workload)?;
    Ok(notes)
}

/// Sets the thread's group and then its user, after which it may lack the privilege. To the kernel these
/// belong to a thread; the C library would change the whole process.
fn become_user(workload: &Workload) -> Result<(), RunError> {
    let job = &workload.name;
    if let Some(gid) = workload.gid {
        rustix::thread::set_thread_gid(Gid::from_raw(gid)).map_err(|errno| {
            let (id, error) = (gid.to_string(), io::Error::from(errno));
            RunError::Failed(message!("run-seat-refused-group", job, id, error))
        })?;
    }
    if let Some(uid) = workload.uid {
        rustix::thread::set_thread_uid(Uid::from_raw(uid)).map_err(|errno| {
            let (id, error) = (uid.to_string(), io::Error::from(errno));
            RunError::Failed(message!("run-seat-refused-user", job, id, error))
        })?;
    }
    Ok(())
}

fn priority_refused(job: &str, priority: IoPriority, error: &io::Error) -> RunError {
    RunError::Failed(match priority {
        IoPriority { class: IoClass::Realtime, level } => {
            message!("run-seat-refused-realtime", job, level = level.to_string(), error)
        }
        IoPriority { .. } => message!("run-seat-refused.priority", job, error),
    })
}

/// Binds the thread to nodes. Memory touched earlier, of which there is little, is not moved.
fn bind_to_nodes(placement: &Placement) -> io::Result<()> {
    if let Some(nodes) = &placement.cpu_nodes {
        let cpus: Vec<u32> = numa::numbers(nodes).into_iter().flat_map(numa::cpus_of).collect();
        rustix::thread::sched_setaffinity(None, &cpu_set(&cpus)?)?;
    }
    let Some(memory) = &placement.memory else { return Ok(()) };
    let (mode, nodes) = match memory {
        MemoryPolicy::Default => (libc::MPOL_DEFAULT, Vec::new()),
        MemoryPolicy::Local => (libc::MPOL_LOCAL, Vec::new()),
        MemoryPolicy::Prefer { node } => (libc::MPOL_PREFERRED, vec![*node]),
        MemoryPolicy::Bind { nodes } => (libc::MPOL_BIND, numa::numbers(nodes)),
        MemoryPolicy::Interleave { nodes } => (libc::MPOL_INTERLEAVE, numa::numbers(nodes)),
    };
    kernel::set_memory_policy(mode, &nodes)
}

fn pin(workload: &Workload, clone: u32) -> io::Result<()> {
    let Some(affinity) = &workload.affinity else { return Ok(()) };
    let all = &affinity.cpus[..];
    let cpus = match all.len() {
        0 => return Ok(()),
        len if affinity.is_split => std::slice::from_ref(&all[clone as usize % len]),
        _ => all,
    };
    Ok(rustix::thread::sched_setaffinity(None, &cpu_set(cpus)?)?)
}

fn cpu_set(cpus: &[u32]) -> io::Result<CpuSet> {
    let mut set = CpuSet::new();
    for &cpu in cpus {
        if cpu as usize >= CpuSet::MAX_CPU {
            return Err(explained(
                io::ErrorKind::InvalidInput,
                message!("engine-processor-limit", last = CpuSet::MAX_CPU - 1),
            ));
        }
        set.set(cpu as usize);
    }
    Ok(set)
}

#[cfg(test)]
mod tests {
    use cardiograph_core::workload::{Affinity, IoClass, Nodes};
    use cardiograph_core::{JobSpec, Origin};
    use cardiograph_jobs::resolve::{ResolveContext, resolve};

    use super::*;

    fn workload(affinity: Option<Affinity>, nice: i32) -> Workload {
        let spec = JobSpec::new("job", Origin::CommandLine { word: 1 }).set("size", "1M");
        let plan = resolve(&[spec], &ResolveContext::new(0, 1)).unwrap();
        Workload { affinity, nice, ..plan.jobs[0].workload.clone() }
    }

    /// Settings of a thread after applying those of a clone: notes, processors, niceness.
    fn settings_of(workload: &Workload, clone: u32) -> (Vec<EngineNote>, Vec<u32>, i32) {
        std::thread::scope(|scope| {
            let thread = scope.spawn(|| {
                let notes = apply(workload, clone).unwrap();
                let set = rustix::thread::sched_getaffinity(None).unwrap();
                let cpus = (0..1_024).filter(|&cpu| set.is_set(cpu as usize)).collect();
                (notes, cpus, rustix::process::getpriority_process(None).unwrap())
            });
            thread.join().unwrap()
        })
    }

    #[test]
    fn a_thread_gets_its_processors_and_niceness() {
        let (_, mine, nice) = settings_of(&workload(None, 0), 0);
        let split = Some(Affinity { cpus: mine.clone(), is_split: true });
        let shared = Some(Affinity { cpus: mine.clone(), is_split: false });
        for clone in 0..5u32 {
            let (notes, cpus, found) = settings_of(&workload(split.clone(), nice + 3), clone);
            assert_eq!((notes, cpus), (vec![], vec![mine[clone as usize % mine.len()]]));
            assert_eq!(found, nice + 3);
            assert_eq!(settings_of(&workload(shared.clone(), 0), clone), (vec![], mine.clone(), nice));
        }
    }

    #[test]
    fn harmless_refusals_are_noted() {
        let (_, mine, _) = settings_of(&workload(None, 0), 0);
        for cpu in [1_000, 5_000] {
            let absent = Some(Affinity { cpus: vec![cpu], is_split: false });
            let (notes, cpus, _) = settings_of(&workload(absent, 0), 0);
            assert!(matches!(&notes[..], [EngineNote::NotPinned { job, .. }] if job == "job"), "{notes:?}");
            assert_eq!(cpus, mine);
        }
    }

    #[test]
    fn refusals_that_affect_the_io_are_errors() {
        let refusal = |placement: Placement| {
            let workload = Workload { placement, ..workload(None, 0) };
            std::thread::scope(|scope| {
                scope.spawn(|| apply(&workload, 0).unwrap_err().to_string()).join().unwrap()
            })
        };
        // No machine has all nodes that a kernel can be built for.
        let listed = Nodes::Listed { nodes: vec![1_023] };
        let nowhere = Placement { cpu_nodes: Some(listed.clone()), ..Placement::default() };
        assert!(refusal(nowhere).contains("job=job"));
        let nothing = MemoryPolicy::Bind { nodes: listed };
        assert!(refusal(Placement { memory: Some(nothing), ..Placement::default() }).contains("job=job"));
    }

    #[test]
    fn an_unprivileged_io_priority_is_applied() {
        let priority = IoPriority { class: IoClass::BestEffort, level: 6 };
        let workload = Workload { io_priority: Some(priority), ..workload(None, 0) };
        std::thread::scope(|scope| {
            let thread = scope.spawn(|| {
                apply(&workload, 0).unwrap();
                // SAFETY: the call takes two numbers; 0 is the calling thread.
                unsafe { libc::syscall(libc::SYS_ioprio_get, 1, 0) }
            });
            assert_eq!(thread.join().unwrap(), 0x4006);
        });
    }
}
