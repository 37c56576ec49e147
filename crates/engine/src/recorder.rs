//! What a worker writes down, and others may read while it does.
//!
//! One worker writes, any thread reads: the live view, and whoever saves what was measured when the worker is held in
//! the kernel by a drive that hangs. Every number is therefore an atomic that only the worker changes, by a load and a
//! store, both relaxed: that is the same machine code as for a plain number, and needs no lock. A reader may see the
//! counts of one I/O and not yet its sum; when the worker stands still, all is as it should be.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use cardiograph_core::histogram::{BUCKETS, LatencyParts, bucket_of};
use cardiograph_core::result::DirectionResult;
use cardiograph_core::{Direction, Interval, Latency, LatencyHistogram, PerDirection, Series};

use crate::clock::Clock;

/// A number that one thread changes and all may read.
#[derive(Debug, Default)]
struct Count(AtomicU64);

impl Count {
    #[inline]
    fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    #[inline]
    fn set(&self, value: u64) {
        self.0.store(value, Ordering::Relaxed);
    }

    #[inline]
    fn add(&self, value: u64) {
        self.set(self.get().wrapping_add(value));
    }

    #[inline]
    fn raise_to(&self, value: u64) {
        if value > self.get() {
            self.set(value);
        }
    }
}

fn counts(len: usize) -> Box<[Count]> {
    (0..len).map(|_| Count::default()).collect()
}

/// Latencies of one kind.
#[derive(Debug)]
struct LatencyRecorder {
    buckets: Box<[Count]>,
    min_ns: Count,
    max_ns: Count,
    sum_ns: Count,
    squares_low: Count,
    squares_high: Count,
}

impl LatencyRecorder {
    fn new() -> Self {
        let min_ns = Count::default();
        min_ns.set(u64::MAX);
        Self {
            buckets: counts(BUCKETS),
            min_ns,
            max_ns: Count::default(),
            sum_ns: Count::default(),
            squares_low: Count::default(),
            squares_high: Count::default(),
        }
    }

    #[inline]
    fn record(&self, ns: u64) {
        self.buckets[bucket_of(ns)].add(1);
        if ns < self.min_ns.get() {
            self.min_ns.set(ns);
        }
        self.max_ns.raise_to(ns);
        self.sum_ns.add(ns);
        let square = u128::from(ns) * u128::from(ns);
        let (low, carry) = self.squares_low.get().overflowing_add(square as u64);
        self.squares_low.set(low);
        let high = (square >> 64) as u64 + u64::from(carry);
        if high > 0 {
            self.squares_high.add(high);
        }
    }

    fn snapshot(&self) -> Latency {
        let mut histogram = LatencyHistogram::default();
        for (bucket, count) in self.buckets.iter().enumerate() {
            if count.get() > 0 {
                histogram.add(bucket, count.get());
            }
        }
        let min_ns = self.min_ns.get();
        let parts = LatencyParts {
            min_ns: if min_ns == u64::MAX { 0 } else { min_ns },
            max_ns: self.max_ns.get(),
            sum_ns: u128::from(self.sum_ns.get()),
            sum_squares_ns2: u128::from(self.squares_low.get()) | u128::from(self.squares_high.get()) << 64,
        };
        Latency::from_parts(histogram, parts)
    }
}

/// Everything of one direction.
#[derive(Debug)]
struct DirectionRecorder {
    ios: Count,
    bytes: Count,
    short_ios: Count,
    issued_bytes: Count,
    last_completion_ns: Count,
    submission: Option<LatencyRecorder>,
    completion: Option<LatencyRecorder>,
    total: Option<LatencyRecorder>,
}

impl DirectionRecorder {
    fn new(is_used: bool, is_queueing: bool) -> Self {
        let queued = is_used && is_queueing;
        Self {
            ios: Count::default(),
            bytes: Count::default(),
            short_ios: Count::default(),
            issued_bytes: Count::default(),
            last_completion_ns: Count::default(),
            submission: queued.then(LatencyRecorder::new),
            completion: is_used.then(LatencyRecorder::new),
            total: queued.then(LatencyRecorder::new),
        }
    }

    fn snapshot(&self) -> DirectionResult {
        DirectionResult {
            ios: self.ios.get(),
            bytes: self.bytes.get(),
            short_ios: self.short_ios.get(),
            issued_bytes: self.issued_bytes.get(),
            runtime_ns: self.last_completion_ns.get(),
            submission: self.submission.as_ref().map(LatencyRecorder::snapshot),
            completion: self.completion.as_ref().map(LatencyRecorder::snapshot).unwrap_or_default(),
            total: self.total.as_ref().map(LatencyRecorder::snapshot),
        }
    }
}

/// One window of one direction.
#[derive(Debug, Default)]
struct Cell {
    ios: Count,
    bytes: Count,
    latency_ns_sum: Count,
    latency_ns_max: Count,
}

/// Windows in the first chunk; each further chunk is twice as long.
const FIRST_CHUNK_WINDOWS: usize = 256;
/// Chunks that there can be: 2^32 windows of 100 ms are 13 years.
const CHUNKS: usize = 24;

/// The time series. It grows in chunks that double, so that memory is asked for a handful of times in a run, at the
/// turn of a window and never for an I/O.
#[derive(Debug)]
struct SeriesRecorder {
    /// Position of each direction within a window, if it is used.
    columns: [Option<usize>; 4],
    columns_len: usize,
    chunks: [OnceLock<Box<[Cell]>>; CHUNKS],
}

impl SeriesRecorder {
    fn new(used: impl Fn(Direction) -> bool) -> Self {
        let mut columns_len = 0;
        let columns = Direction::ALL.map(|direction| {
            used(direction).then(|| {
                columns_len += 1;
                columns_len - 1
            })
        });
        let series = Self { columns, columns_len, chunks: Default::default() };
        // The first chunk is there before the first I/O.
        series.cell(0, 0);
        series
    }

    /// The cell of a window and column. Makes its chunk if the window is the first in it.
    #[inline]
    fn cell(&self, window: u64, column: usize) -> Option<&Cell> {
        let (chunk, window_in_chunk) = place(window);
        let cells = self.chunks.get(chunk)?.get_or_init(|| {
            (0..(FIRST_CHUNK_WINDOWS << chunk) * self.columns_len).map(|_| Cell::default()).collect()
        });
        cells.get(window_in_chunk * self.columns_len + column)
    }

    fn snapshot(&self, window_ns: u64, duration_ns: u64) -> Series {
        let windows = duration_ns.div_ceil(window_ns.max(1));
        let rows = PerDirection::from_fn(|direction| {
            let Some(column) = self.columns[direction.index()] else { return Vec::new() };
            (0..windows)
                .map(|window| {
                    let (chunk, window_in_chunk) = place(window);
                    let cells = self.chunks.get(chunk).and_then(OnceLock::get);
                    let cell = cells.and_then(|cells| cells.get(window_in_chunk * self.columns_len + column));
                    cell.map_or_else(Interval::default, |cell| Interval {
                        ios: cell.ios.get(),
                        bytes: cell.bytes.get(),
                        latency_ns_sum: cell.latency_ns_sum.get(),
                        latency_ns_max: cell.latency_ns_max.get(),
                    })
                })
                .collect()
        });
        Series { window_ns, duration_ns, rows }
    }
}

/// In which chunk a window lies, and where in it. Chunk `k` holds the windows from `256·(2^k - 1)` on.
#[inline]
fn place(window: u64) -> (usize, usize) {
    let scaled = window / FIRST_CHUNK_WINDOWS as u64 + 1;
    let chunk = 63 - scaled.leading_zeros() as usize;
    (chunk, (window - FIRST_CHUNK_WINDOWS as u64 * ((1 << chunk) - 1)) as usize)
}

/// Where a worker's figures are. It lies on cache lines of its own.
#[derive(Debug)]
#[repr(align(128))]
pub struct Recorder {
    directions: [DirectionRecorder; 4],
    series: SeriesRecorder,
    window_ns: u64,
    /// All completions, the ramp's included: a sign of life.
    completions: Count,
    /// 1 from the final sync on.
    closing: Count,
    gap_ns_max: Count,
    /// When counting began, in ticks; 0 before.
    count_from: Count,
    /// When the last completion came, in ticks; 0 before the first.
    last_completion_at: Count,
}

impl Recorder {
    /// A recorder for the directions that are used. With `is_queueing`, submission and completion are told apart.
    pub fn new(used: impl Fn(Direction) -> bool, is_queueing: bool, window_ns: u64) -> Self {
        Self {
            directions: Direction::ALL.map(|direction| DirectionRecorder::new(used(direction), is_queueing)),
            series: SeriesRecorder::new(&used),
            window_ns,
            completions: Count::default(),
            closing: Count::default(),
            gap_ns_max: Count::default(),
            count_from: Count::default(),
            last_completion_at: Count::default(),
        }
    }

    /// Completions so far, those of the ramp included.
    pub fn completions(&self) -> u64 {
        self.completions.get()
    }

    /// Whether the last thing that the worker does is going on: a sync of all that was written.
    pub fn is_closing(&self) -> bool {
        self.closing.get() > 0
    }

    /// When counting begins, in ticks; 0 when that is not yet known.
    pub fn count_from(&self) -> u64 {
        self.count_from.get()
    }

    /// I/Os and bytes of a direction so far.
    pub fn totals(&self, direction: Direction) -> (u64, u64) {
        let recorder = &self.directions[direction.index()];
        (recorder.ios.get(), recorder.bytes.get())
    }

    /// Adds the counts of a direction's total latency to `sum`, by bucket.
    pub fn add_latency_counts(&self, direction: Direction, sum: &mut [u64; BUCKETS]) {
        let recorder = &self.directions[direction.index()];
        if let Some(latency) = recorder.total.as_ref().or(recorder.completion.as_ref()) {
            sum.iter_mut().zip(&latency.buckets).for_each(|(sum, count)| *sum += count.get());
        }
    }

    /// What was done so far, by direction.
    pub fn directions(&self) -> PerDirection<DirectionResult> {
        PerDirection::from_fn(|direction| self.directions[direction.index()].snapshot())
    }

    /// The windows from the start of counting up to `duration_ns` later.
    pub fn series(&self, duration_ns: u64) -> Series {
        self.series.snapshot(self.window_ns, duration_ns)
    }

    /// The longest time without a completion, in nanoseconds, up to `now` (ticks).
    pub fn longest_gap_ns(&self, clock: &Clock, now: u64) -> u64 {
        let last = self.last_completion_at.get().max(self.count_from.get());
        if last == 0 { 0 } else { self.gap_ns_max.get().max(clock.ns_between(last, now)) }
    }
}

/// The moments of one I/O, in ticks.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Moments {
    /// It was decided on.
    pub started_at: u64,
    /// The engine had handed it to the kernel.
    pub submitted_at: u64,
    /// It was complete.
    pub completed_at: u64,
}

/// The worker's pen. Only it changes the recorder.
#[derive(Debug)]
pub(crate) struct Writer {
    recorder: std::sync::Arc<Recorder>,
    clock: Clock,
    count_from: u64,
    window_ticks: u64,
    window: u64,
    window_end: u64,
    last_completion_at: u64,
}

impl Writer {
    pub fn new(recorder: std::sync::Arc<Recorder>, clock: Clock) -> Self {
        let window_ticks = clock.ticks(recorder.window_ns).max(1);
        Self { recorder, clock, count_from: 0, window_ticks, window: 0, window_end: 0, last_completion_at: 0 }
    }

    /// Sets the moment from which I/Os count: the grid of windows begins there.
    pub fn count_from(&mut self, at: u64) {
        self.count_from = at;
        self.window = 0;
        self.window_end = at + self.window_ticks;
        self.last_completion_at = at;
        self.recorder.count_from.set(at.max(1));
    }

    pub fn issued(&self, direction: Direction, bytes: u64) {
        self.recorder.directions[direction.index()].issued_bytes.add(bytes);
    }

    /// Notes that only the final sync is left.
    pub fn closing(&self) {
        self.recorder.closing.set(1);
    }

    /// Notes a completion that does not count: a sign of life only.
    pub fn completed_uncounted(&self) {
        self.recorder.completions.add(1);
    }

    /// Notes a completion of `bytes`.
    #[inline]
    pub fn completed(&mut self, direction: Direction, bytes: u64, is_short: bool, moments: &Moments) {
        let Moments { started_at, submitted_at, completed_at } = *moments;
        let to = &self.recorder.directions[direction.index()];
        let completion_ns = self.clock.ns_between(submitted_at, completed_at);
        if let Some(completion) = &to.completion {
            completion.record(completion_ns);
        }
        let mut total_ns = completion_ns;
        if let (Some(submission), Some(total)) = (&to.submission, &to.total) {
            submission.record(self.clock.ns_between(started_at, submitted_at));
            total_ns = self.clock.ns_between(started_at, completed_at);
            total.record(total_ns);
        }
        to.ios.add(1);
        to.bytes.add(bytes);
        if is_short {
            to.short_ios.add(1);
        }
        to.last_completion_ns.set(self.clock.ns_between(self.count_from, completed_at));
        self.recorder.completions.add(1);
        let gap_ns = self.clock.ns_between(self.last_completion_at, completed_at);
        self.recorder.gap_ns_max.raise_to(gap_ns);
        self.last_completion_at = completed_at;
        self.recorder.last_completion_at.set(completed_at);
        if completed_at > self.window_end {
            self.turn_window(completed_at);
        }
        if let Some(column) = self.recorder.series.columns[direction.index()]
            && let Some(cell) = self.recorder.series.cell(self.window, column)
        {
            cell.ios.add(1);
            cell.bytes.add(bytes);
            cell.latency_ns_sum.add(total_ns);
            cell.latency_ns_max.raise_to(total_ns);
        }
    }

    /// Moves on to the window of `at`, which lies behind the present one's end. What is complete exactly at an end belongs
    /// to the window that ends: so the last completion of a run lies in its last window. Windows between stay zero.
    #[cold]
    fn turn_window(&mut self, at: u64) {
        self.window = (at - self.count_from - 1) / self.window_ticks;
        self.window_end = self.count_from + (self.window + 1) * self.window_ticks;
    }

    /// When the last I/O that counts was complete, in ticks; the start of counting before the first.
    pub fn last_completion_at(&self) -> u64 {
        self.last_completion_at
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    fn writer(is_queueing: bool) -> Writer {
        let used = |direction| matches!(direction, Direction::Read | Direction::Sync);
        let recorder = Arc::new(Recorder::new(used, is_queueing, 100));
        Writer::new(recorder, Clock::simulated(Arc::default()))
    }

    fn at(started_at: u64, submitted_at: u64, completed_at: u64) -> Moments {
        Moments { started_at, submitted_at, completed_at }
    }

    #[test]
    fn what_is_recorded_is_what_core_would_have_recorded() {
        let mut writer = writer(true);
        writer.count_from(1_000);
        let mut expected = [Latency::default(), Latency::default(), Latency::default()];
        let mut rng = cardiograph_core::rng::Rng::new(3);
        let mut now = 1_000;
        for _ in 0..1_000 {
            let (wait, work) = (rng.below(50), rng.below(1 << 40));
            writer.completed(Direction::Read, 4_096, false, &at(now, now + wait, now + wait + work));
            expected[0].record(wait);
            expected[1].record(work);
            expected[2].record(wait + work);
            now += wait + work;
        }
        let read = writer.recorder.directions().read;
        assert_eq!((read.ios, read.bytes, read.runtime_ns), (1_000, 4_096_000, now - 1_000));
        assert_eq!([read.submission.unwrap(), read.completion, read.total.unwrap()], expected);
        assert_eq!(writer.recorder.directions().write, DirectionResult::default());
    }

    #[test]
    fn windows_without_io_are_rows_of_zeros() {
        let mut writer = writer(false);
        writer.count_from(1_000);
        writer.completed(Direction::Read, 10, false, &at(1_000, 1_000, 1_050));
        writer.completed(Direction::Read, 10, false, &at(1_050, 1_050, 1_099));
        writer.completed(Direction::Read, 10, true, &at(1_099, 1_099, 1_450));
        let series = writer.recorder.series(700);
        let bytes: Vec<u64> = series.rows.read.iter().map(|row| row.bytes).collect();
        assert_eq!(bytes, [20, 0, 0, 0, 10, 0, 0]);
        assert_eq!(series.rows.read[4].latency_ns_max, 351);
        assert_eq!(series.rows.sync.len(), 7);
        assert!(series.rows.write.is_empty());
        assert_eq!(writer.recorder.directions().read.short_ios, 1);
        assert_eq!(writer.recorder.longest_gap_ns(&Clock::simulated(Arc::default()), 1_700), 351);
        assert_eq!(writer.recorder.longest_gap_ns(&Clock::simulated(Arc::default()), 2_700), 1_250);
    }

    #[test]
    fn long_runs_go_on_in_larger_chunks() {
        assert_eq!(place(0), (0, 0));
        assert_eq!(place(255), (0, 255));
        assert_eq!(place(256), (1, 0));
        assert_eq!(place(767), (1, 511));
        assert_eq!(place(768), (2, 0));
        let mut writer = writer(false);
        writer.count_from(0);
        for window in [0u64, 255, 256, 767, 768, 5_000] {
            let time = window * 100 + 1;
            writer.completed(Direction::Read, window + 1, false, &at(time, time, time));
        }
        let rows = writer.recorder.series(500_100).rows.read;
        assert_eq!(rows.len(), 5_001);
        let found: Vec<(usize, u64)> =
            rows.iter().enumerate().filter(|(_, row)| row.bytes > 0).map(|(i, row)| (i, row.bytes)).collect();
        assert_eq!(found, [(0, 1), (255, 256), (256, 257), (767, 768), (768, 769), (5_000, 5_001)]);
    }
}
