//! The part of a file that a worker uses.

use serde::{Deserialize, Serialize};

use crate::JsonSchema;

/// The region of a target that a worker uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FileUse {
    /// Index of the target in the Plan.
    pub target: usize,
    /// Start of the region in bytes.
    pub offset_bytes: u64,
    /// Length of the region in bytes; 0 if determined when the job starts.
    pub region_len_bytes: u64,
}

impl FileUse {
    /// End of the region in bytes.
    pub const fn end_bytes(&self) -> u64 {
        self.offset_bytes.saturating_add(self.region_len_bytes)
    }
}
