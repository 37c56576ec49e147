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
#[cfg(test)]
mod unified;
mod units;

use cardiograph_core::direction::Direction;
use cardiograph_core::imported::Figure;
use cardiograph_core::message;
use cardiograph_core::report::StepOutcome;
use cardiograph_core::text::shown;

use super::figures::{Figures, Summary};

/// fio, as methods and sources have it.
const TOOL: &str = "fio";

/// No histogram counts more.
const COUNT_MAX: u64 = 1 << 48;

/// How a job ended, by its error number, 0 if there was none, and fio's words for it.
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

/// Takes out what fio's `mixed` tells of directions that stand beside it (`unified_rw_reporting=both`): it is their sum, and no
/// direction of its own. Alone (`mixed`) it is all that there is.
fn without_sum(figures: &mut Figures) {
    let is_data = |figure: &Figure| figure.direction.is_some_and(|of| Direction::DATA.contains(&of));
    if figures.0.iter().any(is_data) {
        figures.0.retain(|figure| figure.direction.is_some());
    }
}

/// The kernel's names of several drives in one, as a [`Subject`](super::Subject) has them.
fn device(names: &[&str]) -> Option<String> {
    (!names.is_empty()).then(|| names.join("+"))
}
