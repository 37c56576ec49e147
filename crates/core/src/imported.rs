//! Figures from another program's output.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::JsonSchema;
use crate::direction::{Direction, PerDirection};
use crate::doubt::Doubt;
use crate::estimate::Estimate;
use crate::histogram::Latency;
use crate::quantity::Quantity;
use crate::series::Series;

/// A figure of a test.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Figure {
    /// Reads, writes, trims or syncs; `None` if none of them applies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub direction: Option<Direction>,
    /// The metric.
    pub quantity: Quantity,
    /// Its value in the base unit, with its precision.
    pub estimate: Estimate,
    /// For a spread over windows, their length in nanoseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub window_ns: Option<u64>,
    /// Why it is not the drive's figure, or may not be, if so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub doubt: Option<Doubt>,
}

impl Figure {
    /// A figure without an interval; based on `n` values, 0 if unknown.
    pub fn bare(direction: Option<Direction>, quantity: Quantity, value: f64, n: u64) -> Self {
        Self { direction, quantity, estimate: Estimate::bare(value, n), window_ns: None, doubt: None }
    }

    /// Whether it is hidden.
    pub fn is_withheld(&self) -> bool {
        self.doubt.as_ref().is_some_and(Doubt::withholds)
    }

    /// Whether it is used for judging and is judged itself.
    pub fn is_believed(&self) -> bool {
        !self.doubt.as_ref().is_some_and(Doubt::speaks_against)
    }
}

/// A source's report of one test. Missing values are left out.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Imported {
    /// Its figures.
    pub figures: Vec<Figure>,
    /// Its windows, from a log or a stream; `None` if there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub series: Option<Series>,
    /// Its complete latency distributions by direction; `None` if there are none.
    #[serde(default, skip_serializing_if = "no_latency")]
    pub latency: PerDirection<Option<Latency>>,
    /// Figures that are not compared, by the source's name, as text.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub others: BTreeMap<String, String>,
}

fn no_latency(latency: &PerDirection<Option<Latency>>) -> bool {
    latency.iter().all(|(_, latency)| latency.is_none())
}

/// Source of a Report that this program did not measure.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Source {
    /// The program, with its version if known, such as `fio 3.39`.
    pub program: String,
    /// The format it was read from, such as `fio-normal`.
    pub format: String,
    /// The file as given, or the URL of the publication.
    pub place: String,
    /// Its first line there, from 1; `None` if lines have no meaning.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u64>,
    /// Its author.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub author: Option<String>,
    /// Date of publication or measurement, such as `2013` or `2025-11-05`, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
}

impl Source {
    /// The source for display: a file named `-` was not a file.
    pub fn place_in_words(&self) -> &str {
        if self.place == "-" { "standard input" } else { &self.place }
    }
}
