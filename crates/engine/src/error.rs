//! Errors that prevent or abort a run.

use std::{fmt, io};

use cardiograph_core::{Message, Parameter, message};

/// Why a run could not begin. Failures of single I/Os are data in the RunResult, not errors.
#[derive(Debug)]
pub enum RunError {
    /// No engine has this name.
    NoSuchEngine {
        /// The name.
        name: String,
    },
    /// The Plan writes, and no permit covers this target.
    NotPermitted {
        /// The job.
        job: String,
        /// The target's name in the Plan.
        target: String,
    },
    /// The job would read blocks that were never written, so the drive would not be accessed.
    ReadsUnwritten {
        /// The job.
        job: String,
        /// End of its region.
        end_bytes: u64,
        /// Bytes written so far from the start of the target.
        filled_bytes: u64,
    },
    /// An engine does not handle this kind of target.
    WrongTarget {
        /// The engine.
        engine: String,
        /// The job.
        job: String,
    },
    /// A file or device could not be opened.
    OpenTarget {
        /// Name of the target.
        target: String,
        /// The system's error.
        source: io::Error,
    },
    /// Anything else, in words for people.
    Failed(Message),
}

impl RunError {
    /// The message of the error.
    pub fn message(&self) -> Message {
        match self {
            Self::NoSuchEngine { name } => {
                let engines = Parameter::all(crate::ENGINES.iter().map(|entry| entry.name));
                message!("run-no-such-engine", engine = name, engines)
            }
            Self::NotPermitted { job, target } => message!("run-not-permitted", job, target),
            Self::ReadsUnwritten { job, end_bytes, filled_bytes } => message!(
                "run-reads-unwritten",
                job,
                end = Parameter::Bytes(*end_bytes),
                filled = Parameter::Bytes(*filled_bytes)
            ),
            Self::WrongTarget { engine, job } => message!("run-wrong-target", engine, job),
            Self::OpenTarget { target, source } => message!("run-target-not-opened", target, error = source),
            Self::Failed(message) => message.clone(),
        }
    }

    /// A worker ended because of a bug.
    pub(crate) fn lost(worker: usize) -> Self {
        Self::Failed(message!("run-worker-lost", worker))
    }
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.message().fmt(f)
    }
}

impl std::error::Error for RunError {}
