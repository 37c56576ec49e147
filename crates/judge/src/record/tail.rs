//! Percentiles with few samples above them: shown with their interval, and never judged.
//!
//! The interval is that of order statistics on the effective number of samples: latencies cluster, so that neighbours carry
//! less information than independent ones. Of several runs the distributions are pooled; with three or more, whole runs are
//! also resampled (cluster bootstrap, Davison and Hinkley 1997, section 3.8), because a run may be unlike the others. The
//! wider ends of both count: three runs have few resamples. `cargo xtask calibrate` measures how often the true percentile
//! lies inside.

use cardiograph_core::figures::PERCENTILES;
use cardiograph_core::histogram::bucket_middle_ns;
use cardiograph_core::imported::Figure;
use cardiograph_core::quantity::{LatencyKind, Quantity, Statistic};
use cardiograph_core::rng::Rng;
use cardiograph_core::{Direction, Doubt, Estimate, Latency};

use super::TestFigures;
use crate::compare::known::design_effect;

/// Runs from which whole runs are resampled, and the number of resamples.
const RUNS_MIN: usize = 3;
const RESAMPLES: usize = 999;

/// The latencies of one kind in a test that this program measured.
#[derive(Debug, Clone, PartialEq)]
pub struct TestLatency {
    /// Reads, writes, trims or syncs.
    pub direction: Direction,
    /// The part of the latency.
    pub kind: LatencyKind,
    /// The distribution.
    pub latency: Latency,
}

impl TestFigures {
    /// The distribution of a latency, if it is the drive's.
    pub fn latency(&self, direction: Option<Direction>, kind: LatencyKind) -> Option<&Latency> {
        let mean = self.figure(direction, Quantity::Latency(kind, Statistic::Mean))?;
        let is_it = |of: &&TestLatency| Some(of.direction) == direction && of.kind == kind;
        self.latencies.iter().find(is_it).filter(|_| mean.is_believed()).map(|of| &of.latency)
    }

    /// Adds percentiles with few samples above them whose interval has an upper end.
    pub(super) fn add_few(mut self) -> Self {
        let few: Vec<Figure> = self.latencies.iter().flat_map(|of| few(&self, of)).collect();
        self.figures.extend(few);
        self
    }
}

fn few<'t>(test: &'t TestFigures, of: &'t TestLatency) -> impl Iterator<Item = Figure> + 't {
    let direction = Some(of.direction);
    let figure = move |percent: f64| {
        let quantity = Quantity::Latency(of.kind, Statistic::Percentile(percent));
        if test.figure(direction, quantity).is_some() {
            return None;
        }
        let (estimate, above) = pooled(&[test], direction, of.kind, percent)?;
        if estimate.value == 0.0 {
            return None;
        }
        let doubt = Some(Doubt::FewSamples { above });
        Some(Figure { estimate, doubt, ..Figure::bare(direction, quantity, 0.0, 0) })
    };
    PERCENTILES.into_iter().filter_map(figure)
}

/// A percentile of the pooled latencies of several runs, and the number of those above it. `None` if a run has none, or if
/// the interval has no upper end.
pub fn pooled(
    runs: &[&TestFigures],
    direction: Option<Direction>,
    kind: LatencyKind,
    percent: f64,
) -> Option<(Estimate, u64)> {
    let latencies = runs.iter().map(|test| test.latency(direction, kind)).collect::<Option<Vec<_>>>()?;
    let effects = runs.iter().map(|test| design_effect(test, direction, kind)).collect::<Option<Vec<_>>>()?;
    tail(&latencies, effects.into_iter().fold(1.0, f64::max), percent)
}

/// The same for distributions and the factor by which clustering reduces their information.
fn tail(runs: &[&Latency], effect: f64, percent: f64) -> Option<(Estimate, u64)> {
    let mut all = Latency::default();
    runs.iter().for_each(|latency| all.merge(latency));
    let (estimate, above) = (Estimate::tail(&all, percent, effect)?, all.samples_above(percent));
    if runs.len() < RUNS_MIN {
        return Some((estimate, above));
    }
    let mut values = resampled(runs, percent);
    values.sort_by(f64::total_cmp);
    let reached = |share: f64| values.get((share * (values.len() - 1) as f64).round() as usize).copied();
    let (low, high) = (reached(0.025)?, reached(0.975)?);
    let estimate = Estimate {
        low: estimate.low.map(|known| known.min(low)),
        high: estimate.high.map(|known| known.max(high)),
        ..estimate
    };
    Some((estimate, above))
}

/// The percentile of as many runs, drawn with replacement, in nanoseconds.
fn resampled(runs: &[&Latency], percent: f64) -> Vec<f64> {
    // From the slowest latency down, the bucket and how many of a run are in it.
    let of_run = |(run, latency): (usize, &&Latency)| -> Vec<(usize, usize, u64)> {
        latency.histogram().buckets().map(|(bucket, count)| (bucket, run, count)).collect()
    };
    let mut counts: Vec<(usize, usize, u64)> = runs.iter().enumerate().flat_map(of_run).collect();
    counts.sort_unstable_by(|a, b| b.cmp(a));
    let mut rng = Rng::new(0);
    let draw = |_| {
        let mut times = vec![0_u64; runs.len()];
        (0..runs.len()).for_each(|_| times[rng.below(runs.len() as u64) as usize] += 1);
        let n: u64 = runs.iter().zip(&times).map(|(latency, times)| latency.n() * times).sum();
        let above = (n as f64 * (1.0 - percent / 100.0)) as u64;
        let mut seen = 0;
        let reaches = |&&(_, run, count): &&(usize, usize, u64)| {
            seen += count * times[run];
            seen > above
        };
        counts.iter().find(reaches).map_or(0.0, |&(bucket, ..)| bucket_middle_ns(bucket) as f64)
    };
    (0..RESAMPLES).map(draw).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use cardiograph_core::rng::derive_seed;

    /// Latencies in clusters: those of a cluster are equal.
    fn clustered(seed: u64, clusters: usize, each: u64) -> Latency {
        let mut rng = Rng::new(seed);
        let mut latency = Latency::default();
        for _ in 0..clusters {
            let ns = rng.exponential(1e6) as u64;
            (0..each).for_each(|_| latency.record(ns));
        }
        latency
    }

    #[test]
    fn the_interval_covers_the_true_percentile() {
        // The true p99.9 of an exponential distribution.
        let truth = -libm::log(0.001) * 1e6;
        for (runs, clusters, each, effect, expected) in
            [(1, 8_000, 1, 1.0, 0.95..=1.0), (1, 8_000, 4, 4.0, 0.95..=1.0), (4, 2_000, 4, 4.0, 0.95..=1.0)]
        {
            let covered = (0..200).filter(|&trial| {
                let all: Vec<Latency> =
                    (0..runs).map(|run| clustered(derive_seed(trial, run), clusters, each)).collect();
                let (estimate, _) = tail(&all.iter().collect::<Vec<_>>(), effect, 99.9).unwrap();
                // Buckets are as wide as a 64th.
                estimate.low.unwrap() * 0.985 <= truth && truth <= estimate.high.unwrap() * 1.015
            });
            let share = covered.count() as f64 / 200.0;
            assert!(expected.contains(&(share + 0.02)), "{runs} runs of {clusters} x {each}: {share}");
        }
    }

    #[test]
    fn without_an_upper_end_it_is_withheld() {
        // The largest of fewer than 3,689 values is below the true p99.9 in more than 2.5 % of runs.
        for (clusters, each, effect, is_known) in
            [(3_600, 1, 1.0, false), (3_700, 1, 1.0, true), (3_700, 1, 2.0, false), (3_700, 2, 2.0, true)]
        {
            let latency = clustered(1, clusters, each);
            assert_eq!(tail(&[&latency], effect, 99.9).is_some(), is_known, "{clusters} x {each}");
        }
    }

    #[test]
    fn runs_that_differ_widen_the_interval() {
        let (one, two, other) = (clustered(1, 4_000, 1), clustered(2, 4_000, 1), clustered(3, 4_000, 1));
        let mut slow = other.clone();
        (0..40).for_each(|_| slow.record(50_000_000));
        let (alike, _) = tail(&[&one, &two, &other], 1.0, 99.9).unwrap();
        let (differ, _) = tail(&[&one, &two, &slow], 1.0, 99.9).unwrap();
        assert!(differ.low.unwrap() < 1e7 && differ.high.unwrap() > 4e7, "{differ:?}");
        assert!(alike.high.unwrap() < 2e7, "{alike:?}");
    }
}
