//! Text for a terminal.
//!
//! In order of appearance: [`header`] before anything is written, [`step`] after each step, [`report`]
//! at the end, and [`details`] for all figures. The text is aligned with spaces, needs no colour and fits
//! into 80 columns; narrow tables omit columns. [`report`] is short and says each thing once; the rest is in
//! [`details`].
//!
//! Two rules keep it truthful. A figure that depends more on chance than on the drive (a percentile with too
//! few samples above it) is withheld as `-`. So is a figure that the kernel's counters contradict, and both
//! counts are given.

mod imported;
pub(crate) mod layout;
mod title;

use cardiograph_core::app::Operation;
use cardiograph_core::report::{Report, StepResult};

use crate::doc::{self, Additions, Doc, Node};
use crate::lang::Lang;

pub use crate::doc::{HeaderFacts, Writes};
pub use imported::imported;
pub use layout::{Style, Tone, cut, hanging, width};
pub use title::title_within;

pub(crate) use layout::{broken, plain, said};

/// The subject of the measurement, its means and its cost: shown before anything is written.
pub fn header(report: &Report, facts: &HeaderFacts, lang: Lang, style: &Style) -> String {
    render(&doc::header(report, facts), lang, style)
}

/// What is measured and its cost, in two lines: shown before anything is written.
pub fn announcement(report: &Report, facts: &HeaderFacts, lang: Lang, style: &Style) -> String {
    render(&doc::announcement(report, facts), lang, style)
}

/// A finished step, in a row for each of its figures.
pub fn step(step: &StepResult, lang: Lang, style: &Style) -> String {
    render(&Doc::untitled(Node::from_bars(doc::bars_of(step))), lang, style)
}

/// The answer of a checkup whose rows were shown. Remarks follow them at once, anything else after a blank line.
pub fn ending(report: &Report, additions: &Additions, lang: Lang, style: &Style) -> String {
    let doc = doc::ending(report, additions);
    let gap = if matches!(doc.nodes.first(), Some(Node::Items(_))) { "" } else { "\n" };
    format!("{gap}{}", render(&doc, lang, style))
}

/// A saved checkup at a glance.
pub fn glance(report: &Report, additions: &Additions, lang: Lang, style: &Style) -> String {
    render(&doc::glance(report, additions), lang, style)
}

/// A finished checkup in full.
pub fn report(report: &Report, lang: Lang, style: &Style) -> String {
    render(&doc::report(report), lang, style)
}

/// All figures of each step, and the full evidence of verdicts and warnings.
pub fn details(report: &Report, lang: Lang, style: &Style) -> String {
    render(&doc::details(report), lang, style)
}

/// Operations per second, in their users' terms: `240 commits/s`.
pub fn app_rate(operation: Operation, per_second: f64, bytes_per_s: f64, lang: Lang) -> String {
    lang.text(&doc::details::apps::rate(operation, per_second, bytes_per_s))
}

fn render(doc: &Doc, lang: Lang, style: &Style) -> String {
    doc::terminal::render(doc, lang, style)
}

#[cfg(test)]
mod tests;
