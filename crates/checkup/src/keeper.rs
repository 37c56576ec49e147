//! Saves a Report as it grows.

use std::sync::Arc;

use cardiograph_core::{Report, message};
use cardiograph_store::Store;

use crate::deadline::try_with_timeout;
use crate::failure::Failure;

/// Saves a Report: in a store, in a file, or remotely.
pub trait Keeper: Send + Sync {
    /// Receives the Report before its first step, and again if there is none.
    ///
    /// # Errors
    /// When it could not be saved later.
    fn begin(&self, report: &Report) -> Result<(), Failure>;

    /// Saves the current Report.
    ///
    /// # Errors
    /// Why it could not be saved.
    fn save(&self, report: &Report) -> Result<(), Failure>;
}

/// Saves in a store. A Report that it cannot take is written to a file, which the failure names.
///
/// # Errors
/// Why the store could not take it.
pub fn save_or_set_aside(store: &dyn Store, report: &Report) -> Result<(), Failure> {
    let Err(error) = store.save(report) else { return Ok(()) };
    let failure = Failure::io(error.message());
    Err(match store.set_aside(report) {
        Ok(directory) => {
            let path = directory.join(format!("{}.json", report.id));
            Failure { more: vec![message!("store-set-aside", path = &path)], ..failure }
        }
        Err(_) => failure,
    })
}

/// Saves on another thread with a timeout: the Report's file may be on the drive that hangs.
///
/// # Errors
/// As [`Keeper::save`], and on timeout.
pub fn save_with_timeout(
    keeper: &Arc<impl Keeper + ?Sized + 'static>,
    report: &Report,
) -> Result<(), Failure> {
    let (keeper, report) = (Arc::clone(keeper), report.clone());
    try_with_timeout(message!("save-late"), move || keeper.save(&report))
}
