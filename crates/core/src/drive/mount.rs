//! A mounted file system.

use serde::{Deserialize, Serialize};

use super::FileSystem;
use crate::JsonSchema;

/// A mounted file system.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Mount {
    /// Where it is mounted.
    pub mount_point: String,
    /// Its type, as the kernel names it.
    pub fs_type: String,
    /// What was mounted: a device, or a name.
    pub source: String,
    /// Mount options.
    pub options: Vec<String>,
    /// Its size in bytes.
    pub size_bytes: u64,
    /// What an unprivileged user may still write, in bytes.
    pub available_bytes: u64,
    /// Whether its content lives in memory and not on a drive.
    pub is_memory: bool,
    /// What is known of the file system besides; `None` when it was not looked at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file_system: Option<FileSystem>,
}

/// The kernel's number of a device.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DeviceNumber {
    /// Which driver; 0 for file systems without a device of their own.
    pub major: u32,
    /// Which of its devices.
    pub minor: u32,
}

impl DeviceNumber {
    /// From `8:1`.
    pub fn parse(text: &str) -> Option<Self> {
        let (major, minor) = text.split_once(':')?;
        Some(Self { major: major.parse().ok()?, minor: minor.parse().ok()? })
    }

    /// Whether it stands for no device: network and memory file systems, and those that span several devices.
    pub fn is_anonymous(self) -> bool {
        self.major == 0
    }
}

impl std::fmt::Display for DeviceNumber {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.major, self.minor)
    }
}
