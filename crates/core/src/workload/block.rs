//! Lengths of I/Os.

use serde::{Deserialize, Serialize};

use crate::JsonSchema;

/// Lengths of the I/Os of one direction.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum BlockLen {
    /// One length.
    Fixed {
        /// The length in bytes.
        len_bytes: u64,
    },
    /// Uniform over the multiples of the shortest, up to the longest.
    Range {
        /// Minimum in bytes.
        min_bytes: u64,
        /// Maximum in bytes.
        max_bytes: u64,
    },
    /// Weighted.
    Split {
        /// The lengths in bytes, and their weights, which add up to 100.
        parts: Vec<BlockShare>,
    },
}

/// A length of a split, and its weight.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BlockShare {
    /// The length in bytes.
    pub len_bytes: u64,
    /// Its percentage.
    pub percent: u32,
}

impl Default for BlockLen {
    fn default() -> Self {
        BlockLen::Fixed { len_bytes: 0 }
    }
}

impl BlockLen {
    /// The shortest I/O in bytes.
    pub fn min_bytes(&self) -> u64 {
        match self {
            BlockLen::Fixed { len_bytes } => *len_bytes,
            BlockLen::Range { min_bytes, .. } => *min_bytes,
            BlockLen::Split { parts } => parts.iter().map(|part| part.len_bytes).min().unwrap_or(0),
        }
    }

    /// The longest I/O in bytes.
    pub fn max_bytes(&self) -> u64 {
        match self {
            BlockLen::Fixed { len_bytes } => *len_bytes,
            BlockLen::Range { max_bytes, .. } => *max_bytes,
            BlockLen::Split { parts } => parts.iter().map(|part| part.len_bytes).max().unwrap_or(0),
        }
    }
}
