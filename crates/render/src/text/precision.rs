//! How well the rates of steps are known that were to reach a precision.

use cardiograph_core::result::PrecisionOutcome;
use cardiograph_core::words::precision::reached;
use cardiograph_core::{Parameter, Report};

use super::layout::{Page, plain};
use super::words;
use crate::lang::Lang;

/// Writes what came of the wanted precision onto `page`, a line for each step; nothing when none was wanted.
pub(super) fn write(page: &mut Page, report: &Report) {
    let outcomes = report.steps.iter().filter_map(|step| {
        let [outcome] = step.result.as_ref()?.precision[..] else { return None };
        Some((words::short_title(&step.step), outcome))
    });
    let outcomes: Vec<(String, PrecisionOutcome)> = outcomes.collect();
    let Some((_, first)) = outcomes.first() else { return };
    page.head(&format!(
        "How well rates are known ({} wanted)",
        Lang::En.value(&Parameter::share(first.wanted))
    ));
    for (title, outcome) in &outcomes {
        page.prose("  ", &format!("{}: {}", plain(title), Lang::En.text(&reached(outcome))));
    }
}
