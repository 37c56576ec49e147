//! Events of a checkup, and their receiver.

use cardiograph_core::schemars;
use std::path::Path;

use cardiograph_core::ran_job::RanJob;
use cardiograph_core::report::StepResult;
use cardiograph_core::{Message, RunResult};
use cardiograph_engine::Progress;
use cardiograph_engine::observer::SoFar;
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

    /// Offers incremental results of running jobs, as often as their progress.
    fn look(&self, elapsed_ns: u64, run: &dyn SoFar) {
        let _ = (elapsed_ns, run);
    }

    /// A device's content is being overwritten, and saved in a file; `None` when it is restored, or left for
    /// the next checkup.
    fn overwrites(&self, kept_in: Option<&Path>) {
        let _ = kept_in;
    }

    /// Whether the progress of jobs needs latency percentiles, which are costly.
    fn wants_latency(&self) -> bool {
        false
    }
}
