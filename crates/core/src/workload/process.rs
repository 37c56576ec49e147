//! What the threads of a job are to the system.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// On which processors the workers of a job run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Affinity {
    /// Processor numbers, ascending.
    pub cpus: Vec<u32>,
    /// Whether each worker gets one of them, in turn; otherwise all workers share all of them.
    pub is_split: bool,
}
