//! How a figure was measured: what must match for a comparison.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::JsonSchema;

mod likeness;

pub use likeness::{Aspect, Difference, Likeness};

/// This program's name in [`Method::tool`].
pub const TOOL: &str = "cardiograph";
/// Value of [`Method::tool`] for a claimed figure that nobody measured.
pub const CLAIM: &str = "claim";

/// Name in [`Method::others`] for data read or written repeatedly, which therefore comes from memory.
pub const AGAIN: &str = "again";

/// Name in [`Method::others`] for the number of concurrent jobs with separate figures.
pub const JOBS_BESIDE: &str = "jobs_beside";

/// Name in [`Method::others`] for how repeats are combined, such as `mean of 5`.
pub const OF_SEVERAL: &str = "of several";

/// Name in [`Method::others`] for the location read or written, if known: a file of the test.
pub const PLACE: &str = "place";

/// How a test was done. `None` if unknown: missing information is not guessed.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Method {
    /// The program, such as `fio` or `hdparm`.
    pub tool: String,
    /// Its version, such as `3.39`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_version: Option<String>,
    /// The access pattern.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pattern: Option<Pattern>,
    /// Percentage of reads in a mix.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read_percent: Option<u32>,
    /// Length of an I/O in bytes; `None` also if lengths are mixed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub block_bytes: Option<u64>,
    /// Queue depth of one job, as far as its engine can queue.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u64>,
    /// Number of concurrent jobs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub jobs: Option<u64>,
    /// Whether the page cache was bypassed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub direct: Option<bool>,
    /// When writes were made durable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub durability: Option<Durability>,
    /// How I/Os were submitted, such as `psync` or `io_uring`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine: Option<String>,
    /// Size of the region that one job used, in bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size_bytes: Option<u64>,
    /// Intended duration in nanoseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_ns: Option<u64>,
    /// Other settings that make it a different test, by name: those of an application, `loops`, `rate`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub others: BTreeMap<String, String>,
}

/// Access pattern of a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Pattern {
    /// Sequential reads.
    Read,
    /// Sequential writes.
    Write,
    /// Sequential reads and writes.
    ReadWrite,
    /// Random reads.
    RandomRead,
    /// Random writes.
    RandomWrite,
    /// Random reads and writes.
    RandomReadWrite,
    /// Trims.
    Trim,
    /// An application's own pattern.
    Application,
}

impl Pattern {
    /// Whether it includes writes.
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
    /// Never: data may stay in the drive's cache.
    Never,
    /// Once, after the last write.
    AtEnd,
    /// After each write, by `fsync`.
    Fsync,
    /// After each write, by `fdatasync`.
    Fdatasync,
    /// Each write individually (`O_DSYNC`, `O_SYNC`).
    Dsync,
    /// After several writes.
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
        // It always measures the device.
        let of_hdparm = (self.tool == "hdparm").then_some("the device");
        self.others.get(PLACE).map(String::as_str).or(of_hdparm)
    }
}
