//! All figures of each step, and the full evidence of verdicts and warnings.

pub(crate) mod apps;
mod direction;
mod health_change;
mod imported;
mod latency;
mod run;

use cardiograph_core::report::{Report, StepOutcome, StepResult, StepRole};
use cardiograph_core::{Message, message};

use super::report::{checks, unfinished, verdicts};
use super::{Doc, Drawing, Node, Picture};
use crate::plot::Kind;
use crate::text::layout::Tone;

/// Reports with more steps have no pictures: nobody looks at hundreds, and the file would be large.
const PICTURES_STEPS_MAX: usize = 16;

/// Each step with all its figures, the drives' own counters, all limits of the verdicts and all checks.
pub fn details(report: &Report) -> Doc {
    let step = |step: &StepResult| {
        let heading = message!("details-step", title = step.step.title.clone(), id = &step.step.id);
        let commands = (!step.fio_commands.is_empty()).then(|| Node::Commands(step.fio_commands.clone()));
        Node::section("step", heading, commands.into_iter().chain(figures(step)).collect())
    };
    let steps = report.steps.iter().filter_map(step);
    let nodes =
        steps.chain(health_change::section(report)).chain(verdicts::limits(report)).chain(checks(report));
    Doc::untitled(nodes.collect())
}

/// The steps as a section of a page, with folded figures, and changes of the drives' own counters.
pub(super) fn section(report: &Report) -> Option<Node> {
    let measured = report.steps.iter().filter(|step| step.step.role == StepRole::Measure).count();
    let has_pictures = measured <= PICTURES_STEPS_MAX;
    let hint = (!has_pictures).then(|| Node::toned(Tone::Quiet, message!("details-pictures")));
    let steps = report.steps.iter().enumerate().filter_map(|(at, step)| {
        let nodes = page_nodes(step, has_pictures.then_some(at));
        Node::section("step", step.step.title.clone(), nodes)
    });
    let nodes = hint.into_iter().chain(steps).chain(health_change::section(report)).collect();
    Node::section("steps", message!("details-heading"), nodes)
}

fn page_nodes(step: &StepResult, pictured: Option<usize>) -> Vec<Node> {
    let is_measured = step.step.role == StepRole::Measure;
    let prepares = (!is_measured).then(|| message!("details-prepares"));
    let id = std::iter::once(Message::verbatim(&step.step.id)).chain(prepares);
    let mut nodes = vec![Node::toned(Tone::Quiet, Message::joined(id))];
    let tone = if step.outcome == StepOutcome::Interrupted { Tone::Fair } else { Tone::Bad };
    nodes.extend(unfinished::ended(&step.outcome).map(|ended| Node::toned(tone, ended)));
    if let Some(at) = pictured.filter(|_| is_measured) {
        nodes.push(Node::Pictures(pictures(at)));
    }
    nodes.extend(Node::folded("figures", message!("details-figures"), figures(step)));
    if !step.fio_commands.is_empty() {
        nodes.push(Node::paragraph(message!("details-commands")));
        nodes.push(Node::Commands(step.fio_commands.clone()));
    }
    nodes
}

fn pictures(at: usize) -> Vec<Picture> {
    let picture = |caption, kind| Picture { caption, drawing: Drawing::Step(at, kind) };
    vec![
        picture(message!("picture-over-time"), Kind::OverTime),
        picture(message!("picture-percentiles"), Kind::Percentiles),
        picture(message!("picture-distribution"), Kind::Distribution),
        picture(message!("picture-latency-over-time"), Kind::LatencyOverTime),
    ]
}

/// All figures of a step, and how it ran.
fn figures(step: &StepResult) -> Vec<Node> {
    let measured = step.figures.iter().flat_map(|figures| direction::nodes(step, figures));
    let app = step.app.iter().flat_map(apps::nodes);
    let imported = step.imported.iter().flat_map(imported::nodes);
    measured.chain(app).chain(imported).chain(Node::from_facts(run::facts(step))).collect()
}
