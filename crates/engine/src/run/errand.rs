//! The commands that run beside a worker.

use cardiograph_core::result::EngineNote;

use super::blueprint::Blueprint;
use crate::commands::{Commands, Moment};
use crate::recorder::Stage;

/// Runs the command that comes before a worker's I/O. Whoever wants the worker to end wants it to end, too.
///
/// # Errors
/// Why it failed, in words. Then there is nothing that the worker could measure.
pub(super) fn before(blueprint: &Blueprint) -> Result<(), String> {
    let Some(commands) = wanted(blueprint, Moment::Before) else { return Ok(()) };
    commands.run(blueprint.job, Moment::Before, &|| blueprint.stop.is_set())
}

/// Runs the command that comes after it. It may have to clean up: nobody ends it. What it comes to changes no figure.
pub(super) fn after(blueprint: &Blueprint) -> Option<EngineNote> {
    let commands = wanted(blueprint, Moment::After)?;
    blueprint.recorder.enter(Stage::Leaving);
    let reason = commands.run(blueprint.job, Moment::After, &|| false).err()?;
    Some(EngineNote::CommandFailed { job: blueprint.workload.name.clone(), reason })
}

fn wanted(blueprint: &Blueprint, moment: Moment) -> Option<&dyn Commands> {
    let commands = &blueprint.workload.commands;
    let command = match moment {
        Moment::Before => &commands.before,
        Moment::After => &commands.after,
    };
    command.as_ref().and(blueprint.commands.as_deref())
}
