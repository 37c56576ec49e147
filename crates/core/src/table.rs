//! Tables in the order and units that readers of a test set know.
//!
//! A figure keeps its base unit (bytes per second, nanoseconds, a count) and its interval; [`CellUnit`] defines its
//! display. So a table can be compared with the published one, and stored without loss.

use serde::{Deserialize, Serialize};

use crate::JsonSchema;
use crate::doubt::Doubt;
use crate::estimate::Estimate;
use crate::message::Message;

/// A suite's table of measurements.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Table {
    /// Short title.
    pub title: Message,
    /// Heading of the row names; may be empty.
    pub heading: Message,
    /// The columns after the row names.
    pub columns: Vec<Column>,
    /// The rows, each with one cell per column.
    pub rows: Vec<TableRow>,
    /// Notes for comparing it with another table, as sentences.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Message>,
}

/// A column of a [`Table`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Column {
    /// Its heading, without the unit.
    pub heading: Message,
    /// Unit of its figures.
    pub unit: CellUnit,
}

/// Unit of figures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CellUnit {
    /// Words only.
    Text,
    /// Bytes per second, in 10^6.
    MegabytesPerSecond,
    /// Bytes per second, in 2^20.
    MebibytesPerSecond,
    /// Bytes per second, in 2^10.
    KibibytesPerSecond,
    /// Operations per second.
    PerSecond,
    /// Nanoseconds, in 10^3.
    Microseconds,
    /// Nanoseconds, in 10^6.
    Milliseconds,
    /// Nanoseconds, in 10^9.
    Seconds,
    /// Bytes, in 10^9.
    Gigabytes,
    /// A fraction, in percent.
    Percent,
    /// A count or a score.
    Count,
    /// Bytes per second, scaled by powers of 1,000: each cell has its own unit.
    BytesPerSecond,
    /// A count in brackets, as it belongs to the previous cell; in thousands (`k`) from 1,000 on.
    InBrackets,
}

impl CellUnit {
    /// The unit's symbol; empty if none.
    pub const fn sign(self) -> &'static str {
        match self {
            CellUnit::Text | CellUnit::Count | CellUnit::BytesPerSecond | CellUnit::InBrackets => "",
            CellUnit::MegabytesPerSecond => "MB/s",
            CellUnit::MebibytesPerSecond => "MiB/s",
            CellUnit::KibibytesPerSecond => "KiB/s",
            CellUnit::PerSecond => "1/s",
            CellUnit::Microseconds => "µs",
            CellUnit::Milliseconds => "ms",
            CellUnit::Seconds => "s",
            CellUnit::Gigabytes => "GB",
            CellUnit::Percent => "%",
        }
    }

    /// Its size in base units (bytes per second, nanoseconds, bytes, one).
    pub const fn scale(self) -> f64 {
        match self {
            CellUnit::Text
            | CellUnit::Count
            | CellUnit::PerSecond
            | CellUnit::BytesPerSecond
            | CellUnit::InBrackets => 1.0,
            CellUnit::KibibytesPerSecond => 1_024.0,
            CellUnit::MebibytesPerSecond => 1_048_576.0,
            CellUnit::MegabytesPerSecond | CellUnit::Milliseconds => 1e6,
            CellUnit::Microseconds => 1e3,
            CellUnit::Seconds | CellUnit::Gigabytes => 1e9,
            CellUnit::Percent => 0.01,
        }
    }
}

/// A row of a [`Table`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TableRow {
    /// Its name.
    pub name: Message,
    /// One cell per column.
    pub cells: Vec<Cell>,
}

/// A cell of a [`Table`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Cell {
    /// A measurement.
    Figure {
        /// Value in the base unit of the column.
        estimate: Estimate,
        /// Id of its step; empty if derived from several.
        step: String,
        /// Why it is not the drive's figure, or may not be, if so.
        doubt: Option<Doubt>,
    },
    /// Words.
    Text {
        /// The words.
        text: Message,
    },
    /// Not measured.
    Absent {
        /// A short reason.
        why: Message,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_unit_and_its_scale_belong_together() {
        let cases = [
            (CellUnit::MegabytesPerSecond, 34_400_000.0, 34.4),
            (CellUnit::KibibytesPerSecond, 9_650_176.0, 9_424.0),
            (CellUnit::Milliseconds, 26_600_000.0, 26.6),
            (CellUnit::Percent, 0.5, 50.0),
            (CellUnit::PerSecond, 240.0, 240.0),
        ];
        for (unit, base, shown) in cases {
            assert!((base / unit.scale() - shown).abs() < 1e-9, "{unit:?}");
        }
    }
}
