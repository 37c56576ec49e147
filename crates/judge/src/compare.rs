//! Comparison of runs: what differs, by how much, and whether that is more than chance.
//!
//! Reading order: [`Group`] (input) → `pairing` (which tests belong together) → `known` (precision of a group's
//! value) → `judgement` (whether two of them differ) → [`Comparison`] (result) → [`distribution`] (latencies by
//! percentile) → [`by`] (grouping runs by common facts) → [`price`] (prices of drives).
//!
//! # The statistics
//!
//! Two values are compared by the logarithm of their ratio. With several runs on both sides the spread between
//! runs gives the precision of each mean, and the ratio is judged by Welch's t with Satterthwaite's degrees of
//! freedom (Welch 1947). With several runs on one side only, the other is assumed to have the same spread. With
//! a single run on each side there is only the interval within the run (corrected for autocorrelation,
//! [`cardiograph_core::long_run`]), which does not cover variation between runs of a drive: the spread is assumed
//! to be [`known::assumed_spread`], and a difference within it cannot be detected.
//!
//! All differences of a comparison are judged together (Holm 1979, [`cardiograph_core::stats::holm`]): at most one
//! in twenty comparisons of equal drives finds any. `cargo xtask calibrate` measures it.

use cardiograph_core::Message;
use cardiograph_core::direction::Direction;
use cardiograph_core::doubt::Doubt;
use cardiograph_core::estimate::Estimate;
use cardiograph_core::method::{Difference, Method};
use cardiograph_core::quantity::Quantity;
use cardiograph_core::summary::RunSummary;
use cardiograph_core::verdict::Verdict;
use serde::Serialize;

use crate::record::RunFigures;

mod apart;
pub mod by;
pub mod distribution;
mod facts;
mod judgement;
pub mod known;
mod latency;
mod metrics;
mod pairing;
pub mod price;
#[cfg(test)]
mod tests;

pub use apart::{Apart, Namesake};
pub use distribution::Distribution;
pub use pairing::{TestKind, assign_indexes};
pub use price::Price;

/// Below this factor, two values are about the same, unless their difference is significant.
pub const ABOUT_THE_SAME: f64 = 1.1;

/// Version of the Comparison's form as JSON.
pub const COMPARISON_VERSION: u32 = 1;

/// Runs of one drive with one setting.
#[derive(Debug, Clone, PartialEq)]
pub struct Group {
    /// Its name.
    pub name: String,
    /// Its runs.
    pub runs: Vec<RunFigures>,
}

/// A comparison of groups of runs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Comparison {
    /// Version of this form ([`COMPARISON_VERSION`]).
    pub comparison_version: u32,
    /// The groups, in the given order, which all lists with a value for each group follow.
    pub groups: Vec<ComparedGroup>,
    /// Index of the group that the others are compared with.
    pub base: usize,
    /// The requested figures; empty for all.
    pub wanted: Vec<Quantity>,
    /// The currency of figures per price: the most common one among the groups. `None` if no two groups share one.
    pub price_currency: Option<String>,
    /// The tests that at least two groups have.
    pub tests: Vec<ComparedTest>,
    /// Tests that only one group has.
    pub unpaired: Vec<Unpaired>,
    /// Verdicts on the drives by purpose, where judged.
    pub purposes: Vec<ComparedPurpose>,
    /// Facts in which the groups differ.
    pub facts: Vec<FactDifference>,
    /// Number of differences that were judged together.
    pub judged_together: usize,
}

/// A group in a Comparison.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ComparedGroup {
    /// Its name.
    pub name: String,
    /// Its runs.
    pub runs: Vec<RunSummary>,
    /// Price of the drive, from the tag `price`; `None` if missing, or if runs differ.
    pub price: Option<Price>,
    /// Price per 10^9 bytes; `None` if price or capacity is unknown.
    pub price_per_gb: Option<f64>,
    /// Capacity of the drive, in bytes; `None` if unknown, or if runs differ.
    pub capacity_bytes: Option<u64>,
}

/// A test that groups have in common.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ComparedTest {
    /// Its id in the first group that has it.
    pub test: String,
    /// Its title, one line.
    pub title: Message,
    /// How it was measured there.
    pub method: Method,
    /// Each group's side; `None` if it has no such test.
    pub sides: Vec<Option<Side>>,
    /// Its figures.
    pub metrics: Vec<ComparedMetric>,
    /// Its latencies, percentile by percentile.
    pub distributions: Vec<Distribution>,
}

/// A group's side of a test.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Side {
    /// Its id there.
    pub test: String,
    /// Number of runs that have it.
    pub runs: usize,
    /// How its method differs from the test's; empty if it is the same.
    pub differences: Vec<Difference>,
}

/// Role of a figure in a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// A rate or latency whose difference is judged.
    Judged,
    /// Equivalent to a judged figure, and shares its judgement: I/Os per second of one block size, the mean
    /// latency at a constant queue depth.
    Follows,
    /// A measure of stability: an extreme or a spread, of which a run has only one.
    Stability,
    /// Informational only: amount and duration, the parts of a latency.
    Informational,
}

/// A figure of several groups.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ComparedMetric {
    /// Reads, writes, trims or syncs; `None` for figures of all directions.
    pub direction: Option<Direction>,
    /// Its quantity.
    pub quantity: Quantity,
    /// Length of the windows of a spread over windows, in nanoseconds; `None` if unknown or if groups differ.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub window_ns: Option<u64>,
    /// Its role.
    pub role: Role,
    /// Each group's value; `None` if missing.
    pub values: Vec<Option<GroupValue>>,
    /// Each group compared with the base; `None` for the base itself, and if either value is missing.
    pub against: Vec<Option<Against>>,
    /// The best value; `None` if neither direction is better.
    #[serde(skip)]
    pub best: Option<Best>,
    /// For a rate, each group's value divided by its price in [`Comparison::price_currency`]; `None` if
    /// unknown. Empty if fewer than two groups have one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub per_price: Vec<Option<f64>>,
}

/// The best of the values of a figure: whatever the order of the groups and the base.
#[derive(Debug, Clone, PartialEq)]
pub struct Best {
    /// Its group.
    pub group: usize,
    /// Each group compared with it; `None` for itself, and for unreliable values and those measured differently.
    pub against: Vec<Option<Against>>,
}

/// A group's value of a figure.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GroupValue {
    /// The run's value, or the mean of several runs with the interval that their spread gives.
    pub estimate: Estimate,
    /// Number of runs.
    pub runs: usize,
    /// The doubt about it, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub doubt: Option<Doubt>,
}

impl GroupValue {
    /// Whether it is withheld.
    pub fn is_withheld(&self) -> bool {
        self.doubt.as_ref().is_some_and(Doubt::withholds)
    }

    /// Whether it is a percentile with few samples above it: informational only.
    pub fn is_light(&self) -> bool {
        matches!(self.doubt, Some(Doubt::FewSamples { .. }))
    }

    /// Whether it is reliable enough to compare.
    pub fn is_believed(&self) -> bool {
        !self.doubt.as_ref().is_some_and(Doubt::speaks_against)
    }
}

/// A group's value compared with the base's.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Against {
    /// Its value divided by the base's; `None` if either is 0.
    pub ratio: Option<f64>,
    /// Lower end of the ratio's 95 % interval, not corrected for the number of figures; `None` if unknown.
    pub low: Option<f64>,
    /// Upper end.
    pub high: Option<f64>,
    /// The better of both values, significant or not; `None` if neither direction is better, or they are
    /// equal.
    pub favours: Option<Favours>,
    /// Whether the difference is more than chance.
    pub judgement: Judgement,
    /// Why it could not be decided or was not judged.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<Reason>,
    /// Basis of the judgement, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub basis: Option<Basis>,
    /// The probability of such a difference, or a larger one, between equal drives.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub p: Option<f64>,
    /// The same, corrected for all figures that were judged together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub p_corrected: Option<f64>,
}

/// One of two values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Favours {
    /// The base's.
    Base,
    /// The other's.
    Other,
}

/// Whether a group differs from the base.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Judgement {
    /// It is better.
    Better,
    /// It is worse.
    Worse,
    /// It is neither: the ratio's interval ends within a fifth of 1.
    NoDifference,
    /// Too little data.
    CannotTell,
    /// It was not judged.
    #[default]
    NotJudged,
}

/// Why a difference could not be decided, or was not judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// The figure is not the drive's ([`GroupValue::doubt`] says why).
    Doubt,
    /// Few latencies lie above the percentile.
    FewSamples,
    /// It was measured differently.
    Method,
    /// Windows of different lengths, or of unknown length.
    Windows,
    /// An extreme over different lengths of time: over a longer one it is more extreme.
    Durations,
    /// The precision of one of the values is unknown: a single run without an interval.
    NoInterval,
    /// A single run on each side, and a difference within the spread of one drive.
    SingleRuns,
    /// The interval of the ratio includes both a relevant difference and none.
    Wide,
    /// One of the values is 0.
    Zero,
    /// Informational figures are not judged.
    Kind,
}

/// Basis of a judgement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Basis {
    /// The spread between runs of both sides.
    BetweenRuns,
    /// The spread between runs of the side that has several.
    RunsOfOneSide,
    /// The interval within the one run of each side, and an assumed spread between runs.
    WithinRun,
}

/// A test that only one group has.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Unpaired {
    /// Index of the group.
    pub group: usize,
    /// Its id.
    pub test: String,
    /// Its title, one line.
    pub title: Message,
    /// A test of another group with the same title, and why the two are not compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub namesake: Option<Namesake>,
}

/// A purpose, and how good each group's drive is for it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ComparedPurpose {
    /// Its id, such as `db-light`.
    pub purpose: String,
    /// Its title, in a few words.
    pub title: Message,
    /// Each group's verdict; `None` if there is too little data.
    pub verdicts: Vec<Option<Verdict>>,
}

/// A fact in which groups differ.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FactDifference {
    /// Its name, such as `kernel` ([`crate::facts`]).
    pub name: String,
    /// Each group's values, sorted and each once: several if its runs differ, none if unknown.
    pub values: Vec<Vec<String>>,
}

/// Compares `groups` with the one at index `base`, in the figures `wanted`, or in all if none are given. Fewer figures are
/// judged more sharply. Purposes are added by the caller.
///
/// # Panics
/// If `base` is not the index of a group.
pub fn compare(groups: &[Group], base: usize, wanted: &[Quantity]) -> Comparison {
    assert!(base < groups.len(), "the base is one of the groups");
    let (pairs, mut unpaired) = pairing::pair(groups, base);
    let mut tests: Vec<ComparedTest> =
        pairs.iter().map(|pair| metrics::compared_test(pair, base, wanted)).collect();
    if wanted.is_empty() {
        let (paired, apart): (Vec<_>, Vec<_>) =
            tests.into_iter().zip(&pairs).partition(|(test, _)| test.has_figures_of_several());
        tests = paired.into_iter().map(|(test, _)| test).collect();
        unpaired.extend(apart.iter().flat_map(|(_, pair)| pair.separated()));
    }
    apart::find_namesakes(&mut unpaired, groups);
    apart::name_parts(&mut tests, &mut unpaired);
    let judged_together = judgement::judge_all(&mut tests);
    let compared_groups: Vec<ComparedGroup> = groups.iter().map(compared_group).collect();
    let price_currency = price::currency(&compared_groups);
    if let Some(currency) = &price_currency {
        price::per_price(&mut tests, &compared_groups, currency);
    }
    Comparison {
        comparison_version: COMPARISON_VERSION,
        groups: compared_groups,
        base,
        wanted: wanted.to_vec(),
        price_currency,
        tests,
        unpaired,
        purposes: Vec::new(),
        facts: facts::differences(groups),
        judged_together,
    }
}

fn compared_group(group: &Group) -> ComparedGroup {
    let price = price::price(&group.runs);
    let capacity_bytes = price::capacity_bytes(&group.runs);
    let price_per_gb =
        price.as_ref().zip(capacity_bytes).and_then(|(price, bytes)| price::price_per_gb(price, bytes));
    ComparedGroup {
        name: group.name.clone(),
        runs: group.runs.iter().map(|run| run.run.clone()).collect(),
        price,
        price_per_gb,
        capacity_bytes,
    }
}

impl Against {
    /// The interval of the ratio if it includes 1 and more, so that no difference is shown.
    pub fn unclear(&self) -> Option<(f64, f64)> {
        self.low.zip(self.high).filter(|_| self.reason == Some(Reason::Wide))
    }
}

impl ComparedMetric {
    /// Whether its values are one quantity: an extreme or a spread over windows of another or unknown length is not.
    pub fn is_of_equal_windows(&self) -> bool {
        !self.quantity.is_of_windows() || self.window_ns.is_some()
    }
}

impl Comparison {
    /// Indexes of all groups except the base.
    pub fn others(&self) -> impl Iterator<Item = usize> {
        (0..self.groups.len()).filter(|&group| group != self.base)
    }
}

impl ComparedTest {
    /// A figure.
    pub fn metric(&self, direction: Option<Direction>, quantity: Quantity) -> Option<&ComparedMetric> {
        self.metrics.iter().find(|metric| metric.direction == direction && metric.quantity == quantity)
    }
}

impl ComparedTest {
    /// Whether two groups have a figure in common.
    fn has_figures_of_several(&self) -> bool {
        self.metrics.iter().any(|metric| metric.values.iter().flatten().count() > 1)
    }
}

impl Side {
    /// Whether the method differs in more than the amount of work or its duration.
    pub fn is_near(&self) -> bool {
        !Difference::are_of_scale(&self.differences)
    }
}
