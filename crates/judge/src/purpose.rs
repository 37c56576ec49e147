//! A purpose as data: what a drive is used for, and what that asks of it.

use cardiograph_core::Message;
use cardiograph_core::metric::Metric;
use cardiograph_core::verdict::Guards;

/// Something that a drive is used for, and what that asks of it.
#[derive(Debug, Clone)]
pub struct Purpose {
    /// Its id on the command line and in reports.
    pub id: &'static str,
    /// What it is, in a few words.
    pub title: Message,
    /// What it asks.
    pub rules: &'static [Rule],
}

/// A limit that a figure has to keep.
#[derive(Debug, Clone)]
pub struct Rule {
    /// The figures that can show it, the best first. They have one unit.
    pub evidence: &'static [Evidence],
    /// The limit in the unit of the figures: a minimum where more is better, a maximum where less is.
    pub limit: f64,
    /// The level that it guards.
    pub guards: Guards,
    /// Whether the level needs the figure, or only takes it into account when there is one.
    pub required: bool,
    /// Where the limit comes from, in a sentence.
    pub source: Message,
}

/// How a figure speaks about what a rule asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Evidence {
    /// It is what the rule asks about.
    Same(Metric),
    /// It was measured under harder conditions: keeping the limit proves it, missing the limit proves nothing.
    Harder(Metric),
    /// It was measured under easier conditions: missing the limit proves it, keeping the limit proves nothing.
    Easier(Metric),
}

impl Evidence {
    /// The figure.
    pub const fn metric(self) -> Metric {
        let (Evidence::Same(metric) | Evidence::Harder(metric) | Evidence::Easier(metric)) = self;
        metric
    }

    /// Whether the figure settles the rule when it passes, or when it fails.
    pub const fn settles(self, passes: bool) -> bool {
        match self {
            Evidence::Same(_) => true,
            Evidence::Harder(_) => passes,
            Evidence::Easier(_) => !passes,
        }
    }
}
