//! Errors of loads.

use std::path::{Path, PathBuf};
use std::{fmt, io};

use cardiograph_core::{Action, Message, message};

/// Why a load failed.
#[derive(Debug)]
pub enum AppError {
    /// A system call failed.
    Io {
        /// What it was for.
        action: Action,
        /// The file or directory.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// The database library failed.
    Database {
        /// The database.
        path: PathBuf,
        /// The library's error.
        message: Message,
        /// Whether the file system was full.
        is_full: bool,
    },
    /// Anything else, in words for people.
    Failed(Message),
}

impl AppError {
    /// What failed, where and why.
    pub fn message(&self) -> Message {
        match self {
            Self::Io { action, path, source } => action.failed(path, source),
            Self::Database { path, message, .. } => message!("app-database", path, error = message.clone()),
            Self::Failed(message) => message.clone(),
        }
    }

    /// Data read back from a file differs from the data written.
    pub fn content(path: &Path, found: Message) -> Self {
        Self::Failed(message!("app-content", path, found))
    }

    /// Whether the file system is full.
    pub fn is_full(&self) -> bool {
        match self {
            AppError::Io { source, .. } => {
                matches!(source.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
            }
            AppError::Database { is_full, .. } => *is_full,
            _ => false,
        }
    }
}

impl fmt::Display for AppError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.message().fmt(f)
    }
}

impl std::error::Error for AppError {}

/// Adds context to the error of a call.
pub(crate) trait ErrorContext<T> {
    /// Wraps the error of `action` on `path`.
    fn context(self, action: Action, path: &Path) -> Result<T, AppError>;
}

impl<T, E: Into<io::Error>> ErrorContext<T> for Result<T, E> {
    fn context(self, action: Action, path: &Path) -> Result<T, AppError> {
        self.map_err(|error| AppError::Io { action, path: path.to_path_buf(), source: error.into() })
    }
}
