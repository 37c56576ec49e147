//! What `cardiograph drive` tells.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::trust::TrapCheck;

use super::{Drive, Environment, Host};

/// Version of the Passport's form.
pub const PASSPORT_VERSION: u32 = 1;

/// What is known of drives without measuring: who they are, what they claim, what they are connected with.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
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
}
