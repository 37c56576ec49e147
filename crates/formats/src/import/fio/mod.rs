//! fio's outputs: text for people, terse, JSON, logs.
//!
//! What they share: [`commands`] (command lines and job files that stand around an output), [`method`] (how a job was done,
//! from these or from what the output repeats), [`units`] (numbers with their units), [`stream`] (what was
//! done at several times).

pub(super) mod batch;
mod commands;
pub(super) mod json;
pub(super) mod log;
mod method;
pub(super) mod normal;
mod stream;
pub(super) mod terse;
mod units;

use cardiograph_core::Direction;
use cardiograph_core::imported::Figure;
use cardiograph_core::quantity::{LatencyKind, Quantity, Statistic};

/// fio, as methods and sources have it.
const TOOL: &str = "fio";

/// No histogram counts more.
const COUNT_MAX: u64 = 1 << 48;

/// Figures of a test in the making.
#[derive(Debug, Clone, Default, PartialEq)]
struct Figures(Vec<Figure>);

impl Figures {
    fn add(&mut self, direction: Option<Direction>, quantity: Quantity, value: f64, n: u64) {
        self.0.push(Figure::bare(direction, quantity, value, n));
    }

    /// Minimum, maximum, mean and deviation in nanoseconds.
    fn latency(&mut self, direction: Option<Direction>, kind: LatencyKind, of: Summary, n: u64) {
        for (statistic, value) in of.parts() {
            self.add(direction, Quantity::Latency(kind, statistic), value, n);
        }
    }

    /// The same of windows' bandwidth in bytes per second, or of their I/Os per second.
    fn windows(
        &mut self,
        direction: Option<Direction>,
        quantity: fn(Statistic) -> Quantity,
        of: Summary,
        n: u64,
        window_ns: Option<u64>,
    ) {
        for (statistic, value) in of.parts() {
            self.add(direction, quantity(statistic), value, n);
            self.0.last_mut().expect("one was added").window_ns = window_ns;
        }
    }
}

/// What fio tells of many values.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Summary {
    min: f64,
    max: f64,
    mean: f64,
    stdev: f64,
}

impl Summary {
    fn scaled(self, factor: f64) -> Self {
        let Self { min, max, mean, stdev } = self;
        Self { min: min * factor, max: max * factor, mean: mean * factor, stdev: stdev * factor }
    }

    fn parts(self) -> [(Statistic, f64); 4] {
        [
            (Statistic::Min, self.min),
            (Statistic::Mean, self.mean),
            (Statistic::Stdev, self.stdev),
            (Statistic::Max, self.max),
        ]
    }
}
