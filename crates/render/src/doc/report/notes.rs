//! Notes for the reader: the Report's notes, and how its steps ended.

use cardiograph_core::report::{Report, StepOutcome, StepResult, StepRole};
use cardiograph_core::text::unique;
use cardiograph_core::{Direction, Message, Parameter, message};

use crate::doc::Node;
use crate::text::layout::Tone;

/// Deviations of an engine are already among the notes.
pub(super) fn section(report: &Report) -> Option<Node> {
    let sizing = report.steps.iter().flat_map(|step| &step.step.sizing).cloned();
    let sizes: Vec<Message> = unique(sizing.chain(ended_by_size(&report.steps)));
    let notes = unique(report.notes.iter().cloned()).into_iter().map(|note| vec![note]);
    let all = notes.chain((!sizes.is_empty()).then_some(sizes));
    let nodes = all.map(|sentences| Node::toned(Tone::Quiet, sentences)).collect();
    Node::section("notes", message!("notes-heading"), nodes)
}

/// The steps that end by time or by size, whichever comes first, and ended by size.
fn ended_by_size(steps: &[StepResult]) -> Option<Message> {
    let ended = steps.iter().filter(|step| {
        step.step.role == StepRole::Measure
            && step.outcome == StepOutcome::Done
            && step.step.write_bytes_max > 0
    });
    let ended = ended.filter_map(|step| {
        let writes = step.figures.as_ref()?.direction(Direction::Write)?;
        let in_time = step.step.time_ns_max.is_some_and(|max_ns| writes.runtime_ns < max_ns);
        (in_time && writes.bytes >= step.step.write_bytes_max).then(|| step.step.test_title().clone())
    });
    let ended: Vec<Message> = unique(ended);
    (!ended.is_empty()).then(|| message!("ended-by-size", tests = Parameter::all(ended)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples;

    #[test]
    fn a_step_that_ended_by_size_is_named() {
        let mut steps = samples::card().steps;
        // The sample's size limit is what each step wrote; most took longer than the time limit set here.
        steps.iter_mut().for_each(|step| step.step.time_ns_max = Some(1));
        assert_eq!(ended_by_size(&steps), None);
        steps.iter_mut().for_each(|step| step.step.time_ns_max = Some(u64::MAX));
        let expected = Parameter::all(steps[4..].iter().map(|step| step.step.title.clone()));
        assert_eq!(ended_by_size(&steps), Some(message!("ended-by-size", tests = expected)));
        steps[4].step.write_bytes_max += 1;
        steps[5].outcome = StepOutcome::Interrupted;
        steps[6].step.time_ns_max = None;
        assert_eq!(ended_by_size(&steps), None);
    }
}
