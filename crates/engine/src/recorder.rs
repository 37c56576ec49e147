//! Recording of a worker's figures, readable while it runs.
//!
//! One worker writes, any thread reads: the live view, and the code that saves results when the worker is
//! stuck in the kernel because of a hanging drive. So every number is an atomic that only the worker changes,
//! by a relaxed load and store: the same machine code as for a plain number, without locks. A reader may see
//! the count of an I/O but not yet its sum; once the worker pauses, everything is consistent.

use cardiograph_core::histogram::BUCKETS;
use cardiograph_core::result::{DepthCounts, DirectionResult};
use cardiograph_core::series::over_time::LatencyRow;
use cardiograph_core::workload::Measured;
use cardiograph_core::{Direction, LatencyHistogram, PerDirection, Series};

use crate::clock::Clock;

mod depths;
mod direction;
mod latency;
mod logger;
mod series;
mod writer;

use depths::{DepthRecorder, one_at_a_time};
use direction::DirectionRecorder;
use latency::{Count, LatencyRecorder};
use series::SeriesRecorder;
pub(crate) use writer::{Moments, Transfer, Writer};

/// The activity of a worker, for observers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u64)]
pub(crate) enum Stage {
    /// Does its own I/O.
    Running = 0,
    /// Flushes what it wrote, or prepares its files for another pass.
    Closing,
    /// Reads back what it wrote.
    Verifying,
    /// Runs a command.
    Leaving,
}

/// Selects what a recorder records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecorderShape {
    /// Whether the engine queues: submission and completion are then separate, and depths are counted.
    pub is_queueing: bool,
    /// Length of a window of the series in nanoseconds.
    pub window_ns: u64,
    /// Which latencies are recorded.
    pub measured: Measured,
    /// Whether there is a rate limit: latency is then also measured from the due time of an I/O.
    pub has_rate: bool,
}

/// The figures of a worker. On its own cache lines.
#[derive(Debug)]
#[repr(align(128))]
pub struct Recorder {
    directions: [DirectionRecorder; 4],
    series: SeriesRecorder,
    /// `None` for a synchronous engine, whose depth is known.
    depths: Option<Box<DepthRecorder>>,
    window_ns: u64,
    /// All completions, including the ramp's: a sign of life.
    completions: Count,
    /// A [`Stage`]; 0 before the first.
    stage: Count,
    gap_ns_max: Count,
    /// When counting began, in ticks; 0 before.
    count_from: Count,
    /// 1 in the ramp: its figures count only if the job ends in it, and are not shown before then.
    in_ramp: Count,
    /// The second (or group of seconds) since counting began with the last completion.
    second: Count,
    /// Time of the last completion, in ticks; 0 before the first.
    last_completion_at: Count,
}

impl Recorder {
    /// A recorder for the given directions.
    pub fn new(used: impl Fn(Direction) -> bool, shape: RecorderShape) -> Self {
        Self {
            directions: Direction::ALL.map(|direction| DirectionRecorder::new(used(direction), &shape)),
            series: SeriesRecorder::new(&used),
            depths: shape.is_queueing.then(Box::default),
            window_ns: shape.window_ns,
            completions: Count::default(),
            stage: Count::default(),
            gap_ns_max: Count::default(),
            count_from: Count::default(),
            in_ramp: Count::default(),
            second: Count::default(),
            last_completion_at: Count::default(),
        }
    }

    /// Whether the direction is recorded.
    pub fn uses(&self, direction: Direction) -> bool {
        self.series.columns[direction.index()].is_some()
    }

    /// Completions so far, including the ramp's.
    pub fn completions(&self) -> u64 {
        self.completions.get()
    }

    /// Whether the worker is in this stage.
    pub(crate) fn is_in(&self, stage: Stage) -> bool {
        self.stage.get() == stage as u64
    }

    /// Sets the worker's stage. Called on its thread.
    pub(crate) fn enter(&self, stage: Stage) {
        self.stage.set(stage as u64);
    }

    /// When counting begins, in ticks; 0 if not yet known.
    pub fn count_from(&self) -> u64 {
        self.count_from.get()
    }

    /// I/Os and bytes of a direction so far.
    pub fn totals(&self, direction: Direction) -> (u64, u64) {
        let recorder = &self.directions[direction.index()];
        if self.is_in_ramp() { (0, 0) } else { (recorder.ios.get(), recorder.bytes.get()) }
    }

    fn is_in_ramp(&self) -> bool {
        self.in_ramp.get() != 0
    }

    /// Adds the counts of a direction's total latency to `sum`, by bucket.
    pub fn add_latency_counts(&self, direction: Direction, sum: &mut [u64; BUCKETS]) {
        if let Some(latency) = self.latencies(direction).filter(|_| !self.is_in_ramp()) {
            latency.add_to(sum);
        }
    }

    /// Sum of the latencies of a direction so far, in nanoseconds.
    pub fn latency_sum_ns(&self, direction: Direction) -> u64 {
        self.latencies(direction).filter(|_| !self.is_in_ramp()).map_or(0, LatencyRecorder::sum_ns)
    }

    /// Completion latencies of a direction since the counts in `before`, which are updated.
    fn completions_since(&self, direction: Direction, before: &mut [u64]) -> LatencyHistogram {
        let completion: Option<&LatencyRecorder> = self.directions[direction.index()].completion.as_ref();
        completion.map(|completion| completion.since(before)).unwrap_or_default()
    }

    /// Resets all counters. Called by the worker, between I/Os.
    fn start_over(&self) {
        self.directions.iter().for_each(DirectionRecorder::start_over);
        self.series.start_over();
        if let Some(depths) = &self.depths {
            depths.start_over();
        }
        self.gap_ns_max.set(0);
        self.second.set(0);
    }

    /// Results so far, by direction.
    pub fn directions(&self) -> PerDirection<DirectionResult> {
        PerDirection::from_fn(|direction| match self.is_in_ramp() {
            true => DirectionResult::default(),
            false => self.directions[direction.index()].snapshot(),
        })
    }

    /// Results so far without latencies.
    pub fn figures(&self) -> PerDirection<DirectionResult> {
        PerDirection::from_fn(|direction| match self.is_in_ramp() {
            true => DirectionResult::default(),
            false => self.directions[direction.index()].figures(),
        })
    }

    /// Queue depths and batch sizes so far.
    pub fn depths(&self) -> DepthCounts {
        match &self.depths {
            Some(depths) => depths.snapshot(),
            None => one_at_a_time(self.directions.iter().map(|direction| direction.ios.get()).sum()),
        }
    }

    /// The windows of the first `duration_ns` since counting began.
    pub fn series(&self, duration_ns: u64) -> Series {
        let all = |of: &LatencyRecorder| LatencyRow::from_histogram(of.snapshot().histogram());
        let all = PerDirection::from_fn(|direction| self.latencies(direction).map(all).unwrap_or_default());
        let (latency, latency_doublings) = self.series.latency(self.second.get(), &all);
        Series { latency, latency_doublings, ..self.windows(duration_ns) }
    }

    /// Like [`series`](Self::series) without latencies per second, for frequent callers during the run.
    pub fn windows(&self, duration_ns: u64) -> Series {
        self.series.windows(self.window_ns, duration_ns)
    }

    /// Latencies of a direction, from decision to completion.
    fn latencies(&self, direction: Direction) -> Option<&LatencyRecorder> {
        let recorder = &self.directions[direction.index()];
        recorder.total.as_ref().or(recorder.completion.as_ref())
    }

    /// The longest time without a completion, in nanoseconds, up to `now` (ticks).
    pub fn longest_gap_ns(&self, clock: &Clock, now: u64) -> u64 {
        let last = self.last_completion_at.get().max(self.count_from.get());
        if last == 0 { 0 } else { self.gap_ns_max.get().max(clock.ns_between(last, now)) }
    }
}

#[cfg(test)]
mod tests;
