//! Trust in figures: the traps checked for, and what is known of each figure.

use serde::{Deserialize, Serialize};

use crate::JsonSchema;
use crate::direction::Direction;
use crate::message::{Message, Sentences};

/// A trap checked for: something that can distort a figure.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TrapCheck {
    /// Its name, such as `page_cache`.
    pub trap: String,
    /// Description: a phrase.
    pub title: Message,
    /// Result of the check.
    pub outcome: TrapOutcome,
}

/// Result of checking for a trap.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum TrapOutcome {
    /// Not present.
    Absent,
    /// Present.
    Present(Warning),
    /// Could not be checked.
    NotSeen {
        /// Why: a sentence.
        why: Message,
    },
}

/// A trap that is present.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Warning {
    /// Severity.
    pub weight: Weight,
    /// Findings with numbers: sentences.
    pub seen: Vec<Message>,
    /// Effect on the figures, or what to do: sentences.
    pub meaning: Vec<Message>,
}

/// Severity of a trap, least first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Weight {
    /// The figures are valid; note it when comparing them.
    Note,
    /// The figures are of something other than the drive, or of the drive in a bad state.
    Caution,
    /// The figures are unreliable.
    Spoils,
}

impl Warning {
    /// A note to show with the figures.
    pub fn note(seen: impl Into<Sentences>, meaning: impl Into<Sentences>) -> Self {
        let (Sentences(seen), Sentences(meaning)) = (seen.into(), meaning.into());
        Self { weight: Weight::Note, seen, meaning }
    }

    /// A trap by which the figures are of something other than the drive, or of a bad state.
    pub fn caution(seen: impl Into<Sentences>, meaning: impl Into<Sentences>) -> Self {
        Self { weight: Weight::Caution, ..Self::note(seen, meaning) }
    }

    /// A trap that makes the figures unreliable.
    pub fn spoils(seen: impl Into<Sentences>, meaning: impl Into<Sentences>) -> Self {
        Self { weight: Weight::Spoils, ..Self::note(seen, meaning) }
    }
}

impl TrapOutcome {
    /// A trap that could not be checked.
    pub const fn not_seen(why: Message) -> Self {
        Self::NotSeen { why }
    }

    /// The trap, if present.
    pub fn warning(&self) -> Option<&Warning> {
        match self {
            Self::Present(warning) => Some(warning),
            Self::Absent | Self::NotSeen { .. } => None,
        }
    }
}

/// What is known of the figures of one direction of a step. `None`: unknown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Standing {
    /// Read, write or trim.
    pub direction: Direction,
    /// Whether the bytes reached the drive: the kernel counted them, and the link could carry them.
    pub reached_device: Option<bool>,
    /// Whether each write was made durable before it counted; `None` for reads.
    pub durable: Option<bool>,
    /// Whether the rate was constant from start to end.
    pub steady: Option<bool>,
    /// Whether heat or voltage throttled the drive or processor.
    pub throttled: Option<bool>,
    /// Whether the link between host and drive was at its limit.
    pub link_limited: Option<bool>,
    /// Whether this program or its processors were at their limit.
    pub harness_limited: Option<bool>,
}

impl Standing {
    /// Whether the figures are of something other than the drive, so that they must not be shown as its own.
    pub fn is_contradicted(&self) -> bool {
        self.reached_device == Some(false)
    }
}
