//! What can go wrong with a store.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

/// Why a Report was not kept or not found.
#[derive(Debug, Error)]
pub enum StoreError {
    /// The id cannot be the name of a file.
    #[error("'{}' is no id of a report: letters, digits, '-', '_' and '.' are allowed, and no '.' at its start", id.escape_debug())]
    BadId {
        /// The id.
        id: String,
    },
    /// There is no such Report.
    #[error("there is no report '{id}' in {}", directory.display())]
    NotFound {
        /// The id.
        id: String,
        /// Where it was looked for.
        directory: PathBuf,
    },
    /// The system refused.
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// What was to be done, as `create`.
        action: &'static str,
        /// With which file or directory.
        path: PathBuf,
        /// Why it was refused.
        source: io::Error,
    },
    /// The Report has no form in JSON.
    #[error("cannot write the report '{id}' as JSON: {source}")]
    Unwritable {
        /// The id.
        id: String,
        /// Why.
        source: serde_json::Error,
    },
    /// The file is no Report.
    #[error("{} is no report: {source}", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// Why, with line and column.
        source: serde_json::Error,
    },
    /// A later version of the program wrote it.
    #[error(
        "{} has version {found} of the report's form; this program reads versions up to {known}: a newer one is needed",
        path.display()
    )]
    TooNew {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u64,
        /// The highest version that can be read.
        known: u32,
    },
    /// The environment does not say where a user's data belong.
    #[error("no place to keep reports: neither XDG_DATA_HOME nor HOME is set to an absolute path")]
    NoHome,
}
