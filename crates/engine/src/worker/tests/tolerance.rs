//! Tests of error tolerance.

use cardiograph_core::workload::Tolerance;

use super::*;

/// Tolerates these errors of reads, writes and verification.
fn tolerant(errors: &[i32], workload: Workload) -> Workload {
    let list = Some(errors.to_vec());
    let tolerance = Tolerance { read: list.clone(), write: list.clone(), check: list, is_told: false };
    Workload { tolerance, ..workload }
}

fn errors(requests: impl IntoIterator<Item = usize>, errno: i32) -> Vec<Fault> {
    requests.into_iter().map(|request| Fault::Error { request, errno }).collect()
}

#[test]
fn a_failed_io_takes_time_but_does_not_count() {
    for (requests, ios) in [(3..7, 12), (12..16, 12), (0..16, 0)] {
        for read_percent in [0, 100] {
            let faults = errors(requests.clone(), libc::EIO);
            let workload = tolerant(&[libc::EIO], job(Order::Sequential, read_percent));
            let run = Bench { faults, ..Bench::default() }.run(workload);
            let direction = if read_percent == 0 { Direction::Write } else { Direction::Read };
            let figures = run.result(direction);
            assert_eq!((figures.ios, figures.bytes), (ios, ios * 4 * KIB), "{requests:?}");
            assert_eq!((figures.completion.n(), figures.short_ios), (ios, 0));
            // All sixteen took their time, including the last.
            assert_eq!((figures.runtime_ns, run.end.ended_at), (16 * IO_NS, 16 * IO_NS), "{requests:?}");
            assert_eq!((run.end.result.outcome, run.end.result.failure), (RunOutcome::Completed, None));
            let tolerated = run.end.result.tolerated.unwrap();
            assert_eq!(tolerated.total, requests.len() as u64);
            let offsets =
                [tolerated.first, tolerated.last].map(|failure| failure.unwrap().offset_bytes / (4 * KIB));
            assert_eq!(offsets, [requests.start as u64, requests.end as u64 - 1]);
        }
    }
}

#[test]
fn a_stall_continues_while_every_io_fails() {
    let faults = errors(4..16, libc::EIO);
    let run = Bench { faults, ..Bench::default() }.run(tolerant(&[libc::EIO], job(Order::Sequential, 100)));
    let clock = Clock::simulated(Arc::new(AtomicU64::new(0)));
    assert_eq!(run.recorder.longest_gap_ns(&clock, run.end.ended_at), 12 * IO_NS);
}

#[test]
fn other_errors_end_the_worker_and_tolerated_kinds_are_counted() {
    for (tolerance, total) in [(vec![libc::EIO], Some(2)), (vec![], Some(2))] {
        let faults = [errors([1], libc::EIO), errors([4], libc::ENOSPC)].concat();
        let tolerates = tolerance.contains(&libc::EIO);
        let run = Bench { faults, ..Bench::default() }.run(tolerant(&tolerance, job(Order::Sequential, 0)));
        assert_eq!(run.end.result.outcome, RunOutcome::Failed);
        let expected = if tolerates { (libc::ENOSPC, total) } else { (libc::EIO, Some(1)) };
        let found =
            (run.end.result.failure.unwrap().errno, run.end.result.tolerated.map(|errors| errors.total));
        assert_eq!(found, expected);
    }
    let intolerant =
        Bench { faults: errors([1], libc::EIO), ..Bench::default() }.run(job(Order::Sequential, 0));
    assert_eq!(intolerant.end.result.tolerated, None);
}

#[test]
fn a_failed_sync_is_tolerated_like_a_write() {
    let every = SyncEvery { method: SyncMethod::Fsync, writes: 4 };
    for (sync_every, end_sync) in [(Some(every), false), (None, true)] {
        let workload = Workload { sync_every, end_sync, ..job(Order::Sequential, 0) };
        let plain = Bench::default().run(workload.clone());
        let first = plain.drive.kinds().iter().position(|kind| *kind == OpKind::Fsync).unwrap();
        let run = Bench { faults: errors([first], libc::EIO), ..Bench::default() }
            .run(tolerant(&[libc::EIO], workload));
        assert_eq!(
            (run.end.result.outcome, run.end.result.tolerated.as_ref().unwrap().total),
            (RunOutcome::Completed, 1)
        );
        assert_eq!(run.result(Direction::Write).ios, 16);
        assert_eq!(run.result(Direction::Sync).ios, plain.result(Direction::Sync).ios.saturating_sub(1));
        assert_eq!(run.end.ended_at, plain.end.ended_at);
    }
}

#[test]
fn failed_writes_are_not_read_back() {
    for bench in [Bench::default(), queueing()] {
        let verify = Some(Verify { read_back: true, ..Verify::new(Checksum::Crc32c) });
        let workload = Workload { verify, ..deep(4, job(Order::RandomUnique, 0)) };
        let faults = errors([2, 3, 9], libc::EIO);
        let run = Bench { faults, ..bench }.run(tolerant(&[libc::EIO], workload));
        assert_eq!(run.end.result.outcome, RunOutcome::Completed);
        assert_eq!((run.result(Direction::Write).ios, run.result(Direction::Read).ios), (13, 13));
        let written = run.drive.offsets(OpKind::Write);
        let lost: Vec<_> = [2, 3, 9].iter().map(|&request| written[request]).collect();
        assert!(run.drive.offsets(OpKind::Read).iter().all(|place| !lost.contains(place)));
    }
}

#[test]
fn bad_blocks_are_counted_as_errors() {
    let verify = Some(Verify { read_back: true, ..Verify::new(Checksum::Crc32c) });
    let workload = Workload { verify, ..job(Order::Sequential, 0) };
    let faults = vec![Fault::Flipped { request: 3 }, Fault::Flipped { request: 5 }];
    let fails = Bench { faults: faults.clone(), ..Bench::default() }.run(workload.clone());
    assert_eq!(fails.end.result.outcome, RunOutcome::Failed);
    let run = Bench { faults, ..Bench::default() }.run(tolerant(&[libc::EILSEQ], workload));
    assert_eq!((run.end.result.outcome, run.end.result.failure), (RunOutcome::Completed, None));
    let tolerated = run.end.result.tolerated.unwrap();
    assert_eq!((tolerated.total, tolerated.first.unwrap().errno), (2, libc::EILSEQ));
    assert_eq!(tolerated.first.unwrap().offset_bytes, 3 * 4 * KIB);
}
