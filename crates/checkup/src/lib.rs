//! Runs checkups: target, permission to write, restoring, and the steps of a suite.
//!
//! Nothing here uses a terminal. Events go to a [`Sink`](sink::Sink), a Report to a
//! [`Keeper`](keeper::Keeper), and the caller asks for consent before a device is written to.
//!
//! Reading order: [`checkup_target`] → [`consent`], [`targets`], [`machine`] (preparing what jobs name) →
//! [`run`] (the only way to the engine) → [`runner`], [`local_runner`] (running a step, in this process) →
//! [`session`] (a suite from its first step to its last) → [`checkup`] (from a Task to its end) →
//! [`journals`], [`leftovers`], [`scheduler`], [`trim`] (temporary changes, and restoring them).
#![forbid(unsafe_code)]

pub mod agent;
pub mod calibration;
pub mod checkup;
pub mod checkup_target;
pub mod cleaned;
pub mod consent;
pub mod deadline;
pub mod extra_directories;
pub mod failure;
pub mod fio_jobs;
pub mod fleet;
pub mod gauges;
pub mod job_io;
pub mod job_runner;
pub mod journals;
pub mod keeper;
pub mod leftovers;
pub mod local_jobs;
pub mod local_runner;
pub mod machine;
pub mod messages;
pub mod outcome;
pub mod outline_lines;
pub mod own_purposes;
pub mod presence;
pub mod resume;
pub mod run;
pub mod runner;
pub mod scheduler;
pub mod session;
pub mod signals;
pub mod simulated;
pub mod sink;
pub mod targets;
pub mod thermometer;
pub mod trim;
pub mod wire;
#[cfg(test)]
mod wire_schema;

pub use cardiograph_engine::process::release_memory;
