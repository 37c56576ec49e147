//! Reports and their steps as JSON.
//!
//! Serde generates the code of a type and all types in it anew in each crate that reads or writes it. For a Report
//! that is most of what a small crate compiles, so it is done once, here.

pub mod layout;

use super::{Report, StepResult};

/// Reads a Report of any version, without validation.
///
/// # Errors
/// If it does not have the format of a Report.
pub fn read_report(json: &[u8]) -> serde_json::Result<Report> {
    serde_json::from_slice(json)
}

/// Reads a step's result.
///
/// # Errors
/// If it does not have the format of one.
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
