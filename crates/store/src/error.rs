//! What can go wrong with a store.

use std::path::{Path, PathBuf};
use std::{fmt, io};

use rusqlite::ErrorCode;
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
    #[error("there is no report '{id}' in {}", place.display())]
    NotFound {
        /// The id.
        id: String,
        /// Where it was looked for.
        place: PathBuf,
    },
    /// SQLite refused.
    #[error("{}", database_message(path, source))]
    Database {
        /// The file.
        path: PathBuf,
        /// Why.
        source: rusqlite::Error,
    },
    /// The file is somebody else's.
    #[error(
        "{} is no store of cardiograph and is left as it is: name another file with --store; the JSON of a checkup is shown with \
         cardiograph show FILE",
        path.display()
    )]
    NotAStore {
        /// The file.
        path: PathBuf,
    },
    /// A later version of the program made the store.
    #[error(
        "{} has version {found} of the store's form; this program knows versions up to {known}: a newer one is needed",
        path.display()
    )]
    SchemaTooNew {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u32,
        /// The highest version that is known.
        known: u32,
    },
    /// An earlier version of the program made the store, and it may not be changed.
    #[error(
        "{} has version {found} of the store's form and can only be read; version {wanted} is needed: copy it to where it can \
         be written, and name the copy with --store",
        path.display()
    )]
    SchemaTooOld {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u32,
        /// The version that is needed.
        wanted: u32,
    },
    /// A later version of the program kept the Report.
    #[error(
        "the report '{id}' has version {found} of its form; this program reads versions up to {known}: a newer one is needed"
    )]
    ReportTooNew {
        /// The id.
        id: String,
        /// Its version.
        found: u64,
        /// The highest version that can be read.
        known: u32,
    },
    /// A part of a Report cannot be read.
    #[error("the report '{id}' cannot be read: {reason}")]
    Damaged {
        /// The id.
        id: String,
        /// Why.
        reason: String,
    },
    /// The file may only be read, and what was saved last stands in a log beside it.
    #[error(
        "{path} can only be read, and what was saved last is not in it yet but in {path}-wal: its owner has to open it once, as with \
         cardiograph history --store {path}",
        path = path.display()
    )]
    LogLeft {
        /// The file.
        path: PathBuf,
    },
    /// The file is damaged, and may not be written.
    #[error(
        "{} is damaged ({reason}) and can only be read: copy it to where it can be written, and name the copy with --store; it is \
         repaired there",
        path.display()
    )]
    DamagedToRead {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
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

/// What SQLite's refusal means for who keeps Reports.
fn database_message(path: &Path, source: &rusqlite::Error) -> String {
    let path = path.display();
    match source.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => {
            format!("no room is left for {path}: make room; what was kept before is still there")
        }
        Some(ErrorCode::ReadOnly) => {
            format!(
                "{path} cannot be written; name another file with --store (check can also keep nothing: --no-keep)"
            )
        }
        Some(ErrorCode::CannotOpen | ErrorCode::PermissionDenied) => {
            format!("cannot open {path}: {source}; name another file with --store")
        }
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
            format!("{path} is held by another process; wait for it, or name another file with --store")
        }
        // SQLite does not pass on which error of the system it was.
        Some(ErrorCode::SystemIoFailure) => format!(
            "{path}: {source}: its drive failed, or the file may not grow (a quota, or `ulimit -f`); name another file with \
             --store"
        ),
        Some(ErrorCode::NotADatabase) => format!("{path} is no store of cardiograph's"),
        Some(ErrorCode::DatabaseCorrupt) => format!("{path} is damaged: {source}"),
        _ => format!("{path}: {source}"),
    }
}

/// What a user should know of a store, though nothing failed.
#[derive(Debug)]
pub enum Remark {
    /// Reports that an earlier version of the program kept as JSON are kept here, too, from now on.
    TookOver {
        /// How many.
        reports: usize,
        /// From where. The files are still there.
        directory: PathBuf,
    },
    /// A Report that an earlier version kept cannot be read.
    LeftOut {
        /// Why.
        error: StoreError,
    },
    /// The file was damaged.
    Repaired {
        /// Whether another process had already seen to it.
        by_another: bool,
        /// Where the damaged file is now.
        aside: PathBuf,
        /// How many Reports could be read.
        reports: usize,
        /// How many are known to be lost.
        lost: usize,
        /// How many steps of the others are.
        lost_steps: usize,
    },
}

impl fmt::Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Remark::TookOver { reports, directory } => {
                write!(
                    f,
                    "{reports} reports were taken over from {}; the files stay there",
                    directory.display()
                )
            }
            Remark::LeftOut { error } => write!(f, "left out: {error}"),
            Remark::Repaired { by_another: true, .. } => {
                f.write_str("the store was damaged; another process has repaired it")
            }
            Remark::Repaired { aside, reports, lost, lost_steps, .. } => {
                write!(
                    f,
                    "the store was damaged: it is kept as {}, and {reports} reports could be saved",
                    aside.display()
                )?;
                if *lost_steps > 0 {
                    write!(f, ", without {lost_steps} of their steps, which could not be read")?;
                }
                if *lost > 0 { write!(f, "; {lost} reports could not be read") } else { Ok(()) }
            }
        }
    }
}
