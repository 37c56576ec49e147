//! Information specific to a Raspberry Pi: board, throttling, and boot settings for drives.

use serde::{Deserialize, Serialize};

use super::Unknown;
use crate::JsonSchema;

/// A Raspberry Pi.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RaspberryPi {
    /// Its revision code.
    pub revision_code: Option<u32>,
    /// Decoded revision code; `None` if unknown.
    pub board: Option<Board>,
    /// Whether and why it is throttled.
    pub throttling: Option<Throttling>,
    /// Whether the kernel's monitor reports undervoltage; possibly from a moment ago.
    pub under_voltage: Option<bool>,
    /// Processor temperature in degrees Celsius.
    pub temperature_c: Option<f64>,
    /// Core voltage in volts, from the firmware; known if it had to be queried.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub core_voltage_v: Option<f64>,
    /// Its boot settings for drives.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub settings: Vec<BootSetting>,
    /// Properties that could not be determined.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unknown: Vec<Unknown>,
}

/// A decoded revision code.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Board {
    /// Its type, such as `4B` or `CM4`.
    pub model: String,
    /// Its revision, such as `1.2`.
    pub revision: String,
    /// Memory in bytes; `None` if the code stands for several sizes.
    pub memory_bytes: Option<u64>,
    /// Its processor, such as `BCM2711`.
    pub processor: String,
    /// Its manufacturer.
    pub maker: String,
}

/// Whether and why a board is throttled.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Throttling {
    /// Now.
    pub now: ThrottleState,
    /// At any time since boot.
    pub since_boot: ThrottleState,
}

/// Causes of throttling.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ThrottleState {
    /// Undervoltage.
    pub under_voltage: bool,
    /// The processor clock is capped.
    pub frequency_capped: bool,
    /// The processor is throttled.
    pub throttled: bool,
    /// The soft temperature limit is reached: some boards lower the clock a little.
    pub soft_temperature_limit: bool,
}

/// A line in a boot file that affects drives.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BootSetting {
    /// Its effect.
    pub effect: BootEffect,
    /// The file.
    pub file: String,
    /// Line number, from 1.
    pub line: u64,
    /// A condition that cannot be evaluated here, such as `EDID=VSC-TD2220`.
    pub condition: Option<String>,
}

/// Effect of a boot setting on drives.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum BootEffect {
    /// The PCIe port runs at this generation (`dtparam=pciex1_gen`). The third is not certified on a Raspberry Pi 5.
    PcieGeneration(u64),
    /// Cards that use the command queue (`dtparam=sd_cqe`): 0 for none, 1 for those known to be good, 2 for all class
    /// A2 cards not known to be bad.
    SdCommandQueue(u64),
    /// Card bus clock in MHz instead of 50 (`overclock_50`, `sd_overclock`).
    SdOverclockMhz(u64),
    /// Quirks for USB drives, such as `152d:0578:u`: `u` disables UAS (`usb-storage.quirks`).
    UsbStorageQuirks(String),
    /// Memory reserved for transfers of devices that cannot reach all of it (`coherent_pool`).
    CoherentPool(String),
}
