//! Steps that did not end as planned.

use cardiograph_core::report::{Report, ReportState, StepOutcome, StepResult};
use cardiograph_core::{Message, message};

use crate::doc::{Item, Node};

/// The unfinished steps, and the consequence for the whole.
pub(super) fn section(report: &Report) -> Option<Node> {
    let nodes = nodes(report, |step| {
        let partly = step.figures.as_ref().is_some_and(|figures| !figures.directions.is_empty());
        partly.then(|| message!("unfinished.partly"))
    });
    Node::section("unfinished", message!("unfinished-heading"), nodes)
}

/// The same for a first glance, which has no figures of unfinished steps.
pub(crate) fn short(report: &Report) -> Vec<Node> {
    nodes(report, |_| None)
}

fn nodes(report: &Report, figures: impl Fn(&StepResult) -> Option<Message>) -> Vec<Node> {
    let item = |step: &StepResult| {
        let ended = ended(&step.outcome)?;
        Some(Item::new(step.step.title.clone(), std::iter::once(ended).chain(figures(step)).collect()))
    };
    let steps: Vec<Item> = report.steps.iter().filter_map(item).collect();
    let whole = match report.state {
        ReportState::Finished => None,
        ReportState::Running => Some(message!("unfinished-whole.running")),
        ReportState::Interrupted => Some(message!("unfinished-whole.interrupted")),
        ReportState::Failed => Some(message!("unfinished-whole.failed")),
    };
    Node::from_items(steps).into_iter().chain(whole.map(Node::paragraph)).collect()
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
