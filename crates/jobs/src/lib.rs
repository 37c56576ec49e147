//! From job settings to what will run: the option table, value parsers, and the sequence of I/Os.
//!
//! Reading order: [`options`] (fio's options, a row each) → [`settings`] (a job's settings) → [`value`] (parsers of
//! sizes, times, mixes and patterns) → [`resolve`] (from JobSpecs to a Plan, all problems at once) → [`offsets`] and
//! [`permutation`] (the next block). As in core, nothing here reads a clock or opens a file.
#![forbid(unsafe_code)]

pub mod method;
pub mod offsets;
pub mod options;
pub mod permutation;
pub mod resolve;
pub mod settings;
pub mod value;
