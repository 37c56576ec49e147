//! Does a checkup: where it takes place, leave to write, what is put back, and the steps of its suite.
//!
//! Nothing here holds a terminal. What happens goes to a [`Sink`](sink::Sink), a Report to a [`Keeper`](keeper::Keeper), and
//! whoever wants a device written to has asked for consent before.
//!
//! Reading order: [`place`] (where) → [`consent`], [`targets`], [`machine`] (what jobs name, made ready) → [`run`] (the one way
//! to the engine) → [`runner`], [`local_runner`] (what runs a step, and how it is run in this process) → [`session`] (a suite from its first step to its last) → [`checkup`] (from a Task to its end) →
//! [`journals`], [`leftovers`], [`scheduler`], [`trim`] (what is changed meanwhile, and put back).
#![forbid(unsafe_code)]

pub mod agent;
pub mod beside;
pub mod calibration;
pub mod checkup;
pub mod cleaned;
pub mod consent;
pub mod deadline;
pub mod extra_directories;
pub mod failure;
pub mod fio_jobs;
pub mod gauges;
pub mod job_runner;
pub mod journals;
pub mod keeper;
pub mod leftovers;
pub mod local_jobs;
pub mod local_runner;
pub mod machine;
pub mod messages;
pub mod outcome;
pub mod place;
pub mod prepare_messages;
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
pub mod trim;
pub mod wire;
#[cfg(test)]
mod wire_schema;
