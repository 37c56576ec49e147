//! Events of a checkup, and their receiver.

use cardiograph_core::schemars;
use std::path::Path;

use cardiograph_core::drive::{Drive, Temperature};
use cardiograph_core::ran_job::RanJob;
use cardiograph_core::report::StepResult;
use cardiograph_core::{Message, RunResult};
use cardiograph_engine::Progress;
use cardiograph_engine::observer::SoFar;
use cardiograph_suites::Board;
use serde::{Deserialize, Serialize};

/// An event.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// The current activity, until the next event.
    Doing(Activity),
    /// A note for the user.
    Note(Message),
    /// A problem that does not end it.
    Trouble(Message),
    /// A checkup or run begins.
    Subject(Box<Subject>),
    /// A step begins.
    Stage(Box<Stage>),
    /// A problem that distorts figures: a sentence. Each is reported once.
    Warning(Message),
    /// The temperature of a drive.
    Temperature(Temperature),
}

/// The subject of a checkup or run.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Subject {
    /// The drive.
    pub drive: Drive,
    /// The suite, or the name of what is run instead.
    pub suite: String,
    /// The most that it writes, in bytes; `None` if only time bounds it.
    pub write_bytes_max: Option<u64>,
}

/// How far a checkup or run is when a step begins.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Stage {
    /// The step.
    pub title: Message,
    /// Number of the step, from 1.
    pub number: usize,
    /// Number of steps; `None` if unknown.
    pub count: Option<usize>,
    /// Time since the first step began, in nanoseconds, real or simulated.
    pub elapsed_ns: u64,
    /// Time left for this step and all later ones.
    pub left: TimeLeft,
    /// Bytes that the steps before have written.
    pub written_bytes: u64,
    /// What the steps before have found, in the suite's own terms.
    pub board: Option<Board>,
}

/// Time left, in nanoseconds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TimeLeft {
    /// Only bytes bound the steps, and none is done.
    #[default]
    Unknown,
    /// At most this much, if the drive responds.
    AtMost(u64),
    /// About this much, if the rest is as fast as the steps before.
    About(u64),
}

/// An activity that takes a while.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Activity {
    /// The drives' own records are queried.
    Inquiring,
    /// Free space is trimmed for a step.
    Trimming {
        /// The step.
        title: Message,
    },
    /// Test files are created for a step.
    MakingRoom {
        /// The step.
        title: Message,
    },
    /// Data that a step will overwrite is saved.
    Saving {
        /// The step.
        title: Message,
        /// Number of ranges saved.
        saved: usize,
        /// Total number.
        places: u64,
    },
    /// Something is restored, with progress.
    Restoring {
        /// What is restored, a phrase.
        what: Message,
        /// Progress in percent.
        percent: u64,
    },
    /// A file is laid out, in fio's words.
    LayingOut(String),
    /// Jobs run.
    Jobs {
        /// The step, or the jobs' names.
        title: Message,
        /// Their maximum duration, in nanoseconds.
        time_ns_max: Option<u64>,
        /// Whether something other than the drive decides when I/Os start: then silence is not a stall.
        is_paced: bool,
        /// Their progress.
        progress: Box<Progress>,
    },
    /// An application runs.
    App {
        /// The step.
        title: Message,
        /// Its maximum duration, in nanoseconds.
        time_ns_max: Option<u64>,
        /// Its progress.
        progress: cardiograph_apps::Progress,
    },
}

/// Jobs of a step about to run.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Began {
    /// The jobs.
    pub jobs: Vec<RanJob>,
    /// Whether they run in sequence.
    pub in_turn: bool,
    /// The result before the first I/O: all workers, at zero.
    pub result: RunResult,
}

/// Receives events: a terminal, a page, a file. It is called on the checkup's thread, and must not block.
pub trait Sink {
    /// Receives an event.
    fn event(&self, event: Event);

    /// Receives the result of a step that has ended.
    fn step_ended(&self, result: &StepResult) {
        let _ = result;
    }

    /// Receives the jobs of a step, before they begin.
    fn began(&self, began: Began) {
        let _ = began;
    }

    /// When jobs whose workers are ready should start, on the kernel's monotonic clock in nanoseconds; `None`: at once. May wait
    /// for the workers of other hosts. Asked only where [`starts_together`](Self::starts_together).
    fn start_at_ns(&self) -> Option<u64> {
        None
    }

    /// Whether jobs start together with those of other hosts.
    fn starts_together(&self) -> bool {
        false
    }

    /// Offers incremental results of running jobs, as often as their progress.
    fn look(&self, elapsed_ns: u64, run: &dyn SoFar) {
        let _ = (elapsed_ns, run);
    }

    /// A device's content is being overwritten, and saved in a file; `None` when it is restored, or left for
    /// the next checkup.
    fn overwrites(&self, kept_in: Option<&Path>) {
        let _ = kept_in;
    }

    /// Whether it shows what happens live. Then the progress of jobs has latency percentiles, drives are asked
    /// for their temperature, and steps come with a board, all of which cost.
    fn wants_latency(&self) -> bool {
        false
    }
}

/// Ignores events.
pub(crate) struct Nobody;

impl Sink for Nobody {
    fn event(&self, _: Event) {}
}
