//! A Report's title, and its run.

use cardiograph_core::report::Report;
use cardiograph_core::{Message, message};

use super::source;
use crate::doc::{Node, history, words};
use crate::text::layout::Tone;

/// The label, and the drive; for imports its name in the source.
pub(crate) fn title(report: &Report) -> Message {
    let drive = match &report.source {
        None => Message::joined(words::drive(&report.drive)),
        Some(_) => source::drive(report).unwrap_or(message!("drive-unknown")),
    };
    match &report.label {
        Some(label) => message!("history-labelled", label, drive),
        None => drive,
    }
}

/// The suite, an irregular end, the program, the start, and the tags.
pub(super) fn run(report: &Report) -> Node {
    let program = match &report.source {
        None => Message::verbatim(&report.program),
        // Another program measured.
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

/// The user's tags, in the form of a search: `board=Pi 5`.
pub(crate) fn tags(report: &Report) -> impl Iterator<Item = Message> {
    report.tags.iter().map(|(name, value)| Message::verbatim(format!("{name}={value}")))
}
