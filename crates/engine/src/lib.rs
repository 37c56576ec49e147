//! Runs a [`Plan`](cardiograph_core::Plan): the only crate with `unsafe`, and the only one that does I/O on a drive.
//!
//! Reading order: [`engine`] (what an engine is, and which there are) → [`target`] and [`gate`] (what may be read and
//! written) → [`clock`] → [`recorder`] → `worker` (the one loop that generates, submits, reaps and records) →
//! [`mod@run`] (threads in real time, or one thread in simulated time).

pub mod buffers;
pub mod clock;
pub mod control;
pub mod engine;
mod engines;
pub mod error;
pub mod gate;
pub mod leftovers;
pub mod observer;
pub mod recorder;
pub mod run;
mod schedule;
pub mod sim;
pub mod target;
mod worker;

pub use clock::Clock;
pub use control::Control;
pub use engine::{Completion, ENGINES, EngineContext, EngineEntry, IoEngine, IoOp, Unavailable};
pub use error::RunError;
pub use gate::WritePermit;
pub use observer::{Event, Observer, Progress};
pub use run::{RunRequest, run};
pub use target::Target;
