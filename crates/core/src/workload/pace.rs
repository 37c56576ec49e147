//! Rate limits and pauses of a job, submission of its I/Os, and its end.

use serde::{Deserialize, Serialize};

use crate::JsonSchema;

/// Arrival times of rate-limited I/Os.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Arrivals {
    /// Evenly spaced.
    #[default]
    Even,
    /// Random, as with many independent users: intervals are exponential, with the mean of even ones.
    Poisson,
}

/// Pauses of a job, as if thinking about the data.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Think {
    /// Length of a pause in nanoseconds. I/Os in flight complete before it starts.
    pub pause_ns: u64,
    /// Initial part that keeps the CPU busy, in nanoseconds. If longer than the pause, it sets the pause's length.
    pub spin_ns: u64,
    /// Number of I/Os between pauses; `None` for pauses by time.
    pub every_ios: Option<u64>,
    /// Whether I/Os count at submission, not at completion.
    pub counts_issued: bool,
    /// Time from one pause to the next, in nanoseconds; `None` for pauses by number of I/Os.
    pub every_ns: Option<u64>,
    /// Whether a rate limit excludes the time of pauses; otherwise the missed I/O is caught up.
    pub stops_rate: bool,
    /// CPU cycles to burn after each I/O, in addition to pauses.
    pub cycles: u64,
}

/// A latency target: the largest depth that meets it is searched for.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LatencyTarget {
    /// The latency from the decision until completion, in nanoseconds.
    pub target_ns: u64,
    /// How long to try a depth, in nanoseconds; 0 is one I/O.
    pub window_ns: u64,
    /// Percentage of I/Os that must meet it.
    pub percentile: f64,
    /// Whether the job continues once the depth is found, and keeps adapting. Otherwise it ends after one more
    /// window, the only one that counts.
    pub goes_on: bool,
}

/// Jobs that keep their numbers of I/Os in proportion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FlowWeight {
    /// Flow number: jobs with the same number belong together.
    pub flow: u64,
    /// This job's weight, at least 1. Applies to each clone.
    pub weight: u64,
    /// How long a worker that is ahead sleeps before it checks again, in nanoseconds; 0 checks continuously.
    pub sleep_ns: u64,
}

/// When a job ends: at the first limit reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StopWhen {
    /// Maximum bytes moved, reads and writes together.
    pub bytes: Option<u64>,
    /// Maximum duration in nanoseconds, excluding the ramp.
    pub time_ns: Option<u64>,
    /// Maximum number of I/Os, excluding syncs.
    pub ios: Option<u64>,
}

/// How requests are submitted and completed. Only queueing engines have these options.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Batching {
    /// Requests to submit in one call; `None` lets the worker choose the number that keeps the drive busy.
    pub submit: Option<u32>,
    /// Completions to wait for in one call; 0 does not wait until the queue is full.
    pub complete_min: u32,
    /// Maximum completions to take in one call; `None` takes all available.
    pub complete_max: Option<u32>,
    /// New requests are issued when this few are in flight; the full depth means immediately.
    pub low: u32,
}

impl Batching {
    /// The default: submit what there is, wait for one.
    pub const fn free(depth: u32) -> Self {
        Self { submit: None, complete_min: 1, complete_max: None, low: depth }
    }
}

/// A rate limit of a direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Rate {
    /// Bytes per second.
    Bytes {
        /// Maximum.
        per_second: u64,
        /// The job fails below this.
        min_per_second: u64,
    },
    /// I/Os per second.
    Ios {
        /// Maximum; 0 is no limit.
        per_second: u64,
        /// The job fails below this.
        min_per_second: u64,
    },
}
