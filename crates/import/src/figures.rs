//! Figures of a test in the making.

use cardiograph_core::direction::Direction;
use cardiograph_core::imported::{Figure, Imported};
use cardiograph_core::quantity::{LatencyKind, Quantity, Statistic};

/// Figures of a test in the making.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Figures(pub(super) Vec<Figure>);

impl Figures {
    /// Takes in one; `n` values are behind it, 0 where that is not told.
    pub(super) fn add(&mut self, direction: Option<Direction>, quantity: Quantity, value: f64, n: u64) {
        self.0.push(Figure::bare(direction, quantity, value, n));
    }

    /// Takes in a figure of latencies, in nanoseconds.
    pub(super) fn latency(&mut self, direction: Option<Direction>, statistic: Statistic, ns: f64, n: u64) {
        self.add(direction, Quantity::Latency(LatencyKind::Total, statistic), ns, n);
    }

    /// Takes in minimum, maximum, mean and deviation of latencies, in nanoseconds.
    pub(super) fn latencies(&mut self, direction: Option<Direction>, kind: LatencyKind, of: Summary, n: u64) {
        for (statistic, value) in of.parts() {
            self.add(direction, Quantity::Latency(kind, statistic), value, n);
        }
    }

    /// Takes in the same of windows' bandwidth in bytes per second, or of their I/Os per second. [`Figures::windows_are`] says how
    /// long windows are.
    pub(super) fn windows(
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

    /// Length of the windows of all figures of windows that there are so far; `None` where it is not known.
    pub(super) fn windows_are(&mut self, window_ns: Option<u64>) {
        let is_of_windows = |figure: &&mut Figure| {
            matches!(figure.quantity, Quantity::WindowBandwidth(_) | Quantity::WindowIops(_))
        };
        self.0.iter_mut().filter(is_of_windows).for_each(|figure| figure.window_ns = window_ns);
    }

    /// All of them.
    pub(super) fn imported(self) -> Imported {
        Imported { figures: self.0, ..Imported::default() }
    }
}

/// What a program tells of many values.
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
