//! The processors of a machine, and their role for its drives.

use serde::{Deserialize, Serialize};

use crate::JsonSchema;

/// Processors of the same speed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ProcessorKind {
    /// Their numbers.
    pub cpus: Vec<u32>,
    /// Speed in percent of the machine's fastest.
    pub speed_percent: u32,
}

/// An idle state of a processor.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct IdleState {
    /// The kernel's name, such as `C6`.
    pub name: String,
    /// Maximum wake-up time in microseconds.
    pub exit_us: u64,
    /// Minimum sleep that is worthwhile, in microseconds.
    pub residency_us: u64,
}

/// Interrupts served by a processor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct InterruptCount {
    /// The processor's number.
    pub cpu: u32,
    /// Number of interrupts.
    pub count: u64,
}
