//! Why a path's drive could not be identified.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

/// Why nothing can be said of a path. Facts that are merely missing are no errors.
#[derive(Debug, Error)]
pub enum IdentifyError {
    /// Nothing has this name.
    #[error("{} does not exist", path.display())]
    NotFound {
        /// The path that was asked for.
        path: PathBuf,
        /// What the system answered.
        source: io::Error,
    },
    /// It may exist, but cannot be looked at.
    #[error("{} cannot be looked at: {source}", path.display())]
    NotAccessible {
        /// The path that was asked for.
        path: PathBuf,
        /// What the system answered.
        source: io::Error,
    },
    /// The list of mounts cannot be read.
    #[error("the list of mounts ({}) cannot be read: {source}", path.display())]
    MountInfo {
        /// The list's own path.
        path: PathBuf,
        /// What the system answered.
        source: io::Error,
    },
    /// The list of mounts has none that contains the path, as in a chroot that is no mount itself.
    #[error("{} lies in no mount that can be seen from here", path.display())]
    NoMount {
        /// The path that was asked for.
        path: PathBuf,
    },
}

impl IdentifyError {
    /// Sorts the system's answer about `path`.
    pub(crate) fn of_path(path: PathBuf, source: io::Error) -> Self {
        match source.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Self::NotFound { path, source },
            _ => Self::NotAccessible { path, source },
        }
    }
}
