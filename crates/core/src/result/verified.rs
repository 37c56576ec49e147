//! Results of verifying written data.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{JsonSchema, Message};

/// How a block differs from the data written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MismatchKind {
    /// Intact, but from an earlier write or run: a write was lost.
    Stale,
    /// Intact, but belongs at another position.
    Misdirected,
    /// Parts of two different writes.
    Torn,
    /// As written, except for some bits.
    Flipped,
    /// Zeros: nothing was ever written here.
    Unwritten,
    /// Something else.
    Damaged,
    /// Not fully readable.
    Short,
}

impl MismatchKind {
    /// Its name in JSON and in messages.
    pub fn name(self) -> String {
        crate::text::word_of(&self)
    }
}

/// A block that differs from the data written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Mismatch {
    /// Name of the target.
    pub target: String,
    /// Offset in bytes.
    pub offset_bytes: u64,
    /// Length in bytes.
    pub len_bytes: u64,
    /// How it differs.
    pub kind: MismatchKind,
    /// Expected content: a phrase.
    pub expected: Message,
    /// Content found: a phrase.
    pub found: Message,
}

/// Adjacent bad blocks with the same reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BadSpan {
    /// Name of the target.
    pub target: String,
    /// Offset of the first, in bytes.
    pub offset_bytes: u64,
    /// Total length in bytes.
    pub len_bytes: u64,
    /// How they differ.
    pub kind: MismatchKind,
    /// The write in the same sequence that the first block is from instead; `None` if it is not from one.
    pub found: Option<FoundWrite>,
}

/// The write that a block claims to be from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FoundWrite {
    /// Its number in its sequence.
    pub number: u64,
    /// The block's offset in its file, in bytes.
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

/// Result of a verification.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Verified {
    /// Blocks that were compared.
    pub blocks: u64,
    /// Blocks that differ.
    pub bad_blocks: u64,
    /// Number by kind; kinds that did not occur are left out.
    #[serde(default)]
    pub kinds: BTreeMap<MismatchKind, u64>,
    /// The first differing block.
    pub first: Option<Mismatch>,
    /// Their locations in the order read: the first [`SPANS_MAX`](Self::SPANS_MAX) spans.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub spans: Vec<BadSpan>,
}

impl Verified {
    /// Maximum number of spans of bad blocks.
    pub const SPANS_MAX: usize = 256;

    /// Records the location of bad blocks.
    pub fn note_span(&mut self, span: BadSpan) {
        let is_taken_in = self.spans.last_mut().is_some_and(|last| last.extend(&span));
        if !is_taken_in && self.spans.len() < Self::SPANS_MAX {
            self.spans.push(span);
        }
    }

    /// Adds another worker's results.
    pub fn merge(&mut self, other: Self) {
        self.blocks += other.blocks;
        self.bad_blocks += other.bad_blocks;
        other.kinds.into_iter().for_each(|(kind, blocks)| *self.kinds.entry(kind).or_default() += blocks);
        self.first = self.first.take().or(other.first);
        other.spans.into_iter().for_each(|span| self.note_span(span));
    }
}
