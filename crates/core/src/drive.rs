//! The drive being tested and its environment: facts as reported by the system.

use serde::{Deserialize, Serialize};

use crate::JsonSchema;
use crate::card::Card;

mod alignment;
mod conditions;
mod controller;
mod environment;
mod file_system;
mod health;
mod health_change;
mod layer;
mod link;
mod md;
mod mount;
mod passport;
mod processors;
mod queue;
mod raspberry_pi;
mod segment;
mod swap;
mod unknown;
mod virtual_disk;

pub use alignment::{Alignment, UnitSource};
pub use conditions::{Conditions, ConditionsOfStep, Temperature};
pub use controller::{CacheBackup, Controller, RaidVolume, WritePolicy};
pub use environment::{Calibration, Environment, IoLimit};
pub use file_system::{
    BtrfsGeometry, Created, CreatedSource, ExtGeometry, ExtJournal, F2fsGeometry, FileSystem, Geometry,
    Inodes, MountEffect, PathFlag, XfsGeometry,
};
pub use health::{Health, HealthSource};
pub use health_change::DriveHealth;
pub use layer::{
    Bcache, Encryption, EncryptionFormat, Layer, LayerDetail, LayerKind, LogicalVolume, LoopDevice, Mapping,
    Partition,
};
pub use link::{
    Bus, Link, MmcLink, MmcSource, MmcTiming, PcieLane, PcieLink, SasLink, SataLink, UsbDriver, UsbLink,
};
pub use md::{MdArray, MdMember, SyncProgress};
pub use mount::{DeviceNumber, Mount};
pub use passport::{DeviceJournal, JournalContent, PASSPORT_VERSION, Passport};
pub use processors::{IdleState, InterruptCount, ProcessorKind};
pub use queue::{CompletesOn, Merges, Queue, Zones};
pub use raspberry_pi::{Board, BootEffect, BootSetting, RaspberryPi, ThrottleState, Throttling};
pub use segment::{Segment, SegmentDetail};
pub use swap::{Swap, SwapTraffic};
pub use unknown::{Fact, Unknown, Why};
pub use virtual_disk::{Provider, VirtualDisk};

/// The storage stack under a path: the file system, the layers below it, and the drives at the bottom.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Drive {
    /// The requested path.
    pub path: String,
    /// Its mount; `None` for a simulated drive.
    pub mount: Option<Mount>,
    /// Layers between file system and drives, from top to bottom. Each lists the layers or drives below it.
    pub layers: Vec<Layer>,
    /// The drives at the bottom: one, or the members of a set. Empty if the path does not lead to a block device.
    pub leaves: Vec<Leaf>,
    /// Offsets of its devices on the drives and sets below, as far as known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub alignments: Vec<Alignment>,
    /// Claimed capacity of the whole stack in bytes; for a file system over several devices, the capacity that it
    /// reports. `None` if unknown.
    pub capacity_bytes: Option<u64>,
    /// Whether it is simulated.
    pub simulated: bool,
    /// Mount points of its file systems, if given as a device.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mounted_at: Vec<String>,
}

impl Drive {
    /// Names of the layers and drives directly below the file system: nothing else in this stack is on top of them.
    pub fn tops(&self) -> Vec<&str> {
        let names =
            self.layers.iter().map(|layer| &layer.name).chain(self.leaves.iter().map(|leaf| &leaf.name));
        let carries_layer = |name: &String| self.layers.iter().any(|layer| layer.below.contains(name));
        names.filter(|name| !carries_layer(name)).map(String::as_str).collect()
    }
}

/// A drive at the bottom of a stack.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Leaf {
    /// Kernel name, such as `mmcblk0`.
    pub name: String,
    /// Kind.
    pub kind: LeafKind,
    /// The model used by a simulated drive; `None` for real ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub simulates: Option<LeafKind>,
    /// Name for commands that destroy data (`--allow-erase`); `None` if not determined.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Reported model name.
    pub model: Option<String>,
    /// Vendor name.
    pub vendor: Option<String>,
    /// Serial number.
    pub serial: Option<String>,
    /// Firmware version.
    pub firmware: Option<String>,
    /// Claimed capacity in bytes.
    pub capacity_bytes: Option<u64>,
    /// Whether it reports to be rotational.
    pub rotational: Option<bool>,
    /// Reported revolutions per minute; 0 if nothing rotates. `None` until queried.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turns_per_min: Option<u32>,
    /// Whether it reports drive-managed shingled recording (SMR). Most SMR drives do not report it.
    #[serde(default)]
    pub hides_zones: bool,
    /// Whether it reports removable media.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub removable: Option<bool>,
    /// Whether it reports a volatile write cache (`write back`) or not (`write through`).
    pub write_cache: Option<String>,
    /// Its I/O scheduler.
    pub scheduler: Option<String>,
    /// Logical block size in bytes.
    pub logical_block_bytes: Option<u64>,
    /// Physical block size in bytes.
    pub physical_block_bytes: Option<u64>,
    /// Whether it accepts discards (TRIM).
    pub discards: Option<bool>,
    /// Its kernel queue; `None` if not reported.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub queue: Option<Queue>,
    /// Its link; `None` if unknown, as in a virtual machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link: Option<Link>,
    /// Register values of a card; `None` for other drives.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub card: Option<Card>,
    /// Its RAID controller, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub controller: Option<Controller>,
    /// Provider of a virtual disk; `None` for a drive of this machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub virtual_disk: Option<VirtualDisk>,
    /// Health; `None` until queried, and if not reported.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub health: Option<Health>,
    /// Properties that could not be determined.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unknown: Vec<Unknown>,
}

/// Kinds of drives, as indicated by the kernel's name and bus.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LeafKind {
    /// An SD card.
    SdCard,
    /// Soldered flash on an MMC bus.
    Emmc,
    /// An NVMe drive.
    Nvme,
    /// A drive on USB.
    Usb,
    /// A SATA drive.
    Sata,
    /// Another SCSI drive or volume.
    Scsi,
    /// A disk of a virtual machine.
    Virtual,
    /// A simulated drive.
    Simulated,
    /// A drive in memory.
    Memory,
    /// Unknown.
    #[default]
    Unknown,
}

/// The machine.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Host {
    /// Host name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Reported name of the board or machine.
    pub model: Option<String>,
    /// Reported name of the processor.
    pub cpu: Option<String>,
    /// Number of processors available to the program.
    pub cpus: Option<u32>,
    /// Kinds of processors, fastest first. Empty if unknown.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub processor_kinds: Vec<ProcessorKind>,
    /// Memory in bytes.
    pub memory_bytes: Option<u64>,
    /// Kernel and release.
    pub kernel: Option<String>,
    /// The architecture.
    pub arch: Option<String>,
    /// The distribution.
    pub os: Option<String>,
    /// Information specific to a Raspberry Pi, if it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub raspberry_pi: Option<RaspberryPi>,
}

/// The kernel's counters for the drives of a stack, added up (`/sys/block/*/stat`).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DeviceCounters {
    /// Completed reads.
    pub read_ios: u64,
    /// Bytes read.
    pub read_bytes: u64,
    /// Completed writes.
    pub write_ios: u64,
    /// Bytes written.
    pub write_bytes: u64,
    /// Completed flushes; 0 on kernels that do not count them.
    pub flush_ios: u64,
}

impl DeviceCounters {
    /// The counts since `earlier`.
    pub fn since(&self, earlier: &Self) -> Self {
        self.with(earlier, u64::wrapping_sub)
    }

    /// The sum of both.
    pub fn plus(&self, other: &Self) -> Self {
        self.with(other, u64::wrapping_add)
    }

    fn with(&self, other: &Self, of: fn(u64, u64) -> u64) -> Self {
        Self {
            read_ios: of(self.read_ios, other.read_ios),
            read_bytes: of(self.read_bytes, other.read_bytes),
            write_ios: of(self.write_ios, other.write_ios),
            write_bytes: of(self.write_bytes, other.write_bytes),
            flush_ios: of(self.flush_ios, other.flush_ios),
        }
    }
}
