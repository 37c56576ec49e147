//! Figures of a test under construction.

use cardiograph_core::direction::Direction;
use cardiograph_core::imported::{Figure, Imported};
use cardiograph_core::quantity::{LatencyKind, Quantity, Statistic};

/// Figures of a test under construction.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Figures(pub(super) Vec<Figure>);

impl Figures {
    /// Adds a figure based on `n` values, 0 if unknown.
    pub(super) fn add(&mut self, direction: Option<Direction>, quantity: Quantity, value: f64, n: u64) {
        self.0.push(Figure::bare(direction, quantity, value, n));
    }

    /// Adds a statistic of total latency, in nanoseconds.
    pub(super) fn add_latency(
        &mut self,
        direction: Option<Direction>,
        statistic: Statistic,
        ns: f64,
        n: u64,
    ) {
        self.add(direction, Quantity::Latency(LatencyKind::Total, statistic), ns, n);
    }

    /// Adds minimum, maximum, mean and deviation of a latency, in nanoseconds.
    pub(super) fn add_latencies(
        &mut self,
        direction: Option<Direction>,
        kind: LatencyKind,
        of: Summary,
        n: u64,
    ) {
        for (statistic, value) in of.parts() {
            self.add(direction, Quantity::Latency(kind, statistic), value, n);
        }
    }

    /// Adds the same statistics of bandwidth (bytes per second) or IOPS over windows. [`Figures::set_window`] sets
    /// their length.
    pub(super) fn add_windows(
        &mut self,
        direction: Option<Direction>,
        quantity: fn(Statistic) -> Quantity,
        of: Summary,
        n: u64,
    ) {
        for (statistic, value) in of.parts() {
            self.add(direction, quantity(statistic), value, n);
        }
    }

    /// Sets the window length of all window figures added so far; `None` if unknown.
    pub(super) fn set_window(&mut self, window_ns: Option<u64>) {
        let of_windows = self.0.iter_mut().filter(|figure| figure.quantity.is_of_windows());
        of_windows.for_each(|figure| figure.window_ns = window_ns);
    }

    pub(super) fn into_imported(self) -> Imported {
        Imported { figures: self.0, ..Imported::default() }
    }
}

/// Statistics of many values.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Summary {
    pub(super) min: f64,
    pub(super) max: f64,
    pub(super) mean: f64,
    pub(super) stdev: f64,
}

impl Summary {
    pub(super) fn scaled(self, factor: f64) -> Self {
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
