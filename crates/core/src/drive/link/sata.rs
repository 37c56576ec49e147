//! SATA.

use serde::{Deserialize, Serialize};

use crate::JsonSchema;

/// A link of SATA.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SataLink {
    /// What it runs at, in Mbit/s: 1500, 3000 or 6000.
    pub mbit_per_s: Option<u32>,
    /// Maximum of the host's port, or its configured limit.
    pub host_mbit_per_s_max: Option<u32>,
    /// The most that the drive can do; known once its own records were asked for.
    pub drive_mbit_per_s_max: Option<u32>,
}

impl SataLink {
    /// Whether it runs below what host and drive can do.
    pub(super) fn is_reduced(&self) -> Option<bool> {
        let now = self.mbit_per_s?;
        let most = match (self.host_mbit_per_s_max, self.drive_mbit_per_s_max) {
            (Some(host), Some(drive)) => host.min(drive),
            (one, other) => one.or(other)?,
        };
        Some(now < most)
    }
}

/// What cannot be exceeded, in bytes per second: eight bits of content in ten on the wire (Serial ATA 3.4, 7.1).
pub(super) fn bytes_per_s(mbit_per_s: u32) -> u64 {
    u64::from(mbit_per_s) * 1_000_000 / 10
}
