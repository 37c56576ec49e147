//! The precision reached by steps with a requested precision.

use cardiograph_core::report::Report;
use cardiograph_core::result::{PrecisionEnd, PrecisionOutcome};
use cardiograph_core::{Message, Parameter, message};

use crate::doc::{Item, Node};

/// The precision of each step; `None` if none was requested.
pub(super) fn section(report: &Report) -> Option<Node> {
    let outcomes = report.steps.iter().filter_map(|step| {
        let [outcome] = step.result.as_ref()?.precision[..] else { return None };
        Some((step.step.title.clone(), outcome))
    });
    let outcomes: Vec<(Message, PrecisionOutcome)> = outcomes.collect();
    let wanted = outcomes.first().map(|(_, first)| Parameter::share(first.wanted))?;
    let items = outcomes.into_iter().map(|(title, outcome)| Item::new(title, reached(&outcome)));
    let heading = message!("precision-heading", wanted);
    Node::section("precision", heading, Node::from_items(items.collect()))
}

/// The precision of the rate, and why the step ended.
pub(crate) fn reached(outcome: &PrecisionOutcome) -> Vec<Message> {
    let after = || Parameter::DurationNs(outcome.until_ns);
    let known = match outcome.half_width {
        Some(half_width) => {
            message!("precision-known", share = Parameter::share(half_width), after = after())
        }
        None => message!("precision-not-known", after = after()),
    };
    let is_narrow = outcome.half_width.is_some_and(|known| known <= outcome.wanted);
    let why = match outcome.end {
        PrecisionEnd::Attained => None,
        PrecisionEnd::NotNarrow if is_narrow => Some(message!("precision-end.too-few")),
        PrecisionEnd::NotNarrow => Some(message!("precision-end.not-narrow")),
        PrecisionEnd::NotSettled => Some(message!("precision-end.not-settled")),
        PrecisionEnd::TooShort => Some(message!("precision-end.too-short")),
    };
    std::iter::once(known).chain(why).collect()
}
