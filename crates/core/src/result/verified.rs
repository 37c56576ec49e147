//! What reading back what was written showed.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{JsonSchema, Message};

/// What became of a block that is not what was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MismatchKind {
    /// Whole, but from an earlier write or run: a write was lost.
    Stale,
    /// Whole, but it belongs in another place.
    Misdirected,
    /// Part of it is from one write, part of it from another.
    Torn,
    /// As it was written, but for some bits.
    Flipped,
    /// Zeros: nothing was ever written here.
    Unwritten,
    /// Something else.
    Damaged,
    /// Not all of it could be read.
    Short,
}

impl MismatchKind {
    /// Its word in JSON and in messages.
    pub fn name(self) -> String {
        crate::text::word_of(&self)
    }
}

/// A block that was read back and is not what was written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Mismatch {
    /// Name of the target.
    pub target: String,
    /// Where it starts, in bytes.
    pub offset_bytes: u64,
    /// How long it is, in bytes.
    pub len_bytes: u64,
    /// What became of it.
    pub kind: MismatchKind,
    /// What should be there: a phrase.
    pub expected: Message,
    /// What is there: a phrase.
    pub found: Message,
}

/// Bad blocks that lie one behind the other and have one reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BadSpan {
    /// Name of the target.
    pub target: String,
    /// Where the first of them starts, in bytes.
    pub offset_bytes: u64,
    /// How long they are together, in bytes.
    pub len_bytes: u64,
    /// What became of them.
    pub kind: MismatchKind,
    /// Which write of the same sequence the first of them is instead; `None` if it is not from it.
    pub found: Option<FoundWrite>,
}

/// A write that a block says it is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FoundWrite {
    /// Its number in its sequence.
    pub number: u64,
    /// Where in its file the block belongs, in bytes.
    pub offset_bytes: u64,
}

impl BadSpan {
    /// Extends the span by the next one if it is adjacent and has the same reason.
    fn extend(&mut self, next: &BadSpan) -> bool {
        let shift =
            |span: &BadSpan| span.found.map(|found| found.offset_bytes.wrapping_sub(span.offset_bytes));
        let goes_on = self.target == next.target
            && self.offset_bytes.checked_add(self.len_bytes) == Some(next.offset_bytes)
            && (self.kind, shift(self)) == (next.kind, shift(next));
        if goes_on {
            self.len_bytes = self.len_bytes.saturating_add(next.len_bytes);
        }
        goes_on
    }
}

/// What reading back showed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Verified {
    /// Blocks that were compared.
    pub blocks: u64,
    /// Blocks that differ.
    pub bad_blocks: u64,
    /// How many of each kind they are; kinds that did not occur are left out.
    #[serde(default)]
    pub kinds: BTreeMap<MismatchKind, u64>,
    /// The first of them.
    pub first: Option<Mismatch>,
    /// Where they lie, in the order in which they were read: the first [`SPANS_MAX`](Self::SPANS_MAX) spans.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub spans: Vec<BadSpan>,
}

impl Verified {
    /// So many spans of bad blocks are kept.
    pub const SPANS_MAX: usize = 256;

    /// Notes where bad blocks lie.
    pub fn note_span(&mut self, span: BadSpan) {
        let is_taken_in = self.spans.last_mut().is_some_and(|last| last.extend(&span));
        if !is_taken_in && self.spans.len() < Self::SPANS_MAX {
            self.spans.push(span);
        }
    }

    /// Adds another worker's.
    pub fn merge(&mut self, other: Self) {
        self.blocks += other.blocks;
        self.bad_blocks += other.bad_blocks;
        other.kinds.into_iter().for_each(|(kind, blocks)| *self.kinds.entry(kind).or_default() += blocks);
        self.first = self.first.take().or(other.first);
        other.spans.into_iter().for_each(|span| self.note_span(span));
    }
}
