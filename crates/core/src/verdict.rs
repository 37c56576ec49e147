//! Suitability of a drive for a purpose.

use serde::{Deserialize, Serialize};

use crate::estimate::Estimate;
use crate::metric::Metric;
use crate::{JsonSchema, Message};

/// Level of suitability for a purpose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// A measured figure is insufficient.
    NotEnough,
    /// Too little is known.
    CannotBeJudged,
    /// Sufficient.
    Enough,
    /// The user will not notice the drive. Reports of earlier versions call it comfortable.
    #[serde(alias = "comfortable")]
    Good,
}

/// Result of comparing a figure with a limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FindingOutcome {
    /// The figure meets the limit.
    Pass,
    /// The figure misses the limit.
    Fail,
    /// The figure is missing or unreliable.
    NotJudged,
}

/// The level that a limit applies to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Guards {
    /// A figure that misses the limit is not enough.
    Enough,
    /// A figure that misses the limit is at most enough.
    #[serde(alias = "comfortable")]
    Good,
}

/// A figure compared with a limit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Finding {
    /// The figure's name.
    pub metric: Metric,
    /// The measured value; `None` if not measured.
    pub measured: Option<Estimate>,
    /// The limit in the metric's unit: a minimum if higher is better, a maximum if lower is.
    pub limit: f64,
    /// The level that the limit applies to.
    pub guards: Guards,
    /// Whether the level requires this figure, or only uses it if available.
    pub required: bool,
    /// Pass, fail or not judged.
    pub outcome: FindingOutcome,
    /// Whether the limit lies inside the figure's confidence interval, so that another run may differ.
    pub close: bool,
    /// Source of the limit, in a sentence.
    pub source: Message,
    /// Why it was not judged, a phrase.
    pub doubt: Option<Message>,
}

/// A purpose, its level, and the basis for it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Verdict {
    /// Id of the purpose, such as `db-light`.
    pub purpose: String,
    /// Short title.
    pub title: Message,
    /// The level.
    pub level: Level,
    /// All figures compared.
    pub findings: Vec<Finding>,
}
