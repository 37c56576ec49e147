//! Runs that end in a steady state.

use std::collections::HashMap;
use std::sync::Arc;

use cardiograph_core::plan::StartAfter;
use cardiograph_core::result::{RunOutcome, RunResult, SteadyOutcome};
use cardiograph_core::workload::{SteadyMetric, SteadyState};
use cardiograph_core::{NS_PER_MS, NS_PER_S, Plan};
use cardiograph_engine::sim::{Fault, FaultKind};
use cardiograph_engine::{Control, Target};

use super::bench::*;

/// A window of five samples of the I/Os, one per second, within 10 % of their mean.
const WANTED: SteadyState = SteadyState {
    metric: SteadyMetric::Iops,
    by_slope: false,
    limit: 10.0,
    limit_is_percent: true,
    window_ns: 5 * NS_PER_S,
    ramp_ns: 0,
    interval_ns: NS_PER_S,
};

/// Runs jobs that ask for a steady state, each with its criterion.
fn run_wanting(lines: &[&str], wanted: &[SteadyState], target: &Arc<Target>) -> (RunResult, SteadyOutcome) {
    let jobs: Vec<_> = lines.iter().map(|line| job("job", line)).collect();
    let mut plan: Plan = plan(&jobs);
    for (job, wanted) in plan.jobs.iter_mut().zip(wanted) {
        job.workload.steady_state = Some(*wanted);
    }
    let targets = std::slice::from_ref(target);
    let result = run_plan(&plan, targets, 7, &Control::default(), &Events::default(), None).unwrap();
    let [steady] = &result.steady[..] else { panic!("{:?}", result.steady) };
    let steady = steady.clone();
    (result, steady)
}

const READS: &str = "rw=randread bs=4k size=8M ioengine=sim time_based=1 runtime=60";

#[test]
fn a_constant_rate_ends_the_run_when_the_window_is_full() {
    for (ramp_ns, interval_ns, window_ns, end_ns) in [
        (0, NS_PER_S, 5 * NS_PER_S, 5 * NS_PER_S),
        (2 * NS_PER_S, NS_PER_S, 4 * NS_PER_S, 6 * NS_PER_S),
        (0, 250 * NS_PER_MS, NS_PER_S, NS_PER_S),
    ] {
        let (_, target) = filled(1, 16);
        let wanted = SteadyState { ramp_ns, interval_ns, window_ns, ..WANTED };
        let (result, steady) = run_wanting(&[READS], &[wanted], &target);
        assert_eq!((result.outcome, steady.attained, steady.job), (RunOutcome::Completed, true, 0));
        assert!(result.duration_ns.abs_diff(end_ns) <= READ_NS, "{} for {end_ns}", result.duration_ns);
        assert_eq!(steady.iops.len() as u64, window_ns / interval_ns);
        assert!(steady.iops.iter().all(|iops| iops.abs_diff(10_000) <= 4), "{:?}", steady.iops);
        let bandwidth = steady.bandwidth_bytes_per_s.iter().map(|bytes| bytes / 4_096);
        assert_eq!(bandwidth.collect::<Vec<_>>(), steady.iops);
        // The result contains everything the run did, not only the window.
        assert!(result.merged(|_| true).read.ios.abs_diff(end_ns / READ_NS) <= 1);
    }
}

#[test]
fn counting_starts_after_the_ramp() {
    let (_, target) = filled(1, 16);
    let (result, steady) = run_wanting(&[&format!("{READS} ramp_time=3")], &[WANTED], &target);
    assert!(steady.attained);
    assert!(result.duration_ns.abs_diff(8 * NS_PER_S) <= READ_NS, "{}", result.duration_ns);
}

#[test]
fn a_stall_must_leave_the_window() {
    let stall = Fault::new(FaultKind::Stall { ns: NS_PER_S }).from_ns(3 * NS_PER_S + NS_PER_S / 2).times(1);
    let drive = plain_drive(1, vec![stall]);
    let target = simulated(&drive, 64);
    let writes = "rw=randwrite bs=4k size=8M ioengine=sim time_based=1 runtime=60";
    let (result, steady) = run_wanting(&[writes], &[WANTED], &target);
    // The stall ends in the fifth second: the five seconds after it are similar.
    assert!(steady.attained, "{steady:?}");
    assert!(result.duration_ns.abs_diff(10 * NS_PER_S) <= 2 * WRITE_NS, "{}", result.duration_ns);
}

#[test]
fn an_unsteady_rate_runs_to_the_end() {
    let stalls = (0..12).map(|number| {
        Fault::new(FaultKind::Stall { ns: NS_PER_S }).from_ns((1 + 3 * number) * NS_PER_S).times(1)
    });
    let drive = plain_drive(1, stalls.collect());
    let target = simulated(&drive, 64);
    let writes = "rw=randwrite bs=4k size=8M ioengine=sim time_based=1 runtime=20";
    let (result, steady) = run_wanting(&[writes], &[WANTED], &target);
    assert!(!steady.attained && steady.criterion > 10.0, "{steady:?}");
    assert_eq!(steady.iops.len(), 5);
    assert!(result.duration_ns >= 20 * NS_PER_S);
}

#[test]
fn jobs_of_a_group_are_judged_together() {
    let (_, target) = filled(8, 16);
    let late = format!("{READS} startdelay=3");
    let (result, steady) = run_wanting(&[READS, &late], &[WANTED, WANTED], &target);
    // From the fourth second on there are two, and five seconds later the window has only such samples.
    assert!(steady.attained);
    assert!(steady.iops.iter().all(|iops| iops.abs_diff(20_000) <= 10), "{:?}", steady.iops);
    assert!(result.duration_ns.abs_diff(8 * NS_PER_S) <= 2 * READ_NS, "{}", result.duration_ns);
    for worker in &result.workers {
        assert!(worker.end_ns.abs_diff(8 * NS_PER_S) <= 2 * READ_NS, "both end");
    }
}

#[test]
fn a_job_that_ends_first_leaves_its_samples() {
    let (_, target) = filled(1, 16);
    let (result, steady) = run_wanting(&[&READS.replace("runtime=60", "runtime=3")], &[WANTED], &target);
    assert_eq!((result.outcome, steady.attained, steady.criterion), (RunOutcome::Completed, false, 0.0));
    assert!((2..=3).contains(&steady.iops.len()), "{:?}", steady.iops);
}

#[test]
fn consecutive_groups_are_judged_separately() {
    let (_, target) = filled(1, 16);
    let mut plan = plan(&[job("one", READS), job("two", READS)]);
    plan.jobs.iter_mut().for_each(|job| job.workload.steady_state = Some(WANTED));
    plan.jobs[1].group = 1;
    plan.jobs[1].start.after = StartAfter::AllBefore;
    let result = run_plan(&plan, &[target], 7, &Control::default(), &Events::default(), None).unwrap();
    let attained: HashMap<usize, bool> = result.steady.iter().map(|one| (one.job, one.attained)).collect();
    assert_eq!(attained, HashMap::from([(0, true), (1, true)]));
    assert!(result.duration_ns.abs_diff(10 * NS_PER_S) <= 2 * READ_NS, "{}", result.duration_ns);
}

#[test]
fn real_time_is_sampled_regularly() {
    let bare = Target::without_storage(1 << 20);
    let line = "rw=randread bs=4k size=1M ioengine=null time_based=1 runtime=20";
    let wanted =
        SteadyState { limit: 99.0, window_ns: 200 * NS_PER_MS, interval_ns: 20 * NS_PER_MS, ..WANTED };
    let mut control = Control::default();
    control.tick_ns = 60 * NS_PER_S;
    let mut plan = plan(&[job("job", line)]);
    plan.jobs[0].workload.steady_state = Some(wanted);
    // A busy machine may give the samples a different share of CPU time than the rest of the run: then run it
    // again.
    cardiograph_testing::soon(|| {
        let result =
            run_plan(&plan, std::slice::from_ref(&bare), 7, &control, &Events::default(), None).unwrap();
        let steady = &result.steady[0];
        assert!(steady.attained && steady.iops.len() == 10, "{steady:?}");
        // Far below the time limit.
        assert!(result.duration_ns < 10 * NS_PER_S, "{}", result.duration_ns);
        // Ten samples take 200 ms. The last I/O is earlier if the worker had no processor at the end.
        if result.duration_ns < 190 * NS_PER_MS {
            return None;
        }
        let mean = steady.iops.iter().sum::<u64>() as f64 / 10.0;
        // Per second, not per sample.
        ((mean / result.merged(|_| true).read.iops() - 1.0).abs() < 0.5).then_some(())
    });
}
