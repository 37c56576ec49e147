//! Reports in one SQLite file.
//!
//! Saves a Report in one transaction after each of its steps, into a write-ahead log that is synced before the
//! transaction commits (`journal_mode=WAL`, `synchronous=EXTRA`, which equals `FULL` there): a kill or a power cut at
//! any moment leaves the Report either before or after a save. Where the file system cannot share memory for such a
//! log, SQLite uses a rollback journal, with the same guarantee.
//!
//! The statements are those of [`tables`](crate::tables); this module has what only a file needs.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use cardiograph_core::Report;
use cardiograph_files::FileSystem;
use rusqlite::Connection;

use self::file::StoreFile;
pub use self::repair::Mended;
use crate::backend::Backend;
use crate::clock::now_unix_ms;
use crate::database::{Access, Database, Transaction};
use crate::tables::write;
use crate::trouble::Trouble;
use crate::unsaved::Unsaved;
use crate::{Remark, StoreError};

mod file;
mod guard;
mod open;
mod repair;
mod schema;

#[cfg(test)]
pub use self::schema::in_memory;

/// Keeps Reports in one SQLite file, created when first needed and readable only by its owner.
#[derive(Debug)]
pub struct SqliteStore {
    file: StoreFile,
    connection: Mutex<Option<Connection>>,
    remarks: Mutex<Vec<Remark>>,
    /// Whether a Report has been set aside as a separate file.
    has_set_aside: AtomicBool,
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
    fn take_unsaved(&self, connection: &Connection) -> Result<(), Trouble> {
        let unsaved = self.unsaved();
        let ids = unsaved.ids()?;
        if ids.is_empty() || connection.is_readonly("main")? {
            return Ok(());
        }
        let transaction = Transaction::begin(connection, Access::Write)?;
        let mut taken = Vec::new();
        for id in &ids {
            match unsaved.load(id) {
                Ok(report) => {
                    write::report(connection, &report, now_unix_ms())?;
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

    fn try_with<T>(
        &self,
        slot: &mut Option<Connection>,
        access: Access,
        work: impl Fn(&dyn Database) -> Result<T, Trouble>,
    ) -> Result<Option<T>, Trouble> {
        if slot.is_none() {
            let Some(connection) = open::open(&self.file, access != Access::Read)? else {
                return Ok(None);
            };
            self.take_unsaved(&connection).inspect_err(|trouble| {
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
}

impl Backend for SqliteStore {
    /// Never changes a damaged file.
    fn with<T>(
        &self,
        access: Access,
        work: impl Fn(&dyn Database) -> Result<T, Trouble>,
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

    fn location(&self) -> &Path {
        &self.file.path
    }

    fn remark(&self, remark: Remark) {
        lock(&self.remarks).push(remark);
    }

    fn take_remarks(&self) -> Vec<Remark> {
        std::mem::take(&mut lock(&self.remarks))
    }

    /// A Report set aside is now the older one.
    fn forget_set_aside(&self, reports: &[Report]) -> Result<(), StoreError> {
        if !self.has_set_aside.load(Ordering::Relaxed) {
            return Ok(());
        }
        let ids: Vec<&str> = reports.iter().map(|report| report.id.as_str()).collect();
        self.unsaved().clear(&ids)
    }

    fn mend(&self) -> Result<Option<Mended>, StoreError> {
        // Closing any handle of a file drops all locks that the process holds on it.
        let mut connection = lock(&self.connection);
        *connection = None;
        repair::repair(&self.file).map_err(|trouble| trouble.into_store_error(&self.file.path))
    }

    fn write_aside(&self, report: &Report) -> Result<PathBuf, StoreError> {
        let unsaved = self.unsaved();
        self.has_set_aside.store(true, Ordering::Relaxed);
        unsaved.save(report).map(|()| unsaved.directory)
    }
}

/// A thread that panicked leaves a consistent state: SQLite rolls back what was not committed.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
