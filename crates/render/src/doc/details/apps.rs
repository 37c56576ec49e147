//! Results of real applications, in their users' units.

use cardiograph_core::app::{AppPart, AppResult, CamerasOutcome, Operation};
use cardiograph_core::figures::LatencyFigures;
use cardiograph_core::quantity::LatencyKind;
use cardiograph_core::report::Step;
use cardiograph_core::{Message, Parameter, message};

use super::{direction, latency};
use crate::doc::words;
use crate::doc::{Fact, Node};

/// Operations per second, in their users' terms: `240 commits/s`. Cameras' recordings are counted in bytes.
pub(crate) fn rate(operation: Operation, per_second: f64, bytes_per_s: f64) -> Message {
    let rate = Parameter::number(per_second);
    match operation {
        Operation::Commit => message!("operation-rate.commits", rate),
        Operation::File => message!("operation-rate.files", rate),
        Operation::Line => message!("operation-rate.lines", rate),
        Operation::Photo => message!("operation-rate.photos", rate),
        Operation::Second => Message::quantity(Parameter::bytes_per_s(bytes_per_s)),
    }
}

/// Whether a recording kept up.
pub(crate) fn recording_outcome(step: &Step, part: &AppPart) -> Message {
    match (part.operation, step.cameras(part)) {
        (Operation::Second, Some(CamerasOutcome::Late)) => message!("step-line.late"),
        (Operation::Second, Some(CamerasOutcome::Behind { share })) => {
            let percent = Parameter::share((share * 100.0).floor() / 100.0);
            message!("step-line.behind", share = percent)
        }
        (Operation::Second, _) => {
            message!("step-line.latest", time = Parameter::latency_ns(part.latency.max_ns() as f64))
        }
        _ => message!("step-line.pause", time = Parameter::latency_ns(part.longest_pause_ns as f64)),
    }
}

/// All figures of an application.
pub(super) fn nodes(app: &AppResult) -> Vec<Node> {
    let parts = app.parts.iter().flat_map(|part| {
        let table = LatencyFigures::from_latency(&part.latency);
        let name = operation(part.operation);
        let table = table.and_then(|figures| {
            let (direction, kind) = (part.direction, LatencyKind::Total);
            latency::table(None, &[latency::Column { name, direction, kind, figures: &figures }])
        });
        std::iter::once(Node::Facts(facts(part))).chain(table)
    });
    let library = app.library.as_ref().map(Message::verbatim);
    let library = library.map(|library| Fact::new(message!("details-label.library"), library));
    parts.chain(Node::from_facts(library.into_iter().collect())).collect()
}

fn facts(part: &AppPart) -> Vec<Fact> {
    let time = Parameter::latency_ns(part.duration_ns as f64);
    let done = message!("operation-moved", bytes = Parameter::Bytes(part.bytes), time);
    let per_second = |rate| message!("per-second", count = Parameter::number(rate)).into();
    let rates = direction::estimate(&part.operations_per_s(), per_second);
    let speed = direction::estimate(&part.bandwidth_bytes_per_s(), Parameter::bytes_per_s);
    let pause = Message::quantity(Parameter::latency_ns(part.longest_pause_ns as f64));
    let late = (part.late > 0)
        .then(|| Fact::new(message!("details-label.late"), Message::quantity(part.late.into())));
    let facts = [
        Fact::from_phrases(words::app_part(&part.id), [counted(part), done]),
        Fact::from_phrases(message!("details-label.rate"), rates),
        Fact::from_phrases(message!("details-label.bandwidth"), speed),
        Some(Fact::new(message!("details-label.pause"), pause)),
        late,
    ];
    facts.into_iter().flatten().collect()
}

fn counted(part: &AppPart) -> Message {
    let count = part.operations;
    match part.operation {
        Operation::Commit => message!("operations.commits", count),
        Operation::File => message!("operations.files", count),
        Operation::Line => message!("operations.lines", count),
        Operation::Photo => message!("operations.photos", count),
        Operation::Second => message!("operations.seconds", count),
    }
}

fn operation(operation: Operation) -> Message {
    match operation {
        Operation::Commit => message!("operation.commit"),
        Operation::File => message!("operation.file"),
        Operation::Line => message!("operation.line"),
        Operation::Photo => message!("operation.photo"),
        Operation::Second => message!("operation.second"),
    }
}
