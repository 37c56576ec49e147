//! Detects a steady speed or latency.
//!
//! Samples of equal length arrive one after the other; each time, the last ones, as many as the window holds, are
//! judged. There are two tests, both fio's. By deviation: each sample is closer to the mean of the window than the
//! limit. By slope: the line that fits the window best (least squares, samples numbered consecutively) rises or falls
//! by less than the limit per sample. The limit is in the unit of the samples, or in percent of their mean.

use std::collections::VecDeque;

use crate::result::SteadyOutcome;
use crate::workload::{SteadyMetric, SteadyState};

/// Cumulative work since the start.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Work {
    /// I/Os.
    pub ios: u64,
    /// Bytes of these I/Os.
    pub bytes: u64,
    /// Sum of their latencies, in nanoseconds.
    pub latency_sum_ns: u64,
}

impl Work {
    /// Adds another worker's.
    pub fn add(&mut self, other: Work) {
        self.ios += other.ios;
        self.bytes += other.bytes;
        self.latency_sum_ns = self.latency_sum_ns.wrapping_add(other.latency_sum_ns);
    }

    /// The difference from `before`.
    pub fn since(self, before: Work) -> Work {
        Work {
            ios: self.ios.saturating_sub(before.ios),
            bytes: self.bytes.saturating_sub(before.bytes),
            latency_sum_ns: self.latency_sum_ns.wrapping_sub(before.latency_sum_ns),
        }
    }
}

/// The speed during one interval.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SpeedSample {
    /// I/Os per second.
    pub iops: u64,
    /// Bytes per second.
    pub bandwidth_bytes_per_s: u64,
    /// Mean latency in nanoseconds; 0 without I/O.
    pub latency_ns: u64,
}

impl SpeedSample {
    /// The speed for `work` in `elapsed_ns`; 0 if no time passed.
    pub fn over(work: Work, elapsed_ns: u64) -> Option<Self> {
        let per_second = |count: u64| {
            let scaled = u128::from(count) * u128::from(crate::NS_PER_S);
            let rounded = (scaled + u128::from(elapsed_ns) / 2).checked_div(u128::from(elapsed_ns))?;
            Some(u64::try_from(rounded).unwrap_or(u64::MAX))
        };
        Some(Self {
            iops: per_second(work.ios)?,
            bandwidth_bytes_per_s: per_second(work.bytes)?,
            latency_ns: work.latency_sum_ns.checked_div(work.ios).unwrap_or(0),
        })
    }
}

/// Judges samples as they arrive.
#[derive(Debug, Clone)]
pub struct SteadyDetector {
    wanted: SteadyState,
    window_len: usize,
    window: VecDeque<SpeedSample>,
    criterion: f64,
    slope: f64,
    attained: bool,
}

impl SteadyDetector {
    /// A detector without samples. A window shorter than two intervals holds one sample, which always equals the
    /// mean.
    pub fn new(wanted: &SteadyState) -> Self {
        let window_len = wanted.window_ns / wanted.interval_ns.max(1);
        let window_len = usize::try_from(window_len).unwrap_or(usize::MAX).max(1);
        Self {
            wanted: *wanted,
            window_len,
            window: VecDeque::new(),
            criterion: 0.0,
            slope: 0.0,
            attained: false,
        }
    }

    /// Number of samples in a window.
    pub fn window_len(&self) -> usize {
        self.window_len
    }

    /// Adds the next sample. Returns whether the speed is steady; once it is, it stays so and further samples are
    /// ignored.
    pub fn push(&mut self, sample: SpeedSample) -> bool {
        if self.attained {
            return true;
        }
        if self.window.len() == self.window_len {
            self.window.pop_front();
        }
        self.window.push_back(sample);
        if self.window.len() == self.window_len {
            self.judge();
        }
        self.attained
    }

    fn judge(&mut self) {
        let values: Vec<f64> = self.window.iter().map(|sample| self.value(sample)).collect();
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        let found = if self.wanted.by_slope {
            self.slope = slope(&values, mean);
            self.slope
        } else {
            values.iter().map(|value| libm::fabs(value - mean)).fold(0.0, f64::max)
        };
        // A speed of 0 is not steady but idle. Nor is there a latency without I/O.
        let is_unknown = self.wanted.metric == SteadyMetric::Latency && values.contains(&0.0);
        if mean <= 0.0 || is_unknown {
            self.criterion = 0.0;
            return;
        }
        self.criterion = if self.wanted.limit_is_percent { 100.0 * found / mean } else { found };
        self.attained = libm::fabs(self.criterion) < self.wanted.limit;
    }

    fn value(&self, sample: &SpeedSample) -> f64 {
        match self.wanted.metric {
            SteadyMetric::Iops => sample.iops as f64,
            SteadyMetric::Bandwidth => sample.bandwidth_bytes_per_s as f64,
            SteadyMetric::Latency => sample.latency_ns as f64,
        }
    }

    /// The result so far, for the job that asked. The window is shorter than requested if there was no time to fill
    /// it.
    pub fn outcome(&self, job: usize) -> SteadyOutcome {
        let looks_for_latency = self.wanted.metric == SteadyMetric::Latency;
        let latencies = self.window.iter().filter(|_| looks_for_latency);
        SteadyOutcome {
            job,
            attained: self.attained,
            criterion: self.criterion,
            slope: self.slope,
            iops: self.window.iter().map(|sample| sample.iops).collect(),
            bandwidth_bytes_per_s: self.window.iter().map(|sample| sample.bandwidth_bytes_per_s).collect(),
            latency_ns: latencies.map(|sample| sample.latency_ns).collect(),
        }
    }
}

/// Slope of the least-squares line through equidistant values, per step; 0 for fewer than two.
pub(crate) fn slope(values: &[f64], mean: f64) -> f64 {
    let middle = (values.len() as f64 - 1.0) / 2.0;
    let from_middle = || (0..values.len()).map(|place| place as f64 - middle);
    let squares: f64 = from_middle().map(|x| x * x).sum();
    let products: f64 = from_middle().zip(values).map(|(x, value)| x * (value - mean)).sum();
    if squares == 0.0 { 0.0 } else { products / squares }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{NS_PER_MS, NS_PER_S};

    fn wanted(
        metric: SteadyMetric,
        by_slope: bool,
        limit: f64,
        limit_is_percent: bool,
        len: u64,
    ) -> SteadyState {
        SteadyState {
            metric,
            by_slope,
            limit,
            limit_is_percent,
            window_ns: len * NS_PER_S,
            ramp_ns: 0,
            interval_ns: NS_PER_S,
        }
    }

    /// Pushes samples of 4 KiB I/Os, and returns the number after which the speed was steady.
    fn settled_after(detector: &mut SteadyDetector, iops: &[u64]) -> Option<usize> {
        let sample = |iops: u64| SpeedSample { iops, bandwidth_bytes_per_s: iops * 4_096, latency_ns: 1 };
        iops.iter().position(|&iops| detector.push(sample(iops))).map(|place| place + 1)
    }

    #[test]
    fn figures_match_fio_for_the_same_samples() {
        // `fio --rate_iops=1000 --ss=iops:10% --ss_dur=5`, version 3.33.
        let mut detector = SteadyDetector::new(&wanted(SteadyMetric::Iops, false, 10.0, true, 5));
        assert_eq!(settled_after(&mut detector, &[1_001, 1_000, 1_000, 1_001, 1_000]), Some(5));
        let outcome = detector.outcome(3);
        assert_eq!((outcome.job, outcome.attained, outcome.slope), (3, true, 0.0));
        assert!((outcome.criterion - 0.059_976).abs() < 1e-6, "{}", outcome.criterion);

        // `--ss=bw_slope:0.1% --ss_dur=4`.
        let mut detector = SteadyDetector::new(&wanted(SteadyMetric::Bandwidth, true, 0.1, true, 4));
        for bandwidth_bytes_per_s in [4_100_100, 4_087_816, 4_108_312, 4_100_100] {
            detector.push(SpeedSample { iops: 1_000, bandwidth_bytes_per_s, latency_ns: 1 });
        }
        let outcome = detector.outcome(0);
        assert!(outcome.attained);
        assert!((outcome.slope - 2_049.6).abs() < 1e-6, "{}", outcome.slope);
        assert!((outcome.criterion - 0.050_001).abs() < 1e-6, "{}", outcome.criterion);
    }

    #[test]
    fn the_window_moves_until_the_speed_is_steady() {
        for (by_slope, limit, limit_is_percent, samples, expected) in [
            // Each within 2 % of the mean of three.
            (false, 2.0, true, &[500, 800, 1_000, 1_010, 1_005, 7][..], Some(5)),
            (false, 2.0, true, &[500, 800, 1_000, 1_010][..], None),
            // Within 10 of the mean, not at 10.
            (false, 10.0, false, &[1_000, 1_010, 990][..], None),
            (false, 10.0, false, &[1_000, 1_009, 991][..], Some(3)),
            // Falling counts like rising.
            (true, 10.0, false, &[1_000, 990, 980][..], None),
            (true, 10.0, false, &[1_000, 1_010, 1_020][..], None),
            (true, 10.0, false, &[1_000, 500, 1_019][..], Some(3)),
            (true, 1.0, true, &[900, 910, 920, 915, 925][..], Some(4)),
            // Nothing is below a limit of 0, and an idle drive is not steady.
            (false, 0.0, false, &[5, 5, 5, 5][..], None),
            (false, 10.0, false, &[0, 0, 0, 0][..], None),
            (true, 10.0, true, &[0, 0, 0, 0][..], None),
        ] {
            let mut detector =
                SteadyDetector::new(&wanted(SteadyMetric::Iops, by_slope, limit, limit_is_percent, 3));
            assert_eq!(settled_after(&mut detector, samples), expected, "{by_slope} {limit} {samples:?}");
            assert_eq!(detector.outcome(0).attained, expected.is_some());
        }
    }

    #[test]
    fn the_metric_decides_what_is_judged() {
        let sample =
            |bandwidth_bytes_per_s, latency_ns| SpeedSample { iops: 100, bandwidth_bytes_per_s, latency_ns };
        for (metric, expected) in [
            (SteadyMetric::Iops, [true, true]),
            (SteadyMetric::Bandwidth, [false, true]),
            (SteadyMetric::Latency, [true, false]),
        ] {
            for (second, expected) in [sample(2_000, 500), sample(1_000, 600)].into_iter().zip(expected) {
                let mut detector = SteadyDetector::new(&wanted(metric, false, 1.0, true, 2));
                detector.push(sample(1_000, 500));
                assert_eq!(detector.push(second), expected, "{metric:?} {second:?}");
                let latencies =
                    if metric == SteadyMetric::Latency { vec![500, second.latency_ns] } else { vec![] };
                assert_eq!(detector.outcome(0).latency_ns, latencies);
            }
        }
    }

    #[test]
    fn without_io_there_is_no_latency_to_settle() {
        let sample = |latency_ns| SpeedSample { iops: 1, bandwidth_bytes_per_s: 1, latency_ns };
        let mut detector = SteadyDetector::new(&wanted(SteadyMetric::Latency, false, 1_000.0, true, 2));
        let settled = [500, 0, 500, 500].map(|latency_ns| detector.push(sample(latency_ns)));
        assert_eq!(settled, [false, false, false, true]);
    }

    #[test]
    fn an_incomplete_window_is_reported_as_it_is() {
        let mut detector = SteadyDetector::new(&wanted(SteadyMetric::Iops, false, 50.0, true, 6));
        assert_eq!((settled_after(&mut detector, &[10, 10, 10]), detector.window_len()), (None, 6));
        let outcome = detector.outcome(0);
        assert_eq!((outcome.attained, outcome.criterion, outcome.iops), (false, 0.0, vec![10, 10, 10]));
    }

    #[test]
    fn a_sample_is_divided_by_its_actual_time() {
        let over = |ios, bytes, latency_sum_ns, elapsed_ns| {
            SpeedSample::over(Work { ios, bytes, latency_sum_ns }, elapsed_ns)
        };
        let sample = |iops, bandwidth_bytes_per_s, latency_ns| {
            Some(SpeedSample { iops, bandwidth_bytes_per_s, latency_ns })
        };
        assert_eq!(over(1_000, 4_096_000, 70_999, 1_250 * NS_PER_MS), sample(800, 3_276_800, 70));
        assert_eq!(over(2, 8_192, 10, 3 * NS_PER_S), sample(1, 2_731, 5));
        assert_eq!(over(0, 0, 0, NS_PER_S), sample(0, 0, 0));
        assert_eq!(over(1, 1, 1, 0), None);
        assert_eq!(over(u64::MAX, 1, 0, 1), sample(u64::MAX, NS_PER_S, 0));
    }
}
