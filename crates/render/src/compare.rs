//! Groups of runs beside each other: what is shown of them, and how for programs ([`csv`], [`json`]). People read
//! [`crate::doc::comparison`].
//!
//! Reading order: `chosen` (which figures of a test are shown) → `ratio` (whether two are about the same) → `best` (which of several)
//! → `price` (per price) → [`worse`] (since a baseline).

pub(crate) mod best;
pub(crate) mod chosen;
pub mod csv;
pub(crate) mod price;
pub(crate) mod ratio;
#[cfg(test)]
pub(crate) mod samples;
pub mod worse;

use cardiograph_core::quantity::Quantity;
use cardiograph_judge::compare::{ComparedMetric, ComparedTest, Comparison};

/// A Comparison as JSON, with a line feed at its end.
///
/// # Panics
/// Never: a Comparison has no keys that JSON cannot have.
pub fn json(comparison: &Comparison) -> String {
    let mut text = serde_json::to_string_pretty(comparison).expect("a comparison is plain data");
    text.push('\n');
    cardiograph_core::report::json::layout::without_steering(text)
}

/// A figure of all tests in all directions.
pub(crate) fn all_metrics(
    comparison: &Comparison,
    quantity: Quantity,
) -> impl Iterator<Item = (&ComparedTest, &ComparedMetric)> {
    let with_test = move |test| metrics(test, quantity).into_iter().map(move |metric| (test, metric));
    comparison.tests.iter().flat_map(with_test)
}

/// A figure of a test in all directions, where at least two groups have it.
pub(crate) fn metrics(test: &ComparedTest, quantity: Quantity) -> Vec<&ComparedMetric> {
    let is_it =
        |metric: &&ComparedMetric| metric.quantity == quantity && metric.values.iter().flatten().count() > 1;
    test.metrics.iter().filter(is_it).collect()
}
