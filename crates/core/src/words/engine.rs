//! What an engine noted in a run, in words.

use crate::result::EngineNote;

/// What an engine did otherwise than it was asked to, in a sentence.
pub fn engine_note(note: &EngineNote) -> String {
    match note {
        // A process that died has no engine to blame.
        EngineNote::Broke { engine, reason } if engine.is_empty() => format!("{reason}."),
        EngineNote::Broke { engine, reason } => {
            format!("{engine} failed in the middle of the run: {reason}.")
        }
        EngineNote::FellBack { from, to, reason } => format!("{to} was used instead of {from}: {reason}."),
        EngineNote::DepthCapped { engine, depth } => {
            format!("{engine} runs one I/O at a time: a depth of {depth} had no effect.")
        }
        EngineNote::BuffersNotRegistered { engine, reason } => {
            format!("{engine} ran without registered buffers: {reason}.")
        }
        EngineNote::NotPinned { job, reason } => {
            format!("'{job}' was not bound to the CPUs that it names: {reason}.")
        }
        EngineNote::WentOn { job, clone, errors, first } => {
            let (direction, offset_bytes) = (first.direction.name(), first.offset_bytes);
            let cause = std::io::Error::from_raw_os_error(first.errno).to_string();
            let cause = cause.split(" (os error").next().unwrap_or_default();
            let s = if *errors == 1 { "" } else { "s" };
            format!(
                "'{job}' (clone {clone}) went on after {errors} error{s}, which no figure counts; the first: {direction} at \
                 {offset_bytes}: {cause}."
            )
        }
        EngineNote::CommandFailed { job, reason } => {
            format!("the command that came after '{job}' failed: {reason}.")
        }
        EngineNote::NicenessNotSet { job, nice, reason } => {
            format!("'{job}' did not get the niceness {nice}: {reason}.")
        }
    }
}
