//! The device under test and its environment: facts as the system reports them.

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

/// What stands under a path: the file system, what lies between, and the drives at the bottom.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Drive {
    /// The path that was asked for.
    pub path: String,
    /// The mount that it lies in; `None` for a simulated drive.
    pub mount: Option<Mount>,
    /// What lies between file system and drives, from top to bottom. Each says on which of the others, or of the
    /// drives, it stands.
    pub layers: Vec<Layer>,
    /// The drives at the bottom: one, or the members of a set. Empty when the path does not end at a block device.
    pub leaves: Vec<Leaf>,
    /// Where its devices begin on the drives and sets below, as far as that is known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub alignments: Vec<Alignment>,
    /// What the whole stack holds, in bytes, as it claims; of a file system over several devices, what it says that it can
    /// hold. `None` when unknown.
    pub capacity_bytes: Option<u64>,
    /// Whether it is simulated.
    pub simulated: bool,
    /// Where file systems on it are mounted, when it was named as a device.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mounted_at: Vec<String>,
}

impl Drive {
    /// The names on which the file system itself stands: layers and drives that carry nothing else of this stack.
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
    /// The kernel's name, as `mmcblk0`.
    pub name: String,
    /// What it is.
    pub kind: LeafKind,
    /// What a simulated drive is a model of; `None` for real ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub simulates: Option<LeafKind>,
    /// By what commands that destroy it name it (`--allow-destroy`); `None` where nobody looked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// What it calls itself.
    pub model: Option<String>,
    /// Its vendor name.
    pub vendor: Option<String>,
    /// Its serial number.
    pub serial: Option<String>,
    /// Its firmware.
    pub firmware: Option<String>,
    /// What it claims to hold, in bytes.
    pub capacity_bytes: Option<u64>,
    /// Whether it says that it turns.
    pub rotational: Option<bool>,
    /// How often it turns in a minute, as it says itself; 0 when nothing turns in it. `None` until it is asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turns_per_min: Option<u32>,
    /// Whether it says that its tracks overlap, and that it hides that (drive-managed SMR). Most that do so keep silent.
    #[serde(default)]
    pub hides_zones: bool,
    /// Whether its medium can be taken out, as it says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub removable: Option<bool>,
    /// Whether it says that it can lose acknowledged writes until a flush (`write back`) or not (`write through`).
    pub write_cache: Option<String>,
    /// The scheduler in front of it.
    pub scheduler: Option<String>,
    /// Smallest unit that can be addressed, in bytes.
    pub logical_block_bytes: Option<u64>,
    /// Smallest unit that is written at once, in bytes.
    pub physical_block_bytes: Option<u64>,
    /// Whether it accepts discards (TRIM).
    pub discards: Option<bool>,
    /// Its kernel queue; `None` if not reported.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub queue: Option<Queue>,
    /// What it is connected with; `None` when that is not seen, as in a virtual machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link: Option<Link>,
    /// What the registers of a card say; `None` for other drives.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub card: Option<Card>,
    /// Its RAID controller, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub controller: Option<Controller>,
    /// Provider of a virtual disk; `None` for a drive of this machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub virtual_disk: Option<VirtualDisk>,
    /// Its health; `None` until queried, and if it reports none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub health: Option<Health>,
    /// What was looked for and not found.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unknown: Vec<Unknown>,
}

/// Kinds of drives, as far as the kernel's name and bus show.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LeafKind {
    /// An SD card.
    SdCard,
    /// Soldered flash behind an MMC bus.
    Emmc,
    /// An NVMe drive.
    Nvme,
    /// A drive behind USB.
    Usb,
    /// A SATA drive.
    Sata,
    /// Another SCSI drive or volume.
    Scsi,
    /// A disk of a virtual machine.
    Virtual,
    /// A simulated drive.
    Simulated,
    /// Memory that plays a drive.
    Memory,
    /// Not known.
    #[default]
    Unknown,
}

/// The machine.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Host {
    /// What it is called in its network.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// What the board or machine calls itself.
    pub model: Option<String>,
    /// What the processor calls itself.
    pub cpu: Option<String>,
    /// Processors that the program may use.
    pub cpus: Option<u32>,
    /// How they differ: kinds of them, the fastest first. Empty where that is not known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub processor_kinds: Vec<ProcessorKind>,
    /// Memory in bytes.
    pub memory_bytes: Option<u64>,
    /// Kernel and its release.
    pub kernel: Option<String>,
    /// The architecture.
    pub arch: Option<String>,
    /// The distribution.
    pub os: Option<String>,
    /// Information specific to a Raspberry Pi, if it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub raspberry_pi: Option<RaspberryPi>,
}

/// The kernel's own count for the drives of a stack, added up (`/sys/block/*/stat`).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DeviceCounters {
    /// Reads that completed.
    pub read_ios: u64,
    /// Bytes that they moved.
    pub read_bytes: u64,
    /// Writes that completed.
    pub write_ios: u64,
    /// Bytes that they moved.
    pub write_bytes: u64,
    /// Flushes that completed; 0 on kernels that do not count them.
    pub flush_ios: u64,
}

impl DeviceCounters {
    /// What was counted since `earlier`.
    pub fn since(&self, earlier: &Self) -> Self {
        self.with(earlier, u64::wrapping_sub)
    }

    /// Both counts together.
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
