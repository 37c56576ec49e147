//! The results of reading back, and the kind of fake that explains them.

use std::collections::BTreeMap;

use cardiograph_core::report::{StepOutcome, StepResult};
use cardiograph_core::result::{BadSpan, MismatchKind, Verified};
use cardiograph_core::{Doubt, Message};

use super::miss::CELL_BYTES;
use super::plan::{BLOCK_BYTES, Proof, ProofKind, Turn, WRITE_BYTES};

/// Share of lost blocks below which a drive is defective and not a fake.
const DEFECT_SHARE: f64 = 1.0 / 256.0;
/// Share of bad blocks of the other kind from which a limbo or a wrap is a chain.
const CHAIN_SHARE: f64 = 1.0 / 16.0;

/// The results of reading back.
#[derive(Debug, Clone, Default)]
pub(super) struct Evidence {
    /// Bytes that were read back and compared.
    pub checked_bytes: u64,
    /// Bytes of them that differ from the written data.
    pub bad_bytes: u64,
    /// Bytes of a device that an earlier checkup wrote and that have changed since: other programs may have written there.
    pub changed_bytes: u64,
    /// Bad blocks by kind.
    kinds: BTreeMap<MismatchKind, u64>,
    /// Offset of the first bad block in the whole tested range, in bytes.
    pub first_bad_bytes: Option<u64>,
    /// Known distances of misplaced blocks from their proper positions, in bytes.
    distances: Vec<u64>,
    /// Good bytes at the end of the range, after the last bad block.
    pub good_tail_bytes: u64,
    /// The step that failed or was stopped, and the cause.
    pub ended_by: Option<(Message, Doubt)>,
    /// Whether all reads are complete.
    pub is_complete: bool,
}

/// Kinds of drives that lose data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fake {
    /// It drops data beyond its real end.
    Limbo,
    /// It wraps around to its start.
    Wrap,
    /// It does both.
    Chain,
    /// It loses single blocks: a defect.
    Defect,
}

impl Evidence {
    /// Collects the evidence of the steps so far.
    pub fn collect(proof: &Proof, done: &[StepResult]) -> Self {
        let mut evidence = Self::default();
        let mut reads = 0;
        for step in done {
            if let Some(ended) = step.outcome.doubt() {
                evidence.ended_by = Some((step.step.title.clone(), ended));
            }
            if let (Some(Turn::Read(part)), Some(result)) = (proof.turn(&step.step), &step.result) {
                reads += u32::from(step.outcome == StepOutcome::Done);
                let verified = result.workers.iter().filter_map(|worker| worker.verified.as_ref());
                for verified in verified {
                    evidence.take(proof, part, verified);
                }
            }
        }
        evidence.is_complete = reads == proof.parts();
        evidence
    }

    fn take(&mut self, proof: &Proof, part: u32, verified: &Verified) {
        // Other programs may have written to a device between two checkups. But a block that belongs to another position of
        // the same proof was not written by them.
        let counts = |kind: MismatchKind| !proof.is_open_to_others(part) || kind == MismatchKind::Misdirected;
        let mut bad_blocks = 0;
        for (&kind, &blocks) in &verified.kinds {
            if counts(kind) {
                *self.kinds.entry(kind).or_default() += blocks;
                bad_blocks += blocks;
            } else {
                self.changed_bytes += blocks * BLOCK_BYTES;
            }
        }
        self.checked_bytes += verified.blocks * BLOCK_BYTES;
        self.bad_bytes += bad_blocks * BLOCK_BYTES;
        let spans: Vec<BadSpan> = verified.spans.iter().filter(|span| counts(span.kind)).cloned().collect();
        self.take_spans(proof, part, &spans, bad_blocks * BLOCK_BYTES);
    }

    fn take_spans(&mut self, proof: &Proof, part: u32, spans: &[BadSpan], bad_bytes: u64) {
        let start_bytes = proof.file_start_bytes(part);
        for span in spans {
            let span_start_bytes = start_bytes + span.offset_bytes;
            let first = self.first_bad_bytes.map_or(span_start_bytes, |first| first.min(span_start_bytes));
            self.first_bad_bytes = Some(first);
            if let Some(found) = span.found {
                let proper_bytes = match proof.kind {
                    ProofKind::Sample { .. } => found.offset_bytes,
                    // The number of a write identifies its part.
                    ProofKind::Full { .. } => found.number * WRITE_BYTES + found.offset_bytes % WRITE_BYTES,
                };
                self.distances.push(proper_bytes.abs_diff(span_start_bytes));
            }
        }
        // The end of the last span is the end of the bad blocks only if all spans are known.
        let known_bytes: u64 = spans.iter().map(|span| span.len_bytes).sum();
        if let Some(end) = spans.iter().map(|span| span.offset_bytes + span.len_bytes).max() {
            let is_known = known_bytes == bad_bytes;
            let part_end = proof.part_start_bytes(part) + proof.part_len_bytes(part);
            self.good_tail_bytes = if is_known { part_end.saturating_sub(start_bytes + end) } else { 0 };
        } else if self.bad_bytes > 0 {
            self.good_tail_bytes += proof.part_len_bytes(part);
        }
    }

    fn blocks(&self, kinds: &[MismatchKind]) -> f64 {
        kinds.iter().filter_map(|kind| self.kinds.get(kind)).sum::<u64>() as f64
    }

    /// Bytes that were read back as written.
    pub fn good_bytes(&self) -> u64 {
        self.checked_bytes.saturating_sub(self.bad_bytes + self.changed_bytes)
    }

    /// The kind of fake; `None` if no block is bad.
    pub fn fake(&self) -> Option<Fake> {
        use MismatchKind::{Damaged, Misdirected, Stale, Unwritten};
        if self.bad_bytes == 0 {
            return None;
        }
        let (moved, lost) = (self.blocks(&[Misdirected]), self.blocks(&[Unwritten, Damaged, Stale]));
        let checked = (self.checked_bytes / BLOCK_BYTES) as f64;
        Some(match (moved, lost) {
            _ if moved == 0.0 && lost < checked * DEFECT_SHARE => Fake::Defect,
            _ if moved <= lost * CHAIN_SHARE => Fake::Limbo,
            _ if lost <= moved * CHAIN_SHARE => Fake::Wrap,
            _ => Fake::Chain,
        })
    }

    /// The drive's real capacity: lower bound, most likely value and upper bound, in bytes.
    pub fn real_bytes(&self, proof: &Proof) -> (u64, u64, u64) {
        let claimed_bytes = proof.ground.claimed_bytes;
        let most = |bytes: u64| bytes.min(claimed_bytes.saturating_sub(self.bad_bytes));
        match &proof.kind {
            ProofKind::Full { .. } => {
                // The untested space may be real, too.
                let good = self.good_bytes();
                let likely = self.period_bytes(good).unwrap_or(good);
                (good, most(likely), most(good + proof.ground.untested_bytes()))
            }
            ProofKind::Sample { .. } => {
                let moved = self.blocks(&[MismatchKind::Misdirected]);
                let likely = if moved > 0.0 { self.estimate_places(proof, moved) } else { self.good_share() };
                let likely = (likely * claimed_bytes as f64) as u64;
                let likely = self.period_bytes(likely).unwrap_or(likely);
                (0, most(likely), most(claimed_bytes))
            }
        }
    }

    fn good_share(&self) -> f64 {
        self.good_bytes() as f64 / self.checked_bytes.max(1) as f64
    }

    /// The estimated share of the claimed places that exist, from the number of drawn cells that were overwritten by another:
    /// if `a` cells share `m` places and the share `f` of the cells was drawn, `m (1 - (1 - f)^(a/m))` of these are the last
    /// on their place.
    fn estimate_places(&self, proof: &Proof, moved: f64) -> f64 {
        use MismatchKind::{Damaged, Stale, Unwritten};
        let cell_blocks = (CELL_BYTES / BLOCK_BYTES) as f64;
        let drawn = (self.checked_bytes / CELL_BYTES) as f64;
        let alive = drawn - self.blocks(&[Unwritten, Damaged, Stale]) / cell_blocks;
        let last = alive - moved / cell_blocks;
        let cells = (proof.ground.tested_bytes / CELL_BYTES) as f64;
        let share_drawn = (drawn / cells).min(1.0 - f64::EPSILON);
        let sharing = cells * alive / drawn.max(1.0);
        let (mut low, mut high) = (1.0_f64, cells);
        for _ in 0..64 {
            let places = (low + high) / 2.0;
            let expected = places * -libm::expm1(sharing / places * libm::log1p(-share_drawn));
            if expected < last { low = places } else { high = places }
        }
        low * CELL_BYTES as f64 / proof.ground.claimed_bytes as f64
    }

    /// The period of a wrap, if the distances of bad blocks have one close to `likely_bytes`: in a file without fragments
    /// they are multiples of the real capacity.
    fn period_bytes(&self, likely_bytes: u64) -> Option<u64> {
        // The period of a chain is greater than its capacity.
        self.fake().filter(|&fake| fake == Fake::Wrap)?;
        let distances = self.distances.iter().copied().filter(|&distance| distance > 0);
        let period = distances.clone().reduce(greatest_common_divisor)?;
        let is_likely = period >= likely_bytes / 2 && period <= likely_bytes.saturating_mul(2);
        (distances.count() >= 2 && is_likely).then_some(period)
    }
}

fn greatest_common_divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}
