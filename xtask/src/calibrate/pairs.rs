//! Pairs of drives with a known difference, and how often a comparison finds it.
//!
//! Each drive has a speed. Its checkups have four tests whose speed varies from run to run, half of it in
//! common; the windows of a test are correlated, and latencies follow the speed of their window.

use std::collections::BTreeMap;

use cardiograph_core::imported::Figure;
use cardiograph_core::method::{Method, Pattern};
use cardiograph_core::quantity::{LatencyKind, Quantity, Statistic};
use cardiograph_core::report::ReportState;
use cardiograph_core::rng::{Rng, derive_seed};
use cardiograph_core::stats::mean;
use cardiograph_core::summary::RunSummary;
use cardiograph_core::{Direction, Estimate, Latency, Message};
use cardiograph_judge::compare::{Group, Judgement, compare};
use cardiograph_judge::record::{RunFigures, TestFigures, TestLatency};

/// Windows of a test, and latencies in each.
const WINDOWS: usize = 60;
const LATENCIES: usize = 200;
/// Standard deviation of the windows as a share of the speed, and their correlation.
pub const WINDOW_SPREAD: f64 = 0.05;
const MEMORY: f64 = 0.6;
/// Mean latency in nanoseconds of a drive of speed 1.
pub const LATENCY_NS: f64 = 1e6;

/// Pairs of one kind.
#[derive(Debug)]
pub struct PairRow {
    /// Its name on the command line.
    pub name: &'static str,
    /// A short description.
    pub what: &'static str,
    /// Checkups of each of both drives.
    pub checkups: (u64, u64),
    /// Speed of the second drive relative to the first.
    pub speed: f64,
    /// Standard deviation of a test's speed from run to run, as a share.
    pub spread: f64,
    /// Bounds of the share of pairs in which some figure is called different.
    pub bounds: (f64, f64),
}

/// Pairs within the promised assumptions, and some outside.
pub const PAIRS: [PairRow; 8] = [
    row("equal-1", "equal drives, one checkup each", (1, 1), 1.0, 0.02, (0.0, 0.06)),
    row("equal-1-restless", "the same, with a spread of 3 %", (1, 1), 1.0, 0.03, (0.0, 0.06)),
    row("equal-1-and-5", "equal drives, one checkup against five", (1, 5), 1.0, 0.02, (0.0, 0.06)),
    row("equal-2", "equal drives, two checkups each", (2, 2), 1.0, 0.02, (0.0, 0.06)),
    row("equal-5", "equal drives, five checkups each", (5, 5), 1.0, 0.02, (0.0, 0.06)),
    row("equal-5-restless", "the same, with a spread of 5 %", (5, 5), 1.0, 0.05, (0.0, 0.06)),
    row("five-percent-5", "5 % apart, five checkups each", (5, 5), 1.05, 0.02, (0.8, 1.0)),
    row("thirty-percent-1", "30 % apart, one checkup each", (1, 1), 1.3, 0.02, (0.8, 1.0)),
];

const fn row(
    name: &'static str,
    what: &'static str,
    checkups: (u64, u64),
    speed: f64,
    spread: f64,
    bounds: (f64, f64),
) -> PairRow {
    PairRow { name, what, checkups, speed, spread, bounds }
}

impl PairRow {
    /// Whether the share of pairs in which a difference was found is within the bounds, or off by no more than `slack`.
    pub fn is_met(&self, found: f64, slack: f64) -> bool {
        (self.bounds.0 - slack..=self.bounds.1 + slack).contains(&found)
    }

    /// Whether a comparison of the pair with this seed calls any figure different.
    pub fn is_different(&self, seed: u64) -> bool {
        let group = |side: u64, checkups: u64, speed: f64| {
            let seed = |checkup| derive_seed(derive_seed(seed, side), checkup);
            let runs = (0..checkups).map(|checkup| draw_checkup(seed(checkup), speed, self.spread)).collect();
            Group { name: side.to_string(), runs }
        };
        let groups = [group(0, self.checkups.0, 1.0), group(1, self.checkups.1, self.speed)];
        let comparison = compare(&groups, 0, &[]);
        let metrics = comparison.tests.iter().flat_map(|test| &test.metrics);
        let mut judgements = metrics.filter_map(|metric| Some(metric.against[1].as_ref()?.judgement));
        judgements.any(|judgement| matches!(judgement, Judgement::Better | Judgement::Worse))
    }
}

fn draw_checkup(seed: u64, speed: f64, spread: f64) -> RunFigures {
    let mut rng = Rng::new(seed);
    let common = rng.normal();
    let patterns = [Pattern::Read, Pattern::Write, Pattern::RandomRead, Pattern::RandomWrite];
    let test = |pattern| {
        let run_deviation = std::f64::consts::FRAC_1_SQRT_2 * (common + rng.normal());
        draw_test(&mut rng, pattern, speed * (1.0 + spread * run_deviation))
    };
    let run = RunSummary {
        id: seed.to_string().into(),
        suite: "pairs".into(),
        state: ReportState::Finished,
        steps: patterns.len(),
        ..RunSummary::default()
    };
    RunFigures {
        run,
        facts: BTreeMap::new(),
        measurements: BTreeMap::new(),
        tests: patterns.map(test).to_vec(),
    }
}

/// A test of a drive of this speed.
pub fn draw_test(rng: &mut Rng, pattern: Pattern, speed: f64) -> TestFigures {
    let mut latency = Latency::default();
    let mut state = rng.normal();
    let windows: Vec<f64> = (0..WINDOWS)
        .map(|_| {
            state = MEMORY * state + (1.0 - MEMORY * MEMORY).sqrt() * rng.normal();
            let rate = speed * (1.0 + WINDOW_SPREAD * state);
            (0..LATENCIES).for_each(|_| latency.record(rng.exponential(LATENCY_NS / rate) as u64));
            rate
        })
        .collect();
    let direction = Some(if pattern.writes() { Direction::Write } else { Direction::Read });
    let figure = |quantity, estimate| Figure { estimate, ..Figure::bare(direction, quantity, 0.0, 0) };
    let latency_quantity = |statistic| Quantity::Latency(LatencyKind::Total, statistic);
    let mut figures = vec![
        figure(Quantity::Bandwidth, Estimate::rate(mean(&windows), &windows)),
        figure(latency_quantity(Statistic::Mean), Estimate::bare(latency.mean_ns(), latency.n())),
        figure(latency_quantity(Statistic::Stdev), Estimate::bare(latency.stdev_ns(), latency.n())),
    ];
    for percent in [95.0, 99.0, 99.9] {
        let estimate = Estimate::percentile(&latency, percent);
        figures.extend(
            estimate.map(|estimate| figure(latency_quantity(Statistic::Percentile(percent)), estimate)),
        );
    }
    let kind = LatencyKind::Total;
    let latencies = direction.map(|direction| TestLatency { direction, kind, latency }).into_iter().collect();
    let method = Method { pattern: Some(pattern), block_bytes: Some(4_096), ..Method::default() };
    TestFigures {
        test: format!("{pattern:?}"),
        title: Message::verbatim(format!("{pattern:?}")),
        method,
        figures,
        latencies,
    }
}
