//! Reports in one SQLite file.
//!
//! Saves a Report in one transaction after each of its steps, into a write-ahead log that is synced before the
//! transaction commits (`journal_mode=WAL`, `synchronous=EXTRA`, which equals `FULL` there): a kill or a power cut at
//! any moment leaves the Report either before or after a save. Where the file system cannot share memory for such a
//! log, SQLite uses a rollback journal, with the same guarantee.
//!
//! All SQL is in [`sql`](self::sql) and in `sql/NNN.sql`; PostgreSQL can run it unchanged.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use cardiograph_core::summary::RunSummary;
use cardiograph_core::{Message, Report, message};
use cardiograph_files::FileSystem;
use cardiograph_judge::record::RunFigures;
use rusqlite::{Connection, ErrorCode, TransactionBehavior, ffi};

use self::file::StoreFile;
pub use self::repair::Mended;
use crate::error::database_error;
use crate::unsaved::Unsaved;
use crate::{Query, Remark, Store, StoreError};

mod blob;
mod digest;
mod file;
mod guard;
mod open;
mod read;
mod repair;
mod schema;
mod sql;
mod write;

/// Keeps Reports in one SQLite file, created when first needed and readable only by its owner.
#[derive(Debug)]
pub struct SqliteStore {
    file: StoreFile,
    connection: Mutex<Option<Connection>>,
    remarks: Mutex<Vec<Remark>>,
    /// Whether a Report has been set aside as a separate file.
    has_set_aside: AtomicBool,
}

/// What the connection is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Access {
    Read,
    Write,
}

/// Why an operation failed, before the file is named.
#[derive(Debug)]
enum Trouble {
    Sqlite(rusqlite::Error),
    Store(StoreError),
    /// More rows than any real store has.
    TooLarge,
}

impl From<rusqlite::Error> for Trouble {
    fn from(error: rusqlite::Error) -> Self {
        Trouble::Sqlite(error)
    }
}

impl From<StoreError> for Trouble {
    fn from(error: StoreError) -> Self {
        Trouble::Store(error)
    }
}

impl Trouble {
    /// The file is damaged, whatever SQLite says.
    fn damaged(reason: Message) -> Self {
        StoreError::Damaged { id: String::new(), reason }.into()
    }

    /// Whether the file is damaged: SQLite says so, or a row's content is not what was written.
    fn is_damage(&self) -> bool {
        use rusqlite::Error::{
            FromSqlConversionFailure, IntegralValueOutOfRange, InvalidColumnType, SqlInputError,
            SqliteFailure, Utf8Error,
        };
        // A query that does not end is not from our store.
        const CODES: [ErrorCode; 3] =
            [ErrorCode::DatabaseCorrupt, ErrorCode::NotADatabase, ErrorCode::OperationInterrupted];
        match self {
            Trouble::Store(error) => matches!(error, StoreError::Damaged { .. }),
            Trouble::Sqlite(error) => match error {
                InvalidColumnType(..)
                | FromSqlConversionFailure(..)
                | IntegralValueOutOfRange(..)
                | Utf8Error(..) => true,
                // All our SQL fits the schema, so a missing table or column means that its name was damaged.
                SqlInputError { error, .. } | SqliteFailure(error, _)
                    if error.extended_code == ffi::SQLITE_ERROR =>
                {
                    true
                }
                _ => self.code().is_some_and(|code| CODES.contains(&code)),
            },
            Trouble::TooLarge => false,
        }
    }

    fn code(&self) -> Option<ErrorCode> {
        let Trouble::Sqlite(error) = self else { return None };
        error.sqlite_error_code()
    }

    /// The error without its file.
    fn reason(&self) -> Message {
        match self {
            _ if self.code() == Some(ErrorCode::OperationInterrupted) => message!("store-damage.endless"),
            Trouble::Sqlite(error) => Message::verbatim(error.to_string()),
            Trouble::Store(StoreError::Damaged { id, reason }) if id.is_empty() => reason.clone(),
            Trouble::Store(error) => error.message(),
            Trouble::TooLarge => message!("store-damage.too-large"),
        }
    }

    fn into_store_error(self, file: &Path) -> StoreError {
        match self {
            Trouble::Store(error) => error,
            Trouble::Sqlite(source) if source.sqlite_error_code() != Some(ErrorCode::TooBig) => {
                database_error(file, &source)
            }
            _ => StoreError::Failed(message!("store-too-large", path = file)),
        }
    }
}

impl SqliteStore {
    /// A store in `file`. Creates and reads nothing yet.
    pub fn new(file: impl Into<PathBuf>) -> Self {
        Self {
            file: StoreFile::new(file.into()),
            connection: Mutex::default(),
            remarks: Mutex::new(Vec::new()),
            has_set_aside: AtomicBool::new(false),
        }
    }

    /// Uses another file system, through the SQLite layer (VFS) registered as `vfs`.
    #[must_use]
    pub fn on(mut self, files: Arc<dyn FileSystem>, vfs: &str) -> Self {
        (self.file.files, self.file.vfs) = (files, Some(vfs.to_string()));
        self
    }

    /// The store's directory is reserved for it: a file there that is not a database is a damaged store.
    #[must_use]
    pub fn in_our_place(mut self) -> Self {
        self.file.is_ours_alone = true;
        self
    }

    fn unsaved(&self) -> Unsaved {
        Unsaved { directory: file::beside(&self.file.path, ".unsaved"), files: self.file.files.clone() }
    }

    /// Saves the Reports that were set aside, and removes their files: they are the latest for their ids.
    fn take_unsaved(&self, connection: &mut Connection) -> Result<(), Trouble> {
        let unsaved = self.unsaved();
        let ids = unsaved.ids()?;
        if ids.is_empty() || connection.is_readonly("main")? {
            return Ok(());
        }
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let mut taken = Vec::new();
        for id in &ids {
            match unsaved.load(id) {
                Ok(report) => {
                    write::report(&transaction, &report, unix_ms(SystemTime::now()))?;
                    taken.push(id.as_str());
                }
                Err(error) => self.remark(Remark::LeftOut { error }),
            }
        }
        transaction.commit()?;
        unsaved.clear(&taken)?;
        if !taken.is_empty() {
            self.remark(Remark::TookUnsaved { reports: taken.len() });
        }
        Ok(())
    }

    /// Does `work`; `None` when there is nothing to read. Never changes a damaged file.
    fn with<T>(
        &self,
        access: Access,
        work: impl Fn(&mut Connection) -> Result<T, Trouble>,
    ) -> Result<Option<T>, StoreError> {
        let failed = |trouble: Trouble| trouble.into_store_error(&self.file.path);
        let mut connection = lock(&self.connection);
        match self.try_with(&mut connection, access, work) {
            Err(trouble) if trouble.is_damage() => {
                connection.take().iter().for_each(open::keep_log);
                open::check_header(&self.file)?;
                Err(StoreError::DamagedStore { path: self.file.path.clone(), reason: trouble.reason() })
            }
            done => done.map_err(failed),
        }
    }

    fn try_with<T>(
        &self,
        slot: &mut Option<Connection>,
        access: Access,
        work: impl Fn(&mut Connection) -> Result<T, Trouble>,
    ) -> Result<Option<T>, Trouble> {
        if slot.is_none() {
            let Some(mut connection) = open::open(&self.file, access == Access::Write)? else {
                return Ok(None);
            };
            self.take_unsaved(&mut connection).inspect_err(|trouble| {
                if trouble.is_damage() {
                    open::keep_log(&connection);
                }
            })?;
            *slot = Some(connection);
        }
        let Some(connection) = slot else { return Ok(None) };
        guard::bound(connection, self.file.len_bytes()?)?;
        work(connection).map(Some)
    }

    fn missing(&self, id: &str) -> StoreError {
        StoreError::NotFound { id: id.to_string(), place: self.file.path.clone() }
    }

    fn remark(&self, remark: Remark) {
        lock(&self.remarks).push(remark);
    }
}

impl Store for SqliteStore {
    fn save_all(&self, reports: &[Report]) -> Result<(), StoreError> {
        let now_ms = unix_ms(SystemTime::now());
        self.with(Access::Write, |connection| {
            let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            reports.iter().try_for_each(|report| write::report(&transaction, report, now_ms))?;
            Ok(transaction.commit()?)
        })?;
        if self.has_set_aside.load(Ordering::Relaxed) {
            // The Report set aside is now the older one.
            let ids: Vec<&str> = reports.iter().map(|report| report.id.as_str()).collect();
            self.unsaved().clear(&ids)?;
        }
        Ok(())
    }

    fn load(&self, id: &str) -> Result<Report, StoreError> {
        let found = self.with(Access::Read, |connection| read::report(connection, id))?.flatten();
        found.ok_or_else(|| self.missing(id))
    }

    fn find(&self, query: &Query) -> Result<Vec<RunSummary>, StoreError> {
        let found = self.with(Access::Read, |connection| read::summaries(connection, query))?;
        Ok(found.unwrap_or_default())
    }

    fn figures(&self, ids: &[&str]) -> Result<Vec<RunFigures>, StoreError> {
        let found = self.with(Access::Read, |connection| read::figures(connection, ids))?;
        let found = found.unwrap_or_else(|| ids.iter().map(|_| None).collect());
        let (mut runs, mut strange) = (Vec::new(), Vec::new());
        for (found, id) in found.into_iter().zip(ids) {
            match found {
                Some(Ok(run)) => runs.push(run),
                Some(Err(reason)) => strange.push(StoreError::Unreadable { id: id.to_string(), reason }),
                None => return Err(self.missing(id)),
            }
        }
        if runs.is_empty() && !strange.is_empty() {
            return Err(strange.swap_remove(0));
        }
        strange.into_iter().for_each(|error| self.remark(Remark::LeftOut { error }));
        Ok(runs)
    }

    fn remove(&self, ids: &[&str]) -> Result<(), StoreError> {
        self.with(Access::Write, |connection| {
            let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            for id in ids {
                if !write::remove(&transaction, id)? {
                    return Err(self.missing(id).into());
                }
            }
            Ok(transaction.commit()?)
        })
        .map(|_| ())
    }

    fn repair(&self) -> Result<Option<Mended>, StoreError> {
        // Closing any handle of a file drops all locks that the process holds on it.
        let mut connection = lock(&self.connection);
        *connection = None;
        repair::repair(&self.file).map_err(|trouble| trouble.into_store_error(&self.file.path))
    }

    fn try_save(&self, report: &Report) -> Result<(), StoreError> {
        self.with(Access::Write, |connection| {
            read::summaries(connection, &Query::default())?;
            let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            write::report(&transaction, report, 0)?;
            Ok(transaction.rollback()?)
        })
        .map(|_| ())
    }

    fn set_aside(&self, report: &Report) -> Result<PathBuf, StoreError> {
        let unsaved = self.unsaved();
        self.has_set_aside.store(true, Ordering::Relaxed);
        unsaved.save(report).map(|()| unsaved.directory)
    }

    fn remarks(&self) -> Vec<Remark> {
        std::mem::take(&mut lock(&self.remarks))
    }

    fn place(&self) -> &Path {
        &self.file.path
    }
}

/// A thread that panicked leaves a consistent state: SQLite rolls back what was not committed.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn unix_ms(time: SystemTime) -> i64 {
    time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as i64)
}
