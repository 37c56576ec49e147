//! Requests.

use serde::{Deserialize, Serialize};

use crate::JsonSchema;
use crate::direction::Direction;

/// One I/O of a sequence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// Read, write or trim.
    pub direction: Direction,
    /// Index of its file among the worker's files.
    pub file: u32,
    /// Offset in bytes from the start of the file.
    pub offset_bytes: u64,
    /// Length in bytes.
    pub len_bytes: u64,
}
