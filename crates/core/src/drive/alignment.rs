//! Where data begins on a drive, against the unit in which the drive erases or spreads it.

use serde::{Deserialize, Serialize};

use crate::JsonSchema;

/// The beginning of one device of a stack on another below it. Where it is not a multiple of the unit below, writes of
/// whole units touch one more.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Alignment {
    /// The name of the device that begins: the uppermost of which it is known.
    pub device: String,
    /// The name of the drive or set on which it begins.
    pub on: String,
    /// Where, in bytes.
    pub start_bytes: u64,
    /// The unit below, in bytes.
    pub unit_bytes: u64,
    /// Where the unit is from.
    pub unit_source: UnitSource,
    /// Whether the one is a multiple of the other.
    pub is_aligned: bool,
}

impl Alignment {
    /// Of `device`, which starts on `on` at `start_bytes`. A unit of 0 means none: everything is aligned.
    pub fn new(
        device: &str,
        on: &str,
        start_bytes: u64,
        (unit_bytes, unit_source): (u64, UnitSource),
    ) -> Self {
        Self {
            device: device.to_string(),
            on: on.to_string(),
            start_bytes,
            unit_bytes,
            unit_source,
            is_aligned: unit_bytes == 0 || start_bytes.is_multiple_of(unit_bytes),
        }
    }
}

/// Where a unit is from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum UnitSource {
    /// The card says that it is its allocation unit.
    AllocationUnit,
    /// The kernel prefers to erase so much of the card or chip at once.
    PreferredErase,
    /// The drive says that large I/Os are best a multiple of it.
    OptimalIo,
    /// A stripe of the set: its chunk on each drive with data.
    Stripe,
    /// 1 MiB, which partitioning programs use and every known drive's unit divides or is a small multiple of; the drive
    /// itself does not say.
    Convention,
}
