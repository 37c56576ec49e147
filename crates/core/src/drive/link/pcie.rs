//! PCI Express.

use serde::{Deserialize, Serialize};

use crate::JsonSchema;

/// A PCI Express link.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PcieLink {
    /// Current state. A drive may reduce it while idle to save power.
    pub now: Option<PcieLane>,
    /// Maximum of the drive.
    pub drive_max: Option<PcieLane>,
    /// Maximum of the slot.
    pub slot_max: Option<PcieLane>,
}

/// Speed and width of a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PcieLane {
    /// The generation, from 1.
    pub generation: u8,
    /// The number of lanes.
    pub lanes: u8,
}

impl PcieLink {
    /// Whether it runs below the maximum of drive and slot.
    pub(super) fn is_reduced(&self) -> Option<bool> {
        let now = self.now?;
        let most = match (self.drive_max, self.slot_max) {
            (Some(drive), Some(slot)) => PcieLane {
                generation: drive.generation.min(slot.generation),
                lanes: drive.lanes.min(slot.lanes),
            },
            (Some(only), None) | (None, Some(only)) => only,
            (None, None) => return None,
        };
        Some(now.generation < most.generation || now.lanes < most.lanes)
    }
}

impl PcieLane {
    /// Maximum in bytes per second. A lane carries 2.5 and 5 GT/s with 8b/10b in the first two generations, and 8, 16
    /// and 32 GT/s with 128b/130b in the next three (PCI Express Base Specification 5.0, 4.2); the sixth packs 64
    /// GT/s into flits of 256 bytes, 236 of which are content (6.0, 4.2.3).
    pub fn bytes_per_s(self) -> Option<u64> {
        let (transfers_per_s, content, sent) = match self.generation {
            1 => (2_500_000_000, 8, 10),
            2 => (5_000_000_000, 8, 10),
            3 => (8_000_000_000, 128, 130),
            4 => (16_000_000_000, 128, 130),
            5 => (32_000_000_000, 128, 130),
            6 => (64_000_000_000, 236, 256),
            _ => return None,
        };
        let bits_per_s: u64 = transfers_per_s * u64::from(self.lanes) * content / sent;
        (bits_per_s > 0).then_some(bits_per_s / 8)
    }
}
