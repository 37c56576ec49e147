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

pub use held::{Held, held};
pub use jobs::AgentJobs;
pub use runner::AgentRunner;
pub use serve::serve;

/// The program's name as an Agent.
pub const NAME: &str = "cardiograph-agent";
