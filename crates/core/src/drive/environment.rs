//! What can spoil a figure, as it was before the checkup.

use serde::{Deserialize, Serialize};

use super::{IdleState, Swap};
use crate::JsonSchema;

/// What can spoil a figure. `None` where it is not known.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Environment {
    /// Whether the machine is virtual, as far as the processor says.
    pub virtual_machine: Option<bool>,
    /// Frequency governor of the first processor.
    pub cpu_governor: Option<String>,
    /// States that the first processor may sleep in, the lightest first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub idle_states: Option<Vec<IdleState>>,
    /// Load average over a minute before the checkup.
    pub load_1m: Option<f64>,
    /// Share of the last ten seconds in which some task waited for I/O, in percent (pressure stall information).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub io_pressure_percent: Option<f64>,
    /// What the control groups of this process let through, each limit that is set.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub io_limits: Vec<IoLimit>,
    /// Whether the kernel is still writing the tables of a new ext4.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub is_initialising_ext4: Option<bool>,
    /// What is used as swap.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub swaps: Option<Vec<Swap>>,
    /// What the program manages here without a drive.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calibration: Option<Calibration>,
}

/// A limit that a control group sets to the I/O on a device.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct IoLimit {
    /// The device's number, as `254:0`.
    pub device: String,
    /// What is limited, in the kernel's words: `rbps`, `wbps`, `riops` or `wiops`.
    pub what: String,
    /// The limit, in bytes or I/Os per second.
    pub per_second: u64,
}

/// What the program manages without a drive: the engine `null`, which answers at once.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Calibration {
    /// I/Os of 4 KiB per second of one worker.
    pub ios_per_s_max: f64,
    /// Bytes per second of new content that one worker makes for its writes.
    pub content_bytes_per_s_max: f64,
    /// Processors that workers can use.
    pub cpus: u32,
}
