//! How a figure was measured: what must match before two figures can be compared.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::JsonSchema;

mod likeness;

pub use likeness::{Aspect, Difference, Likeness};

/// This program, as [`Method::tool`] has it.
pub const TOOL: &str = "cardiograph";
/// What [`Method::tool`] has where a figure is claimed and nobody measured it.
pub const CLAIM: &str = "claim";

/// The name in [`Method::others`] of what was read or written again and again, and so comes from memory.
pub const AGAIN: &str = "again";

/// The name in [`Method::others`] of how many jobs ran at the same time that have figures of their own.
pub const JOBS_BESIDE: &str = "jobs_beside";

/// The name in [`Method::others`] of what a figure of several tries is, as `mean of 5`.
pub const OF_SEVERAL: &str = "of several";

/// The name in [`Method::others`] of the location read or written, if known: a file of the test.
pub const PLACE: &str = "place";

/// How a test was done. `None` if unknown: missing information is not guessed.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Method {
    /// The program, as `fio` or `hdparm`.
    pub tool: String,
    /// Its version, as `3.39`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_version: Option<String>,
    /// What was done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pattern: Option<Pattern>,
    /// Of 100 I/Os of a mix, those that read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read_percent: Option<u32>,
    /// Length of an I/O in bytes; `None` also where lengths were mixed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub block_bytes: Option<u64>,
    /// I/Os in flight of one job, as far as its engine can have several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u64>,
    /// Jobs at the same time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub jobs: Option<u64>,
    /// Whether the page cache was passed by.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub direct: Option<bool>,
    /// When writes were made durable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub durability: Option<Durability>,
    /// How I/Os were handed over, as `psync` or `io_uring`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine: Option<String>,
    /// The part of the drive that one job used, in bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size_bytes: Option<u64>,
    /// How long it was to go on, in nanoseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_ns: Option<u64>,
    /// What else makes it another test, by name: settings of an application, `loops`, `rate`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub others: BTreeMap<String, String>,
}

/// What a test does to a drive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Pattern {
    /// Reads, one place after the other.
    Read,
    /// Writes, one place after the other.
    Write,
    /// Both of these mixed.
    ReadWrite,
    /// Reads at random places.
    RandomRead,
    /// Writes at random places.
    RandomWrite,
    /// Both of these mixed.
    RandomReadWrite,
    /// Blocks given back.
    Trim,
    /// An application's own.
    Application,
}

impl Pattern {
    /// Whether some of it writes.
    pub const fn writes(self) -> bool {
        !matches!(self, Pattern::Read | Pattern::RandomRead)
    }

    /// Whether it both reads and writes.
    pub const fn is_mixed(self) -> bool {
        matches!(self, Pattern::ReadWrite | Pattern::RandomReadWrite)
    }
}

/// When writes are made durable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Durability {
    /// Never: the drive may keep them in its cache.
    Never,
    /// Once, after the last.
    AtEnd,
    /// After each, by `fsync`.
    Fsync,
    /// After each, by `fdatasync`.
    Fdatasync,
    /// Each by itself (`O_DSYNC`, `O_SYNC`).
    Dsync,
    /// After several.
    NowAndThen,
}

impl Durability {
    /// Its name, as in JSON.
    pub fn name(self) -> String {
        crate::text::word_of(&self)
    }
}

impl Method {
    /// The location read or written; `None` if unknown, as usual.
    pub fn place(&self) -> Option<&str> {
        // What it times is always the device.
        let of_hdparm = (self.tool == "hdparm").then_some("the device");
        self.others.get(PLACE).map(String::as_str).or(of_hdparm)
    }
}
