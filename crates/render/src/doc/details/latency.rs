//! A table of latencies: a column for each kind, a row for each figure.

use cardiograph_core::figures::LatencyFigures;
use cardiograph_core::quantity::Statistic;
use cardiograph_core::{Message, Parameter, message};

use crate::doc::{Cell, Column, Node, Row, Table};
use crate::method;

/// Latencies side by side; `None` if there are none.
pub(super) fn table(latencies: &[(Message, &LatencyFigures)]) -> Option<Node> {
    let (_, first) = latencies.first()?;
    let row = |name: Message, figure: &dyn Fn(&LatencyFigures) -> Cell| {
        Row::new(name, latencies.iter().map(|(_, figures)| figure(figures)).collect())
    };
    let latency = |ns: f64| Cell::Value(Parameter::latency_ns(ns));
    let percentiles = first.percentiles.iter().map(|figure| figure.percentile).map(|percentile| {
        row(method::statistic(Statistic::Percentile(percentile)), &|figures| {
            figures.percentile_ns(percentile).map_or(Cell::Withheld, |ns| latency(ns as f64))
        })
    });
    let above = [
        row(message!("details-samples"), &|figures| Cell::Value(figures.n.into())),
        row(method::statistic(Statistic::Min), &|figures| latency(figures.min_ns as f64)),
        row(method::statistic(Statistic::Mean), &|figures| latency(figures.mean_ns)),
        row(method::statistic(Statistic::Stdev), &|figures| latency(figures.stdev_ns)),
    ];
    let max = row(method::statistic(Statistic::Max), &|figures| latency(figures.max_ns as f64));
    let names = Some(message!("details-latency"));
    let columns = latencies.iter().map(|(name, _)| Column::figures(name.clone(), 0)).collect();
    let rows = above.into_iter().chain(percentiles).chain([max]).collect();
    Some(Node::Table(Table { caption: None, names, columns, rows, notes: Vec::new() }))
}
