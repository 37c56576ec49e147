//! Who keeps a Report as it grows.

use std::sync::Arc;

use cardiograph_core::{Report, message};

use crate::deadline::done_in_time;
use crate::failure::Failure;

/// Keeps a Report: in a store, in a file, at somebody else's.
pub trait Keeper: Send + Sync {
    /// Is shown the Report before its first step, and again when there is none.
    ///
    /// # Errors
    /// Where it could not be kept later.
    fn begin(&self, report: &Report) -> Result<(), Failure>;

    /// Keeps the Report as it is.
    ///
    /// # Errors
    /// Why it is not kept.
    fn save(&self, report: &Report) -> Result<(), Failure>;
}

/// Saves on another thread and does not wait for ever: the Report's place may be on the drive that hangs.
///
/// # Errors
/// As [`Keeper::save`], and when it takes too long.
pub fn save_in_time(keeper: &Arc<impl Keeper + ?Sized + 'static>, report: &Report) -> Result<(), Failure> {
    let (keeper, report) = (Arc::clone(keeper), report.clone());
    done_in_time(message!("save-late"), move || keeper.save(&report))
}
