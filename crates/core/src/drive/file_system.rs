//! What a file system was made with, how it is mounted, how full it is and what it does with what is written.

use serde::{Deserialize, Serialize};

use super::Unknown;
use crate::JsonSchema;

/// What is known of a mounted file system besides its type.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FileSystem {
    /// Its unit of allocation in bytes: block or cluster.
    pub block_bytes: Option<u64>,
    /// What is free, in bytes, with what only root may use.
    pub free_bytes: Option<u64>,
    /// How many files it has room for; `None` where it makes room as it goes.
    pub inodes: Option<Inodes>,
    /// When it was made.
    pub created: Option<Created>,
    /// Whether what is written over goes to a new place; `None` when that is not known of its type.
    pub copy_on_write: Option<bool>,
    /// The longest file that it can hold, where that is less than drives have.
    pub file_len_bytes_max: Option<u64>,
    /// What its mount options do to figures.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub effects: Vec<MountEffect>,
    /// What the path itself is marked with.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub flags: Vec<PathFlag>,
    /// What it was made with, by its type.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub geometry: Option<Geometry>,
    /// What was looked for and not found.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unknown: Vec<Unknown>,
}

/// Room for files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Inodes {
    /// All.
    pub total: u64,
    /// Those that are free.
    pub free: u64,
}

/// When a file system was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Created {
    /// Seconds since 1970.
    pub unix_s: u64,
    /// Source of the time.
    pub source: CreatedSource,
}

/// Source of a file system's creation time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CreatedSource {
    /// The file system itself.
    Superblock,
    /// The directory in which it is mounted, which is as a rule made with it. A copied file system keeps the time of
    /// the first.
    MountRoot,
}

/// What a mount option does to figures.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MountEffect {
    /// Each write waits for the drive (`sync`).
    WritesWait,
    /// Each change of a directory waits for the drive (`dirsync`).
    DirectoryChangesWait,
    /// Data is written twice, first to the journal (`data=journal`).
    DataJournaled,
    /// Data may reach a file later than its length does (`data=writeback`).
    DataUnordered,
    /// A sync does not flush the drive's cache (`nobarrier`, `barrier=0`, `fsync_mode=nobarrier`).
    NoBarriers,
    /// What is deleted is discarded at once (`discard`), later in the background (`discard=async`).
    Discards {
        /// Whether in the background.
        in_background: bool,
    },
    /// Reading changes no time of access (`noatime`).
    NoAccessTimes,
    /// Each read changes a time of access (`strictatime`).
    AllAccessTimes,
    /// Data is compressed.
    Compresses {
        /// By which method, with its level, as `zstd:3`.
        method: String,
        /// Also what seems not to shrink.
        is_forced: bool,
    },
    /// What is written over stays in place, without checksums (`nodatacow`).
    NoCopyOnWrite,
    /// Data goes around the page cache (`dax`).
    Dax,
    /// How often it commits by itself, in seconds (`commit=`).
    CommitsEvery {
        /// The time between two commits, in seconds.
        seconds: u64,
    },
}

/// What a directory or file is marked with. New files take it over from their directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PathFlag {
    /// What is written over stays in place.
    NoCopyOnWrite,
    /// Data is compressed.
    Compressed,
    /// Data is not compressed, whatever the mount says.
    NotCompressed,
    /// Content and names are encrypted by the file system (fscrypt).
    Encrypted,
    /// Files can only grow.
    AppendOnly,
    /// Nothing can be changed.
    Immutable,
    /// Each write waits for the drive.
    WritesWait,
    /// Data is written twice, first to the journal.
    DataJournaled,
    /// Data goes around the page cache.
    Dax,
}

/// What a file system was made with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Geometry {
    /// Of XFS.
    Xfs(XfsGeometry),
    /// Of ext2, ext3 or ext4.
    Ext(ExtGeometry),
    /// Of btrfs.
    Btrfs(BtrfsGeometry),
    /// Of F2FS.
    F2fs(F2fsGeometry),
}

/// What `xfs_info` shows.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct XfsGeometry {
    /// Block size in bytes.
    pub block_bytes: u64,
    /// Inode size in bytes.
    pub inode_bytes: u64,
    /// Sector size in bytes.
    pub sector_bytes: u64,
    /// Allocation groups, each of which can be written to at once.
    pub groups: u64,
    /// Length of the log in bytes.
    pub log_bytes: u64,
    /// Whether the log is on a separate device.
    pub log_is_external: bool,
    /// What the log's writes are rounded up to, in bytes; 0 or 1 without.
    pub log_stripe_bytes: u64,
    /// Stripe unit per drive of a set, in bytes; 0 if not set.
    pub stripe_unit_bytes: u64,
    /// The same over all data drives, in bytes; 0 if not set.
    pub stripe_width_bytes: u64,
    /// Whether metadata has checksums (`crc`).
    pub has_checksums: bool,
    /// Whether files can share blocks (`reflink`).
    pub has_reflink: bool,
    /// Whether blocks know their owners (`rmapbt`).
    pub has_reverse_map: bool,
    /// Whether times reach beyond 2038 (`bigtime`).
    pub has_bigtime: bool,
}

/// What `dumpe2fs` shows.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ExtGeometry {
    /// Block size in bytes.
    pub block_bytes: u64,
    /// Inode size in bytes.
    pub inode_bytes: u64,
    /// The features, as dumpe2fs names them.
    pub features: Vec<String>,
    /// The journal.
    pub journal: ExtJournal,
    /// Stride per drive of a set, in bytes; 0 if not set.
    pub stride_bytes: u64,
    /// The same over all data drives, in bytes; 0 if not set.
    pub stripe_width_bytes: u64,
    /// What only root may use, in bytes.
    pub reserved_bytes: u64,
}

/// Where the journal lies.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ExtJournal {
    /// There is none.
    #[default]
    None,
    /// In the file system.
    Internal {
        /// Its length in bytes, where that is noted.
        len_bytes: Option<u64>,
    },
    /// On a separate device.
    External,
}

/// What btrfs shows in sysfs.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BtrfsGeometry {
    /// Its id.
    pub uuid: String,
    /// How many devices it has.
    pub devices: u64,
    /// Size of a node of its trees, in bytes.
    pub node_bytes: Option<u64>,
    /// Size of a sector, in bytes.
    pub sector_bytes: Option<u64>,
    /// The method of its checksums.
    pub checksum: Option<String>,
    /// How data is spread over the devices: `single`, `raid1`; several while that changes.
    pub data_profiles: Vec<String>,
    /// How metadata is spread over the devices.
    pub metadata_profiles: Vec<String>,
    /// The features that are on.
    pub features: Vec<String>,
}

/// What F2FS shows in sysfs.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct F2fsGeometry {
    /// The features that are on.
    pub features: Vec<String>,
}
