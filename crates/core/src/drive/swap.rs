//! Swap.

use serde::{Deserialize, Serialize};

use crate::JsonSchema;

/// A partition or a file used as swap.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Swap {
    /// Its path, such as `/dev/zram0`.
    pub path: String,
    /// Its size in bytes.
    pub size_bytes: u64,
    /// Used bytes.
    pub used_bytes: u64,
    /// Kernel names of its drives; empty if it is in memory, or unknown.
    pub drives: Vec<String>,
    /// Whether it is compressed memory (zram).
    pub is_in_memory: bool,
}

/// Swap traffic since boot.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SwapTraffic {
    /// Bytes swapped in.
    pub in_bytes: u64,
    /// Bytes swapped out.
    pub out_bytes: u64,
}

impl SwapTraffic {
    /// Traffic since `earlier` in both directions, in bytes.
    pub fn since_bytes(&self, earlier: &Self) -> u64 {
        let (read, written) = (
            self.in_bytes.saturating_sub(earlier.in_bytes),
            self.out_bytes.saturating_sub(earlier.out_bytes),
        );
        read.saturating_add(written)
    }
}
