//! Drives by their keys.

use cardiograph_core::report::ReportState;
use cardiograph_core::summary::RunSummary;
use cardiograph_store::{DriveOrder, DriveQuery, DriveSummary, Store, StoreError};

use crate::problem::Problem;

/// How drives can be sorted, by name in addresses.
pub const ORDERS: [(&str, DriveOrder); 3] =
    [("last_seen", DriveOrder::LastSeen), ("name", DriveOrder::Name), ("checkups", DriveOrder::Checkups)];

/// The order with a name.
pub fn order(name: &str) -> Option<(&'static str, DriveOrder)> {
    ORDERS.into_iter().find(|(known, _)| *known == name)
}

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
