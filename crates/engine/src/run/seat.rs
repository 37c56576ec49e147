//! Where and how eagerly the thread of a worker runs.

use std::num::NonZeroU64;

use cardiograph_core::Workload;
use cardiograph_core::result::EngineNote;
use rustix::thread::CpuSet;

/// Gives the calling thread, which is that of a clone, its processors and its niceness. Returns what the system refused.
pub(super) fn take(workload: &Workload, clone: u32) -> Vec<EngineNote> {
    let mut notes = Vec::new();
    if let Err(reason) = pin(workload, clone) {
        notes.push(EngineNote::NotPinned { job: workload.name.clone(), reason });
    }
    if workload.nice != 0
        && let Err(errno) = rustix::process::setpriority_process(None, workload.nice)
    {
        notes.push(EngineNote::NicenessNotSet {
            job: workload.name.clone(),
            nice: workload.nice,
            reason: errno.to_string(),
        });
    }
    if workload.is_paced() {
        // The kernel wakes sleepers up to 50 µs late to save power; a pace is kept better without that. Where it cannot
        // be had, I/Os come as late as the slack.
        let _ = rustix::thread::set_current_timer_slack(NonZeroU64::new(1));
    }
    notes
}

fn pin(workload: &Workload, clone: u32) -> Result<(), String> {
    let Some(affinity) = &workload.affinity else { return Ok(()) };
    let all = &affinity.cpus[..];
    let cpus = match all.len() {
        0 => return Ok(()),
        len if affinity.is_split => std::slice::from_ref(&all[clone as usize % len]),
        _ => all,
    };
    let mut set = CpuSet::new();
    for &cpu in cpus {
        if cpu as usize >= CpuSet::MAX_CPU {
            return Err(format!("processor numbers end at {}", CpuSet::MAX_CPU - 1));
        }
        set.set(cpu as usize);
    }
    rustix::thread::sched_setaffinity(None, &set).map_err(|errno| errno.to_string())
}

#[cfg(test)]
mod tests {
    use cardiograph_core::resolve::{ResolveContext, resolve};
    use cardiograph_core::workload::Affinity;
    use cardiograph_core::{JobSpec, Origin};

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
                let notes = take(workload, clone);
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
}
