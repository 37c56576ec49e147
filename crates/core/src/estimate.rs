//! A value and its precision.

use serde::{Deserialize, Serialize};

use crate::JsonSchema;
use crate::histogram::Latency;
use crate::series::Spread;
use crate::{long_run, stats};

/// A percentile with fewer samples above it is withheld.
pub const SAMPLES_ABOVE_MIN: u64 = 10;

/// Fraction of runs whose interval contains the true value.
const LEVEL: f64 = 0.95;
/// The level of an interval that ended a run at one of several looks. Looking repeatedly until an interval is narrow
/// picks those that are narrow by chance: at 95 % only 91 to 92 % of them contain the true value. A higher level for
/// the rule compensates (Singham and Schruben 2012, "Finite-sample performance of absolute precision stopping
/// rules").
const LEVEL_AFTER_LOOKS: f64 = 0.98;
/// Number of windows that count as one independent value if their order is unknown: with an autocorrelation of 0.6
/// between neighbours, the variance of their mean is (1 + 0.6)/(1 - 0.6) times that of independent values.
/// An assumption: no source gives a value for all drives.
const WINDOWS_PER_VALUE: f64 = 4.0;
/// The normal distribution exceeds this with probability 2.5 %.
const NORMAL_975: f64 = 1.959_963_984_540_054;

/// A value with the number of independent observations behind it and a 95 % confidence interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Estimate {
    /// The value.
    pub value: f64,
    /// Number of observations.
    pub n: u64,
    /// Number of independent observations with the same information: neighbours in time are correlated.
    pub n_effective: f64,
    /// Lower end of the interval; `None` if there is too little data.
    pub low: Option<f64>,
    /// Upper end of the interval; `None` if there is too little data.
    pub high: Option<f64>,
}

impl Estimate {
    /// An exact value, such as a capacity.
    pub fn exact(value: f64) -> Self {
        Self { value, n: 1, n_effective: 1.0, low: Some(value), high: Some(value) }
    }

    /// A value of unknown precision, such as the maximum of `n` observations: another one may be higher.
    pub fn bare(value: f64, n: u64) -> Self {
        Self { value, n, n_effective: 1.0, low: None, high: None }
    }

    /// The mean of independent values, such as repeats, with Student's interval. A single value has no interval.
    pub fn mean(values: &[f64]) -> Self {
        let n = values.len() as f64;
        let mean = stats::mean(values);
        let half_width = Spread::from_values(values)
            .filter(|spread| spread.n > 1)
            .map(|spread| stats::student_t_quantile(0.975, n - 1.0) * spread.stdev / libm::sqrt(n));
        Self {
            value: mean,
            n: values.len() as u64,
            n_effective: n,
            // Rates, times and sizes are not negative.
            low: half_width.map(|width| if mean < 0.0 { mean - width } else { (mean - width).max(0.0) }),
            high: half_width.map(|width| mean + width),
        }
    }

    /// A rate over a whole run, with an interval from the rate in its complete windows, all of one length and in
    /// order of time.
    ///
    /// `value` is kept, and the interval is centred on it: its half width is the standard error of the windows' mean,
    /// corrected for autocorrelation, times Student's t (see [`long_run`]). The lower end stops at 0, as rates are
    /// not negative. There is no interval for fewer than [`long_run::VALUES_MIN`] windows.
    ///
    /// The interval is for another run of the same length of a drive in the same state. It does not include effects
    /// that the run did not show.
    pub fn rate(value: f64, windows: &[f64]) -> Self {
        Self::rate_at(value, windows, LEVEL)
    }

    /// The mean rate of windows after which a run ended because this interval was narrow enough, at the look of that
    /// number, from 1. It is as wide as needed to contain the true rate in 95 % of such runs: from the second look
    /// on, it is the 98 % interval of runs of fixed length.
    pub fn rate_at_look(windows: &[f64], look: u32) -> Self {
        let level = if look > 1 { LEVEL_AFTER_LOOKS } else { LEVEL };
        Self::rate_at(stats::mean(windows), windows, level)
    }

    fn rate_at(value: f64, windows: &[f64], level: f64) -> Self {
        let quality = long_run::mean_quality(windows);
        let half_width = quality.map(|quality| quality.half_width(level));
        Self {
            value,
            n: windows.len() as u64,
            n_effective: quality.map_or(1.0, |quality| quality.n_effective),
            low: half_width.map(|width| (value - width).max(0.0)),
            high: half_width.map(|width| value + width),
        }
    }

    /// The same rate if only number and standard deviation of its windows are known: their order, which shows the
    /// autocorrelation, is not. Only every fourth window counts as independent.
    pub fn rate_of_unordered(value: f64, stdev: f64, windows: u64) -> Self {
        let n_effective = windows as f64 / WINDOWS_PER_VALUE;
        let quantile = || stats::student_t_quantile(0.975, n_effective - 1.0);
        // An interval from two values would be many times as wide as the value.
        let is_known = windows >= long_run::VALUES_MIN as u64 && n_effective >= 3.0 && stdev.is_finite();
        let half_width = is_known.then(|| quantile() * stdev / libm::sqrt(n_effective));
        Self {
            n_effective: if is_known { n_effective } else { 1.0 },
            low: half_width.map(|width| (value - width).max(0.0)),
            high: half_width.map(|width| value + width),
            ..Self::bare(value, windows)
        }
    }

    /// Half the width of the interval relative to the value; `None` without an interval or if the value is 0.
    pub fn half_width_share(&self) -> Option<f64> {
        // The lower end may have been cut off at 0.
        self.high.filter(|_| self.value > 0.0).map(|high| (high - self.value) / self.value)
    }

    /// Whether the interval is wider to a side than the value, which is then known by its order at most.
    pub fn is_vague(&self) -> bool {
        self.half_width_share().is_some_and(|share| share >= 1.0)
    }

    /// A percentile (0 to 100) of latencies, in nanoseconds. `None` when fewer than [`SAMPLES_ABOVE_MIN`] lie above it.
    ///
    /// The interval makes no assumption about the distribution: the number of n latencies below the true percentile
    /// is binomial, so the latencies of rank `n·p ± 1.96·√(n·p·(1 - p))`, rounded outwards, enclose it in 95 % of
    /// runs (Conover 1999, section 3.2). Ranks are looked up in the histogram and are as coarse as its buckets.
    /// Latencies are assumed independent of each other.
    pub fn percentile(latency: &Latency, percentile: f64) -> Option<Self> {
        let (n, above) = (latency.n(), latency.samples_above(percentile));
        if above < SAMPLES_ABOVE_MIN {
            return None;
        }
        let value = latency.percentile_ns(percentile)? as f64;
        let rank = (n - above) as f64;
        let reach = NORMAL_975 * libm::sqrt(rank * above as f64 / n as f64);
        let at_rank = |rank: f64| {
            let ns = latency.histogram().at_rank(rank.clamp(1.0, n as f64) as u64)?;
            Some(ns.min(latency.max_ns()).max(latency.min_ns()) as f64)
        };
        Some(Self {
            value,
            n,
            n_effective: n as f64,
            low: at_rank(libm::floor(rank - reach)),
            high: at_rank(libm::ceil(rank + reach) + 1.0),
        })
    }

    /// A percentile (0 to 100) of latencies however few lie above it, in nanoseconds, if they cluster so that `effect` of them
    /// carry as much information as one independent one. `None` if the interval has no upper end.
    ///
    /// As for [`Estimate::percentile`], but by exact probabilities: the number of independent latencies above the true
    /// percentile is Poisson distributed with their number times the share above (the binomial for a small share). The
    /// largest value lies above the true percentile if that number is not 0.
    pub fn tail(latency: &Latency, percentile: f64, effect: f64) -> Option<Self> {
        let (n, value) = (latency.n(), latency.percentile_ns(percentile)? as f64);
        let n_effective = n as f64 / effect.max(1.0);
        let expected = n_effective * (1.0 - percentile / 100.0);
        let (most, least) = (stats::poisson_below(expected, 0.025)?, stats::poisson_above(expected, 0.025));
        let above = |count: u64| {
            let rank = n.saturating_sub((count as f64 * effect.max(1.0)) as u64).max(1);
            let ns = latency.histogram().at_rank(rank)?;
            Some(ns.min(latency.max_ns()).max(latency.min_ns()) as f64)
        };
        Some(Self {
            value,
            n,
            n_effective,
            low: above(least).map(|low| low.min(value)),
            high: above(most).map(|high| high.max(value)),
        })
    }

    /// Whether `limit` lies in the interval, so that another run may fall on the other side. `false` without an
    /// interval.
    pub fn contains(&self, limit: f64) -> bool {
        self.low.zip(self.high).is_some_and(|(low, high)| low <= limit && limit <= high)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::{Rng, derive_seed};
    use crate::stats::autoregressive;

    /// Fraction of AR(1) runs whose interval covers the true mean.
    fn coverage(phi: f64, n: usize, runs: u64) -> f64 {
        let covered = (0..runs).filter(|&run| {
            let mut rng = Rng::new(derive_seed(n as u64 * 10 + (phi * 10.0) as u64, run));
            let windows: Vec<f64> =
                autoregressive(&mut rng, n, phi).iter().map(|x| 100.0 + 20.0 * x).collect();
            Estimate::rate(stats::mean(&windows), &windows).contains(100.0)
        });
        covered.count() as f64 / runs as f64
    }

    #[test]
    fn the_interval_of_a_mean_follows_from_the_spread() {
        let estimate = Estimate::mean(&[10.0, 12.0, 14.0]);
        // Student's t with two degrees of freedom is 4.303; the standard error is 2 / sqrt(3).
        let width = 4.302_652_73 * 2.0 / libm::sqrt(3.0);
        assert_eq!(estimate.value, 12.0);
        assert!((estimate.high.unwrap() - 12.0 - width).abs() < 1e-6, "{estimate:?}");
        assert!((12.0 - estimate.low.unwrap() - width).abs() < 1e-6, "{estimate:?}");
        assert_eq!(Estimate::mean(&[5.0]).low, None);
    }

    #[test]
    fn the_interval_covers_the_true_mean() {
        // Without the correction for autocorrelation φ = 0.6 gives 67 %. In a short run with long memory, part of the
        // memory cannot be seen: the interval there is known to be somewhat narrow. 2,000 runs have a standard error
        // of half a percent; `cargo xtask calibrate` uses more.
        let cases = [
            (0.0, 40, 0.95),
            (0.0, 150, 0.95),
            (0.3, 60, 0.95),
            (0.3, 150, 0.95),
            (0.6, 20, 0.93),
            (0.6, 60, 0.945),
            (0.6, 150, 0.955),
            (0.8, 300, 0.95),
        ];
        for (phi, n, expected) in cases {
            let share = coverage(phi, n, 2_000);
            assert!((share - expected).abs() < 0.016, "φ {phi}, {n} windows: {share} for {expected}");
        }
    }

    /// Without the order of windows, the interval holds up to the assumed autocorrelation of 0.6.
    #[test]
    fn unordered_windows_have_an_interval_for_correlated_ones() {
        for (phi, n, expected) in [(0.0, 16, 0.99..=1.0), (0.6, 20, 0.94..=0.99), (0.6, 240, 0.93..=0.965)] {
            let covered = (0..2_000).filter(|&run| {
                let mut rng = Rng::new(derive_seed(n as u64, run));
                let windows: Vec<f64> =
                    autoregressive(&mut rng, n, phi).iter().map(|x| 100.0 + 20.0 * x).collect();
                let spread = Spread::from_values(&windows).unwrap();
                Estimate::rate_of_unordered(spread.mean, spread.stdev, n as u64).contains(100.0)
            });
            let share = covered.count() as f64 / 2_000.0;
            assert!(expected.contains(&share), "φ {phi}, {n} windows: {share}");
        }
        for (stdev, windows) in [(1.0, 7), (f64::NAN, 100), (f64::INFINITY, 100)] {
            assert_eq!(Estimate::rate_of_unordered(5.0, stdev, windows), Estimate::bare(5.0, windows));
        }
    }

    #[test]
    fn the_interval_is_not_wider_than_necessary() {
        // The true half width for 300 windows of φ = 0.6 is 1.97·20·√(4/300) = 4.5.
        let windows: Vec<f64> =
            autoregressive(&mut Rng::new(4), 300, 0.6).iter().map(|x| 100.0 + 20.0 * x).collect();
        let estimate = Estimate::rate(100.0, &windows);
        let half_width = (estimate.high.unwrap() - estimate.low.unwrap()) / 2.0;
        assert!((2.5..8.5).contains(&half_width), "{half_width}");
        assert_eq!((estimate.value, estimate.n), (100.0, 300));
        assert!((20.0..220.0).contains(&estimate.n_effective), "{}", estimate.n_effective);
        assert!(
            (estimate.low.unwrap() + estimate.high.unwrap() - 200.0).abs() < 1e-9,
            "centred on the value"
        );
    }

    #[test]
    fn too_few_values_give_no_interval() {
        for windows in [&[][..], &[5.0], &[5.0, 7.0, 5.0], &[5.0, f64::NAN, 7.0, 6.0, 5.0, 5.0, 6.0, 7.0]] {
            let estimate = Estimate::rate(6.0, windows);
            assert_eq!((estimate.value, estimate.low, estimate.high), (6.0, None, None), "{windows:?}");
            assert_eq!(estimate.n, windows.len() as u64);
            assert!(!estimate.contains(6.0));
        }
        let rising: Vec<f64> = (0..8).map(f64::from).collect();
        let drifts = Estimate::rate(3.5, &rising);
        assert!(drifts.low.is_none() || drifts.high.unwrap() - drifts.low.unwrap() > 6.0, "{drifts:?}");
    }

    #[test]
    fn repeated_looks_widen_the_interval() {
        let windows: Vec<f64> =
            autoregressive(&mut Rng::new(6), 120, 0.3).iter().map(|x| 100.0 + 5.0 * x).collect();
        let [first, second, third] = [1, 2, 3].map(|look| Estimate::rate_at_look(&windows, look));
        assert_eq!(first, Estimate::rate(stats::mean(&windows), &windows));
        assert_eq!(second, third);
        let wider = second.half_width_share().unwrap() / first.half_width_share().unwrap();
        assert!((1.18..1.3).contains(&wider), "{wider}: t of 98 % over t of 95 %");
        assert_eq!(Estimate::rate(0.0, &[0.0; 20]).half_width_share(), None);
        assert_eq!(Estimate::rate(5.0, &[]).half_width_share(), None);
    }

    #[test]
    fn rates_are_not_negative_and_constants_are_certain() {
        let bursts: Vec<f64> = (0..20).map(|i| if i % 7 == 0 { 100.0 } else { 0.0 }).collect();
        let estimate = Estimate::rate(15.0, &bursts);
        assert_eq!(estimate.low, Some(0.0));
        let constant = Estimate::rate(5.0, &[5.0; 10]);
        assert_eq!((constant.low, constant.high, constant.n_effective), (Some(5.0), Some(5.0), 10.0));
        assert!(Estimate::exact(64e9).contains(64e9) && !Estimate::exact(64e9).contains(64.1e9));
        assert!(constant.contains(5.0) && !constant.contains(5.1));
    }

    #[test]
    fn percentile_intervals_cover_the_true_percentile() {
        // Exponential latencies of mean 1 ms: the percentile p is -ln(1 - p) ms.
        for (percentile, true_ns) in [(50.0, 693_147.0), (99.0, 4_605_170.0)] {
            let covered = (0..500u64).filter(|&run| {
                let mut rng = Rng::new(derive_seed(77, run));
                let mut latency = Latency::default();
                (0..2_000).for_each(|_| latency.record(rng.exponential(1e6) as u64));
                let estimate = Estimate::percentile(&latency, percentile).unwrap();
                assert!(estimate.contains(estimate.value) && estimate.n == 2_000);
                estimate.contains(true_ns)
            });
            let share = covered.count() as f64 / 500.0;
            assert!((0.92..=0.985).contains(&share), "p{percentile}: {share}");
        }
    }

    #[test]
    fn percentile_ends_are_order_statistics() {
        // Below 128 ns buckets are exact. For 1 to 100, twice each: p50 is rank 100, with ranks 86 and 115 around it.
        let mut latency = Latency::default();
        (1..=100).for_each(|ns| (0..2).for_each(|_| latency.record(ns)));
        let median = Estimate::percentile(&latency, 50.0).unwrap();
        assert_eq!((median.value, median.low, median.high), (50.0, Some(43.0), Some(58.0)));
        assert!(Estimate::percentile(&latency, 95.0).is_some(), "10 samples are above");
        assert_eq!(Estimate::percentile(&latency, 95.5), None);
        assert_eq!(Estimate::percentile(&Latency::default(), 50.0), None);
        let lowest = Estimate::percentile(&latency, 0.0).unwrap();
        assert_eq!((lowest.value, lowest.low), (1.0, Some(1.0)));
    }
}
