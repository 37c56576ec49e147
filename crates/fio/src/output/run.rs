//! Input of fio's outputs, as plain values.
//!
//! Nothing here is measured or looked up: the program fills in the engine's results. Latencies stay complete

use std::collections::HashSet;
use std::ops::Deref;

use cardiograph_core::display::JobDisplay;
use cardiograph_core::histogram::FIO_BUCKETS;
use cardiograph_core::pause::Pause;
use cardiograph_core::replay::Recorded;
use cardiograph_core::result::{ClockInfo, DepthCounts, DirectionResult, Phases, PrecisionOutcome, Verified};
use cardiograph_core::{Direction, Latency, PerDirection, Series};

pub use super::disk::{DiskEntry, DiskFigures};
use super::numbers::{Scale, scaled};
pub use super::steady::SteadyState;

/// A run, or its state so far.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FioRun {
    /// The version that consumers expect: `fio-3.39`.
    pub version: String,
    /// When the output was made, in milliseconds since 1970.
    pub timestamp_unix_ms: u64,
    /// The same as local time in `ctime` form, without a newline: `Wed Nov  5 12:19:01 2025`.
    pub time_text: String,
    /// Options of the global sections, as written.
    pub global_options: Vec<(String, String)>,
    /// One entry per job, or per group of jobs reported together: see
    /// [`reported`](super::merge::reported).
    pub jobs: Vec<JobEntry>,
    /// The disks that the jobs used; empty with `disk_util=0`.
    pub disks: Vec<DiskEntry>,
    /// Notes on the run, after fio's own lines of the text. The JSON has the notes of each job.
    pub notes: Vec<String>,
}

/// A job of the output: a worker, or several reported together.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct JobEntry {
    /// Its name.
    pub name: String,
    /// Its group number, incremented by `stonewall` and `new_group`.
    pub group: u32,
    /// Number of workers in the entry.
    pub jobs: u32,
    /// The error that ended the job.
    pub error: Option<JobError>,
    /// Errors that did not end the job, with `continue_on_error`; `None` without it.
    pub tolerated_errors: Option<ErrorTally>,
    /// Its process or thread id.
    pub pid: u32,
    /// When it started, in milliseconds since 1970.
    pub started_unix_ms: u64,
    /// Its own options, as written.
    pub options: Vec<(String, String)>,
    /// Time since the program started, in whole seconds.
    pub elapsed_s: u64,
    /// Estimated time left in seconds; `None` if unknown, as at the end.
    pub eta_s: Option<u64>,
    /// Figures by direction. Syncs have only `ios` and `completion`.
    pub directions: PerDirection<DirectionFigures>,
    /// Figures of reads, writes and trims together, if any job of the run shows them.
    pub mixed: Option<DirectionFigures>,
    /// Processor time and related counters.
    pub cpu: CpuFigures,
    /// Its queue depths.
    pub depths: DepthCounts,
    /// Target and outcome of `latency_target`.
    pub latency_target: LatencyTarget,
    /// Outcome of steady state detection, if requested.
    pub steady_state: Option<SteadyState>,
    /// Format of its figures.
    pub style: Style,
    /// Figures that fio does not have.
    pub extra: Option<Extra>,
}

/// The error that ended a job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobError {
    /// The system's error number.
    pub errno: i32,
    /// Where it happened and what it means: `write at 4096, error=No space left on device`.
    pub text: String,
}

/// Errors that a job tolerated.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ErrorTally {
    /// Their number.
    pub total: u64,
    /// Error number of the first; 0 if there was none.
    pub first_errno: i32,
    /// The system's description of the first: `Success` if there was none.
    pub first_text: String,
}

/// Figures of one direction.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct DirectionFigures {
    /// I/Os.
    pub ios: u64,
    /// Bytes moved.
    pub bytes: u64,
    /// From the start to the last completion, in milliseconds rounded up; 0 without I/O.
    pub runtime_ms: u64,
    /// I/Os that moved fewer bytes than requested.
    pub short_ios: u64,
    /// Dropped I/Os.
    pub dropped_ios: u64,
    /// fio's `slat`; empty for engines that submit and complete in one call, or with `disable_slat`.
    pub submission: Latency,
    /// fio's `clat`; empty with `disable_clat`.
    pub completion: Latency,
    /// fio's `lat`; empty with `disable_lat`.
    pub total: Latency,
    /// Bandwidth samples, in `kb_base` bytes per second.
    pub bandwidth: Samples,
    /// IOPS samples.
    pub iops: Samples,
}

/// Mean and spread of samples taken during the run.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Samples {
    /// Their number.
    pub n: u64,
    /// The smallest.
    pub min: u64,
    /// The largest.
    pub max: u64,
    /// The mean.
    pub mean: f64,
    /// Sum of the squared distances from the mean.
    pub squares: f64,
}

/// Processor time of a job.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CpuFigures {
    /// Total runtime of the workers in milliseconds.
    pub run_ms: u64,
    /// Processor time in the program, in milliseconds.
    pub user_ms: u64,
    /// Processor time in the kernel, in milliseconds.
    pub system_ms: u64,
    /// Context switches.
    pub context_switches: u64,
    /// Page faults that read from a disk.
    pub major_faults: u64,
    /// Page faults that did not.
    pub minor_faults: u64,
}

/// Target and outcome of `latency_target`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LatencyTarget {
    /// Depth reached; without a target, the job's depth.
    pub depth: u32,
    /// The target in nanoseconds; 0 if unset.
    pub target_ns: u64,
    /// The evaluation window in microseconds.
    pub window_us: u64,
    /// Share of I/Os that must meet it, in percent.
    pub percentile: f64,
}

/// The format of a job's figures, as set by its options in fio's way.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Style(pub JobDisplay);

impl Deref for Style {
    type Target = JobDisplay;

    fn deref(&self) -> &JobDisplay {
        &self.0
    }
}

/// Important figures that fio does not have.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Extra {
    /// The engine used, which may differ from the one requested.
    pub engine: String,
    /// The clock used.
    pub clock: ClockInfo,
    /// Seed of offsets, mix and content.
    pub seed: u64,
    /// Length of a window in milliseconds.
    pub window_ms: u64,
    /// Windows in which no I/O completed. fio omits them from its samples.
    pub zero_windows: u64,
    /// The longest time without a completion in a worker, in nanoseconds.
    pub longest_stall_ns: u64,
    /// Time spent laying out files before the run, in nanoseconds.
    pub layout_ns: u64,
    /// Time outside of the run's I/O.
    pub phases: Phases,
    /// Latency counted from an I/O's due time, if a rate was set.
    pub intended: Option<PerDirection<Latency>>,
    /// The outcome of a requested precision for the job's group.
    pub precision: Option<PrecisionOutcome>,
    /// Verification results, if anything was verified.
    pub verified: Option<Verified>,
    /// The recorded figures of the replayed I/O.
    pub recorded: Option<Recorded>,
    /// Duration of its replay, from the first I/O to the end of the last, in nanoseconds.
    pub replayed_ns: u64,
    /// Times during the job when the program did not run, on the run's time axis.
    pub pauses: Vec<Pause>,
    /// Deviations from the request.
    pub notes: Vec<String>,
}

impl Style {
    /// The number of decimals of percentiles in the text: that of the longest. fio counts decimals as written; here
    /// trailing zeros do not count.
    pub(super) fn percentile_decimals(&self) -> usize {
        let decimals = |percentile: &f64| {
            let written = percentile.to_string();
            written.split_once('.').map_or(0, |(_, decimals)| decimals.len())
        };
        self.percentiles.iter().map(decimals).max().unwrap_or(0)
    }

    /// Whether the first of a pair of bandwidths uses powers of 1,024.
    pub(super) fn is_binary(&self) -> bool {
        self.kb_base.is_power_of_two()
    }

    /// A count in the style's figures, followed by `unit`.
    pub(super) fn scaled(&self, value: impl Into<u128>, binary: bool, unit: &'static str) -> String {
        scaled(value.into(), Scale { significant_figures: self.significant_figures, binary, unit })
    }

    /// A plain count.
    pub(super) fn count(&self, value: impl Into<u128>) -> String {
        self.scaled(value, false, "")
    }

    /// The unit of bandwidths: how many make a byte, and its name.
    pub(super) fn bandwidth_unit(&self) -> (u128, &'static str) {
        if self.unit_base == 1 { (8, "bit/s") } else { (1, "B/s") }
    }

    /// A bandwidth.
    pub(super) fn bandwidth(&self, bytes_per_s: u64, binary: bool) -> String {
        let (factor, unit) = self.bandwidth_unit();
        self.scaled(u128::from(bytes_per_s) * factor, binary, unit)
    }

    /// The percentiles, sorted.
    pub(super) fn sorted_percentiles(&self) -> Vec<f64> {
        let mut sorted = self.percentiles.clone();
        sorted.sort_by(f64::total_cmp);
        sorted
    }
}

impl Default for LatencyTarget {
    /// No target, for a job of depth 1.
    fn default() -> Self {
        Self { depth: 1, target_ns: 0, window_us: 0, percentile: 100.0 }
    }
}

impl Samples {
    /// Summarises samples.
    pub fn from_values(values: impl IntoIterator<Item = u64>) -> Self {
        let mut all = Self::default();
        for value in values {
            all.min = if all.n == 0 { value } else { all.min.min(value) };
            all.max = all.max.max(value);
            all.n += 1;
            let distance = value as f64 - all.mean;
            all.mean += distance / all.n as f64;
            all.squares += distance * (value as f64 - all.mean);
        }
        all
    }

    /// fio's samples of a direction, or of several as one: whole windows with completions, as integers. Returns
    /// bandwidth in `kb_base` bytes per second, and IOPS.
    ///
    /// `window_ns` (500 ms in fio) is adjusted to a multiple of the windows of `series`.
    pub fn from_series(
        series: &Series,
        directions: &[Direction],
        window_ns: u64,
        kb_base: u64,
    ) -> (Self, Self) {
        let coarse = coarser(series, window_ns);
        let window_ns = coarse.window_ns.max(1);
        let per_second = |count: u64| {
            let rate = u128::from(count) * 1_000_000_000 / u128::from(window_ns);
            u64::try_from(rate).unwrap_or(u64::MAX)
        };
        let windows = (0..coarse.recorded_windows()).map(|at| {
            let of_all = directions.iter().filter_map(|&direction| coarse.whole(direction).get(at));
            of_all.fold((0_u64, 0_u64), |(ios, bytes), window| {
                (ios.saturating_add(window.ios), bytes.saturating_add(window.bytes))
            })
        });
        let busy: Vec<(u64, u64)> = windows.filter(|&(ios, _)| ios > 0).collect();
        let bandwidth = Self::from_values(busy.iter().map(|&(_, bytes)| per_second(bytes) / kb_base.max(1)));
        (bandwidth, Self::from_values(busy.iter().map(|&(ios, _)| per_second(ios))))
    }

    /// Number of whole windows without data I/O in any direction.
    pub fn zero_windows(series: &Series, window_ns: u64) -> u64 {
        let coarse = coarser(series, window_ns);
        let is_zero = |&at: &usize| {
            let ios = |direction| coarse.whole(direction).get(at).map_or(0, |window| window.ios);
            Direction::DATA.into_iter().all(|direction| ios(direction) == 0)
        };
        (0..coarse.recorded_windows()).filter(is_zero).count() as u64
    }

    /// Standard deviation, divided by n - 1; 0 for fewer than two samples.
    pub fn stdev(&self) -> f64 {
        if self.n < 2 { 0.0 } else { (self.squares.max(0.0) / (self.n - 1) as f64).sqrt() }
    }
}

impl DirectionFigures {
    /// The figures of an engine's result in one direction, without samples.
    pub fn from_result(result: &DirectionResult) -> Self {
        Self {
            ios: result.ios,
            bytes: result.bytes,
            runtime_ms: result.runtime_ns.div_ceil(cardiograph_core::NS_PER_MS),
            short_ios: result.short_ios,
            submission: result.submission.clone().unwrap_or_default(),
            completion: result.completion.clone(),
            total: result.total().clone(),
            ..Self::default()
        }
    }

    /// The combined figures of concurrent directions of a job, without samples.
    pub fn together<'a>(directions: impl IntoIterator<Item = &'a Self>) -> Self {
        let mut all = Self::default();
        directions.into_iter().for_each(|figures| all.merge(figures));
        Self { bandwidth: Samples::default(), iops: Samples::default(), ..all }
    }

    /// Bytes per second, rounded down; 0 without I/O.
    pub fn bytes_per_s(&self) -> u64 {
        per_second(self.bytes, self.runtime_ms)
    }

    /// I/Os per second; 0 without I/O.
    pub fn iops(&self) -> f64 {
        if self.runtime_ms == 0 { 0.0 } else { self.ios as f64 * 1_000.0 / self.runtime_ms as f64 }
    }
}

impl JobEntry {
    /// The value of the option `description`, if set.
    pub(super) fn description(&self) -> Option<&str> {
        self.style.description.as_deref().filter(|description| !description.is_empty())
    }

    /// Reads, writes and trims, without syncs.
    pub(super) fn data_ios(&self) -> u64 {
        let Self { directions: d, .. } = self;
        d.read.ios + d.write.ios + d.trim.ios
    }

    /// I/Os beyond fio's histogram: its percentiles and bins show them as 17.1 s.
    pub(super) fn ios_over_17_s(&self) -> u64 {
        let slow = |latency: &Latency| -> u64 {
            let beyond = latency.histogram().buckets().filter(|&(bucket, _)| bucket >= FIO_BUCKETS);
            beyond.map(|(_, count)| count).sum()
        };
        self.directions.iter().map(|(_, figures)| slow(&figures.completion)).sum()
    }
}

impl CpuFigures {
    /// Processor time in the program as percent of the workers' runtime.
    pub(super) fn user_percent(&self) -> f64 {
        self.percent(self.user_ms)
    }

    /// Processor time in the kernel as percent of the workers' runtime.
    pub(super) fn system_percent(&self) -> f64 {
        self.percent(self.system_ms)
    }

    fn percent(&self, part_ms: u64) -> f64 {
        if self.run_ms == 0 { 0.0 } else { part_ms as f64 * 100.0 / self.run_ms as f64 }
    }
}

/// Options, without those replaced by a later one of the same name, so that names can be keys.
pub(super) fn last_of_each(options: &[(String, String)]) -> Vec<&(String, String)> {
    let mut seen = HashSet::new();
    let mut last: Vec<_> = options.iter().rev().filter(|(name, _)| seen.insert(name)).collect();
    last.reverse();
    last
}

/// `series` in windows of `window_ns`, rounded down to a multiple of its windows.
pub fn coarser(series: &Series, window_ns: u64) -> Series {
    let factor = (window_ns / series.window_ns.max(1)).max(1);
    series.coarser(usize::try_from(factor).unwrap_or(usize::MAX))
}

/// The rate per second, rounded down; 0 if no time passed.
pub(super) fn per_second(count: u64, runtime_ms: u64) -> u64 {
    let rate = (u128::from(count) * 1_000).checked_div(runtime_ms.into()).unwrap_or(0);
    u64::try_from(rate).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use cardiograph_core::{Interval, NS_PER_MS};

    use super::*;
    use crate::output::samples;

    fn series(read_ios: &[u64], write_ios: &[u64]) -> Series {
        let rows = |ios: &[u64]| {
            ios.iter().map(|&ios| Interval { ios, bytes: ios * 4_096, ..Interval::default() }).collect()
        };
        let mut series = Series { window_ns: 100 * NS_PER_MS, ..Series::default() };
        series.duration_ns = series.window_ns * read_ios.len().max(write_ios.len()) as u64 + 1;
        series.rows = PerDirection { read: rows(read_ios), write: rows(write_ios), ..Default::default() };
        series
    }

    #[test]
    fn samples_skip_windows_without_io() {
        let reads = [1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 9, 0, 0, 0, 0, 3];
        let series = series(&reads, &[0, 0, 0, 0, 0, 0, 0, 2]);
        let half_second = 500 * NS_PER_MS;
        let (bandwidth, iops) = Samples::from_series(&series, &[Direction::Read], half_second, 1_024);
        assert_eq!((iops.n, iops.min, iops.max, iops.mean), (2, 10, 18, 14.0));
        assert_eq!((bandwidth.n, bandwidth.min, bandwidth.max), (2, 40, 72));
        assert!((iops.stdev() - 5.656_854).abs() < 1e-6);
        let (decimal, _) = Samples::from_series(&series, &[Direction::Write], half_second, 1_000);
        assert_eq!((decimal.n, decimal.min, decimal.stdev()), (1, 16, 0.0));
        assert_eq!(
            Samples::from_series(&series, &[Direction::Trim], half_second, 1_024).0,
            Samples::default()
        );
        // Windows are summed before sampling: the second one has the only write.
        let both = [Direction::Read, Direction::Write];
        let (_, iops) = Samples::from_series(&series, &both, half_second, 1_024);
        assert_eq!((iops.n, iops.min, iops.max, iops.mean), (3, 4, 18, 32.0 / 3.0));
        assert_eq!(Samples::zero_windows(&series, half_second), 0);
        assert_eq!(Samples::zero_windows(&series, 100 * NS_PER_MS), 8);
        assert_eq!(Samples::zero_windows(&Series::default(), half_second), 0);
    }

    #[test]
    fn runtimes_of_engine_results_are_rounded_up() {
        let result = DirectionResult {
            ios: 2,
            bytes: 8_192,
            runtime_ns: 1_000_001,
            completion: samples::latency(&[5, 7]),
            ..DirectionResult::default()
        };
        let figures = DirectionFigures::from_result(&result);
        assert_eq!((figures.runtime_ms, figures.bytes_per_s(), figures.iops()), (2, 4_096_000, 1_000.0));
        // Without a separate submission, the whole latency is completion.
        assert_eq!((figures.submission.n(), &figures.total), (0, &figures.completion));
        assert_eq!(DirectionFigures::default().iops(), 0.0);
    }

    #[test]
    fn the_last_of_repeated_options_counts() {
        let pair = |name: &str, value: &str| (name.to_string(), value.to_string());
        let options = [pair("rw", "read"), pair("bs", "4k"), pair("rw", "write")];
        let last: Vec<&str> = last_of_each(&options).into_iter().map(|(_, value)| value.as_str()).collect();
        assert_eq!(last, ["4k", "write"]);
    }
}
