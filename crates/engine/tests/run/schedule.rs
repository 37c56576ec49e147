//! Start and end conditions between jobs.

use std::time::{Duration, Instant};

use cardiograph_core::plan::{EndScope, StartAfter};
use cardiograph_core::result::{RunOutcome, RunResult};
use cardiograph_core::{EndCondition, MIB, NS_PER_MS, NS_PER_S, Plan};
use cardiograph_engine::sim::{Fault, FaultKind};
use cardiograph_engine::{Control, Target};

use super::bench::*;

/// Runs jobs, one per line of options, after a change to their Plan.
fn run_changed(lines: &[&str], change: impl Fn(&mut Plan)) -> RunResult {
    let (_, target) = filled(16, 64);
    let each = "rw=randread bs=4k size=8M ioengine=sim time_based=1 group_reporting=1";
    let jobs: Vec<_> = lines.iter().map(|line| job("job", &format!("{each} {line}"))).collect();
    let mut plan = plan(&jobs);
    change(&mut plan);
    run_plan(&plan, &[target], 7, &Control::default(), &Events::default(), None).unwrap()
}

/// When each worker began to count and ended, in whole milliseconds; `None` if it did nothing.
fn times_ms(result: &RunResult) -> Vec<Option<(u64, u64)>> {
    let round = |ns: u64| (ns + NS_PER_MS / 2) / NS_PER_MS;
    let times = result.workers.iter().map(|worker| {
        (worker.directions.read.ios > 0).then(|| (round(worker.start_ns), round(worker.end_ns)))
    });
    times.collect()
}

#[test]
fn a_job_behind_a_stonewall_starts_with_it() {
    let result = run_changed(
        &["runtime=300ms", "runtime=100ms stonewall=1", "runtime=100ms", "runtime=100ms startdelay=1"],
        |plan| plan.jobs[0].start.delay_ns = 200 * NS_PER_MS,
    );
    let expected = [Some((200, 500)), Some((500, 600)), Some((500, 600)), Some((1_000, 1_100))];
    assert_eq!(times_ms(&result), expected);
}

#[test]
fn a_delay_counts_from_the_start_of_the_run() {
    let result = run_changed(&["runtime=300ms", "runtime=100ms", "runtime=100ms"], |plan| {
        for (job, delay_ms) in [(1, 200), (2, 400)] {
            plan.jobs[job].start.after = StartAfter::Job { job: 0 };
            plan.jobs[job].start.delay_ns = delay_ms * NS_PER_MS;
        }
    });
    assert_eq!(times_ms(&result), [Some((0, 300)), Some((300, 400)), Some((400, 500))]);
}

#[test]
fn the_end_of_a_worker_ends_the_jobs_in_its_scope() {
    for (scope, expected) in [
        // The first clone's limit is the job's: the group's other job ends with it, and its delayed one never
        // starts.
        (EndScope::Group, [Some((0, 100)), Some((0, 100)), None, Some((0, 400)), Some((400, 500))]),
        (
            EndScope::Started,
            [Some((0, 100)), Some((0, 100)), Some((200, 300)), Some((0, 100)), Some((300, 400))],
        ),
        (EndScope::All, [Some((0, 100)), Some((0, 100)), None, Some((0, 100)), None]),
    ] {
        let lines = ["runtime=100ms", "runtime=400ms", "runtime=100ms", "runtime=400ms", "runtime=100ms"];
        let result = run_changed(&lines, |plan| {
            plan.jobs[0].end = EndCondition { others: Some(scope), others_on_error: None };
            plan.jobs[2].start.delay_ns = 200 * NS_PER_MS;
            plan.jobs[3].group = 1;
            plan.jobs[4].group = 2;
            plan.jobs[4].start.after = StartAfter::AllBefore;
        });
        assert_eq!(times_ms(&result), expected, "{scope:?}");
        assert_eq!(result.outcome, RunOutcome::Completed, "{scope:?}: it was planned so");
    }
}

#[test]
fn the_first_clone_to_end_ends_the_others() {
    // Reads are short and take less time than writes, so a clone that draws more writes is done sooner.
    let line = "rw=randrw bs=4k,64k size=8M io_size=4M ioengine=sim numjobs=4";
    // Several may be done at the same simulated time.
    for (exitall, expected) in [("", 4..=4), (" exitall=1", 1..=3)] {
        let (_, target) = filled(16, 8);
        let result = try_run(&[job("job", &format!("{line}{exitall}"))], &[target], 7).unwrap();
        let moved = result.workers.iter().map(|worker| {
            let directions = &worker.directions;
            directions.read.bytes + directions.write.bytes
        });
        let moved: Vec<u64> = moved.collect();
        let done = moved.iter().filter(|bytes| **bytes >= 4 << 20).count();
        assert!(expected.contains(&done), "{done} of {moved:?}");
        assert_eq!(result.outcome, RunOutcome::Completed);
    }
}

#[test]
fn a_failure_may_end_all_jobs() {
    let each = "rw=write bs=4k size=8M ioengine=sim time_based=1 runtime=2";
    let jobs = [job("ill", each), job("well", each), job("behind", &format!("{each} stonewall=1"))];
    for scope in [None, Some(EndScope::All)] {
        let drive = plain_drive(4, vec![Fault::new(FaultKind::Eio).nth(1_000).times(1)]);
        let mut plan = plan(&jobs);
        plan.jobs.iter_mut().for_each(|job| job.end.others_on_error = scope);
        let targets = [simulated(&drive, 64)];
        let result = run_plan(&plan, &targets, 7, &Control::default(), &Events::default(), None).unwrap();
        assert_eq!(result.outcome, RunOutcome::Failed);
        let failed = result.workers.iter().filter(|worker| worker.outcome == RunOutcome::Failed);
        assert_eq!(failed.count(), 1);
        let behind = &workers(&result, 2)[0].directions.write;
        if scope.is_none() {
            assert!(result.duration_ns >= 4 * NS_PER_S && behind.ios > 5_000, "the others went on");
        } else {
            assert!(result.duration_ns < NS_PER_S, "{} ns", result.duration_ns);
            assert_eq!(behind.issued_bytes, 0);
        }
    }
}

#[test]
fn two_hundred_sequential_jobs_do_not_wait_for_the_next_tick() {
    let line = "rw=read bs=4k size=1M ioengine=null stonewall=1";
    let jobs: Vec<_> = (0..200).map(|_| job("job", line)).collect();
    let target = Target::without_storage(MIB);
    let mut control = Control::default();
    control.tick_ns = 60 * NS_PER_S;
    let began = Instant::now();
    let result = run_with(&jobs, &[target], 7, &control, &Events::default()).unwrap();
    let took = began.elapsed();
    assert_eq!(result.merged(|_| true).read.ios, 200 * 256);
    assert!(took < Duration::from_secs(60), "{took:?}: some tens of milliseconds on an idle machine");
    assert!(result.workers.is_sorted_by_key(|worker| worker.start_ns));
    assert!(result.workers.windows(2).all(|pair| pair[0].end_ns <= pair[1].start_ns));
    println!("200 jobs took {took:?}");
}
