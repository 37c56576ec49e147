//! File operations without data.

use serde::{Deserialize, Serialize};

use crate::JsonSchema;

/// File operation of a job whose I/Os move no data. Each I/O is one system call: for a whole file, or for a part of
/// it (see [`is_whole_file`](Self::is_whole_file)).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FileAction {
    /// Creates an empty file, or opens an existing one.
    Create,
    /// Looks up its attributes.
    Stat,
    /// Removes it.
    Delete,
    /// Creates a directory.
    CreateDirectory,
    /// Looks up a directory.
    StatDirectory,
    /// Removes a directory, if it is empty.
    DeleteDirectory,
    /// Sets its length to the I/O's offset.
    Truncate,
    /// Reserves or frees room for the I/O's blocks.
    Allocate,
}

impl FileAction {
    /// Whether each I/O is a call for a whole file: then it has no offset, and its direction is only a name.
    pub const fn is_whole_file(self) -> bool {
        !matches!(self, Self::Truncate | Self::Allocate)
    }

    /// Whether it modifies a file or its directory.
    pub const fn is_modifying(self) -> bool {
        !matches!(self, Self::Stat | Self::StatDirectory)
    }

    /// Whether it is for directories.
    pub const fn is_for_directories(self) -> bool {
        matches!(self, Self::CreateDirectory | Self::StatDirectory | Self::DeleteDirectory)
    }

    /// Whether it creates missing files.
    pub const fn makes_file(self) -> bool {
        matches!(self, Self::Create | Self::CreateDirectory)
    }

    /// Whether the file, at its full length, or the directory must exist beforehand.
    pub const fn needs_file(self) -> bool {
        matches!(self, Self::Stat | Self::Delete | Self::StatDirectory | Self::DeleteDirectory)
    }
}
