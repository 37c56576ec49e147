//! The definition of a load.

use cardiograph_core::Message;

use crate::error::AppError;
use crate::stage::Stage;

/// A real application.
#[derive(Debug)]
pub struct AppLoad {
    /// Name on the command line and in Reports.
    pub name: &'static str,
    /// What it does, in a sentence.
    pub summary: Message,
    /// Its parameters with minimum and maximum.
    pub(crate) parameters: &'static [(&'static str, u64, u64)],
    /// The files that it creates in the stage's directory, `#` standing for a number: only these are removed.
    pub(crate) names: &'static [&'static str],
    /// Works in the stage's directory until [its bounds](Stage) are reached. It writes no more than the stage allows, and checks
    /// between operations whether it should stop. Fails if it cannot continue. Completed work counts in all cases.
    pub(crate) run: fn(&Stage) -> Result<(), AppError>,
}
