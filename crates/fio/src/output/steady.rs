//! Results of steady state detection.

use cardiograph_core::result::SteadyOutcome;
use cardiograph_core::workload;

/// Results of steady state detection.
#[derive(Debug, Clone, PartialEq)]
pub struct SteadyState {
    /// The criterion.
    pub wanted: workload::SteadyState,
    /// The outcome.
    pub outcome: SteadyOutcome,
}

impl SteadyState {
    /// The watched metric, as in the option: `iops`, `bw` or `lat`.
    pub(super) fn metric(&self) -> &'static str {
        match self.wanted.metric {
            workload::SteadyMetric::Iops => "iops",
            workload::SteadyMetric::Bandwidth => "bw",
            workload::SteadyMetric::Latency => "lat",
        }
    }

    /// The largest distance from the mean in the metric's unit; 0 for a slope criterion.
    pub(super) fn max_deviation(&self) -> f64 {
        match self.wanted {
            workload::SteadyState { by_slope: true, .. } => 0.0,
            workload::SteadyState { limit_is_percent: true, .. } => {
                self.outcome.criterion / 100.0 * mean(self.watched())
            }
            _ => self.outcome.criterion,
        }
    }

    fn watched(&self) -> &[u64] {
        match self.wanted.metric {
            workload::SteadyMetric::Iops => &self.outcome.iops,
            workload::SteadyMetric::Bandwidth => &self.outcome.bandwidth_bytes_per_s,
            workload::SteadyMetric::Latency => &self.outcome.latency_ns,
        }
    }

    /// Mean bandwidth of the window in bytes per second, rounded down.
    pub(super) fn bandwidth_mean_bytes_per_s(&self) -> u64 {
        mean(&self.outcome.bandwidth_bytes_per_s) as u64
    }

    /// Mean I/Os per second of the window, rounded down.
    pub(super) fn iops_mean(&self) -> u64 {
        mean(&self.outcome.iops) as u64
    }

    /// Mean latency of the window in nanoseconds, if that is the metric.
    pub(super) fn latency_mean_ns(&self) -> Option<f64> {
        let is_watched = self.wanted.metric == workload::SteadyMetric::Latency;
        is_watched.then(|| mean(&self.outcome.latency_ns))
    }
}

/// The mean; 0 for no values.
fn mean(values: &[u64]) -> f64 {
    let sum: u128 = values.iter().map(|&value| u128::from(value)).sum();
    sum as f64 / values.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use cardiograph_core::NS_PER_S;

    use super::*;

    #[test]
    fn deviation_has_the_unit_of_the_metric() {
        let wanted = workload::SteadyState {
            metric: workload::SteadyMetric::Bandwidth,
            by_slope: false,
            limit: 50.0,
            limit_is_percent: true,
            window_ns: 2 * NS_PER_S,
            ramp_ns: 0,
            interval_ns: NS_PER_S,
        };
        let outcome = SteadyOutcome {
            attained: true,
            criterion: 0.111_204,
            iops: vec![100, 101],
            bandwidth_bytes_per_s: vec![410_512, 409_600],
            ..SteadyOutcome::default()
        };
        // As shown by fio 3.33: a criterion of 0.111204 % is 456 of 410,056.
        let mut steady = SteadyState { wanted, outcome };
        assert!((steady.max_deviation() - 456.0).abs() < 0.01, "{}", steady.max_deviation());
        assert_eq!(
            (steady.metric(), steady.bandwidth_mean_bytes_per_s(), steady.iops_mean()),
            ("bw", 410_056, 100)
        );
        steady.wanted.limit_is_percent = false;
        assert_eq!((steady.max_deviation(), steady.latency_mean_ns()), (0.111_204, None));
        steady.wanted.by_slope = true;
        assert_eq!(steady.max_deviation(), 0.0);
        steady.outcome.iops.clear();
        assert_eq!(steady.iops_mean(), 0);
        steady.wanted.metric = workload::SteadyMetric::Latency;
        steady.outcome.latency_ns = vec![70_000, 71_001];
        assert_eq!((steady.metric(), steady.latency_mean_ns()), ("lat", Some(70_500.5)));
    }
}
