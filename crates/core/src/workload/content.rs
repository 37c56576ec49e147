//! What is written, and where it is kept until then.

use serde::{Deserialize, Serialize};

use crate::JsonSchema;
use crate::pattern::PatternBytes;

/// What the content of writes is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Content {
    /// Incompressible, with a stamp in each 512 bytes that no other sector of this or another run has.
    Stamped,
    /// Wholly new random bytes for each write.
    Refilled,
    /// The same random bytes again and again: what `scramble_buffers=0` asks for.
    Repeated,
    /// Zeros.
    Zeros,
    /// A pattern, from the beginning of each write on.
    Pattern {
        /// Its bytes.
        pattern: PatternBytes,
    },
    /// Random bytes, anew for each write, with a share that a compressor takes away.
    Compressible {
        /// The share.
        compression: Compression,
    },
    /// Blocks of which some are like others.
    Deduplicable {
        /// The share of blocks that are like others, in percent.
        percent: u32,
        /// Length of these blocks in bytes.
        block_len_bytes: u64,
        /// Which ones they are like.
        repeats: Repeats,
        /// What a compressor takes away from each.
        compression: Option<Compression>,
    },
}

impl Content {
    /// The pattern in it, where there is one.
    pub fn pattern_mut(&mut self) -> Option<&mut PatternBytes> {
        match self {
            Content::Pattern { pattern } => Some(pattern),
            Content::Compressible { compression }
            | Content::Deduplicable { compression: Some(compression), .. } => compression.filler.as_mut(),
            _ => None,
        }
    }
}

/// What a compressor takes away from random bytes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Compression {
    /// The share of what it takes away, in percent.
    pub percent: u32,
    /// In pieces of so many bytes, each of which has the share.
    pub chunk_bytes: u32,
    /// What stands there; `None` is zeros.
    pub filler: Option<PatternBytes>,
}

/// What a block is like that is not new.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Repeats {
    /// The last new one.
    Last,
    /// One of a set.
    OneOf {
        /// Size of the set, in percent of the blocks of the job's files.
        percent: u32,
        /// Whether all jobs have the same set.
        is_shared: bool,
    },
}

/// Where the memory of a job's buffers comes from.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Memory {
    /// What the kernel is asked for.
    pub kind: MemoryKind,
    /// Length of its pages in bytes where they are to be huge.
    pub huge_page_len_bytes: Option<u64>,
    /// How far behind the beginning of a page each buffer begins, in bytes.
    pub shift_bytes: u64,
}

/// What the kernel is asked for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MemoryKind {
    /// Pages of this process.
    #[default]
    Private,
    /// Pages that could be shared (`MAP_SHARED`).
    Shared,
    /// A segment of System V's shared memory.
    Segment,
}
