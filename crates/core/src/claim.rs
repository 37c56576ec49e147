//! Claims about a drive, compared with findings: "V30: at least 30 MB/s", "64 GB", "a flush reaches the
//! medium".

use serde::{Deserialize, Serialize};

use crate::doubt::Doubt;
use crate::estimate::Estimate;
use crate::metric::Unit;
use crate::verdict::FindingOutcome;
use crate::{JsonSchema, Message};

/// A statement about a drive that a suite looks into.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Claim {
    /// Its id on the command line and in Reports, as `v30` or `capacity`.
    pub id: String,
    /// The statement, as `V30: 30 MB/s sequential write`.
    pub statement: Message,
    /// Source of the claim, such as `the card's SSR register`; `None` when the drive does not claim it and it
    /// is judged all the same.
    pub said_by: Option<Message>,
    /// Whether it holds.
    pub outcome: ClaimOutcome,
    /// Why, and how sure that is: sentences.
    pub reasons: Vec<Message>,
    /// The figures that it rests on; may be empty.
    pub evidence: Vec<ClaimEvidence>,
}

/// Whether a claim holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ClaimOutcome {
    /// What was found agrees with it.
    Kept,
    /// What was found contradicts it.
    Broken,
    /// It cannot be judged here.
    CannotBeJudged,
}

/// A figure compared with the claim.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ClaimEvidence {
    /// What was measured, in a few words.
    pub name: Message,
    /// What it is counted in.
    pub unit: Unit,
    /// The claimed limit, in the unit; `None` if the figure is only context.
    pub limit: Option<f64>,
    /// Whether more of it is better.
    pub more_is_better: bool,
    /// What was measured, over all tries; `None` when it was not.
    pub measured: Option<Estimate>,
    /// What each try gave, in the unit.
    pub tries: Vec<f64>,
    /// Pass, fail or not judged.
    pub outcome: FindingOutcome,
    /// Why it was not judged, or what weakens it.
    pub doubt: Option<Doubt>,
}
