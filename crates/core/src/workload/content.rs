//! Content and buffers of writes.

use serde::{Deserialize, Serialize};

use crate::JsonSchema;
use crate::pattern::PatternBytes;

/// Content of writes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Content {
    /// Incompressible, with a stamp in each 512 bytes that is unique across sectors and runs.
    Stamped,
    /// New random bytes for each write.
    Refilled,
    /// The same random bytes every time, as for `scramble_buffers=0`.
    Repeated,
    /// Zeros.
    Zeros,
    /// A pattern, starting anew with each write.
    Pattern {
        /// Its bytes.
        pattern: PatternBytes,
    },
    /// New random bytes for each write, partly compressible.
    Compressible {
        /// The compressible part.
        compression: Compression,
    },
    /// Blocks with duplicates.
    Deduplicable {
        /// Percentage of duplicate blocks.
        percent: u32,
        /// Length of these blocks in bytes.
        block_len_bytes: u64,
        /// What the duplicates repeat.
        repeats: Repeats,
        /// The compressible part of each block.
        compression: Option<Compression>,
    },
}

impl Content {
    /// Its pattern, if any.
    pub fn pattern_mut(&mut self) -> Option<&mut PatternBytes> {
        match self {
            Content::Pattern { pattern } => Some(pattern),
            Content::Compressible { compression }
            | Content::Deduplicable { compression: Some(compression), .. } => compression.filler.as_mut(),
            _ => None,
        }
    }
}

/// Compressible part of random content.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Compression {
    /// Compressible percentage.
    pub percent: u32,
    /// Length of pieces that each have this percentage, in bytes.
    pub chunk_bytes: u32,
    /// Content of the compressible part; `None` is zeros.
    pub filler: Option<PatternBytes>,
}

/// What a duplicate block repeats.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Repeats {
    /// The last unique block.
    Last,
    /// A block of a set.
    OneOf {
        /// Size of the set, in percent of the blocks of the job's files.
        percent: u32,
        /// Whether all jobs have the same set.
        is_shared: bool,
    },
}

/// Memory of a job's buffers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Memory {
    /// Kind of mapping.
    pub kind: MemoryKind,
    /// Length of huge pages in bytes, if requested.
    pub huge_page_len_bytes: Option<u64>,
    /// Offset of each buffer from the start of a page, in bytes.
    pub shift_bytes: u64,
}

/// Kind of mapping.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MemoryKind {
    /// Private pages.
    #[default]
    Private,
    /// Shared pages (`MAP_SHARED`).
    Shared,
    /// A System V shared memory segment.
    Segment,
}
