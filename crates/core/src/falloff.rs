//! Whether writing falls off, and after how much.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::series::Series;

/// What was found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FallOffSearch {
    /// Bytes that were looked at: "no fall-off in the first so many bytes".
    pub searched_bytes: u64,
    /// The fall-off, if there is one.
    pub found: Option<FallOff>,
}

/// A lasting loss of write speed.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FallOff {
    /// Bytes that were written before it.
    pub after_bytes: u64,
    /// Mean speed before, in bytes per second.
    pub before_bytes_per_s: f64,
    /// Mean speed after, in bytes per second.
    pub after_bytes_per_s: f64,
}

/// Looks for a fall-off in the writes of `series`.
pub fn search(series: &Series) -> FallOffSearch {
    let writes = series.whole(crate::direction::Direction::Write);
    FallOffSearch { searched_bytes: writes.iter().map(|row| row.bytes).sum(), found: None }
}
