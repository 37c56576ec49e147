//! A [`Store`] over any database.

use std::path::{Path, PathBuf};

use cardiograph_core::Report;
use cardiograph_core::summary::RunSummary;
use cardiograph_judge::record::RunFigures;

use crate::clock::now_unix_ms;
use crate::database::{Access, Database, Transaction};
use crate::tables::{access, drives, figures, read, sql, write};
use crate::trouble::Trouble;
use crate::{
    Arrival, AuditEntry, DriveQuery, DriveSummary, KeptCard, Mended, Query, Remark, Saved, Store, StoreError,
    Token, Unsent,
};

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

    fn load_all(&self, ids: &[&str]) -> Result<Vec<Report>, StoreError> {
        let found = self.with(Access::Read, |database| read::reports(database, ids))?;
        let found = found.unwrap_or_else(|| ids.iter().map(|_| None).collect());
        let each = found.into_iter().zip(ids);
        each.map(|(report, id)| report.ok_or_else(|| self.missing(id))).collect()
    }

    fn find(&self, query: &Query) -> Result<Vec<RunSummary>, StoreError> {
        let found = self.with(Access::Read, |database| read::summaries(database, query))?;
        Ok(found.unwrap_or_default())
    }

    fn figures(&self, ids: &[&str]) -> Result<Vec<RunFigures>, StoreError> {
        figures(self, ids, figures::Depth::All)
    }

    fn deciding_figures(&self, ids: &[&str]) -> Result<Vec<RunFigures>, StoreError> {
        figures(self, ids, figures::Depth::Deciding)
    }

    fn remove(&self, ids: &[&str]) -> Result<(), StoreError> {
        self.change(Access::WriteOnce, |database| {
            ids.iter().try_for_each(|id| match write::remove(database, id)? {
                true => Ok(()),
                false => Err(self.missing(id).into()),
            })
        })
    }

    fn drives(&self, query: &DriveQuery) -> Result<Vec<DriveSummary>, StoreError> {
        let found = self.with(Access::Read, |database| drives::list(database, query))?;
        Ok(found.unwrap_or_default())
    }

    fn count_drives(&self, query: &DriveQuery) -> Result<u64, StoreError> {
        Ok(self.with(Access::Read, |database| drives::count_all(database, query))?.unwrap_or(0))
    }

    fn join_drives(&self, key: &str, into_key: &str) -> Result<(), StoreError> {
        self.change(Access::Write, |database| drives::join(database, key, into_key))
    }

    fn separate_drive(&self, key: &str) -> Result<(), StoreError> {
        self.change(Access::Write, |database| drives::separate(database, key))
    }

    fn joined_drives(&self) -> Result<Vec<(String, String)>, StoreError> {
        Ok(self.with(Access::Read, drives::joins)?.unwrap_or_default())
    }

    fn arrivals(&self, after: Option<u64>, limit: u64) -> Result<Vec<Arrival>, StoreError> {
        let found = self.with(Access::Read, |database| drives::arrivals(database, after, limit))?;
        Ok(found.unwrap_or_default())
    }

    fn drive_of(&self, id: &str) -> Result<Option<String>, StoreError> {
        Ok(self.with(Access::Read, |database| drives::key_of_run(database, id))?.flatten())
    }

    fn access(&self) -> &dyn crate::Access {
        self
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

/// Checkups as flat figures; those that make no sense are remarks, unless all are.
fn figures<B: Backend>(
    backend: &B,
    ids: &[&str],
    depth: figures::Depth,
) -> Result<Vec<RunFigures>, StoreError> {
    let found = backend.with(Access::Read, |database| figures::figures(database, ids, depth))?;
    let found = found.unwrap_or_else(|| ids.iter().map(|_| None).collect());
    let (mut runs, mut strange) = (Vec::new(), Vec::new());
    for (found, id) in found.into_iter().zip(ids) {
        match found {
            Some(Ok(run)) => runs.push(run),
            Some(Err(reason)) => strange.push(StoreError::Unreadable { id: id.to_string(), reason }),
            None => return Err(backend.missing(id)),
        }
    }
    if runs.is_empty() && !strange.is_empty() {
        return Err(strange.swap_remove(0));
    }
    strange.into_iter().for_each(|error| backend.remark(Remark::LeftOut { error }));
    Ok(runs)
}

/// Number of checkups removed in one transaction.
const REMOVED_AT_ONCE: usize = 100;

impl<B: Backend> crate::Access for B {
    fn add_token(&self, token: &Token, sha256: &[u8; 32]) -> Result<(), StoreError> {
        self.change(Access::WriteOnce, |database| access::add_token(database, token, sha256))
    }

    fn token(&self, sha256: &[u8; 32]) -> Result<Option<Token>, StoreError> {
        let found = self.with(Access::Read, |database| access::tokens(database, Some(sha256)))?;
        Ok(found.unwrap_or_default().pop())
    }

    fn tokens(&self) -> Result<Vec<Token>, StoreError> {
        Ok(self.with(Access::Read, |database| access::tokens(database, None))?.unwrap_or_default())
    }

    fn use_token(&self, name: &str, unix_ms: u64) -> Result<(), StoreError> {
        let change = |database: &dyn Database| access::change_token(database, sql::USE_TOKEN, name, unix_ms);
        self.change(Access::Write, change).map(drop)
    }

    fn revoke_token(&self, name: &str, unix_ms: u64) -> Result<bool, StoreError> {
        let change =
            |database: &dyn Database| access::change_token(database, sql::REVOKE_TOKEN, name, unix_ms);
        self.change(Access::WriteOnce, change)
    }

    fn replace_token(&self, name: &str, sha256: &[u8; 32], entry: &AuditEntry) -> Result<bool, StoreError> {
        self.change(Access::WriteOnce, |database| access::replace_token(database, name, sha256, entry))
    }

    fn note(&self, entry: &AuditEntry) -> Result<(), StoreError> {
        self.change(Access::WriteOnce, |database| access::note(database, entry))
    }

    fn audit(&self, before: Option<u64>, limit: u64) -> Result<Vec<AuditEntry>, StoreError> {
        let found = self.with(Access::Read, |database| access::audit(database, before, limit))?;
        Ok(found.unwrap_or_default())
    }

    fn prune_audit(&self, before_unix_ms: u64) -> Result<u64, StoreError> {
        self.change(Access::Write, |database| access::prune_audit(database, before_unix_ms))
    }

    fn save_from(&self, report: &Report, sender: &str) -> Result<Saved, StoreError> {
        let now_ms = now_unix_ms();
        self.change(Access::Write, |database| access::save_from(database, report, sender, now_ms))
    }

    fn sender(&self, id: &str) -> Result<Option<String>, StoreError> {
        Ok(self.with(Access::Read, |database| access::sender(database, id))?.flatten())
    }

    fn prune(&self, before_unix_ms: u64, keep_newest_per_drive: u64) -> Result<u64, StoreError> {
        let wanted =
            |database: &dyn Database| access::prunable(database, before_unix_ms, keep_newest_per_drive);
        let mut removed = 0;
        for ids in self.with(Access::Read, wanted)?.unwrap_or_default().chunks(REMOVED_AT_ONCE) {
            // One that somebody else removed meanwhile is not counted.
            removed += self.change(Access::Write, |database| {
                ids.iter().try_fold(0, |sum, id| Ok(sum + u64::from(write::remove(database, id)?)))
            })?;
        }
        Ok(removed)
    }

    fn add_to_outbox(&self, server: &str, ids: &[&str]) -> Result<(), StoreError> {
        let now_ms = now_unix_ms();
        self.change(Access::Write, |database| access::add_to_outbox(database, server, ids, now_ms))
    }

    fn outbox(&self) -> Result<Vec<Unsent>, StoreError> {
        Ok(self.with(Access::Read, access::outbox)?.unwrap_or_default())
    }

    fn remove_from_outbox(&self, unsent: &Unsent) -> Result<(), StoreError> {
        self.change(Access::Write, |database| access::remove_from_outbox(database, unsent))
    }

    fn cards(&self, drives: &[&str]) -> Result<Vec<KeptCard>, StoreError> {
        Ok(self.with(Access::Read, |database| access::cards(database, drives))?.unwrap_or_default())
    }

    fn keep_cards(&self, cards: &[KeptCard]) -> Result<(), StoreError> {
        self.change(Access::WriteUnsynced, |database| access::keep_cards(database, cards))
    }
}
