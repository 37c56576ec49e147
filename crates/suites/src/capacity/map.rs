//! The map of the tested range while it is written and read back.

use cardiograph_core::report::{Step, StepResult};

use super::evidence::Evidence;
use super::miss::CELL_BYTES;
use super::plan::{Proof, ProofKind, Turn, written_ios};
use crate::board::{Board, PartState};

/// State of each part before the step `next`.
pub(super) fn board(proof: &Proof, done: &[StepResult], next: &Step) -> Board {
    let first = |part| if proof.is_whole(part) { PartState::Written } else { PartState::Waiting };
    let mut parts: Vec<PartState> = (0..proof.parts()).map(first).collect();
    let mut set = |turn, state| {
        let (Turn::Write(part) | Turn::Read(part)) = turn;
        parts[part as usize] = state;
    };
    for step in done {
        match proof.turn(&step.step) {
            Some(turn @ Turn::Write(_)) => set(turn, PartState::Written),
            Some(turn @ Turn::Read(_)) => {
                let is_bad = Evidence::collect(proof, std::slice::from_ref(step)).bad_bytes > 0;
                set(turn, if is_bad { PartState::Bad } else { PartState::Verified });
            }
            None => {}
        }
    }
    let turn = proof.turn(next);
    match turn {
        Some(turn @ Turn::Write(_)) => set(turn, PartState::Writing),
        Some(turn @ Turn::Read(_)) => set(turn, PartState::Reading),
        None => {}
    }
    let step_bytes = match (&proof.kind, turn) {
        (ProofKind::Sample { sample, .. }, _) => written_ios(done).unwrap_or(sample.drawn) * CELL_BYTES,
        (ProofKind::Full { .. }, Some(Turn::Write(part) | Turn::Read(part))) => proof.part_len_bytes(part),
        (ProofKind::Full { .. }, None) => 0,
    };
    Board::Map { parts, step_bytes }
}
