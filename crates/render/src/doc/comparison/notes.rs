//! Why figures are unknown or not judged, and the basis of the judgements.

use cardiograph_core::quantity::{LatencyKind, Quantity, Statistic};
use cardiograph_core::text::unique;
use cardiograph_core::{Message, Parameter, message};
use cardiograph_judge::compare::price::PRICE_TAG;
use cardiograph_judge::compare::{Basis, ComparedGroup, ComparedMetric, Comparison, Reason, known};

use crate::doc::{Item, Node};
use crate::text::layout;

/// Notes, each with the letter that refers to it.
#[derive(Debug, Default)]
pub(super) struct Notes {
    reasons: Vec<(Reason, Vec<Message>)>,
    /// Whether something stands in parentheses.
    pub is_informational: bool,
    /// Whether values have ratios.
    pub has_ratios: bool,
    /// Whether values are marked as the best.
    pub has_best: bool,
}

impl Notes {
    /// The letter for a group's value and the base's; `None` if there is nothing to note.
    pub(super) fn mark(
        &mut self,
        comparison: &Comparison,
        metric: &ComparedMetric,
        group: usize,
    ) -> Option<String> {
        let reason = metric.against[group].as_ref()?.reason?;
        // Figures that are never judged stand in parentheses, unclear differences and methods say so in their row, and
        // that runs may differ more than their windows is said once for all. The others have a note.
        if !matches!(reason, Reason::Doubt | Reason::Durations) {
            return None;
        }
        let doubt = |place: usize| Some(metric.values[place].as_ref()?.doubt.as_ref()?.message());
        // Both sides often have the same doubt.
        let doubts = unique([comparison.base, group].into_iter().filter_map(doubt));
        let note = (reason, if reason == Reason::Doubt { doubts } else { Vec::new() });
        let place = self.reasons.iter().position(|known| *known == note).unwrap_or_else(|| {
            self.reasons.push(note);
            self.reasons.len() - 1
        });
        Some(layout::mark(place))
    }

    /// The notes with their letters, and if it is the `whole` comparison how it was judged.
    pub(super) fn nodes(self, comparison: &Comparison, names: &[String], is_whole: bool) -> Vec<Node> {
        let item = |(place, (reason, doubts)): (usize, (Reason, Vec<Message>))| {
            let sentence = sentence(reason, doubts)?;
            Some(Item::new(Message::verbatim(format!("[{}]", layout::mark(place))), vec![sentence]))
        };
        let items: Vec<Item> = self.reasons.into_iter().enumerate().filter_map(item).collect();
        let mut notes = Vec::new();
        notes.extend(self.has_best.then(|| message!("comparison-note.best")));
        let base = &names[comparison.base];
        notes.extend(self.has_ratios.then(|| message!("comparison-note.ratios", base)));
        notes.extend(self.is_informational.then(|| message!("comparison-note.informational")));
        let groups = || names.iter().zip(&comparison.groups);
        notes.extend(groups().filter_map(|(name, group)| mixed_drives(name, group)));
        notes.extend(groups().filter_map(|(name, group)| mixed_prices(name, group)));
        if is_whole {
            notes.extend(assumed(comparison));
            notes.extend(not_converted(comparison));
        }
        if is_whole && comparison.judged_together > 1 {
            notes.push(message!("comparison-note.judged-together", count = comparison.judged_together));
        }
        let items = (!items.is_empty()).then_some(Node::Items(items));
        items.into_iter().chain(notes.into_iter().map(Node::paragraph)).collect()
    }
}

/// Notes that a group's figures are means over different drives: no drive has such a figure.
fn mixed_drives(name: &str, group: &ComparedGroup) -> Option<Message> {
    // Drives without a known model are not known to be the same.
    let models = unique(group.runs.iter().map(|run| run.models.as_str().to_string())).len();
    (models > 1).then(|| message!("comparison-note.several-drives", group = name, models))
}

/// Notes that a group has no price because its runs have several.
fn mixed_prices(name: &str, group: &ComparedGroup) -> Option<Message> {
    let prices = unique(group.runs.iter().filter_map(|run| run.tags.get(PRICE_TAG)).map(str::to_string));
    let sentence =
        || message!("comparison-note.several-prices", group = name, prices = Parameter::all(&prices));
    (prices.len() > 1 && group.price.is_none()).then(sentence)
}

/// Notes that currencies are not converted.
fn not_converted(comparison: &Comparison) -> Option<Message> {
    let prices = comparison.groups.iter().filter_map(|group| group.price.as_ref());
    let currencies = unique(prices.map(|price| price.currency.clone()));
    let all = Parameter::all(&currencies);
    (currencies.len() > 1).then(|| match &comparison.price_currency {
        Some(one) => message!("comparison-note.some-currencies", currencies = all, currency = one),
        None => message!("comparison-note.currencies", currencies = all),
    })
}

fn sentence(reason: Reason, doubts: Vec<Message>) -> Option<Message> {
    Some(match reason {
        Reason::Doubt => message!("comparison-note.doubt", doubts = Parameter::all(doubts)),
        Reason::Durations => message!("comparison-note.durations"),
        _ => return None,
    })
}

/// The spread between runs that is assumed where each side has a single one.
fn assumed(comparison: &Comparison) -> Option<Message> {
    let metrics = comparison.tests.iter().flat_map(|test| &test.metrics);
    let mut bases = metrics.flat_map(|metric| metric.against.iter().flatten()).map(|one| one.basis);
    let tail = Quantity::Latency(LatencyKind::Total, Statistic::Percentile(99.0));
    let spread = |quantity| Parameter::share(known::assumed_spread(quantity));
    let sentence =
        || message!("comparison-basis.assumed", rate = spread(Quantity::Iops), tail = spread(tail));
    bases.any(|basis| basis == Some(Basis::WithinRun)).then(sentence)
}
