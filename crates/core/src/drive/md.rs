//! RAID sets of the kernel's md driver.

use serde::{Deserialize, Serialize};

use crate::JsonSchema;

/// A Linux software RAID.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MdArray {
    /// `raid0`, `raid1`, `raid4`, `raid5`, `raid6`, `raid10`, `linear` or `container`.
    pub level: Option<String>,
    /// Chunk size in bytes; `None` if not striped.
    pub chunk_bytes: Option<u64>,
    /// Number of drives in the complete set.
    pub raid_disks: Option<u64>,
    /// Previous number of drives, during a change.
    pub raid_disks_before: Option<u64>,
    /// Number of data drives in a stripe, without copies and parity; `None` if the level is not striped or its layout
    /// is unknown.
    pub data_disks: Option<u64>,
    /// Its members.
    pub members: Vec<MdMember>,
    /// Current state, as reported by the kernel: `clean`, `active`, `readonly`, `broken`.
    pub array_state: Option<String>,
    /// Background action: `idle`, `resync`, `recover`, `check`, `repair`, `reshape`, `frozen`. `None` for levels
    /// without redundancy.
    pub sync_action: Option<String>,
    /// Its progress; `None` if idle or waiting.
    pub sync_progress: Option<SyncProgress>,
    /// Number of missing drives; `None` for levels without redundancy.
    pub degraded: Option<u64>,
    /// Whether it has a write-intent bitmap, which shortens a resync and slows down the first write to each region;
    /// `None` for levels that have none.
    pub has_bitmap: Option<bool>,
    /// Format of its metadata on the drives, such as `1.2`.
    pub metadata_version: Option<String>,
}

/// A member of a set.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MdMember {
    /// The kernel's name of the device.
    pub name: String,
    /// Its states, such as `in_sync`, `spare`, `faulty`, `write_mostly`.
    pub states: Vec<String>,
    /// Its slot in the set; `None` for a spare.
    pub slot: Option<u64>,
    /// Offset of the set's data, in bytes.
    pub data_offset_bytes: Option<u64>,
}

/// Progress of a resync or a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SyncProgress {
    /// Completed part, in bytes of a member.
    pub done_bytes: u64,
    /// Total, in bytes of a member.
    pub total_bytes: u64,
}
