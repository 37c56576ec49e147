//! Real applications on a drive: a database that commits, packages that are unpacked, cameras that record.
//!
//! Where [jobs](cardiograph_core::JobSpec) imitate a pattern of I/O, a load here does what a program does: it makes, renames
//! and removes files, calls the library that programs call, and goes through the page cache as they do. What counts is
//! what its user counts: commits, files, photos, cameras, and the longest time in which nothing went on.
//!
//! Each load is one file and one line in [`LOADS`]. It works in a directory of its own ([`scratch`]), which is removed
//! whatever happens; what a killed run left is found by its name and removed by the next. [`run()`] gives it a thread, and
//! gives it up when the drive does not answer. On a simulated drive what a load once did is done again: [`trace`].
#![forbid(unsafe_code)]

mod cache;
mod content;
mod error;
mod load;
mod loads;
mod run;
pub mod scratch;
mod stage;
pub mod trace;
mod written;

pub use error::AppError;
pub use load::AppLoad;
pub use loads::{LOADS, find};
pub use run::{AppEnd, AppRequest, AppRun, Patience, Progress, run};
pub use stage::Mark;

/// Length of the windows of all series, in nanoseconds.
pub const WINDOW_NS: u64 = 100 * cardiograph_core::NS_PER_MS;
