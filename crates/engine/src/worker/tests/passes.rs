//! Tests of passes over a job's files.

use super::*;
use cardiograph_core::workload::{Distribution, FileAction, Trims};

/// The requests of a job of 16 blocks: runs of the same kind, and the positions of turns.
fn asked(bench: Bench, workload: Workload) -> (Vec<(OpKind, usize)>, Vec<usize>) {
    let run = Bench { turns: true, ..bench }.run(workload);
    assert_eq!(run.end.result.outcome, RunOutcome::Completed);
    let kinds = run.drive.kinds();
    let runs = kinds.chunk_by(|a, b| a == b).map(|run| (run[0], run.len())).collect();
    (runs, run.turns)
}

fn until(bytes: Option<u64>, time_ns: Option<u64>) -> StopWhen {
    StopWhen { bytes, time_ns, ios: None }
}

#[test]
fn each_pass_begins_with_a_turn() {
    use OpKind::{Fsync, Read, Trim, Write};
    let three = until(Some(3 * 64 * KIB), None);
    let timed = until(None, Some(40 * IO_NS));
    let reads = |stop| Workload { stop, ..job(Order::RandomUnique, 100) };
    let writes = |stop| Workload { stop, end_sync: true, ..job(Order::Sequential, 0) };
    let cases = [
        (reads(three), vec![(Read, 48)], vec![16, 32]),
        (reads(timed), vec![(Read, 40)], vec![16, 32]),
        (reads(until(Some(64 * KIB), None)), vec![(Read, 16)], vec![]),
        (reads(until(Some(80 * KIB), None)), vec![(Read, 20)], vec![16]),
        // With blocks that may repeat there are no passes.
        (Workload { order: Order::RandomRepeating, ..reads(three) }, vec![(Read, 48)], vec![]),
        (
            Workload { distribution: Distribution::Zipf { theta: 1.1, center: None }, ..reads(three) },
            vec![(Read, 48)],
            vec![],
        ),
        (Workload { file_action: Some(FileAction::Stat), ..reads(three) }, vec![(Read, 48)], vec![]),
        // Each loop's writes are synced before the next loop; a job that runs by time has only one end.
        (writes(three), [(Write, 16), (Fsync, 1)].repeat(3), vec![17, 34]),
        (writes(timed), vec![(Write, 40), (Fsync, 1)], vec![16, 32]),
        // The ramp counts towards the job.
        (Workload { ramp_ns: 16 * IO_NS, ..reads(three) }, vec![(Read, 48)], vec![16, 32]),
    ];
    for (workload, requests, turns) in cases {
        for depth in [1, 8] {
            let bench = if depth > 1 { queueing() } else { Bench::default() };
            let workload = deep(depth, workload.clone());
            let by_time = workload.stop.time_ns.is_some() || workload.ramp_ns > 0;
            let found = asked(bench, workload.clone());
            if depth == 1 || !by_time {
                assert_eq!(found, (requests.clone(), turns.clone()), "depth {depth}: {workload:?}");
            }
        }
    }
    // Trims before writes have the length of the writes.
    let trims = Workload { trims: Trims::BeforeWrites, ..writes(until(Some(2 * 2 * 64 * KIB), None)) };
    let run = Bench { turns: true, ..Bench::default() }.run(trims);
    let count = |kind| run.drive.kinds().iter().filter(|&&found| found == kind).count();
    assert_eq!((count(Trim), count(Write), count(Fsync), run.turns), (32, 32, 2, vec![33]));
}

#[test]
fn a_job_that_fails_between_passes_ends() {
    let stop = until(Some(2 * 64 * KIB), None);
    let workload = Workload { stop, end_sync: true, ..job(Order::Sequential, 0) };
    let faults = vec![Fault::Error { request: 16, errno: libc::EIO }];
    let run = Bench { faults, turns: true, ..Bench::default() }.run(workload);
    assert_eq!((run.end.result.outcome, run.ios().1), (RunOutcome::Failed, 16));
}
