//! Runs that end when their rates are precise enough.

use std::collections::HashMap;
use std::sync::Arc;

use cardiograph_core::figures::StepFigures;
use cardiograph_core::plan::StartAfter;
use cardiograph_core::precision::WINDOW_NS;
use cardiograph_core::result::{PrecisionEnd, PrecisionOutcome, RunOutcome, RunResult};
use cardiograph_core::{Direction, NS_PER_MS, NS_PER_S};
use cardiograph_engine::sim::{DriveModel, Fault, FaultKind, SimDrive};
use cardiograph_engine::{Control, Target};
use cardiograph_testing::drives::PLAIN;

use super::bench::*;

/// Duration before the first check: 44 windows.
const FIRST_LOOK_NS: u64 = 44 * WINDOW_NS;

const READS: &str = "rw=randread bs=4k size=8M ioengine=sim time_based=1 runtime=60 precision=2%";

fn outcome(result: &RunResult) -> PrecisionOutcome {
    let [outcome] = result.precision[..] else { panic!("{:?}", result.precision) };
    outcome
}

/// A filled file on a drive whose reads vary by this many nanoseconds, and drift.
fn restless(deviation_ns: u64, seed: u64) -> Arc<Target> {
    let model = PLAIN
        .replacen(
            "mean_ns = 89_996, deviation_ns = 0",
            &format!("mean_ns = 1_989_996, deviation_ns = {deviation_ns}"),
            1,
        )
        .replace("drift = 0.0", "drift = 0.02");
    let target = simulated(&SimDrive::new(DriveModel::from_toml(&model).unwrap(), seed), 16);
    fill(&target, "sim", 1);
    target
}

#[test]
fn a_constant_rate_ends_the_run_at_the_first_check() {
    let (_, target) = filled(1, 16);
    let result = run_one(READS, &target);
    let outcome = outcome(&result);
    assert_eq!(
        (result.outcome, outcome.end, outcome.look),
        (RunOutcome::Completed, PrecisionEnd::Attained, 1)
    );
    assert!(outcome.half_width.unwrap() < 0.001, "{outcome:?}");
    assert_eq!((outcome.from_ns, outcome.until_ns), (4 * WINDOW_NS, FIRST_LOOK_NS));
    assert!(result.duration_ns.abs_diff(FIRST_LOOK_NS) <= 2 * READ_NS, "{}", result.duration_ns);
    // The result contains everything the run did.
    assert!(result.merged(|_| true).read.ios.abs_diff(FIRST_LOOK_NS / READ_NS) <= 2);
}

#[test]
fn the_reported_precision_is_the_one_that_decided() {
    for seed in 0..8 {
        let result = run_one(READS, &restless(800_000, seed));
        let outcome = outcome(&result);
        assert_eq!(outcome.end, PrecisionEnd::Attained, "{outcome:?}");
        let figures = StepFigures::from_result(&result);
        let iops = figures.direction(Direction::Read).unwrap().iops;
        assert_eq!(iops.n, (outcome.until_ns - outcome.from_ns) / WINDOW_NS);
        // The last window may end with an I/O that was complete but not yet reaped at the check.
        assert!((iops.half_width_share().unwrap() / outcome.half_width.unwrap() - 1.0).abs() < 0.02);
        assert!(iops.half_width_share().unwrap() < 0.0201, "{iops:?}");
        assert!(result.duration_ns < outcome.until_ns + NS_PER_S);
    }
}

#[test]
fn a_varying_drive_takes_longer_and_a_seed_gives_one_result() {
    let run = |deviation_ns| run_one(READS, &restless(deviation_ns, 3));
    let calm = outcome(&run(100_000));
    let restless = outcome(&run(1_900_000));
    assert!(restless.until_ns > calm.until_ns, "{calm:?} {restless:?}");
    assert_eq!(run(1_900_000).precision, [restless]);
}

#[test]
fn the_time_limit_applies_and_the_reached_precision_is_reported() {
    let hurried = READS.replace("runtime=60", "runtime=9");
    let noisy = outcome(&run_one(&hurried.replace("precision=2%", "precision=0.01%"), &restless(800_000, 1)));
    assert_eq!((noisy.end, noisy.until_ns), (PrecisionEnd::NotNarrow, 9 * NS_PER_S));
    assert!(noisy.half_width.is_some_and(|known| known > 0.000_1 && known < 0.1), "{noisy:?}");
    let (_, target) = filled(1, 16);
    let short = outcome(&run_one(&READS.replace("runtime=60", "runtime=2"), &target));
    assert_eq!((short.end, short.until_ns), (PrecisionEnd::TooShort, 2 * NS_PER_S));
}

#[test]
fn a_fast_start_is_excluded() {
    // Eight requests at a time, of which the drive does one: stalls make it slower for the first two seconds.
    let stalls = (0..20).map(|number| {
        Fault::new(FaultKind::Stall { ns: 50 * NS_PER_MS }).from_ns(number * 100 * NS_PER_MS + 1_000).times(1)
    });
    let drive = plain_drive(1, stalls.collect());
    let target = simulated(&drive, 64);
    let writes = "rw=randwrite bs=4k size=8M ioengine=sim time_based=1 runtime=60 precision=2%";
    let result = run_one(writes, &target);
    let outcome = outcome(&result);
    assert_eq!(outcome.end, PrecisionEnd::Attained, "{outcome:?}");
    assert!(outcome.from_ns >= 18 * NS_PER_S / 10, "{outcome:?}");
    let iops = StepFigures::from_result(&result).direction(Direction::Write).unwrap().iops;
    assert!((iops.value / 5_000.0 - 1.0).abs() < 0.02, "{iops:?}: 5,000 a second behind the stalls");
    assert!(result.merged(|_| true).write.iops() < 4_900.0, "the whole run was slower");
}

#[test]
fn the_minimum_number_of_ios_is_awaited() {
    let (_, target) = filled(1, 16);
    let result = run_one(&format!("{READS} precision_ios=90000"), &target);
    let outcome = outcome(&result);
    assert_eq!((outcome.end, outcome.until_ns), (PrecisionEnd::Attained, 99 * WINDOW_NS));
}

#[test]
fn counting_starts_after_the_ramp() {
    let (_, target) = filled(1, 16);
    let result = run_one(&format!("{READS} ramp_time=3"), &target);
    assert_eq!(outcome(&result).end, PrecisionEnd::Attained);
    assert!(result.duration_ns.abs_diff(FIRST_LOOK_NS + 3 * NS_PER_S) <= 2 * READ_NS);
}

#[test]
fn jobs_of_a_group_are_judged_together_and_groups_separately() {
    let (_, target) = filled(8, 16);
    let late = format!("{READS} startdelay=3");
    let result = try_run(&[job("one", READS), job("two", &late)], std::slice::from_ref(&target), 7).unwrap();
    assert_eq!(outcome(&result).end, PrecisionEnd::Attained);
    // Checked when both have their windows.
    for worker in &result.workers {
        assert!(worker.end_ns.abs_diff(FIRST_LOOK_NS + 3 * NS_PER_S) <= 2 * READ_NS, "{}", worker.end_ns);
    }
    let mut apart = plan(&[job("one", READS), job("two", READS)]);
    apart.jobs[1].group = 1;
    apart.jobs[1].start.after = StartAfter::AllBefore;
    let result = run_plan(&apart, &[target], 7, &Control::default(), &Events::default(), None).unwrap();
    let ends: HashMap<usize, PrecisionEnd> = result.precision.iter().map(|one| (one.job, one.end)).collect();
    assert_eq!(ends, HashMap::from([(0, PrecisionEnd::Attained), (1, PrecisionEnd::Attained)]));
    assert!(result.duration_ns.abs_diff(2 * FIRST_LOOK_NS) <= 4 * READ_NS, "{}", result.duration_ns);
}

#[test]
fn real_time_is_checked_in_windows() {
    let bare = Target::without_storage(1 << 20);
    let line = "rw=randread bs=4k size=1M ioengine=null time_based=1 runtime=30 rate_iops=2000 precision=50%";
    let mut plan = plan(&[job("job", line)]);
    // Shorter windows, for a shorter test.
    plan.jobs[0].workload.window_ns = 5 * NS_PER_MS;
    let mut control = Control::default();
    control.tick_ns = 60 * NS_PER_S;
    // 44 windows are 220 ms; a busy machine may need more checks, but far less than the time limit. If the
    // last I/O came some windows early, run it again.
    cardiograph_testing::soon(|| {
        let result =
            run_plan(&plan, std::slice::from_ref(&bare), 7, &control, &Events::default(), None).unwrap();
        let outcome = outcome(&result);
        assert_eq!(outcome.end, PrecisionEnd::Attained, "{outcome:?}");
        (215 * NS_PER_MS..15 * NS_PER_S).contains(&result.duration_ns).then_some(())
    });
}
