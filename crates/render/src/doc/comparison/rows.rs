//! Comparisons in other shapes: a row for each group and a column for each test, and pairs of groups beside each other.

use cardiograph_core::quantity::Quantity;
use cardiograph_core::{Message, message};
use cardiograph_judge::compare::{ComparedMetric, ComparedTest, Comparison};

use super::asked::differences;
use super::summary::marked_ratio;
use super::{Extent, Sheet, figures, test_name};
use crate::compare::chosen::counted;
use crate::compare::shown;
use crate::doc::dots::mark;
use crate::doc::{Cell, Column, Doc, Node, Row, Table, Unit};
use crate::gathered::gathered;
use crate::method;

/// A row for each group, and a column for each figure.
pub fn comparison_rows(comparison: &Comparison, extent: Extent) -> Doc {
    let mut sheet = Sheet::new(comparison, extent);
    let all = shown(comparison);
    let column = |&(test, metric): &(&ComparedTest, &ComparedMetric)| {
        let heading = heading(comparison, test, metric);
        match unit(metric.quantity).filter(|_| counted(test).is_none()) {
            Some(unit) => Column::with_unit(heading, unit),
            None => Column::figures(heading, 0),
        }
    };
    let values: Vec<Vec<Cell>> = all.iter().map(|(test, metric)| figures::cells(test, metric)).collect();
    let row = |(group, name): (usize, &String)| {
        Row::new(Message::verbatim(name), values.iter().map(|cells| cells[group].clone()).collect())
    };
    let rows = sheet.names.iter().enumerate().map(row).collect();
    let names = Some(Message::default());
    let columns = all.iter().map(column).collect();
    let mut nodes = vec![match all.is_empty() {
        true => Node::paragraph(message!("comparison-no-tests")),
        false => Node::Table(Table { caption: None, names, columns, rows, notes: Vec::new() }),
    }];
    // That suites adapt the amount of work to a drive is known; other methods are not comparable.
    let is_near =
        |(test, _): &(&ComparedTest, &ComparedMetric)| test.sides.iter().flatten().any(|side| side.is_near());
    if all.iter().any(is_near) {
        nodes.extend(differences(&sheet));
    }
    nodes.extend(std::mem::take(&mut sheet.notes).nodes(comparison, &sheet.names, false));
    Doc::untitled(nodes)
}

/// The name of a figure's column: with the quantity if the test has several columns.
pub(crate) fn heading(comparison: &Comparison, test: &ComparedTest, metric: &ComparedMetric) -> Message {
    let directions = shown(comparison).iter().filter(|(other, _)| std::ptr::eq(*other, test)).count();
    let name = test_name(test, metric.direction, directions == 1);
    match comparison.wanted.len() {
        0 | 1 => name,
        _ => message!("comparison-of-figure", test = name, figure = method::heading(metric.quantity)),
    }
}

const fn unit(quantity: Quantity) -> Option<Unit> {
    match quantity {
        Quantity::Bandwidth => Some(Unit::BytesPerS),
        Quantity::Iops => Some(Unit::Iops),
        _ => None,
    }
}

/// Comparisons of groups that differ in the same facts, each with the name of what they have in common: a table for each
/// figure with a row for each comparison and a column for each of the `values`, and their ratio if there are two.
pub fn comparison_pairs(pairs: &[(String, Comparison)], values: &[String]) -> Doc {
    let rows = pairs.iter().flat_map(|(name, comparison)| {
        let sheet = Sheet::new(comparison, Extent::default());
        let all = shown(comparison);
        let row = |(test, metric): (&ComparedTest, &ComparedMetric)| {
            let cells = figures::cells(test, metric);
            let place = |value: &String| comparison.groups.iter().position(|group| group.name == *value);
            let cell = |value| place(value).map_or(Cell::Empty, |group| cells[group].clone());
            let ratio = (values.len() == 2).then(|| match sheet.other() {
                Some(other) => ratio(&sheet, metric, other),
                None => Cell::Empty,
            });
            let cells = values.iter().map(cell).chain(ratio).collect();
            let title = message!(
                "comparison-of-figure",
                test = heading(comparison, test, metric),
                figure = method::heading(metric.quantity)
            );
            (title, Row::new(Message::verbatim(name), cells))
        };
        all.into_iter().map(row).collect::<Vec<_>>()
    });
    let column = |(place, value): (usize, &String)| {
        let mark = mark(place, values.len()).to_string();
        Column::figures(message!("comparison-heading.marked", mark, group = value), 0)
    };
    let ratio = (values.len() == 2).then(|| Column::text(message!("comparison-heading.ratio"), 1));
    let columns: Vec<Column> = values.iter().enumerate().map(column).chain(ratio).collect();
    let table = |(title, rows): (Message, Vec<Row>)| {
        let (names, columns) = (Some(Message::default()), columns.clone());
        let table = Table { caption: None, names, columns, rows, notes: Vec::new() };
        Node::section("pair", title, vec![Node::Table(table)])
    };
    let mut nodes: Vec<Node> = gathered(rows).into_iter().filter_map(table).collect();
    let runs = || pairs.iter().flat_map(|(_, comparison)| &comparison.groups).map(|group| group.runs.len());
    if runs().all(|runs| runs == 1) {
        nodes.push(Node::paragraph(message!("comparison-basis.within-run")));
    }
    Doc::untitled(nodes)
}

fn ratio(sheet: &Sheet<'_>, metric: &ComparedMetric, other: usize) -> Cell {
    let Some(against) = &metric.against[other] else { return Cell::Empty };
    let phrase = match against.unclear() {
        Some(_) => sheet.remark(metric, other),
        None => marked_ratio(sheet, against, other),
    };
    phrase.map_or(Cell::Empty, Cell::Text)
}
