//! Real applications on a drive: a database that commits, packages that are unpacked, cameras that record.
//!
//! Where [jobs](cardiograph_core::JobSpec) imitate an I/O pattern, a load does what a program does: it creates, renames and
//! removes files, calls the library that programs call, and uses the page cache like them. Results are in the user's units:
//! commits, files, photos, cameras, and the longest time without progress.
//!
//! Each load is a file and a line in [`LOADS`]. It works in a separate directory ([`scratch`]), which is always removed;
//! leftovers of a killed run are recognised by name and removed by the next. [`run()`] starts it on a thread, and abandons it if
//! the drive hangs. On a simulated drive the recorded I/O of a load is replayed: [`trace`].
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

/// Window length of all series, in nanoseconds.
pub const WINDOW_NS: u64 = 100 * cardiograph_core::NS_PER_MS;
