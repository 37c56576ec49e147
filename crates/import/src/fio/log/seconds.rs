//! Latencies of each second, for logs of single I/Os or of histograms of a second or less.

use cardiograph_core::direction::{Direction, PerDirection};
use cardiograph_core::series::over_time::{LatencyRow, ROW_NS, bucket_of, coarser};
use cardiograph_core::{NS_PER_MS, NS_PER_S};

use super::line::Line;
use super::shape::Shape;

/// The length of a row, in milliseconds.
const ROW_MS: u64 = ROW_NS / NS_PER_MS;
const _: () = assert!(ROW_NS == NS_PER_S);
/// Limit of rows: a day.
const ROWS_MAX: u64 = 86_400;
/// Limit of counts in all rows: 16 MiB, or three hours of reads and writes.
const COUNTS_MAX: usize = 1 << 20;
/// Maximum coarseness: coarser buckets would leave gaps in a row, as a power of two.
const COARSENESS_MAX: u32 = 3;

/// Rows that are filled line by line. Logs beyond the limits have none.
#[derive(Debug, Default)]
pub(super) struct Seconds {
    rows: PerDirection<Vec<LatencyRow>>,
    /// Number of counts in all rows.
    counts: usize,
    /// Whether a limit was exceeded.
    is_too_long: bool,
}

impl Seconds {
    /// Counts the latency of an I/O.
    pub(super) fn record(&mut self, direction: Direction, time_ms: u64, latency_ns: u64) {
        self.add(direction, time_ms, bucket_of(latency_ns), 1);
    }

    /// Adds the counts of a window, if it lies within one second and its buckets are fine enough.
    pub(super) fn record_window(&mut self, line: &Line, shape: Shape, start_ms: u64) {
        let Shape::Windows(window_ms) = shape else { return };
        if ROW_MS.is_multiple_of(window_ms) && line.coarseness <= COARSENESS_MAX {
            for &(bucket, count) in &line.buckets {
                self.add(line.direction, start_ms, coarser(bucket), count);
            }
        }
    }

    fn add(&mut self, direction: Direction, time_ms: u64, bucket: u16, count: u64) {
        if self.is_too_long {
            return;
        }
        let second = time_ms / ROW_MS;
        if second >= ROWS_MAX || self.counts > COUNTS_MAX {
            *self = Self { is_too_long: true, ..Self::default() };
            return;
        }
        let (rows, at) = (&mut self.rows[direction], second as usize);
        if rows.len() <= at {
            rows.resize(at + 1, LatencyRow::default());
        }
        let before = rows[at].counts.len();
        rows[at].add(bucket, count);
        self.counts += rows[at].counts.len() - before;
    }

    /// Whether the log exceeded a limit.
    pub(super) fn is_too_long(&self) -> bool {
        self.is_too_long
    }

    /// The rows of each direction; empty for a direction without latencies.
    pub(super) fn rows(self) -> PerDirection<Vec<LatencyRow>> {
        self.rows
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_without_io_is_an_empty_row() {
        let mut seconds = Seconds::default();
        // Lines of several jobs are slightly out of order.
        for (time_ms, ns) in [(999, 100_000), (1_000, 200_000), (998, 100_001), (3_500, 100_000)] {
            seconds.record(Direction::Write, time_ms, ns);
        }
        let rows = seconds.rows();
        assert!(rows.read.is_empty());
        assert_eq!(rows.write.iter().map(LatencyRow::len).collect::<Vec<_>>(), [2, 1, 0, 1]);
        assert_eq!(rows.write[0].counts, [(bucket_of(100_000), 2)]);
    }

    #[test]
    fn a_log_that_is_too_long_has_no_rows() {
        let mut long = Seconds::default();
        long.record(Direction::Read, 5, 5);
        long.record(Direction::Read, ROWS_MAX * ROW_MS - 1, 5);
        assert!(!long.is_too_long());
        long.record(Direction::Write, ROWS_MAX * ROW_MS, 5);
        long.record(Direction::Write, 5, 5);
        assert!(long.is_too_long());
        assert_eq!(long.rows(), PerDirection::default());
        // Each latency in a separate bucket.
        let mut wide = Seconds::default();
        for second in 0..ROWS_MAX {
            (7..40).for_each(|shift| wide.record(Direction::Read, second * ROW_MS, 1 << shift));
        }
        assert!(wide.is_too_long());
    }
}
