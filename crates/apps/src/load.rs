//! What a load is.

use cardiograph_core::Message;

use crate::error::AppError;
use crate::stage::Stage;

/// A real application.
#[derive(Debug)]
pub struct AppLoad {
    /// Its name on the command line and in Reports.
    pub name: &'static str,
    /// What it does, in a sentence.
    pub summary: Message,
    /// The parameters that it knows, each with the least and the most that it takes.
    pub(crate) parameters: &'static [(&'static str, u64, u64)],
    /// The files that it makes in the stage's directory, `#` standing for a number: only they are removed.
    pub(crate) names: &'static [&'static str],
    /// Works in the stage's directory until [its bounds](Stage) are reached. It writes no more than the stage allows, and
    /// looks between operations whether it is to stop; what it has done by then counts. An error when it cannot go on: what
    /// it did until then is kept.
    pub(crate) run: fn(&Stage) -> Result<(), AppError>,
}
