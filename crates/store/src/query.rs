//! What is looked for among checkups.

use cardiograph_core::summary::RunSummary;

/// Which checkups are wanted: all that fit everything that is set. The default is all of them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Query {
    /// The beginning of their id.
    pub id_begins: Option<String>,
    /// What the user called them.
    pub label: Option<String>,
    /// What the user noted: name and value.
    pub tags: Vec<(String, String)>,
    /// The serial number, id or model of a drive, in whichever case.
    pub drive: Option<String>,
    /// The suite, in whichever case.
    pub suite: Option<String>,
    /// The machine, in whichever case.
    pub host: Option<String>,
    /// When they began at the earliest, in milliseconds since 1970.
    pub since_unix_ms: Option<u64>,
    /// So many of the newest are left out.
    pub skip: u64,
    /// At most so many are wanted.
    pub limit: Option<u64>,
}

impl Query {
    /// Whether a checkup fits. [`Query::skip`] and [`Query::limit`] are about several and not looked at.
    pub fn fits(&self, run: &RunSummary) -> bool {
        let is = |wanted: &Option<String>, found: Option<&str>| {
            wanted
                .as_deref()
                .is_none_or(|wanted| found.is_some_and(|found| found.eq_ignore_ascii_case(wanted)))
        };
        self.id_begins.as_deref().is_none_or(|begin| run.id.starts_with(begin))
            && (self.label.is_none() || run.label.as_deref() == self.label.as_deref())
            && self.tags.iter().all(|(name, value)| run.tags.get(name) == Some(value.as_str()))
            && self.drive.as_deref().is_none_or(|drive| run.has_drive(drive))
            && is(&self.suite, Some(&run.suite))
            && is(&self.host, run.host.as_deref())
            && self.since_unix_ms.is_none_or(|since| run.started_unix_ms >= since)
    }

    /// Those of `runs`, the newest first, that are wanted.
    pub fn select(&self, runs: Vec<RunSummary>) -> Vec<RunSummary> {
        let fitting = runs.into_iter().filter(|run| self.fits(run)).skip(self.skip as usize);
        fitting.take(self.limit.map_or(usize::MAX, |limit| limit as usize)).collect()
    }
}
