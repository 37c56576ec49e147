//! From what was written for a job to what will run: the option table, how values are read, and which I/O comes next.
//!
//! Reading order: [`options`] (fio's options, a row each) → [`settings`] (what a job says of them) → [`value`] (how sizes,
//! times, mixes and patterns are read) → [`resolve`] (from JobSpecs to a Plan, all problems at once) → [`offsets`] and
//! [`permutation`] (which block next). As in core nothing here reads a clock or opens a file.
#![forbid(unsafe_code)]

pub mod method;
pub mod offsets;
pub mod options;
pub mod permutation;
pub mod resolve;
pub mod settings;
pub mod value;
