//! The data of `cardiograph drive`.

use serde::{Deserialize, Serialize};

use crate::JsonSchema;
use crate::trust::TrapCheck;

use super::{Drive, Environment, Host};

/// Version of the Passport's form.
pub const PASSPORT_VERSION: u32 = 1;

/// Facts about drives known without measuring: identity, claims, connections.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Passport {
    /// Version of this form ([`PASSPORT_VERSION`]).
    pub passport_version: u32,
    /// Program and version that made it.
    pub program: String,
    /// When it was made, in milliseconds since 1970-01-01 UTC.
    pub made_unix_ms: u64,
    /// The machine.
    pub host: Host,
    /// What can spoil a figure.
    pub environment: Environment,
    /// What was asked for: what stands under one path, or all drives of the machine.
    pub drives: Vec<Drive>,
    /// The traps that can be seen without measuring; none were looked for in a list of all drives.
    pub traps: Vec<TrapCheck>,
    /// What interrupted checkups have left to be restored or resumed on these drives, or on any that this user's data
    /// directory knows.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub journals: Vec<DeviceJournal>,
}

/// A file in which a checkup wrote down what it does to a device.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DeviceJournal {
    /// The file.
    pub file: String,
    /// The device's id, as `--allow-destroy` takes it.
    pub device_id: String,
    /// The device's length in bytes.
    pub len_bytes: u64,
    /// What it keeps.
    pub keeps: JournalContent,
    /// The kernel's name of the device that has this id now; none where it is absent.
    pub device: Option<String>,
    /// The command that restores the originals, or forgets the parts.
    pub command: String,
}

/// What a [`DeviceJournal`] keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum JournalContent {
    /// What lay on the device before it was overwritten.
    Originals,
    /// Which parts of a full proof are filled.
    Parts,
}
