//! Information specific to a Raspberry Pi: board, throttling, and boot settings for drives.

use serde::{Deserialize, Serialize};

use super::Unknown;
use crate::JsonSchema;

/// A Raspberry Pi.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RaspberryPi {
    /// Its revision code.
    pub revision_code: Option<u32>,
    /// What the code says; `None` when it is not known.
    pub board: Option<Board>,
    /// Whether and why it runs slower than it could.
    pub throttling: Option<Throttling>,
    /// Whether its supply has too low a voltage, as the kernel watches it; it may have been a moment ago.
    pub under_voltage: Option<bool>,
    /// The temperature of its processor, in degrees Celsius.
    pub temperature_c: Option<f64>,
    /// The voltage of its processor's core, in volts, as the firmware says; known where it had to be asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub core_voltage_v: Option<f64>,
    /// What its boot files say that concerns drives.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub settings: Vec<BootSetting>,
    /// What was looked for and not found.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unknown: Vec<Unknown>,
}

/// What a revision code says of a board.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Board {
    /// Its type, as `4B` or `CM4`.
    pub model: String,
    /// Its revision, as `1.2`.
    pub revision: String,
    /// Its memory in bytes; `None` when the code stands for several.
    pub memory_bytes: Option<u64>,
    /// Its processor, as `BCM2711`.
    pub processor: String,
    /// Its manufacturer.
    pub maker: String,
}

/// Whether and why a board runs slower than it could.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Throttling {
    /// At this moment.
    pub now: ThrottleState,
    /// At any time since it was started.
    pub since_boot: ThrottleState,
}

/// Causes of slowness.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ThrottleState {
    /// The supply's voltage is too low.
    pub under_voltage: bool,
    /// The processor may not run at its full clock.
    pub frequency_capped: bool,
    /// The processor is slowed down.
    pub throttled: bool,
    /// It is warm enough that some boards lower the clock a little.
    pub soft_temperature_limit: bool,
}

/// A line of a boot file that concerns drives.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BootSetting {
    /// What it does.
    pub effect: BootEffect,
    /// The file.
    pub file: String,
    /// Its line, counted from 1.
    pub line: u64,
    /// A condition that cannot be evaluated here, such as `EDID=VSC-TD2220`.
    pub condition: Option<String>,
}

/// What a line of a boot file does to drives.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum BootEffect {
    /// The PCIe port runs at this generation (`dtparam=pciex1_gen`). The third is not certified on a Raspberry Pi 5.
    PcieGeneration(u64),
    /// For which cards the command queue is used (`dtparam=sd_cqe`): 0 for none, 1 for those known to be good, 2 for all
    /// of class A2 not known to be bad.
    SdCommandQueue(u64),
    /// The card's bus runs at so many MHz where 50 are meant (`overclock_50`, `sd_overclock`).
    SdOverclockMhz(u64),
    /// USB drives that are treated specially, as `152d:0578:u`: `u` keeps one from UAS (`usb-storage.quirks`).
    UsbStorageQuirks(String),
    /// Memory that is kept for transfers of devices that cannot reach all of it (`coherent_pool`).
    CoherentPool(String),
}
