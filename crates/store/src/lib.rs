//! Keeps [`Report`]s.
//!
//! A [`Store`] saves, loads and lists; it neither measures nor shows. [`JsonDir`] is the first: a directory with one
//! JSON file for each Report.
//!
//! Reading order: [`Store`] → [`JsonDir`] → [`select`] (how a user names checkups) → [`StoreError`].
#![forbid(unsafe_code)]

mod atomic;
mod error;
mod json_dir;
pub mod select;

use std::path::PathBuf;

use cardiograph_core::Report;
use cardiograph_core::summary::RunSummary;

pub use atomic::write_atomically;
pub use error::StoreError;
pub use json_dir::JsonDir;

/// A place in which Reports are kept.
///
/// A Report is saved again after each of its steps, so that what was measured outlives whatever happens next.
pub trait Store {
    /// Keeps `report` under its id, in place of an earlier one of that id, and says where it is. Afterwards the
    /// Report is durable; after a failure the earlier one still stands.
    ///
    /// # Errors
    /// When the id cannot be used, or the system refuses.
    fn save(&self, report: &Report) -> Result<PathBuf, StoreError>;

    /// The Report with this id.
    ///
    /// # Errors
    /// When there is none, when it cannot be read, or when a later version of the program wrote it.
    fn load(&self, id: &str) -> Result<Report, StoreError>;

    /// The ids of all Reports, the newest first. Ids sort by time.
    ///
    /// # Errors
    /// When the place exists and cannot be read.
    fn list(&self) -> Result<Vec<String>, StoreError>;

    /// All checkups, the newest first, and those that cannot be read, each with the reason.
    ///
    /// # Errors
    /// When the place exists and cannot be read.
    fn runs(&self) -> Result<(Vec<RunSummary>, Vec<StoreError>), StoreError> {
        let (mut runs, mut unreadable) = (Vec::new(), Vec::new());
        for id in self.list()? {
            match self.load(&id) {
                Ok(report) => runs.push(RunSummary::of(&report)),
                Err(error) => unreadable.push(error),
            }
        }
        Ok((runs, unreadable))
    }
}
