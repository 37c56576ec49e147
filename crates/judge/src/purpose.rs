//! Purposes as data: uses of a drive, and their requirements.

use cardiograph_core::Message;
use cardiograph_core::metric::Metric;
use cardiograph_core::verdict::Guards;

/// A use of a drive, and its requirements.
#[derive(Debug, Clone)]
pub struct Purpose {
    /// Its id on the command line and in reports.
    pub id: &'static str,
    /// Title, in a few words.
    pub title: Message,
    /// Its requirements.
    pub rules: &'static [Rule],
}

/// A limit for a figure.
#[derive(Debug, Clone)]
pub struct Rule {
    /// Figures that can prove it, best first. They have the same unit.
    pub evidence: &'static [Evidence],
    /// The limit in the unit of the figures: a minimum if more is better, a maximum if less is.
    pub limit: f64,
    /// The level that depends on it.
    pub guards: Guards,
    /// Whether the level needs the figure, or only considers it if present.
    pub required: bool,
    /// Source of the limit, in a sentence.
    pub source: Message,
}

/// How a figure relates to a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Evidence {
    /// It is what the rule asks for.
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

    /// Whether the figure decides the rule when it passes, or when it fails.
    pub const fn settles(self, passes: bool) -> bool {
        match self {
            Evidence::Same(_) => true,
            Evidence::Harder(_) => passes,
            Evidence::Easier(_) => !passes,
        }
    }
}
