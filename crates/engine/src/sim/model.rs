//! The physical parameters of a simulated drive, and their text format.
//!
//! A model is a TOML document; those in `models/` are embedded ([`MODELS`]) and are examples to copy. Lengths
//! and positions are bytes, times nanoseconds, rates bytes per second. All fields are validated when a model
//! is read, so the drive never divides by zero or waits for a year. The use of the parameters is documented
//! in `mechanism.rs` (channels, bus, reads, writes, flushes), `mapping.rs`, `room.rs`, `background.rs`,
//! `thermal.rs` and `variation.rs`.

use cardiograph_core::{Message, message};
use serde::{Deserialize, Serialize};

use super::faults::Fault;

/// The shipped models: name and text.
pub const MODELS: &[(&str, &str)] = &[
    ("sandisk-ultra-64", include_str!("models/sandisk-ultra-64.toml")),
    ("kioxia-sata-960", include_str!("models/kioxia-sata-960.toml")),
    ("bad-card", include_str!("models/bad-card.toml")),
    ("fake-card", include_str!("models/fake-card.toml")),
];

/// Why a text is not a valid model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ModelError {
    /// It is not TOML, lacks a field, or has an unknown one.
    Text {
        /// Line, from 1.
        line: usize,
        /// Column in characters, from 1.
        column: usize,
        /// The problem there.
        problem: String,
    },
    /// A number is impossible for a drive.
    Value {
        /// Path of the field, such as `write.full[1].share`.
        field: String,
        /// The problem with it.
        problem: Message,
    },
}

impl ModelError {
    /// Says where and why, in a line.
    pub fn message(&self) -> Message {
        match self {
            Self::Text { line, column, problem } => {
                let (line, column) = (line.to_string(), column.to_string());
                message!("model-problem.text", line, column, problem)
            }
            Self::Value { field, problem } => {
                message!("model-problem.value", field, problem = problem.clone())
            }
        }
    }
}

/// A drive's physical parameters.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DriveModel {
    /// A short name, for `--simulate`.
    pub name: String,
    /// A description for people.
    pub title: String,
    /// The kind of drive.
    pub kind: DriveKind,
    /// Claimed capacity, in bytes.
    pub capacity_bytes: u64,
    /// The marks on its label; only for cards.
    pub marks: Option<Marks>,
    /// Its real capacity; `None` for an honest drive.
    pub fake: Option<Fake>,
    /// Number of requests that it processes at once.
    pub channels: u32,
    /// The bus to the host, which all channels share.
    pub bus: Bus,
    /// Parameters of reads.
    pub read: Read,
    /// Parameters of writes.
    pub write: Write,
    /// The units of its mapping from positions to flash.
    pub mapping: Mapping,
    /// A fast region in front of slower flash; `None` if all of it is equally fast.
    pub cache: Option<Cache>,
    /// How it gets erased blocks after using up those it kept ready; `None` if it never stalls for that.
    pub collection: Option<Collection>,
    /// How it makes writes durable.
    pub flush: Flush,
    /// Background work that interrupts requests.
    #[serde(default)]
    pub interruptions: Vec<Interruption>,
    /// How it protects itself from heat; `None` if it does not throttle.
    pub thermal: Option<Thermal>,
    /// How much its speed varies between runs and within one.
    pub variation: Variation,
    /// Its faults.
    #[serde(default)]
    pub faults: Vec<Fault>,
}

/// Kinds of drives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DriveKind {
    /// An SD or microSD card.
    SdCard,
    /// A USB stick.
    UsbStick,
    /// A solid-state drive behind SATA, or behind USB.
    Ssd,
    /// A solid-state drive on PCI Express.
    Nvme,
    /// A hard disk.
    HardDisk,
}

/// The classes that a card claims in its registers; 0 means none.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Marks {
    /// Speed class: 2, 4, 6 or 10.
    pub speed_class: u8,
    /// UHS speed grade: 1 or 3.
    pub uhs_grade: u8,
    /// Video speed class: 6, 10, 30, 60 or 90.
    pub video_class: u8,
    /// Application performance class: 1 or 2.
    pub application_class: u8,
}

/// A real capacity below the claimed one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fake {
    /// Real capacity, in bytes.
    pub real_capacity_bytes: u64,
    /// How it handles writes beyond that.
    pub beyond: Beyond,
    /// Number of bytes of the latest writes beyond its capacity that it keeps: they can be read until others
    /// evict them.
    #[serde(default)]
    pub front_bytes: u64,
    /// Range covered by the address bits that it decodes, in bytes; only for `chain`, which stores less than
    /// that.
    #[serde(default)]
    pub decoded_bytes: u64,
}

/// How a fake handles a position beyond its capacity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Beyond {
    /// It wraps to 0 and overwrites the content there.
    Wrap,
    /// It reports success and discards the data: reads return zeros.
    Limbo,
    /// It reports success and discards the data: reads return arbitrary content.
    Garbage,
    /// Positions wrap to 0 at `decoded_bytes`; those between its real end and that are lost.
    Chain,
}

/// The bus to the host.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bus {
    /// Cost of a request besides data: command, response, interrupt, in nanoseconds. It occupies a channel,
    /// but not the bus.
    pub command_ns: u64,
    /// The longest request that the kernel sends as one, in bytes; a longer one counts as several.
    pub transfer_len_bytes_max: u64,
}

/// Parameters of reads.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Read {
    /// Bus rate of reads, in bytes per second.
    pub bytes_per_s: u64,
    /// Cost of finding and sensing the first page of a sequential read, in nanoseconds.
    pub sequential_ns: u64,
    /// The same for other reads. The shares are of blocks, not of reads: flash with three bits per cell has
    /// pages of three speeds, and a block takes the same time whenever it is read.
    pub pages: Vec<Path>,
}

/// Parameters of writes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Write {
    /// Bus rate of writes, in bytes per second.
    pub bytes_per_s: u64,
    /// Writes below this length, in bytes, are partial.
    pub partial_below_bytes: u64,
    /// Cost of a partial write of any length after its transfer.
    pub partial: Vec<Path>,
    /// Cost of each MiB of any other write after its transfer.
    pub full: Vec<Path>,
    /// Additional cost of the first write after a flush, in nanoseconds: the buffer has to be set up again.
    pub after_flush_ns: u64,
}

/// The units of the mapping.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mapping {
    /// Length of a unit in bytes. The part of a unit that a write does not cover is copied.
    pub unit_bytes: u64,
    /// Number of positions at which writes can continue without copying.
    pub open_units: u32,
    /// Rate of copying inside the drive, in bytes per second.
    pub copy_bytes_per_s: u64,
}

/// A region in which the flash stores one bit per cell, for speed ("pSLC").
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cache {
    /// Its size, in bytes.
    pub len_bytes: u64,
    /// Factor on programming time when it is full.
    pub slow_factor: f64,
    /// Rate at which it is emptied in idle time, in bytes per second.
    pub refill_bytes_per_s: u64,
}

/// How a drive gets erased blocks under load.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Collection {
    /// Bytes that can be written before the first stall: blocks erased in idle time.
    pub reserve_bytes: u64,
    /// Space freed by a stall, in bytes.
    pub superblock_bytes: u64,
    /// Lengths of stalls.
    pub stalls: Vec<Path>,
    /// Share of stalls that another soon follows: they come in clusters. The space freed by a cluster is then
    /// used without a stall.
    pub repeat_share: f64,
    /// Bytes written between the stalls of a cluster.
    pub repeat_gap_bytes: u64,
    /// Rate at which the reserve recovers in idle time, in bytes per second.
    pub refill_bytes_per_s: u64,
}

/// How a drive and its file system's journal make writes durable.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Flush {
    /// Number of journal writes.
    pub journal_ios: u64,
    /// Their total length, in bytes.
    pub journal_bytes: u64,
    /// Duration of all of that. A flush with nothing to flush costs one command.
    pub paths: Vec<Path>,
}

/// A drive's own work that a request has to wait for: refreshing worn pages, wear levelling, writing its
/// tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Interruption {
    /// The work that triggers it.
    pub after: Wearing,
    /// Amount of that work between two, in nanoseconds; each interval varies by up to a tenth.
    pub every_ns: u64,
    /// Mean duration, in nanoseconds.
    pub mean_ns: u64,
    /// Standard deviation of the duration, in nanoseconds.
    pub deviation_ns: u64,
}

/// The work that triggers an [`Interruption`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Wearing {
    /// Time spent with reads.
    Reads,
    /// Time spent with writes and flushes.
    Writes,
    /// Time spent with any request.
    AnyWork,
}

/// Heat protection of a drive. Temperatures are kelvin above that of the drive at rest.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Thermal {
    /// Heating per GiB, in kelvin.
    pub heating_k_per_gib: f64,
    /// Cooling per second, in kelvin.
    pub cooling_k_per_s: f64,
    /// Temperature at which it throttles, in kelvin.
    pub limit_k: f64,
    /// Temperature at which it recovers, in kelvin.
    pub resume_k: f64,
    /// Factor on all times while it throttles.
    pub slow_factor: f64,
}

/// Variation of a drive's speed between runs and within one. Both are factors on all times.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Variation {
    /// Standard deviation between seeds, as a share.
    pub run_to_run: f64,
    /// Standard deviation of the drift, as a share.
    pub drift: f64,
    /// Correlation time of the drift, in nanoseconds: its autocorrelation falls to 1/e in this time.
    pub drift_time_ns: u64,
}

/// One path of an operation through the firmware, or one kind of page.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Path {
    /// Its share of all operations.
    pub share: f64,
    /// Mean duration, in nanoseconds.
    pub mean_ns: u64,
    /// Standard deviation of the duration, in nanoseconds: a normal distribution cut off at three of them,
    /// and at 0.
    pub deviation_ns: u64,
}

impl DriveModel {
    /// Real capacity, in bytes.
    pub fn real_capacity_bytes(&self) -> u64 {
        self.fake.map_or(self.capacity_bytes, |fake| fake.real_capacity_bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::super::workbench::{plain, plain_text};
    use super::*;

    #[test]
    fn shipped_models_are_valid_and_have_their_names() {
        for (name, text) in MODELS {
            let model = DriveModel::from_toml(text).unwrap_or_else(|error| panic!("{name}: {error:?}"));
            assert_eq!(model.name, *name);
            assert_eq!(DriveModel::named(name), Some(model));
        }
        assert_eq!(DriveModel::named("no-such-drive"), None);
    }

    #[test]
    fn only_the_fake_claims_too_much() {
        for (name, _) in MODELS {
            let model = DriveModel::named(name).unwrap();
            assert_eq!(model.real_capacity_bytes() < model.capacity_bytes, *name == "fake-card");
        }
    }

    #[test]
    fn each_kind_of_drive_has_a_name() {
        for (word, kind) in [
            ("sd_card", DriveKind::SdCard),
            ("usb_stick", DriveKind::UsbStick),
            ("ssd", DriveKind::Ssd),
            ("nvme", DriveKind::Nvme),
            ("hard_disk", DriveKind::HardDisk),
        ] {
            let text = plain_text("kind = \"ssd\"", &format!("kind = \"{word}\""));
            assert_eq!(DriveModel::from_toml(&text).unwrap().kind, kind);
        }
    }

    #[test]
    fn errors_state_their_position() {
        let shown = |error: &ModelError| match error {
            ModelError::Text { line, column, problem } => format!("line {line}, column {column}: {problem}"),
            ModelError::Value { field, problem } => format!("{field}: {problem}"),
        };
        let full = "full = [{ share = 1.0, mean_ns = 1_000_000, deviation_ns = 0 }]";
        let path = |path: &str| format!("full = [{{ {path} }}]");
        let cache = |len, factor| {
            format!("[cache]\nlen_bytes = {len}\nslow_factor = {factor}\nrefill_bytes_per_s = 1\n[flush]")
        };
        let cases = [
            (
                "channels = 4",
                "channels = ",
                "line 6, column 16: string values must be quoted, expected literal string",
            ),
            (
                "channels = 4",
                "chanels = 4",
                "line 6, column 5: unknown field `chanels`, expected one of `name`, `title`, `kind`, `capacity_bytes`, `marks`, `fake`, `channels`, `bus`, `read`, `write`, `mapping`, `cache`, `collection`, `flush`, `interruptions`, `thermal`, `variation`, `faults`",
            ),
            ("channels = 4", "", "line 1, column 1: missing field `channels`"),
            ("channels = 4", "channels = -1", "line 6, column 16: invalid value: integer `-1`, expected u32"),
            ("channels = 4", "channels = 0", "channels: model-value.range(high=1024, low=1, value=0)"),
            ("\"plain\"", "\"\"", "name: model-value.empty"),
            ("\"plain\"", "\"a\\u001b[31m\"", "name: model-value.unshowable"),
            ("\"plain\"", "\"\\u202Eb\"", "name: model-value.unshowable"),
            (
                "\"plain\"",
                &format!("\"{}\"", "x".repeat(201)),
                "length of name: model-value.range(high=200, low=0, value=201)",
            ),
            (
                "\"ssd\"",
                "\"tape\"",
                "line 4, column 12: unknown variant `tape`, expected one of `sd_card`, `usb_stick`, `ssd`, `nvme`, `hard_disk`",
            ),
            (full, "full = []", "write.full: model-value.entries(entries=0, most=64)"),
            (
                full,
                &path("share = 0.9, mean_ns = 1, deviation_ns = 0"),
                "write.full: model-value.shares(sum=0.9000)",
            ),
            (
                full,
                &path("share = nan, mean_ns = 1, deviation_ns = 0"),
                "write.full[0].share: model-value.range(high=1, low=0, value=NaN)",
            ),
            (
                full,
                &path("share = inf, mean_ns = 1, deviation_ns = 0"),
                "write.full[0].share: model-value.range(high=1, low=0, value=inf)",
            ),
            (
                full,
                &path("share = 1, mean_ns = 4_000_000_000_000, deviation_ns = 0"),
                "write.full[0].mean_ns: model-value.range(high=3600000000000, low=0, value=4000000000000)",
            ),
            (
                "copy_bytes_per_s = 1_000_000_000",
                "copy_bytes_per_s = 0",
                "mapping.copy_bytes_per_s: model-value.range(high=1000000000000, low=1000, value=0)",
            ),
            (
                "[flush]",
                &cache(0, "2.0"),
                "cache.len_bytes: model-value.range(high=1125899906842624, low=1, value=0)",
            ),
            (
                "[flush]",
                &cache(1, "0.5"),
                "cache.slow_factor: model-value.range(high=10000, low=1, value=0.5)",
            ),
            (
                "[flush]",
                "[fake]\nreal_capacity_bytes = 2_147_483_648\nbeyond = \"wrap\"\n[flush]",
                "fake.real_capacity_bytes: model-value.range(high=1073741824, low=1048576, value=2147483648)",
            ),
            (
                "[flush]",
                "[fake]\nreal_capacity_bytes = 16_777_216\nbeyond = \"chain\"\n[flush]",
                "fake.decoded_bytes: model-value.range(high=1073741824, low=16777216, value=0)",
            ),
            (
                "[flush]",
                "[fake]\nreal_capacity_bytes = 16_777_216\nbeyond = \"wrap\"\ndecoded_bytes = 4\n[flush]",
                "fake.decoded_bytes: model-value.only-chain",
            ),
            (
                "[flush]",
                "[fake]\nreal_capacity_bytes = 16_777_216\nbeyond = \"wrap\"\nfront_bytes = 4096\n[flush]",
                "fake.front_bytes: model-value.wraps",
            ),
            (
                "[flush]",
                "[fake]\nreal_capacity_bytes = 16_777_217\nbeyond = \"limbo\"\n[flush]",
                "fake.real_capacity_bytes: model-value.multiple(of=4096, value=16777217)",
            ),
            (
                "run_to_run = 0.0",
                "run_to_run = -0.1",
                "variation.run_to_run: model-value.range(high=0.3, low=0, value=-0.1)",
            ),
            ("[variation]", "[[faults]]\nkind = \"eio\"\nnth = 0\n[variation]", "faults[0]: model-fault.nth"),
            (
                "[variation]",
                "[[faults]]\nkind = { misdirect = { by_bytes = 5 } }\n[variation]",
                "faults[0]: model-fault.misdirect",
            ),
        ];
        for (line, by, message) in cases {
            match DriveModel::from_toml(&plain_text(line, by)) {
                Ok(_) => panic!("'{by}' was accepted"),
                Err(error) => assert_eq!(shown(&error), message, "'{by}'"),
            }
        }
    }

    #[test]
    fn a_model_can_have_faults() {
        let faults = "[[faults]]\nkind = { stall = { ns = 5 } }\non = \"write\"\nnth = 3\n[variation]";
        let model = DriveModel::from_toml(&plain_text("[variation]", faults)).unwrap();
        let stall = Fault::new(super::super::FaultKind::Stall { ns: 5 });
        assert_eq!(model.faults, [stall.on(cardiograph_core::Direction::Write).nth(3)]);
        assert_eq!(plain(|_| {}).faults, []);
    }
}
