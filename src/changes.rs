//! What changed in a drive since earlier checkups with the same suite.

use cardiograph_core::report::ReportState;
use cardiograph_core::summary::RunSummary;
use cardiograph_core::{Message, Report};
use cardiograph_judge::changes;
use cardiograph_judge::record::RunFigures;
use cardiograph_render::doc;
use cardiograph_store::{Query, Store, StoreError};

use crate::screen::Screen;

/// Earlier checkups looked at.
const EARLIER_MAX: u64 = 20;

/// The changes as sentences, largest first; if the store cannot be read, complains instead.
pub fn sentences(report: &Report, store: &dyn Store, screen: &Screen) -> Vec<Message> {
    found(report, store).unwrap_or_else(|error| {
        screen.complain_message(&error.message());
        Vec::new()
    })
}

/// A drive without an id cannot be recognised, and a simulated one does not change.
fn found(report: &Report, store: &dyn Store) -> Result<Vec<Message>, StoreError> {
    let latest = RunFigures::from_report(report);
    let drive = latest.run.drive_ids.iter().next().map(|id| id.to_string());
    if drive.is_none() || report.drive.simulated || report.source.is_some() {
        return Ok(Vec::new());
    }
    let suite = Some(report.suite.clone());
    let query = Query { drive, suite, limit: Some(EARLIER_MAX), ..Query::default() };
    let is_earlier = |run: &RunSummary| {
        run.id != report.id.as_str()
            && run.started_unix_ms < report.started_unix_ms
            && run.state == ReportState::Finished
    };
    let runs = store.find(&query)?;
    let ids: Vec<&str> = runs.iter().filter(|run| is_earlier(run)).map(|run| run.id.as_str()).collect();
    let mut earlier = store.figures(&ids)?;
    earlier.sort_by_key(|run| run.run.started_unix_ms);
    Ok(changes::changes(&earlier, &latest).iter().map(doc::change).collect())
}
