//! Why a path's drive could not be identified.

use std::io;
use std::path::Path;

use thiserror::Error;

/// Why nothing is known about a path, in a sentence that names it. Missing facts are not errors.
#[derive(Debug, Error)]
#[error("{0}")]
pub struct IdentifyError(pub(crate) String);

impl IdentifyError {
    /// An error of the system about `path`.
    pub(crate) fn of_path(path: &Path, answer: &io::Error) -> Self {
        let path = path.display();
        Self(match answer.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => format!("{path} does not exist"),
            _ => format!("{path} cannot be looked at: {answer}"),
        })
    }
}
