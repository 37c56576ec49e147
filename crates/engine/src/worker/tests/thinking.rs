//! Tests of think time.

use cardiograph_core::workload::Think;

use super::rates::{at_most, for_s, ios_per_s};
use super::*;

const PAUSE_NS: u64 = 10 * NS_PER_MS;

fn thinking(ios: u64, think: Think) -> Workload {
    let stop = StopWhen { bytes: None, time_ns: None, ios: Some(ios) };
    Workload { think: Some(Think { pause_ns: PAUSE_NS, ..think }), stop, ..job(Order::RandomUnique, 100) }
}

fn every(ios: u64) -> Think {
    Think { every_ios: Some(ios), ..Think::default() }
}

/// Lengths of bursts between pauses.
fn bursts(came_at: &[u64]) -> Vec<usize> {
    came_at.chunk_by(|a, b| b - a < PAUSE_NS / 2).map(<[u64]>::len).collect()
}

#[test]
fn a_pause_follows_the_given_number_of_ios() {
    for (think, expected) in [
        (every(1), [1; 12].to_vec()),
        (every(4), vec![4, 4, 4]),
        (every(5), vec![5, 5, 2]),
        (Think { counts_issued: true, ..every(5) }, vec![5, 5, 2]),
        (Think { every_ios: None, every_ns: Some(3 * IO_NS), ..Think::default() }, vec![3, 3, 3, 3]),
        (Think { every_ns: Some(3 * IO_NS), ..every(100) }, vec![3, 3, 3, 3]),
        (Think { every_ns: Some(30 * IO_NS), ..every(6) }, vec![6, 6]),
    ] {
        let run = Bench::default().run(thinking(12, think));
        assert_eq!(bursts(&run.drive.came_at), expected, "{think:?}");
        let pauses = expected.len() as u64 - 1;
        // A pause is not part of any latency, and none follows the last I/O.
        assert_eq!(run.end.ended_at, 12 * IO_NS + pauses * PAUSE_NS, "{think:?}");
        assert_eq!(run.result(Direction::Read).completion.max_ns(), IO_NS);
    }
}

#[test]
fn a_pause_waits_for_requests_in_flight() {
    // Submitted one by one, eight at a time. When the fourth completes all eight do, and precede the pause;
    // those beyond the fourth count for the next one, which needs one more.
    let run = queueing().run(deep(8, thinking(24, every(4))));
    assert_eq!(bursts(&run.drive.came_at), [8, 8, 8]);
    let run = queueing().run(deep(8, thinking(12, Think { counts_issued: true, ..every(4) })));
    assert_eq!(bursts(&run.drive.came_at), [4, 4, 4]);
    // As in fio, completions after the decision to pause count for the next pause.
    let faults = vec![Fault::Stall { request: 7, ns: IO_NS / 2 }];
    let run = Bench { faults, ..queueing() }.run(deep(8, thinking(17, every(7))));
    assert_eq!(bursts(&run.drive.came_at), [8, 8, 1]);
    for depth in [1, 8] {
        let run = queueing().run(deep(depth, thinking(24, every(4))));
        assert_eq!(run.result(Direction::Read).completion.max_ns(), IO_NS, "no completion waits for a pause");
    }
}

#[test]
fn a_busy_pause_has_the_requested_length() {
    for (spin_ns, len_ns) in [(PAUSE_NS / 2, PAUSE_NS), (PAUSE_NS, PAUSE_NS), (2 * PAUSE_NS, 2 * PAUSE_NS)] {
        let run = Bench::default().run(thinking(5, Think { spin_ns, ..every(1) }));
        assert_eq!(run.end.ended_at, 5 * IO_NS + 4 * len_ns, "{spin_ns}");
    }
}

#[test]
fn cycles_are_spent_after_each_io() {
    for bench in [Bench::default(), queueing()] {
        let think = Some(Think { cycles: 50_000, ..Think::default() });
        let stop = StopWhen { bytes: None, time_ns: None, ios: Some(6) };
        let run = bench.run(deep(4, Workload { think, stop, ..job(Order::Sequential, 100) }));
        let gaps: Vec<u64> = run.drive.came_at.windows(2).map(|pair| pair[1] - pair[0]).collect();
        let is_at_once = run.end.result.depths.in_flight[0] == 6;
        // A queueing engine continues meanwhile.
        let expected = if is_at_once { IO_NS + 50_000 } else { 50_000 };
        assert_eq!(gaps, [expected; 5]);
        assert_eq!(run.result(Direction::Read).total().max_ns(), IO_NS, "nothing waits to be handed over");
    }
}

#[test]
fn the_end_does_not_wait_for_a_pause() {
    let think = Think { pause_ns: 60 * NS_PER_S, ..every(3) };
    let workload = Workload { think: Some(think), stop: for_s(2), ..job(Order::Sequential, 100) };
    let run = Bench::default().run(workload);
    assert_eq!((run.ios().0, run.end.result.outcome), (3, RunOutcome::Completed));
    let stop_at: Option<(u64, Ask)> = Some((IO_NS, StopFlag::ask));
    let run = Bench { stop_at, ..Bench::default() }.run(thinking(3, every(2)));
    assert_eq!((run.ios().0, run.end.result.outcome), (2, RunOutcome::Stopped), "in the pause");
}

#[test]
fn a_limited_job_makes_up_for_its_pauses_if_asked() {
    let ms_of = |stops_rate| {
        let think = Think { pause_ns: 50 * NS_PER_MS, stops_rate, ..every(5) };
        let stop = StopWhen { bytes: None, time_ns: None, ios: Some(15) };
        let rate = at_most(ios_per_s(100));
        let workload = Workload { think: Some(think), rate, stop, ..job(Order::RandomUnique, 100) };
        let run = Bench::default().run(workload);
        let intended = run.result(Direction::Read).intended.unwrap().max_ns();
        (run.drive.came_at.iter().map(|at| at / NS_PER_MS).collect::<Vec<_>>(), intended)
    };
    // 50 ms after the fifth I/O everything due meanwhile is issued, as fio's log also shows.
    let (ms, intended_ns) = ms_of(false);
    assert_eq!(ms, [0, 10, 20, 30, 40, 90, 90, 90, 90, 90, 140, 140, 140, 140, 141]);
    // The job intends the pause, so the drive is not charged for it.
    assert!(intended_ns <= 5 * IO_NS, "{intended_ns}");
    let (ms, _) = ms_of(true);
    assert_eq!(ms, [0, 10, 20, 30, 40, 90, 100, 110, 120, 130, 180, 190, 200, 210, 220]);
}
