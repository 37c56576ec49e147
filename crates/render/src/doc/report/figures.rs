//! The figures of all tests in a table, and remarks on them.

use cardiograph_core::imported::Figure;
use cardiograph_core::quantity::{Quantity, Statistic};
use cardiograph_core::report::Report;
use cardiograph_core::{Direction, Message, message};
use cardiograph_judge::record::{RunFigures, Shown, TestFigures};

use super::{counters, doubts, sustained};
use crate::doc::{Cell, Column, Drawing, Node, Picture, Row, Table, Unit, words};
use crate::{method, plot};

/// Number of columns after the name.
const COLUMNS: usize = 7;

/// The table, writing over time, and deviating kernel counters.
pub(super) fn section(report: &Report) -> Option<Node> {
    let run = RunFigures::from_report(report);
    let rows: Vec<Row> = run.tests.iter().flat_map(test_rows).collect();
    if rows.is_empty() {
        return None;
    }
    let notes = legend(&run, report.source.is_some()).into_iter().chain(doubts::notes(&run.tests)).collect();
    let table = Table {
        caption: None,
        names: Some(message!("figures-column.test")),
        columns: columns(),
        rows,
        notes,
    };
    let nodes = [Node::Pictures(pictures(report)), Node::Table(table)].into_iter();
    let nodes = nodes.chain(sustained::nodes(report)).chain(counters::nodes(report)).collect();
    Node::section("figures", message!("figures-heading"), nodes)
}

fn columns() -> Vec<Column> {
    let latency = |name: &str, rank| Column::figures(Message::verbatim(name), rank);
    vec![
        Column::with_unit(Message::default(), Unit::BytesPerS),
        Column::with_unit(Message::default(), Unit::Iops),
        Column::figures(message!("statistic.mean"), 4),
        latency("p50", 2),
        latency("p99", 1),
        latency("p99.9", 3),
        Column::figures(message!("statistic.max"), 0),
    ]
}

fn pictures(report: &Report) -> Vec<Picture> {
    // For hundreds of steps the suite's tables show more.
    let tests = (report.suite != plot::SWEEP_SUITE)
        .then(|| Picture { caption: message!("picture-dots"), drawing: Drawing::Tests });
    let timeline = Picture { caption: message!("picture-course"), drawing: Drawing::Timeline };
    tests.into_iter().chain([timeline]).collect()
}

/// The meaning of gaps in the table.
fn legend(run: &RunFigures, is_imported: bool) -> Vec<Message> {
    let cells = || {
        let all = run
            .tests
            .iter()
            .flat_map(|test| directions(test).into_iter().map(move |direction| (test, direction)));
        all.flat_map(|(test, direction)| {
            quantities(test, direction).map(|quantity| test.shown(direction, quantity))
        })
    };
    let (gap, note) = match is_imported {
        true => (Shown::Missing, message!("figures-legend.unknown")),
        false => (Shown::FewSamples, message!("figures-legend.few")),
    };
    let is_light = cells().any(|shown| matches!(shown, Shown::Few(_)));
    let light = is_light.then(|| message!("figures-legend.light"));
    cells().any(|shown| shown == gap).then_some(note).into_iter().chain(light).collect()
}

/// The rows of a test: its only direction on its own row; syncs and several directions below its name.
fn test_rows(test: &TestFigures) -> Vec<Row> {
    let mut directions = directions(test);
    let data = directions.iter().filter(|&&direction| direction != Some(Direction::Sync)).count();
    let own_cells = (data == 1).then(|| cells(test, directions.remove(0)));
    if directions.is_empty() && own_cells.is_none() {
        return Vec::new();
    }
    let first = Row::new(words::test(test), own_cells.unwrap_or_else(|| vec![Cell::Empty; COLUMNS]));
    let below = |one| Row { depth: 1, ..Row::new(direction_name(one), cells(test, one)) };
    std::iter::once(first).chain(directions.into_iter().map(below)).collect()
}

/// The name of a direction.
pub(crate) fn direction_name(direction: Option<Direction>) -> Message {
    direction.map_or(message!("direction-all"), method::direction)
}

/// The directions with rates or latencies in a test; `None` for all together.
pub(crate) fn directions(test: &TestFigures) -> Vec<Option<Direction>> {
    let is_rate = |figure: &Figure| {
        matches!(figure.quantity, Quantity::Bandwidth | Quantity::Iops | Quantity::Latency(..))
    };
    let has_rates = |direction: &Option<Direction>| {
        test.figures.iter().any(|figure| figure.direction == *direction && is_rate(figure))
    };
    std::iter::once(None).chain(Direction::ALL.map(Some)).filter(has_rates).collect()
}

fn quantities(test: &TestFigures, direction: Option<Direction>) -> [Quantity; COLUMNS] {
    let kind = method::latency_kind(&test.figures, direction);
    let latency = |statistic| Quantity::Latency(kind, statistic);
    [
        Quantity::Bandwidth,
        Quantity::Iops,
        latency(Statistic::Mean),
        latency(Statistic::Percentile(50.0)),
        latency(Statistic::Percentile(99.0)),
        latency(Statistic::Percentile(99.9)),
        latency(Statistic::Max),
    ]
}

fn cells(test: &TestFigures, direction: Option<Direction>) -> Vec<Cell> {
    quantities(test, direction).into_iter().map(|quantity| cell(test, direction, quantity)).collect()
}

/// A figure: empty if there is none, withheld if it is not the drive's or has too few samples.
pub(crate) fn cell(test: &TestFigures, direction: Option<Direction>, quantity: Quantity) -> Cell {
    match test.shown(direction, quantity) {
        Shown::Value(figure) => Cell::Value(method::value(quantity, figure.estimate.value)),
        Shown::Few(figure) => {
            Cell::Text(message!("figure-light", value = method::value(quantity, figure.estimate.value)))
        }
        Shown::Withheld(_) | Shown::FewSamples => Cell::Withheld,
        Shown::Missing => Cell::Empty,
    }
}

/// The rate by which I/Os of that mean length are quoted, or the other one if only that is known.
pub(crate) fn rate_quantity(test: &TestFigures, direction: Option<Direction>) -> Quantity {
    let amount =
        |quantity| Some(test.figure(direction, quantity)?.estimate.value).filter(|&amount| amount > 0.0);
    let is_long = match amount(Quantity::Bytes).zip(amount(Quantity::Ios)) {
        Some((bytes, ios)) => bytes / ios >= method::LONG_IO_BYTES as f64,
        None => method::is_quoted_by_speed(&test.method),
    };
    let (first, second) =
        if is_long { (Quantity::Bandwidth, Quantity::Iops) } else { (Quantity::Iops, Quantity::Bandwidth) };
    if cell(test, direction, first) == Cell::Empty { second } else { first }
}
