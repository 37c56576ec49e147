//! What a job records of its I/O, and when that ends it.

use serde::{Deserialize, Serialize};

use crate::JsonSchema;

/// Which latencies are recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Measured {
    /// From decision to submission.
    pub submission: bool,
    /// From submission to completion.
    pub completion: bool,
    /// From decision to completion.
    pub total: bool,
}

impl Measured {
    /// All of them.
    pub const ALL: Measured = Measured { submission: true, completion: true, total: true };
}

/// What is logged of single I/Os or short windows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Logged {
    /// Whether I/Os are logged.
    pub ios: bool,
    /// Length of windows in nanoseconds; 0 logs each I/O.
    pub window_ns: u64,
    /// Interval for logging the histogram of completion latencies, in nanoseconds; 0 is never.
    pub histogram_every_ns: u64,
}

/// The steady state that ends a job.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SteadyState {
    /// The metric.
    pub metric: SteadyMetric,
    /// Whether to judge the slope of a line through the window, not the largest deviation from its mean.
    pub by_slope: bool,
    /// The limit: a share of the mean in percent, or an absolute value in the metric's unit.
    pub limit: f64,
    /// Whether `limit` is in percent of the mean.
    pub limit_is_percent: bool,
    /// Length of the window in nanoseconds.
    pub window_ns: u64,
    /// Time before the first sample, in nanoseconds.
    pub ramp_ns: u64,
    /// Time between samples, in nanoseconds.
    pub interval_ns: u64,
}

/// The precision of its rates that ends a job.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Precision {
    /// Maximum half width of the 95 % interval of each rate, relative to the rate.
    pub half_width: f64,
    /// Minimum number of I/Os.
    pub ios_min: u64,
}

/// Metrics for a steady state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SteadyMetric {
    /// I/Os per second.
    Iops,
    /// Bytes per second.
    Bandwidth,
    /// Mean latency in nanoseconds.
    Latency,
}
