//! Whether a figure can be believed: the traps that were looked for, and what is known of each figure.

use serde::{Deserialize, Serialize};

use crate::JsonSchema;
use crate::direction::Direction;
use crate::message::{Message, Sentences};

/// A trap that was looked for: something that can spoil a figure.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TrapCheck {
    /// Its name, as `page_cache`.
    pub trap: String,
    /// What is looked for: a phrase.
    pub title: Message,
    /// What came of it.
    pub outcome: TrapOutcome,
}

/// What came of looking for a trap.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum TrapOutcome {
    /// It is not there.
    Absent,
    /// It is there.
    Present(Warning),
    /// It could not be looked for.
    NotSeen {
        /// Why: a sentence.
        why: Message,
    },
}

/// A trap that is there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Warning {
    /// How much hangs on it.
    pub weight: Weight,
    /// What was seen, with its numbers: sentences.
    pub seen: Vec<Message>,
    /// What that means for the figures, or what to do: sentences.
    pub meaning: Vec<Message>,
}

/// How much hangs on a trap that is there, the least first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Weight {
    /// The figures stand; a reader should know it when comparing them.
    Note,
    /// The figures are of something else than the drive, or of the drive in a bad moment.
    Caution,
    /// The figures cannot be believed.
    Spoils,
}

impl Warning {
    /// A note to show with the figures.
    pub fn note(seen: impl Into<Sentences>, meaning: impl Into<Sentences>) -> Self {
        let (Sentences(seen), Sentences(meaning)) = (seen.into(), meaning.into());
        Self { weight: Weight::Note, seen, meaning }
    }

    /// One by which the figures are of something else, or of a bad moment.
    pub fn caution(seen: impl Into<Sentences>, meaning: impl Into<Sentences>) -> Self {
        Self { weight: Weight::Caution, ..Self::note(seen, meaning) }
    }

    /// One by which the figures cannot be believed.
    pub fn spoils(seen: impl Into<Sentences>, meaning: impl Into<Sentences>) -> Self {
        Self { weight: Weight::Spoils, ..Self::note(seen, meaning) }
    }
}

impl TrapOutcome {
    /// A trap that could not be looked for.
    pub const fn not_seen(why: Message) -> Self {
        Self::NotSeen { why }
    }

    /// The trap, if it is there.
    pub fn warning(&self) -> Option<&Warning> {
        match self {
            Self::Present(warning) => Some(warning),
            Self::Absent | Self::NotSeen { .. } => None,
        }
    }
}

/// What is known of the figures of one direction of a step. `None`: it is not known.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Standing {
    /// Read, write or trim.
    pub direction: Direction,
    /// Whether the bytes went over the wire: the kernel counted them, and the link could carry them.
    pub reached_device: Option<bool>,
    /// Whether each write was made durable before it counted; `None` for reads.
    pub durable: Option<bool>,
    /// Whether the rate kept its level from beginning to end.
    pub steady: Option<bool>,
    /// Whether heat or voltage slowed drive or processor down meanwhile.
    pub throttled: Option<bool>,
    /// Whether the link between host and drive was at its limit.
    pub link_limited: Option<bool>,
    /// Whether this program or its processors were at their limit.
    pub harness_limited: Option<bool>,
}

impl Standing {
    /// Whether the figures are those of something else than the drive, so that they must not be shown as its own.
    pub fn is_contradicted(&self) -> bool {
        self.reached_device == Some(false)
    }
}
