//! What holds a job back, how its I/Os are handed over, and what ends it.

use serde::{Deserialize, Serialize};

use crate::JsonSchema;

/// How the moments of I/Os lie whose rate is limited.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Arrivals {
    /// At even distances.
    #[default]
    Even,
    /// Random, as with many independent users: intervals are exponential, with the mean of even ones.
    Poisson,
}

/// Pauses of a job that thinks about what it has read or written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Think {
    /// Length of a pause in nanoseconds. What is in flight is waited for before it begins.
    pub pause_ns: u64,
    /// Part of it, from its beginning, in which the CPU is kept busy, in nanoseconds. It may be longer than the pause, and
    /// is the pause then.
    pub spin_ns: u64,
    /// A pause comes after so many I/Os; `None` leaves it to time.
    pub every_ios: Option<u64>,
    /// Whether I/Os count when they are handed over, not when they are complete.
    pub counts_issued: bool,
    /// A pause comes this long after the one before, in nanoseconds; `None` leaves it to the number of I/Os.
    pub every_ns: Option<u64>,
    /// Whether a limited rate leaves out the time of pauses; otherwise what was not done in them is caught up with.
    pub stops_rate: bool,
    /// Cycles that the CPU is kept busy for after each I/O, apart from pauses.
    pub cycles: u64,
}

/// A latency that is to be kept: the largest depth that does is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LatencyTarget {
    /// The latency from the decision until completion, in nanoseconds.
    pub target_ns: u64,
    /// How long a depth is tried, in nanoseconds; 0 is one I/O.
    pub window_ns: u64,
    /// Share of the I/Os that keep it, in percent.
    pub percentile: f64,
    /// Whether the job continues when the depth was found, and follows the drive. Otherwise it ends after one
    /// more window, the only one that counts.
    pub goes_on: bool,
}

/// Jobs that keep their I/Os in proportion to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FlowWeight {
    /// Which flow: jobs with the same number belong together.
    pub flow: u64,
    /// This job's weight, at least 1. Each clone has it.
    pub weight: u64,
    /// How long a worker that is ahead sleeps before it looks again, in nanoseconds; 0 looks as soon as it can.
    pub sleep_ns: u64,
}

/// When a job ends. It ends at what comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StopWhen {
    /// After so many bytes were moved, reads and writes together.
    pub bytes: Option<u64>,
    /// After so many nanoseconds; the ramp comes on top.
    pub time_ns: Option<u64>,
    /// After so many I/Os, syncs excepted.
    pub ios: Option<u64>,
}

/// How requests are handed over and taken back. Only an engine that queues has these freedoms.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Batching {
    /// Requests that are handed over in one call; `None` lets the worker choose what keeps the drive busy.
    pub submit: Option<u32>,
    /// Completions to wait for in one call; 0 does not wait before the queue is full.
    pub complete_min: u32,
    /// Completions to take in one call; `None` takes all that are there.
    pub complete_max: Option<u32>,
    /// New requests are made once so few are in flight; the depth itself makes them at once.
    pub low: u32,
}

impl Batching {
    /// What is done when nothing is asked for: hand over what there is, wait for one.
    pub const fn free(depth: u32) -> Self {
        Self { submit: None, complete_min: 1, complete_max: None, low: depth }
    }
}

/// A limit on how fast a direction goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Rate {
    /// Bytes per second.
    Bytes {
        /// At most.
        per_second: u64,
        /// The job fails below this.
        min_per_second: u64,
    },
    /// I/Os per second.
    Ios {
        /// At most; 0 is no limit.
        per_second: u64,
        /// The job fails below this.
        min_per_second: u64,
    },
}
