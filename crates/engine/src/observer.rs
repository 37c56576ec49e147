//! What leaves a run while it goes on: plain events that can be shown, sent or written down.

use cardiograph_core::schemars;
use cardiograph_core::{Direction, PerDirection, RunResult};
use serde::{Deserialize, Serialize};

use crate::files::{Layout, PrepareObserver};
use crate::part::{RunPart, Told};

/// Receives the events of a run. It is called from the thread that runs the Plan, between the I/O of no worker.
pub trait Observer {
    /// Something happened.
    fn event(&self, event: &Event);

    /// Whether the latencies of each event of progress are wanted. They are counted in thousands of buckets for each worker,
    /// which costs a part of a processor where workers are many, and of a simulated run nearly all of its time.
    fn wants_latency(&self) -> bool {
        false
    }

    /// Whether the result so far is wanted, in a run of this age in nanoseconds. Asked after each event of progress.
    fn wants_snapshot(&self, elapsed_ns: u64) -> bool {
        let _ = elapsed_ns;
        false
    }

    /// May take what has changed since it took that before; it is offered after each event of progress.
    fn look(&self, elapsed_ns: u64, run: &dyn SoFar) {
        let _ = (elapsed_ns, run);
    }

    /// Takes the result so far. Workers that are at it are in it with their figures up to now, without CPU time, and as
    /// if they had been completed; so are those that have not begun, with zeros.
    fn snapshot(&self, result: &RunResult) {
        let _ = result;
    }
}

/// A run that goes on.
pub trait SoFar {
    /// Tells what has changed since `told`, which is brought up to date, a few workers at a time.
    fn tell(&self, told: &mut Told, has_latency: bool, tell: &mut dyn FnMut(RunPart));
}

/// An event of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Event {
    /// All workers that start with the run are ready, and the first I/O is about to be issued.
    Started,
    /// How it goes.
    Progress(Box<Progress>),
    /// A worker has ended.
    WorkerEnded {
        /// Index of its job.
        job: usize,
        /// Which clone it was.
        clone: u32,
    },
    /// All workers have ended or were given up.
    Ended,
}

/// What happened since the event before, and how far the run is.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Progress {
    /// Since the start of the run, in nanoseconds.
    pub elapsed_ns: u64,
    /// Length of the time that the figures since the event before are about, in nanoseconds.
    pub interval_ns: u64,
    /// Bytes read in it.
    pub read_bytes: u64,
    /// Bytes written in it.
    pub write_bytes: u64,
    /// I/Os that completed in it, syncs excepted.
    pub ios: u64,
    /// 99th percentile of their latency in nanoseconds; `None` when nothing completed, or the observer does not want it.
    pub latency_p99_ns: Option<u64>,
    /// The direction with more I/Os in it.
    pub busiest: Option<Direction>,
    /// What was done in it, by direction.
    pub done: PerDirection<Done>,
    /// What has been done since the start of the run, by direction.
    pub total: PerDirection<Done>,
    /// How far each worker is, in the Plan's order.
    pub workers: Vec<WorkerState>,
    /// How long it will still take, in nanoseconds, where that is known: to the limits of time, or as long as the bytes
    /// and I/Os that are left take at the speed so far.
    pub left_ns: Option<u64>,
}

/// I/Os that count and completed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Done {
    /// How many.
    pub ios: u64,
    /// Bytes that they moved.
    pub bytes: u64,
}

impl Done {
    /// Adds what another did.
    pub(crate) fn add(&mut self, other: Done) {
        self.ios += other.ios;
        self.bytes += other.bytes;
    }

    /// What came since `before`.
    pub(crate) fn since(self, before: Done) -> Done {
        Done { ios: self.ios.saturating_sub(before.ios), bytes: self.bytes.saturating_sub(before.bytes) }
    }
}

/// How far a worker is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct WorkerState {
    /// Index of its job.
    pub job: usize,
    /// Which clone it is.
    pub clone: u32,
    /// How far it is.
    pub state: State,
}

/// How far a worker is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// Its job waits for others.
    NotStarted,
    /// Its job waits for the run to be older.
    Delayed,
    /// It opens its files.
    SettingUp,
    /// It does I/O that does not count yet.
    Ramp,
    /// It does I/O.
    Running,
    /// It waits for what is in flight, or for its last sync.
    Closing,
    /// It reads back what it wrote.
    Verifying,
    /// It has ended.
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
