//! Commands that jobs want to have run before and after them.

use cardiograph_core::Message;

/// When a command runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moment {
    /// When its worker's turn has come, before its time begins.
    Before,
    /// When its worker has ended and let go of its files.
    After,
}

/// Runs commands. It is called from the threads of workers.
pub trait Commands: Send + Sync {
    /// Runs the command of a job, and returns when that has ended, or soon after `is_unwanted` is so. A job without a command
    /// for the moment has nothing to run.
    ///
    /// # Errors
    /// Why it failed.
    fn run(&self, job: usize, moment: Moment, is_unwanted: &dyn Fn() -> bool) -> Result<(), Message>;
}
