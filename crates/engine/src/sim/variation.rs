//! Variation between two runs on one drive, and correlation of neighbouring seconds.

use cardiograph_core::rng::Rng;

use super::model::Variation;

/// Step of the drift, in nanoseconds.
const STEP_NS: u64 = 100_000_000;
/// After this many correlation times the past is forgotten: 1/e^20 of it.
const MEMORY_TIMES_MAX: u64 = 20;
/// Both factors are cut off at this many standard deviations from 1.
const DEVIATIONS_MAX: f64 = 3.0;

/// A factor on all service times: one part is drawn once per seed, the other is a first-order autoregressive
/// process.
#[derive(Debug)]
pub(super) struct Pace {
    variation: Variation,
    run: f64,
    drift: f64,
    step: u64,
    rng: Rng,
}

impl Pace {
    pub fn new(variation: Variation, mut rng: Rng) -> Self {
        let run = 1.0 + variation.run_to_run * rng.normal().clamp(-DEVIATIONS_MAX, DEVIATIONS_MAX);
        let drift = rng.normal();
        Self { variation, run, drift, step: 0, rng }
    }

    /// The factor at a time. Times must not go backwards.
    pub fn factor_at(&mut self, now_ns: u64) -> f64 {
        let step = now_ns / STEP_NS;
        if step > self.step && self.variation.drift > 0.0 {
            let memory_steps = (self.variation.drift_time_ns / STEP_NS).max(1);
            if step - self.step > memory_steps * MEMORY_TIMES_MAX {
                self.drift = self.rng.normal();
            } else {
                let kept = 1.0 - 1.0 / memory_steps as f64;
                let fresh = (1.0 - kept * kept).sqrt();
                for _ in self.step..step {
                    self.drift = kept * self.drift + fresh * self.rng.normal();
                }
            }
            self.step = step;
        }
        self.run * (1.0 + self.variation.drift * self.drift.clamp(-DEVIATIONS_MAX, DEVIATIONS_MAX))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn deviation(values: &[f64]) -> f64 {
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        (values.iter().map(|v| (v - mean) * (v - mean)).sum::<f64>() / values.len() as f64).sqrt()
    }

    #[test]
    fn seeds_vary_by_the_given_deviation() {
        let variation = Variation { run_to_run: 0.02, drift: 0.0, drift_time_ns: 1_000_000_000 };
        let runs: Vec<f64> =
            (0..2_000).map(|seed| Pace::new(variation, Rng::new(seed)).factor_at(0)).collect();
        assert!((deviation(&runs) - 0.02).abs() < 0.001, "{}", deviation(&runs));
        let mut pace = Pace::new(variation, Rng::new(1));
        assert_eq!(pace.factor_at(0), pace.factor_at(1_000_000_000_000));
    }

    #[test]
    fn the_drift_has_the_given_deviation_and_correlation_time() {
        let variation = Variation { run_to_run: 0.0, drift: 0.01, drift_time_ns: 5_000_000_000 };
        let mut pace = Pace::new(variation, Rng::new(1));
        let values: Vec<f64> =
            (0..20_000).map(|second| pace.factor_at(second * 1_000_000_000) - 1.0).collect();
        assert!((deviation(&values) - 0.01).abs() < 0.001, "{}", deviation(&values));
        let product: f64 = values.windows(6).map(|window| window[0] * window[5]).sum();
        let after_5_s = product / values.iter().map(|v| v * v).sum::<f64>();
        assert!((after_5_s - 0.364).abs() < 0.05, "{after_5_s} where (1 - 1/50)^50 = 0.364 is wanted");
    }
}
