//! Distribution of offsets in a region, and zones.

use serde::{Deserialize, Serialize};

use crate::JsonSchema;

/// How often each of several items (blocks, or files) is drawn.
///
/// A `center` is between 0, the first item, and 1, the last.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Distribution {
    /// Uniform.
    #[default]
    Uniform,
    /// The k-th most popular item has a share proportional to `1/k^theta`.
    Zipf {
        /// The exponent; 0 is uniform.
        theta: f64,
        /// Position of the most popular item; `None` derives it from the seed.
        center: Option<f64>,
    },
    /// The fraction `hot` of the items gets the fraction `1 - hot` of all draws, and so on recursively: 0.2 is the
    /// 80/20 rule. Of `n` items in order of popularity the first `x·n` get the share `x^(ln(1-hot)/ln hot)`.
    Pareto {
        /// Between 0 and 1, exclusive.
        hot: f64,
        /// Position of the most popular item; `None` derives it from the seed.
        center: Option<f64>,
    },
    /// Items near the center are drawn more often, by a truncated normal distribution.
    Normal {
        /// Its standard deviation in percent of the region's length.
        deviation_percent: f64,
        /// Its mean; `None` is the middle.
        center: Option<f64>,
    },
}

/// A part of a region, and its share of I/Os. Parts are contiguous from the region's start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AccessZone {
    /// The share in percent. All shares add up to 100.
    pub percent: u32,
    /// Its length.
    pub len: ZoneLen,
}

/// Length of a part of a region.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum ZoneLen {
    /// A fraction of the region.
    Percent {
        /// In percent.
        percent: u32,
    },
    /// A fixed length.
    Bytes {
        /// In bytes.
        len_bytes: u64,
    },
}

impl ZoneLen {
    /// The length in bytes, in a region of `region_len_bytes`.
    pub fn len_bytes(self, region_len_bytes: u64) -> u64 {
        match self {
            ZoneLen::Percent { percent } => (u128::from(region_len_bytes) * u128::from(percent) / 100) as u64,
            ZoneLen::Bytes { len_bytes } => len_bytes,
        }
    }
}

/// Zones used one after the other, with gaps between them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StridedZones {
    /// Bytes to move in a zone before the next one; at least 1.
    pub used_bytes: u64,
    /// Length of a zone in bytes; at least that of the longest I/O.
    pub zone_len_bytes: u64,
    /// Bytes between the end of a zone and the start of the next.
    pub skip_bytes: u64,
}
