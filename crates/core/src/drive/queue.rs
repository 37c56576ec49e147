//! Kernel queue settings of a drive.

use serde::{Deserialize, Serialize};

use crate::JsonSchema;

/// Limits and settings of a drive's kernel queue (`/sys/block/NAME/queue`). `None` if not reported.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Queue {
    /// Whether a single write can be made durable (FUA) without flushing the whole cache.
    pub fua: Option<bool>,
    /// Discard granularity in bytes; 0 if discards are not supported.
    pub discard_granularity_bytes: Option<u64>,
    /// Maximum size of a discard in bytes; 0 if discards are not supported.
    pub discard_max_bytes: Option<u64>,
    /// Discard command for a SCSI drive, such as `unmap`, or `full` for none.
    pub provisioning: Option<String>,
    /// Whether the drive has zones that must be written sequentially.
    pub zones: Option<Zones>,
    /// Minimum I/O size without overhead, in bytes: for a RAID set its chunk.
    pub minimum_io_bytes: Option<u64>,
    /// Optimal I/O size in bytes: for a RAID set its stripe.
    pub optimal_io_bytes: Option<u64>,
    /// Offset of the drive's physical blocks against its logical ones, in bytes.
    pub alignment_offset_bytes: Option<u64>,
    /// Maximum read-ahead in bytes.
    pub read_ahead_bytes: Option<u64>,
    /// Number of requests that the scheduler holds, for reads and writes each.
    pub requests_max: Option<u32>,
    /// Which processor handles completions.
    pub completes_on: Option<CompletesOn>,
    /// Which adjacent I/Os are merged.
    pub merges: Option<Merges>,
    /// Whether completions can be polled for.
    pub polls: Option<bool>,
    /// Read latency at which background writes are throttled, in microseconds; 0 for never.
    pub write_throttle_us: Option<u64>,
}

/// Write constraints of a zoned drive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Zones {
    /// None.
    None,
    /// It accepts writes anywhere, and is faster if they are sequential.
    HostAware,
    /// It rejects writes that are not sequential.
    HostManaged,
}

/// Which processor handles completions (`rq_affinity`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CompletesOn {
    /// The one that receives the interrupt.
    Any,
    /// One that shares a cache with the submitter.
    Group,
    /// The submitter.
    Same,
}

/// Which adjacent I/Os are merged (`nomerges`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Merges {
    /// All that can be found.
    All,
    /// Those found by a quick check.
    Simple,
    /// None.
    None,
}
