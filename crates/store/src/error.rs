//! What can go wrong with a store.

use std::path::{Path, PathBuf};
use std::{fmt, io};

use cardiograph_core::report::validate::is_id;
use cardiograph_files::Kind;
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
    /// Stores of that kind are not there.
    #[error("a store of the kind '{kind}' cannot be used yet; name a file, as drives.db or sqlite:drives.db")]
    NoSuchKind {
        /// Its kind, as it stands before the colon.
        kind: String,
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
    /// It cannot hold a store.
    #[error("{} is {}; name a file with --store", path.display(), kind_in_words(*kind))]
    NotAFile {
        /// What was named.
        path: PathBuf,
        /// What it is.
        kind: Kind,
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
    /// The file is gone, and its log is not.
    #[error(
        "{path} is not there, but {path}-wal is, which can hold what was saved last: put the store back, move that file away, or name \
         another with --store",
        path = path.display()
    )]
    LogAlone {
        /// The file.
        path: PathBuf,
    },
    /// The file is damaged. It is neither read nor written until it is repaired.
    #[error(
        "{path} is damaged ({reason}); repair it with: cardiograph store repair --store {path}",
        path = path.display()
    )]
    DamagedStore {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// What is kept of a checkup makes no sense, though it is as it was kept.
    #[error("checkup '{id}' cannot be read: {reason}; remove it with: cardiograph remove {id}")]
    Unreadable {
        /// The id.
        id: String,
        /// Why.
        reason: String,
    },
    /// A step is longer than any that is kept.
    #[error(
        "step '{step}' of checkup '{id}' is too long to be saved: at most 128 MiB of JSON; run fewer jobs at once"
    )]
    TooLong {
        /// The id.
        id: String,
        /// The step.
        step: String,
    },
    /// More is listed than any store of ours has, and it is not read.
    #[error(
        "{} has texts longer than 4 MiB, or too many checkups for a list of 96 MiB; name another file \
         with --store",
        path.display()
    )]
    TooLarge {
        /// The file.
        path: PathBuf,
    },
    /// There is nothing to mend.
    #[error("there is no store {}", path.display())]
    NoStore {
        /// The file.
        path: PathBuf,
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
    /// The file is no Report.
    #[error("{} is no report: {source}", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// Why, with line and column.
        source: serde_json::Error,
    },
    /// A later version of the program made it.
    #[error(
        "{what} has version {found} of {form}; this program reads versions up to {known}: a newer one is needed"
    )]
    TooNew {
        /// The store, the Report or the file.
        what: String,
        /// Whose form it has, as `the store's form`.
        form: &'static str,
        /// Its version.
        found: u64,
        /// The highest version that can be read.
        known: u32,
    },
    /// The environment does not say where a user's data belong.
    #[error("no place to keep reports: neither XDG_DATA_HOME nor HOME is set to an absolute path")]
    NoHome,
}

/// Refuses an id that is no plain file name, or that a shell or a path would take for something else.
pub(crate) fn check_id(id: &str) -> Result<(), StoreError> {
    if is_id(id) { Ok(()) } else { Err(StoreError::BadId { id: id.to_string() }) }
}

pub(crate) fn io_error(action: &'static str, path: &Path, source: io::Error) -> StoreError {
    StoreError::Io { action, path: path.to_path_buf(), source }
}

fn kind_in_words(kind: Kind) -> &'static str {
    match kind {
        Kind::File => "a file",
        Kind::Directory => "a directory",
        Kind::Link => "a link that leads nowhere",
        Kind::BlockDevice => "a block device",
        Kind::Stream | Kind::CharacterDevice => "a device",
        Kind::Pipe => "a pipe",
        Kind::Socket => "a socket",
    }
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
    /// A Report cannot be read.
    LeftOut {
        /// Why.
        error: StoreError,
    },
    /// Reports that could not be saved earlier are kept now.
    TookUnsaved {
        /// How many.
        reports: usize,
    },
}

impl fmt::Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Remark::LeftOut { error } => write!(f, "left out: {error}"),
            Remark::TookUnsaved { reports: 1 } => {
                f.write_str("1 checkup that could not be saved earlier is saved now")
            }
            Remark::TookUnsaved { reports } => {
                write!(f, "{reports} checkups that could not be saved earlier are saved now")
            }
        }
    }
}
