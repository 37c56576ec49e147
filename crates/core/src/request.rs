//! One I/O, before it is done.

use serde::{Deserialize, Serialize};

use crate::JsonSchema;
use crate::direction::Direction;

/// One I/O of a sequence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// Reading, writing or trimming.
    pub direction: Direction,
    /// Index of its file among those of the worker.
    pub file: u32,
    /// Where it starts, in bytes from the start of the file.
    pub offset_bytes: u64,
    /// How long it is, in bytes.
    pub len_bytes: u64,
}
