//! How writing goes on over time: its speed, its ups and downs, its stalls and whether it falls off.

use cardiograph_core::figures::{DirectionFigures, StepFigures};
use cardiograph_core::metric::Metric;
use cardiograph_core::report::{Report, StepResult};
use cardiograph_core::{Direction, MIB, NS_PER_S};

use super::contradiction;
use super::layout::{Page, pad_end, plain};
use crate::units;

/// Columns of the words on the left.
const LABEL_COLUMNS: usize = 11;
const MINUTE_NS: u64 = 60 * NS_PER_S;
/// The metrics that are measured by writing on and on.
const METRICS: [Metric; 3] = [Metric::SustainedWrite, Metric::SequentialWrite, Metric::WriteStallMax];

/// Writes a paragraph for each step that wrote on and on onto `page`. Which steps did is told by the metrics that they
/// gave; others are shown only if their writing fell off.
pub(super) fn write(page: &mut Page, report: &Report) {
    let steps = METRICS.iter().filter_map(|metric| report.measurements.get(metric));
    let steps: Vec<&str> = steps.map(|measured| measured.step.as_str()).collect();
    for step in &report.steps {
        let Some(figures) = &step.figures else { continue };
        let fell_off = figures.fall_off.as_ref().is_some_and(|search| search.found.is_some());
        let wanted = steps.contains(&step.step.id.as_str()) || fell_off;
        let contradicted = contradiction(step, Direction::Write).is_some();
        if let Some(writes) = figures.direction(Direction::Write).filter(|_| wanted && !contradicted) {
            write_step(page, step, figures, writes);
        }
    }
}

fn write_step(page: &mut Page, step: &StepResult, figures: &StepFigures, writes: &DirectionFigures) {
    page.head(&plain(&step.step.title));
    let mut row = |label: &str, text: &str| page.prose(&format!("  {}", pad_end(label, LABEL_COLUMNS)), text);
    let speed = writes.bandwidth_bytes_per_s.value;
    let time = match writes.runtime_ns {
        ..MINUTE_NS => units::duration(writes.runtime_ns),
        _ => units::elapsed(writes.runtime_ns),
    };
    let amount = format!("{} in {time}", units::bytes(writes.bytes));
    row("mean", &format!("{} ({}) over {amount}", units::bandwidth(speed), units::bandwidth_si(speed)));
    if let Some(windows) = &writes.windows {
        let spread = &windows.bandwidth_bytes_per_s;
        let (low, high) = (units::bandwidth(spread.min), units::bandwidth(spread.max));
        row("range", &format!("{}, in windows of {}", units::range(&low, &high), window(windows.window_ns)));
        row("deviation", &format!("{} MiB/s, in the same windows", units::number(spread.stdev / MIB as f64)));
    }
    row("stall", &format!("{} at the longest", units::duration(figures.longest_stall_ns)));
    if let Some(search) = &figures.fall_off {
        row("fall-off", &fall_off(search));
    }
}

fn fall_off(search: &cardiograph_core::falloff::FallOffSearch) -> String {
    match &search.found {
        Some(found) => format!(
            "after {} it falls from {}",
            units::bytes(found.after_bytes),
            units::range(
                &units::bandwidth(found.before_bytes_per_s),
                &units::bandwidth(found.after_bytes_per_s)
            )
        ),
        None if search.searched_bytes == 0 => "too short to tell".to_string(),
        None => format!("none in the first {}", units::bytes(search.searched_bytes)),
    }
}

/// The length of a window, which is a round number.
pub(super) fn window(window_ns: u64) -> String {
    units::without_zeros(&units::duration(window_ns))
}
