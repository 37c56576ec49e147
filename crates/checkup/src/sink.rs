//! What happens in a checkup, and who receives it.

use cardiograph_core::report::{Step, StepResult};
use cardiograph_engine::Progress;

/// Something that happens.
#[derive(Debug, Clone, Copy)]
pub enum Event<'a> {
    /// What is being done now, until the next event.
    Doing(Activity<'a>),
    /// A step has ended.
    StepEnded(&'a StepResult),
    /// What whoever started the checkup should know.
    Note(&'a str),
    /// What went wrong without ending it.
    Trouble(&'a str),
}

/// What takes a while.
#[derive(Debug, Clone, Copy)]
pub enum Activity<'a> {
    /// The drives are asked for their own records.
    Inquiring,
    /// Free space is trimmed for a step.
    Trimming(&'a Step),
    /// Test files are made for a step.
    MakingRoom(&'a Step),
    /// What a step will overwrite is saved.
    Saving {
        /// The step.
        step: &'a Step,
        /// How many places are saved.
        saved: usize,
        /// Of how many.
        places: u64,
    },
    /// Something that a person waits for, as far as it is.
    Restoring {
        /// What is restored, in a few words.
        what: &'a str,
        /// How much of it is done.
        percent: u64,
    },
    /// A file is laid out, in fio's words.
    LayingOut(&'a str),
    /// Jobs run.
    Jobs {
        /// The step, or the jobs' names.
        title: &'a str,
        /// How long they may take, in nanoseconds.
        time_ns_max: Option<u64>,
        /// How far they are.
        progress: &'a Progress,
    },
    /// An application runs.
    App {
        /// The step.
        step: &'a Step,
        /// How far it is.
        progress: &'a cardiograph_apps::Progress,
    },
}

/// Receives what happens: a terminal, a page, a file. It is called on the thread that does the checkup, and must not block.
pub trait Sink {
    /// Receives an event.
    fn event(&self, event: Event<'_>);

    /// Whether the progress of jobs is shown with percentiles of latencies, which are costly to gather.
    fn wants_latency(&self) -> bool {
        false
    }
}
