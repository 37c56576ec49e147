//! What happens in a checkup, and who receives it.

use cardiograph_core::schemars;
use std::path::Path;

use cardiograph_core::ran_job::RanJob;
use cardiograph_core::report::StepResult;
use cardiograph_core::{Message, RunResult};
use cardiograph_engine::Progress;
use cardiograph_engine::observer::SoFar;
use serde::{Deserialize, Serialize};

/// Something that happens.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// What is being done now, until the next event.
    Doing(Activity),
    /// What whoever started the checkup should know.
    Note(Message),
    /// What went wrong without ending it.
    Trouble(Message),
}

/// What takes a while.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Activity {
    /// The drives are asked for their own records.
    Inquiring,
    /// Free space is trimmed for a step.
    Trimming {
        /// The step.
        title: Message,
    },
    /// Test files are made for a step.
    MakingRoom {
        /// The step.
        title: Message,
    },
    /// What a step will overwrite is saved.
    Saving {
        /// The step.
        title: Message,
        /// How many places are saved.
        saved: usize,
        /// Of how many.
        places: u64,
    },
    /// Something that a person waits for, as far as it is.
    Restoring {
        /// What is restored, a phrase.
        what: Message,
        /// How much of it is done.
        percent: u64,
    },
    /// A file is laid out, in fio's words.
    LayingOut(String),
    /// Jobs run.
    Jobs {
        /// The step, or the jobs' names.
        title: Message,
        /// How long they may take, in nanoseconds.
        time_ns_max: Option<u64>,
        /// How far they are.
        progress: Box<Progress>,
    },
    /// An application runs.
    App {
        /// The step.
        title: Message,
        /// How long it may take, in nanoseconds.
        time_ns_max: Option<u64>,
        /// How far it is.
        progress: cardiograph_apps::Progress,
    },
}

/// Jobs of a step as they run.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Began {
    /// The jobs.
    pub jobs: Vec<RanJob>,
    /// Whether they run one after the other.
    pub in_turn: bool,
    /// The result before the first I/O: all workers, at zero.
    pub result: RunResult,
}

/// Receives what happens: a terminal, a page, a file. It is called on the thread that does the checkup, and must not block.
pub trait Sink {
    /// Receives an event.
    fn event(&self, event: Event);

    /// Receives the result of a step that has ended.
    fn step_ended(&self, result: &StepResult) {
        let _ = result;
    }

    /// Receives what the jobs of a step are, before they begin.
    fn began(&self, began: Began) {
        let _ = began;
    }

    /// May look at jobs that run; it is offered as often as their progress.
    fn look(&self, elapsed_ns: u64, run: &dyn SoFar) {
        let _ = (elapsed_ns, run);
    }

    /// What is on a device is being overwritten, and a file keeps it; `None` when it is back, or is left for the next checkup.
    fn overwrites(&self, kept_in: Option<&Path>) {
        let _ = kept_in;
    }

    /// Whether the progress of jobs is shown with percentiles of latencies, which are costly to gather.
    fn wants_latency(&self) -> bool {
        false
    }
}
