//! Start barrier for the threads of workers that start together.

use std::sync::{Arc, Condvar, Mutex, PoisonError};

use crate::clock::Clock;

/// A barrier that opens once all expected threads have arrived or given up.
pub(super) struct StartBarrier {
    state: Mutex<State>,
    changed: Condvar,
    clock: Clock,
}

struct State {
    missing: usize,
    /// Ticks at which it opened.
    opened_at: Option<u64>,
}

/// A thread's slot at the barrier. Dropping it without crossing does not block the others.
pub(super) struct BarrierSlot {
    barrier: Arc<StartBarrier>,
}

impl StartBarrier {
    /// A barrier for `expected` threads.
    pub fn new(clock: Clock, expected: usize) -> Arc<Self> {
        let state = Mutex::new(State { missing: expected, opened_at: None });
        Arc::new(Self { state, changed: Condvar::new(), clock })
    }

    /// A slot. There must be no more slots than expected threads.
    pub fn slot(self: &Arc<Self>) -> BarrierSlot {
        BarrierSlot { barrier: self.clone() }
    }

    /// Opens it at a given time (ticks), even if threads are missing.
    pub fn open(&self, at: u64) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.opened_at.get_or_insert(at);
        self.changed.notify_all();
    }

    fn arrive(&self) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.missing = state.missing.saturating_sub(1);
        if state.missing == 0 {
            state.opened_at.get_or_insert_with(|| self.clock.now());
            self.changed.notify_all();
        }
    }
}

impl BarrierSlot {
    /// Waits for the others. Returns when the barrier opened, in ticks.
    pub fn cross(self) -> u64 {
        let barrier = self.barrier.clone();
        drop(self);
        let state = barrier.state.lock().unwrap_or_else(PoisonError::into_inner);
        let state = barrier.changed.wait_while(state, |state| state.opened_at.is_none());
        state.unwrap_or_else(PoisonError::into_inner).opened_at.unwrap_or_default()
    }
}

impl Drop for BarrierSlot {
    fn drop(&mut self) {
        self.barrier.arrive();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn nobody_crosses_before_all_have_arrived_or_given_up() {
        let barrier = StartBarrier::new(Clock::machine(), 4);
        let come = AtomicUsize::new(0);
        let places = [barrier.slot(), barrier.slot(), barrier.slot(), barrier.slot()];
        std::thread::scope(|scope| {
            for (number, place) in places.into_iter().enumerate() {
                let come = &come;
                scope.spawn(move || {
                    std::thread::sleep(std::time::Duration::from_millis(3 * number as u64));
                    come.fetch_add(1, Ordering::SeqCst);
                    if number == 3 {
                        return drop(place);
                    }
                    let opened_at = place.cross();
                    assert_eq!(come.load(Ordering::SeqCst), 4);
                    assert!(opened_at > 0);
                });
            }
        });
    }

    #[test]
    fn a_barrier_can_be_opened_manually() {
        let barrier = StartBarrier::new(Clock::machine(), 2);
        let place = barrier.slot();
        barrier.open(17);
        assert_eq!(place.cross(), 17);
    }
}
