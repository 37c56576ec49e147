//! Errors of a store.

use std::path::{Path, PathBuf};
use std::{fmt, io};

use cardiograph_core::report::validate::is_id;
use cardiograph_core::{Action, Message, message};
use cardiograph_files::Kind;
use rusqlite::ErrorCode;

/// Why a Report was not saved or not found.
#[derive(Debug)]
pub enum StoreError {
    /// The id cannot be a file name.
    BadId {
        /// The id.
        id: String,
    },
    /// There is no Report with this id.
    NotFound {
        /// The id.
        id: String,
        /// Where it was searched.
        place: PathBuf,
    },
    /// There is no drive with this key.
    NoSuchDrive {
        /// The key.
        key: String,
    },
    /// A list cannot be continued: this checkup was removed.
    NoSuchPage {
        /// Its id.
        id: String,
    },
    /// Somebody else sent the Report with this id.
    NotYours {
        /// The id.
        id: String,
    },
    /// There is a token with this name already.
    TokenExists {
        /// The name.
        name: String,
    },
    /// Unsupported kind of store.
    NoSuchKind {
        /// Its kind: the part before the colon.
        kind: String,
    },
    /// The file belongs to another program.
    NotAStore {
        /// The file.
        path: PathBuf,
    },
    /// A part of a Report cannot be read.
    Damaged {
        /// The id.
        id: String,
        /// Why.
        reason: Message,
    },
    /// The file is read-only, and its latest changes are in a separate log.
    LogLeft {
        /// The file.
        path: PathBuf,
    },
    /// The file is missing, but its log exists.
    LogAlone {
        /// The file.
        path: PathBuf,
    },
    /// The file is damaged. It is neither read nor written until it is repaired.
    DamagedStore {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: Message,
    },
    /// A checkup's content makes no sense, although its digest matches.
    Unreadable {
        /// The id.
        id: String,
        /// Why.
        reason: Message,
    },
    /// The file is not a Report.
    Malformed {
        /// The file.
        path: PathBuf,
        /// Why, with line and column.
        source: serde_json::Error,
    },
    /// A later version of the program wrote it.
    TooNew {
        /// The store or the Report.
        what: Versioned,
        /// Its version.
        found: u64,
        /// The highest version that can be read.
        known: u32,
    },
    /// The file or location that the user named cannot be a store.
    NoStore(Message),
    /// The system or SQLite failed, or a limit was exceeded.
    Failed(Message),
}

/// Something with a format version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Versioned {
    /// A Report, by its id.
    Report(String),
    /// A store, by its file.
    Store(PathBuf),
}

impl StoreError {
    /// Says what is wrong, where, why, and what to do.
    pub fn message(&self) -> Message {
        match self {
            Self::BadId { id } => message!("store-bad-id", id = id.escape_debug().to_string()),
            Self::NotFound { id, place } => message!("store-not-found", id, path = place),
            Self::NoSuchDrive { key } => message!("store-no-such-drive", key),
            Self::NoSuchPage { id } => message!("store-no-such-page", id),
            Self::NotYours { id } => message!("store-not-yours", id),
            Self::TokenExists { name } => message!("store-token-exists", name),
            Self::NoSuchKind { kind } => message!("store-no-such-kind", kind),
            Self::NotAStore { path } => message!("store-foreign", path),
            Self::Damaged { id, reason } => message!("store-report-damaged", id, reason = reason.clone()),
            Self::LogLeft { path } => message!("store-log.left", path),
            Self::LogAlone { path } => message!("store-log.alone", path),
            Self::DamagedStore { path, reason } => message!("store-damaged", path, reason = reason.clone()),
            Self::Unreadable { id, reason } => {
                message!("store-report-unreadable", id, reason = reason.clone())
            }
            Self::Malformed { path, source } => {
                message!("store-not-a-report", path, reason = source.to_string())
            }
            Self::TooNew { what: Versioned::Report(id), found, known } => {
                message!("store-too-new.report", id, found = *found, known = *known)
            }
            Self::TooNew { what: Versioned::Store(path), found, known } => {
                message!("store-too-new.store", path, found = *found, known = *known)
            }
            Self::NoStore(message) | Self::Failed(message) => message.clone(),
        }
    }
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.message().fmt(f)
    }
}

impl std::error::Error for StoreError {}

/// Refuses an id that is not a plain file name, or has a special meaning in a shell or path.
pub(crate) fn check_id(id: &str) -> Result<(), StoreError> {
    if is_id(id) { Ok(()) } else { Err(StoreError::BadId { id: id.to_string() }) }
}

pub(crate) fn io_error(action: Action, path: &Path, source: io::Error) -> StoreError {
    StoreError::Failed(action.failed(path, &source))
}

pub(crate) fn not_a_file(path: &Path, kind: Kind) -> StoreError {
    StoreError::NoStore(match kind {
        Kind::Directory => message!("store-not-a-file.directory", path),
        Kind::Link => message!("store-not-a-file.link", path),
        Kind::BlockDevice => message!("store-not-a-file.block-device", path),
        Kind::File | Kind::Stream | Kind::CharacterDevice => message!("store-not-a-file.device", path),
        Kind::Pipe => message!("store-not-a-file.pipe", path),
        Kind::Socket => message!("store-not-a-file.socket", path),
    })
}

/// Translates an SQLite error.
pub(crate) fn database_error(path: &Path, source: &rusqlite::Error) -> StoreError {
    let error = source.to_string();
    StoreError::Failed(match source.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => message!("store-database.full", path),
        Some(ErrorCode::ReadOnly) => message!("store-database.read-only", path),
        Some(ErrorCode::CannotOpen | ErrorCode::PermissionDenied) => {
            message!("store-database.not-opened", path, error)
        }
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => message!("store-database.busy", path),
        // SQLite does not pass on the system's error.
        Some(ErrorCode::SystemIoFailure) => message!("store-database.io", path, error),
        Some(ErrorCode::NotADatabase) => message!("store-database.foreign", path),
        Some(ErrorCode::DatabaseCorrupt) => message!("store-database.damaged", path, error),
        _ => message!("store-database", path, error),
    })
}

/// A remark on a store for the user, although nothing failed.
#[derive(Debug)]
pub enum Remark {
    /// A Report cannot be read.
    LeftOut {
        /// Why.
        error: StoreError,
    },
    /// Reports that could not be saved earlier are saved now.
    TookUnsaved {
        /// Their number.
        reports: usize,
    },
}

impl Remark {
    /// As a phrase.
    pub fn message(&self) -> Message {
        match self {
            Remark::LeftOut { error } => message!("store-left-out", error = error.message()),
            Remark::TookUnsaved { reports } => message!("store-took-unsaved", checkups = *reports),
        }
    }
}
