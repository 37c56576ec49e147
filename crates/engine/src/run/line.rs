//! Where the threads of workers that start together wait for each other.

use std::sync::{Arc, Condvar, Mutex, PoisonError};

use crate::clock::Clock;

/// A line that is crossed once all who were expected have come or given up.
pub(super) struct StartLine {
    state: Mutex<State>,
    changed: Condvar,
    clock: Clock,
}

struct State {
    missing: usize,
    /// Ticks at which it opened.
    opened_at: Option<u64>,
}

/// Somebody's place at the line. Who lets go of it without crossing does not hold up the others.
pub(super) struct Place {
    line: Arc<StartLine>,
}

impl StartLine {
    /// A line for so many.
    pub fn new(clock: Clock, expected: usize) -> Arc<Self> {
        let state = Mutex::new(State { missing: expected, opened_at: None });
        Arc::new(Self { state, changed: Condvar::new(), clock })
    }

    /// A place at it. There must be no more places than were expected.
    pub fn place(self: &Arc<Self>) -> Place {
        Place { line: self.clone() }
    }

    /// Opens it at a moment (ticks), whoever is missing.
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

impl Place {
    /// Waits for the others. Returns when the line opened, in ticks.
    pub fn cross(self) -> u64 {
        let line = self.line.clone();
        drop(self);
        let state = line.state.lock().unwrap_or_else(PoisonError::into_inner);
        let state = line.changed.wait_while(state, |state| state.opened_at.is_none());
        state.unwrap_or_else(PoisonError::into_inner).opened_at.unwrap_or_default()
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.line.arrive();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn nobody_crosses_before_all_have_come_or_given_up() {
        let line = StartLine::new(Clock::machine(), 4);
        let come = AtomicUsize::new(0);
        let places = [line.place(), line.place(), line.place(), line.place()];
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
    fn a_line_can_be_opened_by_hand() {
        let line = StartLine::new(Clock::machine(), 2);
        let place = line.place();
        line.open(17);
        assert_eq!(place.cross(), 17);
    }
}
