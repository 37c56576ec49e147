//! Saves a Report as it grows.

use std::sync::Arc;

use cardiograph_core::{Report, message};

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
