//! Tests of reading back.

use super::*;

fn verify(interval_bytes: u64, read_back: bool, fatal: bool) -> Option<Verify> {
    Some(Verify { interval_bytes, read_back, fatal, ..Verify::new(Checksum::Crc32c) })
}

fn checked(workload: Workload) -> Workload {
    Workload { verify: verify(0, true, false), ..workload }
}

#[test]
fn writes_are_read_back_in_order() {
    let split = [(512, 50), (4 * KIB, 50)];
    let split =
        split.map(|(len_bytes, percent)| cardiograph_core::workload::BlockShare { len_bytes, percent });
    let range = BlockLen::Range { min_bytes: 2 * KIB, max_bytes: 12 * KIB };
    for order in [Order::Sequential, Order::RandomUnique, Order::RandomRepeating] {
        for len in [fixed(4 * KIB), range.clone(), BlockLen::Split { parts: split.to_vec() }] {
            for (read_percent, depth, files) in [(0, 1, 1), (0, 8, 1), (40, 1, 1), (40, 8, 3)] {
                let files: Vec<FileUse> = (0..files)
                    .map(|target| FileUse { target, offset_bytes: 4 * KIB, region_len_bytes: 50 * KIB })
                    .collect();
                let workload = Workload {
                    block_len: PerDirection::from_fn(|_| len.clone()),
                    align_bytes: PerDirection::from_fn(|_| len.min_bytes()),
                    // Several passes over the region.
                    stop: StopWhen { ios: Some(100), bytes: None, time_ns: None },
                    ..checked(deep(depth, job(order, read_percent)))
                };
                let bench = if depth == 1 { Bench::default() } else { queueing() };
                let run = Bench { files, ..bench }.run(workload);
                let what = format!("{order:?} {len:?} {read_percent} {depth}: {:?}", run.end.result.verified);
                assert_eq!(run.end.result.outcome, RunOutcome::Completed, "{what}");
                let verified = run.end.result.verified.clone().unwrap();
                let writes = run.drive.offsets(OpKind::Write);
                assert!(verified.blocks >= writes.len() as u64 && verified.bad_blocks == 0, "{what}");
                let reads = run.drive.offsets(OpKind::Read);
                assert_eq!(reads[reads.len() - writes.len()..], writes, "{what}");
                assert_eq!(run.ios().0 + run.ios().1, 100 + writes.len() as u64, "{what}");
            }
        }
    }
}

#[test]
fn repeated_offsets_and_zones_are_read_back() {
    use cardiograph_core::workload::{Distribution, StridedZones};
    let zipf = Distribution::Zipf { theta: 1.2, center: None };
    let strided =
        |zone_len_bytes, skip_bytes| Some(StridedZones { used_bytes: 8 * KIB, zone_len_bytes, skip_bytes });
    for (what, workload) in [
        ("zipf", Workload { distribution: zipf, ..job(Order::RandomRepeating, 30) }),
        ("partly", Workload { random_percent: PerDirection::from_fn(|_| 50), ..job(Order::RandomUnique, 0) }),
        ("files", Workload { file_turn: (FileTurn::Skewed(zipf), 1), ..job(Order::Sequential, 0) }),
        // Zones that are not aligned to the blocks, and I/Os aligned to another zone.
        ("zones", Workload { strided: strided(17 * KIB, KIB), ..job(Order::RandomUnique, 0) }),
        ("overlapping", Workload { strided: strided(6 * KIB, 0), ..job(Order::Sequential, 30) }),
        (
            "backwards",
            Workload {
                strided: strided(13 * KIB, 0),
                sequential_skip_bytes: -6 * KIB as i64,
                ..job(Order::Sequential, 0)
            },
        ),
    ] {
        for depth in [1, 8] {
            let files = [0, 1].map(|target| FileUse { target, offset_bytes: 0, region_len_bytes: 50 * KIB });
            let stop = StopWhen { ios: Some(200), bytes: None, time_ns: None };
            let bench = if depth == 1 { Bench::default() } else { queueing() };
            let workload = Workload { stop, ..checked(deep(depth, workload.clone())) };
            let run = Bench { files: files.to_vec(), ..bench }.run(workload);
            let verified = run.end.result.verified.clone().unwrap();
            assert_eq!(run.end.result.outcome, RunOutcome::Completed, "{what} at {depth}: {verified:?}");
            assert!(verified.blocks > 0 && verified.bad_blocks == 0, "{what} at {depth}: {verified:?}");
            let (reads, writes) = (run.drive.offsets(OpKind::Read), run.drive.offsets(OpKind::Write));
            assert_eq!(reads[reads.len() - writes.len()..], writes, "{what} at {depth}");
        }
    }
}

#[test]
fn reading_back_counts_as_reads_with_separate_time() {
    let run = Bench::default().run(Workload { end_sync: true, ..checked(job(Order::RandomUnique, 0)) });
    assert_eq!(run.ios(), (16, 16, 0));
    let (read, write) = (run.result(Direction::Read), run.result(Direction::Write));
    assert_eq!(write.runtime_ns, 16 * IO_NS + SYNC_NS);
    // Everything was synced at the end of the writes, so no sync remains.
    assert_eq!((read.runtime_ns, run.end.result.phases.verify_ns), (16 * IO_NS, 16 * IO_NS));
    assert_eq!(run.end.ended_at, 32 * IO_NS + SYNC_NS);
    let run = Bench::default().run(checked(job(Order::RandomUnique, 0)));
    assert_eq!(run.drive.offsets(OpKind::Fsync).len(), 1);
    assert_eq!(run.result(Direction::Read).runtime_ns, 16 * IO_NS + SYNC_NS);
    assert_eq!(run.result(Direction::Write).runtime_ns, 16 * IO_NS);
}

#[test]
fn every_corrupted_write_is_found() {
    // Of two passes of 16 writes, each synced and read back before the next.
    let spoiled = [
        (Fault::Lost { request: 4 }, [16, 5]),
        (Fault::Flipped { request: 4 }, [16, 5]),
        // A lost write leaves the content of the previous pass.
        (Fault::Lost { request: 37 }, [32, 21]),
        (Fault::Flipped { request: 37 }, [32, 21]),
    ];
    for (fault, reads) in spoiled {
        for (fatal, reads) in [(false, reads[0]), (true, reads[1])] {
            let workload = Workload {
                verify: verify(0, true, fatal),
                stop: StopWhen { bytes: Some(128 * KIB), time_ns: None, ios: None },
                ..job(Order::Sequential, 0)
            };
            let run = Bench { faults: vec![fault], ..Bench::default() }.run(workload);
            let verified = run.end.result.verified.unwrap();
            let first = verified.first.unwrap();
            assert_eq!((first.target.as_str(), first.offset_bytes), ("file.0", 16 * KIB));
            let failure = run.end.result.failure.unwrap();
            assert_eq!((failure.errno, failure.offset_bytes), (libc::EILSEQ, 16 * KIB));
            assert_eq!((run.end.result.outcome, failure.direction), (RunOutcome::Failed, Direction::Read));
            assert_eq!(run.recorder.totals(Direction::Read).0, reads, "{fault:?} {fatal}");
            assert_eq!(verified.bad_blocks, 1);
        }
    }
}

#[test]
fn content_of_another_run_is_rejected() {
    let before = Bench { run_seed: 1, ..Bench::default() }.run(checked(job(Order::Sequential, 0))).drive;
    let drive = Drive { content: before.content, ..Drive::default() };
    let faults = vec![Fault::Lost { request: 3 }];
    let run =
        Bench { run_seed: 2, drive, faults, ..Bench::default() }.run(checked(job(Order::Sequential, 0)));
    assert_eq!(run.end.result.verified.unwrap().bad_blocks, 1);
}

#[test]
fn a_read_only_job_verifies_its_reads() {
    let written =
        Bench::default().run(Workload { verify: verify(1_024, false, false), ..job(Order::RandomUnique, 0) });
    assert_eq!((written.ios(), &written.end.result.verified), ((0, 16, 0), &None));
    let mut drive = Drive { content: written.drive.content, ..Drive::default() };
    let reader = |fatal| Workload { verify: verify(1_024, true, fatal), ..job(Order::RandomUnique, 100) };
    let content = drive.content.clone();
    let run = Bench { drive, run_seed: 99, ..Bench::default() }.run(reader(false));
    assert_eq!(run.end.result.verified, Some(Verified { blocks: 64, ..Verified::default() }));
    assert_eq!((run.end.result.outcome, run.end.result.phases.verify_ns), (RunOutcome::Completed, 0));
    drive = Drive { content, ..Drive::default() };
    drive.content.get_mut(&(0, 8 * KIB + 512)).unwrap()[0] ^= 1;
    drive.content.get_mut(&(0, 40 * KIB + 512)).unwrap()[0] ^= 1;
    for (fatal, bad_blocks) in [(false, 2), (true, 1)] {
        let drive = Drive { content: drive.content.clone(), ..Drive::default() };
        let run = Bench { drive, ..Bench::default() }.run(reader(fatal));
        assert_eq!(
            (run.end.result.outcome, run.end.result.verified.unwrap().bad_blocks),
            (RunOutcome::Failed, bad_blocks)
        );
        assert_eq!(run.end.result.failure.unwrap().errno, libc::EILSEQ);
        assert_eq!(run.drive.ops.len() == 16, !fatal);
    }
}

#[test]
fn jobs_ended_early_are_not_read_back() {
    let timed = StopWhen { bytes: Some(64 * KIB), time_ns: Some(5 * IO_NS), ios: None };
    let run = Bench::default().run(Workload { stop: timed, ..checked(job(Order::Sequential, 0)) });
    assert_eq!((run.ios(), run.end.result.outcome), ((0, 5, 0), RunOutcome::Completed));
    assert_eq!(run.end.result.verified, Some(Verified::default()));
    let stop_at = Some((2 * IO_NS, StopFlag::ask as Ask));
    let run = Bench { stop_at, ..queueing() }.run(checked(deep(2, job(Order::Sequential, 0))));
    assert_eq!((run.ios().0, run.end.result.outcome), (0, RunOutcome::Stopped));
    // A stop request during read-back ends it, and the verification is then incomplete.
    let stop_at = Some((10 * IO_NS + SYNC_NS, StopFlag::ask as Ask));
    let run = Bench { stop_at, ..queueing() }.run(checked(deep(2, job(Order::Sequential, 0))));
    assert!(run.ios().0 < 16 && run.end.result.outcome == RunOutcome::Stopped, "{:?}", run.ios());
}

#[test]
fn the_same_seed_gives_the_same_requests() {
    let workload =
        Workload { rate: PerDirection::default(), ..checked(deep(8, job(Order::RandomUnique, 50))) };
    let ops = |run_seed| Bench { run_seed, ..queueing() }.run(workload.clone()).drive.ops;
    assert_eq!(ops(1), ops(1));
    // The content of writes differs between runs, their offsets do not.
    assert_eq!(ops(1), ops(2));
    let distinct: HashSet<u64> = ops(1).iter().take(16).map(|op| op.offset_bytes).collect();
    assert_eq!(distinct.len(), 16);
}

#[test]
fn cut_ios_are_read_back_as_written() {
    let split = [(KIB, 30), (16 * KIB, 70)];
    let split =
        split.map(|(len_bytes, percent)| cardiograph_core::workload::BlockShare { len_bytes, percent });
    let range = BlockLen::Range { min_bytes: KIB, max_bytes: 16 * KIB };
    let split = BlockLen::Split { parts: split.to_vec() };
    let lens = [(range.clone(), range), (split.clone(), split), (fixed(KIB), fixed(16 * KIB))];
    for order in [Order::Sequential, Order::RandomUnique, Order::RandomRepeating] {
        for (seed, (read, write)) in (0..8).flat_map(|seed| lens.iter().map(move |lens| (seed, lens))) {
            // With and without passes: only the very last I/O is cut.
            for (read_percent, depth, ramp_ios, turns) in [
                (0, 1, 0, false),
                (0, 8, 5, false),
                (40, 1, 5, false),
                (40, 8, 0, false),
                (60, 8, 20, false),
                (0, 1, 0, true),
                (40, 8, 5, true),
            ] {
                let mut workload = Workload {
                    seed,
                    ramp_ns: ramp_ios * IO_NS,
                    stop: StopWhen { bytes: Some(200 * KIB), ios: None, time_ns: None },
                    ..checked(deep(depth, job(order, read_percent)))
                };
                workload.block_len = PerDirection::from_fn(|_| write.clone());
                workload.block_len.read = read.clone();
                workload.align_bytes = PerDirection::from_fn(|_| KIB);
                let has_equal_lens = workload.block_len_bytes_min() == workload.block_len_bytes_max();
                let bench = if depth == 1 { Bench::default() } else { queueing() };
                let run = Bench { turns, ..bench }.run(workload);
                let what =
                    format!("{order:?} {write:?} {read_percent} {depth} {ramp_ios} seed {seed} {turns}");
                assert_eq!(!run.turns.is_empty(), turns && order != Order::RandomRepeating, "{what}");
                assert_eq!(run.end.result.outcome, RunOutcome::Completed, "{what}");
                let verified = run.end.result.verified.clone().unwrap();
                assert_eq!(verified.bad_blocks, 0, "{what}");
                let ops = |kind: OpKind| {
                    let of_kind = run.drive.ops.iter().filter(move |op| op.kind == kind);
                    of_kind.map(|op| (op.offset_bytes, op.len_bytes)).collect::<Vec<_>>()
                };
                let (reads, writes) = (ops(OpKind::Read), ops(OpKind::Write));
                // Own reads come between those of passes.
                let mut back = reads.iter();
                assert!(
                    writes.iter().all(|write| back.any(|read| read == write)),
                    "{what}: {reads:?} {writes:?}"
                );
                // All of the job's own I/Os, including the ramp's: each write is one of the reads.
                let own_bytes: u64 = reads.iter().map(|&(_, len_bytes)| u64::from(len_bytes)).sum();
                let expected = if has_equal_lens { 208 * KIB } else { 200 * KIB };
                assert_eq!(own_bytes, expected, "{what}");
            }
        }
    }
}

#[test]
fn limited_and_unlimited_jobs_stop_at_the_same_bytes() {
    let rate = |per_second| Some(Rate::Ios { per_second, min_per_second: 0 });
    for (seed, read_rate, write_rate) in
        (0..10).flat_map(|seed| [(seed, 0, 0), (seed, 500, 0), (seed, 0, 500), (seed, 900, 300)])
    {
        let mut workload = deep(4, job(Order::RandomUnique, 50));
        workload.seed = seed;
        workload.block_len.write = fixed(16 * KIB);
        workload.align_bytes.write = 16 * KIB;
        workload.rate.read = rate(read_rate).filter(|_| read_rate > 0);
        workload.rate.write = rate(write_rate).filter(|_| write_rate > 0);
        workload.stop.bytes = Some(250 * KIB);
        let run = queueing().run(workload);
        let bytes = |direction| run.recorder.totals(direction).1;
        assert_eq!(run.end.result.outcome, RunOutcome::Completed);
        // Two KiB are too few for a block.
        assert_eq!(bytes(Direction::Read) + bytes(Direction::Write), 248 * KIB, "seed {seed}");
    }
}
