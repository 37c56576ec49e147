//! All figures of a test of another program, and other values from its source.

use cardiograph_core::imported::{Figure, Imported};
use cardiograph_core::{Message, message};

use crate::doc::{Cell, Column, Fact, Node, Row, Table};
use crate::method;

/// Figures with their intervals, and values that are not compared.
pub(super) fn nodes(imported: &Imported) -> Vec<Node> {
    let columns = vec![
        Column::figures(message!("imported-column.value"), 0),
        Column::figures(message!("imported-column.interval"), 1),
        Column::figures(message!("imported-column.count"), 2),
    ];
    let rows: Vec<Row> = imported.figures.iter().map(row).collect();
    let names = Some(message!("imported-column.figure"));
    let table = Table { caption: None, names, columns, rows, notes: Vec::new() };
    let table = (!table.rows.is_empty()).then_some(Node::Table(table));
    let other = |(name, value): (&String, &String)| {
        Fact::new(Message::verbatim(in_words(name)), Message::verbatim(value))
    };
    let others = Node::from_facts(imported.others.iter().map(other).collect());
    table.into_iter().chain(others).collect()
}

fn row(figure: &Figure) -> Row {
    let value = |value| method::value(figure.quantity, value);
    let estimate = &figure.estimate;
    let interval = estimate.low.zip(estimate.high).filter(|(low, high)| low < high && !figure.is_withheld());
    let interval = interval.map_or(Cell::Empty, |(low, high)| {
        Cell::Text(message!("range", low = value(low), high = value(high)))
    });
    let count = Cell::from_value(Some(estimate.n).filter(|&n| n > 0).map(Into::into));
    let cells = vec![Cell::Text(method::stated(figure)), interval, count];
    Row::new(method::figure(figure), cells)
}

/// The name of a value that is not compared, in words: `cpu user`. Names with spaces stay as they are:
/// `sync_file_range latency mean`.
fn in_words(name: &str) -> String {
    if name.contains(' ') { name.to_string() } else { name.replace('_', " ") }
}
