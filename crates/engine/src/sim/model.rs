//! The physical parameters of a simulated drive, and the text that they are read from.
//!
//! A model is a TOML document; those in `models/` are embedded ([`MODELS`]) and are examples to copy. Lengths and
//! positions are bytes, times nanoseconds, rates bytes per second. All fields are checked when a model is read, so the
//! drive itself divides by no zero and waits for no year. What each part does with its parameters is told beside the
//! part: `mechanism.rs` (channels, bus, reads, writes, flushes), `mapping.rs`, `room.rs`, `background.rs`, `thermal.rs`,
//! `variation.rs`.

use serde::Deserialize;
use thiserror::Error;

use super::faults::Fault;
use super::validate;

/// The shipped models: name and text.
pub const MODELS: &[(&str, &str)] = &[
    ("sandisk-ultra-64", include_str!("models/sandisk-ultra-64.toml")),
    ("kioxia-sata-960", include_str!("models/kioxia-sata-960.toml")),
    ("bad-card", include_str!("models/bad-card.toml")),
    ("fake-card", include_str!("models/fake-card.toml")),
];

/// Why a text is no model.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ModelError {
    /// It is no TOML, lacks a field, or has one that is not known.
    #[error("line {line}, column {column}: {problem}")]
    Text {
        /// Line, from 1.
        line: usize,
        /// Column in characters, from 1.
        column: usize,
        /// What is wrong there.
        problem: String,
    },
    /// A number that no drive has.
    #[error("{field}: {problem}")]
    Value {
        /// Path of the field, as `write.full[1].share`.
        field: String,
        /// What is wrong with it.
        problem: String,
    },
}

/// A drive's physical parameters.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DriveModel {
    /// A short name: what `--simulate` is given.
    pub name: String,
    /// What it is, for people.
    pub title: String,
    /// What kind of drive it is.
    pub kind: DriveKind,
    /// What it claims to hold, in bytes.
    pub capacity_bytes: u64,
    /// What it holds in truth; `None` for an honest drive.
    pub fake: Option<Fake>,
    /// Requests that it works on at once. Further ones wait.
    pub channels: u32,
    /// The bus to the host, which all channels share.
    pub bus: Bus,
    /// How it reads.
    pub read: Read,
    /// How it writes.
    pub write: Write,
    /// The units in which it keeps track of where data is.
    pub mapping: Mapping,
    /// A fast region in front of slower flash; `None` when all of it is equally fast.
    pub cache: Option<Cache>,
    /// How it gets erased blocks once those it kept ready are used up; `None` when it never stops for that.
    pub collection: Option<Collection>,
    /// How it makes writes durable.
    pub flush: Flush,
    /// Work of its own that it stops for.
    #[serde(default)]
    pub interruptions: Vec<Interruption>,
    /// How it protects itself from heat; `None` when it needs not.
    pub thermal: Option<Thermal>,
    /// How much its speed differs between runs and wanders within one.
    pub variation: Variation,
    /// What goes wrong with it.
    #[serde(default)]
    pub faults: Vec<Fault>,
}

/// Kinds of drives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DriveKind {
    /// An SD or microSD card.
    SdCard,
    /// A USB stick.
    UsbStick,
    /// A solid-state drive behind SATA, or behind USB.
    Ssd,
    /// A solid-state drive behind PCI Express.
    Nvme,
    /// A drive with turning disks.
    HardDisk,
}

impl DriveKind {
    /// The word for it, as it is written in a model.
    pub const fn name(self) -> &'static str {
        match self {
            DriveKind::SdCard => "sd_card",
            DriveKind::UsbStick => "usb_stick",
            DriveKind::Ssd => "ssd",
            DriveKind::Nvme => "nvme",
            DriveKind::HardDisk => "hard_disk",
        }
    }
}

/// A capacity that is not what the label says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fake {
    /// What the drive holds, in bytes.
    pub real_capacity_bytes: u64,
    /// What becomes of writes behind it.
    pub beyond: Beyond,
}

/// What a fake does with a position that it does not have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Beyond {
    /// It starts again at 0 and overwrites what is there.
    Wrap,
    /// It says yes and forgets.
    Limbo,
}

/// The bus to the host.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bus {
    /// What each request costs besides data: command, answer, interrupt, in nanoseconds. It holds a channel, but not
    /// the bus.
    pub command_ns: u64,
    /// The longest request that the kernel sends in one piece, in bytes; a longer one counts as several.
    pub transfer_len_bytes_max: u64,
}

/// How a drive reads.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Read {
    /// Rate at which read data crosses the bus, in bytes per second.
    pub bytes_per_s: u64,
    /// What finding and sensing the first page costs where a read continues the one before, in nanoseconds.
    pub sequential_ns: u64,
    /// What it costs elsewhere. The shares are those of blocks, not of reads: flash with three bits in a cell has pages of
    /// three speeds, and reading a block again takes the same time again.
    pub pages: Vec<Path>,
}

/// How a drive writes.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Write {
    /// Rate at which written data crosses the bus, in bytes per second.
    pub bytes_per_s: u64,
    /// Writes below this length, in bytes, are partial.
    pub partial_below_bytes: u64,
    /// What a partial write costs after its data has crossed the bus, whatever its length.
    pub partial: Vec<Path>,
    /// What each MiB of any other write costs after its data has crossed the bus.
    pub full: Vec<Path>,
    /// What the first write after a flush costs on top, in nanoseconds: the buffer has to be set up again.
    pub after_flush_ns: u64,
}

/// The units in which a drive keeps track of where data is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mapping {
    /// Length of a unit in bytes. What a write leaves out of a unit is copied.
    pub unit_bytes: u64,
    /// Places at which writes can go on without copying.
    pub open_units: u32,
    /// Rate of copying inside the drive, in bytes per second.
    pub copy_bytes_per_s: u64,
}

/// A region in which the flash stores one bit in a cell, fast ("pSLC").
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cache {
    /// How much it takes, in bytes.
    pub len_bytes: u64,
    /// How many times longer programming takes when it is full.
    pub slow_factor: f64,
    /// How fast it is emptied in time without writes, in bytes per second.
    pub refill_bytes_per_s: u64,
}

/// How a drive gets erased blocks under load.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Collection {
    /// What can be written before the first stall, in bytes: blocks that were erased in quiet times.
    pub reserve_bytes: u64,
    /// What one stall makes room for, in bytes.
    pub superblock_bytes: u64,
    /// How long a stall is.
    pub stalls: Vec<Path>,
    /// Share of stalls that are followed by another soon: they come in clusters. The room that the cluster made is then
    /// used without a stall.
    pub repeat_share: f64,
    /// What is written between the stalls of a cluster, in bytes.
    pub repeat_gap_bytes: u64,
    /// How fast the reserve comes back in time without writes, in bytes per second.
    pub refill_bytes_per_s: u64,
}

/// How a drive, and the file system's journal on it, make writes durable.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Flush {
    /// Requests by which the journal is written.
    pub journal_ios: u64,
    /// What they carry together, in bytes.
    pub journal_bytes: u64,
    /// What all of that takes. A flush with nothing to make durable costs a command.
    pub paths: Vec<Path>,
}

/// Work of a drive's own that a request has to wait for: refreshing worn pages, levelling wear, writing its tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Interruption {
    /// Which work makes it necessary.
    pub after: Wearing,
    /// How much of that work comes between two, in nanoseconds; each distance differs from it by up to a tenth.
    pub every_ns: u64,
    /// How long it takes on average, in nanoseconds.
    pub mean_ns: u64,
    /// Standard deviation of that, in nanoseconds.
    pub deviation_ns: u64,
}

/// What makes an [`Interruption`] necessary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Wearing {
    /// Time spent with reads.
    Reads,
    /// Time spent with writes and flushes.
    Writes,
    /// Time spent with any request.
    AnyWork,
}

/// How a drive protects itself from heat. Temperatures are kelvin above that of the drive at rest.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Thermal {
    /// How much a GiB warms it, in kelvin.
    pub heating_k_per_gib: f64,
    /// How much it cools in a second, in kelvin.
    pub cooling_k_per_s: f64,
    /// Where it becomes slow, in kelvin.
    pub limit_k: f64,
    /// Where it becomes fast again, in kelvin.
    pub resume_k: f64,
    /// How many times longer all takes while it is slow.
    pub slow_factor: f64,
}

/// How a drive's speed differs between runs and wanders within one. Both are factors on all that it does.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Variation {
    /// Standard deviation between seeds, as a share.
    pub run_to_run: f64,
    /// Standard deviation of the wandering, as a share.
    pub drift: f64,
    /// How long the wandering remembers, in nanoseconds: its autocorrelation falls to 1/e in this time.
    pub drift_time_ns: u64,
}

/// One way that an operation can take through the firmware, or one kind of page.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Path {
    /// How often it is taken, as a share of all.
    pub share: f64,
    /// How long it takes on average, in nanoseconds.
    pub mean_ns: u64,
    /// Standard deviation of that, in nanoseconds; it is a normal distribution cut off at three of them, and at 0.
    pub deviation_ns: u64,
}

impl DriveModel {
    /// Reads a model.
    ///
    /// # Errors
    /// When the text is no TOML, lacks a field, has one that is not known, or holds a number that no drive has.
    pub fn from_toml(text: &str) -> Result<Self, ModelError> {
        let model: Self = toml::from_str(text).map_err(|error| {
            let at = error.span().map_or(0, |span| span.start).min(text.len());
            let before = text.get(..at).unwrap_or_default();
            let line = before.matches('\n').count() + 1;
            let column = before.chars().rev().take_while(|&c| c != '\n').count() + 1;
            ModelError::Text { line, column, problem: error.message().replace('\n', ", ") }
        })?;
        validate::check(&model)?;
        Ok(model)
    }

    /// A shipped model, by its name.
    pub fn named(name: &str) -> Option<Self> {
        let &(_, text) = MODELS.iter().find(|(model, _)| *model == name)?;
        Self::from_toml(text).ok()
    }

    /// What the drive holds in truth, in bytes.
    pub fn real_capacity_bytes(&self) -> u64 {
        self.fake.map_or(self.capacity_bytes, |fake| fake.real_capacity_bytes)
    }
}
