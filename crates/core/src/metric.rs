//! The figures that decide: named, with a unit and the way that is better.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::JsonSchema;
use crate::doubt::Doubt;
use crate::estimate::Estimate;

/// What a metric is counted in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    /// Bytes.
    Bytes,
    /// Bytes per second.
    BytesPerSecond,
    /// I/Os per second.
    IosPerSecond,
    /// Nanoseconds.
    Nanoseconds,
    /// A number of things.
    Count,
}

/// A figure that a purpose can rest on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Metric {
    /// What the drive holds, as it claims.
    Capacity,
    /// What the drive was found to hold where that is less than it claims.
    RealCapacity,
    /// What can still be written in the drive's rated life, by what it counted so far.
    LifeLeft,
    /// Sequential reads on their own, large blocks.
    SequentialRead,
    /// Sequential reads while as much is written.
    MixedSequentialRead,
    /// Sequential writes while as much is read.
    MixedSequentialWrite,
    /// Mean speed of sequential writing over the whole of a step that is long enough to see it change.
    SustainedWrite,
    /// Mean speed of sequential writing in a short step.
    SequentialWrite,
    /// Random reads of 4 KiB, one at a time.
    RandomReadIops,
    /// 99th percentile latency of the same.
    RandomReadP99,
    /// Random reads of 4 KiB, many in flight.
    RandomReadDeepIops,
    /// Random writes of 4 KiB, one at a time.
    RandomWriteIops,
    /// 99th percentile latency of the same.
    RandomWriteP99,
    /// Small writes, each made durable before the next.
    DurableWriteIops,
    /// 99th percentile latency of making a write durable.
    SyncP99,
    /// 99.9th percentile latency of the same.
    SyncP999,
    /// The longest time without a completed write during sustained writing.
    WriteStallMax,
    /// Commits of an SQLite database with a write-ahead log, each durable.
    SqliteCommits,
    /// The longest time without one of them.
    CommitPauseMax,
    /// Number of 8 Mbit/s cameras that can record at once, with each second durable before the deadline.
    Cameras,
    /// So many of them at least: more were not tried.
    CamerasAtLeast,
}

impl Metric {
    /// What it is counted in.
    pub const fn unit(self) -> Unit {
        match self {
            Metric::Capacity | Metric::RealCapacity | Metric::LifeLeft => Unit::Bytes,
            Metric::SequentialRead
            | Metric::MixedSequentialRead
            | Metric::MixedSequentialWrite
            | Metric::SustainedWrite
            | Metric::SequentialWrite => Unit::BytesPerSecond,
            Metric::RandomReadIops
            | Metric::RandomReadDeepIops
            | Metric::RandomWriteIops
            | Metric::DurableWriteIops
            | Metric::SqliteCommits => Unit::IosPerSecond,
            Metric::RandomReadP99
            | Metric::RandomWriteP99
            | Metric::SyncP99
            | Metric::SyncP999
            | Metric::WriteStallMax
            | Metric::CommitPauseMax => Unit::Nanoseconds,
            Metric::Cameras | Metric::CamerasAtLeast => Unit::Count,
        }
    }

    /// Whether more of it is better.
    pub const fn more_is_better(self) -> bool {
        !matches!(self.unit(), Unit::Nanoseconds)
    }
}

/// A measured metric: its estimate, where it came from, and whether it can be believed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Measured {
    /// The value with its interval.
    pub estimate: Estimate,
    /// Id of the step that gave it; empty for facts such as the capacity.
    pub step: String,
    /// Why it is not the drive's, or may not be, if so.
    pub doubt: Option<Doubt>,
}

/// All metrics that a checkup gave.
pub type Measurements = BTreeMap<Metric, Measured>;
