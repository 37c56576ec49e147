//! How a step ended.

use cardiograph_core::report::StepOutcome;
use cardiograph_core::result::{EngineNote, RunOutcome, RunResult};
use cardiograph_core::words::engine::engine_note;
use cardiograph_core::{Message, message};

use crate::messages;
use crate::presence::Presence;

/// How a step ended, from its run's result and the presence of its drives.
pub fn step_outcome(result: &RunResult, presence: &Presence) -> StepOutcome {
    match success_or_failure(result) {
        Ok(outcome) => outcome,
        Err(message) if presence.is_lost() => StepOutcome::Failed { message: messages::gone(message) },
        Err(message) => StepOutcome::Failed { message },
    }
}

/// How it ended, or why it failed.
fn success_or_failure(result: &RunResult) -> Result<StepOutcome, Message> {
    let verified = result.workers.iter().filter_map(|worker| worker.verified.as_ref());
    let bad = verified.into_iter().find(|verified| verified.bad_blocks > 0);
    // Tolerated bad blocks do not make it fail.
    let bad = bad.filter(|_| result.failure().is_some());
    let command = result.workers.iter().find_map(|worker| worker.failed_command.as_ref());
    match (result.outcome, bad, result.failure()) {
        (RunOutcome::Hung, _, _) => Ok(StepOutcome::Hung),
        (_, Some(bad), _) => Err(messages::verify_failure(bad)),
        (_, _, Some(failure)) => Err(messages::io_failure(&failure)),
        (RunOutcome::Stopped, ..) => Ok(StepOutcome::Interrupted),
        (RunOutcome::Failed, ..) => Err(command.cloned().unwrap_or_else(|| broken(result))),
        (RunOutcome::Completed, ..) => Ok(StepOutcome::Done),
    }
}

/// The failure of an engine in the middle of a run.
fn broken(result: &RunResult) -> Message {
    let is_broke = |note: &&EngineNote| matches!(note, EngineNote::Broke { .. });
    result.notes.iter().find(is_broke).map_or_else(|| message!("engine-failed"), engine_note)
}
