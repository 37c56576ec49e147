//! Claims about a drive, compared with findings: "V30: at least 30 MB/s", "64 GB", "a flush reaches the medium".

use serde::{Deserialize, Serialize};

use crate::doubt::Doubt;
use crate::estimate::Estimate;
use crate::metric::Unit;
use crate::verdict::FindingOutcome;
use crate::{JsonSchema, Message};

/// A statement about a drive that a suite checks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Claim {
    /// Its id on the command line and in Reports, such as `v30` or `capacity`.
    pub id: String,
    /// The statement, such as `V30: 30 MB/s sequential write`.
    pub statement: Message,
    /// Source of the claim, such as `the card's SSR register`; `None` if the drive does not make the claim and it is
    /// judged all the same.
    pub said_by: Option<Message>,
    /// Whether it is true.
    pub outcome: ClaimOutcome,
    /// Why, and how certain that is: sentences.
    pub reasons: Vec<Message>,
    /// The figures it is based on; may be empty.
    pub evidence: Vec<ClaimEvidence>,
}

/// Whether a claim is true.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ClaimOutcome {
    /// The findings agree with it.
    Kept,
    /// The findings contradict it.
    Broken,
    /// It cannot be judged here.
    CannotBeJudged,
}

/// A figure compared with the claim.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ClaimEvidence {
    /// Short title.
    pub name: Message,
    /// Its unit.
    pub unit: Unit,
    /// The claimed limit, in the unit; `None` if the figure is only context.
    pub limit: Option<f64>,
    /// Whether higher is better.
    pub more_is_better: bool,
    /// Measured value over all repeats; `None` if not measured.
    pub measured: Option<Estimate>,
    /// Value of each repeat, in the unit.
    pub tries: Vec<f64>,
    /// Pass, fail or not judged.
    pub outcome: FindingOutcome,
    /// Why it was not judged, or what weakens it.
    pub doubt: Option<Doubt>,
}
