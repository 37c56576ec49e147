//! Which places of a region are used how often, and in which zones.

use serde::{Deserialize, Serialize};

use crate::JsonSchema;

/// How often which of several places (blocks, or files) is drawn.
///
/// A `center` lies between 0, the first place, and 1, the last.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Distribution {
    /// All alike.
    #[default]
    Uniform,
    /// The k-th most popular place has a share in proportion to `1/k^theta`.
    Zipf {
        /// The exponent; 0 is uniform.
        theta: f64,
        /// Where the most popular place lies; `None` leaves it to the seed.
        center: Option<f64>,
    },
    /// The share `hot` of the places gets all draws but the share `hot`, and again so within that share: 0.2 is the rule
    /// of 80 to 20. Of `n` places in the order of their popularity the first `x·n` get the share `x^(ln(1-hot)/ln hot)`.
    Pareto {
        /// Between 0 and 1, ends excluded.
        hot: f64,
        /// Where the most popular place lies; `None` leaves it to the seed.
        center: Option<f64>,
    },
    /// Places near the center are drawn more often, by a normal distribution that is cut off at both ends.
    Normal {
        /// Its standard deviation in percent of the region's length.
        deviation_percent: f64,
        /// Its mean; `None` is the middle.
        center: Option<f64>,
    },
}

/// A part of a region, and the share of I/Os that go there. Parts follow each other from the region's start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AccessZone {
    /// The share in percent. The shares of all parts add up to 100.
    pub percent: u32,
    /// How long it is.
    pub len: ZoneLen,
}

/// How long a part of a region is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum ZoneLen {
    /// A share of the region.
    Percent {
        /// In percent.
        percent: u32,
    },
    /// So many bytes.
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

/// Zones that are used one after the other, with gaps between them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StridedZones {
    /// Bytes that are moved in a zone before the next one's turn; at least 1.
    pub used_bytes: u64,
    /// Length of a zone in bytes; at least that of the longest I/O.
    pub zone_len_bytes: u64,
    /// Bytes between the end of a zone and the start of the next.
    pub skip_bytes: u64,
}
