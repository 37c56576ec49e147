//! A RAID controller between the system and the physical drives.

use serde::{Deserialize, Serialize};

use crate::JsonSchema;

/// A RAID controller, and its settings for a volume that the system sees as a drive.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Controller {
    /// Its kernel driver, such as `megaraid_sas`.
    pub driver: String,
    /// Reported model name; known once its program was queried.
    pub model: Option<String>,
    /// Firmware version; known once its program was queried.
    pub firmware: Option<String>,
    /// The program that reported it.
    pub program: Option<String>,
    /// The volume; `None` until its program was queried, and for drives that are passed through.
    pub volume: Option<RaidVolume>,
    /// Backup power of its cache; `None` if it has none, or does not report it.
    pub backup: Option<CacheBackup>,
}

/// A volume of a RAID controller. `None` if not reported.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RaidVolume {
    /// Its level, such as `RAID1`.
    pub level: Option<String>,
    /// Its state as reported by the controller, such as `Optl`.
    pub state: Option<String>,
    /// Current write policy.
    pub write_policy: Option<WritePolicy>,
    /// Configured write policy. Without power for its cache a controller falls back to write-through.
    pub write_policy_asked: Option<WritePolicy>,
    /// Whether it reads ahead.
    pub reads_ahead: Option<bool>,
    /// Whether reads are cached.
    pub reads_cached: Option<bool>,
    /// Cache policy of the drives behind it, as reported by the controller, such as `Disk's Default`.
    pub drive_cache: Option<String>,
    /// Strip size per drive, in bytes.
    pub strip_bytes: Option<u64>,
    /// Number of drives in it.
    pub drives: Option<u32>,
}

/// When a controller reports a write as complete.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum WritePolicy {
    /// When it is on the drives (write-through).
    Through,
    /// When it is in its cache, as long as that survives a power cut.
    Back,
    /// When it is in its cache, even if a power cut would lose it.
    AlwaysBack,
}

/// Backup power of a controller's cache.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CacheBackup {
    /// Whether it is a capacitor with flash (`CacheVault`), not a battery.
    pub is_flash: bool,
    /// Reported model name.
    pub model: Option<String>,
    /// Its state as reported by the controller, such as `Optimal`.
    pub state: Option<String>,
}
