//! What the figures mean for a purpose.

use serde::{Deserialize, Serialize};

use crate::estimate::Estimate;
use crate::metric::Metric;
use crate::{JsonSchema, Message};

/// How good a drive is for a purpose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// Something that was measured is too little.
    NotEnough,
    /// Too little is known.
    CannotBeJudged,
    /// It will do.
    Enough,
    /// It will not be noticed.
    Comfortable,
}

/// What comparing a figure with a limit gave.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FindingOutcome {
    /// The figure keeps the limit.
    Pass,
    /// It does not.
    Fail,
    /// The figure is missing or unreliable.
    NotJudged,
}

/// Which level a limit guards.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Guards {
    /// A figure beyond the limit is not enough.
    Enough,
    /// A figure beyond the limit is at most enough.
    Comfortable,
}

/// A figure compared with a limit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Finding {
    /// The figure's name.
    pub metric: Metric,
    /// What was measured; `None` when it was not.
    pub measured: Option<Estimate>,
    /// The limit in the metric's unit: a minimum where more is better, a maximum where less is.
    pub limit: f64,
    /// The level that the limit guards.
    pub guards: Guards,
    /// Whether the level needs this figure, or only takes it into account when there is one.
    pub required: bool,
    /// Pass, fail or not judged.
    pub outcome: FindingOutcome,
    /// Whether the limit lies inside the figure's confidence interval, so that another run may come out otherwise.
    pub close: bool,
    /// Where the limit comes from, in a sentence.
    pub source: Message,
    /// Why it was not judged, a phrase.
    pub doubt: Option<Message>,
}

/// A purpose, its level, and what that rests on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Verdict {
    /// Id of the purpose, as `db-light`.
    pub purpose: String,
    /// What the purpose is, in a few words.
    pub title: Message,
    /// The level.
    pub level: Level,
    /// All figures that were looked at.
    pub findings: Vec<Finding>,
}
