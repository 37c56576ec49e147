//! SAS.

use serde::{Deserialize, Serialize};

use crate::JsonSchema;

/// A SAS link between a drive and its controller or expander.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SasLink {
    /// Speed of a lane in Mbit/s: 1500, 3000, 6000, 12000 or 22500.
    pub mbit_per_s: Option<u32>,
    /// Maximum of the controller or expander per lane.
    pub host_mbit_per_s_max: Option<u32>,
    /// Number of lanes for the drive's data.
    pub lanes: u32,
}

impl SasLink {
    /// Maximum in bytes per second: 8 of 10 bits on the wire are content up to 12 Gbit/s, 128 of 150 above (SPL-4,
    /// 5.5 and 5.9).
    pub(super) fn bytes_per_s(self) -> Option<u64> {
        let bits_per_s = u64::from(self.mbit_per_s?) * 1_000_000 * u64::from(self.lanes);
        let content_per_s = match self.mbit_per_s? {
            ..=12_000 => bits_per_s * 8 / 10,
            _ => bits_per_s * 128 / 150,
        };
        (content_per_s > 0).then_some(content_per_s / 8)
    }
}
