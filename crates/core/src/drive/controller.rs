//! A RAID controller between a drive that the system sees and the drives that it is made of.

use serde::{Deserialize, Serialize};

use crate::JsonSchema;

/// A RAID controller, and how it treats the volume that a leaf is.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Controller {
    /// The kernel's driver for it, as `megaraid_sas`.
    pub driver: String,
    /// What it calls itself; known once its program was asked.
    pub model: Option<String>,
    /// Its firmware; known once its program was asked.
    pub firmware: Option<String>,
    /// The program that reported it.
    pub program: Option<String>,
    /// The volume; `None` until the program was asked, and for drives that are passed through.
    pub volume: Option<RaidVolume>,
    /// Backup power of its cache; `None` if it has none, or does not report it.
    pub backup: Option<CacheBackup>,
}

/// A volume of a RAID controller. `None` if not reported.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RaidVolume {
    /// Its level, as `RAID1`.
    pub level: Option<String>,
    /// Its state, in the controller's word, as `Optl`.
    pub state: Option<String>,
    /// What happens to writes now.
    pub write_policy: Option<WritePolicy>,
    /// What was asked to happen to writes. Without power for its cache a controller falls back to writing through.
    pub write_policy_asked: Option<WritePolicy>,
    /// Whether it reads ahead.
    pub reads_ahead: Option<bool>,
    /// Whether reads stay in its cache.
    pub reads_cached: Option<bool>,
    /// What becomes of the caches of the drives behind it, in the controller's words, as `Disk's Default`.
    pub drive_cache: Option<String>,
    /// What lies on one drive before the next one's turn, in bytes.
    pub strip_bytes: Option<u64>,
    /// Drives in it.
    pub drives: Option<u32>,
}

/// When a controller says that a write is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum WritePolicy {
    /// When it is on the drives.
    Through,
    /// When it is in its cache, as long as that outlives a power cut.
    Back,
    /// When it is in its cache, even if a power cut would take it.
    AlwaysBack,
}

/// What keeps a controller's cache alive without power.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CacheBackup {
    /// Whether it is a capacitor with flash (`CacheVault`), and not a battery.
    pub is_flash: bool,
    /// What it calls itself.
    pub model: Option<String>,
    /// Its state, in the controller's word, as `Optimal`.
    pub state: Option<String>,
}
