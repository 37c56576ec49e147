//! A step in one line, when it is done.

use cardiograph_core::app::AppResult;
use cardiograph_core::figures::{DirectionFigures, LatencyFigures, StepFigures};
use cardiograph_core::pause;
use cardiograph_core::report::{StepOutcome, StepResult, StepRole};
use cardiograph_core::units;

use super::layout::{cut, pad_end, pad_start, plain, width};
use super::title::{compact, title_within};
use super::{apps, imported};
use crate::method::LONG_IO_BYTES;

const TITLE_COLUMNS: usize = 38;
pub(super) const FIGURE_COLUMNS: usize = 14;
pub(super) const LATENCY_COLUMNS: usize = 7;

/// A finished step in one line of so many columns, without a newline at its end:
/// `Random read, 4 KiB, one at a time    3,786 IOPS  p50  263 µs  p99  379 µs`. A title that would push the figures out
/// of their columns has signs in place of words, or, where that is not enough, a line of its own above them. Where the line
/// is too narrow for both, the figures stand in a second one below the title.
pub fn step_line(step: &StepResult, columns: usize) -> String {
    let (title, told) = (plain(&step.step.title), outcome(step));
    let beside = |title: &str| format!("{} {told}", pad_end(title, TITLE_COLUMNS)).trim_end().to_string();
    let is_short = width(&beside("")) <= columns;
    match compact(&title, TITLE_COLUMNS).filter(|_| is_short) {
        Some(title) => beside(&title),
        None if is_short => format!("{}\n{}", cut(&title, columns), beside("")),
        None => {
            let parts: Vec<&str> = told.split("  ").map(str::trim).filter(|part| !part.is_empty()).collect();
            format!("{}\n  {}", title_within(&title, columns), parts.join("  "))
        }
    }
}

fn outcome(step: &StepResult) -> String {
    match &step.outcome {
        StepOutcome::Done => match &step.figures {
            Some(figures) if step.step.role == StepRole::Measure => measured(step, figures),
            Some(figures) => prepared(figures),
            None => match (&step.app, &step.imported) {
                (Some(app), _) => application(step, app),
                (None, Some(told)) => imported::outcome(step, told),
                (None, None) => "done".to_string(),
            },
        },
        StepOutcome::Interrupted => "interrupted".to_string(),
        // Why is told with the rest of the report, where there is room for it.
        StepOutcome::Failed { .. } => "failed".to_string(),
        StepOutcome::Hung => "the drive stopped answering".to_string(),
    }
}

fn application(step: &StepResult, app: &AppResult) -> String {
    let contradicted = app.parts.iter().find_map(|part| step.contradiction(part.direction));
    match contradicted {
        Some(check) => format!("withheld: only {} reached the drive", units::percent(check.share)),
        None if !step.pauses().is_empty() => paused(step),
        None => apps::line(&step.step, app),
    }
}

/// Preparing is told by its size and time: its speed is not the drive's.
fn prepared(figures: &StepFigures) -> String {
    let bytes = figures.directions.iter().map(|direction| direction.bytes).fold(0, u64::saturating_add);
    let runtime_ns = figures.directions.iter().map(|direction| direction.runtime_ns).max().unwrap_or(0);
    format!("{}  in {}", pad_start(&units::bytes(bytes), FIGURE_COLUMNS), units::duration(runtime_ns))
}

fn measured(step: &StepResult, figures: &StepFigures) -> String {
    let contradicted = figures.directions.iter().find_map(|d| step.contradiction(d.direction));
    match (contradicted, figures.directions.as_slice()) {
        (Some(check), _) => format!("withheld: only {} reached the drive", units::percent(check.share)),
        (None, _) if figures.directions.iter().any(|d| step.is_refuted(d.direction)) => {
            "withheld: more than the link to the drive carries".to_string()
        }
        (None, _) if !step.pauses().is_empty() => paused(step),
        (None, []) => "no I/O was completed".to_string(),
        (None, [one]) => {
            let figure = pad_start(&speed(one), FIGURE_COLUMNS);
            let latencies = match &figures.sync {
                // The columns of the other steps' p50 hold the word that says what this p99 is of.
                Some(sync) => format!("       fsync {}", latency(sync, 99.0)),
                None => format!("{}  {}", latency(&one.total, 50.0), latency(&one.total, 99.0)),
            };
            format!("{figure}  {latencies}")
        }
        (None, many) => {
            let speeds: Vec<_> =
                many.iter().map(|one| format!("{} {}", one.direction.name(), speed(one))).collect();
            speeds.join(", ")
        }
    }
}

/// Figures across a pause are not the drive's.
fn paused(step: &StepResult) -> String {
    format!("withheld: the program was paused {}", pause::seconds(pause::total_ns(step.pauses())))
}

/// The rate by which I/Os of that length, on average, are quoted, with its unit.
pub(super) fn speed(figures: &DirectionFigures) -> String {
    if figures.bytes / figures.ios.max(1) >= LONG_IO_BYTES {
        units::bandwidth(figures.bandwidth_bytes_per_s.value)
    } else {
        units::iops(figures.iops.value)
    }
}

fn latency(figures: &LatencyFigures, percentile: f64) -> String {
    let text = figures.percentile_ns(percentile).map_or(units::NO_FIGURE.to_string(), units::duration);
    format!("p{percentile} {}", pad_start(&text, LATENCY_COLUMNS))
}
