//! A drive's health.

use serde::{Deserialize, Serialize};

use crate::JsonSchema;

/// Lifetime counters of a drive. `None` if not reported.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Health {
    /// Source of the information.
    pub source: HealthSource,
    /// Whether the drive's self-assessment passed.
    pub passed: Option<bool>,
    /// Temperature in degrees Celsius.
    pub temperature_c: Option<i32>,
    /// Warning temperature in degrees Celsius, above which it may slow down.
    pub temperature_warning_c: Option<i32>,
    /// Critical temperature in degrees Celsius.
    pub temperature_critical_c: Option<i32>,
    /// Lifetime minutes between the two.
    pub above_warning_min: Option<u64>,
    /// Lifetime minutes above the critical temperature.
    pub above_critical_min: Option<u64>,
    /// Times that it throttled itself because of heat (NVM Express: entries into thermal management).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub throttled: Option<u64>,
    /// Percentage of its rated life used. Can exceed 100.
    pub used_percent: Option<u16>,
    /// The attribute with that percentage, such as `177 Wear_Leveling_Count`; `None` if a standard defines it.
    pub used_from: Option<String>,
    /// Percentage of spare blocks left.
    pub spare_percent: Option<u8>,
    /// The percentage of spare blocks below which it warns.
    pub spare_limit_percent: Option<u8>,
    /// Lifetime bytes read.
    pub read_bytes: Option<u64>,
    /// Lifetime bytes written.
    pub written_bytes: Option<u64>,
    /// The attribute with the bytes written, such as `241 Total_LBAs_Written`; `None` if a standard defines them.
    pub written_from: Option<String>,
    /// Power-on hours.
    pub power_on_h: Option<u64>,
    /// Power cycles.
    pub power_cycles: Option<u64>,
    /// Unexpected power losses.
    pub unsafe_shutdowns: Option<u64>,
    /// Uncorrectable errors.
    pub media_errors: Option<u64>,
    /// Reallocated sectors.
    pub reallocated_sectors: Option<u64>,
    /// Pending sectors: unreadable, to be judged when next written.
    pub pending_sectors: Option<u64>,
    /// Transfers damaged on the link, and repeated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interface_errors: Option<u64>,
    /// Critical warnings of an NVMe drive, one bit each: spare, temperature, reliability, read only, backup of
    /// volatile memory, and persistent memory region (NVM Express Base Specification 2.0, figure 207).
    pub critical_warning: Option<u8>,
}

/// Minimum percentage of life used for an extrapolation: below it, a drive's own count is too coarse.
const LIFE_USED_PERCENT_MIN: u16 = 2;

impl Health {
    /// Bytes written over its rated life, extrapolated from the bytes written so far and the share of life used;
    /// `None` if not reported, or if too little is used to extrapolate.
    pub fn life_bytes(&self) -> Option<f64> {
        let used = self.used_percent.filter(|&used| used >= LIFE_USED_PERCENT_MIN)?;
        Some(self.written_bytes? as f64 * 100.0 / f64::from(used))
    }

    /// Bytes that can be written in the rest of that life: 0 when all of it is used up, whatever was counted.
    pub fn life_left_bytes(&self) -> Option<f64> {
        match self.used_percent {
            Some(100..) => Some(0.0),
            used => Some(self.life_bytes()? * (1.0 - f64::from(used?) / 100.0)),
        }
    }
}

/// Source of a drive's health.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum HealthSource {
    /// The kernel, which only knows the temperature.
    #[default]
    Kernel,
    /// A program.
    Program {
        /// Its name.
        name: String,
        /// Its version; `None` if not reported.
        version: Option<String>,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rated_life_follows_from_bytes_written_and_share_used() {
        let health =
            |used_percent, written_bytes| Health { used_percent, written_bytes, ..Health::default() };
        for (used, written, life, left) in [
            (Some(10), Some(30_000), Some(300_000.0), Some(270_000.0)),
            (Some(1), Some(30_000), None, None),
            (Some(10), None, None, None),
            (None, Some(30_000), None, None),
            (Some(120), None, None, Some(0.0)),
            (Some(100), Some(5_000), Some(5_000.0), Some(0.0)),
        ] {
            let health = health(used, written);
            assert_eq!((health.life_bytes(), health.life_left_bytes()), (life, left), "{used:?} {written:?}");
        }
    }
}
