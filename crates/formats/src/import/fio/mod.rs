//! fio's outputs: text for people, terse, JSON, logs.
//!
//! What they share: [`commands`] (command lines and job files that stand around an output), [`method`] (how a job was done,
//! from these or from what the output repeats), [`units`] (numbers with their units), [`stream`] (what was
//! done at several times).

pub(super) mod batch;
mod commands;
pub(super) mod json;
pub(super) mod log;
mod method;
pub(super) mod normal;
mod stream;
pub(super) mod terse;
mod units;

use super::figures::{Figures, Summary};

/// fio, as methods and sources have it.
const TOOL: &str = "fio";

/// No histogram counts more.
const COUNT_MAX: u64 = 1 << 48;
