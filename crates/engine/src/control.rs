//! Stopping a run, and how long it waits for an unresponsive drive.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::Thread;

use cardiograph_core::{NS_PER_MS, NS_PER_S};

/// The shortest time between two progress events, in nanoseconds.
const TICK_NS_MIN: u64 = NS_PER_MS;

/// Handed to a run by its caller; signal handlers and other threads can stop the run through it.
#[derive(Debug)]
pub struct Control {
    stop: AtomicBool,
    /// The thread that coordinates the run, while it is running.
    coordinator: Mutex<Option<Thread>>,
    /// Grace period after a worker should have ended: how long it may go without a completion before it is
    /// given up as stuck in the kernel, in nanoseconds.
    pub grace_ns: u64,
    /// How long a worker may go without a completion at any other time, in nanoseconds.
    pub silence_ns_max: u64,
    /// Time between two progress events, in nanoseconds; at least a millisecond.
    pub tick_ns: u64,
}

impl Default for Control {
    /// 10 s of grace at the end and 60 s of silence before it: longer than any known card's garbage
    /// collection, and than the 30 s after which the kernel times out an I/O. Progress four times a second.
    fn default() -> Self {
        Self {
            stop: AtomicBool::new(false),
            coordinator: Mutex::new(None),
            grace_ns: 10 * NS_PER_S,
            silence_ns_max: 60 * NS_PER_S,
            tick_ns: 250 * NS_PER_MS,
        }
    }
}

impl Control {
    /// Asks the run to end: no new I/O is issued, and I/O in flight is waited for. It neither allocates nor
    /// waits for a lock, so a signal handler may call it.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::SeqCst);
        // The lock's holder either wakes the coordinator itself, or is the coordinator and checks `stop`
        // next.
        if let Ok(coordinator) = self.coordinator.try_lock()
            && let Some(thread) = &*coordinator
        {
            thread.unpark();
        }
    }

    /// Whether the run was asked to end.
    pub fn is_stopping(&self) -> bool {
        self.stop.load(Ordering::SeqCst)
    }

    pub(crate) fn tick_ns(&self) -> u64 {
        self.tick_ns.max(TICK_NS_MIN)
    }

    /// Registers the calling thread to be woken by [`Control::stop`] while the guard lives.
    pub(crate) fn wake_me(&self) -> WakeGuard<'_> {
        self.set_coordinator(Some(std::thread::current()));
        WakeGuard(self)
    }

    fn set_coordinator(&self, thread: Option<Thread>) {
        *self.coordinator.lock().unwrap_or_else(PoisonError::into_inner) = thread;
    }
}

/// Undoes [`Control::wake_me`] on drop.
pub(crate) struct WakeGuard<'a>(&'a Control);

impl Drop for WakeGuard<'_> {
    fn drop(&mut self) {
        self.0.set_coordinator(None);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::{Duration, Instant};

    use super::*;

    #[test]
    fn stopping_wakes_the_coordinator() {
        let control = Arc::new(Control::default());
        let _guard = control.wake_me();
        let stopper = std::thread::spawn({
            let control = control.clone();
            move || {
                std::thread::sleep(Duration::from_millis(20));
                control.stop();
            }
        });
        let began = Instant::now();
        while !control.is_stopping() {
            std::thread::park_timeout(Duration::from_secs(20));
        }
        assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
        stopper.join().unwrap();
    }
}
