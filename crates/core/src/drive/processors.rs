//! The processors of a machine, and what they do for its drives.

use serde::{Deserialize, Serialize};

use crate::JsonSchema;

/// Processors that are equally fast.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ProcessorKind {
    /// Their numbers.
    pub cpus: Vec<u32>,
    /// How fast they are, in percent of the fastest of the machine.
    pub speed_percent: u32,
}

/// A state that a processor sleeps in when it has nothing to do.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct IdleState {
    /// What the kernel calls it, as `C6`.
    pub name: String,
    /// The longest that it takes to wake up, in microseconds.
    pub exit_us: u64,
    /// How long a sleep must be to be worth it, in microseconds.
    pub residency_us: u64,
}

/// Interrupts that a processor served.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct InterruptCount {
    /// The processor's number.
    pub cpu: u32,
    /// How many.
    pub count: u64,
}
