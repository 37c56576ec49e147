//! Why a path's drive could not be identified.

use std::io;
use std::path::Path;

use cardiograph_core::system_error::cause;
use cardiograph_core::{Message, message};

/// Why nothing is known about a path, as a message that names it. Missing facts are not errors.
#[derive(Debug)]
pub struct IdentifyError(pub Message);

impl IdentifyError {
    /// A system error about `path`.
    pub(crate) fn from_path(path: &Path, answer: &io::Error) -> Self {
        Self(match answer.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => message!("drive-path-missing", path),
            _ => message!("drive-path-unreadable", path, error = cause(answer)),
        })
    }
}
