//! A set of drives that the kernel's md driver makes one.

use serde::{Deserialize, Serialize};

use crate::JsonSchema;

/// A Linux software RAID.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MdArray {
    /// `raid0`, `raid1`, `raid4`, `raid5`, `raid6`, `raid10`, `linear` or `container`.
    pub level: Option<String>,
    /// How much lies on one drive before the next one's turn, in bytes; `None` where nothing is striped.
    pub chunk_bytes: Option<u64>,
    /// How many drives make the set whole.
    pub raid_disks: Option<u64>,
    /// How many of them it has, in a change of that number.
    pub raid_disks_before: Option<u64>,
    /// How many drives hold data in a stripe, besides copies and parity; `None` when the level does not stripe or
    /// its layout is not known.
    pub data_disks: Option<u64>,
    /// Its members.
    pub members: Vec<MdMember>,
    /// What it does with writes at this moment, as the kernel says: `clean`, `active`, `readonly`, `broken`.
    pub array_state: Option<String>,
    /// What it does besides serving: `idle`, `resync`, `recover`, `check`, `repair`, `reshape`, `frozen`. `None` for
    /// levels that have nothing to repair.
    pub sync_action: Option<String>,
    /// How far that is; `None` when it is idle or waits.
    pub sync_progress: Option<SyncProgress>,
    /// How many drives are missing; `None` for levels that cannot miss one.
    pub degraded: Option<u64>,
    /// Whether writes are noted in a bitmap first, which makes a resync short and each first write to a region dearer;
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
    /// Its states, as `in_sync`, `spare`, `faulty`, `write_mostly`.
    pub states: Vec<String>,
    /// Its place in the set; `None` for a spare.
    pub slot: Option<u64>,
    /// Where the set's data begins on it, in bytes.
    pub data_offset_bytes: Option<u64>,
}

/// How far a resync or a check is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SyncProgress {
    /// What is done, in bytes of a member.
    pub done_bytes: u64,
    /// What there is to do, in bytes of a member.
    pub total_bytes: u64,
}
