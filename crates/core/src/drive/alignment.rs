//! Alignment of data with the erase or stripe unit of the drive below.

use serde::{Deserialize, Serialize};

use crate::JsonSchema;

/// The start of one device of a stack on another below it. If it is not a multiple of the unit below, writes of whole
/// units touch one more.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Alignment {
    /// Name of the upper device: the topmost for which the start is known.
    pub device: String,
    /// Name of the drive or set below.
    pub on: String,
    /// Offset in bytes.
    pub start_bytes: u64,
    /// Unit of the device below, in bytes.
    pub unit_bytes: u64,
    /// Source of the unit.
    pub unit_source: UnitSource,
    /// Whether the offset is a multiple of the unit.
    pub is_aligned: bool,
}

impl Alignment {
    /// The alignment of `device`, which starts on `on` at `start_bytes`. A unit of 0 means none: everything is
    /// aligned.
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

/// Source of a unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum UnitSource {
    /// The card's allocation unit, as reported.
    AllocationUnit,
    /// The kernel's preferred erase size for the card or chip.
    PreferredErase,
    /// The optimal I/O size reported by the drive.
    OptimalIo,
    /// A stripe of the set: its chunk on each data drive.
    Stripe,
    /// 1 MiB, which partitioning programs use and every known drive's unit divides or is a small multiple of; the
    /// drive itself does not report one.
    Convention,
}
