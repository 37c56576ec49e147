//! The Agent: a process of its own that touches the drive, so that one that hangs, or an engine that dies, takes nothing with it.
//!
//! It is the same program, started under another [name](NAME) with a socket as its standard input. `child` is the side of whoever
//! started it, `serve` its own.

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

/// The program's name when it is an Agent.
pub const NAME: &str = "cardiograph-agent";
