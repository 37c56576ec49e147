//! Layers between a file system and its drives: partitions, RAID sets, volumes, encryption, caches and files used as
//! devices.

use serde::{Deserialize, Serialize};

use super::{MdArray, Segment, Unknown};
use crate::JsonSchema;

/// A layer between a file system and a drive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Layer {
    /// Its kind.
    pub kind: LayerKind,
    /// The kernel's name of the device, such as `nvme0n1p2` or `md0`.
    pub name: String,
    /// Its own name: a volume's name, a RAID set's level, a loop device's file.
    pub label: Option<String>,
    /// Names of the layers and drives below it. Empty if unknown.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub below: Vec<String>,
    /// Details of its kind.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<LayerDetail>,
    /// Segments of a device-mapper device, in order; empty for other devices and if unknown.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub segments: Vec<Segment>,
    /// Properties that could not be determined.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unknown: Vec<Unknown>,
}

impl Layer {
    /// A layer of which only its name and the devices below are known.
    pub fn new(kind: LayerKind, name: &str, below: &[&str]) -> Self {
        Self {
            kind,
            name: name.to_string(),
            label: None,
            below: below.iter().map(|name| name.to_string()).collect(),
            detail: None,
            segments: Vec::new(),
            unknown: Vec::new(),
        }
    }
}

/// Kinds of layers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LayerKind {
    /// A partition.
    Partition,
    /// A Linux software RAID.
    Md,
    /// A logical volume.
    Lvm,
    /// Encryption.
    Crypt,
    /// Another device-mapper target.
    DeviceMapper,
    /// A file used as a block device.
    Loop,
    /// A fast drive that caches a slow one.
    Bcache,
    /// A copy on another machine.
    Drbd,
    /// Anything else.
    Other,
}

/// Details of a layer, by kind.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LayerDetail {
    /// A partition.
    Partition(Partition),
    /// A Linux software RAID.
    Md(MdArray),
    /// A logical volume.
    Lvm(LogicalVolume),
    /// Encryption.
    Crypt(Encryption),
    /// Another device-mapper target.
    DeviceMapper(Mapping),
    /// A file used as a block device.
    Loop(LoopDevice),
    /// A cache.
    Bcache(Bcache),
}

/// A partition.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Partition {
    /// Its number in the partition table.
    pub index: Option<u64>,
    /// Offset on the device, in bytes.
    pub start_bytes: Option<u64>,
    /// Length in bytes.
    pub len_bytes: Option<u64>,
    /// Kind of its partition table, as named by udev: `gpt`, `dos`.
    pub scheme: Option<String>,
    /// Its type in that table: a number such as `0x83`, or a GUID.
    pub type_id: Option<String>,
}

/// An LVM volume.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LogicalVolume {
    /// The volume group.
    pub group: String,
    /// The logical volume.
    pub volume: String,
    /// Which device behind the volume this is, such as `tpool`, `real` or `cow`; `None` for the volume itself.
    pub part: Option<String>,
}

/// Device-mapper encryption.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Encryption {
    /// How the key is stored.
    pub format: EncryptionFormat,
    /// Cipher and mode, such as `aes-xts-plain64`.
    pub cipher: Option<String>,
    /// Encryption sector size in bytes.
    pub sector_bytes: Option<u64>,
    /// Offset of the data on the device below, in bytes.
    pub data_offset_bytes: Option<u64>,
}

/// How an encryption key is stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EncryptionFormat {
    /// LUKS header, version 1.
    Luks1,
    /// LUKS header, version 2.
    Luks2,
    /// Not on the drive.
    Plain,
    /// BitLocker.
    Bitlocker,
    /// TrueCrypt and VeraCrypt.
    Veracrypt,
    /// Another way, by the name that the mapper's user gives it.
    Other(String),
}

/// A device-mapper target other than LVM volumes and encryption.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Mapping {
    /// Its creator, by the prefix of its devices: `mpath`, `DMRAID`, `VERITY`.
    pub maker: Option<String>,
}

/// A file used as a block device.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LoopDevice {
    /// The file; `None` if the kernel does not name it.
    pub backing_file: Option<String>,
    /// Whether the file was removed while in use.
    pub is_deleted: bool,
    /// Whether it bypasses the page cache of the file's own file system.
    pub direct_io: Option<bool>,
    /// Offset of the device in the file, in bytes.
    pub offset_bytes: Option<u64>,
    /// Its block size in bytes.
    pub block_bytes: Option<u64>,
}

/// A fast drive that caches a slow one.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Bcache {
    /// When a write completes: `writethrough`, `writeback`, `writearound`, `none`.
    pub mode: Option<String>,
    /// `no cache`, `clean`, `dirty` or `inconsistent`.
    pub state: Option<String>,
    /// The name of the cached device.
    pub backing_device: Option<String>,
}
