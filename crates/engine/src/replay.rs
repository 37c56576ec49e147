//! Where recorded I/O comes from when a job replays it.

use std::io;

use cardiograph_core::replay::ReplayStep;

/// Gives the recordings of a Plan.
pub trait Replays: Sync {
    /// The steps of a clone of a job, from the first.
    ///
    /// # Errors
    /// When they cannot be read.
    fn open(&self, job: usize, clone: u32) -> io::Result<Box<dyn ReplaySteps>>;
}

/// Recorded I/O, one after the other.
pub trait ReplaySteps: Send {
    /// The next; `None` after the last.
    ///
    /// # Errors
    /// When it cannot be read.
    fn next(&mut self) -> io::Result<Option<ReplayStep>>;
}
