//! What reading back showed, and which kind of drive does that.

use std::collections::BTreeMap;

use cardiograph_core::report::{StepOutcome, StepResult};
use cardiograph_core::result::{BadSpan, MismatchKind, Verified};
use cardiograph_core::{Doubt, Message};

use super::miss::CELL_BYTES;
use super::plan::{BLOCK_BYTES, Proof, ProofKind, Turn, WRITE_BYTES};

/// A share of lost blocks below which a drive is defective, and not a fake.
const DEFECT_SHARE: f64 = 1.0 / 256.0;
/// A share of bad blocks of the other kind that makes a chain of a limbo or a wrap.
const CHAIN_SHARE: f64 = 1.0 / 16.0;

/// What reading back showed.
#[derive(Debug, Clone, Default)]
pub(super) struct Evidence {
    /// Bytes that were read back and compared.
    pub checked_bytes: u64,
    /// Bytes of them that are not what was written.
    pub bad_bytes: u64,
    /// Bytes of a device that an earlier checkup wrote and that hold something else now: somebody may have written there.
    pub changed_bytes: u64,
    /// Blocks by what became of them.
    kinds: BTreeMap<MismatchKind, u64>,
    /// Where the first of them lies in all that was written, in bytes.
    pub first_bad_bytes: Option<u64>,
    /// How far bad blocks are from where they belong, in bytes, as far as that is known.
    distances: Vec<u64>,
    /// Bytes at the end of what was read that came back right behind bad ones.
    pub good_tail_bytes: u64,
    /// The step that failed or was stopped, and how.
    pub ended_by: Option<(Message, Doubt)>,
    /// Whether all that was to be read was.
    pub is_complete: bool,
}

/// Kinds of drives that do not hold what was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fake {
    /// It forgets what lies behind its real end.
    Limbo,
    /// It starts again at its front.
    Wrap,
    /// It does both.
    Chain,
    /// It loses single blocks: a defect.
    Defect,
}

impl Evidence {
    /// What the steps so far showed.
    pub fn of(proof: &Proof, done: &[StepResult]) -> Self {
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
        // Between two checkups of a device others may have written to it. What another place of the same proof holds, nobody
        // else wrote.
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
            let at_bytes = start_bytes + span.offset_bytes;
            let first = self.first_bad_bytes.map_or(at_bytes, |first| first.min(at_bytes));
            self.first_bad_bytes = Some(first);
            if let Some(found) = span.found {
                let belongs_at = match proof.kind {
                    ProofKind::Sample { .. } => found.offset_bytes,
                    // A write of a part says by its number which part it is of.
                    ProofKind::Full { .. } => found.number * WRITE_BYTES + found.offset_bytes % WRITE_BYTES,
                };
                self.distances.push(belongs_at.abs_diff(at_bytes));
            }
        }
        // Only where each span is known is the end of the last one that of the bad blocks.
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

    /// Bytes that came back as they were written.
    pub fn good_bytes(&self) -> u64 {
        self.checked_bytes.saturating_sub(self.bad_bytes + self.changed_bytes)
    }

    /// Which kind of drive does that; `None` when nothing is wrong.
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

    /// What the drive holds in truth, as far as that follows: the least, the likeliest and the most, in bytes.
    pub fn real_bytes(&self, proof: &Proof) -> (u64, u64, u64) {
        let claimed_bytes = proof.ground.claimed_bytes;
        let most = |bytes: u64| bytes.min(claimed_bytes.saturating_sub(self.bad_bytes));
        match &proof.kind {
            ProofKind::Full { .. } => {
                // What others hold may be real as well.
                let good = self.good_bytes();
                let likely = self.period_bytes(good).unwrap_or(good);
                (good, most(likely), most(good + proof.ground.untested_bytes()))
            }
            ProofKind::Sample { .. } => {
                let moved = self.blocks(&[MismatchKind::Misdirected]);
                let likely = if moved > 0.0 { self.places(proof, moved) } else { self.good_share() };
                let likely = (likely * claimed_bytes as f64) as u64;
                let likely = self.period_bytes(likely).unwrap_or(likely);
                (0, most(likely), most(claimed_bytes))
            }
        }
    }

    fn good_share(&self) -> f64 {
        self.good_bytes() as f64 / self.checked_bytes.max(1) as f64
    }

    /// The share of the claimed places that there are, from how many of the drawn cells fell onto another: of the share `f`
    /// of cells that was drawn, `m (1 - (1 - f)^(a/m))` are the last on their place where `a` cells share `m` places.
    fn places(&self, proof: &Proof, moved: f64) -> f64 {
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

    /// The distance after which positions repeat, if the distances of bad blocks have one near `likely_bytes`: on a file that
    /// lies in one piece they are multiples of what the drive holds.
    fn period_bytes(&self, likely_bytes: u64) -> Option<u64> {
        // A chain repeats behind more than it holds.
        self.fake().filter(|&fake| fake == Fake::Wrap)?;
        let distances = self.distances.iter().copied().filter(|&distance| distance > 0);
        let period = distances.clone().reduce(greatest_common_divisor)?;
        let is_near = period >= likely_bytes / 2 && period <= likely_bytes.saturating_mul(2);
        (distances.count() >= 2 && is_near).then_some(period)
    }
}

fn greatest_common_divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}
