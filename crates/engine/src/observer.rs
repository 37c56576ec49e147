//! What leaves a run while it goes on: plain events that can be shown, sent or written down.

use cardiograph_core::Direction;
use serde::{Deserialize, Serialize};

/// Receives the events of a run. It is called from the thread that runs the Plan, between the I/O of no worker.
pub trait Observer {
    /// Something happened.
    fn event(&self, event: &Event);
}

/// An event of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Event {
    /// All workers are ready, and the first I/O is about to be issued.
    Started,
    /// How it goes.
    Progress(Progress),
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

/// What happened since the event before.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Progress {
    /// Since the start of the run, in nanoseconds.
    pub elapsed_ns: u64,
    /// Length of the time that the other figures are about, in nanoseconds.
    pub interval_ns: u64,
    /// Bytes read in it.
    pub read_bytes: u64,
    /// Bytes written in it.
    pub write_bytes: u64,
    /// I/Os that completed in it, syncs excepted.
    pub ios: u64,
    /// 99th percentile of their latency in nanoseconds; `None` when nothing completed.
    pub latency_p99_ns: Option<u64>,
    /// The direction with more I/Os in it.
    pub busiest: Option<Direction>,
}

/// Ignores everything.
#[derive(Debug, Default)]
pub struct Silent;

impl Observer for Silent {
    fn event(&self, _: &Event) {}
}
