//! Queries for checkups.

use cardiograph_core::nearest::is_same;
use cardiograph_core::summary::RunSummary;

/// Selects the checkups that match every field that is set. The default selects all.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Query {
    /// Prefix of the id.
    pub id_begins: Option<String>,
    /// The user's label, ignoring case.
    pub label: Option<String>,
    /// The user's tags: name and value, ignoring case.
    pub tags: Vec<(String, String)>,
    /// A drive's serial number, id or model, ignoring case.
    pub drive: Option<String>,
    /// The key of a [`DriveSummary`](crate::DriveSummary).
    pub drive_key: Option<String>,
    /// The suite, ignoring case.
    pub suite: Option<String>,
    /// The host, ignoring case.
    pub host: Option<String>,
    /// The name of the token that sent it.
    pub sender: Option<String>,
    /// Earliest start, in milliseconds since 1970.
    pub since_unix_ms: Option<u64>,
    /// The id of the last checkup seen: lists those after it, newest first, whatever arrives meanwhile.
    pub after: Option<String>,
    /// Number of newest checkups to skip.
    pub skip: u64,
    /// Maximum number of checkups.
    pub limit: Option<u64>,
}

/// A checkup that was saved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Arrival {
    /// Its number: of those that were first saved later it is higher.
    pub number: u64,
    /// Its id.
    pub id: String,
    /// The key of its drive.
    pub drive: String,
}

impl Query {
    /// Whether a checkup matches. Ignores what applies to a list or needs the store: [`Query::skip`],
    /// [`Query::limit`], [`Query::after`], [`Query::drive_key`] and [`Query::sender`].
    pub fn fits(&self, run: &RunSummary) -> bool {
        let is = |wanted: &Option<String>, found: Option<&str>| {
            wanted.as_deref().is_none_or(|wanted| found.is_some_and(|found| is_same(wanted, found)))
        };
        let has_tag = |(name, value): &(String, String)| {
            run.tags.iter().any(|(known, found)| is_same(name, known) && is_same(value, found))
        };
        self.id_begins.as_deref().is_none_or(|begin| run.id.starts_with(begin))
            && is(&self.label, run.label.as_deref())
            && self.tags.iter().all(has_tag)
            && self.drive.as_deref().is_none_or(|drive| run.has_drive(drive))
            && is(&self.suite, Some(&run.suite))
            && is(&self.host, run.host.as_deref())
            && self.since_unix_ms.is_none_or(|since| run.started_unix_ms >= since)
    }

    /// The matching ones of `runs`, newest first.
    pub fn select(&self, runs: Vec<RunSummary>) -> Vec<RunSummary> {
        let fitting = runs.into_iter().filter(|run| self.fits(run)).skip(self.skip as usize);
        fitting.take(self.limit.map_or(usize::MAX, |limit| limit as usize)).collect()
    }
}
