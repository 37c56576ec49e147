//! Swap: where the kernel puts memory that it has no room for.

use serde::{Deserialize, Serialize};

use crate::JsonSchema;

/// A partition or a file that is used as swap.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Swap {
    /// Its path, as `/dev/zram0`.
    pub path: String,
    /// Its size in bytes.
    pub size_bytes: u64,
    /// What of it is in use, in bytes.
    pub used_bytes: u64,
    /// The kernel's names of the drives that it lies on; none where that is memory, or not known.
    pub drives: Vec<String>,
    /// Whether it lies in memory, compressed (zram).
    pub is_in_memory: bool,
}

/// What was moved between memory and swap since the machine was started.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SwapTraffic {
    /// Bytes that were read back.
    pub in_bytes: u64,
    /// Bytes that were written.
    pub out_bytes: u64,
}

impl SwapTraffic {
    /// What was moved since `earlier`, both ways together, in bytes.
    pub fn since_bytes(&self, earlier: &Self) -> u64 {
        let (read, written) = (
            self.in_bytes.saturating_sub(earlier.in_bytes),
            self.out_bytes.saturating_sub(earlier.out_bytes),
        );
        read.saturating_add(written)
    }
}
