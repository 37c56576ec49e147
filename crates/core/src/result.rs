//! What a Plan gave.

use serde::{Deserialize, Serialize};

use crate::direction::{Direction, PerDirection};
use crate::histogram::Latency;
use crate::pause::Pause;
use crate::series::Series;
use crate::{JsonSchema, Message};

mod note;
mod precision;
mod verified;

pub use note::EngineNote;
pub use precision::{PrecisionEnd, PrecisionOutcome};
pub use verified::{BadSpan, FoundWrite, Mismatch, MismatchKind, Verified};

/// Where times came from, and how good it is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ClockInfo {
    /// The source.
    pub source: ClockSource,
    /// The smallest difference that it can show, in nanoseconds.
    pub resolution_ns: f64,
    /// What reading it costs, in nanoseconds.
    pub read_cost_ns: f64,
    /// Drift from the kernel's monotonic clock during the run, in parts per million; `None` if it is that
    /// clock, or if the run was too short to measure it.
    pub drift_ppm: Option<f64>,
}

/// That of a simulated drive.
impl Default for ClockInfo {
    fn default() -> Self {
        Self { source: ClockSource::Virtual, resolution_ns: 1.0, read_cost_ns: 0.0, drift_ppm: None }
    }
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

/// How a run ended, from good to bad.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RunOutcome {
    /// Each job did what it was asked to do.
    #[default]
    Completed,
    /// It was stopped early.
    Stopped,
    /// An I/O failed.
    Failed,
    /// The drive stopped answering; workers were left behind in the kernel.
    Hung,
}

/// What a run gave: per worker, so that groups are merges.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
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
    /// Steady states that were looked for.
    #[serde(default)]
    pub steady: Vec<SteadyOutcome>,
    /// Precisions that were to be reached.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub precision: Vec<PrecisionOutcome>,
    /// Times in which the program did not run; figures across them are not the drive's.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pauses: Vec<Pause>,
}

/// CPU time.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CpuTime {
    /// In the program, in nanoseconds.
    pub user_ns: u64,
    /// In the kernel on its behalf, in nanoseconds.
    pub system_ns: u64,
    /// How often the processor was given to another thread.
    #[serde(default)]
    pub context_switches: u64,
    /// Page faults that waited for a drive.
    #[serde(default)]
    pub major_faults: u64,
    /// Page faults that did not.
    #[serde(default)]
    pub minor_faults: u64,
}

impl CpuTime {
    /// Adds another worker's.
    #[must_use]
    pub fn plus(self, other: CpuTime) -> CpuTime {
        CpuTime {
            user_ns: self.user_ns.saturating_add(other.user_ns),
            system_ns: self.system_ns.saturating_add(other.system_ns),
            context_switches: self.context_switches.saturating_add(other.context_switches),
            major_faults: self.major_faults.saturating_add(other.major_faults),
            minor_faults: self.minor_faults.saturating_add(other.minor_faults),
        }
    }
}

/// How many requests were in flight, handed over and taken back at a time. Place 0 counts 1; place `k` counts
/// `2^k` to `2^(k+1) - 1`; the last counts 64 and more.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DepthCounts {
    /// Requests by how many were in flight with them when they were handed over, themselves included.
    pub in_flight: [u64; 7],
    /// Hand-overs by the number of requests. Here place `k` counts up to `2^(k+1)` and more than `2^k`: 1 to 4 are in
    /// place 1, 5 to 8 in place 2; place 0 counts those of nothing.
    pub submitted: [u64; 7],
    /// The same for takings.
    pub completed: [u64; 7],
}

impl DepthCounts {
    /// Adds another worker's.
    pub fn merge(&mut self, other: &DepthCounts) {
        let add = |mine: &mut [u64; 7], theirs: &[u64; 7]| {
            mine.iter_mut().zip(theirs).for_each(|(mine, theirs)| *mine = mine.saturating_add(*theirs));
        };
        add(&mut self.in_flight, &other.in_flight);
        add(&mut self.submitted, &other.submitted);
        add(&mut self.completed, &other.completed);
    }
}

/// Time of a worker's run outside of its I/O, in nanoseconds. It is not part of any latency.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Phases {
    /// Opening the files and dropping their cached pages.
    pub open_ns: u64,
    /// Waiting for what was in flight at the end.
    pub drain_ns: u64,
    /// The sync at the end.
    pub flush_ns: u64,
    /// Reading back what was written.
    pub verify_ns: u64,
}

/// Speed that fell below what the job demands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MissedRate {
    /// The direction.
    pub direction: Direction,
    /// Whether I/Os were counted; bytes otherwise.
    pub counts_ios: bool,
    /// What was demanded, per second.
    pub wanted_per_second: u64,
    /// What was reached, per second.
    pub reached_per_second: u64,
}

/// An I/O that took longer than it may, and ended its worker.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SlowIo {
    /// Name of the target.
    pub target: String,
    /// Its direction.
    pub direction: Direction,
    /// Where, in bytes from the start of the target.
    pub offset_bytes: u64,
    /// How long it was, in bytes.
    pub len_bytes: u64,
    /// From the decision until completion, in nanoseconds.
    pub latency_ns: u64,
    /// What was allowed, in nanoseconds.
    pub limit_ns: u64,
}

/// What came of the search for a depth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FoundDepth {
    /// The last depth that was tried.
    pub depth: u32,
    /// Whether it is known to be the largest that keeps the target.
    pub is_found: bool,
}

/// How far a group of jobs settled.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SteadyOutcome {
    /// Index of the job that asked for it; jobs of its group are judged with it.
    pub job: usize,
    /// Whether it settled.
    pub attained: bool,
    /// The largest deviation from the mean in the last window, or the slope per sample, in the unit of the limit.
    pub criterion: f64,
    /// The slope of a line through the last window, per sample; 0 where deviations are judged.
    pub slope: f64,
    /// I/Os per second, by sample, of the last window.
    pub iops: Vec<u64>,
    /// Bytes per second, by sample, of the last window.
    pub bandwidth_bytes_per_s: Vec<u64>,
    /// Mean latency in nanoseconds, by sample, of the last window; 0 where no I/O completed. Empty where it was not looked
    /// for.
    pub latency_ns: Vec<u64>,
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

/// Errors of the kinds that a worker may go on after.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ToleratedErrors {
    /// How many there were, one that ended it after all included.
    pub total: u64,
    /// The first.
    pub first: Option<IoFailure>,
    /// The last.
    pub last: Option<IoFailure>,
}

impl ToleratedErrors {
    /// Counts errors of which this is the first.
    pub fn count(&mut self, failure: IoFailure, errors: u64) {
        self.total += errors;
        self.first.get_or_insert(failure);
        self.last = Some(failure);
    }
}

/// What one worker did.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
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
    /// The I/O that failed and ended it, if one did.
    pub failure: Option<IoFailure>,
    /// Errors that it went on after; `None` where any would have ended it. What failed is in no other figure but the time
    /// that it took.
    pub tolerated: Option<ToleratedErrors>,
    /// Why the command that was to run before it failed, where it did: then nothing was measured.
    pub failed_command: Option<Message>,
    /// A speed that was demanded and not reached.
    pub missed_rate: Option<MissedRate>,
    /// An I/O that took longer than it may.
    pub slow_io: Option<SlowIo>,
    /// What came of the search for a depth; `None` when none was looked for.
    pub found_depth: Option<FoundDepth>,
    /// What reading back showed; `None` when nothing was to be read back.
    pub verified: Option<Verified>,
    /// How deep its queue was.
    #[serde(default)]
    pub depths: DepthCounts,
    /// Time spent outside of I/O.
    #[serde(default)]
    pub phases: Phases,
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
    /// From the moment at which a limit of speed allowed the I/O until completion: a stall counts for each I/O that it
    /// held up. `None` without such a limit.
    pub intended: Option<Latency>,
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
        self.ios = self.ios.saturating_add(other.ios);
        self.bytes = self.bytes.saturating_add(other.bytes);
        self.short_ios = self.short_ios.saturating_add(other.short_ios);
        self.issued_bytes = self.issued_bytes.saturating_add(other.issued_bytes);
        self.runtime_ns = self.runtime_ns.max(other.runtime_ns);
        merge_some(&mut self.submission, &other.submission);
        merge_some(&mut self.total, &other.total);
        merge_some(&mut self.intended, &other.intended);
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
        let issued = self.workers.iter().map(|worker| worker.directions[direction].issued_bytes);
        issued.fold(0, u64::saturating_add)
    }

    /// CPU time of all workers; `None` when it is not known of one.
    pub fn cpu(&self) -> Option<CpuTime> {
        self.workers.iter().try_fold(CpuTime::default(), |sum, worker| Some(sum.plus(worker.cpu?)))
    }

    /// The first failure of any worker.
    pub fn failure(&self) -> Option<IoFailure> {
        self.workers.iter().find_map(|worker| worker.failure)
    }
}
