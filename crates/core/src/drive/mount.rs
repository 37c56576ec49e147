//! A mounted file system.

use serde::{Deserialize, Serialize};

use super::FileSystem;
use crate::JsonSchema;

/// A mounted file system.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Mount {
    /// Mount point.
    pub mount_point: String,
    /// Its type, as named by the kernel.
    pub fs_type: String,
    /// Its source: a device, or a name.
    pub source: String,
    /// Mount options.
    pub options: Vec<String>,
    /// Its size in bytes.
    pub size_bytes: u64,
    /// Space available to unprivileged users, in bytes.
    pub available_bytes: u64,
    /// Whether its content is in memory, not on a drive.
    pub is_memory: bool,
    /// More about the file system; `None` if not queried.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file_system: Option<FileSystem>,
}

/// A kernel device number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DeviceNumber {
    /// Major number; 0 for file systems without a device.
    pub major: u32,
    /// Minor number.
    pub minor: u32,
}

impl DeviceNumber {
    /// Parses `8:1`.
    pub fn parse(text: &str) -> Option<Self> {
        let (major, minor) = text.split_once(':')?;
        Some(Self { major: major.parse().ok()?, minor: minor.parse().ok()? })
    }

    /// Whether it refers to no device: network and memory file systems, and those that span several devices.
    pub fn is_anonymous(self) -> bool {
        self.major == 0
    }
}

impl std::fmt::Display for DeviceNumber {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.major, self.minor)
    }
}
