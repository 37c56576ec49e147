//! A wish that a worker ends.

use std::sync::atomic::{AtomicU8, Ordering};

/// A wish that a worker ends, as seen by all clones of a job.
#[derive(Debug, Default)]
pub(crate) struct StopFlag(AtomicU8);

impl StopFlag {
    const PLANNED: u8 = 1;
    const ASKED: u8 = 2;

    /// The job's end condition holds.
    pub fn end_as_planned(&self) {
        let _ = self.0.compare_exchange(0, Self::PLANNED, Ordering::Relaxed, Ordering::Relaxed);
    }

    /// The run is to stop early.
    pub fn ask(&self) {
        self.0.store(Self::ASKED, Ordering::Relaxed);
    }

    /// Whether there is such a wish.
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed) != 0
    }

    /// Whether the wish came from outside the Plan.
    pub fn was_asked(&self) -> bool {
        self.0.load(Ordering::Relaxed) == Self::ASKED
    }
}
