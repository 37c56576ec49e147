//! What a Report is of, and how it came about.

use cardiograph_core::report::Report;
use cardiograph_core::{Message, message};

use super::source;
use crate::doc::{Node, history, words};
use crate::text::layout::Tone;

/// Its label, and the drive as it was seen, or of what was imported as its source calls it.
pub(crate) fn title(report: &Report) -> Message {
    let drive = match &report.source {
        None => Message::joined(words::drive(&report.drive)),
        Some(_) => source::drive(report).unwrap_or(message!("drive-unknown")),
    };
    match &report.label {
        Some(label) => message!("history-labelled", label = label, drive = drive),
        None => drive,
    }
}

/// Its suite, what became of it where it has no regular end, the program, when it began, and its tags.
pub(super) fn run(report: &Report) -> Node {
    let program = match &report.source {
        None => Message::verbatim(&report.program),
        // Another one measured.
        Some(_) => message!("report-imported-by", program = &report.program),
    };
    let parts = [
        Some(message!("report-suite", suite = &report.suite)),
        words::state(report.state),
        Some(program),
        history::when(report.started_unix_ms).map(Message::verbatim),
    ];
    Node::toned(Tone::Quiet, Message::joined(parts.into_iter().flatten().chain(tags(report))))
}

/// What its user noted of it, as it is searched for: `board=Pi 5`.
pub(crate) fn tags(report: &Report) -> impl Iterator<Item = Message> {
    report.tags.iter().map(|(name, value)| Message::verbatim(format!("{name}={value}")))
}
