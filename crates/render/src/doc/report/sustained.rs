//! Sustained writing: its speed, its variation, its stalls and a fall-off.

use cardiograph_core::falloff::FallOffSearch;
use cardiograph_core::figures::{DirectionFigures, StepFigures};
use cardiograph_core::metric::Metric;
use cardiograph_core::report::{Report, StepResult};
use cardiograph_core::{Direction, Message, Parameter, message};

use crate::doc::{Item, Node};

/// The metrics of sustained writing.
const METRICS: [Metric; 3] = [Metric::SustainedWrite, Metric::SequentialWrite, Metric::WriteStallMax];

/// The steps of sustained writing, each with its speed over time: those that feed its metrics, and others
/// whose writing fell off.
pub(super) fn nodes(report: &Report) -> Vec<Node> {
    let steps = METRICS.iter().filter_map(|metric| report.measurements.get(metric));
    let steps: Vec<&str> = steps.map(|measured| measured.step.as_str()).collect();
    let all = report.steps.iter().filter_map(|step| {
        let figures = step.figures.as_ref()?;
        let fell_off = figures.fall_off.as_ref().is_some_and(|search| search.found.is_some());
        let wanted = steps.contains(&step.step.id.as_str()) || fell_off;
        let is_withheld = step.is_withheld(Direction::Write);
        let writes = figures.direction(Direction::Write).filter(|_| wanted && !is_withheld)?;
        Some(step_nodes(step, figures, writes))
    });
    all.flatten().collect()
}

fn step_nodes(step: &StepResult, figures: &StepFigures, writes: &DirectionFigures) -> Vec<Node> {
    let fall_off = figures.fall_off.as_ref().map(fall_off);
    let text = std::iter::once(sentence(figures, writes)).chain(fall_off).collect();
    let series = step.result.as_ref().map(|result| result.series());
    let curve = series.map(|series| Node::Curve(series.bandwidth_bytes_per_s(Direction::Write)));
    std::iter::once(Node::Items(vec![Item::new(step.step.title.clone(), text)])).chain(curve).collect()
}

fn sentence(figures: &StepFigures, writes: &DirectionFigures) -> Message {
    let (written, time) = (Parameter::CapacityBytes(writes.bytes), Parameter::DurationNs(writes.runtime_ns));
    let stall = Parameter::latency_ns(figures.longest_stall_ns as f64);
    match writes.windows.as_ref().filter(|windows| windows.bandwidth_bytes_per_s.n > 1) {
        Some(windows) => {
            let spread = &windows.bandwidth_bytes_per_s;
            message!(
                "sustained.windows",
                written,
                time,
                low = Parameter::bytes_per_s(spread.min),
                high = Parameter::bytes_per_s(spread.max),
                window = Parameter::DurationNs(windows.window_ns),
                deviation = Parameter::bytes_per_s(spread.stdev),
                stall
            )
        }
        None => message!("sustained.whole", written, time, stall),
    }
}

fn fall_off(search: &FallOffSearch) -> Message {
    match &search.found {
        Some(found) => message!(
            "sustained-fall.found",
            written = Parameter::CapacityBytes(found.after_bytes),
            before = Parameter::bytes_per_s(found.before_bytes_per_s),
            after = Parameter::bytes_per_s(found.after_bytes_per_s)
        ),
        None if search.searched_bytes == 0 => message!("sustained-fall.too-short"),
        None => message!("sustained-fall.none", searched = Parameter::CapacityBytes(search.searched_bytes)),
    }
}
