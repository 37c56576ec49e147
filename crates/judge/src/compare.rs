//! Runs set beside each other: what differs, by how much, and whether that is more than chance.
//!
//! Reading order: [`Group`] (what is compared) → `pairing` (which tests belong together) → `known` (how well a group's value is
//! known) → `judgement` (whether two of them differ) → [`Comparison`] (what came out) → [`distribution`] (latencies, percentile
//! by percentile) → [`by`] (groups made of what runs have in common) → [`price`] (what drives cost).
//!
//! # The statistics
//!
//! Two values are compared by the logarithm of their ratio. With several runs on both sides the spread between runs tells how
//! well each mean is known, and the ratio is judged by Welch's t with Satterthwaite's degrees of freedom (Welch 1947). With several
//! runs on one side only, the other is taken to spread as these do. With a single run on each side there is only the interval within the run (corrected for autocorrelation,
//! [`cardiograph_core::long_run`]), which knows nothing of what another run of the same drive would give: the runs are taken to spread by
//! [`known::assumed_spread`], and a difference that is no larger cannot be told from it.
//!
//! All differences of a comparison are judged together (Holm 1979, [`cardiograph_core::stats::holm`]): of comparisons of equal drives at most
//! one in twenty finds any. `cargo xtask calibrate` counts it.

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

pub use distribution::Distribution;
pub use pairing::{TestKind, places};
pub use price::Price;

/// Below this factor two values are about the same, unless their difference is known to be one.
pub const ABOUT_THE_SAME: f64 = 1.1;

/// Version of the Comparison's form as JSON.
pub const COMPARISON_VERSION: u32 = 1;

/// Runs that are taken together: of one drive, of one setting.
#[derive(Debug, Clone, PartialEq)]
pub struct Group {
    /// What it is called.
    pub name: String,
    /// Its runs.
    pub runs: Vec<RunFigures>,
}

/// Groups of runs beside each other.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Comparison {
    /// Version of this form ([`COMPARISON_VERSION`]).
    pub comparison_version: u32,
    /// The groups, in the order in which they were given. All lists with a value for each group have this order.
    pub groups: Vec<ComparedGroup>,
    /// Place of the group with which each other is compared.
    pub base: usize,
    /// The figures that were asked for; empty where all were.
    pub wanted: Vec<Quantity>,
    /// The currency in which figures are told per price: that in which most groups have theirs. `None` where no two groups have a
    /// price in the same one.
    pub price_currency: Option<String>,
    /// The tests that at least two groups have.
    pub tests: Vec<ComparedTest>,
    /// Tests that only one group has.
    pub unpaired: Vec<Unpaired>,
    /// What the drives are good for, purpose by purpose, as far as that is judged.
    pub purposes: Vec<ComparedPurpose>,
    /// Facts in which the groups differ.
    pub facts: Vec<FactDifference>,
    /// How many differences were judged together.
    pub judged_together: usize,
}

/// A group in a Comparison.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ComparedGroup {
    /// What it is called.
    pub name: String,
    /// Its runs.
    pub runs: Vec<RunSummary>,
    /// What the drive costs, by the tag `price`; `None` where that is not noted, or runs differ.
    pub price: Option<Price>,
    /// What 10^9 bytes of it cost; `None` where price or capacity is not known.
    pub price_per_gb: Option<f64>,
    /// What the drive holds, in bytes; `None` where that is not known, or runs differ.
    pub capacity_bytes: Option<u64>,
}

/// A test that groups have in common.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ComparedTest {
    /// Its id in the first group that has it.
    pub test: String,
    /// What it is, in a line.
    pub title: Message,
    /// How it was measured there.
    pub method: Method,
    /// Each group's part in it; `None` where it has no such test.
    pub sides: Vec<Option<Side>>,
    /// Its figures.
    pub metrics: Vec<ComparedMetric>,
    /// Its latencies, percentile by percentile.
    pub distributions: Vec<Distribution>,
}

/// What a group has of a test.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Side {
    /// Its id there.
    pub test: String,
    /// How many runs have it.
    pub runs: usize,
    /// In what its method differs from the test's; empty where it is the same.
    pub differences: Vec<Difference>,
}

/// What a figure is good for in a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// It tells how fast a drive is, and its difference is judged.
    Judged,
    /// It tells the same as one that is judged and has its judgement: I/Os per second of one block length, the mean latency of what is
    /// kept in flight.
    Follows,
    /// It tells how steady a drive is. It is an extreme or a spread, of which a run has only one.
    Stability,
    /// It is told and not judged: how much was done in how long, the parts of a latency.
    Told,
}

/// A figure of several groups.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ComparedMetric {
    /// Reads, writes, trims or syncs; `None` for what is not of one of them.
    pub direction: Option<Direction>,
    /// What it is.
    pub quantity: Quantity,
    /// Length of the windows of a spread over windows, in nanoseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub window_ns: Option<u64>,
    /// What it is good for.
    pub role: Role,
    /// Each group's value; `None` where it has none.
    pub values: Vec<Option<GroupValue>>,
    /// Each group beside the base; `None` of the base itself, and where either has no value.
    pub against: Vec<Option<Against>>,
    /// Of a speed, each group's value divided by its price in [`Comparison::price_currency`]; `None` where that is not known. Empty
    /// where fewer than two groups have one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub per_price: Vec<Option<f64>>,
}

/// A group's value of a figure.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GroupValue {
    /// The run's value, or the mean of several runs with the interval that their spread gives.
    pub estimate: Estimate,
    /// How many runs are behind it.
    pub runs: usize,
    /// Why it is not the drive's, or may not be, if so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub doubt: Option<Doubt>,
}

impl GroupValue {
    /// Whether it is not shown.
    pub fn is_withheld(&self) -> bool {
        self.doubt.as_ref().is_some_and(Doubt::withholds)
    }

    /// Whether it can be set beside others.
    pub fn is_believed(&self) -> bool {
        !self.doubt.as_ref().is_some_and(Doubt::speaks_against)
    }
}

/// A group's value beside the base's.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Against {
    /// Its value divided by the base's; `None` where either is 0.
    pub ratio: Option<f64>,
    /// Lower end of the ratio's 95 % interval, not corrected for the number of figures; `None` where it is not known.
    pub low: Option<f64>,
    /// Upper end.
    pub high: Option<f64>,
    /// Which of both values is better, chance or not; `None` where neither way is better, or they are equal.
    pub favours: Option<Favours>,
    /// Whether the difference is more than chance.
    pub judgement: Judgement,
    /// Why it cannot be told or was not judged.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<Reason>,
    /// What the judgement rests on; `None` where there is none.
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
    /// Too little is known.
    CannotTell,
    /// It was not asked.
    #[default]
    NotJudged,
}

/// Why a difference cannot be told, or was not judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// The figure is not the drive's ([`GroupValue::doubt`] says why).
    Doubt,
    /// It was not measured in the same way.
    Method,
    /// Windows of different lengths, or of a length that is not told.
    Windows,
    /// A maximum over different lengths of time: over a longer one it is larger.
    Durations,
    /// Nothing tells how well one of the values is known: a single run, of which no interval is known.
    NoInterval,
    /// A single run on each side, and a difference that is no larger than runs of one drive may have.
    SingleRuns,
    /// The interval of the ratio holds both a difference that matters and none.
    Wide,
    /// One of the values is 0.
    Zero,
    /// Such figures are told and not judged.
    Kind,
}

/// What a judgement rests on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Basis {
    /// The spread between runs of both sides.
    BetweenRuns,
    /// The spread between runs of the side that has several.
    RunsOfOneSide,
    /// The interval within the one run of each side, and a spread between runs that is assumed.
    WithinRun,
}

/// A test that only one group has.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Unpaired {
    /// Place of the group.
    pub group: usize,
    /// Its id.
    pub test: String,
    /// What it is, in a line.
    pub title: Message,
}

/// A purpose, and how good each group's drive is for it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ComparedPurpose {
    /// Its id, as `db-light`.
    pub purpose: String,
    /// What it is, in a few words.
    pub title: Message,
    /// Each group's verdict; `None` where too little is known for one.
    pub verdicts: Vec<Option<Verdict>>,
}

/// A fact in which groups differ.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FactDifference {
    /// Its name, as `kernel` ([`crate::facts`]).
    pub name: String,
    /// Each group's values, in order and each once: several where its runs differ, none where it is not known.
    pub values: Vec<Vec<String>>,
}

/// Compares `groups` with the one at place `base`, in the figures `wanted`, or in all where none are named. Fewer that are judged
/// together are judged more sharply. What the drives are good for is left to who judges purposes.
///
/// # Panics
/// When `base` is no place of a group.
pub fn compare(groups: &[Group], base: usize, wanted: &[Quantity]) -> Comparison {
    assert!(base < groups.len(), "the base is one of the groups");
    let (pairs, mut unpaired) = pairing::pair(groups, base);
    let mut tests: Vec<ComparedTest> =
        pairs.iter().map(|pair| metrics::compared_test(pair, base, wanted)).collect();
    if wanted.is_empty() {
        let (told, apart): (Vec<_>, Vec<_>) =
            tests.into_iter().zip(&pairs).partition(|(test, _)| test.has_figures_of_several());
        tests = told.into_iter().map(|(test, _)| test).collect();
        unpaired.extend(apart.iter().flat_map(|(_, pair)| pair.parted()));
    }
    let judged_together = judgement::judge_together(&mut tests);
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

impl Comparison {
    /// The places of all groups but the base.
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
    /// Whether the method differs in more than how much was read or written, or for how long.
    pub fn is_near(&self) -> bool {
        !Difference::are_of_scale(&self.differences)
    }
}
