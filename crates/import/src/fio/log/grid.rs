//! Windows that grow with the length of the log.

use cardiograph_core::NS_PER_MS;
use cardiograph_core::direction::{Direction, PerDirection};
use cardiograph_core::series::{Interval, Series};

/// Above this number windows are merged in pairs.
const WINDOWS_MAX: u64 = 8_192;

/// Windows of equal length, from the start of a log.
#[derive(Debug, Clone)]
pub(super) struct Grid {
    window_ms: u64,
    rows: PerDirection<Vec<Interval>>,
    end_ms: u64,
}

impl Grid {
    pub(super) fn new(window_ms: u64) -> Self {
        Self { window_ms: window_ms.max(1), rows: PerDirection::default(), end_ms: 0 }
    }

    /// Adds work done at `time_ms`.
    pub(super) fn add(&mut self, direction: Direction, time_ms: u64, interval: &Interval) {
        while time_ms / self.window_ms >= WINDOWS_MAX {
            self.coarsen();
        }
        let at = (time_ms / self.window_ms) as usize;
        let rows = &mut self.rows[direction];
        if rows.len() <= at {
            rows.resize(at + 1, Interval::default());
        }
        rows[at].merge(interval);
    }

    /// Extends the log to at least `time_ms`.
    pub(super) fn extend_to(&mut self, time_ms: u64) {
        self.end_ms = self.end_ms.max(time_ms);
    }

    fn coarsen(&mut self) {
        self.window_ms = self.window_ms.saturating_mul(2);
        self.rows = self.rows.map(|rows| {
            let sum = |pair: &[Interval]| {
                let mut sum = Interval::default();
                pair.iter().for_each(|row| sum.merge(row));
                sum
            };
            rows.chunks(2).map(sum).collect()
        });
    }

    /// The series: each direction with I/O has a row for each window.
    pub(super) fn series(mut self) -> Series {
        let longest = Direction::ALL.iter().map(|&direction| self.rows[direction].len()).max().unwrap_or(0);
        for direction in Direction::ALL {
            if !self.rows[direction].is_empty() {
                self.rows[direction].resize(longest, Interval::default());
            }
        }
        let end_ms = self.end_ms.min((longest as u64).saturating_mul(self.window_ms));
        Series {
            window_ns: self.window_ms.saturating_mul(NS_PER_MS),
            duration_ns: end_ms.saturating_mul(NS_PER_MS),
            rows: self.rows,
            ..Series::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn merging_windows_keeps_totals() {
        let mut grid = Grid::new(100);
        let one = Interval { ios: 1, bytes: 4_096, latency_ns_sum: 7, latency_ns_max: 7 };
        for time_ms in (0..10_000_000).step_by(50) {
            grid.add(Direction::Read, time_ms, &one);
            grid.extend_to(time_ms);
        }
        grid.add(Direction::Write, 5, &one);
        let series = grid.series();
        assert!(series.rows.read.len() <= WINDOWS_MAX as usize && series.window_ns == 1_600_000_000);
        assert_eq!(series.rows.read.iter().map(|row| row.ios).sum::<u64>(), 200_000);
        assert_eq!(series.rows.write.len(), series.rows.read.len());
        let mut far = Grid::new(1);
        far.add(Direction::Trim, u64::MAX, &one);
        far.extend_to(u64::MAX);
        assert!(far.series().rows.trim.len() <= WINDOWS_MAX as usize);
    }
}
