//! The deciding figures: named, with a unit and a better direction.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::JsonSchema;
use crate::doubt::Doubt;
use crate::estimate::Estimate;

/// Unit of a metric.
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
    /// A count.
    Count,
}

/// A figure that a purpose can depend on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Metric {
    /// Claimed capacity.
    Capacity,
    /// Real capacity, if found to be less than claimed.
    RealCapacity,
    /// Bytes that can still be written within the drive's rated life, by its own counters.
    LifeLeft,
    /// Sequential reads alone, large blocks.
    SequentialRead,
    /// Sequential reads during an equal amount of writes.
    MixedSequentialRead,
    /// Sequential writes during an equal amount of reads.
    MixedSequentialWrite,
    /// Mean speed of sequential writing over a whole step that is long enough to see it change.
    SustainedWrite,
    /// Mean speed of sequential writing in a short step.
    SequentialWrite,
    /// Random reads of 4 KiB at queue depth 1.
    RandomReadIops,
    /// Their 99th percentile latency.
    RandomReadP99,
    /// Random reads of 4 KiB at a high queue depth.
    RandomReadDeepIops,
    /// Random writes of 4 KiB at queue depth 1.
    RandomWriteIops,
    /// Their 99th percentile latency.
    RandomWriteP99,
    /// Small writes, each made durable before the next.
    DurableWriteIops,
    /// 99th percentile latency of making a write durable.
    SyncP99,
    /// 99.9th percentile latency of making a write durable.
    SyncP999,
    /// The longest time without a completed write during sustained writing.
    WriteStallMax,
    /// Commits of an SQLite database with a write-ahead log, each durable.
    SqliteCommits,
    /// The longest time without such a commit.
    CommitPauseMax,
    /// Number of 8 Mbit/s cameras that can record concurrently, with each second durable before the deadline.
    Cameras,
    /// A lower bound for that number: more were not tried.
    CamerasAtLeast,
    /// Seconds of video of four such cameras that missed their deadline in at least ten minutes.
    RecordingMissed,
    /// The longest that one of these seconds waited until it was durable.
    RecordingStallMax,
}

impl Metric {
    /// All metrics.
    pub const ALL: [Self; 23] = [
        Self::Capacity,
        Self::RealCapacity,
        Self::LifeLeft,
        Self::SequentialRead,
        Self::MixedSequentialRead,
        Self::MixedSequentialWrite,
        Self::SustainedWrite,
        Self::SequentialWrite,
        Self::RandomReadIops,
        Self::RandomReadP99,
        Self::RandomReadDeepIops,
        Self::RandomWriteIops,
        Self::RandomWriteP99,
        Self::DurableWriteIops,
        Self::SyncP99,
        Self::SyncP999,
        Self::WriteStallMax,
        Self::SqliteCommits,
        Self::CommitPauseMax,
        Self::Cameras,
        Self::CamerasAtLeast,
        Self::RecordingMissed,
        Self::RecordingStallMax,
    ];

    /// Its name in Reports and in files of purposes: `random_read_iops`.
    pub fn name(self) -> String {
        serde_json::to_value(self).ok().and_then(|name| Some(name.as_str()?.to_string())).unwrap_or_default()
    }

    /// Its unit.
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
            | Metric::CommitPauseMax
            | Metric::RecordingStallMax => Unit::Nanoseconds,
            Metric::Cameras | Metric::CamerasAtLeast | Metric::RecordingMissed => Unit::Count,
        }
    }

    /// Whether more of it is better.
    pub const fn more_is_better(self) -> bool {
        !matches!(self.unit(), Unit::Nanoseconds) && !matches!(self, Metric::RecordingMissed)
    }
}

/// A measured metric: its estimate, source and reliability.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Measured {
    /// The value with its interval.
    pub estimate: Estimate,
    /// Id of its step; empty for facts such as the capacity.
    pub step: String,
    /// Why it is not the drive's figure, or may not be, if so.
    pub doubt: Option<Doubt>,
}

/// All metrics of a checkup.
pub type Measurements = BTreeMap<Metric, Measured>;
