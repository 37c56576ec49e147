//! The suite's tables, in the units of the original.

use cardiograph_core::report::Report;
use cardiograph_core::table::{self, CellUnit};
use cardiograph_core::{Message, Parameter, message};

use crate::doc::{Cell, Column, Drawing, Fact, Node, Picture, Row, Table, Unit};
use crate::gathered::gathered;
use crate::plot;

/// Maximum number of rows named individually.
const ROWS_NAMED_MAX: usize = 3;

/// All tables; those of a sweep with their heat maps.
pub(super) fn section(report: &Report) -> Option<Node> {
    let has_cells = |table: &table::Table| table.rows.iter().any(|row| !row.cells.is_empty());
    let tables = || report.tables.iter().enumerate().filter(|(_, table)| has_cells(table));
    let picture = |(at, table): (usize, &table::Table)| Picture {
        caption: table.title.clone(),
        drawing: Drawing::Table(at),
    };
    let pictures: Vec<Picture> =
        tables().filter(|_| report.suite == plot::SWEEP_SUITE).map(picture).collect();
    let pictures = (!pictures.is_empty()).then_some(Node::Pictures(pictures));
    let nodes = pictures.into_iter().chain(tables().flat_map(|(_, table)| table_nodes(table))).collect();
    Node::section("tables", message!("tables-heading"), nodes)
}

/// Rows of tables that fit into a first glance.
const GLANCE_ROWS_MAX: usize = 10;

/// The first tables, as far as they are short, without those that are hardly more than gaps.
pub(crate) fn glance(report: &Report) -> Vec<Node> {
    let mut rows = 0;
    let fitting = report.tables.iter().take_while(|table| {
        rows += table.rows.len();
        rows <= GLANCE_ROWS_MAX
    });
    let cells =
        |table: &table::Table| table.rows.iter().flat_map(|row| row.cells.clone()).collect::<Vec<_>>();
    let is_gap = |cell: &&table::Cell| matches!(cell, table::Cell::Absent { .. });
    let tables = fitting.filter(|&table| {
        let cells = cells(table);
        cells.iter().filter(is_gap).count() * 2 < cells.len()
    });
    let short = |node| match node {
        Node::Table(table) => Some(Node::Table(Table { notes: Vec::new(), ..table })),
        Node::Paragraph(_) => None,
        other => Some(other),
    };
    tables.flat_map(table_nodes).filter_map(short).collect()
}

fn table_nodes(table: &table::Table) -> Vec<Node> {
    let notes = || table.notes.iter().cloned();
    match &table.columns[..] {
        [table::Column { unit: CellUnit::Text, .. }] => {
            let facts = Node::Facts(table.rows.iter().filter_map(fact).collect());
            let nodes: Vec<Node> = std::iter::once(facts).chain(notes().map(Node::paragraph)).collect();
            match is_empty(&table.title) {
                true => nodes,
                false => Node::section("table", table.title.clone(), nodes).into_iter().collect(),
            }
        }
        columns => vec![Node::Table(Table {
            caption: Some(&table.title).filter(|title| !is_empty(title)).cloned(),
            names: Some(table.heading.clone()),
            columns: columns.iter().map(column).collect(),
            rows: table.rows.iter().map(|one| row(columns, one)).collect(),
            notes: reasons(table).into_iter().chain(notes()).collect(),
        })],
    }
}

fn is_empty(text: &Message) -> bool {
    *text == Message::default()
}

/// A row of a table of words.
fn fact(row: &table::TableRow) -> Option<Fact> {
    let words = row.cells.iter().map(|cell| match cell {
        table::Cell::Text { text } | table::Cell::Absent { why: text } => text.clone(),
        table::Cell::Figure { estimate, .. } => Message::quantity(Parameter::number(estimate.value)),
    });
    Fact::from_phrases(row.name.clone(), words)
}

fn column(column: &table::Column) -> Column {
    match column.unit {
        CellUnit::Text => Column::text(column.heading.clone(), 0),
        unit => Column::with_unit(column.heading.clone(), Unit::Of(unit)),
    }
}

fn row(columns: &[table::Column], row: &table::TableRow) -> Row {
    let cells = columns.iter().zip(&row.cells).map(|(column, shown)| cell(column.unit, shown));
    Row::new(row.name.clone(), cells.collect())
}

fn cell(unit: CellUnit, cell: &table::Cell) -> Cell {
    match cell {
        table::Cell::Text { text } => Cell::Text(text.clone()),
        table::Cell::Figure { doubt: Some(doubt), .. } if doubt.withholds() => Cell::Withheld,
        table::Cell::Figure { estimate, .. } => Cell::Value(value(unit, estimate.value)),
        table::Cell::Absent { .. } => Cell::Withheld,
    }
}

const fn value(unit: CellUnit, value: f64) -> Parameter {
    match unit {
        CellUnit::MegabytesPerSecond
        | CellUnit::MebibytesPerSecond
        | CellUnit::KibibytesPerSecond
        | CellUnit::BytesPerSecond => Parameter::bytes_per_s(value),
        CellUnit::PerSecond => Parameter::iops(value),
        CellUnit::Microseconds | CellUnit::Milliseconds | CellUnit::Seconds => Parameter::latency_ns(value),
        CellUnit::Percent => Parameter::share(value),
        CellUnit::Text | CellUnit::Gigabytes | CellUnit::Count | CellUnit::InBrackets => {
            Parameter::number(value)
        }
    }
}

/// Why cells have no figure, or a doubtful one: each reason once, with its rows. Reasons for the same rows
/// are listed together.
fn reasons(table: &table::Table) -> Vec<Message> {
    let why = |cell: &table::Cell| match cell {
        table::Cell::Figure { doubt: Some(doubt), .. } if doubt.withholds() => Some(doubt.message()),
        table::Cell::Figure { doubt: Some(doubt), .. } => {
            Some(message!("doubt-note.doubtful", doubt = doubt.message()))
        }
        table::Cell::Absent { why } => Some(why.clone()),
        table::Cell::Figure { doubt: None, .. } | table::Cell::Text { .. } => None,
    };
    let cells =
        table.rows.iter().enumerate().flat_map(|(at, row)| row.cells.iter().map(move |cell| (at, cell)));
    let mut reasons = gathered(cells.filter_map(|(at, cell)| Some((why(cell)?, at))));
    reasons.iter_mut().for_each(|(_, rows)| rows.dedup());
    let by_rows = gathered(reasons.into_iter().map(|(why, rows)| (rows, why)));
    by_rows.into_iter().map(|(rows, whys)| reason(table, &rows, whys)).collect()
}

/// A reason, with its rows unless it applies to all.
fn reason(table: &table::Table, rows: &[usize], whys: Vec<Message>) -> Message {
    let name = |at: usize| table.rows[at].name.clone();
    let why = whys.into_iter().reduce(|head, tail| message!("list-clauses", head, tail));
    let why = why.unwrap_or_default();
    match rows {
        _ if rows.len() == table.rows.len() => why,
        [first, .., last] if rows.len() > ROWS_NAMED_MAX && last - first + 1 == rows.len() => {
            message!("table-reason.range", first = name(*first), last = name(*last), why)
        }
        _ => {
            let names = Message::joined(rows.iter().map(|&at| name(at)));
            message!("table-reason.rows", rows = names, why)
        }
    }
}
