//! Measurement warnings: problems that are present, and those ruled out.

use cardiograph_core::drive::Passport;
use cardiograph_core::report::Report;
use cardiograph_core::trust::{TrapCheck, TrapOutcome, Warning, Weight};
use cardiograph_core::{Message, message};

use crate::doc::{Doc, Item, Node};
use crate::text::layout::Tone;

const ID: &str = "warnings";

/// The warnings of a passport.
pub fn passport_warnings(passport: &Passport) -> Doc {
    Doc::untitled(Node::section(ID, message!("traps-heading"), nodes(&passport.traps)).into_iter().collect())
}

/// The problems present, weightiest first. Those that matter only for comparisons are shown without their
/// meaning. `None` if there are none.
pub(super) fn section(report: &Report) -> Option<Node> {
    Node::section(ID, message!("traps-heading"), nodes(&report.traps))
}

/// The same with all checks.
pub(super) fn section_with_checks(report: &Report) -> Option<Node> {
    let mut nodes = nodes(&report.traps);
    if nodes.is_empty() && !report.traps.is_empty() {
        nodes.push(Node::paragraph(tally(&report.traps)));
    }
    nodes.extend(checks(report));
    Node::section(ID, message!("traps-heading"), nodes)
}

fn nodes(traps: &[TrapCheck]) -> Vec<Node> {
    let (notes, others): (Vec<&Warning>, Vec<&Warning>) =
        present(traps).into_iter().partition(|warning| warning.weight == Weight::Note);
    let mut items: Vec<Item> = others.into_iter().map(item).collect();
    if let Some(first) = notes.first() {
        let seen = notes.iter().flat_map(|warning| warning.seen.clone()).collect();
        items.push(Item { text: seen, ..item(first) });
    }
    if items.is_empty() {
        return Vec::new();
    }
    vec![Node::Items(items), Node::toned(Tone::Quiet, tally(traps))]
}

/// The results of all checks; `None` if there were none.
pub(crate) fn checks(report: &Report) -> Option<Node> {
    let nodes = Node::from_items(report.traps.iter().map(check).collect());
    let tally = (!nodes.is_empty()).then(|| Node::toned(Tone::Quiet, tally(&report.traps)));
    let nodes = tally.into_iter().chain(nodes).collect();
    Node::folded("checks", message!("traps-all-heading"), nodes)
}

fn check(check: &TrapCheck) -> Item {
    match &check.outcome {
        TrapOutcome::Present(warning) => item(warning),
        TrapOutcome::Absent => Item::new(message!("trap-word.absent"), vec![check.title.clone()]),
        TrapOutcome::NotSeen { why } => {
            let text = message!("traps-not-seen", title = check.title.clone(), why = why.clone());
            Item::new(message!("trap-word.unknown"), vec![text])
        }
    }
}

/// The problems present, weightiest first.
pub(crate) fn present(traps: &[TrapCheck]) -> Vec<&Warning> {
    let mut warnings: Vec<&Warning> = traps.iter().filter_map(|check| check.outcome.warning()).collect();
    warnings.sort_by_key(|warning| std::cmp::Reverse(warning.weight));
    warnings
}

fn item(warning: &Warning) -> Item {
    let (label, tone) = word(warning.weight);
    let text = warning.seen.iter().chain(&warning.meaning).cloned().collect();
    Item { tone: Some(tone), ..Item::new(label, text) }
}

/// The word for the weight of a problem.
pub(crate) fn word(weight: Weight) -> (Message, Tone) {
    match weight {
        Weight::Spoils => (message!("trap-word.spoils"), Tone::Bad),
        Weight::Caution => (message!("trap-word.caution"), Tone::Fair),
        Weight::Note => (message!("trap-word.note"), Tone::Quiet),
    }
}

/// The numbers of problems ruled out and not checked.
fn tally(traps: &[TrapCheck]) -> Message {
    let absent = traps.iter().filter(|check| check.outcome == TrapOutcome::Absent).count();
    let unknown = traps.iter().filter(|check| matches!(check.outcome, TrapOutcome::NotSeen { .. })).count();
    match traps.iter().any(|check| check.outcome.warning().is_some()) {
        true => message!("traps-rest", absent, unknown),
        false => message!("traps-none", absent, unknown),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(outcome: TrapOutcome) -> TrapCheck {
        TrapCheck { trap: "one".to_string(), title: Message::verbatim("What is looked for"), outcome }
    }

    #[test]
    fn the_weightiest_problem_comes_first() {
        let warning = |new: fn(Message, Message) -> Warning, seen, meaning| {
            check(TrapOutcome::Present(new(Message::verbatim(seen), Message::verbatim(meaning))))
        };
        let traps = [
            warning(Warning::note, "vda turns.", "It does not."),
            warning(Warning::caution, "vda is virtual.", "The host answers."),
            check(TrapOutcome::Absent),
            warning(Warning::spoils, "30 % reached the drive.", "A cache answered."),
            warning(Warning::note, "vda has a cache.", "It forgets."),
            check(TrapOutcome::not_seen(Message::verbatim("It needs root."))),
        ];
        let entry = |weight, text: [&str; 2]| {
            let (label, tone) = word(weight);
            Item { tone: Some(tone), ..Item::new(label, text.map(Message::verbatim).to_vec()) }
        };
        let items = vec![
            entry(Weight::Spoils, ["30 % reached the drive.", "A cache answered."]),
            entry(Weight::Caution, ["vda is virtual.", "The host answers."]),
            entry(Weight::Note, ["vda turns.", "vda has a cache."]),
        ];
        let rest = message!("traps-rest", absent = 1u64, unknown = 1u64);
        assert_eq!(nodes(&traps), [Node::Items(items), Node::toned(Tone::Quiet, rest)]);
        assert_eq!(nodes(&[check(TrapOutcome::Absent)]), []);
    }

    #[test]
    fn all_checks_are_listed_on_request() {
        let why = Message::verbatim("It needs root.");
        let looked_for = Message::verbatim("What is looked for");
        let unknown = message!("traps-not-seen", title = looked_for.clone(), why = why.clone());
        let shown = |outcome| super::check(&check(outcome));
        assert_eq!(shown(TrapOutcome::Absent), Item::new(message!("trap-word.absent"), vec![looked_for]));
        let item = Item::new(message!("trap-word.unknown"), vec![unknown]);
        assert_eq!(shown(TrapOutcome::not_seen(why)), item);
    }
}
