//! The environment before the checkup, as far as it can distort figures.

use serde::{Deserialize, Serialize};

use super::{IdleState, Swap};
use crate::JsonSchema;

/// Influences on figures. `None` if unknown.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Environment {
    /// Whether the machine is virtual, as reported by the processor.
    pub virtual_machine: Option<bool>,
    /// Frequency governor of the first processor.
    pub cpu_governor: Option<String>,
    /// Idle states of the first processor, lightest first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub idle_states: Option<Vec<IdleState>>,
    /// One-minute load average before the checkup.
    pub load_1m: Option<f64>,
    /// Percentage of the last ten seconds in which some task waited for I/O (pressure stall information).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub io_pressure_percent: Option<f64>,
    /// I/O limits of this process's control groups.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub io_limits: Vec<IoLimit>,
    /// Whether the kernel is still initialising the tables of a new ext4.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub is_initialising_ext4: Option<bool>,
    /// Swap areas.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub swaps: Option<Vec<Swap>>,
    /// The program's own maximum speed on this machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calibration: Option<Calibration>,
}

/// An I/O limit of a control group for a device.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct IoLimit {
    /// The device's number, such as `254:0`.
    pub device: String,
    /// The limited quantity, in the kernel's words: `rbps`, `wbps`, `riops` or `wiops`.
    pub what: String,
    /// The limit, in bytes or I/Os per second.
    pub per_second: u64,
}

/// The program's own maximum speed, measured with the engine `null`, which completes at once.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Calibration {
    /// I/Os of 4 KiB per second, one worker.
    pub ios_per_s_max: f64,
    /// Bytes per second of new write content, one worker.
    pub content_bytes_per_s_max: f64,
    /// Processors available to workers.
    pub cpus: u32,
}
