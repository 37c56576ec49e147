//! Errors that prevent or abort a run.

use std::{fmt, io};

use cardiograph_core::workload::IoClass;
use cardiograph_core::{Message, Parameter, message};

/// A privilege that a thread requests in addition to processors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Privilege {
    /// NUMA nodes for its processors or memory.
    Nodes,
    /// An I/O priority.
    IoPriority {
        /// The class that was requested.
        class: IoClass,
        /// Priority level within the class.
        level: u8,
    },
    /// Another user, by number.
    User(u32),
    /// Another group, by number.
    Group(u32),
}

/// Why a run could not begin. Failures of single I/Os are data in the RunResult, not errors.
#[derive(Debug)]
pub enum RunError {
    /// No engine has this name.
    NoSuchEngine {
        /// The name.
        name: String,
    },
    /// The engine cannot run here and has no fallback.
    EngineUnavailable {
        /// The engine.
        name: String,
        /// The reason.
        reason: Message,
    },
    /// The Plan mixes simulated and real engines, which have different clocks.
    MixedTime {
        /// A simulated engine of the Plan.
        simulated: String,
        /// A real engine of the Plan.
        real: String,
    },
    /// The Plan cannot be run; the resolver does not produce such jobs.
    BadPlan {
        /// The job.
        job: String,
        /// The problem; the message names the job.
        problem: Message,
    },
    /// The Plan writes, and no permit covers this target.
    NotPermitted {
        /// The job.
        job: String,
        /// The target's name in the Plan.
        target: String,
    },
    /// The job has commands to run before or after it, but no runner was given.
    NoCommands {
        /// The job.
        job: String,
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
    /// The file system refuses O_DIRECT.
    DirectRefused {
        /// The system's error.
        source: io::Error,
    },
    /// A file or device could not be opened.
    OpenTarget {
        /// Name of the target.
        target: String,
        /// The system's error.
        source: io::Error,
    },
    /// An engine could not be opened.
    Open {
        /// The engine.
        engine: String,
        /// The system's error.
        source: io::Error,
    },
    /// Buffers could not be allocated.
    Buffers {
        /// The job.
        job: String,
        /// Requested length.
        len_bytes: u64,
        /// The system's error.
        source: io::Error,
    },
    /// An engine failed in the middle of a run.
    Broke {
        /// Index of the worker.
        worker: usize,
        /// The engine.
        engine: String,
        /// The system's error.
        source: io::Error,
    },
    /// A worker ended because of a bug.
    WorkerLost {
        /// Index of the worker.
        worker: usize,
    },
    /// The system refuses a thread its privilege.
    SeatRefused {
        /// The job.
        job: String,
        /// The privilege.
        privilege: Privilege,
        /// The system's error.
        source: io::Error,
    },
    /// A thread could not be started.
    Thread {
        /// Index of the worker.
        worker: usize,
        /// The system's error.
        source: io::Error,
    },
    /// The thread that detects pauses could not be started.
    Heartbeat(io::Error),
}

impl RunError {
    /// Says what is wrong, where, why, and what to do.
    pub fn message(&self) -> Message {
        match self {
            Self::NoSuchEngine { name } => {
                let engines = Parameter::all(crate::ENGINES.iter().map(|entry| entry.name));
                message!("run-no-such-engine", engine = name, engines = engines)
            }
            Self::EngineUnavailable { name, reason } => {
                message!("run-engine-unavailable", engine = name, reason = reason.clone())
            }
            Self::MixedTime { simulated, real } => {
                message!("run-mixed-time", simulated = simulated, real = real)
            }
            Self::BadPlan { problem, .. } => problem.clone(),
            Self::NotPermitted { job, target } => message!("run-not-permitted", job = job, target = target),
            Self::NoCommands { job } => message!("run-no-commands", job = job),
            // Filling ends at its time limit, and later reads end there, so a write was cut short.
            Self::ReadsUnwritten { job, end_bytes, filled_bytes } => message!(
                "run-reads-unwritten",
                job = job,
                end = Parameter::Bytes(*end_bytes),
                filled = Parameter::Bytes(*filled_bytes)
            ),
            Self::WrongTarget { engine, job } => message!("run-wrong-target", engine = engine, job = job),
            Self::DirectRefused { .. } => message!("run-direct-refused"),
            Self::OpenTarget { target, source } => {
                message!("run-target-not-opened", target = target, error = source)
            }
            Self::Open { engine, source } => {
                message!("run-engine-not-opened", engine = engine, error = source)
            }
            Self::Buffers { job, len_bytes, source } => {
                message!("run-no-buffers", job = job, length = Parameter::Bytes(*len_bytes), error = source)
            }
            Self::Broke { worker, engine, source } => {
                message!("run-engine-broke", engine = engine, worker = *worker, error = source)
            }
            Self::WorkerLost { worker } => message!("run-worker-lost", worker = *worker),
            Self::SeatRefused { job, privilege, source } => seat_refused(job, *privilege, source),
            Self::Thread { worker, source } => {
                message!("run-worker-not-started", worker = *worker, error = source)
            }
            Self::Heartbeat(source) => message!("run-no-heartbeat", error = source),
        }
    }

    pub(crate) fn bad_plan(job: &str, problem: Message) -> Self {
        Self::BadPlan { job: job.to_string(), problem }
    }
}

/// A privilege that the system does not grant.
fn seat_refused(job: &str, privilege: Privilege, error: &io::Error) -> Message {
    match privilege {
        Privilege::Nodes => message!("run-seat-refused.nodes", job = job, error = error),
        Privilege::IoPriority { class: IoClass::Realtime, level } => {
            message!("run-seat-refused-realtime", job = job, level = level.to_string(), error = error)
        }
        Privilege::IoPriority { .. } => message!("run-seat-refused.priority", job = job, error = error),
        Privilege::User(id) => {
            message!("run-seat-refused-user", job = job, id = id.to_string(), error = error)
        }
        Privilege::Group(id) => {
            message!("run-seat-refused-group", job = job, id = id.to_string(), error = error)
        }
    }
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.message().fmt(f)
    }
}

impl std::error::Error for RunError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::DirectRefused { source }
            | Self::OpenTarget { source, .. }
            | Self::Open { source, .. }
            | Self::Buffers { source, .. }
            | Self::Broke { source, .. }
            | Self::SeatRefused { source, .. }
            | Self::Thread { source, .. }
            | Self::Heartbeat(source) => Some(source),
            _ => None,
        }
    }
}
