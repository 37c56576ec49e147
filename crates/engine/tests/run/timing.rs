//! When a run begins, counts and ends, exact in simulated time.

use cardiograph_core::result::RunOutcome;
use cardiograph_core::{Direction, NS_PER_MS, NS_PER_S};
use cardiograph_engine::sim::{DriveModel, SimDrive};
use cardiograph_engine::{Control, Event};

use super::bench::*;

#[test]
fn bytes_end_a_run() {
    let (_, target) = filled(1, 16);
    let result = run_one("rw=randread bs=4k size=16M io_size=4M ioengine=sim", &target);
    let read = &result.merged(|_| true).read;
    assert_eq!((result.outcome, read.ios, read.bytes), (RunOutcome::Completed, 1_024, 4 << 20));
    assert_eq!(result.duration_ns, 1_024 * READ_NS);
    assert_eq!((read.runtime_ns, read.issued_bytes, read.short_ios), (1_024 * READ_NS, 4 << 20, 0));
    assert_eq!((read.completion.min_ns(), read.completion.max_ns()), (READ_NS, READ_NS));
    let rows: Vec<u64> = result.series().rows.read.iter().map(|row| row.ios).collect();
    assert_eq!(rows, [1_000, 24], "what is complete at a window's end lies in it");
}

#[test]
fn time_ends_a_run() {
    let (_, target) = filled(1, 16);
    let result = run_one("rw=read bs=4k size=1M runtime=1 time_based=1 ioengine=sim", &target);
    let read = &result.merged(|_| true).read;
    assert_eq!((result.outcome, read.ios, result.duration_ns), (RunOutcome::Completed, 10_000, NS_PER_S));
    let series = result.series();
    assert_eq!((series.rows.read.len(), series.whole_windows()), (10, 10));
    assert!(series.rows.read.iter().all(|row| row.ios == 1_000 && row.bytes == 4_096_000));
    assert!(series.rows.write.is_empty());
}

#[test]
fn an_io_issued_before_the_end_counts_completely() {
    let (_, target) = filled(1, 16);
    // The third begins 50 µs before the end and completes 50 µs after it.
    let result = run_one("rw=read bs=4k size=1M runtime=250us time_based=1 ioengine=sim", &target);
    assert_eq!((result.merged(|_| true).read.ios, result.duration_ns), (3, 300_000));
}

#[test]
fn a_ramp_does_not_count() {
    let (_, target) = filled(1, 16);
    let result =
        run_one("rw=randread bs=4k size=16M runtime=1 time_based=1 ramp_time=250ms ioengine=sim", &target);
    let worker = &result.workers[0];
    assert_eq!((worker.start_ns, worker.end_ns), (250 * NS_PER_MS, 1_250 * NS_PER_MS));
    assert_eq!(worker.directions.read.ios, 10_000);
    assert_eq!(worker.directions.read.issued_bytes, 12_500 * 4_096, "the drive did it all");
    assert_eq!(worker.directions.read.completion.n(), 10_000);
    assert_eq!(result.series().rows.read.iter().map(|row| row.ios).sum::<u64>(), 10_000);
    assert_eq!(result.series().rows.read.len(), 10);
}

#[test]
fn an_io_counts_by_its_time_of_issue() {
    let (_, target) = filled(1, 16);
    // At the ramp's end the third is half done and belongs to the ramp. The fourth, 50 µs later, is the first
    // that counts.
    let result = run_one("rw=read bs=4k size=16M io_size=1M ramp_time=250us ioengine=sim", &target);
    let read = &result.merged(|_| true).read;
    assert_eq!((read.ios, read.bytes, read.issued_bytes), (253, 253 * 4_096, 1 << 20));
    assert_eq!(read.runtime_ns, 50_000 + 253 * READ_NS);
    assert_eq!(result.workers[0].longest_gap_ns, 50_000 + READ_NS);
}

#[test]
fn a_mix_keeps_its_shares_and_lengths() {
    let (_, target) = filled(1, 16);
    let options = "rw=randrw rwmixread=70 bs=4k,8k size=16M runtime=2 time_based=1 ioengine=sim";
    let result = run_one(options, &target);
    let all = result.merged(|_| true);
    assert_eq!((all.read.bytes, all.write.bytes), (all.read.ios * 4_096, all.write.ios * 8_192));
    let share = all.read.ios as f64 / (all.read.ios + all.write.ios) as f64;
    assert!((share - 0.7).abs() < 0.01, "{share}");
    let rows = result.series().rows;
    assert_eq!(rows.read.iter().map(|row| row.ios).sum::<u64>(), all.read.ios);
    assert_eq!(rows.write.iter().map(|row| row.bytes).sum::<u64>(), all.write.bytes);
    assert_eq!(all.sync.ios, 0);
}

#[test]
fn syncs_follow_the_given_number_of_writes() {
    // Each precedes the next write: after the last write there is only the final one, which is not among the
    // figures of syncs.
    for (options, syncs, at_end) in [
        ("fsync=1", 255, 0),
        ("fsync=4", 63, 0),
        ("fdatasync=100", 2, 0),
        ("fsync=0", 0, 0),
        ("fsync=4 end_fsync=1", 63, 1),
        ("end_fsync=1", 0, 1),
    ] {
        for depth in [1, 8] {
            let drive = plain_drive(1, Vec::new());
            let target = simulated(&drive, 16);
            let line = format!("rw=write bs=4k size=1M ioengine=sim iodepth={depth} {options}");
            let result = run_one(&line, &target);
            let all = result.merged(|_| true);
            assert_eq!((all.write.ios, all.sync.ios, all.sync.bytes), (256, syncs, 0), "{options}");
            assert_eq!(drive.counters().flush_ios, syncs + at_end, "{options}");
            assert_eq!(result.duration_ns, 256 * WRITE_NS + (syncs + at_end) * SYNC_NS, "{options}");
            assert_eq!(result.workers[0].phases.flush_ns, at_end * SYNC_NS, "{options} depth {depth}");
            // A sync is issued without waiting for writes in flight, but waits for them in the drive.
            let slowest_ns = all.sync.completion.max_ns();
            let alone_ns = SYNC_NS.min(syncs * SYNC_NS);
            assert!(slowest_ns == alone_ns || depth > 1 && slowest_ns > alone_ns, "{options}: {slowest_ns}");
        }
    }
}

#[test]
fn the_queue_depth_is_reached() {
    let iops = |depth: u32| {
        let (_, target) = filled(4, 64);
        let options =
            format!("rw=randread bs=4k size=64M runtime=1 time_based=1 ioengine=sim iodepth={depth}");
        let read = run_one(&options, &target).merged(|_| true).read;
        // Little's law: the number in flight is the rate times the latency.
        let in_flight = read.iops() * read.completion.mean_ns() / 1e9;
        assert!((in_flight / f64::from(depth) - 1.0).abs() < 0.02, "{in_flight} of {depth}");
        read.iops()
    };
    let (one, four, sixteen) = (iops(1), iops(4), iops(16));
    assert!((one - 10_000.0).abs() < 1.0, "{one}");
    assert!((four / one - 4.0).abs() < 0.05, "{four}");
    assert!((sixteen / four - 1.0).abs() < 0.05, "{sixteen}");
}

#[test]
fn latencies_of_a_queueing_engine_add_up() {
    let (_, target) = filled(2, 16);
    let result = run_one("rw=randread bs=4k size=16M ioengine=sim iodepth=4", &target);
    let read = &result.merged(|_| true).read;
    let (submission, total) = (read.submission.as_ref().unwrap(), read.total.as_ref().unwrap());
    assert_eq!(submission.sum_ns() + read.completion.sum_ns(), total.sum_ns());
    assert_eq!([submission.n(), read.completion.n(), total.n()], [4_096; 3]);
}

#[test]
fn jobs_start_and_end_each_other() {
    let drive = plain_drive(32, Vec::new());
    let target = simulated(&drive, 64);
    fill(&target, "sim", 1);
    let each = "rw=randread bs=4k size=8M ioengine=sim filename=f time_based=1";
    let jobs = [
        job("together", &format!("{each} runtime=1 numjobs=2")),
        job("delayed", &format!("{each} runtime=2 startdelay=500ms")),
        job("after-the-first", &format!("{each} runtime=1 numjobs=3 wait_for=together")),
        job("after-all", &format!("{each} runtime=1 stonewall=1")),
    ];
    let result = try_run(&jobs, &[target], 7).unwrap();
    let expected = [(0, 2, 0, 1_000), (1, 1, 500, 2_500), (2, 3, 1_000, 2_000), (3, 1, 2_500, 3_500)];
    for (job, clones, start_ms, end_ms) in expected {
        let workers = workers(&result, job);
        assert_eq!(workers.len(), clones);
        for worker in workers {
            // The bus is shared, which adds some nanoseconds to each I/O.
            assert!(
                worker.start_ns.abs_diff(start_ms * NS_PER_MS) <= 1_000,
                "{}: {}",
                jobs[job].name,
                worker.start_ns
            );
            assert!(
                worker.end_ns.abs_diff(end_ms * NS_PER_MS) <= READ_NS,
                "{}: {}",
                jobs[job].name,
                worker.end_ns
            );
            let expected_ios = (end_ms - start_ms) * NS_PER_MS / READ_NS;
            assert!(worker.directions.read.ios.abs_diff(expected_ios) <= 5, "{}", jobs[job].name);
        }
    }
    assert_eq!(result.outcome, RunOutcome::Completed);
    assert_eq!(result.duration_ns, workers(&result, 3)[0].end_ns);
}

#[test]
fn the_end_of_one_job_may_end_the_others() {
    let (_, target) = filled(8, 64);
    let each = "rw=randread bs=4k size=8M ioengine=sim filename=f time_based=1";
    let jobs = [
        job("long", &format!("{each} runtime=100 numjobs=2")),
        job("short", &format!("{each} runtime=1 numjobs=2 exitall=1")),
        job("never", &format!("{each} runtime=1 startdelay=50")),
    ];
    let result = try_run(&jobs, &[target], 7).unwrap();
    assert_eq!(result.outcome, RunOutcome::Completed, "it was planned so");
    for worker in workers(&result, 0) {
        assert!((NS_PER_S..=NS_PER_S + 2 * READ_NS).contains(&worker.end_ns), "{}", worker.end_ns);
    }
    let never = workers(&result, 2)[0];
    assert_eq!((never.directions.read.ios, never.directions.read.issued_bytes), (0, 0));
    assert!(result.duration_ns < 2 * NS_PER_S, "{}", result.duration_ns);
}

#[test]
fn clones_draw_different_offsets() {
    let drive = plain_drive(64, Vec::new());
    let target = simulated(&drive, 64);
    let options = "rw=randwrite bs=4k size=64M io_size=256k ioengine=sim numjobs=64";
    let result = run_one(options, &target);
    assert_eq!(result.workers.len(), 64);
    let clones: Vec<u32> = result.workers.iter().map(|worker| worker.clone).collect();
    assert_eq!(clones, (0..64).collect::<Vec<_>>());
    assert_eq!(result.merged(|_| true).write.ios, 64 * 64);
    // 4,096 blocks drawn from 16,384, in 64 different orders: most are different ones.
    let written = (0..16_384).filter(|block| drive.load_content(block * 4_096) != 0).count();
    assert!(written > 3_300, "{written}");
}

#[test]
fn the_same_seed_gives_the_same_result() {
    let run = |seed| {
        let drive = SimDrive::new(DriveModel::named("sandisk-ultra-64").unwrap(), seed);
        let target = simulated(&drive, 64);
        fill(&target, "sim", seed);
        let jobs = [
            job(
                "reads",
                "rw=randread bs=4k size=64M runtime=2 time_based=1 ioengine=sim iodepth=4 filename=f",
            ),
            job(
                "writes",
                "rw=randrw bs=4k size=64M runtime=2 time_based=1 fsync=3 ioengine=sim numjobs=3 filename=f",
            ),
        ];
        let result = try_run(&jobs, &[target], seed).unwrap();
        (result, drive.counters(), drive.load_content(4_096))
    };
    let (first, second, other) = (run(1), run(1), run(2));
    assert_eq!(first, second);
    assert_ne!(first.0, other.0);
    assert_ne!(first.2, other.2, "other content");
}

#[test]
fn events_show_the_progress_of_a_run() {
    let (_, target) = filled(1, 16);
    let events = Events::default();
    let jobs = [job("job", "rw=randread bs=4k size=16M runtime=5 time_based=1 ioengine=sim numjobs=2")];
    let result = run_with(&jobs, &[target], 7, &Control::default(), &events).unwrap();
    let events = events.0.into_inner();
    assert_eq!((events.first(), events.last()), (Some(&Event::Started), Some(&Event::Ended)));
    let ended = events.iter().filter(|event| matches!(event, Event::WorkerEnded { job: 0, .. }));
    assert_eq!(ended.count(), 2);
    let progress: Vec<_> = events
        .iter()
        .filter_map(|event| if let Event::Progress(progress) = event { Some(progress) } else { None })
        .collect();
    assert!(progress.len() >= 4, "{progress:?}");
    assert!(progress.is_sorted_by_key(|progress| progress.elapsed_ns));
    let reported: u64 = progress.iter().map(|progress| progress.ios).sum();
    let all = result.merged(|_| true).read.ios;
    assert!(reported <= all && reported > all / 2, "{reported} of {all}");
    for progress in progress {
        assert_eq!((progress.write_bytes, progress.busiest), (0, Some(Direction::Read)));
        assert_eq!(progress.read_bytes, progress.ios * 4_096);
        assert!(progress.latency_p99_ns.is_some_and(|ns| ns.abs_diff(2 * READ_NS) < READ_NS / 50));
    }
}
