//! What a drive counted while it was measured.

use serde::{Deserialize, Serialize};

use super::Health;
use crate::JsonSchema;

/// How a drive said it was when it was asked once more.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DriveHealth {
    /// The kernel's name of the drive.
    pub drive: String,
    /// What it said.
    pub health: Health,
}

/// By how much the counts of a drive grew between two answers. `None` where one of them does not tell.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct HealthChange {
    /// Times that it could not give back what was written.
    pub media_errors: Option<u64>,
    /// Sectors that it replaced by spare ones.
    pub reallocated_sectors: Option<u64>,
    /// Sectors that it could not read, and has not judged yet.
    pub pending_sectors: Option<u64>,
    /// Transfers that its link damaged.
    pub interface_errors: Option<u64>,
    /// Times that it lost power without being told before.
    pub unsafe_shutdowns: Option<u64>,
    /// Minutes above the temperature at which it warns.
    pub above_warning_min: Option<u64>,
    /// Times that heat made it slow itself down.
    pub throttled: Option<u64>,
    /// Bytes written to it.
    pub written_bytes: Option<u64>,
}

impl Health {
    /// By how much its counts grew since `earlier`.
    pub fn since(&self, earlier: &Self) -> HealthChange {
        let grown = |count: fn(&Self) -> Option<u64>| Some(count(self)?.saturating_sub(count(earlier)?));
        HealthChange {
            media_errors: grown(|health| health.media_errors),
            reallocated_sectors: grown(|health| health.reallocated_sectors),
            pending_sectors: grown(|health| health.pending_sectors),
            interface_errors: grown(|health| health.interface_errors),
            unsafe_shutdowns: grown(|health| health.unsafe_shutdowns),
            above_warning_min: grown(Self::hot_min),
            throttled: grown(|health| health.throttled),
            written_bytes: grown(|health| health.written_bytes),
        }
    }

    /// Minutes of its life above the temperature at which it warns; `None` when it does not count them.
    pub fn hot_min(&self) -> Option<u64> {
        let (warm, critical) = (self.above_warning_min, self.above_critical_min);
        warm.or(critical).map(|_| warm.unwrap_or(0).saturating_add(critical.unwrap_or(0)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_both_tell_is_compared() {
        let before = Health { media_errors: Some(3), above_warning_min: Some(5), ..Health::default() };
        let after = Health {
            media_errors: Some(7),
            interface_errors: Some(2),
            above_warning_min: Some(5),
            above_critical_min: Some(1),
            ..Health::default()
        };
        let expected =
            HealthChange { media_errors: Some(4), above_warning_min: Some(1), ..HealthChange::default() };
        assert_eq!(after.since(&before), expected);
        // Counts that fall, as sectors that were judged, are none that grew.
        assert_eq!(before.since(&after).media_errors, Some(0));
    }
}
