//! A value and how well it is known.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A value with the number of independent observations behind it and a 95 % confidence interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Estimate {
    /// The value.
    pub value: f64,
    /// Observations behind it.
    pub n: u64,
    /// How many independent observations would tell as much: neighbours in time resemble each other.
    pub n_effective: f64,
    /// Lower end of the interval; `None` when there is too little to tell.
    pub low: Option<f64>,
    /// Upper end of the interval; `None` when there is too little to tell.
    pub high: Option<f64>,
}

impl Estimate {
    /// A value that is counted and not sampled, such as a capacity.
    pub fn exact(value: f64) -> Self {
        Self { value, n: 1, n_effective: 1.0, low: Some(value), high: Some(value) }
    }

    /// A rate over a whole run, with an interval from the same rate in its windows.
    pub fn rate(value: f64, windows: &[f64]) -> Self {
        Self { value, n: windows.len() as u64, n_effective: windows.len() as f64, low: None, high: None }
    }
}
