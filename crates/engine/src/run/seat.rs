//! Where and how eagerly the thread of a worker runs.

use std::io;
use std::num::NonZeroU64;

use cardiograph_core::result::EngineNote;
use cardiograph_core::system_error::cause;
use cardiograph_core::system_error::explained;
use cardiograph_core::workload::{IoPriority, MemoryPolicy, Placement};
use cardiograph_core::{Workload, message};
use rustix::process::{Gid, Uid};
use rustix::thread::CpuSet;

use crate::error::{Privilege, RunError};
use crate::numa;

mod kernel;

/// Gives the calling thread, which is that of a clone, its processors, its memory, its niceness, its priority and its user.
/// Threads that it makes have the same. Returns what the system refused and what can be done without.
///
/// # Errors
/// When the system refuses what decides over the I/O or its memory.
pub(super) fn take(workload: &Workload, clone: u32) -> Result<Vec<EngineNote>, RunError> {
    let refused =
        |privilege| move |source| RunError::SeatRefused { job: workload.name.clone(), privilege, source };
    place(&workload.placement).map_err(refused(Privilege::Nodes))?;
    if let Some(priority) = workload.io_priority {
        let IoPriority { class, level } = priority;
        kernel::set_io_priority(priority).map_err(refused(Privilege::IoPriority { class, level }))?;
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
        // The kernel wakes sleepers up to 50 µs late to save power; a pace is kept better without that. Where it cannot
        // be had, I/Os come as late as the slack.
        let _ = rustix::thread::set_current_timer_slack(NonZeroU64::new(1));
    }
    become_user(workload).map_err(|(privilege, source)| refused(privilege)(source))?;
    Ok(notes)
}

/// Gives the thread its group and its user, in this order: afterwards it may have no right to. For the kernel each thread has its
/// own; the C library would change those of the whole program.
fn become_user(workload: &Workload) -> Result<(), (Privilege, io::Error)> {
    if let Some(gid) = workload.gid {
        let set = rustix::thread::set_thread_gid(Gid::from_raw(gid));
        set.map_err(|errno| (Privilege::Group(gid), errno.into()))?;
    }
    if let Some(uid) = workload.uid {
        let set = rustix::thread::set_thread_uid(Uid::from_raw(uid));
        set.map_err(|errno| (Privilege::User(uid), errno.into()))?;
    }
    Ok(())
}

/// Binds the thread to nodes. Memory that it has touched before stays where it is: it has touched next to none.
fn place(placement: &Placement) -> io::Result<()> {
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

    /// What a thread finds when it has taken the seat of a clone: notes, processors, niceness.
    fn seat(workload: &Workload, clone: u32) -> (Vec<EngineNote>, Vec<u32>, i32) {
        std::thread::scope(|scope| {
            let thread = scope.spawn(|| {
                let notes = take(workload, clone).unwrap();
                let set = rustix::thread::sched_getaffinity(None).unwrap();
                let cpus = (0..1_024).filter(|&cpu| set.is_set(cpu as usize)).collect();
                (notes, cpus, rustix::process::getpriority_process(None).unwrap())
            });
            thread.join().unwrap()
        })
    }

    #[test]
    fn a_thread_takes_its_processors_and_its_niceness() {
        let (_, mine, nice) = seat(&workload(None, 0), 0);
        let split = Some(Affinity { cpus: mine.clone(), is_split: true });
        let shared = Some(Affinity { cpus: mine.clone(), is_split: false });
        for clone in 0..5u32 {
            let (notes, cpus, found) = seat(&workload(split.clone(), nice + 3), clone);
            assert_eq!((notes, cpus), (vec![], vec![mine[clone as usize % mine.len()]]));
            assert_eq!(found, nice + 3);
            assert_eq!(seat(&workload(shared.clone(), 0), clone), (vec![], mine.clone(), nice));
        }
    }

    #[test]
    fn what_the_system_refuses_is_noted() {
        let (_, mine, _) = seat(&workload(None, 0), 0);
        for cpu in [1_000, 5_000] {
            let absent = Some(Affinity { cpus: vec![cpu], is_split: false });
            let (notes, cpus, _) = seat(&workload(absent, 0), 0);
            assert!(matches!(&notes[..], [EngineNote::NotPinned { job, .. }] if job == "job"), "{notes:?}");
            assert_eq!(cpus, mine);
        }
    }

    #[test]
    fn what_cannot_be_done_without_is_an_error() {
        let refusal = |placement: Placement| {
            let workload = Workload { placement, ..workload(None, 0) };
            std::thread::scope(|scope| {
                scope.spawn(|| take(&workload, 0).unwrap_err().to_string()).join().unwrap()
            })
        };
        // No machine has all of the nodes that a kernel can be built for.
        let listed = Nodes::Listed { nodes: vec![1_023] };
        let nowhere = Placement { cpu_nodes: Some(listed.clone()), ..Placement::default() };
        assert!(refusal(nowhere).contains("job=job"));
        let nothing = MemoryPolicy::Bind { nodes: listed };
        assert!(refusal(Placement { memory: Some(nothing), ..Placement::default() }).contains("job=job"));
    }

    #[test]
    fn a_priority_that_everybody_may_have_is_taken() {
        let priority = IoPriority { class: IoClass::BestEffort, level: 6 };
        let workload = Workload { io_priority: Some(priority), ..workload(None, 0) };
        std::thread::scope(|scope| {
            let thread = scope.spawn(|| {
                take(&workload, 0).unwrap();
                // SAFETY: the call takes two numbers; 0 is the calling thread.
                unsafe { libc::syscall(libc::SYS_ioprio_get, 1, 0) }
            });
            assert_eq!(thread.join().unwrap(), 0x4006);
        });
    }
}
