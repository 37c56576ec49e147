//! The simulator: a seeded model of a drive on which a Plan can be run in simulated time.
//!
//! It is a real engine in the shipped program (`ioengine=sim`, `cardiograph check --simulate`), and lets
//! tests check statistics, suites, verdicts and error paths against known results. A model consists of
//! physical parameters ([`model`]), not of results: figures follow from bus, flash, cache and firmware.
//!
//! All requests of all workers go through one [`SimDrive`], on one thread. The completion time of a request
//! is computed when it is submitted, from the state that earlier requests left; the run then advances the
//! time to the next completion of any worker. So a test of 120 seconds takes milliseconds, and the same seed
//! gives the same Report.
//!
//! Reading order: [`model`] (the parameters) → [`faults`] (the faults) → `drive` (responses, content,
//! counters) → `mechanism` (completion times) → its parts.

mod background;
mod bus;
mod content;
mod decoder;
mod drive;
pub mod faults;
mod mapping;
mod mechanism;
pub mod model;
mod paths;
mod request;
mod room;
mod thermal;
mod validate;
mod variation;
mod whole_blocks;

#[cfg(test)]
mod article;
#[cfg(test)]
mod shipped;
#[cfg(test)]
mod workbench;

pub use drive::{Served, SimDrive, SimFile};
pub use faults::{Fault, FaultKind};
pub use model::{DriveKind, DriveModel, MODELS, Marks, ModelError};
pub use request::SimRequest;
pub use whole_blocks::CONTENT_BLOCK_BYTES;
