//! Figures derived from a [`RunResult`], each with its certainty.

use serde::{Deserialize, Serialize};

use crate::JsonSchema;
use crate::NS_PER_MS;
use crate::direction::Direction;
use crate::estimate::Estimate;
pub use crate::estimate::SAMPLES_ABOVE_MIN;
use crate::falloff::{self, FallOffSearch};
use crate::histogram::Latency;
use crate::result::{DirectionResult, PrecisionOutcome, RunResult};
use crate::series::{Series, Spread};

/// Percentiles of each step.
pub const PERCENTILES: [f64; 7] = [50.0, 70.0, 90.0, 95.0, 99.0, 99.9, 99.99];
/// Length of the windows whose minimum, maximum and deviation are reported, in nanoseconds. fio's default, so that
/// figures are comparable with fio's.
pub const QUOTED_WINDOW_NS: u64 = 500 * NS_PER_MS;
/// Time without a completed I/O from which it is a stall that is named, in nanoseconds: shorter ones are just between the
/// I/Os of a slow drive.
pub const STALL_NS: u64 = 500 * NS_PER_MS;

/// The figures of a step.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct StepFigures {
    /// Reads, writes, trims: the directions used.
    pub directions: Vec<DirectionFigures>,
    /// Latency of syncs; `None` if there were none.
    pub sync: Option<LatencyFigures>,
    /// CPU time per I/O; `None` if unknown.
    pub cpu_per_io: Option<CpuPerIo>,
    /// The longest time in which a worker completed nothing, in nanoseconds; other workers may have continued.
    pub longest_stall_ns: u64,
    /// Search for a fall-off of the write speed; `None` if nothing was written.
    pub fall_off: Option<FallOffSearch>,
}

/// The figures of one direction.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DirectionFigures {
    /// The direction.
    pub direction: Direction,
    /// I/Os that completed.
    pub ios: u64,
    /// Bytes of these I/Os.
    pub bytes: u64,
    /// I/Os that moved fewer bytes than asked.
    pub short_ios: u64,
    /// Elapsed time in nanoseconds.
    pub runtime_ns: u64,
    /// Bytes per second: over the settled part of the run if it had a precision target
    /// ([`crate::result::PrecisionOutcome`]), else over the whole run.
    pub bandwidth_bytes_per_s: Estimate,
    /// I/Os per second, over the same time.
    pub iops: Estimate,
    /// Until submitted to the kernel; `None` if the engine submits and completes in one call.
    pub submission: Option<LatencyFigures>,
    /// From submission to completion.
    pub completion: LatencyFigures,
    /// The sum of both.
    pub total: LatencyFigures,
    /// p99.99 over p50 of the total latency: 1 is perfectly predictable. `None` if p99.99 is withheld.
    pub predictability: Option<f64>,
    /// Bandwidth over windows; `None` if no window was complete.
    pub windows: Option<WindowFigures>,
}

/// Bandwidth over windows of one length.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WindowFigures {
    /// Length of a window in nanoseconds.
    pub window_ns: u64,
    /// Spread of the windows' bandwidth, in bytes per second.
    pub bandwidth_bytes_per_s: Spread,
}

/// The figures of one kind of latency.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LatencyFigures {
    /// Number of samples.
    pub n: u64,
    /// Minimum in nanoseconds.
    pub min_ns: u64,
    /// Mean in nanoseconds.
    pub mean_ns: f64,
    /// Standard deviation in nanoseconds.
    pub stdev_ns: f64,
    /// Maximum in nanoseconds.
    pub max_ns: u64,
    /// Percentiles in ascending order.
    pub percentiles: Vec<PercentileFigure>,
}

/// One percentile.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PercentileFigure {
    /// The percentile, from 0 to 100.
    pub percentile: f64,
    /// Its value in nanoseconds, even if withheld.
    pub value_ns: u64,
    /// Number of samples above it.
    pub samples_above: u64,
    /// Whether too few are above ([`SAMPLES_ABOVE_MIN`]) for a figure that is more than chance.
    pub withheld: bool,
}

/// CPU time per I/O.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CpuPerIo {
    /// In the program, in nanoseconds.
    pub user_ns: f64,
    /// In the kernel, in nanoseconds.
    pub system_ns: f64,
}

impl LatencyFigures {
    /// The figures of `latency`; `None` if it is empty.
    pub fn from_latency(latency: &Latency) -> Option<Self> {
        let percentile = |percentile: f64| {
            let samples_above = latency.samples_above(percentile);
            Some(PercentileFigure {
                percentile,
                value_ns: latency.percentile_ns(percentile)?,
                samples_above,
                withheld: samples_above < SAMPLES_ABOVE_MIN,
            })
        };
        Some(Self {
            n: latency.n(),
            min_ns: latency.min_ns(),
            mean_ns: latency.mean_ns(),
            stdev_ns: latency.stdev_ns(),
            max_ns: latency.max_ns(),
            percentiles: PERCENTILES.into_iter().map(percentile).collect::<Option<_>>()?,
        })
    }

    /// A percentile's value in nanoseconds; `None` if withheld or not in [`PERCENTILES`].
    pub fn percentile_ns(&self, percentile: f64) -> Option<u64> {
        let found = self.percentiles.iter().find(|figure| figure.percentile == percentile)?;
        (!found.withheld).then_some(found.value_ns)
    }
}

impl StepFigures {
    /// The figures of a run.
    pub fn from_result(result: &RunResult) -> Self {
        let merged = result.merged(|_| true);
        let series = result.series();
        // The series of consecutive groups is a mixture.
        let precision = if let [only] = &result.precision[..] { Some(only) } else { None };
        let factor = QUOTED_WINDOW_NS.checked_div(series.window_ns).unwrap_or(1).max(1) as usize;
        let both = Windows { quoted: series.coarser(factor), whole: series };
        let data = Direction::DATA;
        let directions: Vec<_> =
            data.into_iter().filter_map(|d| direction_figures(d, &merged[d], &both, precision)).collect();
        let ios =
            Direction::ALL.into_iter().map(|direction| merged[direction].ios).fold(0, u64::saturating_add);
        let cpu_per_io = result.cpu().filter(|_| ios > 0).map(|cpu| CpuPerIo {
            user_ns: cpu.user_ns as f64 / ios as f64,
            system_ns: cpu.system_ns as f64 / ios as f64,
        });
        let fall_off = (merged.write.ios > 0).then(|| falloff::search(&both.whole));
        Self {
            directions,
            sync: LatencyFigures::from_latency(&merged.sync.completion),
            cpu_per_io,
            longest_stall_ns: result.workers.iter().map(|worker| worker.longest_gap_ns).max().unwrap_or(0),
            fall_off,
        }
    }

    /// The figures of one direction, if used.
    pub fn direction(&self, direction: Direction) -> Option<&DirectionFigures> {
        self.directions.iter().find(|figures| figures.direction == direction)
    }
}

/// The windows of a run, at their own length and at the reported one.
struct Windows {
    whole: Series,
    quoted: Series,
}

fn direction_figures(
    direction: Direction,
    result: &DirectionResult,
    Windows { whole: series, quoted }: &Windows,
    precision: Option<&PrecisionOutcome>,
) -> Option<DirectionFigures> {
    let rate = |whole: f64, windows: &[f64]| {
        let settled = precision.and_then(|outcome| outcome.rate(windows, series.window_ns));
        settled.unwrap_or_else(|| Estimate::rate(whole, windows))
    };
    let completion = LatencyFigures::from_latency(&result.completion)?;
    let total = LatencyFigures::from_latency(result.total())?;
    let windows = Spread::from_values(&quoted.bandwidth_bytes_per_s(direction))
        .map(|bandwidth_bytes_per_s| WindowFigures { window_ns: quoted.window_ns, bandwidth_bytes_per_s });
    let predictability = total
        .percentile_ns(99.99)
        .zip(total.percentile_ns(50.0))
        .map(|(worst, median)| worst as f64 / median.max(1) as f64);
    Some(DirectionFigures {
        direction,
        ios: result.ios,
        bytes: result.bytes,
        short_ios: result.short_ios,
        runtime_ns: result.runtime_ns,
        bandwidth_bytes_per_s: rate(result.bandwidth_bytes_per_s(), &series.bandwidth_bytes_per_s(direction)),
        iops: rate(result.iops(), &series.iops(direction)),
        submission: result.submission.as_ref().and_then(LatencyFigures::from_latency),
        completion,
        total,
        predictability,
        windows,
    })
}
