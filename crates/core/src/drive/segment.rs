//! Segments of a mapping of the device mapper.

use serde::{Deserialize, Serialize};

use crate::JsonSchema;

/// A stretch of a device of the device mapper, and what becomes of I/O to it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Segment {
    /// The kernel's word for its kind, as `linear`, `striped`, `raid`, `thin`, `crypt`.
    pub target: String,
    /// Where it begins on the device, in bytes.
    pub start_bytes: u64,
    /// How long it is, in bytes.
    pub len_bytes: u64,
    /// What is known of its kind; `None` where its word says all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<SegmentDetail>,
}

/// What is known of a segment, by its kind.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SegmentDetail {
    /// Spread over several devices.
    Striped {
        /// Devices.
        stripes: u64,
        /// What lies on one before the next one's turn, in bytes.
        chunk_bytes: u64,
    },
    /// A RAID set by the code of md.
    Raid {
        /// Its level, as `raid5_ls`.
        level: String,
        /// Devices in it.
        devices: u64,
        /// What lies on one before the next one's turn, in bytes; `None` for copies.
        chunk_bytes: Option<u64>,
    },
    /// Room from which thin volumes are filled.
    ThinPool {
        /// What is given out at once, in bytes.
        block_bytes: u64,
    },
    /// Fast devices in front of slow ones.
    Cache {
        /// When a write is done: `writeback`, `writethrough` or `passthrough`.
        mode: String,
        /// What is moved at once, in bytes.
        block_bytes: u64,
    },
    /// Changes stored separately from their origin.
    Snapshot {
        /// What is copied before its first change, in bytes.
        chunk_bytes: u64,
    },
    /// Each I/O waits.
    Delay {
        /// So long before a read, in milliseconds.
        read_ms: u64,
        /// So long before a write, in milliseconds.
        write_ms: u64,
    },
    /// I/O fails from time to time.
    Flaky {
        /// Seconds in which it works.
        up_s: u64,
        /// Seconds in which it does not.
        down_s: u64,
    },
}
