//! Runs a [`Plan`](cardiograph_core::Plan): the only crate with `unsafe`, and the only one that does I/O on a
//! drive.
//!
//! Reading order: [`engine`] (the engine interface and registry) → [`target`], [`files`] and [`gate`] (what
//! may be read and written, and how it is prepared) → [`clock`] → [`recorder`] → `worker` (the loop that
//! generates, submits, reaps and records) → [`mod@run`] (threads in real time, or one thread in simulated
//! time).

pub mod buffers;
pub mod clock;
pub mod commands;
mod content;
pub mod control;
pub mod device;
pub mod engine;
mod engines;
pub mod error;
pub mod files;
pub mod fill_files;
mod flow;
pub mod gate;
pub mod heartbeat;
mod io_op;
pub mod journal;
pub mod leftovers;
pub mod log;
pub mod numa;
pub mod observer;
mod offload;
mod pacer;
pub mod part;
pub mod process;
pub mod recorder;
pub mod replay;
pub mod run;
mod schedule;
pub mod sim;
pub mod target;
mod verify;
mod worker;

pub use clock::Clock;
pub use control::Control;
pub use engine::{Completion, EngineContext, EngineEntry, IoEngine, IoOp};
pub use engines::mmap::mapping;
pub use engines::{ENGINES, find_engine, find_substitute};
pub use error::RunError;
pub use gate::{Consent, WritePermit};
pub use observer::{Event, Observer, Progress};
pub use run::{Helpers, Lengths, RunRequest, run};
pub use target::{Access, Target};
pub use worker::writes_again;
