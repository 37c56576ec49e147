//! Changes of a drive's counters during a checkup.

use serde::{Deserialize, Serialize};

use super::Health;
use crate::JsonSchema;

/// A drive's health when queried again.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DriveHealth {
    /// The kernel's name of the drive.
    pub drive: String,
    /// Its health.
    pub health: Health,
}

impl Health {
    /// Increase of its counters since `earlier`; `None` if either value is missing. Minutes of heat are those above
    /// the warning temperature.
    pub fn since(&self, earlier: &Self) -> Self {
        let grown = |count: fn(&Self) -> Option<u64>| Some(count(self)?.saturating_sub(count(earlier)?));
        Self {
            media_errors: grown(|health| health.media_errors),
            reallocated_sectors: grown(|health| health.reallocated_sectors),
            pending_sectors: grown(|health| health.pending_sectors),
            interface_errors: grown(|health| health.interface_errors),
            unsafe_shutdowns: grown(|health| health.unsafe_shutdowns),
            above_warning_min: grown(Self::hot_min),
            throttled: grown(|health| health.throttled),
            written_bytes: grown(|health| health.written_bytes),
            ..Self::default()
        }
    }

    /// Lifetime minutes above the warning temperature; `None` if not counted.
    pub fn hot_min(&self) -> Option<u64> {
        let (warm, critical) = (self.above_warning_min, self.above_critical_min);
        warm.or(critical).map(|_| warm.unwrap_or(0).saturating_add(critical.unwrap_or(0)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_common_counters_are_compared() {
        let before = Health { media_errors: Some(3), above_warning_min: Some(5), ..Health::default() };
        let after = Health {
            media_errors: Some(7),
            interface_errors: Some(2),
            above_warning_min: Some(5),
            above_critical_min: Some(1),
            ..Health::default()
        };
        let expected = Health { media_errors: Some(4), above_warning_min: Some(1), ..Health::default() };
        assert_eq!(after.since(&before), expected);
        // Decreasing counters, such as pending sectors, are not an increase.
        assert_eq!(before.since(&after).media_errors, Some(0));
    }
}
