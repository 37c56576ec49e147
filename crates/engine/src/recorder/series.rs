//! The time series.

use std::ops::Range;
use std::sync::{Mutex, OnceLock, PoisonError};

use cardiograph_core::series::WINDOWS_MAX;
use cardiograph_core::series::over_time::LatencyRow;
use cardiograph_core::{Direction, Interval, PerDirection, Series};

use super::latency::{Count, Zeroable, zeroed};

/// One window of one direction.
#[derive(Debug, Default)]
pub(super) struct Cell {
    pub ios: Count,
    pub bytes: Count,
    pub latency_ns_sum: Count,
    pub latency_ns_max: Count,
}

// SAFETY: all fields are numbers, for which zero bytes are valid.
unsafe impl Zeroable for Cell {}

/// Windows in the first chunk; each further chunk is twice as long.
const FIRST_CHUNK_WINDOWS: usize = 256;
/// Maximum number of chunks.
const CHUNKS: usize = 6;
const _: () = assert!(FIRST_CHUNK_WINDOWS * ((1 << CHUNKS) - 1) >= WINDOWS_MAX);

/// The time series. It grows in chunks that double, so memory is allocated a handful of times per run, at a
/// window boundary and never during an I/O. At [`WINDOWS_MAX`] windows, pairs are merged, which doubles the
/// window length.
#[derive(Debug)]
pub(super) struct SeriesRecorder {
    /// Position of each direction within a window, if it is used.
    pub columns: [Option<usize>; 4],
    columns_len: usize,
    chunks: [OnceLock<Box<[Cell]>>; CHUNKS],
    /// How often windows doubled. Locked only while they double or are read, never for an I/O.
    doublings: Mutex<u32>,
    /// The worker adds to it once per second, so I/Os do not take the lock.
    seconds: Mutex<Seconds>,
}

/// Latencies of past seconds.
#[derive(Debug, Default)]
struct Seconds {
    /// By number of the second, or of the group of seconds; those without I/O are left out.
    rows: PerDirection<Vec<(u64, LatencyRow)>>,
    /// How often rows doubled.
    doublings: u32,
}

impl SeriesRecorder {
    pub fn new(used: impl Fn(Direction) -> bool) -> Self {
        let mut columns_len = 0;
        let columns = Direction::ALL.map(|direction| {
            used(direction).then(|| {
                columns_len += 1;
                columns_len - 1
            })
        });
        let (chunks, doublings, seconds) = Default::default();
        let series = Self { columns, columns_len, chunks, doublings, seconds };
        // Allocate the first chunk before the first I/O.
        series.cell(0, 0);
        series
    }

    /// The cell of a window and column. Allocates its chunk if needed.
    #[inline]
    pub fn cell(&self, window: u64, column: usize) -> Option<&Cell> {
        let (chunk, window_in_chunk) = place(window);
        let make = || zeroed((FIRST_CHUNK_WINDOWS << chunk) * self.columns_len);
        let cells = self.chunks.get(chunk)?.get_or_init(make);
        cells.get(window_in_chunk * self.columns_len + column)
    }

    /// Adds the latencies of a past second.
    pub fn add_second(&self, direction: Direction, second: u64, row: LatencyRow) {
        if !row.is_empty() {
            self.seconds().rows[direction].push((second, row));
        }
    }

    /// Merges pairs of windows.
    #[cold]
    pub fn double_windows(&self) {
        let mut doublings = self.doublings();
        for column in 0..self.columns_len {
            for window in 0..WINDOWS_MAX as u64 {
                if let Some(cell) = self.cell_at(window, column) {
                    cell.set(&self.sum(2 * window..2 * window + 2, column));
                }
            }
        }
        *doublings += 1;
    }

    /// Merges pairs of rows of latencies.
    #[cold]
    pub fn double_rows(&self) {
        let seconds = &mut *self.seconds();
        for direction in Direction::ALL {
            let mut rows: Vec<(u64, LatencyRow)> = Vec::new();
            for (number, row) in std::mem::take(&mut seconds.rows[direction]) {
                match rows.last_mut() {
                    Some((last, sum)) if *last == number / 2 => sum.merge(&row),
                    _ => rows.push((number / 2, row)),
                }
            }
            seconds.rows[direction] = rows;
        }
        seconds.doublings += 1;
    }

    /// Past seconds and the current or last one, which is the part of `all` that is not in the others. Rows
    /// of several seconds are merged as often as recorded.
    pub fn latency(
        &self,
        second: u64,
        all: &PerDirection<LatencyRow>,
    ) -> (PerDirection<Vec<LatencyRow>>, u32) {
        let seconds = self.seconds();
        let rows = PerDirection::from_fn(|direction| {
            let mut last = all[direction].clone();
            let mut rows = Vec::new();
            let mut put = |number: u64, row: &LatencyRow| {
                rows.resize((number as usize + 1).max(rows.len()), LatencyRow::default());
                rows[number as usize].merge(row);
            };
            for (number, row) in &seconds.rows[direction] {
                put(*number, row);
                last.subtract(row);
            }
            if !last.is_empty() {
                put(second, &last);
            }
            rows
        });
        (rows, seconds.doublings)
    }

    fn doublings(&self) -> std::sync::MutexGuard<'_, u32> {
        self.doublings.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Locks the seconds. A thread that panicked while holding the lock left complete rows.
    fn seconds(&self) -> std::sync::MutexGuard<'_, Seconds> {
        self.seconds.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Resets all windows.
    pub fn start_over(&self) {
        *self.seconds() = Seconds::default();
        let mut doublings = self.doublings();
        *doublings = 0;
        let cells = self.chunks.iter().filter_map(OnceLock::get).flatten();
        cells.for_each(|cell| cell.set(&Interval::default()));
    }

    /// The windows so far; `window_ns` is their original length.
    pub fn windows(&self, window_ns: u64, duration_ns: u64) -> Series {
        let doublings = self.doublings();
        let window_ns = window_ns.max(1).saturating_mul(1 << *doublings);
        // The time after the last I/O may be long, too.
        let together = duration_ns.div_ceil(window_ns).div_ceil(WINDOWS_MAX as u64).next_power_of_two();
        let window_ns = window_ns.saturating_mul(together);
        let rows = PerDirection::from_fn(|direction| {
            let Some(column) = self.columns[direction.index()] else { return Vec::new() };
            let windows = 0..duration_ns.div_ceil(window_ns);
            windows.map(|window| self.sum(window * together..(window + 1) * together, column)).collect()
        });
        Series { window_ns, duration_ns, rows, ..Series::default() }
    }

    /// Sum of the windows of a column.
    fn sum(&self, windows: Range<u64>, column: usize) -> Interval {
        let mut sum = Interval::default();
        let cells =
            (windows.start..windows.end.min(WINDOWS_MAX as u64)).filter_map(|at| self.cell_at(at, column));
        cells.for_each(|cell| sum.merge(&cell.interval()));
        sum
    }

    /// The cell of a window and column, if its chunk is allocated.
    fn cell_at(&self, window: u64, column: usize) -> Option<&Cell> {
        let (chunk, window_in_chunk) = place(window);
        self.chunks.get(chunk)?.get()?.get(window_in_chunk * self.columns_len + column)
    }
}

impl Cell {
    fn interval(&self) -> Interval {
        Interval {
            ios: self.ios.get(),
            bytes: self.bytes.get(),
            latency_ns_sum: self.latency_ns_sum.get(),
            latency_ns_max: self.latency_ns_max.get(),
        }
    }

    fn set(&self, interval: &Interval) {
        self.ios.set(interval.ios);
        self.bytes.set(interval.bytes);
        self.latency_ns_sum.set(interval.latency_ns_sum);
        self.latency_ns_max.set(interval.latency_ns_max);
    }
}

/// Chunk and index of a window. Chunk `k` holds the windows from `256·(2^k - 1)` on.
#[inline]
pub(super) fn place(window: u64) -> (usize, usize) {
    let scaled = window / FIRST_CHUNK_WINDOWS as u64 + 1;
    let chunk = 63 - scaled.leading_zeros() as usize;
    (chunk, (window - FIRST_CHUNK_WINDOWS as u64 * ((1 << chunk) - 1)) as usize)
}
