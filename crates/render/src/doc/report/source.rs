//! Imported results: their source, and their speed over time.

use cardiograph_core::drive::Leaf;
use cardiograph_core::imported::{Figure, Source};
use cardiograph_core::quantity::{Quantity, Statistic};
use cardiograph_core::report::{Report, StepResult};
use cardiograph_core::{Message, Parameter, message};

use super::figures::direction_name;
use crate::doc::{Cell, Column, Node, Row, Table, Unit};
use crate::gathered::gathered;

/// The drive's name in the source; `None` if it has none.
pub(crate) fn drive(report: &Report) -> Option<Message> {
    let leaves: Vec<Message> = report.drive.leaves.iter().map(leaf).collect();
    (!leaves.is_empty()).then(|| Message::joined(leaves))
}

/// The name of one of several drives in the source.
pub(crate) fn leaf(leaf: &Leaf) -> Message {
    Message::verbatim(match (&leaf.model, leaf.name.as_str()) {
        (Some(model), "") => model.clone(),
        (Some(model), name) => format!("{model} ({name})"),
        (None, name) => name.to_string(),
    })
}

/// The location of the source: a file, or the address of a publication.
pub(crate) fn location(source: &Source) -> Message {
    match source.place.as_str() {
        "-" => message!("source-standard-input"),
        place => Message::verbatim(place),
    }
}

/// The origin of a Report.
pub(crate) fn paragraph(report: &Report) -> Option<Node> {
    let source = report.source.as_ref()?;
    let line = source.line.map(|line| message!("source-line", line));
    let known = |text: &str| Some(text).filter(|text| !text.is_empty()).map(Message::verbatim);
    let parts = [
        known(&source.program),
        known(&source.format),
        Some(location(source)),
        line,
        source.author.as_deref().and_then(known),
        source.date.as_deref().and_then(known),
    ];
    let source = Message::joined(parts.into_iter().flatten());
    Some(Node::paragraph(message!("report-source", source)))
}

/// The speed of tests over time, if their sources have it: a row for each direction.
pub(super) fn windows(report: &Report) -> Option<Node> {
    let rows: Vec<Row> = report.steps.iter().flat_map(rows).collect();
    let speed = |heading| Column::with_unit(heading, Unit::BytesPerS);
    let columns = vec![
        speed(message!("statistic.min")),
        speed(message!("statistic.mean")),
        speed(message!("statistic.max")),
        Column { rank: 2, ..speed(message!("statistic.deviation")) },
        Column::figures(message!("windows-column.length"), 3),
        Column::figures(message!("windows-column.count"), 1),
    ];
    let table = Table { caption: None, names: None, columns, rows, notes: Vec::new() };
    (!table.rows.is_empty())
        .then(|| Node::section("windows", message!("windows-heading"), vec![Node::Table(table)]))?
}

fn rows(step: &StepResult) -> Vec<Row> {
    let Some(imported) = &step.imported else { return Vec::new() };
    let by_direction = gathered(imported.figures.iter().map(|one| (one.direction, one)));
    let row = |(direction, figures): (_, Vec<&Figure>)| {
        let window = |statistic| {
            figures.iter().find(|one| one.quantity == Quantity::WindowBandwidth(statistic)).copied()
        };
        let mean = window(Statistic::Mean)?;
        let all = [window(Statistic::Min)?, mean, window(Statistic::Max)?, window(Statistic::Stdev)?];
        let speeds = all.map(|figure| Cell::Value(Parameter::bytes_per_s(figure.estimate.value)));
        let count = Some(mean.estimate.n).filter(|&n| n > 0).map(Parameter::Count);
        let length = mean.window_ns.map(Parameter::DurationNs);
        let name = message!("test-part", test = &step.step.id, part = direction_name(direction));
        Some(Row::new(
            name,
            speeds.into_iter().chain([Cell::from_value(length), Cell::from_value(count)]).collect(),
        ))
    };
    by_direction.into_iter().filter_map(row).collect()
}
