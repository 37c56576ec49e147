//! An engine's remarks on a run.

use crate::message;
use crate::message::{Message, Parameter};
use crate::result::EngineNote;

/// What an engine did differently than requested: a sentence.
pub fn engine_note(note: &EngineNote) -> Message {
    match note {
        // A crashed process has no engine to blame.
        EngineNote::Broke { engine, reason } if engine.is_empty() => {
            message!("engine-note-died", reason = reason.clone())
        }
        EngineNote::Broke { engine, reason } => {
            message!("engine-note-broke", engine, reason = reason.clone())
        }
        EngineNote::FellBack { from, to, reason } => {
            message!("engine-note-fell-back", from, to, reason = reason.clone())
        }
        EngineNote::DepthCapped { engine, depth } => {
            message!("engine-note-depth-capped", engine, depth = *depth)
        }
        EngineNote::BuffersNotRegistered { engine, reason } => {
            message!("engine-note-buffers", engine, reason = reason.clone())
        }
        EngineNote::NotPinned { job, reason } => {
            message!("engine-note-not-pinned", job, reason = reason.clone())
        }
        EngineNote::WentOn { job, clone, errors, first } => message!(
            "engine-note-went-on",
            job,
            clone = *clone,
            errors = *errors,
            direction = first.direction.message(),
            offset = first.offset_bytes.to_string(),
            error = Parameter::OsError(first.errno)
        ),
        EngineNote::CommandFailed { job, reason } => {
            message!("engine-note-command", job, reason = reason.clone())
        }
        EngineNote::NicenessNotSet { job, nice, reason } => {
            message!("engine-note-nice", job, nice = nice.to_string(), reason = reason.clone())
        }
    }
}
