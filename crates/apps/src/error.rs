//! Why a load could not go on.

use std::io;
use std::path::{Path, PathBuf};

/// Why a load could not go on.
#[derive(Debug, thiserror::Error)]
pub enum AppError {
    /// No load has this name.
    #[error("no load is called '{load}'")]
    NoSuchLoad {
        /// The name.
        load: String,
    },
    /// A load does not know a parameter, or it cannot have that value.
    #[error("the load '{load}' has no parameter '{name}' of {value}")]
    Parameter {
        /// The load.
        load: String,
        /// The parameter.
        name: String,
        /// Its value.
        value: u64,
    },
    /// A call failed.
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// What was to be done with the file, as `write`.
        action: &'static str,
        /// The file or directory.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// The database library failed.
    #[error("SQLite cannot {action} {}: {message}", path.display())]
    Database {
        /// What it was to do.
        action: &'static str,
        /// The database.
        path: PathBuf,
        /// What it says.
        message: String,
        /// Whether there was no room.
        is_full: bool,
    },
    /// What was read is not what was written.
    #[error("{} does not hold what was written: {found}", path.display())]
    Content {
        /// The file.
        path: PathBuf,
        /// What was found.
        found: String,
    },
    /// The thread of the load is gone.
    #[error("the load ended without a result")]
    Lost,
}

impl AppError {
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

/// Says what a call was for.
pub(crate) trait Doing<T> {
    /// The error of `action` on `path`.
    fn doing(self, action: &'static str, path: &Path) -> Result<T, AppError>;
}

impl<T, E: Into<io::Error>> Doing<T> for Result<T, E> {
    fn doing(self, action: &'static str, path: &Path) -> Result<T, AppError> {
        self.map_err(|error| AppError::Io { action, path: path.to_path_buf(), source: error.into() })
    }
}
