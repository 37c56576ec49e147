//! How a step ended.

use cardiograph_core::report::StepOutcome;
use cardiograph_core::result::{EngineNote, RunOutcome, RunResult};
use cardiograph_core::words::engine::engine_note;

use crate::messages;
use crate::presence::Presence;

/// How a step ended, from what its run gave and whether the drives are still there that were when it began.
pub fn step_outcome(result: &RunResult, presence: &Presence) -> StepOutcome {
    match outcome_of(result) {
        StepOutcome::Failed { message } if presence.is_lost() => {
            StepOutcome::Failed { message: messages::gone(&message) }
        }
        outcome => outcome,
    }
}

fn outcome_of(result: &RunResult) -> StepOutcome {
    let verified = result.workers.iter().filter_map(|worker| worker.verified.as_ref());
    let bad = verified.into_iter().find(|verified| verified.bad_blocks > 0);
    // Blocks that a job goes on after do not make it fail.
    let bad = bad.filter(|_| result.failure().is_some());
    let command = result.workers.iter().find_map(|worker| worker.failed_command.as_ref());
    match (result.outcome, bad, result.failure()) {
        (RunOutcome::Hung, _, _) => StepOutcome::Hung,
        (_, Some(bad), _) => StepOutcome::Failed { message: messages::verify_failure(bad) },
        (_, _, Some(failure)) => StepOutcome::Failed { message: messages::io_failure(&failure) },
        (RunOutcome::Stopped, ..) => StepOutcome::Interrupted,
        (RunOutcome::Failed, ..) if let Some(reason) = command => {
            StepOutcome::Failed { message: reason.clone() }
        }
        (RunOutcome::Failed, ..) => StepOutcome::Failed { message: broken(result) },
        (RunOutcome::Completed, ..) => StepOutcome::Done,
    }
}

/// How an engine failed in the middle of a run.
fn broken(result: &RunResult) -> String {
    let is_broke = |note: &&EngineNote| matches!(note, EngineNote::Broke { .. });
    result.notes.iter().find(is_broke).map_or("an engine failed".to_string(), engine_note)
}
