//! Commands that jobs run before and after their I/O.

use cardiograph_core::Message;

/// When a command runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moment {
    /// When it is the worker's turn, before its runtime begins.
    Before,
    /// When the worker has ended and released its files.
    After,
}

/// Runs commands. It is called from the threads of workers.
pub trait Commands: Send + Sync {
    /// Runs the command of a job and returns when it has exited, or soon after `is_unwanted` becomes true.
    /// Does nothing for a job without a command for this moment.
    ///
    /// # Errors
    /// Why it failed.
    fn run(&self, job: usize, moment: Moment, is_unwanted: &dyn Fn() -> bool) -> Result<(), Message>;
}
