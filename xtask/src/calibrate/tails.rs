//! Percentiles of pooled runs with few samples above them.

use cardiograph_core::quantity::LatencyKind;
use cardiograph_core::rng::{Rng, derive_seed};
use cardiograph_core::{Direction, Estimate, method::Pattern};
use cardiograph_judge::record::tail::pooled;

use super::Trial;
use super::pairs::{LATENCY_NS, WINDOW_SPREAD, draw_test};

const PERCENT: f64 = 99.9;

/// Runs of one drive.
#[derive(Debug, Clone, Copy)]
pub struct Tail {
    /// Their number.
    pub runs: u64,
    /// Standard deviation of the speed from run to run, as a share.
    pub spread: f64,
}

/// The percentile of all runs together.
pub fn trial(tail: &Tail, seed: u64) -> Result<Trial, String> {
    let run = |run| {
        let mut rng = Rng::new(derive_seed(seed, run));
        let speed = 1.0 + tail.spread * rng.normal();
        draw_test(&mut rng, Pattern::RandomRead, speed)
    };
    let tests: Vec<_> = (0..tail.runs).map(run).collect();
    let read = Some(Direction::Read);
    let found = pooled(&tests.iter().collect::<Vec<_>>(), read, LatencyKind::Total, PERCENT);
    // Withheld if the interval has no upper end.
    let is_ended = found.is_some();
    let estimate = found.map_or(Estimate::bare(0.0, 0), |(estimate, _)| estimate);
    Ok(Trial { estimate, truth: true_percentile_ns(tail.spread), seconds: 0.0, is_ended })
}

/// The percentile of a drive whose latencies are exponential, with a rate that varies from run to run and window to window.
fn true_percentile_ns(spread: f64) -> f64 {
    let above = |ns: f64| {
        let deviation = (spread * spread + WINDOW_SPREAD * WINDOW_SPREAD).sqrt();
        // The mean over a normal distribution of rates: steps of a tenth of its deviation.
        let steps = (-50..=50).map(|step| f64::from(step) / 10.0);
        let weighted = steps.map(|z| {
            let weight = (-z * z / 2.0).exp();
            (weight, weight * (-ns / LATENCY_NS * (1.0 + deviation * z)).exp())
        });
        let (weights, shares) = weighted.fold((0.0, 0.0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
        shares / weights
    };
    let (mut low, mut high) = (0.0, 100.0 * LATENCY_NS);
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if above(middle) > 1.0 - PERCENT / 100.0 { low = middle } else { high = middle }
    }
    low
}
