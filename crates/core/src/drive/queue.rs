//! How the kernel talks to a drive.

use serde::{Deserialize, Serialize};

use crate::JsonSchema;

/// Limits and settings of a drive's kernel queue (`/sys/block/NAME/queue`). `None` if not reported.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Queue {
    /// Whether a single write can be made durable (FUA), so that no flush of the whole cache is needed for it.
    pub fua: Option<bool>,
    /// The unit in which blocks are discarded, in bytes; 0 where discards are not taken.
    pub discard_granularity_bytes: Option<u64>,
    /// The most that is discarded at once, in bytes; 0 where discards are not taken.
    pub discard_max_bytes: Option<u64>,
    /// How a SCSI drive is asked to discard, as `unmap`, or `full` when it is not.
    pub provisioning: Option<String>,
    /// Whether the drive is made of zones that are written from their start only.
    pub zones: Option<Zones>,
    /// The smallest I/O that costs no more than itself, in bytes: for a RAID set its chunk.
    pub minimum_io_bytes: Option<u64>,
    /// What large I/Os are best a multiple of, in bytes: for a RAID set its stripe.
    pub optimal_io_bytes: Option<u64>,
    /// By how much the drive's physical blocks are shifted against its logical ones, in bytes.
    pub alignment_offset_bytes: Option<u64>,
    /// What is read ahead of a reader at most, in bytes.
    pub read_ahead_bytes: Option<u64>,
    /// I/Os that the scheduler holds, reads and writes each.
    pub requests_max: Option<u32>,
    /// Which processor handles completions.
    pub completes_on: Option<CompletesOn>,
    /// Which neighbouring I/Os are joined.
    pub merges: Option<Merges>,
    /// Whether the end of an I/O can be polled for.
    pub polls: Option<bool>,
    /// The latency of reads for which background writes are held back, in microseconds; 0 when they never are.
    pub write_throttle_us: Option<u64>,
}

/// Write constraints of a zoned drive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Zones {
    /// It has none.
    None,
    /// It takes writes anywhere, and is faster where they follow each other.
    HostAware,
    /// It refuses writes that do not follow each other.
    HostManaged,
}

/// Which processor handles completions (`rq_affinity`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CompletesOn {
    /// The one that the drive interrupts.
    Any,
    /// One that shares a cache with the one that asked.
    Group,
    /// The one that asked.
    Same,
}

/// Which neighbouring I/Os are joined (`nomerges`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Merges {
    /// All that are found.
    All,
    /// Those that are found at the first glance.
    Simple,
    /// None.
    None,
}
