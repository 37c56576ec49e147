//! Events of a run in progress: plain data that can be shown, sent or stored.

use cardiograph_core::schemars;
use cardiograph_core::{Direction, PerDirection, RunResult};
use serde::{Deserialize, Serialize};

use crate::files::{Layout, PrepareObserver};
use crate::part::{Reported, RunPart};

/// Receives the events of a run, on the thread that runs the Plan, never between the I/Os of a worker.
pub trait Observer {
    /// Handles an event.
    fn event(&self, event: &Event);

    /// Whether progress events need latencies. They are counted in thousands of buckets per worker, which
    /// costs part of a processor with many workers, and nearly all the time of a simulated run.
    fn wants_latency(&self) -> bool {
        false
    }

    /// Whether a snapshot of the result is wanted, at this age of the run in nanoseconds. Called after each
    /// progress event.
    fn wants_snapshot(&self, elapsed_ns: u64) -> bool {
        let _ = elapsed_ns;
        false
    }

    /// Offers the changes since the last call; called after each progress event.
    fn look(&self, elapsed_ns: u64, run: &dyn SoFar) {
        let _ = (elapsed_ns, run);
    }

    /// When the workers that are ready should start, on the kernel's monotonic clock in nanoseconds; `None`: at once.
    /// Called once in a run in real time, before the first I/O, and may wait: for the workers of other hosts.
    fn start_at_ns(&self) -> Option<u64> {
        None
    }

    /// Receives the result so far. Active workers appear as if completed, with their figures up to now but
    /// without CPU time; workers that have not begun appear with zeros.
    fn snapshot(&self, result: &RunResult) {
        let _ = result;
    }
}

/// A run in progress.
pub trait SoFar {
    /// Emits what has changed since `reported`, which is updated, a few workers at a time.
    fn report_changes(&self, reported: &mut Reported, has_latency: bool, emit: &mut dyn FnMut(RunPart));
}

/// An event of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Event {
    /// All workers that start with the run are ready; the first I/O follows.
    Started,
    /// Progress figures.
    Progress(Box<Progress>),
    /// A worker ended.
    WorkerEnded {
        /// Index of its job.
        job: usize,
        /// Number of the clone.
        clone: u32,
    },
    /// All workers have ended or were given up.
    Ended,
}

/// Activity since the previous event, and the progress of the run.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Progress {
    /// Since the start of the run, in nanoseconds.
    pub elapsed_ns: u64,
    /// Time since the previous event, in nanoseconds.
    pub interval_ns: u64,
    /// Bytes read in the interval.
    pub read_bytes: u64,
    /// Bytes written in the interval.
    pub write_bytes: u64,
    /// I/Os completed in the interval, without syncs.
    pub ios: u64,
    /// Their 99th percentile latency in nanoseconds; `None` if nothing completed, or the observer does not
    /// want it.
    pub latency_p99_ns: Option<u64>,
    /// The direction with the most I/Os in the interval.
    pub busiest: Option<Direction>,
    /// Work in the interval, by direction.
    pub done: PerDirection<Done>,
    /// Work since the start of the run, by direction.
    pub total: PerDirection<Done>,
    /// State of each worker, in the Plan's order.
    pub workers: Vec<WorkerState>,
    /// Estimated time left, in nanoseconds, if known: up to the time limits, or for the remaining bytes and
    /// I/Os at the speed so far.
    pub left_ns: Option<u64>,
}

/// Completed I/Os that count.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Done {
    /// Number of I/Os.
    pub ios: u64,
    /// Bytes moved.
    pub bytes: u64,
}

impl Done {
    /// Adds the work of another.
    pub(crate) fn add(&mut self, other: Done) {
        self.ios += other.ios;
        self.bytes += other.bytes;
    }

    /// The difference to `before`.
    pub(crate) fn since(self, before: Done) -> Done {
        Done { ios: self.ios.saturating_sub(before.ios), bytes: self.bytes.saturating_sub(before.bytes) }
    }
}

/// The state of a worker.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct WorkerState {
    /// Index of its job.
    pub job: usize,
    /// Number of the clone.
    pub clone: u32,
    /// Its state.
    pub state: State,
}

/// State of a worker.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// Waits for other jobs.
    NotStarted,
    /// Its start is delayed.
    Delayed,
    /// Opens its files.
    SettingUp,
    /// Does I/O that does not count yet.
    Ramp,
    /// Does I/O.
    Running,
    /// Waits for I/O in flight, or for its last sync.
    Closing,
    /// Reads back what it wrote.
    Verifying,
    /// Has ended.
    Ended,
}

/// Ignores everything.
#[derive(Debug, Default)]
pub struct Silent;

impl Observer for Silent {
    fn event(&self, _: &Event) {}
}

impl PrepareObserver for Silent {
    fn laying_out(&self, _: &Layout<'_>) {}

    fn progress(&self, _: u64) {}
}
