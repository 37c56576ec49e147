//! What is done to a file where no data is moved.

use serde::{Deserialize, Serialize};

use crate::JsonSchema;

/// What a job does to its files where its I/Os move no data. Each I/O is one system call: for a whole file, or for a part of it
/// (see [`is_whole_file`](Self::is_whole_file)).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FileAction {
    /// Makes it, empty, or opens it where it is there.
    Create,
    /// Looks up what it is.
    Stat,
    /// Removes it.
    Delete,
    /// Makes a directory.
    CreateDirectory,
    /// Looks a directory up.
    StatDirectory,
    /// Removes a directory, if it is empty.
    DeleteDirectory,
    /// Sets its length to the I/O's offset.
    Truncate,
    /// Reserves or frees room for the I/O's blocks.
    Allocate,
}

impl FileAction {
    /// Whether each I/O is a call for a whole file: then it has no offset, and its direction is just a name.
    pub const fn is_whole_file(self) -> bool {
        !matches!(self, Self::Truncate | Self::Allocate)
    }

    /// Whether it changes a file or its directory.
    pub const fn is_modifying(self) -> bool {
        !matches!(self, Self::Stat | Self::StatDirectory)
    }

    /// Whether it is for directories.
    pub const fn is_for_directories(self) -> bool {
        matches!(self, Self::CreateDirectory | Self::StatDirectory | Self::DeleteDirectory)
    }

    /// Whether it makes what is missing.
    pub const fn makes_file(self) -> bool {
        matches!(self, Self::Create | Self::CreateDirectory)
    }

    /// Whether the file has to be there, as long as it is to be, or the directory, before it is handled.
    pub const fn needs_file(self) -> bool {
        matches!(self, Self::Stat | Self::Delete | Self::StatDirectory | Self::DeleteDirectory)
    }
}
