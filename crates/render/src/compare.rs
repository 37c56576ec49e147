//! Comparisons of groups of runs: which figures are shown, and their form for programs ([`csv`], [`json`]).
//! The form for people is [`crate::doc::comparison`].
//!
//! Reading order: `chosen` (the figures shown of a test) → `ratio` (whether two values are about the same) →
//! `best` (the best of several) → `price` (figures per price) → [`worse`] (regressions since a baseline).

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

/// A Comparison as JSON, ending with a line feed.
///
/// # Panics
/// Never: a Comparison has no keys that JSON cannot have.
pub fn json(comparison: &Comparison) -> String {
    let mut text = serde_json::to_string_pretty(comparison).expect("a comparison is plain data");
    text.push('\n');
    cardiograph_core::report::json::layout::without_steering(text)
}

/// Comparisons with their names as JSON.
///
/// # Panics
/// Never, as [`json`].
pub fn json_of_pairs(pairs: &[(String, Comparison)]) -> String {
    let pair = |(name, comparison): &(String, Comparison)| serde_json::json!({ "pair": name, "comparison": comparison });
    let all: Vec<serde_json::Value> = pairs.iter().map(pair).collect();
    let mut text = serde_json::to_string_pretty(&all).expect("a comparison is plain data");
    text.push('\n');
    cardiograph_core::report::json::layout::without_steering(text)
}

/// A quantity in all tests and directions.
pub(crate) fn all_metrics(
    comparison: &Comparison,
    quantity: Quantity,
) -> impl Iterator<Item = (&ComparedTest, &ComparedMetric)> {
    let with_test = move |test| metrics(test, quantity).into_iter().map(move |metric| (test, metric));
    comparison.tests.iter().flat_map(with_test)
}

/// The figures of a comparison: those asked for, or the one by which each test is quoted.
pub(crate) fn shown(comparison: &Comparison) -> Vec<(&ComparedTest, &ComparedMetric)> {
    if comparison.wanted.is_empty() {
        let main = |test| chosen::main_figures(test).into_iter().map(move |metric| (test, metric));
        return comparison.tests.iter().flat_map(main).collect();
    }
    comparison.wanted.iter().flat_map(|&quantity| all_metrics(comparison, quantity)).collect()
}

/// A quantity of a test in all directions in which at least two groups have it.
pub(crate) fn metrics(test: &ComparedTest, quantity: Quantity) -> Vec<&ComparedMetric> {
    let is_shared =
        |metric: &&ComparedMetric| metric.quantity == quantity && metric.values.iter().flatten().count() > 1;
    test.metrics.iter().filter(is_shared).collect()
}
