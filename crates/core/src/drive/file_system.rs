//! A file system's parameters, mount options, free space and effect on writes.

use serde::{Deserialize, Serialize};

use super::Unknown;
use crate::JsonSchema;

/// Properties of a mounted file system besides its type.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FileSystem {
    /// Allocation unit in bytes: block or cluster.
    pub block_bytes: Option<u64>,
    /// Free space in bytes, including the part reserved for root.
    pub free_bytes: Option<u64>,
    /// Maximum number of files; `None` if allocated on demand.
    pub inodes: Option<Inodes>,
    /// Creation time.
    pub created: Option<Created>,
    /// Whether overwritten data goes to a new place (copy on write); `None` if unknown for its type.
    pub copy_on_write: Option<bool>,
    /// Maximum file size, if smaller than common drives.
    pub file_len_bytes_max: Option<u64>,
    /// Effects of its mount options on figures.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub effects: Vec<MountEffect>,
    /// Attributes of the path itself.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub flags: Vec<PathFlag>,
    /// Creation parameters, by type.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub geometry: Option<Geometry>,
    /// Properties that could not be determined.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unknown: Vec<Unknown>,
}

/// Inodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Inodes {
    /// Total.
    pub total: u64,
    /// Free.
    pub free: u64,
}

/// Creation time of a file system.
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
    /// The mount point's directory, which is usually created with the file system. A copied file system keeps the
    /// time of the original.
    MountRoot,
}

/// Effect of a mount option on figures.
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
    /// Deleted data is discarded at once (`discard`) or later in the background (`discard=async`).
    Discards {
        /// Whether in the background.
        in_background: bool,
    },
    /// Reads do not update the access time (`noatime`).
    NoAccessTimes,
    /// Each read updates the access time (`strictatime`).
    AllAccessTimes,
    /// Data is compressed.
    Compresses {
        /// Method and level, such as `zstd:3`.
        method: String,
        /// Even data that seems incompressible.
        is_forced: bool,
    },
    /// Data is overwritten in place, without checksums (`nodatacow`).
    NoCopyOnWrite,
    /// I/O bypasses the page cache (`dax`).
    Dax,
    /// Interval of automatic commits (`commit=`).
    CommitsEvery {
        /// Interval in seconds.
        seconds: u64,
    },
}

/// An attribute of a directory or file. New files inherit it from their directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PathFlag {
    /// Data is overwritten in place.
    NoCopyOnWrite,
    /// Data is compressed.
    Compressed,
    /// Data is not compressed, whatever the mount options.
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
    /// I/O bypasses the page cache.
    Dax,
}

/// Creation parameters of a file system.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Geometry {
    /// XFS.
    Xfs(XfsGeometry),
    /// ext2, ext3 or ext4.
    Ext(ExtGeometry),
    /// btrfs.
    Btrfs(BtrfsGeometry),
    /// F2FS.
    F2fs(F2fsGeometry),
}

/// Output of `xfs_info`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct XfsGeometry {
    /// Block size in bytes.
    pub block_bytes: u64,
    /// Inode size in bytes.
    pub inode_bytes: u64,
    /// Sector size in bytes.
    pub sector_bytes: u64,
    /// Number of allocation groups; each can be written to in parallel.
    pub groups: u64,
    /// Length of the log in bytes.
    pub log_bytes: u64,
    /// Whether the log is on a separate device.
    pub log_is_external: bool,
    /// Log stripe unit in bytes; 0 or 1 if not set.
    pub log_stripe_bytes: u64,
    /// Stripe unit of a RAID set, in bytes; 0 if not set.
    pub stripe_unit_bytes: u64,
    /// Stripe width over all data drives, in bytes; 0 if not set.
    pub stripe_width_bytes: u64,
    /// Whether metadata has checksums (`crc`).
    pub has_checksums: bool,
    /// Whether files can share blocks (`reflink`).
    pub has_reflink: bool,
    /// Whether blocks know their owners (`rmapbt`).
    pub has_reverse_map: bool,
    /// Whether timestamps extend beyond 2038 (`bigtime`).
    pub has_bigtime: bool,
}

/// Output of `dumpe2fs`.
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
    /// RAID stride in bytes; 0 if not set.
    pub stride_bytes: u64,
    /// Stripe width over all data drives, in bytes; 0 if not set.
    pub stripe_width_bytes: u64,
    /// Space reserved for root, in bytes.
    pub reserved_bytes: u64,
}

/// Location of the journal.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ExtJournal {
    /// No journal.
    #[default]
    None,
    /// Inside the file system.
    Internal {
        /// Length in bytes, if recorded.
        len_bytes: Option<u64>,
    },
    /// On a separate device.
    External,
}

/// Properties of btrfs from sysfs.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BtrfsGeometry {
    /// UUID.
    pub uuid: String,
    /// Number of devices.
    pub devices: u64,
    /// Tree node size in bytes.
    pub node_bytes: Option<u64>,
    /// Sector size in bytes.
    pub sector_bytes: Option<u64>,
    /// Checksum algorithm.
    pub checksum: Option<String>,
    /// Data profiles: `single`, `raid1`; several during a conversion.
    pub data_profiles: Vec<String>,
    /// Metadata profiles.
    pub metadata_profiles: Vec<String>,
    /// Enabled features.
    pub features: Vec<String>,
}

/// Properties of F2FS from sysfs.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct F2fsGeometry {
    /// Enabled features.
    pub features: Vec<String>,
}
