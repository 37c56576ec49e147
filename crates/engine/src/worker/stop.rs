//! Stop requests to workers.

use std::sync::atomic::{AtomicU8, Ordering};

/// A stop request, shared by all clones of a job.
#[derive(Debug, Default)]
pub(crate) struct StopFlag(AtomicU8);

impl StopFlag {
    const PLANNED: u8 = 1;
    const ASKED: u8 = 2;

    /// Requests the end because the job's end condition holds.
    pub fn end_as_planned(&self) {
        let _ = self.0.compare_exchange(0, Self::PLANNED, Ordering::Relaxed, Ordering::Relaxed);
    }

    /// Requests an early end of the run.
    pub fn ask(&self) {
        self.0.store(Self::ASKED, Ordering::Relaxed);
    }

    /// Whether there is a stop request.
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed) != 0
    }

    /// Whether it came from outside the Plan.
    pub fn is_external(&self) -> bool {
        self.0.load(Ordering::Relaxed) == Self::ASKED
    }
}
