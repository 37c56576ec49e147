//! Reports in one SQLite file.
//!
//! A Report is saved in one transaction after each of its steps, into a write-ahead log that is synced before the
//! transaction counts (`journal_mode=WAL`, `synchronous=EXTRA`, which is `FULL` there): a kill or a power cut at any moment leaves either the
//! Report before a save or the one after it. Where the file system cannot share memory for such a log, SQLite keeps a
//! rollback journal, and the same holds.
//!
//! The text of all statements is in [`sql`](self::sql) and in `sql/NNN.sql`; PostgreSQL can run it as it is.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use cardiograph_core::Report;
use cardiograph_core::record::RunFigures;
use cardiograph_core::summary::RunSummary;
use rusqlite::{Connection, ErrorCode, TransactionBehavior, ffi};

use crate::{Query, Remark, Store, StoreError};

mod blob;
mod digest;
mod first_page;
mod legacy;
mod open;
mod read;
mod salvage;
mod schema;
mod sql;
mod write;

/// Keeps Reports in one SQLite file, which is made when first needed, for nobody else to read.
#[derive(Debug)]
pub struct SqliteStore {
    file: PathBuf,
    /// A directory of Reports as the first version kept them; they are taken over and left as they are.
    json_directory: Option<PathBuf>,
    /// Whether nobody else keeps a file there.
    is_our_place: bool,
    connection: Mutex<Option<Connection>>,
    remarks: Mutex<Vec<Remark>>,
}

/// What the connection is wanted for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Access {
    Read,
    Write,
}

/// Why something did not work, before it is said of which file.
#[derive(Debug)]
enum Trouble {
    Sqlite(rusqlite::Error),
    Store(StoreError),
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
    /// Whether the file is damaged: SQLite says so, or a row does not say what was written into it.
    fn is_damage(&self) -> bool {
        use rusqlite::Error::{
            FromSqlConversionFailure, IntegralValueOutOfRange, InvalidColumnType, SqlInputError,
            SqliteFailure, Utf8Error,
        };
        match self {
            Trouble::Store(error) => matches!(error, StoreError::Damaged { .. }),
            Trouble::Sqlite(
                InvalidColumnType(..)
                | FromSqlConversionFailure(..)
                | IntegralValueOutOfRange(..)
                | Utf8Error(..),
            ) => true,
            // All statements are ours and fit the schema: a table or column that is not there is one whose name was damaged.
            Trouble::Sqlite(SqlInputError { error, .. } | SqliteFailure(error, _))
                if error.extended_code == ffi::SQLITE_ERROR =>
            {
                true
            }
            Trouble::Sqlite(_) => {
                matches!(self.code(), Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase))
            }
        }
    }

    fn code(&self) -> Option<ErrorCode> {
        let Trouble::Sqlite(error) = self else { return None };
        error.sqlite_error_code()
    }

    /// In words, without the file.
    fn reason(&self) -> String {
        match self {
            Trouble::Sqlite(error) => error.to_string(),
            Trouble::Store(error) => error.to_string(),
        }
    }

    fn into_store_error(self, file: &Path) -> StoreError {
        match self {
            Trouble::Sqlite(source) => StoreError::Database { path: file.to_path_buf(), source },
            Trouble::Store(error) => error,
        }
    }
}

impl SqliteStore {
    /// A store in `file`. Nothing is made or read yet.
    pub fn new(file: impl Into<PathBuf>) -> Self {
        Self {
            file: file.into(),
            json_directory: None,
            is_our_place: false,
            connection: Mutex::new(None),
            remarks: Mutex::new(Vec::new()),
        }
    }

    /// The same, in a place where nobody else keeps a file: one that is no database there is a store that was damaged.
    #[must_use]
    pub fn in_our_place(mut self) -> Self {
        self.is_our_place = true;
        self
    }

    /// The same, with the Reports of a [`crate::JsonDir`] taken over when it is opened, and again when others came.
    #[must_use]
    pub fn taking_over(mut self, json_directory: impl Into<PathBuf>) -> Self {
        self.json_directory = Some(json_directory.into());
        self
    }

    /// Does `work`; `None` when there is nothing to read. A file that turns out to be damaged is kept aside, what can be read
    /// of it is saved, and the work is done again.
    fn with<T>(
        &self,
        access: Access,
        work: impl Fn(&mut Connection) -> Result<T, Trouble>,
    ) -> Result<Option<T>, StoreError> {
        let mut slot = lock(&self.connection);
        let mut done = self.try_with(&mut slot, access, &work);
        let is_no_database =
            done.as_ref().is_err_and(|trouble| trouble.code() == Some(ErrorCode::NotADatabase));
        if is_no_database && !self.is_our_place {
            return Err(StoreError::NotAStore { path: self.file.clone() });
        }
        let may_write =
            slot.as_ref().is_none_or(|connection| !connection.is_readonly("main").unwrap_or(true));
        if let Err(trouble) = &done
            && trouble.is_damage()
        {
            if !may_write {
                return Err(StoreError::DamagedToRead { path: self.file.clone(), reason: trouble.reason() });
            }
            *slot = None;
            // Once: what is damaged again at once is beyond us, and told.
            let remark = salvage::salvage(&self.file, |connection| {
                !work(connection).is_err_and(|trouble| trouble.is_damage())
            })?;
            self.remark(remark);
            done = self.try_with(&mut slot, access, &work);
        }
        done.map_err(|trouble| trouble.into_store_error(&self.file))
    }

    fn try_with<T>(
        &self,
        slot: &mut Option<Connection>,
        access: Access,
        work: &impl Fn(&mut Connection) -> Result<T, Trouble>,
    ) -> Result<Option<T>, Trouble> {
        if slot.is_none() {
            let from = self.json_directory.as_deref().filter(|directory| directory.is_dir());
            let creates = access == Access::Write || from.is_some();
            let Some(mut connection) = open::open(&self.file, creates)? else {
                return Ok(None);
            };
            if let Some(from) = from {
                legacy::take_over(&mut connection, from)?.into_iter().for_each(|remark| self.remark(remark));
            }
            *slot = Some(connection);
        }
        slot.as_mut().map(work).transpose()
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
        })
        .map(|_| ())
    }

    fn load(&self, id: &str) -> Result<Report, StoreError> {
        let found = self.with(Access::Read, |connection| read::report(connection, id))?.flatten();
        found.ok_or_else(|| StoreError::NotFound { id: id.to_string(), place: self.file.clone() })
    }

    fn find(&self, query: &Query) -> Result<Vec<RunSummary>, StoreError> {
        let found = self.with(Access::Read, |connection| read::summaries(connection, query))?;
        Ok(found.unwrap_or_default())
    }

    fn figures(&self, ids: &[&str]) -> Result<Vec<RunFigures>, StoreError> {
        let found = self.with(Access::Read, |connection| read::figures(connection, ids))?;
        let found = found.unwrap_or_else(|| ids.iter().map(|_| None).collect());
        let missing = |id: &str| StoreError::NotFound { id: id.to_string(), place: self.file.clone() };
        found.into_iter().zip(ids).map(|(run, id)| run.ok_or_else(|| missing(id))).collect()
    }

    fn remarks(&self) -> Vec<Remark> {
        std::mem::take(&mut lock(&self.remarks))
    }

    fn place(&self) -> &Path {
        &self.file
    }
}

/// What a thread that panicked left behind is whole: SQLite takes back what was not committed.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn unix_ms(time: SystemTime) -> i64 {
    time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as i64)
}
