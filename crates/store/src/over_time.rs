//! Checkups of one drive in time: those that can be compared with each other.

use cardiograph_core::Report;
use cardiograph_core::report::ReportState;
use cardiograph_core::summary::RunSummary;
use cardiograph_judge::changes::{self, Change};
use cardiograph_judge::record::RunFigures;

use crate::{Query, Store, StoreError};

/// Earlier checkups that a new one is compared with.
const EARLIER_MAX: u64 = 20;

/// What changed since earlier checkups of the drive with the same suite, largest first.
///
/// # Errors
/// When the store cannot be read.
pub fn changes(report: &Report, store: &dyn Store) -> Result<Vec<Change>, StoreError> {
    let latest = RunFigures::from_report(report);
    if !can_change(report, &latest.run) {
        return Ok(Vec::new());
    }
    let drive = latest.run.drive_ids.iter().next().map(|id| id.to_string());
    let suite = Some(report.suite.clone());
    let query = Query { drive, suite, limit: Some(EARLIER_MAX), ..Query::default() };
    let is_earlier = |run: &RunSummary| {
        run.id != report.id.as_str()
            && run.started_unix_ms < report.started_unix_ms
            && run.state == ReportState::Finished
            && is_same_drive(run, &latest.run)
    };
    let runs = store.find(&query)?;
    let ids: Vec<&str> = runs.iter().filter(|run| is_earlier(run)).map(|run| run.id.as_str()).collect();
    let mut earlier = store.deciding_figures(&ids)?;
    earlier.sort_by_key(|run| run.run.started_unix_ms);
    Ok(changes::changes(&earlier, &latest))
}

/// Whether a drive can have changed: one without an id cannot be recognised, what was imported was measured elsewhere, and a
/// simulated one does not change.
pub fn can_change(report: &Report, run: &RunSummary) -> bool {
    !run.drive_ids.as_str().is_empty() && !report.drive.simulated && report.source.is_none()
}

/// Whether checkups with the same ids are of one drive: an adapter has one id for whatever is plugged into it.
fn is_same_drive(one: &RunSummary, other: &RunSummary) -> bool {
    one.models == other.models && one.capacity_bytes == other.capacity_bytes
}

/// The dated, finished ones of `runs` (newest first) that can be compared over time: of one drive and with one suite. Newest first,
/// as the groups are by their newest.
pub fn groups(runs: &[RunSummary]) -> Vec<Vec<&RunSummary>> {
    let mut groups: Vec<Vec<&RunSummary>> = Vec::new();
    let usable = runs.iter().filter(|run| run.started_unix_ms > 0 && run.state == ReportState::Finished);
    for run in usable {
        let is_same = |other: &RunSummary| {
            other.suite == run.suite && other.drive_ids == run.drive_ids && is_same_drive(other, run)
        };
        match groups.iter_mut().find(|group| is_same(group[0])) {
            Some(group) => group.push(run),
            None => groups.push(vec![run]),
        }
    }
    groups
}

/// Figures of the newest `most` of a group, oldest first.
///
/// # Errors
/// When the store cannot be read.
pub fn figures(group: &[&RunSummary], most: usize, store: &dyn Store) -> Result<Vec<RunFigures>, StoreError> {
    let ids: Vec<&str> = group.iter().take(most).map(|run| run.id.as_str()).collect();
    let mut figures = store.deciding_figures(&ids)?;
    figures.sort_by_key(|run| run.run.started_unix_ms);
    Ok(figures)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_of_one_drive_and_suite() {
        let run = |id: &str, drive: &str, suite: &str, capacity: u64, state| RunSummary {
            id: id.into(),
            started_unix_ms: 1,
            suite: suite.into(),
            state,
            drive_ids: drive.into(),
            capacity_bytes: Some(capacity),
            ..RunSummary::default()
        };
        let (done, cut) = (ReportState::Finished, ReportState::Interrupted);
        let runs = [
            run("6", "a", "quick", 64, done),
            run("5", "b", "quick", 64, done),
            run("4", "a", "quick", 64, cut),
            run("3", "a", "quick", 64, done),
            run("2", "a", "sd-class", 64, done),
            // Another card in the same reader.
            run("1", "a", "quick", 32, done),
            RunSummary { started_unix_ms: 0, ..run("0", "a", "quick", 64, done) },
        ];
        let ids: Vec<Vec<&str>> =
            groups(&runs).iter().map(|group| group.iter().map(|run| run.id.as_str()).collect()).collect();
        assert_eq!(ids, [vec!["6", "3"], vec!["5"], vec!["2"], vec!["1"]]);
    }
}
