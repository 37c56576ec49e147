//! Drives by their keys.

use cardiograph_core::report::ReportState;
use cardiograph_core::summary::RunSummary;
use cardiograph_store::{DriveQuery, DriveSummary, Store, StoreError};

use crate::problem::Problem;

/// The drive with a key; of a joined one, the drive that it is joined to.
///
/// # Errors
/// When there is none, or the store cannot be read.
pub fn find(key: &str, store: &dyn Store) -> Result<DriveSummary, Problem> {
    let query = DriveQuery { key: Some(key.to_string()), ..DriveQuery::default() };
    store.drives(&query)?.pop().ok_or_else(|| unknown(key))
}

/// There is no such drive.
pub fn unknown(key: &str) -> Problem {
    StoreError::NoSuchDrive { key: key.to_string() }.into()
}

/// Whether a checkup counts over time.
pub fn is_dated(run: &RunSummary) -> bool {
    run.started_unix_ms > 0 && run.state == ReportState::Finished
}
