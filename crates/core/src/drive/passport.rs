//! The data of `cardiograph drive`.

use serde::{Deserialize, Serialize};

use crate::JsonSchema;
use crate::trust::TrapCheck;

use super::{Drive, Environment, Host};

/// Format version of the Passport.
pub const PASSPORT_VERSION: u32 = 1;

/// Facts about drives known without measuring: identity, claims, connections.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Passport {
    /// Format version ([`PASSPORT_VERSION`]).
    pub passport_version: u32,
    /// Program and version that wrote it.
    pub program: String,
    /// Time of creation, in milliseconds since 1970-01-01 UTC.
    pub made_unix_ms: u64,
    /// The machine.
    pub host: Host,
    /// Measurement warnings.
    pub environment: Environment,
    /// The request: the stack under one path, or all drives of the machine.
    pub drives: Vec<Drive>,
    /// Traps that can be seen without measuring; not checked for a list of all drives.
    pub traps: Vec<TrapCheck>,
    /// What interrupted checkups left to be restored or resumed on these drives, or on any drive known in this user's
    /// data directory.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub journals: Vec<DeviceJournal>,
}

/// A file in which a checkup records its changes to a device.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DeviceJournal {
    /// The file.
    pub file: String,
    /// The device's id, as for `--allow-erase`.
    pub device_id: String,
    /// The device's length in bytes.
    pub len_bytes: u64,
    /// Its content.
    pub keeps: JournalContent,
    /// The kernel's current name of the device with this id; `None` if absent.
    pub device: Option<String>,
    /// The command that restores the original data, or forgets the parts.
    pub command: String,
}

/// Content of a [`DeviceJournal`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum JournalContent {
    /// The device's data before it was overwritten.
    Originals,
    /// The filled parts of a full proof.
    Parts,
}
