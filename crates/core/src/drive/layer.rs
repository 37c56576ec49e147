//! What lies between a file system and its drives: partitions, RAID sets, volumes, encryption, caches and files that
//! play a device.

use serde::{Deserialize, Serialize};

use super::{MdArray, Segment, Unknown};
use crate::JsonSchema;

/// Something between a file system and a drive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Layer {
    /// What it is.
    pub kind: LayerKind,
    /// The kernel's name of the device, as `nvme0n1p2` or `md0`.
    pub name: String,
    /// What it calls itself: a volume's name, a RAID set's level, a loop's file.
    pub label: Option<String>,
    /// The names of the layers and drives on which it stands. Empty when that is not known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub below: Vec<String>,
    /// What is known of its kind.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<LayerDetail>,
    /// The segments of a device of the device mapper, in their order; empty for others, and when they are not known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub segments: Vec<Segment>,
    /// What was looked for and not found.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unknown: Vec<Unknown>,
}

impl Layer {
    /// A layer of which only its name and what is below it are known.
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
    /// A file that plays a block device.
    Loop,
    /// A fast drive that caches a slow one.
    Bcache,
    /// A copy on another machine.
    Drbd,
    /// Anything else.
    Other,
}

/// What is known of a layer, by its kind.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LayerDetail {
    /// Of a partition.
    Partition(Partition),
    /// Of a Linux software RAID.
    Md(MdArray),
    /// Of a logical volume.
    Lvm(LogicalVolume),
    /// Of encryption.
    Crypt(Encryption),
    /// Of another device-mapper target.
    DeviceMapper(Mapping),
    /// Of a file that plays a block device.
    Loop(LoopDevice),
    /// Of a cache.
    Bcache(Bcache),
}

/// A part of a device.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Partition {
    /// Its number in the table.
    pub index: Option<u64>,
    /// Where it begins on the device, in bytes.
    pub start_bytes: Option<u64>,
    /// How long it is, in bytes.
    pub len_bytes: Option<u64>,
    /// The kind of table it stands in, as udev names it: `gpt`, `dos`.
    pub scheme: Option<String>,
    /// Its type in that table: a number as `0x83`, or a GUID.
    pub type_id: Option<String>,
}

/// A volume of LVM.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LogicalVolume {
    /// The volume group.
    pub group: String,
    /// The logical volume.
    pub volume: String,
    /// Which of the devices behind the volume this is, as `tpool`, `real` or `cow`; `None` for the volume itself.
    pub part: Option<String>,
}

/// Encryption by the device mapper.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Encryption {
    /// How the key is kept.
    pub format: EncryptionFormat,
    /// Cipher and mode, as `aes-xts-plain64`.
    pub cipher: Option<String>,
    /// How much is encrypted at once, in bytes.
    pub sector_bytes: Option<u64>,
    /// Where the data begins on the device below, in bytes.
    pub data_offset_bytes: Option<u64>,
}

/// How the key of an encryption is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EncryptionFormat {
    /// In a LUKS header of the first version.
    Luks1,
    /// In a LUKS header of the second version.
    Luks2,
    /// Nowhere on the drive.
    Plain,
    /// As BitLocker does.
    Bitlocker,
    /// As TrueCrypt and VeraCrypt do.
    Veracrypt,
    /// In another way, as the mapper's user calls it.
    Other(String),
}

/// A target of the device mapper that is neither a volume of LVM nor encryption.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Mapping {
    /// Its creator, by the prefix of its devices: `mpath`, `DMRAID`, `VERITY`.
    pub maker: Option<String>,
}

/// A file that plays a block device.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LoopDevice {
    /// The file; `None` when the kernel does not name it.
    pub backing_file: Option<String>,
    /// Whether the file was removed while in use.
    pub is_deleted: bool,
    /// Whether it goes past the page cache of the file's own file system.
    pub direct_io: Option<bool>,
    /// Where the device begins in the file, in bytes.
    pub offset_bytes: Option<u64>,
    /// Its block size in bytes.
    pub block_bytes: Option<u64>,
}

/// A fast drive that caches a slow one.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Bcache {
    /// When a write is done: `writethrough`, `writeback`, `writearound`, `none`.
    pub mode: Option<String>,
    /// `no cache`, `clean`, `dirty` or `inconsistent`.
    pub state: Option<String>,
    /// The name of the device that is cached.
    pub backing_device: Option<String>,
}
