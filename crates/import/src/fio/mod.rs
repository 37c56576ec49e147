//! fio's outputs: normal, terse, JSON, logs.
//!
//! Shared parts: [`commands`] (command lines and job files around an output), [`method`] (a job's Method, from these or
//! from the output), [`units`] (numbers with units), [`stream`] (snapshots of a running job).

pub(super) mod batch;
mod commands;
pub(super) mod json;
pub(super) mod log;
mod method;
pub(super) mod normal;
mod stream;
pub(super) mod terse;
#[cfg(test)]
mod unified;
mod units;

use cardiograph_core::direction::Direction;
use cardiograph_core::imported::Figure;
use cardiograph_core::message;
use cardiograph_core::report::StepOutcome;
use cardiograph_core::text::shown;

use super::figures::{Figures, Summary};

/// Name of fio in methods and sources.
const TOOL: &str = "fio";

/// Limit of a histogram count.
const COUNT_MAX: u64 = 1 << 48;

/// A job's outcome, from its error number (0 for success) and fio's description.
fn outcome(code: i64, words: Option<&str>) -> StepOutcome {
    let message = match (code, words) {
        (0, _) => return StepOutcome::Done,
        (code, Some(words)) => {
            message!("import-fio-failed.said", code = code.to_string(), said = shown(words))
        }
        (code, None) => message!("import-fio-failed", code = code.to_string()),
    };
    StepOutcome::Failed { message }
}

/// Removes fio's `mixed` figures if there are directions (`unified_rw_reporting=both`), whose sum they are. Alone
/// (`mixed`) they stay.
fn remove_sum(figures: &mut Figures) {
    let is_data = |figure: &Figure| figure.direction.is_some_and(|of| Direction::DATA.contains(&of));
    if figures.0.iter().any(is_data) {
        figures.0.retain(|figure| figure.direction.is_some());
    }
}

/// Joins the kernel's names of several drives, as in a [`Subject`](super::Subject).
fn device(names: &[&str]) -> Option<String> {
    (!names.is_empty()).then(|| names.join("+"))
}
