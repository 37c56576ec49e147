//! Draining an engine before it is dropped.

use crate::clock::Clock;
use crate::engine::IoEngine;

/// How long to wait for the kernel, in nanoseconds.
const WAIT_NS: u64 = 5_000_000_000;

/// Cancels everything in flight and waits for it. Returns whether the kernel released everything; if not, it
/// may still write into the buffers, and the caller must leak them.
pub fn drain_in_flight<E: IoEngine>(engine: &mut E, clock: &Clock, in_flight: impl Fn(&E) -> u32) -> bool {
    let mut done = Vec::new();
    let deadline = clock.now() + clock.ticks(WAIT_NS);
    if in_flight(engine) > 0 {
        // If cancelling fails, waiting still works.
        let _ = engine.cancel();
    }
    while in_flight(engine) > 0 && clock.now() < deadline {
        if engine.reap(1, u32::MAX, Some(deadline), &mut done).is_err() {
            break;
        }
    }
    in_flight(engine) == 0
}
