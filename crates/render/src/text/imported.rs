//! The summary of a saved import.

use cardiograph_core::report::Report;
use cardiograph_core::{Message, message};

use super::layout::{Page, Style};
use crate::doc::report::source;
use crate::doc::{self, Doc, Node};
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
    let rows = Doc::untitled(Node::from_bars(bars));
    page.into_text() + &doc::terminal::render(&rows, lang, style)
}
