//! A step in one line, when it is done.

use cardiograph_core::app::AppResult;
use cardiograph_core::figures::StepFigures;
use cardiograph_core::quantity::{Quantity, Statistic};
use cardiograph_core::report::{StepOutcome, StepResult, StepRole};
use cardiograph_core::units;
use cardiograph_core::{Direction, Doubt, pause};
use cardiograph_judge::record::tests_of;

use super::layout::{FIGURE_COLUMNS, cut, pad_end, pad_start, said, width};
use super::title::title_within;
use super::{apps, imported};
use crate::lang::Lang;
use crate::method;
use crate::overview::{self, cell, rate};

const TITLE_COLUMNS: usize = 38;
pub(super) const LATENCY_COLUMNS: usize = 7;

/// A finished step in one line of so many columns, without a newline at its end:
/// `Random read 4K QD1    3,786 IOPS  p50  263 µs  p99  379 µs`. A title that would push the figures out of their columns has
/// a line of its own above them. Where the line is too narrow for both, the figures stand in a second one below the title.
pub fn step_line(step: &StepResult, columns: usize) -> String {
    let (title, told) = (said(&step.step.title, Lang::En), outcome(step));
    let beside = |title: &str| format!("{} {told}", pad_end(title, TITLE_COLUMNS)).trim_end().to_string();
    let is_short = width(&beside("")) <= columns;
    match width(&title) <= TITLE_COLUMNS {
        true if is_short => beside(&title),
        false if is_short => format!("{}\n{}", cut(&title, columns), beside("")),
        _ => {
            let parts: Vec<&str> = told.split("  ").map(str::trim).filter(|part| !part.is_empty()).collect();
            format!("{}\n  {}", title_within(&title, columns), parts.join("  "))
        }
    }
}

fn outcome(step: &StepResult) -> String {
    match &step.outcome {
        StepOutcome::Done => match (&step.figures, &step.app, &step.imported) {
            (Some(figures), ..) if step.step.role == StepRole::Prepare => prepared(figures),
            (Some(_), ..) | (.., Some(_)) => measured(step),
            (None, Some(app), _) => application(step, app),
            (None, None, None) => "done".to_string(),
        },
        StepOutcome::Interrupted => "interrupted".to_string(),
        // Why is told with the rest of the report, where there is room for it.
        StepOutcome::Failed { .. } => "failed".to_string(),
        StepOutcome::Hung => "the drive stopped answering".to_string(),
    }
}

fn application(step: &StepResult, app: &AppResult) -> String {
    let doubts = app.parts.iter().filter_map(|part| step.doubt(part.direction));
    withheld(doubts).unwrap_or_else(|| apps::line(&step.step, app))
}

/// Why figures are withheld, in a few words.
fn withheld<'d>(mut doubts: impl Iterator<Item = &'d Doubt>) -> Option<String> {
    let reason = match doubts.find(|doubt| doubt.withholds())? {
        Doubt::Contradicted { share } => format!("only {} reached the drive", units::percent(*share)),
        Doubt::Paused { paused_ns, .. } => format!("the program was paused {}", pause::seconds(*paused_ns)),
        Doubt::AboveLink => "more than the link to the drive carries".to_string(),
        other => Lang::En.text(&other.message()),
    };
    Some(format!("withheld: {reason}"))
}

/// Preparing is told by its size and time: its speed is not the drive's.
fn prepared(figures: &StepFigures) -> String {
    let bytes = figures.directions.iter().map(|direction| direction.bytes).fold(0, u64::saturating_add);
    let runtime_ns = figures.directions.iter().map(|direction| direction.runtime_ns).max().unwrap_or(0);
    format!("{}  in {}", pad_start(&units::bytes(bytes), FIGURE_COLUMNS), units::duration(runtime_ns))
}

/// The rates of a test; of one its latencies, too, where they are told.
fn measured(step: &StepResult) -> String {
    let tests = tests_of(step);
    let Some(test) = tests.first() else { return "no I/O was completed".to_string() };
    if let Some(withheld) = withheld(test.doubts().into_iter()) {
        return withheld;
    }
    let rates = overview::directions(test).into_iter().map(|direction| (direction, rate(test, direction)));
    let rates: Vec<(Option<Direction>, String)> = rates.filter(|(_, rate)| !rate.is_empty()).collect();
    match rates.as_slice() {
        [] if step.imported.is_some() => "no rate is told".to_string(),
        [] => "no I/O was completed".to_string(),
        [(direction, rate)] => {
            let latency = |percentile: f64, of: Option<Direction>| {
                let kind = method::latency_kind(&test.figures, of);
                let shown = test.shown(of, Quantity::Latency(kind, Statistic::Percentile(percentile)));
                let text = cell(shown, units::duration_f64);
                (!text.is_empty()).then(|| format!("p{percentile} {}", pad_start(&text, LATENCY_COLUMNS)))
            };
            let sync = Some(Direction::Sync);
            let latencies = match overview::directions(test).contains(&sync) {
                // The columns of the other steps' p50 hold the word that says what this p99 is of.
                true => latency(99.0, sync).map(|p99| format!("       fsync {p99}")).unwrap_or_default(),
                false => {
                    let both = [latency(50.0, *direction), latency(99.0, *direction)];
                    both.into_iter().flatten().collect::<Vec<_>>().join("  ")
                }
            };
            format!("{}  {latencies}", pad_start(rate, FIGURE_COLUMNS)).trim_end().to_string()
        }
        many => {
            let told = many.iter().map(|(direction, rate)| format!("{} {rate}", imported::name(*direction)));
            told.collect::<Vec<_>>().join(", ")
        }
    }
}
