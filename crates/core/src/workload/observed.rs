//! What is taken down of a job's I/O, and what is read from it while it runs.

use serde::{Deserialize, Serialize};

use crate::JsonSchema;

/// Which latencies are taken down.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Measured {
    /// From the decision to the hand-over.
    pub submission: bool,
    /// From the hand-over to completion.
    pub completion: bool,
    /// From the decision to completion.
    pub total: bool,
}

impl Measured {
    /// All of them.
    pub const ALL: Measured = Measured { submission: true, completion: true, total: true };
}

/// What is written down of single I/Os or of short windows, for logs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Logged {
    /// Whether I/Os are logged.
    pub ios: bool,
    /// As windows of so many nanoseconds; 0 is each I/O by itself.
    pub window_ns: u64,
    /// How often the histogram of completion latencies is logged, in nanoseconds; 0 is never.
    pub histogram_every_ns: u64,
}

/// What must have settled for a job to end, and how far.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SteadyState {
    /// What is looked at.
    pub metric: SteadyMetric,
    /// Whether the slope of a line through the window is judged, or the largest deviation from its mean.
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

/// How well the rates of a job must be known for it to end.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Precision {
    /// How far the 95 % interval of each rate may reach to each side, as a share of the rate.
    pub half_width: f64,
    /// It does not end before so many I/Os.
    pub ios_min: u64,
}

/// What a steady state is looked for in.
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
