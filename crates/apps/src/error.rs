//! Why a load could not go on.

use std::path::{Path, PathBuf};
use std::{fmt, io};

use cardiograph_core::{Action, Message, Parameter, message};

/// Why a load could not go on.
#[derive(Debug)]
pub enum AppError {
    /// No load has this name.
    NoSuchLoad {
        /// The name.
        load: String,
        /// Those that there are.
        known: Vec<&'static str>,
    },
    /// A load does not know a parameter, or it cannot have that value.
    Parameter {
        /// The load.
        load: String,
        /// The parameter.
        name: String,
        /// Its value.
        value: u64,
    },
    /// A call failed.
    Io {
        /// What was to be done with the file.
        action: Action,
        /// The file or directory.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// The database library failed.
    Database {
        /// The database.
        path: PathBuf,
        /// What it says.
        message: Message,
        /// Whether there was no room.
        is_full: bool,
    },
    /// What was read is not what was written.
    Content {
        /// The file.
        path: PathBuf,
        /// What was found.
        found: Message,
    },
    /// The thread of the load is gone.
    Lost,
}

impl AppError {
    /// What failed, where and why.
    pub fn message(&self) -> Message {
        match self {
            Self::NoSuchLoad { load, known } => {
                message!("app-no-such-load", load = load, loads = Parameter::all(known.iter().copied()))
            }
            Self::Parameter { load, name, value } => {
                message!("app-parameter", load = load, name = name, amount = *value)
            }
            Self::Io { action, path, source } => action.failed(path, source),
            Self::Database { path, message, .. } => {
                message!("app-database", path = path, error = message.clone())
            }
            Self::Content { path, found } => message!("app-content", path = path, found = found.clone()),
            Self::Lost => message!("app-lost"),
        }
    }

    /// Whether the file system has no room left.
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

/// Says what a call was for.
pub(crate) trait Doing<T> {
    /// The error of `action` on `path`.
    fn doing(self, action: Action, path: &Path) -> Result<T, AppError>;
}

impl<T, E: Into<io::Error>> Doing<T> for Result<T, E> {
    fn doing(self, action: Action, path: &Path) -> Result<T, AppError> {
        self.map_err(|error| AppError::Io { action, path: path.to_path_buf(), source: error.into() })
    }
}
