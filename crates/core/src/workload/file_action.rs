//! What is done to a file as a whole.

use serde::{Deserialize, Serialize};

use crate::JsonSchema;

/// What a job does to its files where its I/Os move no data: each I/O is one such call for one file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FileAction {
    /// Makes it, empty, or opens it where it is there.
    Create,
    /// Looks up what it is.
    Stat,
    /// Removes it.
    Delete,
}

impl FileAction {
    /// What an engine that handles files does to them; `None` for engines that move data.
    pub fn of_engine(name: &str) -> Option<Self> {
        match name {
            "filecreate" => Some(Self::Create),
            "filestat" => Some(Self::Stat),
            "filedelete" => Some(Self::Delete),
            _ => None,
        }
    }

    /// Whether a directory is not what it was afterwards.
    pub const fn is_modifying(self) -> bool {
        matches!(self, Self::Create | Self::Delete)
    }

    /// Whether the file has to be there, as long as it is to be, before it is handled.
    pub const fn needs_file(self) -> bool {
        matches!(self, Self::Stat | Self::Delete)
    }
}
