//! Steps that did not end as planned.

use cardiograph_core::report::{Report, ReportState, StepOutcome, StepResult};
use cardiograph_core::{Message, message};

use crate::doc::{Item, Node};

/// The unfinished steps, and the consequence for the whole.
pub(super) fn section(report: &Report) -> Option<Node> {
    let steps: Vec<Item> = report.steps.iter().filter_map(step_item).collect();
    let whole = match report.state {
        ReportState::Finished => None,
        ReportState::Running => Some(message!("unfinished-whole.running")),
        ReportState::Interrupted => Some(message!("unfinished-whole.interrupted")),
        ReportState::Failed => Some(message!("unfinished-whole.failed")),
    };
    let nodes = Node::from_items(steps).into_iter().chain(whole.map(Node::paragraph)).collect();
    Node::section("unfinished", message!("unfinished-heading"), nodes)
}

/// The same without a heading.
pub(crate) fn short(report: &Report) -> Vec<Node> {
    match section(report) {
        Some(Node::Section(section)) => section.nodes,
        _ => Vec::new(),
    }
}

fn step_item(step: &StepResult) -> Option<Item> {
    let ended = ended(&step.outcome)?;
    let partly = step.figures.as_ref().is_some_and(|figures| !figures.directions.is_empty());
    let partly = partly.then(|| message!("unfinished.partly"));
    Some(Item::new(step.step.title.clone(), std::iter::once(ended).chain(partly).collect()))
}

/// The end of a step, unless it was as planned.
pub(crate) fn ended(outcome: &StepOutcome) -> Option<Message> {
    match outcome {
        StepOutcome::Done => None,
        StepOutcome::Interrupted => Some(message!("unfinished.interrupted")),
        StepOutcome::Failed { message } => Some(message!("unfinished.failed", error = message.clone())),
        StepOutcome::Hung => Some(message!("unfinished.hung")),
    }
}
