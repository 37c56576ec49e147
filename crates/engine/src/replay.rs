//! Source of recorded I/O for jobs that replay it.

use std::io;

use cardiograph_core::replay::ReplayStep;

/// Provides the recordings of a Plan.
pub trait Replays: Sync {
    /// The steps of a clone of a job, from the first.
    ///
    /// # Errors
    /// When they cannot be read.
    fn open(&self, job: usize, clone: u32) -> io::Result<Box<dyn ReplaySteps>>;
}

/// A sequence of recorded I/O.
pub trait ReplaySteps: Send {
    /// The next step; `None` after the last.
    ///
    /// # Errors
    /// When it cannot be read.
    fn next(&mut self) -> io::Result<Option<ReplayStep>>;
}
