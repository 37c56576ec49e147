//! Segments of a device-mapper mapping.

use serde::{Deserialize, Serialize};

use crate::JsonSchema;

/// A segment of a device-mapper device, and its I/O.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Segment {
    /// The kernel's name for its kind, such as `linear`, `striped`, `raid`, `thin`, `crypt`.
    pub target: String,
    /// Offset on the device, in bytes.
    pub start_bytes: u64,
    /// Length in bytes.
    pub len_bytes: u64,
    /// Details of its kind; `None` if it has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<SegmentDetail>,
}

/// Details of a segment, by kind.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SegmentDetail {
    /// Striped over several devices.
    Striped {
        /// Number of devices.
        stripes: u64,
        /// Chunk size in bytes.
        chunk_bytes: u64,
    },
    /// A RAID set, by md's code.
    Raid {
        /// Its level, such as `raid5_ls`.
        level: String,
        /// Number of devices.
        devices: u64,
        /// Chunk size in bytes; `None` for mirrors.
        chunk_bytes: Option<u64>,
    },
    /// A pool for thin volumes.
    ThinPool {
        /// Allocation unit in bytes.
        block_bytes: u64,
    },
    /// Fast devices in front of slow ones.
    Cache {
        /// When a write completes: `writeback`, `writethrough` or `passthrough`.
        mode: String,
        /// Unit of caching in bytes.
        block_bytes: u64,
    },
    /// Changes stored separately from their origin.
    Snapshot {
        /// Unit of copying before a first change, in bytes.
        chunk_bytes: u64,
    },
    /// Each I/O is delayed.
    Delay {
        /// Delay of reads in milliseconds.
        read_ms: u64,
        /// Delay of writes in milliseconds.
        write_ms: u64,
    },
    /// I/O fails periodically.
    Flaky {
        /// Seconds that it works.
        up_s: u64,
        /// Seconds that it fails.
        down_s: u64,
    },
}
