//! How an engine ends whose requests the kernel may still hold.

use crate::clock::Clock;
use crate::engine::IoEngine;

/// How long the kernel is waited for, in nanoseconds.
const WAIT_NS: u64 = 5_000_000_000;

/// Asks for the end of all that is in flight and waits for it. Returns whether the kernel has let go: where it has not, it
/// may still write into the buffers, and they must outlive the process's interest in them.
pub fn let_go<E: IoEngine>(engine: &mut E, clock: &Clock, in_flight: impl Fn(&E) -> u32) -> bool {
    let mut done = Vec::new();
    let deadline = clock.now() + clock.ticks(WAIT_NS);
    if in_flight(engine) > 0 {
        // Where it cannot be asked, it can be waited for.
        let _ = engine.cancel();
    }
    while in_flight(engine) > 0 && clock.now() < deadline {
        if engine.reap(1, u32::MAX, Some(deadline), &mut done).is_err() {
            break;
        }
    }
    in_flight(engine) == 0
}
