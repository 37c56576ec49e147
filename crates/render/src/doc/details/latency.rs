//! A table of latencies: a column for each kind, a row for each figure.

use cardiograph_core::figures::LatencyFigures;
use cardiograph_core::quantity::{LatencyKind, Quantity, Statistic};
use cardiograph_core::{Direction, Message, Parameter, message};
use cardiograph_judge::record::{Shown, TestFigures};

use crate::doc::{self, Cell, Node, Row, Table};
use crate::method;

/// Latencies of one kind, with their name and direction.
pub(super) struct Column<'f> {
    pub name: Message,
    pub direction: Direction,
    pub kind: LatencyKind,
    pub figures: &'f LatencyFigures,
}

/// Latencies of a test side by side; `None` if there are none.
pub(super) fn table(test: Option<&TestFigures>, latencies: &[Column<'_>]) -> Option<Node> {
    let first = latencies.first()?.figures;
    let row = |name: Message, figure: &dyn Fn(&LatencyFigures) -> Cell| {
        Row::new(name, latencies.iter().map(|column| figure(column.figures)).collect())
    };
    let latency = |ns: f64| Cell::Value(Parameter::latency_ns(ns));
    let percentiles = first.percentiles.iter().map(|figure| figure.percentile).map(|percentile| {
        let cell = |column: &Column| match column.figures.percentile_ns(percentile) {
            Some(ns) => latency(ns as f64),
            None => test.and_then(|test| light(test, column, percentile)).unwrap_or(Cell::Withheld),
        };
        let name = method::statistic(Statistic::Percentile(percentile));
        Row::new(name, latencies.iter().map(cell).collect())
    });
    let above = [
        row(message!("details-samples"), &|figures| Cell::Value(figures.n.into())),
        row(method::statistic(Statistic::Min), &|figures| latency(figures.min_ns as f64)),
        row(method::statistic(Statistic::Mean), &|figures| latency(figures.mean_ns)),
        row(method::statistic(Statistic::Stdev), &|figures| latency(figures.stdev_ns)),
    ];
    let max = row(method::statistic(Statistic::Max), &|figures| latency(figures.max_ns as f64));
    let names = Some(message!("details-latency"));
    let columns = latencies.iter().map(|column| doc::Column::figures(column.name.clone(), 0)).collect();
    let rows = above.into_iter().chain(percentiles).chain([max]).collect();
    Some(Node::Table(Table { caption: None, names, columns, rows, notes: Vec::new() }))
}

/// A percentile with few samples above it, and its interval.
fn light(test: &TestFigures, column: &Column<'_>, percentile: f64) -> Option<Cell> {
    let quantity = Quantity::Latency(column.kind, Statistic::Percentile(percentile));
    let Shown::Few(figure) = test.shown(Some(column.direction), quantity) else { return None };
    let [low, high] = [figure.estimate.low?, figure.estimate.high?].map(Parameter::latency_ns);
    let value = Parameter::latency_ns(figure.estimate.value);
    Some(Cell::Text(message!("figure-light.interval", value, low, high)))
}
