//! The time series.

use std::sync::{Mutex, OnceLock, PoisonError};

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

// SAFETY: it consists of numbers whose zero bytes are zeros.
unsafe impl Zeroable for Cell {}

/// Windows in the first chunk; each further chunk is twice as long.
const FIRST_CHUNK_WINDOWS: usize = 256;
/// Chunks that there can be: 2^32 windows of 100 ms are 13 years.
const CHUNKS: usize = 24;

/// The time series. It grows in chunks that double, so that memory is asked for a handful of times in a run, at the
/// turn of a window and never for an I/O.
#[derive(Debug)]
pub(super) struct SeriesRecorder {
    /// Position of each direction within a window, if it is used.
    pub columns: [Option<usize>; 4],
    columns_len: usize,
    chunks: [OnceLock<Box<[Cell]>>; CHUNKS],
    /// Latencies of seconds that are over, by the number of the second; those without I/O are left out. The worker adds to it
    /// at the turn of a second, so that the lock is not one of an I/O.
    seconds: Mutex<Seconds>,
}

/// Latencies of seconds that are over, by direction.
pub(super) type Seconds = PerDirection<Vec<(u64, LatencyRow)>>;

impl SeriesRecorder {
    pub fn new(used: impl Fn(Direction) -> bool) -> Self {
        let mut columns_len = 0;
        let columns = Direction::ALL.map(|direction| {
            used(direction).then(|| {
                columns_len += 1;
                columns_len - 1
            })
        });
        let series = Self { columns, columns_len, chunks: Default::default(), seconds: Mutex::default() };
        // The first chunk is there before the first I/O.
        series.cell(0, 0);
        series
    }

    /// The cell of a window and column. Makes its chunk if the window is the first in it.
    #[inline]
    pub fn cell(&self, window: u64, column: usize) -> Option<&Cell> {
        let (chunk, window_in_chunk) = place(window);
        let make = || zeroed((FIRST_CHUNK_WINDOWS << chunk) * self.columns_len);
        let cells = self.chunks.get(chunk)?.get_or_init(make);
        cells.get(window_in_chunk * self.columns_len + column)
    }

    /// Adds the latencies of a second that is over.
    pub fn add_second(&self, direction: Direction, second: u64, row: LatencyRow) {
        if !row.is_empty() {
            self.seconds()[direction].push((second, row));
        }
    }

    /// The seconds that are over, and the one in which the run is or ended: `all` that is not in the others.
    pub fn latency(&self, second: u64, all: &PerDirection<LatencyRow>) -> PerDirection<Vec<LatencyRow>> {
        let seconds = self.seconds();
        PerDirection::from_fn(|direction| {
            let mut last = all[direction].clone();
            let mut rows = Vec::new();
            let mut put = |number: u64, row: &LatencyRow| {
                rows.resize((number as usize + 1).max(rows.len()), LatencyRow::default());
                rows[number as usize].merge(row);
            };
            for (number, row) in &seconds[direction] {
                put(*number, row);
                last.subtract(row);
            }
            if !last.is_empty() {
                put(second, &last);
            }
            rows
        })
    }

    /// A thread that panicked with the lock left whole rows behind.
    fn seconds(&self) -> std::sync::MutexGuard<'_, Seconds> {
        self.seconds.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Forgets all windows.
    pub fn start_over(&self) {
        *self.seconds() = Seconds::default();
        for cell in self.chunks.iter().filter_map(OnceLock::get).flatten() {
            for count in [&cell.ios, &cell.bytes, &cell.latency_ns_sum, &cell.latency_ns_max] {
                count.set(0);
            }
        }
    }

    /// The windows so far.
    pub fn windows(&self, window_ns: u64, duration_ns: u64) -> Series {
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
        Series { window_ns, duration_ns, rows, ..Series::default() }
    }
}

/// In which chunk a window lies, and where in it. Chunk `k` holds the windows from `256·(2^k - 1)` on.
#[inline]
pub(super) fn place(window: u64) -> (usize, usize) {
    let scaled = window / FIRST_CHUNK_WINDOWS as u64 + 1;
    let chunk = 63 - scaled.leading_zeros() as usize;
    (chunk, (window - FIRST_CHUNK_WINDOWS as u64 * ((1 << chunk) - 1)) as usize)
}
