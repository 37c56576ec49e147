//! Commands that run before and after a worker.

use cardiograph_core::Message;
use cardiograph_core::result::EngineNote;

use super::blueprint::Blueprint;
use crate::commands::Moment;
use crate::recorder::Stage;

/// Runs the command before a worker's I/O. Stopping the worker stops the command, too.
///
/// # Errors
/// Why it failed; the worker then has nothing to measure.
pub(super) fn before(blueprint: &Blueprint) -> Result<(), Message> {
    let wanted = blueprint.workload.commands.before.as_ref();
    let Some(commands) = wanted.and(blueprint.commands.as_deref()) else { return Ok(()) };
    commands.run(blueprint.job, Moment::Before, &|| blueprint.stop.is_set())
}

/// Runs the command after a worker's I/O. It may have to clean up, so nobody stops it. It does not affect any
/// figure.
pub(super) fn after(blueprint: &Blueprint) -> Option<EngineNote> {
    let commands = blueprint.workload.commands.after.as_ref().and(blueprint.commands.as_deref())?;
    blueprint.recorder.enter(Stage::Leaving);
    let reason = commands.run(blueprint.job, Moment::After, &|| false).err()?;
    Some(EngineNote::CommandFailed { job: blueprint.workload.name.clone(), reason })
}
