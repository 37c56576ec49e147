//! What a Plan gave.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::direction::{Direction, PerDirection};
use crate::histogram::Latency;
use crate::series::Series;

/// Where times came from, and how good it is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ClockInfo {
    /// The source.
    pub source: ClockSource,
    /// The smallest difference that it can show, in nanoseconds.
    pub resolution_ns: f64,
    /// What reading it costs, in nanoseconds.
    pub read_cost_ns: f64,
    /// How far it ran from the kernel's monotonic clock during the run, in parts per million; `None` where it is that
    /// clock, or where the run was too short to tell.
    pub drift_ppm: Option<f64>,
}

/// A source of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ClockSource {
    /// The time stamp counter of x86.
    Tsc,
    /// The generic timer of ARM.
    Cntvct,
    /// The kernel's monotonic clock.
    ClockGettime,
    /// The simulator's time.
    Virtual,
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RunOutcome {
    /// Each job did what it was asked to do.
    Completed,
    /// It was told to stop before that.
    Stopped,
    /// An I/O failed.
    Failed,
    /// The drive stopped answering; workers were left behind in the kernel.
    Hung,
}

/// What a run gave: per worker, so that groups are merges.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RunResult {
    /// How it ended.
    pub outcome: RunOutcome,
    /// From the start to the end of the last worker, in nanoseconds.
    pub duration_ns: u64,
    /// Where times came from.
    pub clock: ClockInfo,
    /// One entry for each worker.
    pub workers: Vec<WorkerResult>,
    /// What an engine did otherwise than it was asked to.
    pub notes: Vec<EngineNote>,
}

/// Something about a run that its reader should know.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum EngineNote {
    /// Another engine than the one asked for was used.
    FellBack {
        /// The engine that was asked for.
        from: String,
        /// The one that was used.
        to: String,
        /// Why.
        reason: String,
    },
    /// The engine runs one I/O at a time whatever depth is asked for.
    DepthCapped {
        /// The engine.
        engine: String,
        /// The depth that was asked for.
        depth: u32,
    },
    /// An engine, or a worker itself, failed in the middle of the run; what was recorded until then is here.
    Broke {
        /// The engine.
        engine: String,
        /// How.
        reason: String,
    },
    /// The kernel did not take the buffers for registration.
    BuffersNotRegistered {
        /// The engine.
        engine: String,
        /// Why.
        reason: String,
    },
}

/// CPU time.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CpuTime {
    /// In the program, in nanoseconds.
    pub user_ns: u64,
    /// In the kernel on its behalf, in nanoseconds.
    pub system_ns: u64,
}

/// An I/O that failed, and ended its worker.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct IoFailure {
    /// Its direction.
    pub direction: Direction,
    /// Where, in bytes from the start of the target.
    pub offset_bytes: u64,
    /// How long it was to be, in bytes.
    pub len_bytes: u64,
    /// The system's error number.
    pub errno: i32,
}

/// What one worker did.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WorkerResult {
    /// Index of its job in the Plan.
    pub job: usize,
    /// Which clone of the job it was.
    pub clone: u32,
    /// The engine that executed its I/O.
    pub engine: String,
    /// How it ended.
    pub outcome: RunOutcome,
    /// When it began to count, in nanoseconds from the start of the run: after delay and ramp.
    pub start_ns: u64,
    /// When its last I/O was complete, in nanoseconds from the start of the run.
    pub end_ns: u64,
    /// What it did, by direction.
    pub directions: PerDirection<DirectionResult>,
    /// Its windows, on a grid that begins at `start_ns`.
    pub series: Series,
    /// The longest time in which no I/O completed, in nanoseconds, start and end included.
    pub longest_gap_ns: u64,
    /// Its CPU time while it counted; `None` where it could not be read.
    pub cpu: Option<CpuTime>,
    /// The I/O that failed, if one did.
    pub failure: Option<IoFailure>,
}

/// What was done in one direction.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DirectionResult {
    /// I/Os that count and completed.
    pub ios: u64,
    /// Bytes that they moved.
    pub bytes: u64,
    /// I/Os that moved fewer bytes than asked.
    pub short_ios: u64,
    /// Bytes of all I/Os that were issued, the ramp's included: what the kernel's counters should show.
    pub issued_bytes: u64,
    /// From the start of counting to the last completion in this direction, in nanoseconds.
    pub runtime_ns: u64,
    /// From the decision to do an I/O until the engine had handed it to the kernel. `None` where the engine does
    /// both in one call.
    pub submission: Option<Latency>,
    /// From the hand-over to the kernel until completion.
    pub completion: Latency,
    /// From the decision until completion. `None` where it equals `completion`.
    pub total: Option<Latency>,
}

impl DirectionResult {
    /// From the decision to do an I/O until completion.
    pub fn total(&self) -> &Latency {
        self.total.as_ref().unwrap_or(&self.completion)
    }

    /// Adds another worker's, that ran at the same time.
    pub fn merge(&mut self, other: &Self) {
        fn merge_some(mine: &mut Option<Latency>, theirs: &Option<Latency>) {
            if let Some(theirs) = theirs {
                mine.get_or_insert_default().merge(theirs);
            }
        }
        self.ios += other.ios;
        self.bytes += other.bytes;
        self.short_ios += other.short_ios;
        self.issued_bytes += other.issued_bytes;
        self.runtime_ns = self.runtime_ns.max(other.runtime_ns);
        merge_some(&mut self.submission, &other.submission);
        merge_some(&mut self.total, &other.total);
        self.completion.merge(&other.completion);
    }

    /// Bytes per second; 0 when nothing was done.
    pub fn bandwidth_bytes_per_s(&self) -> f64 {
        if self.runtime_ns == 0 { 0.0 } else { self.bytes as f64 * 1e9 / self.runtime_ns as f64 }
    }

    /// I/Os per second; 0 when nothing was done.
    pub fn iops(&self) -> f64 {
        if self.runtime_ns == 0 { 0.0 } else { self.ios as f64 * 1e9 / self.runtime_ns as f64 }
    }
}

impl RunResult {
    /// All workers of some jobs as one.
    pub fn merged(&self, mut wanted: impl FnMut(&WorkerResult) -> bool) -> PerDirection<DirectionResult> {
        let mut sum = PerDirection::<DirectionResult>::default();
        for worker in self.workers.iter().filter(|worker| wanted(worker)) {
            for direction in Direction::ALL {
                sum[direction].merge(&worker.directions[direction]);
            }
        }
        sum
    }

    /// The windows of all workers, added up. Workers that began at different times are laid on the grid of the
    /// first; that is exact when they began together.
    pub fn series(&self) -> Series {
        let mut sum = Series::default();
        self.workers.iter().filter(|worker| worker.series.window_ns > 0).for_each(|w| sum.merge(&w.series));
        sum
    }

    /// Bytes that were issued in a direction, the ramp's included.
    pub fn issued_bytes(&self, direction: Direction) -> u64 {
        self.workers.iter().map(|worker| worker.directions[direction].issued_bytes).sum()
    }

    /// CPU time of all workers; `None` when it is not known of one.
    pub fn cpu(&self) -> Option<CpuTime> {
        self.workers.iter().try_fold(CpuTime::default(), |sum, worker| {
            let cpu = worker.cpu?;
            Some(CpuTime { user_ns: sum.user_ns + cpu.user_ns, system_ns: sum.system_ns + cpu.system_ns })
        })
    }

    /// The first failure of any worker.
    pub fn failure(&self) -> Option<IoFailure> {
        self.workers.iter().find_map(|worker| worker.failure)
    }
}
