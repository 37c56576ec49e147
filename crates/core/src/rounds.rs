//! Detects when a drive measured in identical rounds has reached a steady state.
//!
//! The rule is that of SNIA's Solid State Storage Performance Test Specification (2.0.2, "Steady State"): within a
//! window of five rounds the values lie within 20 % of their mean, and the best-fitting line rises or falls by at
//! most 10 % of it.

use serde::{Deserialize, Serialize};

use crate::JsonSchema;
use crate::stats;
use crate::steady::slope;

/// Number of rounds in a window.
pub const WINDOW_ROUNDS: usize = 5;
/// Maximum range of the values, relative to their mean.
pub const RANGE_SHARE_MAX: f64 = 0.2;
/// Maximum rise or fall of the line, relative to the mean.
pub const RISE_SHARE_MAX: f64 = 0.1;

/// A window of [`WINDOW_ROUNDS`] rounds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RoundWindow {
    /// Its first round, from 0.
    pub first: usize,
    /// Mean of its values, in their unit.
    pub mean: f64,
    /// Range (maximum minus minimum) relative to the mean.
    pub range_share: f64,
    /// Rise (or fall, below 0) of the line from the first round to the last, relative to the mean.
    pub rise_share: f64,
}

impl RoundWindow {
    /// Whether both rules are met.
    pub fn is_steady(&self) -> bool {
        self.range_share <= RANGE_SHARE_MAX && self.rise_share.abs() <= RISE_SHARE_MAX
    }

    /// Values of the line in the first and last round, for a plot.
    pub fn line(&self) -> (f64, f64) {
        let half = self.mean * self.rise_share / 2.0;
        (self.mean - half, self.mean + half)
    }

    fn fit(first: usize, values: &[f64]) -> Self {
        let mean = stats::mean(values);
        let (low, high) = values
            .iter()
            .fold((f64::MAX, f64::MIN), |(low, high), &value| (f64::min(low, value), f64::max(high, value)));
        // An idle drive is not steady.
        let share = |difference: f64| if mean > 0.0 { difference / mean } else { f64::INFINITY };
        Self {
            first,
            mean,
            range_share: share(high - low),
            rise_share: share(slope(values, mean) * (values.len() - 1) as f64),
        }
    }
}

/// The last window of a series of rounds; `None` if there are too few.
pub fn last_window(values: &[f64]) -> Option<RoundWindow> {
    let first = values.len().checked_sub(WINDOW_ROUNDS)?;
    Some(RoundWindow::fit(first, &values[first..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_rules_must_be_met() {
        // Values of a window, their range, the line's rise, and whether that is steady. By hand: the slope over
        // rounds -2 to 2 is the sum of round times value over 10.
        let cases: [([f64; 5], f64, f64, bool); 5] = [
            ([100.0; 5], 0.0, 0.0, true),
            ([90.0, 110.0, 90.0, 110.0, 100.0], 0.2, 0.08, true),
            ([89.0, 110.0, 101.0, 100.0, 100.0], 0.21, 0.048, false),
            ([94.0, 97.0, 100.0, 103.0, 106.0], 0.12, 0.12, false),
            ([106.0, 103.0, 100.0, 97.0, 94.0], 0.12, -0.12, false),
        ];
        for (values, range, rise, steady) in cases {
            let window = last_window(&values).unwrap();
            assert_eq!((window.first, window.is_steady()), (0, steady), "{values:?}");
            assert!((window.range_share - range).abs() < 1e-9, "{values:?}: {window:?}");
            assert!((window.rise_share - rise).abs() < 1e-9, "{values:?}: {window:?}");
            let (first, last) = window.line();
            assert!(((last - first) / window.mean - rise).abs() < 1e-9);
        }
    }

    #[test]
    fn only_the_last_rounds_count_and_too_few_give_nothing() {
        let falling = [900.0, 500.0, 300.0, 100.0, 101.0, 100.0, 99.0, 100.0];
        assert_eq!(last_window(&falling[..4]), None);
        assert!(!last_window(&falling[..7]).unwrap().is_steady());
        let last = last_window(&falling).unwrap();
        assert_eq!((last.first, last.mean, last.is_steady()), (3, 100.0, true));
        assert!(!last_window(&[0.0; 5]).unwrap().is_steady());
    }
}
