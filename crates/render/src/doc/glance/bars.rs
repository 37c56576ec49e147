//! A row for each test: the figure that people quote, how much of what is asked of drives it is, and its tail.

use cardiograph_core::app::{AppPart, AppResult};
use cardiograph_core::figures::{STALL_NS, StepFigures};
use cardiograph_core::quantity::{Quantity, Statistic};
use cardiograph_core::report::{StepOutcome, StepResult, StepRole};
use cardiograph_core::{Direction, Doubt, Message, NS_PER_S, Parameter, message};
use cardiograph_judge::by_method;
use cardiograph_judge::purposes::most_asked;
use cardiograph_judge::record::tries::together;
use cardiograph_judge::record::{TestFigures, tests_of};
use cardiograph_judge::standing::is_steady;
use serde::{Deserialize, Serialize};

use crate::doc::details::apps;
use crate::doc::report::figures::{cell, direction_name, directions, rate_quantity};
use crate::doc::{Cell, words};
use crate::method;

/// Windows from which a speed is called steady.
const STEADY_WINDOWS: u64 = 5;

/// A test in a row.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Bar {
    /// The test.
    pub name: Message,
    /// The figure that people quote, or what became of the test.
    pub value: Message,
    /// Whether the value is a figure.
    pub is_figure: bool,
    /// The share of what the most demanding purpose asks of a drive; `None` if no purpose asks for the figure.
    pub share: Option<f64>,
    /// Its tail latency, or how steady it was.
    pub note: Option<Message>,
}

impl Bar {
    fn word(name: Message, value: Message) -> Self {
        Self { name, value, is_figure: false, share: None, note: None }
    }
}

/// The rows of a step: one for each direction of reads and writes, or for each part of an application.
pub fn bars_of(step: &StepResult) -> Vec<Bar> {
    let word = |value| vec![Bar::word(step.step.title.clone(), value)];
    match &step.outcome {
        StepOutcome::Done => {}
        StepOutcome::Interrupted => return word(message!("step-line.interrupted")),
        // The reason is below the rows, where there is room for it.
        StepOutcome::Failed { .. } => return word(message!("step-line.failed")),
        StepOutcome::Hung => return word(message!("step-line.hung")),
    }
    match (&step.figures, &step.app, &step.imported) {
        (Some(figures), ..) if step.step.role == StepRole::Prepare => vec![prepared(step, figures)],
        (Some(_), ..) | (.., Some(_)) => tests_of(step).first().map_or_else(
            || word(message!("step-line.no-io")),
            |test| {
                // The title of a first try says more than is needed here, such as that each write is followed by a sync.
                let title = if step.step.try_of.is_none() { &test.title } else { &step.step.title };
                measured(title, test, Some(step))
            },
        ),
        (None, Some(app), _) => application(step, app),
        (None, None, None) => word(message!("step-line.done")),
    }
}

/// The rows of a test with the means of all its tries.
pub(super) fn bars_of_tries(tries: &[&StepResult]) -> Vec<Bar> {
    let tests =
        |step: &&StepResult| if step.outcome == StepOutcome::Done { tests_of(step) } else { Vec::new() };
    match (tries, together(tries.iter().flat_map(tests).collect()).first()) {
        ([_, _, ..], Some(test)) => measured(&test.title, test, None),
        _ => tries.iter().flat_map(|step| bars_of(step)).collect(),
    }
}

/// Preparation is described by its size and time: its speed is not the drive's.
fn prepared(step: &StepResult, figures: &StepFigures) -> Bar {
    let bytes = figures.directions.iter().map(|direction| direction.bytes).fold(0, u64::saturating_add);
    let runtime_ns = figures.directions.iter().map(|direction| direction.runtime_ns).max().unwrap_or(0);
    let time = message!("step-line.prepared", time = Parameter::latency_ns(runtime_ns as f64));
    let value = Message::quantity(Parameter::Bytes(bytes));
    Bar { is_figure: true, note: Some(time), ..Bar::word(step.step.title.clone(), value) }
}

/// A test under a title, with its step if it is one.
fn measured(title: &Message, test: &TestFigures, step: Option<&StepResult>) -> Vec<Bar> {
    if let Some(withheld) = withheld(test.doubts().into_iter()) {
        return vec![Bar::word(title.clone(), withheld)];
    }
    let all = directions(test);
    let rates =
        all.iter().filter(|direction| **direction != Some(Direction::Sync)).filter_map(|&direction| {
            let quantity = rate_quantity(test, direction);
            let Cell::Value(value) = cell(test, direction, quantity) else { return None };
            Some((direction, quantity, value))
        });
    let rates: Vec<_> = rates.collect();
    if rates.is_empty() {
        let word = match step.and_then(|step| step.imported.as_ref()) {
            Some(_) => message!("step-line.no-rate"),
            None => message!("step-line.no-io"),
        };
        return vec![Bar::word(title.clone(), word)];
    }
    let is_only = rates.len() == 1;
    let bar = |(direction, quantity, value): (Option<Direction>, Quantity, Parameter)| {
        let part = direction_name(direction);
        let name = match is_only {
            true => title.clone(),
            false => message!("test-part", test = title.clone(), part),
        };
        let figure = test.figure(direction, quantity);
        let is_doubtful = figure.is_some_and(|figure| figure.doubt.is_some());
        let is_vague = figure.is_some_and(|figure| figure.estimate.is_vague());
        let doubtful = is_doubtful.then(|| message!("glance-tail.doubtful"));
        let note = doubtful
            .or_else(|| sustained(step?, test, direction, &value))
            .or_else(|| is_vague.then(|| message!("glance-tail.vague")))
            .or_else(|| tail(test, direction, is_only));
        let share = share(test, direction, quantity);
        Bar { name, value: Message::quantity(value), is_figure: true, share, note }
    };
    rates.into_iter().map(bar).collect()
}

/// The share of what the most demanding purpose asks.
fn share(test: &TestFigures, direction: Option<Direction>, quantity: Quantity) -> Option<f64> {
    let value = test.figure(direction, quantity)?.estimate.value;
    let is_it = |metric: &_| {
        by_method::figure_of(*metric)
            .is_some_and(|(known, figure)| Some(known) == direction && figure == quantity)
    };
    let asked = by_method::metrics_of(test).filter(is_it).filter_map(most_asked);
    let asked = asked.fold(None, |most: Option<f64>, asked| Some(most.map_or(asked, |most| most.max(asked))));
    asked.map(|asked| (value / asked).min(1.0))
}

/// The tail of the latency: that of syncs, if each write was followed by one.
fn tail(test: &TestFigures, direction: Option<Direction>, is_only: bool) -> Option<Message> {
    let sync = Some(Direction::Sync);
    let is_synced = is_only && directions(test).contains(&sync);
    let direction = if is_synced { sync } else { direction };
    let kind = method::latency_kind(&test.figures, direction);
    let latency = Quantity::Latency(kind, Statistic::Percentile(99.0));
    let Cell::Value(p99) = cell(test, direction, latency) else { return None };
    Some(if is_synced { message!("glance-tail.sync", p99) } else { message!("glance-tail", p99) })
}

/// How steady writing in large blocks was, in the unit of the row's value. A speed that rests on a few windows is not called
/// steady.
fn sustained(
    step: &StepResult,
    test: &TestFigures,
    direction: Option<Direction>,
    value: &Parameter,
) -> Option<Message> {
    let figures = step.figures.as_ref().filter(|_| direction == Some(Direction::Write))?;
    let writes = figures.direction(Direction::Write)?;
    let stall = Parameter::latency_ns(figures.longest_stall_ns as f64);
    let search = figures.fall_off.as_ref()?;
    let is_large = writes.ios > 0 && writes.bytes / writes.ios >= method::LONG_IO_BYTES;
    if let Some(fall) = &search.found {
        let speed = match value {
            Parameter::Iops(_) => {
                Parameter::iops(fall.after_bytes_per_s * writes.ios as f64 / writes.bytes as f64)
            }
            _ => Parameter::bytes_per_s(fall.after_bytes_per_s),
        };
        return Some(message!("glance-sustained.fell", speed));
    }
    let spread = writes.windows.as_ref().filter(|_| is_large).map(|windows| &windows.bandwidth_bytes_per_s);
    // As long as the drive writes what is in flight, nothing completes.
    let method = &test.method;
    let in_flight_bytes =
        method.depth.unwrap_or(1) * method.jobs.unwrap_or(1) * method.block_bytes.unwrap_or(0);
    let in_flight_ns = in_flight_bytes as f64 / writes.bandwidth_bytes_per_s.value * NS_PER_S as f64;
    let is_stalled = figures.longest_stall_ns >= STALL_NS || spread.is_some_and(|spread| spread.min == 0.0);
    if is_stalled {
        let is_long = figures.longest_stall_ns as f64 > 2.0 * in_flight_ns;
        return is_long.then(|| message!("glance-sustained.stall", time = stall));
    }
    let spread = spread?;
    if spread.n < STEADY_WINDOWS {
        return None;
    }
    Some(match is_steady(spread) {
        true => message!("glance-sustained.steady", written = Parameter::CapacityBytes(writes.bytes)),
        false => message!(
            "glance-sustained.varies",
            low = Parameter::bytes_per_s(spread.min),
            high = Parameter::bytes_per_s(spread.max)
        ),
    })
}

/// Why figures are withheld, in a few words.
fn withheld<'d>(mut doubts: impl Iterator<Item = &'d Doubt>) -> Option<Message> {
    let why = match doubts.find(|doubt| doubt.withholds())? {
        Doubt::Contradicted { share } => {
            message!("step-line-why.contradicted", share = Parameter::share(*share))
        }
        Doubt::Paused { paused_ns, .. } => {
            message!("step-line-why.paused", time = words::seconds(*paused_ns))
        }
        Doubt::AboveLink => message!("step-line-why.above-link"),
        other => other.message(),
    };
    Some(message!("step-line.withheld", why))
}

fn application(step: &StepResult, app: &AppResult) -> Vec<Bar> {
    let title = &step.step.title;
    let doubts = app.parts.iter().filter_map(|part| step.doubt(part.direction));
    if let Some(withheld) = withheld(doubts) {
        return vec![Bar::word(title.clone(), withheld)];
    }
    let parts: Vec<&AppPart> = app.parts.iter().filter(|part| part.operations > 0).collect();
    let bar = |part: &&AppPart| {
        let (operations, bytes) = (part.operations_per_s().value, part.bandwidth_bytes_per_s().value);
        let name = match parts.len() {
            1 => title.clone(),
            _ => message!("test-part", test = title.clone(), part = words::app_part(&part.id)),
        };
        let value = apps::rate(part.operation, operations, bytes);
        Bar {
            is_figure: true,
            note: Some(apps::recording_outcome(&step.step, part)),
            ..Bar::word(name, value)
        }
    };
    match parts.is_empty() {
        true => vec![Bar::word(title.clone(), message!("step-line.nothing"))],
        false => parts.iter().map(bar).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_queue_that_drains_is_no_stall() {
        let report = crate::samples::card();
        let is_sustained =
            |step: &&StepResult| step.figures.as_ref().is_some_and(|figures| figures.fall_off.is_some());
        let sample = report.steps.iter().find(is_sustained).unwrap();
        // In flight at 33 MB/s: a block of 1 MiB, and 16 jobs of 32 MiB, which take 16 s.
        for (block_bytes, jobs, stall_s, expected) in [
            (1 << 20, 1, 0.4, "glance-sustained.steady"),
            (1 << 20, 1, 0.6, "glance-sustained.stall"),
            (32 << 20, 16, 17.0, ""),
            (32 << 20, 16, 40.0, "glance-sustained.stall"),
        ] {
            let mut step = sample.clone();
            step.figures.as_mut().unwrap().longest_stall_ns = (stall_s * NS_PER_S as f64) as u64;
            let mut test = tests_of(&step).remove(0);
            (test.method.block_bytes, test.method.jobs, test.method.depth) =
                (Some(block_bytes), Some(jobs), Some(1));
            let value = Parameter::bytes_per_s(33e6);
            let said = sustained(&step, &test, Some(Direction::Write), &value);
            assert_eq!(said.as_ref().map_or("", Message::id), expected, "{block_bytes} {jobs} {stall_s}");
        }
    }
}
