//! Why a run could not begin.

use std::io;

use cardiograph_core::workload::IoClass;
use thiserror::Error;

/// What a thread asks for beside processors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Privilege {
    /// NUMA nodes for its processors or its memory.
    Nodes,
    /// A priority of its I/O.
    IoPriority {
        /// The class.
        class: IoClass,
        /// Its place in the class.
        level: u8,
    },
    /// Another user, by number.
    User(u32),
    /// Another group, by number.
    Group(u32),
}

/// Why a run could not begin. What goes wrong with single I/Os later is data in the RunResult, not an error.
#[derive(Debug, Error)]
pub enum RunError {
    /// No engine has this name.
    #[error("no engine is called '{name}'")]
    NoSuchEngine {
        /// The name.
        name: String,
    },
    /// The engine cannot run here, and nothing can take its place.
    #[error("engine '{name}' cannot be used here: {reason}")]
    EngineUnavailable {
        /// The engine.
        name: String,
        /// Why.
        reason: String,
    },
    /// Simulated and real engines in one Plan: they do not share a time.
    #[error("a Plan cannot mix simulated and real engines ('{simulated}' and '{real}')")]
    MixedTime {
        /// A simulated engine of the Plan.
        simulated: String,
        /// A real one.
        real: String,
    },
    /// The Plan cannot be run; the resolver makes no such jobs.
    #[error("job '{job}' {problem}")]
    BadPlan {
        /// The job.
        job: String,
        /// What is wrong with it.
        problem: String,
    },
    /// The Plan writes, and no permit covers this target.
    #[error("job '{job}' writes to '{target}' without a permit")]
    NotPermitted {
        /// The job.
        job: String,
        /// The target's name in the Plan.
        target: String,
    },
    /// The job has commands that run before or after it, and there is nobody to run them.
    #[error("job '{job}' has exec_prerun or exec_postrun, and commands are not run here")]
    NoCommands {
        /// The job.
        job: String,
    },
    /// The job would read blocks that nothing was written to: the drive would not be asked.
    #[error("job '{job}' would read up to byte {end_bytes}, but only the first {filled_bytes} were written")]
    ReadsUnwritten {
        /// The job.
        job: String,
        /// Where its region ends.
        end_bytes: u64,
        /// How many bytes from the start of the target have been written.
        filled_bytes: u64,
    },
    /// An engine does not handle this kind of target.
    #[error("engine '{engine}' cannot use the target of job '{job}'")]
    WrongTarget {
        /// The engine.
        engine: String,
        /// The job.
        job: String,
    },
    /// The file system refuses O_DIRECT.
    #[error("the file system refuses direct I/O (O_DIRECT): {source}")]
    DirectRefused {
        /// What the system said.
        source: io::Error,
    },
    /// A file or device could not be opened.
    #[error("{target} could not be opened: {source}")]
    OpenTarget {
        /// What it is called.
        target: String,
        /// What the system said.
        source: io::Error,
    },
    /// An engine could not be opened.
    #[error("engine '{engine}' could not be opened: {source}")]
    Open {
        /// The engine.
        engine: String,
        /// What the system said.
        source: io::Error,
    },
    /// Memory for the buffers could not be had.
    #[error("{len_bytes} bytes of buffers for job '{job}' could not be had: {source}")]
    Buffers {
        /// The job.
        job: String,
        /// How much.
        len_bytes: u64,
        /// What the system said.
        source: io::Error,
    },
    /// An engine failed in the middle of a run.
    #[error("engine '{engine}' of worker {worker} failed: {source}")]
    Broke {
        /// Which worker's.
        worker: usize,
        /// The engine.
        engine: String,
        /// What the system said.
        source: io::Error,
    },
    /// A worker ended by a defect of this program.
    #[error("worker {worker} was lost to a defect of this program; please report it")]
    WorkerLost {
        /// Which.
        worker: usize,
    },
    /// The system refuses a thread what its I/O is to have.
    #[error("job '{job}' cannot have its place ({privilege:?}): {source}")]
    SeatRefused {
        /// The job.
        job: String,
        /// What was asked for.
        privilege: Privilege,
        /// What the system said.
        source: io::Error,
    },
    /// A thread could not be started.
    #[error("worker {worker} could not be started: {source}")]
    Thread {
        /// Which.
        worker: usize,
        /// What the system said.
        source: io::Error,
    },
    /// The thread that notices pauses could not be started.
    #[error("the thread that notices pauses of the program could not be started: {0}")]
    Heartbeat(io::Error),
}

impl RunError {
    pub(crate) fn bad_plan(job: &str, problem: impl Into<String>) -> Self {
        Self::BadPlan { job: job.to_string(), problem: problem.into() }
    }
}
