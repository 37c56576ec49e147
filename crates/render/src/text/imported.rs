//! The summary of a saved import.

use cardiograph_core::report::Report;
use cardiograph_core::{Message, message};
use cardiograph_judge::record::RunFigures;

use super::layout::{Page, Style};
use crate::doc::report::{doubts, source};
use crate::doc::{self, Doc, Item, Node};
use crate::lang::Lang;

/// An import in a line for the drive and one for each test. `state` is a phrase with its id: `saved as ID`.
pub fn imported(report: &Report, state: Message, lang: Lang, style: &Style) -> String {
    let mut page = Page::new(style);
    let (location, program) = match &report.source {
        Some(source) => (source::location(source), &source.program),
        None => (Message::verbatim(&report.drive.path), &report.program),
    };
    // If the drive is unknown, the file is named instead.
    let drive = source::drive(report).unwrap_or(location);
    let line = message!("imported-line", drive, program, state);
    page.prose("", &lang.text(&line));
    let bars = report.steps.iter().flat_map(doc::bars_of).collect();
    let doubts = doubts::notes(&RunFigures::from_report(report).tests).into_iter();
    let doubts = doubts.map(|doubt| Item::new(message!("glance-mark"), vec![doubt])).collect();
    let rows = Node::from_bars(bars).into_iter().chain(Node::from_items(doubts));
    page.into_text() + &doc::terminal::render(&Doc::untitled(rows.collect()), lang, style)
}
