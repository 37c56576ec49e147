//! A job that has been validated: what a worker does, without a question left open.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::direction::{Direction, PerDirection};

/// In which order the blocks of a region come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Order {
    /// One after the other.
    Sequential,
    /// At random, each block once per pass, each pass in a new order.
    RandomUnique,
    /// At random; blocks may repeat.
    RandomRepeating,
}

/// How the durability of writes is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SyncMethod {
    /// fsync: data and all metadata.
    Fsync,
    /// fdatasync: data, and the metadata that is needed to read it.
    Fdatasync,
}

/// When writes are made durable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SyncEvery {
    /// After so many writes; at least 1.
    pub writes: u64,
    /// By which call.
    pub method: SyncMethod,
}

/// What the content of writes is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Content {
    /// Incompressible, with a stamp in each 512 bytes that no other sector of this or another run has.
    Stamped,
    /// Wholly new random bytes for each write.
    Refilled,
}

/// When a job ends. It ends at what comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StopWhen {
    /// After so many bytes were moved, reads and writes together.
    pub bytes: Option<u64>,
    /// After so many nanoseconds; the ramp comes on top.
    pub time_ns: Option<u64>,
}

/// What one job does. Immutable: a run cannot change what it was asked to do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Workload {
    /// The job's name.
    pub name: String,
    /// Name of the engine that executes it.
    pub engine: String,
    /// Which of the Plan's targets it uses.
    pub target: usize,
    /// Share of reads in percent; the rest are writes.
    pub read_percent: u32,
    /// The order of blocks.
    pub order: Order,
    /// Length of one I/O in bytes, by direction.
    pub block_len_bytes: PerDirection<u64>,
    /// Where the region starts, in bytes.
    pub offset_bytes: u64,
    /// Length of the region in bytes.
    pub region_len_bytes: u64,
    /// I/Os kept in flight.
    pub depth: u32,
    /// Whether the page cache is bypassed.
    pub direct: bool,
    /// When writes are made durable; `None` leaves it to the system.
    pub sync_every: Option<SyncEvery>,
    /// One fsync after the last write, in the measured time.
    pub end_sync: bool,
    /// What is written.
    pub content: Content,
    /// When it ends.
    pub stop: StopWhen,
    /// Time before anything counts, in nanoseconds. An I/O counts when it was issued after it.
    pub ramp_ns: u64,
    /// Seed of offsets, mix and content.
    pub seed: u64,
    /// Length of a window of the series in nanoseconds.
    pub window_ns: u64,
}

impl Workload {
    /// Whether the workload has I/O of this direction. Whether a Plan writes is derived from this, never from a name.
    pub fn uses(&self, direction: Direction) -> bool {
        match direction {
            Direction::Read => self.read_percent > 0,
            Direction::Write => self.read_percent < 100,
            Direction::Trim => false,
            Direction::Sync => self.uses(Direction::Write) && (self.sync_every.is_some() || self.end_sync),
        }
    }

    /// Whether it changes what is on the target.
    pub fn is_modifying(&self) -> bool {
        Direction::ALL.into_iter().any(|direction| direction.is_modifying() && self.uses(direction))
    }

    /// The longest single I/O in bytes.
    pub fn block_len_bytes_max(&self) -> u64 {
        let used = self.block_len_bytes.iter().filter(|&(direction, _)| self.uses(direction));
        used.map(|(_, &len)| len).max().unwrap_or(0)
    }

    /// The length of the grid on which I/Os lie, in bytes: with different lengths for reads and writes the longer one.
    pub fn stride_bytes(&self) -> u64 {
        self.block_len_bytes_max()
    }

    /// How many strides the region has.
    pub fn blocks(&self) -> u64 {
        self.region_len_bytes / self.stride_bytes().max(1)
    }
}
