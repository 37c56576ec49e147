//! How a job handles its files.

use serde::{Deserialize, Serialize};

use super::Distribution;
use crate::JsonSchema;

/// Order in which a job uses several files.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FileTurn {
    /// Round robin, with one I/O (or the requested number) each.
    #[default]
    RoundRobin,
    /// One file after the other, each to its end.
    Sequential,
    /// Random.
    Random,
    /// Random, some files more often than others.
    Skewed(Distribution),
}

/// How space for a file is allocated before writing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Preallocation {
    /// Not at all.
    None,
    /// By fallocate, if the file system supports it; also sets the length.
    #[default]
    Native,
    /// By fallocate; fails if the file system does not support it.
    Posix,
    /// By fallocate beyond the file's end: its length grows with the writes.
    Keep,
    /// Sets the length without allocating space.
    Truncate,
}

/// Advice to the kernel on the access pattern.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OrderAdvice {
    /// None.
    None,
    /// The actual order.
    #[default]
    AsDone,
    /// Sequential.
    Sequential,
    /// Random.
    Random,
}

/// How a job handles its files before and after its I/O.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FileHandling {
    /// How space is allocated.
    pub preallocation: Preallocation,
    /// Whether a file to be written is filled with content first.
    pub overwrite: bool,
    /// Whether filling ends with an fsync.
    pub create_fsync: bool,
    /// Whether files may be created.
    pub may_create: bool,
    /// Whether files are created when the job starts, not before all jobs.
    pub create_on_open: bool,
    /// Whether the job ends once its files are filled.
    pub create_only: bool,
    /// Whether files are removed after the job.
    pub unlink: bool,
    /// Whether cached pages are dropped before the first I/O.
    pub invalidate: bool,
    /// Advice to the kernel on the access pattern.
    pub advice: OrderAdvice,
    /// Whether files are read into the cache before the first I/O.
    pub pre_read: bool,
    /// Whether a mounted device may be written to. The safety gate has the last word.
    pub allow_mounted_write: bool,
}

impl Default for FileHandling {
    fn default() -> Self {
        Self {
            preallocation: Preallocation::Native,
            overwrite: false,
            create_fsync: true,
            may_create: true,
            create_on_open: false,
            create_only: false,
            unlink: false,
            invalidate: true,
            advice: OrderAdvice::AsDone,
            pre_read: false,
            allow_mounted_write: false,
        }
    }
}
