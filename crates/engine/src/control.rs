//! How a run is told to end, and how long it may wait for a drive that does not answer.

use std::sync::atomic::{AtomicBool, Ordering};

/// Handed to a run by who started it; signal handlers and other threads may stop the run through it.
#[derive(Debug)]
pub struct Control {
    stop: AtomicBool,
    /// How long, in nanoseconds, a worker may go without a completion after it should have ended before it is given
    /// up as held by the kernel.
    pub grace_ns: u64,
    /// How long, in nanoseconds, a worker may go without a completion at any time.
    pub silence_ns_max: u64,
}

impl Default for Control {
    /// 10 s of grace at the end, 60 s of silence before it: longer than any card's garbage collection that is known,
    /// and than the 30 s after which the kernel itself gives an I/O up.
    fn default() -> Self {
        Self { stop: AtomicBool::new(false), grace_ns: 10_000_000_000, silence_ns_max: 60_000_000_000 }
    }
}

impl Control {
    /// Asks the run to end: no new I/O is issued, what is in flight is waited for.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Whether it was asked to.
    pub fn is_stopping(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}
