//! The Agent: a separate process that does the I/O, so that a hanging drive or a crashing engine does not
//! take the program down.
//!
//! It is the same program, started under another [name](NAME) with a socket as its standard input. `child` is
//! the parent's side, `serve` the Agent's own.

mod child;
mod held;
mod jobs;
mod runner;
mod serve;
mod so_far;

use std::sync::atomic::{AtomicBool, Ordering};

pub use held::{Held, held};
pub use jobs::AgentJobs;
pub use runner::AgentRunner;
pub use serve::serve;

/// The program's name as an Agent.
pub const NAME: &str = "cardiograph-agent";

/// Whether this program becomes an Agent when it is started under that name.
static IS_PROGRAM: AtomicBool = AtomicBool::new(false);

/// Says that this program becomes an Agent when it is started as [`NAME`]: it may start itself. Another one, such as a test, would
/// start itself again and again.
pub fn enable() {
    IS_PROGRAM.store(true, Ordering::Relaxed);
}
