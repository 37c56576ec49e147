//! SATA.

use serde::{Deserialize, Serialize};

use crate::JsonSchema;

/// A SATA link.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SataLink {
    /// Speed in Mbit/s: 1500, 3000 or 6000.
    pub mbit_per_s: Option<u32>,
    /// Maximum of the host's port, or its configured limit.
    pub host_mbit_per_s_max: Option<u32>,
    /// Maximum of the drive; known once its own records were queried.
    pub drive_mbit_per_s_max: Option<u32>,
}

impl SataLink {
    /// Whether it runs below the maximum of host and drive.
    pub(super) fn is_reduced(&self) -> Option<bool> {
        let now = self.mbit_per_s?;
        let most = match (self.host_mbit_per_s_max, self.drive_mbit_per_s_max) {
            (Some(host), Some(drive)) => host.min(drive),
            (one, other) => one.or(other)?,
        };
        Some(now < most)
    }
}

/// Maximum in bytes per second: 8 of 10 bits on the wire are content (Serial ATA 3.4, 7.1).
pub(super) fn bytes_per_s(mbit_per_s: u32) -> u64 {
    u64::from(mbit_per_s) * 1_000_000 / 10
}
