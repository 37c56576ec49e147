//! A [`Store`] over any database.

use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use cardiograph_core::Report;
use cardiograph_core::summary::RunSummary;
use cardiograph_judge::record::RunFigures;

use crate::database::{Access, Database, Transaction};
use crate::tables::{read, write};
use crate::trouble::Trouble;
use crate::{Mended, Query, Remark, Store, StoreError};

/// What differs between the databases.
pub trait Backend: Send + Sync {
    /// Does `work`, again if a connection was lost; `None` when there is nothing to read.
    fn with<T>(
        &self,
        access: Access,
        work: impl Fn(&dyn Database) -> Result<T, Trouble>,
    ) -> Result<Option<T>, StoreError>;

    /// As [`Store::place`].
    fn location(&self) -> &Path;

    /// Adds a remark for the user.
    fn remark(&self, remark: Remark);

    /// As [`Store::remarks`].
    fn take_remarks(&self) -> Vec<Remark>;

    /// Reports with these ids have been saved.
    fn forget_set_aside(&self, reports: &[Report]) -> Result<(), StoreError>;

    /// As [`Store::repair`].
    fn mend(&self) -> Result<Option<Mended>, StoreError>;

    /// As [`Store::set_aside`].
    fn write_aside(&self, report: &Report) -> Result<PathBuf, StoreError>;

    /// Does `work` in a transaction.
    fn change<T>(
        &self,
        access: Access,
        work: impl Fn(&dyn Database) -> Result<T, Trouble>,
    ) -> Result<T, StoreError> {
        let done = self.with(access, |database| {
            let transaction = Transaction::begin(database, access)?;
            let done = work(database)?;
            transaction.commit()?;
            Ok(done)
        })?;
        Ok(done.expect("a database that is written to exists"))
    }

    /// The error for an id that does not exist.
    fn missing(&self, id: &str) -> StoreError {
        StoreError::NotFound { id: id.to_string(), place: self.location().to_path_buf() }
    }
}

impl<B: Backend> Store for B {
    fn save_all(&self, reports: &[Report]) -> Result<(), StoreError> {
        let now_ms = now_unix_ms();
        self.change(Access::Write, |database| {
            reports.iter().try_for_each(|report| write::report(database, report, now_ms))
        })?;
        self.forget_set_aside(reports)
    }

    fn load(&self, id: &str) -> Result<Report, StoreError> {
        let found = self.with(Access::Read, |database| read::report(database, id))?.flatten();
        found.ok_or_else(|| self.missing(id))
    }

    fn find(&self, query: &Query) -> Result<Vec<RunSummary>, StoreError> {
        let found = self.with(Access::Read, |database| read::summaries(database, query))?;
        Ok(found.unwrap_or_default())
    }

    fn figures(&self, ids: &[&str]) -> Result<Vec<RunFigures>, StoreError> {
        let found = self.with(Access::Read, |database| read::figures(database, ids))?;
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
        self.change(Access::WriteOnce, |database| {
            ids.iter().try_for_each(|id| match write::remove(database, id)? {
                true => Ok(()),
                false => Err(self.missing(id).into()),
            })
        })
    }

    fn repair(&self) -> Result<Option<Mended>, StoreError> {
        self.mend()
    }

    fn try_save(&self, report: &Report) -> Result<(), StoreError> {
        self.with(Access::Write, |database| {
            read::summaries(
                database,
                &Query { limit: (!database.is_distrusted()).then_some(1), ..Query::default() },
            )?;
            let _transaction = Transaction::begin(database, Access::Write)?;
            write::report(database, report, 0)
        })
        .map(drop)
    }

    fn set_aside(&self, report: &Report) -> Result<PathBuf, StoreError> {
        self.write_aside(report)
    }

    fn remarks(&self) -> Vec<Remark> {
        self.take_remarks()
    }

    fn place(&self) -> &Path {
        self.location()
    }
}

/// Now, in milliseconds since 1970.
pub fn now_unix_ms() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as i64)
}
