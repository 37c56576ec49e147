//! A checkup: its results, their meaning, and notes for the reader. One document in three sizes: a report, an
//! article with the fio commands, and a page with everything.

pub(crate) mod claims;
mod commands;
pub(crate) mod counters;
pub(crate) mod doubts;
pub(crate) mod figures;
mod notes;
pub(crate) mod precision;
pub(crate) mod source;
mod sustained;
pub(crate) mod tables;
pub(crate) mod title;
pub(crate) mod unfinished;
pub(crate) mod verdicts;
pub(crate) mod warnings;

use cardiograph_core::{Report, message};

use super::{Doc, Node, details, glance, passport};

pub(super) use warnings::checks;
pub use warnings::passport_warnings as warnings;

/// The results, their meaning, and notes for the reader.
pub fn report(report: &Report) -> Doc {
    let answers = [claims::section(report), verdicts::section(report)];
    let nodes = measured(report).into_iter().chain(answers).chain(remarks(report));
    titled(report, glance::alarm(report), nodes)
}

/// The same with the answers first, and equivalent fio commands.
pub fn article(report: &Report) -> Doc {
    let answers = [verdicts::section(report), claims::section(report)];
    let nodes = answers.into_iter().chain(measured(report)).chain(remarks(report));
    titled(report, glance::alarm(report), nodes.chain([commands::section(report)]))
}

/// Everything: also the evidence of each verdict, the drive, the machine, and each step.
pub fn page(report: &Report) -> Doc {
    let verdicts = verdicts::section_with_limits(report);
    let answers = [verdicts, claims::section(report)];
    let remarks =
        [warnings::section_with_checks(report), notes::section(report), unfinished::section(report)];
    let nodes = answers.into_iter().chain(measured(report)).chain(remarks);
    // Its banner has the alarm.
    titled(report, None, nodes.chain([passport_section(report), details::section(report)]))
}

/// What a drive is and claims, by one of its Reports.
pub fn drive_sections(report: &Report) -> Vec<Node> {
    claims::section(report).into_iter().chain(passport_section(report)).collect()
}

fn passport_section(report: &Report) -> Option<Node> {
    Node::section("passport", message!("passport-heading"), passport::report_nodes(report))
}

fn titled(report: &Report, alarm: Option<Node>, sections: impl Iterator<Item = Option<Node>>) -> Doc {
    let head = [Some(title::run(report)), source::paragraph(report), alarm];
    Doc { title: Some(title::title(report)), nodes: head.into_iter().chain(sections).flatten().collect() }
}

/// The measurements.
fn measured(report: &Report) -> Vec<Option<Node>> {
    vec![
        figures::section(report),
        source::windows(report),
        precision::section(report),
        tables::section(report),
    ]
}

/// Notes for the reader.
fn remarks(report: &Report) -> [Option<Node>; 3] {
    [warnings::section(report), notes::section(report), unfinished::section(report)]
}

#[cfg(test)]
mod tests;
