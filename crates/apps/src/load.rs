//! The interface of a load, and the list of all.

use crate::error::AppError;
use crate::stage::Stage;

/// A real application.
pub trait AppLoad: Sync {
    /// Its name on the command line and in Reports.
    fn name(&self) -> &'static str;

    /// What it does, in a sentence.
    fn summary(&self) -> &'static str;

    /// The parameters that it knows, each with the least and the most that it takes.
    fn parameters(&self) -> &'static [(&'static str, u64, u64)] {
        &[]
    }

    /// The files that it makes in the stage's directory, `#` standing for a number: only they are removed.
    fn names(&self) -> &'static [&'static str];

    /// Works in the stage's directory until [its bounds](Stage) are reached. It writes no more than the stage allows, and
    /// looks between operations whether it is to stop; what it has done by then counts.
    ///
    /// # Errors
    /// When it cannot go on. What it did until then is kept.
    fn run(&self, stage: &Stage) -> Result<(), AppError>;
}
