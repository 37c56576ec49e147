//! Precision of the mean of a time series with correlated values, and a test for a trend.
//!
//! # The method
//!
//! The variance of a mean is the long-run variance of the series, its spectrum at frequency 0, divided by its length.
//! Neighbours are correlated, so this is not the variance of the values. It is estimated from the slowest movements
//! in the series: the squares of its first [`WAVES`] cosine coefficients have the long-run variance as their mean,
//! and are nearly independent of each other and of the mean whatever the autocorrelation, so that the mean divided by
//! its error is Student's t with one degree of freedom for each of them. This is the equal-weighted cosine estimator
//! (Müller 2004, "A theory of robust long-run variance estimation"; recommended over kernels by Lazarus, Lewis, Stock
//! and Watson 2018, "HAR Inference: Recommendations for Practice").
//!
//! The spectrum falls from frequency 0 to those of the cosines, and more so the longer the memory of the series is
//! compared with its length. Each square is therefore divided by the fraction that an autoregressive series of order
//! 1 has left at its frequency. This is prewhitening (Andrews and Monahan 1992) without leaving the cosines; it
//! changes nothing in a long series. The coefficient is corrected for the subtracted mean (Marriott and Pope 1954);
//! estimating it costs degrees of freedom, by the delta method and Satterthwaite's formula (1946). In a series that
//! is too short for its memory only one is left, and the interval is wide.
//!
//! Series of more than `BATCHES_MAX` values are first averaged over neighbours: then only the slow part of a memory
//! that is both fast and slow needs correction, as with a drive whose noisy service times ride on a slow drift.
//!
//! `cargo xtask calibrate` shows how well the intervals hold.

use std::f64::consts::PI;

use crate::stats::{autocovariance, deviations, mean, student_t_quantile};

/// Number of cosines for the long-run variance. More would narrow the intervals by a few percent, but capture less of
/// a slow drift.
pub const WAVES: usize = 8;
/// Minimum length: shorter series do not show their own memory.
pub const VALUES_MIN: usize = 8;

/// Longer series are averaged over neighbours, to between half this number and this number of values.
const BATCHES_MAX: usize = 79;
/// Maximum autocorrelation of neighbours: with more, no series of this length shows anything.
const CORRELATION_MAX: f64 = 0.95;
/// Alternating neighbours, as of a card that fits three I/Os into one window and four into the next, make the mean
/// more precise than independent values would. The gain is limited to that of four times as many independent values:
/// chance alone exceeds it in 2 % of white series.
const CREDIT_MAX: f64 = 4.0;

/// Precision of a mean.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MeanQuality {
    /// Number of independent values with the same information about the mean: between 1 and the number of
    /// values.
    pub n_effective: f64,
    /// Standard error of the mean, in the unit of the values.
    pub standard_error: f64,
    /// Degrees of freedom of the standard error, at least 1.
    pub degrees_of_freedom: f64,
}

impl MeanQuality {
    /// Half the width of the interval around the mean that contains the true one with probability `level`.
    pub fn half_width(&self, level: f64) -> f64 {
        self.standard_error * student_t_quantile((1.0 + level) / 2.0, self.degrees_of_freedom)
    }
}

/// Precision of the mean of a series; `None` for fewer than [`VALUES_MIN`] values, and for values that are not
/// finite.
pub fn mean_quality(values: &[f64]) -> Option<MeanQuality> {
    let n = values.len() as f64;
    let variance = autocovariance(&deviations(values), 0) * n / (n - 1.0);
    if values.len() < VALUES_MIN || !variance.is_finite() {
        return None;
    }
    if variance <= 0.0 {
        return Some(MeanQuality { n_effective: n, standard_error: 0.0, degrees_of_freedom: WAVES as f64 });
    }
    let batches = batches(values);
    let deviations = deviations(&batches);
    let waves = Waves::fit(&deviations, 1, correlation(&deviations, 1));
    let error_squared = (waves.long_run_variance / batches.len() as f64).max(variance / n / CREDIT_MAX);
    Some(MeanQuality {
        n_effective: (variance / error_squared).clamp(1.0, n),
        standard_error: libm::sqrt(error_squared),
        degrees_of_freedom: waves.degrees_of_freedom,
    })
}

/// Whether `values` rise or fall from start to end by more than chance explains, with false-alarm probability
/// `alarm`. `false` for fewer than [`VALUES_MIN`].
///
/// The best-fitting line is compared with the long-run variance around it: its coefficient, in the unit in which its
/// variance is the long-run variance, divided by the root of the latter, is Student's t. The line is removed before
/// the cosines are computed, and the first cosine, which is nearly a line itself, is left out.
pub fn has_trend(values: &[f64], alarm: f64) -> bool {
    if values.len() < VALUES_MIN {
        return false;
    }
    let batches = batches(values);
    let middle = (batches.len() as f64 - 1.0) / 2.0;
    let from_middle = || (0..batches.len()).map(|place| place as f64 - middle);
    let length = libm::sqrt(from_middle().map(|x| x * x).sum());
    let mean = mean(&batches);
    let line: f64 = from_middle().zip(&batches).map(|(x, value)| x * (value - mean)).sum::<f64>() / length;
    let rest: Vec<f64> =
        from_middle().zip(&batches).map(|(x, value)| value - mean - line * x / length).collect();
    let waves = Waves::fit(&rest, 2, correlation(&rest, 2));
    let limit = student_t_quantile(1.0 - alarm / 2.0, waves.degrees_of_freedom);
    // A rise below the rounding error is not a rise.
    let rounding = 1e-9 * libm::fabs(mean);
    libm::fabs(line) > (limit * libm::sqrt(waves.long_run_variance)).max(rounding)
}

/// Means of neighbours. A remainder at the start is dropped.
fn batches(values: &[f64]) -> Vec<f64> {
    let batch_len = (values.len() / BATCHES_MAX.div_ceil(2)).max(1);
    values[values.len() % batch_len..].chunks_exact(batch_len).map(mean).collect()
}

/// The correlation of neighbours in a series from which `taken` parameters were fitted: 1 the mean, 2 a line. Each
/// reduces the apparent correlation, by `(1 + 4φ)/n` (Marriott and Pope 1954) and `(2 + 5φ)/n`. Negative ones count
/// as 0.
fn correlation(deviations: &[f64], taken: u8) -> f64 {
    let n = deviations.len() as f64;
    let variance = autocovariance(deviations, 0);
    if variance <= 0.0 {
        return 0.0;
    }
    let raw = autocovariance(deviations, 1) / variance;
    let taken = f64::from(taken);
    ((raw * n + taken) / (n - 3.0 - taken)).clamp(0.0, CORRELATION_MAX)
}

/// Estimate from the slowest movements of a series.
struct Waves {
    /// Long-run variance of the series as passed in.
    long_run_variance: f64,
    degrees_of_freedom: f64,
}

impl Waves {
    /// From [`WAVES`] cosines, or half the number of values, starting with `first`.
    fn fit(deviations: &[f64], first: usize, correlation: f64) -> Self {
        let n = deviations.len() as f64;
        let count = WAVES.min(deviations.len() / 2);
        let (mut sum, mut change) = (0.0, 0.0);
        for wave in first..first + count {
            let frequency = PI * wave as f64 / n;
            let coefficient: f64 = deviations
                .iter()
                .enumerate()
                .map(|(place, value)| value * libm::cos(frequency * (place as f64 + 0.5)))
                .sum();
            let power = 2.0 / n * coefficient * coefficient;
            // Ratio of an AR(1) series' spectrum at 0 to that at the cosine's frequency.
            let (away, rest) = (1.0 - libm::cos(frequency), 1.0 - correlation);
            sum += power * (1.0 + 2.0 * correlation * away / (rest * rest));
            change += power * 2.0 * away * (1.0 + correlation) / (rest * rest * rest);
        }
        // Sensitivity of the estimate to the correlation, which itself has a variance of (1 - φ²)/n.
        let leverage = if sum > 0.0 { change / sum } else { 0.0 };
        let relative_variance =
            2.0 / count as f64 + leverage * leverage * (1.0 - correlation * correlation) / n;
        Self { long_run_variance: sum / count as f64, degrees_of_freedom: (2.0 / relative_variance).max(1.0) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::{Rng, derive_seed};
    use crate::stats::autoregressive;

    fn quality(values: &[f64]) -> MeanQuality {
        mean_quality(values).unwrap()
    }

    #[test]
    fn the_standard_error_follows_the_autocorrelation() {
        // The autocorrelation time of an AR(1) series is (1 + φ) / (1 - φ). The median of 200 estimates is that of a χ²
        // of eight degrees of freedom, 0.918 of its mean.
        for (phi, time) in [(0.0, 1.0), (0.3, 1.857), (0.6, 4.0), (0.9, 19.0)] {
            let found = |run| {
                let series = autoregressive(&mut Rng::new(derive_seed(21, run)), 4_000, phi);
                let quality = quality(&series);
                assert!((6.0..=8.0).contains(&quality.degrees_of_freedom), "{quality:?}");
                quality.standard_error * quality.standard_error * 4_000.0 / time
            };
            let found = crate::stats::median(&(0..200).map(found).collect::<Vec<_>>());
            assert!((found / 0.918 - 1.0).abs() < 0.12, "φ {phi}: {found}");
        }
    }

    #[test]
    fn a_long_memory_gives_low_precision() {
        let step: Vec<f64> = (0..100).map(|i| f64::from(i / 50)).collect();
        assert!(quality(&step).n_effective < 6.0, "{:?}", quality(&step));
        let rising: Vec<f64> = (0..60).map(f64::from).collect();
        let quality = quality(&rising);
        assert!(quality.n_effective < 4.0 && quality.half_width(0.95) > 20.0, "{quality:?}");
    }

    #[test]
    fn alternation_is_credited_within_bounds() {
        let alternating: Vec<f64> = (0..100).map(|i| 3.0 + f64::from(i % 2)).collect();
        let found = quality(&alternating);
        let independent = libm::sqrt(0.25 / 99.0);
        assert!((found.standard_error / independent - 0.5).abs() < 1e-9, "{found:?}");
        assert_eq!(found.n_effective, 100.0);
    }

    #[test]
    fn constants_are_certain_and_too_few_values_give_nothing() {
        let constant = quality(&[0.25; 10]);
        assert_eq!((constant.n_effective, constant.standard_error), (10.0, 0.0));
        assert_eq!(constant.half_width(0.95), 0.0);
        for values in [&[][..], &[1.0], &[1.0, 2.0, 1.0, 3.0, 1.0, 2.0, 1.0]] {
            assert_eq!(mean_quality(values), None, "{values:?}");
            assert!(!has_trend(values, 0.1));
        }
        let mut broken = [1.0; 20];
        broken[3] = f64::NAN;
        assert_eq!(mean_quality(&broken), None);
    }

    #[test]
    fn a_single_stall_counts() {
        let mut stalled = vec![10.0; 64];
        stalled[20] = 0.0;
        // The spectrum of one stall is flat: its variance around the mean, 100/64, without memory.
        let found = quality(&stalled);
        assert!((found.standard_error / libm::sqrt(100.0 / 64.0 / 64.0) - 1.0).abs() < 0.5, "{found:?}");
    }

    #[test]
    fn a_trend_is_found_only_if_present() {
        let runs = 1_000;
        for (phi, n) in [(0.0, 40), (0.0, 200), (0.6, 80), (0.6, 300)] {
            let share = |slope: f64| {
                let has = |run: &u64| {
                    let noise = autoregressive(&mut Rng::new(derive_seed(n as u64, *run)), n, phi);
                    let series: Vec<f64> =
                        noise.iter().enumerate().map(|(i, x)| x + slope * i as f64 / n as f64).collect();
                    has_trend(&series, 0.1)
                };
                (0..runs).filter(has).count() as f64 / runs as f64
            };
            let alarms = share(0.0);
            assert!((0.05..=0.135).contains(&alarms), "φ {phi}, {n} values: {alarms}");
            // A line that rises by ten times the error of the mean is detected.
            let error = libm::sqrt((1.0 + phi) / (1.0 - phi) / n as f64);
            let seen = share(10.0 * error);
            assert!(seen > 0.6, "φ {phi}, {n} values: {seen}");
        }
        assert!(!has_trend(&[5.0; 50], 0.1));
        let line: Vec<f64> = (0..50).map(f64::from).collect();
        assert!(has_trend(&line, 0.1));
    }

    #[test]
    fn long_series_cost_no_more_than_short_ones() {
        assert_eq!([39, 40, 79, 80, 4_000].map(|n| batches(&vec![0.0; n]).len()), [39, 40, 79, 40, 40]);
        let values: Vec<f64> = (0..81).map(f64::from).collect();
        assert_eq!(batches(&values)[0], 1.5, "what is left over is at the start");
    }
}
