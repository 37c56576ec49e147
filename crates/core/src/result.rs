//! Results of running a Plan.

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

/// The clock used, and its quality.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ClockInfo {
    /// The source.
    pub source: ClockSource,
    /// Resolution in nanoseconds.
    pub resolution_ns: f64,
    /// Cost of a reading in nanoseconds.
    pub read_cost_ns: f64,
    /// Drift from the kernel's monotonic clock during the run, in parts per million; `None` for that clock itself, or
    /// if the run was too short to measure it.
    pub drift_ppm: Option<f64>,
}

/// The clock of a simulated drive.
impl Default for ClockInfo {
    fn default() -> Self {
        Self { source: ClockSource::Virtual, resolution_ns: 1.0, read_cost_ns: 0.0, drift_ppm: None }
    }
}

/// A clock.
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

/// How a run ended, from best to worst.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RunOutcome {
    /// Each job completed as requested.
    #[default]
    Completed,
    /// It was stopped early.
    Stopped,
    /// An I/O failed.
    Failed,
    /// The drive stopped answering; workers were left behind in the kernel.
    Hung,
}

/// Result of a run, per worker, so that groups can be merged.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RunResult {
    /// How it ended.
    pub outcome: RunOutcome,
    /// From the start to the end of the last worker, in nanoseconds.
    pub duration_ns: u64,
    /// The clock used.
    pub clock: ClockInfo,
    /// When it started, on the kernel's monotonic clock in nanoseconds; only where several hosts started together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started_monotonic_ns: Option<u64>,
    /// One per worker.
    pub workers: Vec<WorkerResult>,
    /// What an engine did differently than requested.
    pub notes: Vec<EngineNote>,
    /// Steady states that the jobs asked for.
    #[serde(default)]
    pub steady: Vec<SteadyOutcome>,
    /// Precision targets of the jobs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub precision: Vec<PrecisionOutcome>,
    /// Times when the program did not run; figures across them are not the drive's.
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
    /// Number of context switches.
    #[serde(default)]
    pub context_switches: u64,
    /// Page faults that waited for a drive (major).
    #[serde(default)]
    pub major_faults: u64,
    /// Page faults that did not (minor).
    #[serde(default)]
    pub minor_faults: u64,
}

impl CpuTime {
    /// Adds another worker's times.
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

/// Number of requests in flight, submitted and completed at a time. Index 0 counts 1; index `k` counts `2^k` to
/// `2^(k+1) - 1`; the last counts 64 and more.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DepthCounts {
    /// Requests by queue depth at submission, including themselves.
    pub in_flight: [u64; 7],
    /// Submissions by number of requests. Here index `k` counts more than `2^k` and up to `2^(k+1)`: 1 to 4 are in
    /// index 1, 5 to 8 in index 2; index 0 counts empty submissions.
    pub submitted: [u64; 7],
    /// Completions, counted the same way.
    pub completed: [u64; 7],
}

impl DepthCounts {
    /// Adds another worker's counts.
    pub fn merge(&mut self, other: &DepthCounts) {
        let add = |mine: &mut [u64; 7], theirs: &[u64; 7]| {
            mine.iter_mut().zip(theirs).for_each(|(mine, theirs)| *mine = mine.saturating_add(*theirs));
        };
        add(&mut self.in_flight, &other.in_flight);
        add(&mut self.submitted, &other.submitted);
        add(&mut self.completed, &other.completed);
    }
}

/// Time of a worker outside its I/O, in nanoseconds. Not part of any latency.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Phases {
    /// Opening the files and dropping their cached pages.
    pub open_ns: u64,
    /// Waiting for in-flight I/Os at the end.
    pub drain_ns: u64,
    /// The sync at the end.
    pub flush_ns: u64,
    /// Reading back written data.
    pub verify_ns: u64,
}

impl Phases {
    /// The longer time of each phase: that of workers side by side.
    #[must_use]
    pub fn max_of(self, other: Phases) -> Phases {
        Phases {
            open_ns: self.open_ns.max(other.open_ns),
            drain_ns: self.drain_ns.max(other.drain_ns),
            flush_ns: self.flush_ns.max(other.flush_ns),
            verify_ns: self.verify_ns.max(other.verify_ns),
        }
    }
}

/// Speed below the job's minimum.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MissedRate {
    /// The direction.
    pub direction: Direction,
    /// Whether the limit is in I/Os; otherwise in bytes.
    pub counts_ios: bool,
    /// Required, per second.
    pub wanted_per_second: u64,
    /// Achieved, per second.
    pub reached_per_second: u64,
}

/// An I/O that exceeded the maximum latency and ended its worker.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SlowIo {
    /// Name of the target.
    pub target: String,
    /// Its direction.
    pub direction: Direction,
    /// Offset in the target, in bytes.
    pub offset_bytes: u64,
    /// Length in bytes.
    pub len_bytes: u64,
    /// From the decision until completion, in nanoseconds.
    pub latency_ns: u64,
    /// The maximum allowed, in nanoseconds.
    pub limit_ns: u64,
}

/// Result of the search for a queue depth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FoundDepth {
    /// The last depth tried.
    pub depth: u32,
    /// Whether it is known to be the largest that meets the target.
    pub is_found: bool,
}

/// Whether a group of jobs reached a steady state.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SteadyOutcome {
    /// Index of the job that asked for it; all jobs of its group are judged together.
    pub job: usize,
    /// Whether it was reached.
    pub attained: bool,
    /// The largest deviation from the mean in the last window, or the slope per sample, in the unit of the limit.
    pub criterion: f64,
    /// Slope of a line through the last window, per sample; 0 if the limit is on deviations.
    pub slope: f64,
    /// I/Os per second for each sample of the last window.
    pub iops: Vec<u64>,
    /// Bytes per second for each sample of the last window.
    pub bandwidth_bytes_per_s: Vec<u64>,
    /// Mean latency in nanoseconds for each sample of the last window; 0 if no I/O completed. Empty if not needed.
    pub latency_ns: Vec<u64>,
}

/// An I/O that failed, and ended its worker.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct IoFailure {
    /// Its direction.
    pub direction: Direction,
    /// Offset in the target, in bytes.
    pub offset_bytes: u64,
    /// Requested length in bytes.
    pub len_bytes: u64,
    /// The system's error number.
    pub errno: i32,
}

/// Tolerated errors.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ToleratedErrors {
    /// Their number, including an error that ended the worker.
    pub total: u64,
    /// The first.
    pub first: Option<IoFailure>,
    /// The last.
    pub last: Option<IoFailure>,
}

impl ToleratedErrors {
    /// Counts errors, starting with this one.
    pub fn count(&mut self, failure: IoFailure, errors: u64) {
        self.total += errors;
        self.first.get_or_insert(failure);
        self.last = Some(failure);
    }
}

/// Result of one worker.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WorkerResult {
    /// Index of its job in the Plan.
    pub job: usize,
    /// Number of its clone of the job.
    pub clone: u32,
    /// The engine that executed its I/O.
    pub engine: String,
    /// How it ended.
    pub outcome: RunOutcome,
    /// Start of counting, after delay and ramp, in nanoseconds from the start of the run.
    pub start_ns: u64,
    /// Completion of its last I/O, in nanoseconds from the start of the run.
    pub end_ns: u64,
    /// Results by direction.
    pub directions: PerDirection<DirectionResult>,
    /// Its windows, on a grid that starts at `start_ns`.
    pub series: Series,
    /// The longest time without a completed I/O, in nanoseconds, including start and end.
    pub longest_gap_ns: u64,
    /// CPU time while counting; `None` if it could not be read.
    pub cpu: Option<CpuTime>,
    /// The failed I/O that ended it, if any.
    pub failure: Option<IoFailure>,
    /// Tolerated errors; `None` if none are tolerated. A failed I/O counts in no other figure except the time it
    /// took.
    pub tolerated: Option<ToleratedErrors>,
    /// Why the command to run beforehand failed, if it did: then nothing was measured.
    pub failed_command: Option<Message>,
    /// A minimum speed that was not reached.
    pub missed_rate: Option<MissedRate>,
    /// An I/O that exceeded the maximum latency.
    pub slow_io: Option<SlowIo>,
    /// Result of the search for a depth; `None` if there was none.
    pub found_depth: Option<FoundDepth>,
    /// Result of the verification; `None` if there was none.
    pub verified: Option<Verified>,
    /// Its queue depths.
    #[serde(default)]
    pub depths: DepthCounts,
    /// Time spent outside of I/O.
    #[serde(default)]
    pub phases: Phases,
}

/// Results of one direction.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DirectionResult {
    /// Completed I/Os that count.
    pub ios: u64,
    /// Bytes of these I/Os.
    pub bytes: u64,
    /// I/Os that moved fewer bytes than asked.
    pub short_ios: u64,
    /// Bytes of all issued I/Os, including the ramp's: matches the kernel's counters.
    pub issued_bytes: u64,
    /// From the start of counting to the last completion in this direction, in nanoseconds.
    pub runtime_ns: u64,
    /// From the decision to do an I/O until the engine submitted it to the kernel. `None` if the engine submits and
    /// completes it in one call.
    pub submission: Option<Latency>,
    /// From submission to completion.
    pub completion: Latency,
    /// From the decision until completion. `None` where it equals `completion`.
    pub total: Option<Latency>,
    /// From the time the rate limit allowed the I/O to its completion: a stall counts for each I/O that it delayed.
    /// `None` without such a limit.
    pub intended: Option<Latency>,
}

impl DirectionResult {
    /// From the decision to do an I/O until completion.
    pub fn total(&self) -> &Latency {
        self.total.as_ref().unwrap_or(&self.completion)
    }

    /// Adds the results of another worker that ran at the same time.
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

    /// Bytes per second; 0 without I/O.
    pub fn bandwidth_bytes_per_s(&self) -> f64 {
        if self.runtime_ns == 0 { 0.0 } else { self.bytes as f64 * 1e9 / self.runtime_ns as f64 }
    }

    /// I/Os per second; 0 without I/O.
    pub fn iops(&self) -> f64 {
        if self.runtime_ns == 0 { 0.0 } else { self.ios as f64 * 1e9 / self.runtime_ns as f64 }
    }
}

impl RunResult {
    /// Merges all workers of some jobs.
    pub fn merged(&self, mut wanted: impl FnMut(&WorkerResult) -> bool) -> PerDirection<DirectionResult> {
        let mut sum = PerDirection::<DirectionResult>::default();
        for worker in self.workers.iter().filter(|worker| wanted(worker)) {
            for direction in Direction::ALL {
                sum[direction].merge(&worker.directions[direction]);
            }
        }
        sum
    }

    /// The sum of all workers' windows. Workers that started at different times are mapped to the first one's grid;
    /// this is exact if they started together.
    pub fn series(&self) -> Series {
        let mut sum = Series::default();
        self.workers.iter().filter(|worker| worker.series.window_ns > 0).for_each(|w| sum.merge(&w.series));
        sum
    }

    /// Bytes issued in a direction, including the ramp's.
    pub fn issued_bytes(&self, direction: Direction) -> u64 {
        let issued = self.workers.iter().map(|worker| worker.directions[direction].issued_bytes);
        issued.fold(0, u64::saturating_add)
    }

    /// CPU time of all workers; `None` if that of any worker is unknown.
    pub fn cpu(&self) -> Option<CpuTime> {
        self.workers.iter().try_fold(CpuTime::default(), |sum, worker| Some(sum.plus(worker.cpu?)))
    }

    /// The first failure of any worker.
    pub fn failure(&self) -> Option<IoFailure> {
        self.workers.iter().find_map(|worker| worker.failure)
    }
}
