//! What a worker writes down, and others may read while it does.
//!
//! One worker writes, any thread reads: the live view, and whoever saves what was measured when the worker is held in
//! the kernel by a drive that hangs. Every number is therefore an atomic that only the worker changes, by a load and a
//! store, both relaxed: that is the same machine code as for a plain number, and needs no lock. A reader may see the
//! counts of one I/O and not yet its sum; when the worker stands still, all is as it should be.

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

/// What a worker does at the moment, for observers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u64)]
pub(crate) enum Stage {
    /// It does its own I/O.
    Running = 0,
    /// It makes durable what it wrote, or its files ready for another pass.
    Closing,
    /// It reads back what it wrote.
    Verifying,
    /// A command runs in its place.
    Leaving,
}

/// What a recorder keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecorderShape {
    /// Whether the engine queues: then submission and completion are told apart, and depths are counted.
    pub is_queueing: bool,
    /// Length of a window of the series in nanoseconds.
    pub window_ns: u64,
    /// Which latencies are taken down.
    pub measured: Measured,
    /// Whether speed is limited: then latency is also taken from the moment at which the limit allowed an I/O.
    pub has_rate: bool,
}

/// Where a worker's figures are. It lies on cache lines of its own.
#[derive(Debug)]
#[repr(align(128))]
pub struct Recorder {
    directions: [DirectionRecorder; 4],
    series: SeriesRecorder,
    /// `None` for an engine that does not queue: what it gives is known.
    depths: Option<Box<DepthRecorder>>,
    window_ns: u64,
    /// All completions, the ramp's included: a sign of life.
    completions: Count,
    /// A [`Stage`]; 0 before the first.
    stage: Count,
    gap_ns_max: Count,
    /// When counting began, in ticks; 0 before.
    count_from: Count,
    /// 1 in the ramp: what is here counts only if the job ends in it, and is shown to nobody before.
    in_ramp: Count,
    /// The second (or row of several) from the start of counting, in which the last completion came.
    second: Count,
    /// When the last completion came, in ticks; 0 before the first.
    last_completion_at: Count,
}

impl Recorder {
    /// A recorder for the directions that are used.
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

    /// Completions so far, those of the ramp included.
    pub fn completions(&self) -> u64 {
        self.completions.get()
    }

    /// Whether it is at what comes behind the I/O, or with it.
    pub(crate) fn is_in(&self, stage: Stage) -> bool {
        self.stage.get() == stage as u64
    }

    /// Notes where the worker is. Called on its thread.
    pub(crate) fn enter(&self, stage: Stage) {
        self.stage.set(stage as u64);
    }

    /// When counting begins, in ticks; 0 when that is not yet known.
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

    /// What the I/Os of a direction took so far, added up, in nanoseconds.
    pub fn latency_sum_ns(&self, direction: Direction) -> u64 {
        self.latencies(direction).filter(|_| !self.is_in_ramp()).map_or(0, LatencyRecorder::sum_ns)
    }

    /// Completion latencies of a direction since the counts in `before`, which are brought up to date.
    fn completions_since(&self, direction: Direction, before: &mut [u64]) -> LatencyHistogram {
        let completion: Option<&LatencyRecorder> = self.directions[direction.index()].completion.as_ref();
        completion.map(|completion| completion.since(before)).unwrap_or_default()
    }

    /// Forgets all that counted. Called by the worker, between I/Os.
    fn start_over(&self) {
        self.directions.iter().for_each(DirectionRecorder::start_over);
        self.series.start_over();
        if let Some(depths) = &self.depths {
            depths.start_over();
        }
        self.gap_ns_max.set(0);
        self.second.set(0);
    }

    /// What was done so far, by direction.
    pub fn directions(&self) -> PerDirection<DirectionResult> {
        PerDirection::from_fn(|direction| match self.is_in_ramp() {
            true => DirectionResult::default(),
            false => self.directions[direction.index()].snapshot(),
        })
    }

    /// The same without latencies.
    pub fn figures(&self) -> PerDirection<DirectionResult> {
        PerDirection::from_fn(|direction| match self.is_in_ramp() {
            true => DirectionResult::default(),
            false => self.directions[direction.index()].figures(),
        })
    }

    /// How deep the queue was so far, and how many requests went in and came out at a time.
    pub fn depths(&self) -> DepthCounts {
        match &self.depths {
            Some(depths) => depths.snapshot(),
            None => one_at_a_time(self.directions.iter().map(|direction| direction.ios.get()).sum()),
        }
    }

    /// The windows from the start of counting up to `duration_ns` later.
    pub fn series(&self, duration_ns: u64) -> Series {
        let all = |of: &LatencyRecorder| LatencyRow::of(of.snapshot().histogram());
        let all = PerDirection::from_fn(|direction| self.latencies(direction).map(all).unwrap_or_default());
        let (latency, latency_doublings) = self.series.latency(self.second.get(), &all);
        Series { latency, latency_doublings, ..self.windows(duration_ns) }
    }

    /// The same without the latencies by the second, for who looks again and again while the run goes on.
    pub fn windows(&self, duration_ns: u64) -> Series {
        self.series.windows(self.window_ns, duration_ns)
    }

    /// Latencies of a direction, from the decision until completion.
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
