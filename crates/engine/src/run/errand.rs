//! The commands that run beside a worker.

use cardiograph_core::Message;
use cardiograph_core::result::EngineNote;

use super::blueprint::Blueprint;
use crate::commands::Moment;
use crate::recorder::Stage;

/// Runs the command that comes before a worker's I/O. Whoever wants the worker to end wants it to end, too.
///
/// # Errors
/// Why it failed. Then there is nothing that the worker could measure.
pub(super) fn before(blueprint: &Blueprint) -> Result<(), Message> {
    let wanted = blueprint.workload.commands.before.as_ref();
    let Some(commands) = wanted.and(blueprint.commands.as_deref()) else { return Ok(()) };
    commands.run(blueprint.job, Moment::Before, &|| blueprint.stop.is_set())
}

/// Runs the command that comes after it. It may have to clean up: nobody ends it. What it comes to changes no figure.
pub(super) fn after(blueprint: &Blueprint) -> Option<EngineNote> {
    let commands = blueprint.workload.commands.after.as_ref().and(blueprint.commands.as_deref())?;
    blueprint.recorder.enter(Stage::Leaving);
    let reason = commands.run(blueprint.job, Moment::After, &|| false).err()?;
    Some(EngineNote::CommandFailed { job: blueprint.workload.name.clone(), reason })
}
