//! How a step ran: its bounds, the kernel's counters, engine and clock.

use cardiograph_core::pause;
use cardiograph_core::report::StepResult;
use cardiograph_core::result::{PrecisionOutcome, RunResult};
use cardiograph_core::text::unique;
use cardiograph_core::words::engine::engine_note;
use cardiograph_core::{Message, Parameter, message};
use cardiograph_judge::record::tests_of;

use crate::doc::report::precision;
use crate::doc::{Fact, words};
use crate::method;

/// All facts on how it ran.
pub(super) fn facts(step: &StepResult) -> Vec<Fact> {
    let bounds = bounds(step).map(|bounds| Fact::new(message!("details-label.bounds"), bounds));
    let sized = step.step.sizing.iter().map(|why| Fact::new(message!("details-label.sized"), why.clone()));
    let pauses =
        pause::message(step.pauses()).map(|paused| Fact::new(message!("details-label.paused"), paused));
    let counted = step.device_counters.as_ref().map(|counters| {
        let moved = |bytes| Parameter::Bytes(bytes);
        let value = vec![
            message!("kernel-reads", ios = counters.read_ios, bytes = moved(counters.read_bytes)),
            message!("kernel-writes", ios = counters.write_ios, bytes = moved(counters.write_bytes)),
            message!("kernel-flushes", flushes = counters.flush_ios),
        ];
        Fact::from_phrases(message!("details-label.counted"), value)
    });
    let ran = step.result.iter().flat_map(engine_facts);
    let method = tests_of(step)
        .first()
        .and_then(|test| Fact::from_phrases(message!("details-label.method"), method::title(&test.method)));
    method.into_iter().chain(bounds).chain(sized).chain(pauses).chain(counted.flatten()).chain(ran).collect()
}

fn engine_facts(result: &RunResult) -> Vec<Fact> {
    let engines = unique(result.workers.iter().map(|worker| worker.engine.clone()));
    let engine = Fact::from_phrases(message!("details-label.engine"), words::names(&engines));
    let clock = Fact::from_phrases(message!("details-label.clock"), words::clock(&result.clock));
    let precision = |outcome: &PrecisionOutcome| {
        let wanted = message!("precision-wanted", wanted = Parameter::share(outcome.wanted));
        let all = std::iter::once(wanted).chain(precision::reached(outcome)).collect();
        Fact::new(message!("details-label.precision"), Message::quantity(Parameter::Sentences(all)))
    };
    let notes = result.notes.iter().map(|note| Fact::new(message!("details-label.note"), engine_note(note)));
    engine.into_iter().chain(clock).chain(result.precision.iter().map(precision)).chain(notes).collect()
}

/// The bounds of a step: the first one reached ends it.
fn bounds(step: &StepResult) -> Option<Message> {
    let time = step.step.time_ns_max.map(Parameter::DurationNs);
    let written = Some(step.step.write_bytes_max).filter(|&bytes| bytes > 0).map(Parameter::Bytes);
    match (time, written) {
        (Some(time), Some(written)) => Some(message!("details-bounds", time, written)),
        (Some(time), None) => Some(Message::quantity(time)),
        (None, Some(written)) => Some(message!("details-bounds.written", written)),
        (None, None) => None,
    }
}
