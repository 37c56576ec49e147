//! How a job deals with its files.

use serde::{Deserialize, Serialize};

use super::Distribution;
use crate::JsonSchema;

/// In which turn a job with several files uses them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FileTurn {
    /// One I/O (or as many as asked for) each, in a circle.
    #[default]
    RoundRobin,
    /// One file after the other is finished.
    Sequential,
    /// At random.
    Random,
    /// At random, some more often than others.
    Skewed(Distribution),
}

/// How room for a file is made before it is written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Preallocation {
    /// Not at all.
    None,
    /// By fallocate, as far as the file system can; the length is set with it.
    #[default]
    Native,
    /// By fallocate, and without the file system's support an error.
    Posix,
    /// By fallocate behind the file's end: its length grows with the writing.
    Keep,
    /// The length is set, and no room is made.
    Truncate,
}

/// Advice to the kernel on the access pattern.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OrderAdvice {
    /// Nothing.
    None,
    /// The order in which they do come.
    #[default]
    AsDone,
    /// One after the other.
    Sequential,
    /// At random.
    Random,
}

/// How a job deals with its files before and after its I/O.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FileHandling {
    /// How room is made.
    pub preallocation: Preallocation,
    /// Whether a file that is written is laid out with content first.
    pub overwrite: bool,
    /// Whether laying out ends with an fsync.
    pub create_fsync: bool,
    /// Whether files may be made.
    pub may_create: bool,
    /// Whether files are made when the job begins, not before all jobs.
    pub create_on_open: bool,
    /// Whether the job ends when its files are laid out.
    pub create_only: bool,
    /// Whether files are removed when the job has ended.
    pub unlink: bool,
    /// Whether cached pages are dropped before the first I/O.
    pub invalidate: bool,
    /// Advice to the kernel on the access pattern.
    pub advice: OrderAdvice,
    /// Whether the files are read into the cache before the first I/O.
    pub pre_read: bool,
    /// Whether a device that is mounted may be written to. The safety gate has the last word.
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
