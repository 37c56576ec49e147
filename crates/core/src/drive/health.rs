//! How a drive says it is.

use serde::{Deserialize, Serialize};

use crate::JsonSchema;

/// Lifetime counters of a drive. `None` if not reported.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Health {
    /// Source of the information.
    pub source: HealthSource,
    /// Whether the drive's own judgement of itself is that it is fit.
    pub passed: Option<bool>,
    /// Its temperature, in degrees Celsius.
    pub temperature_c: Option<i32>,
    /// Above this it warns, and may slow down, in degrees Celsius.
    pub temperature_warning_c: Option<i32>,
    /// Above this it is in danger, in degrees Celsius.
    pub temperature_critical_c: Option<i32>,
    /// Minutes that it was between the two, in its life.
    pub above_warning_min: Option<u64>,
    /// Minutes that it was above the second, in its life.
    pub above_critical_min: Option<u64>,
    /// Times that heat made it slow itself down (NVM Express: entries into thermal management).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub throttled: Option<u64>,
    /// Share of its rated life used, in percent. It can exceed 100.
    pub used_percent: Option<u16>,
    /// The attribute that the share was taken from, as `177 Wear_Leveling_Count`; `None` where a standard defines it.
    pub used_from: Option<String>,
    /// Share of its spare blocks that is left, in percent.
    pub spare_percent: Option<u8>,
    /// The share of spare blocks below which it warns, in percent.
    pub spare_limit_percent: Option<u8>,
    /// Bytes read from it in its life.
    pub read_bytes: Option<u64>,
    /// Bytes written to it in its life.
    pub written_bytes: Option<u64>,
    /// The attribute that the written bytes were taken from, as `241 Total_LBAs_Written`; `None` where a standard defines
    /// them.
    pub written_from: Option<String>,
    /// Hours that it was on.
    pub power_on_h: Option<u64>,
    /// Times that it was switched on.
    pub power_cycles: Option<u64>,
    /// Unexpected power losses.
    pub unsafe_shutdowns: Option<u64>,
    /// Times that it could not give back what was written.
    pub media_errors: Option<u64>,
    /// Sectors that it replaced by spare ones.
    pub reallocated_sectors: Option<u64>,
    /// Sectors that it could not read, and will judge when they are written next.
    pub pending_sectors: Option<u64>,
    /// Transfers that its link damaged, and that were repeated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interface_errors: Option<u64>,
    /// Warnings of an NVMe drive, a bit each: spare, temperature, reliability, read only, backup of volatile memory, and
    /// persistent memory region (NVM Express Base Specification 2.0, figure 207).
    pub critical_warning: Option<u8>,
}

/// Below this share of its life, used up so far, a drive's own count is too coarse to reckon with, in percent.
const LIFE_USED_PERCENT_MIN: u16 = 2;

impl Health {
    /// Bytes written in its rated life, extrapolated from the bytes written so far and the share of life
    /// used; `None` if not reported, or if too little is used to extrapolate.
    pub fn life_bytes(&self) -> Option<f64> {
        let used = self.used_percent.filter(|&used| used >= LIFE_USED_PERCENT_MIN)?;
        Some(self.written_bytes? as f64 * 100.0 / f64::from(used))
    }

    /// Bytes that can be written in what is left of that life: none when all of it is used up, whatever was counted.
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
    /// The kernel, which knows the temperature only.
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
    fn the_life_follows_from_what_was_written_and_used() {
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
