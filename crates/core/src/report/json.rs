//! Reports and their steps as JSON.
//!
//! Serde makes the code of a type and of all types in it anew in each crate that reads or writes one. Of a Report that is the
//! largest part of what a small crate compiles, so it is done here, once.

pub mod layout;

use super::{Report, StepResult};

/// A Report from its JSON, whatever its version; nothing is validated.
///
/// # Errors
/// Where it does not have the form of a Report.
pub fn read_report(json: &[u8]) -> serde_json::Result<Report> {
    serde_json::from_slice(json)
}

/// A step's result from its JSON.
///
/// # Errors
/// Where it does not have the form of one.
pub fn read_step(json: &[u8]) -> serde_json::Result<StepResult> {
    serde_json::from_slice(json)
}

/// A Report as JSON in one line.
pub fn report_line(report: &Report) -> String {
    serde_json::to_string(report).expect("a Report has nothing that JSON cannot hold")
}

/// A Report as indented JSON.
pub fn report_indented(report: &Report) -> String {
    serde_json::to_string_pretty(report).expect("a Report has nothing that JSON cannot hold")
}

/// A step's result as JSON in one line.
pub fn step_line(step: &StepResult) -> String {
    serde_json::to_string(step).expect("a step has nothing that JSON cannot hold")
}
