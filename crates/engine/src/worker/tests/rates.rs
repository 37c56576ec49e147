//! Tests of rate limits.

use super::*;

pub(super) fn at_most(rate: Rate) -> PerDirection<Option<Rate>> {
    PerDirection::from_fn(|direction| matches!(direction, Direction::Read | Direction::Write).then_some(rate))
}

pub(super) fn ios_per_s(per_second: u64) -> Rate {
    Rate::Ios { per_second, min_per_second: 0 }
}

pub(super) fn for_s(seconds: u64) -> StopWhen {
    StopWhen { bytes: None, time_ns: Some(seconds * NS_PER_S), ios: None }
}

#[test]
fn ios_are_issued_when_due() {
    for bench in [Bench::default(), queueing()] {
        let workload =
            Workload { rate: at_most(ios_per_s(1_000)), stop: for_s(2), ..job(Order::Sequential, 100) };
        let run = bench.run(deep(4, workload));
        let read = run.result(Direction::Read);
        assert_eq!(read.ios, 2_000);
        // The last is due a millisecond before the end.
        assert_eq!(read.runtime_ns, 1_999 * NS_PER_MS + IO_NS);
        assert_eq!((read.completion.max_ns(), read.intended.unwrap().max_ns()), (IO_NS, IO_NS));
        assert_eq!((run.end.result.outcome, run.end.result.missed_rate), (RunOutcome::Completed, None));
    }
}

#[test]
fn bytes_and_uneven_rates_are_exact_over_time() {
    for (rate, expected) in [
        (Rate::Bytes { per_second: 4_096_000, min_per_second: 0 }, 3_000),
        (Rate::Bytes { per_second: 1_000_000, min_per_second: 0 }, 733),
        (ios_per_s(7), 21),
        (ios_per_s(3), 9),
    ] {
        let run = Bench::default().run(Workload {
            rate: at_most(rate),
            stop: for_s(3),
            ..job(Order::RandomUnique, 0)
        });
        assert_eq!(run.result(Direction::Write).ios, expected, "{rate:?}");
    }
}

#[test]
fn a_stall_counts_for_each_io_that_it_delayed() {
    let workload =
        Workload { rate: at_most(ios_per_s(1_000)), stop: for_s(3), ..job(Order::Sequential, 100) };
    let faults = vec![Fault::Stall { request: 500, ns: NS_PER_S }];
    let run = Bench { faults, ..Bench::default() }.run(workload);
    let read = run.result(Direction::Read);
    // The work missed in that second is made up for.
    assert_eq!(read.ios, 3_000);
    let slow = |latency: &cardiograph_core::Latency| {
        let buckets = latency.histogram().buckets();
        let slow =
            buckets.filter(|&(bucket, _)| cardiograph_core::histogram::bucket_low_ns(bucket) > 2 * IO_NS);
        slow.map(|(_, count)| count).sum::<u64>()
    };
    // By completion latency, one I/O was slow. By intended latency, so was each that was due in that second,
    // and those due while the backlog was worked off at one per 100 µs.
    assert_eq!(slow(&read.completion), 1);
    let intended = read.intended.unwrap();
    assert_eq!(intended.max_ns(), NS_PER_S + IO_NS);
    let expected = 1_000.0 * 1.0 / 0.9;
    let found = slow(&intended) as f64;
    assert!((found - expected).abs() < 3.0, "{found} instead of {expected:.0}");
    // The mean of a backlog that shrinks linearly from a second to zero.
    let mean_ns = intended.mean_ns();
    let expected_ns = IO_NS as f64 + 0.5 * expected * 1e9 / 3_000.0;
    assert!((mean_ns / expected_ns - 1.0).abs() < 0.01, "{mean_ns} instead of {expected_ns}");
}

#[test]
fn the_queue_is_not_drained_while_an_io_is_not_due() {
    // Requests take 100 ms and one is due every 10 ms, so ten are always in flight.
    let slow: Vec<Fault> =
        (0..500).map(|request| Fault::Stall { request, ns: 100 * NS_PER_MS - IO_NS }).collect();
    let workload = Workload { rate: at_most(ios_per_s(100)), stop: for_s(2), ..job(Order::Sequential, 100) };
    let run = Bench { faults: slow, ..queueing() }.run(deep(32, workload));
    let read = run.result(Direction::Read);
    assert_eq!(read.ios, 200);
    assert_eq!(read.intended.unwrap().max_ns(), 100 * NS_PER_MS);
    let depths = run.end.result.depths.in_flight;
    assert_eq!(depths[3] + depths[2] + depths[1] + depths[0], 200);
    assert!(depths[3] >= 190, "{depths:?}");
}

#[test]
fn each_direction_has_its_own_limit() {
    let limits = |read: Option<u64>, write: Option<u64>| PerDirection {
        read: read.map(ios_per_s),
        write: write.map(ios_per_s),
        ..PerDirection::default()
    };
    let ios = |rate, stop| {
        let run = Bench::default().run(Workload { rate, stop, ..job(Order::RandomUnique, 70) });
        (run.ios().0, run.ios().1)
    };
    // As in fio, the limits decide the shares if both are reached,
    assert_eq!(ios(limits(Some(100), Some(400)), for_s(2)), (200, 800));
    assert_eq!(ios(limits(Some(1_000), Some(1_000)), for_s(2)), (2_000, 2_000));
    // a direction without a limit does not wait for the other,
    let (reads, writes) = ios(limits(Some(100), None), for_s(2));
    assert_eq!(reads + writes, 20_000);
    assert!((199..=200).contains(&reads), "{reads}");
    // and the mix decides if the drive is slower than the limits.
    let (reads, writes) = ios(limits(Some(50_000), Some(50_000)), for_s(2));
    assert_eq!((reads, writes), (14_000, 6_000));
}

#[test]
fn the_ramp_is_paced_and_its_backlog_is_dropped() {
    let stalled = vec![Fault::Stall { request: 100, ns: 10 * NS_PER_S }];
    for (faults, begun_at) in [(Vec::new(), NS_PER_S), (stalled, 10_100_000_000 + IO_NS)] {
        let workload = Workload {
            rate: at_most(ios_per_s(1_000)),
            ramp_ns: NS_PER_S,
            stop: StopWhen { ios: Some(2_000), bytes: None, time_ns: None },
            ..job(Order::Sequential, 100)
        };
        let run = Bench { faults, ..Bench::default() }.run(workload);
        let read = run.result(Direction::Read);
        assert_eq!(read.ios, 2_000);
        let in_ramp = read.issued_bytes / (4 * KIB) - 2_000;
        // The stall is in the ramp: work missed there is not made up for.
        let expected = if begun_at == NS_PER_S { 1_000 } else { 101 };
        assert_eq!(in_ramp, expected);
    }
}

#[test]
fn a_missed_minimum_rate_fails_the_worker() {
    let demand = |per_second, min_per_second| at_most(Rate::Ios { per_second, min_per_second });
    // The drive does 10,000 per second, and has begun one more.
    for (rate, missed) in
        [(demand(0, 10_001), None), (demand(0, 10_002), Some(10_000)), (demand(500, 400), None)]
    {
        let run = Bench::default().run(Workload { rate, stop: for_s(4), ..job(Order::Sequential, 100) });
        assert_eq!(run.end.result.missed_rate.map(|missed| missed.reached_per_second), missed);
        let outcome = if missed.is_some() { RunOutcome::Failed } else { RunOutcome::Completed };
        assert_eq!(run.end.result.outcome, outcome);
        // It is detected after the first full cycle.
        assert!(missed.is_none() || run.ios().0 == 10_000);
        assert!(run.end.result.failure.is_none());
    }
    let bytes = at_most(Rate::Bytes { per_second: 1 << 30, min_per_second: 50_000_000 });
    let run = Bench::default().run(Workload {
        rate: bytes,
        stop: for_s(4),
        rate_cycle_ns: NS_PER_S / 2,
        ..job(Order::Sequential, 0)
    });
    let expected = MissedRate {
        direction: Direction::Write,
        counts_ios: false,
        wanted_per_second: 50_000_000,
        reached_per_second: 40_960_000,
    };
    assert_eq!((run.end.result.missed_rate, run.ios().1), (Some(expected), 5_000));
}

#[test]
fn each_cycle_is_checked_separately() {
    let rate = at_most(Rate::Ios { per_second: 0, min_per_second: 5_000 });
    let faults = vec![Fault::Stall { request: 25_000, ns: 8 * NS_PER_S / 10 }];
    let run = Bench { faults, ..Bench::default() }.run(Workload {
        rate,
        stop: for_s(9),
        ..job(Order::Sequential, 100)
    });
    // The third cycle ends with the stall: 5,001 I/Os in 1.3001 s.
    assert_eq!(run.end.result.missed_rate.unwrap().reached_per_second, 3_846);
    assert_eq!(run.end.ended_at, 3_300 * NS_PER_MS + IO_NS);
}

/// The largest distance between a sorted sample and a distribution (Kolmogorov and Smirnov), times the root
/// of its size: one in 1,000 samples of the distribution itself exceeds 1.95.
fn ks(sample: &[f64], share_below: impl Fn(f64) -> f64) -> f64 {
    let n = sample.len() as f64;
    let distances = sample.iter().enumerate().map(|(rank, &value)| {
        let expected = share_below(value);
        (expected - rank as f64 / n).abs().max((expected - (rank as f64 + 1.0) / n).abs())
    });
    distances.fold(0.0, f64::max) * n.sqrt()
}

#[test]
fn poisson_arrivals_have_exponential_gaps_with_the_right_mean() {
    const IOS: u64 = 20_000;
    let stop = StopWhen { bytes: None, time_ns: None, ios: Some(IOS) };
    let bytes = Rate::Bytes { per_second: 4_096 * 500, min_per_second: 0 };
    for (rate, seed) in [(ios_per_s(500), 1), (bytes, 2), (ios_per_s(500), 3)] {
        let workload = Workload {
            rate: at_most(rate),
            arrivals: Arrivals::Poisson,
            stop,
            seed,
            ..job(Order::Sequential, 100)
        };
        // Deep enough that no I/O has to wait for another.
        let run = queueing().run(deep(64, workload.clone()));
        let came_at = &run.drive.came_at;
        let mut gaps: Vec<f64> = came_at.windows(2).map(|pair| (pair[1] - pair[0]) as f64).collect();
        gaps.sort_by(f64::total_cmp);
        let mean_ns = 2e6;
        let found = ks(&gaps, |gap_ns| 1.0 - (-gap_ns / mean_ns).exp());
        assert!(found < 1.95, "{rate:?}: {found}");
        // Even intervals, or those of another rate, do not pass.
        assert!(ks(&gaps, |gap_ns| 1.0 - (-gap_ns / (0.9 * mean_ns)).exp()) > 1.95);
        assert!(ks(&vec![mean_ns; gaps.len()], |gap_ns| 1.0 - (-gap_ns / mean_ns).exp()) > 1.95);
        // The rate is right over time, within four standard errors.
        let seconds = *came_at.last().unwrap() as f64 / 1e9;
        let expected = IOS as f64 / 500.0;
        assert!((seconds / expected - 1.0).abs() < 4.0 / (IOS as f64).sqrt(), "{seconds}");
        // Each is issued when due: intended and actual latency are the same.
        assert_eq!(run.result(Direction::Read).intended.unwrap().max_ns(), IO_NS);
        // The same seed repeats it; another one does not.
        assert_eq!(&queueing().run(deep(64, workload.clone())).drive.came_at, came_at);
        let other = queueing().run(deep(64, Workload { seed: seed + 100, ..workload }));
        assert_ne!(&other.drive.came_at, came_at);
    }
}

#[test]
fn random_arrivals_queue_as_theory_predicts() {
    // One server, constant service time, 50 % load: an M/D/1 queue. The mean wait is load / (2 (1 - load))
    // service times (Pollaczek and Khinchine): half of one.
    let workload = Workload {
        rate: at_most(ios_per_s(5_000)),
        arrivals: Arrivals::Poisson,
        stop: StopWhen { bytes: None, time_ns: None, ios: Some(200_000) },
        ..job(Order::RandomRepeating, 100)
    };
    let run = Bench::default().run(workload);
    let read = run.result(Direction::Read);
    assert_eq!(read.completion.max_ns(), IO_NS);
    let waited_ns = read.intended.unwrap().mean_ns() - IO_NS as f64;
    assert!((waited_ns / (0.5 * IO_NS as f64) - 1.0).abs() < 0.03, "{waited_ns}");
}
