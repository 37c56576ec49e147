//! The time series of a run: fixed windows on a grid that starts with the run.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::direction::{Direction, PerDirection};

pub mod over_time;

use over_time::{LatencyRow, RowColumns};

/// One window of one direction. A window without I/O is a row of zeros, never a missing row.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Interval {
    /// I/Os that completed in the window.
    pub ios: u64,
    /// Bytes that they moved.
    pub bytes: u64,
    /// Sum of their latencies in nanoseconds.
    pub latency_ns_sum: u64,
    /// The slowest of them in nanoseconds; 0 without I/O.
    pub latency_ns_max: u64,
}

impl Interval {
    /// Adds what happened in the same time elsewhere, or in the time that follows. Logs of others may claim anything: a sum too
    /// large to be held stays at the most.
    pub fn merge(&mut self, other: &Interval) {
        self.ios = self.ios.saturating_add(other.ios);
        self.bytes = self.bytes.saturating_add(other.bytes);
        self.latency_ns_sum = self.latency_ns_sum.saturating_add(other.latency_ns_sum);
        self.latency_ns_max = self.latency_ns_max.max(other.latency_ns_max);
    }
}

/// Windows of one length, side by side for each direction.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(from = "SeriesRecord", into = "SeriesRecord")]
#[schemars(with = "SeriesRecord")]
pub struct Series {
    /// Length of a window in nanoseconds.
    pub window_ns: u64,
    /// Time that the rows cover, from the start of the grid, in nanoseconds. The last window may be cut short.
    pub duration_ns: u64,
    /// The rows. A direction that was not used has none; the others have one for each window.
    pub rows: PerDirection<Vec<Interval>>,
    /// Latencies of each second ([`over_time::ROW_NS`]) from the start of the grid, coarsely. A direction that was not
    /// used has none, nor have series of earlier versions.
    pub latency: PerDirection<Vec<LatencyRow>>,
}

impl Series {
    /// How many windows were whole.
    pub fn whole_windows(&self) -> usize {
        self.duration_ns.checked_div(self.window_ns).unwrap_or(0) as usize
    }

    /// The whole windows of a direction: the one that the end cut short is left out.
    pub fn whole(&self, direction: Direction) -> &[Interval] {
        let rows = &self.rows[direction];
        &rows[..rows.len().min(self.whole_windows())]
    }

    /// Whether nothing completed in a window, in any direction.
    pub fn is_idle(&self, window: usize) -> bool {
        Direction::ALL
            .into_iter()
            .all(|direction| self.rows[direction].get(window).is_none_or(|row| row.ios == 0))
    }

    /// The windows alone, without the latencies of each second.
    pub fn without_latency(&self) -> Series {
        Series {
            window_ns: self.window_ns,
            duration_ns: self.duration_ns,
            rows: self.rows.clone(),
            latency: PerDirection::default(),
        }
    }

    /// The same series in windows `factor` times as long, exactly.
    pub fn coarser(&self, factor: usize) -> Series {
        let factor = factor.max(1);
        let rows = self.rows.map(|rows| {
            rows.chunks(factor)
                .map(|chunk| {
                    let mut sum = Interval::default();
                    chunk.iter().for_each(|row| sum.merge(row));
                    sum
                })
                .collect()
        });
        Series {
            window_ns: self.window_ns * factor as u64,
            duration_ns: self.duration_ns,
            rows,
            latency: self.latency.clone(),
        }
    }

    /// Adds a series of the same window length that started on the same grid.
    ///
    /// # Panics
    /// When the window lengths differ.
    pub fn merge(&mut self, other: &Series) {
        if self.window_ns == 0 {
            *self = other.clone();
            return;
        }
        assert_eq!(self.window_ns, other.window_ns, "series of different windows do not add up");
        self.duration_ns = self.duration_ns.max(other.duration_ns);
        for direction in Direction::ALL {
            let (mine, theirs) = (&mut self.rows[direction], &other.rows[direction]);
            mine.resize(mine.len().max(theirs.len()), Interval::default());
            mine.iter_mut().zip(theirs).for_each(|(a, b)| a.merge(b));
            let (mine, theirs) = (&mut self.latency[direction], &other.latency[direction]);
            mine.resize(mine.len().max(theirs.len()), LatencyRow::default());
            mine.iter_mut().zip(theirs).for_each(|(a, b)| a.merge(b));
        }
    }

    /// Adds the whole windows of a series of the same window length that came later, behind its own. Windows without I/O
    /// before the later one's first are left out: it began with them because it waited. Latencies by the second are not
    /// kept, as one part's seconds do not begin where the other's do.
    ///
    /// # Panics
    /// When the window lengths differ.
    pub fn append(&mut self, later: &Series) {
        if self.window_ns == 0 {
            self.window_ns = later.window_ns;
        }
        assert_eq!(self.window_ns, later.window_ns, "series of different windows do not add up");
        let (own, all) = (self.whole_windows(), later.whole_windows());
        let waited = (0..all).take_while(|&at| later.is_idle(at)).count();
        for direction in Direction::ALL {
            let rows = later.whole(direction);
            if rows.is_empty() && self.rows[direction].is_empty() {
                continue;
            }
            self.rows[direction].resize(own, Interval::default());
            self.rows[direction].extend(rows.iter().skip(waited));
            self.rows[direction].resize(own + all - waited, Interval::default());
        }
        self.latency = PerDirection::default();
        self.duration_ns = (own + all - waited) as u64 * self.window_ns;
    }

    /// Bandwidth of each whole window in bytes per second.
    pub fn bandwidth_bytes_per_s(&self, direction: Direction) -> Vec<f64> {
        let per_second = 1e9 / self.window_ns.max(1) as f64;
        self.whole(direction).iter().map(|row| row.bytes as f64 * per_second).collect()
    }

    /// I/Os per second of each whole window.
    pub fn iops(&self, direction: Direction) -> Vec<f64> {
        let per_second = 1e9 / self.window_ns.max(1) as f64;
        self.whole(direction).iter().map(|row| row.ios as f64 * per_second).collect()
    }
}

/// Mean, deviation and extremes of a list of numbers.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Spread {
    /// How many numbers there are.
    pub n: u64,
    /// The smallest.
    pub min: f64,
    /// The mean.
    pub mean: f64,
    /// The largest.
    pub max: f64,
    /// Standard deviation (divided by n - 1); 0 for one number.
    pub stdev: f64,
}

impl Spread {
    /// The spread of `values`; `None` when there are none.
    pub fn of(values: &[f64]) -> Option<Spread> {
        let n = values.len();
        let mean = values.iter().sum::<f64>() / n.max(1) as f64;
        let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
        let stdev = if n > 1 { libm::sqrt(squares / (n - 1) as f64) } else { 0.0 };
        let min = values.iter().copied().reduce(f64::min)?;
        let max = values.iter().copied().reduce(f64::max)?;
        Some(Spread { n: n as u64, min, mean, max, stdev })
    }
}

/// How a [`Series`] is written down: columns instead of rows, unused directions left out.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Series")]
struct SeriesRecord {
    /// Length of a window in nanoseconds.
    window_ns: u64,
    /// Time that the windows cover, in nanoseconds; the last may be cut short.
    duration_ns: u64,
    /// Windows of reads.
    #[serde(default, skip_serializing_if = "Columns::is_empty")]
    read: Columns,
    /// Windows of writes.
    #[serde(default, skip_serializing_if = "Columns::is_empty")]
    write: Columns,
    /// Windows of trims.
    #[serde(default, skip_serializing_if = "Columns::is_empty")]
    trim: Columns,
    /// Windows of syncs.
    #[serde(default, skip_serializing_if = "Columns::is_empty")]
    sync: Columns,
}

/// The windows of one direction; the four lists have the same length.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
struct Columns {
    /// I/Os that completed in each window.
    ios: Vec<u64>,
    /// Bytes that they moved.
    bytes: Vec<u64>,
    /// Sum of their latencies in nanoseconds.
    latency_ns_sum: Vec<u64>,
    /// The slowest of them in nanoseconds.
    latency_ns_max: Vec<u64>,
    /// Latencies of each second.
    #[serde(default, skip_serializing_if = "RowColumns::is_empty")]
    latency: RowColumns,
}

impl Columns {
    fn is_empty(&self) -> bool {
        self.ios.is_empty()
    }

    fn from_rows(rows: &[Interval], latency: &[LatencyRow]) -> Self {
        Self {
            ios: rows.iter().map(|row| row.ios).collect(),
            bytes: rows.iter().map(|row| row.bytes).collect(),
            latency_ns_sum: rows.iter().map(|row| row.latency_ns_sum).collect(),
            latency_ns_max: rows.iter().map(|row| row.latency_ns_max).collect(),
            latency: RowColumns::from_rows(latency),
        }
    }

    fn into_rows(self) -> (Vec<Interval>, Vec<LatencyRow>) {
        let latency = self.latency.into_rows();
        let times = self.latency_ns_sum.into_iter().zip(self.latency_ns_max);
        let counts = self.ios.into_iter().zip(self.bytes);
        let rows = counts
            .zip(times)
            .map(|((ios, bytes), (latency_ns_sum, latency_ns_max))| Interval {
                ios,
                bytes,
                latency_ns_sum,
                latency_ns_max,
            })
            .collect();
        (rows, latency)
    }
}

impl From<Series> for SeriesRecord {
    fn from(series: Series) -> Self {
        let columns = |direction| Columns::from_rows(&series.rows[direction], &series.latency[direction]);
        let PerDirection { read, write, trim, sync } = PerDirection::from_fn(columns);
        Self { window_ns: series.window_ns, duration_ns: series.duration_ns, read, write, trim, sync }
    }
}

impl From<SeriesRecord> for Series {
    fn from(record: SeriesRecord) -> Self {
        let mut series =
            Self { window_ns: record.window_ns, duration_ns: record.duration_ns, ..Self::default() };
        let columns = [record.read, record.write, record.trim, record.sync];
        for (direction, columns) in Direction::ALL.into_iter().zip(columns) {
            (series.rows[direction], series.latency[direction]) = columns.into_rows();
        }
        series
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn series(bytes: &[u64], duration_ns: u64) -> Series {
        let rows = bytes.iter().map(|&bytes| Interval { ios: 1, bytes, ..Default::default() }).collect();
        let mut series = Series { window_ns: 100, duration_ns, ..Default::default() };
        series.rows.write = rows;
        series
    }

    #[test]
    fn what_came_later_stands_behind_without_its_wait() {
        let row = |bytes| Interval { ios: u64::from(bytes > 0), bytes, ..Interval::default() };
        let series = |duration_ns, bytes: &[u64]| {
            let mut series = Series { window_ns: 10, duration_ns, ..Series::default() };
            series.rows.write = bytes.iter().map(|&bytes| row(bytes)).collect();
            series
        };
        let mut all = Series::default();
        all.append(&series(25, &[4, 5, 1]));
        all.append(&series(40, &[0, 0, 6, 0]));
        let bytes: Vec<u64> = all.whole(Direction::Write).iter().map(|row| row.bytes).collect();
        // The window that the end cut short is left out, as is the wait; a stall is not.
        assert_eq!((bytes, all.duration_ns), (vec![4, 5, 6, 0], 40));
        assert!(all.whole(Direction::Read).is_empty());
    }

    #[test]
    fn a_cut_window_is_not_a_slow_one() {
        let series = series(&[10, 10, 1], 220);
        assert_eq!(series.whole(Direction::Write).len(), 2);
        assert_eq!(series.bandwidth_bytes_per_s(Direction::Write), [1e8, 1e8]);
        assert!(series.whole(Direction::Read).is_empty());
    }

    #[test]
    fn coarser_windows_add_up() {
        let coarse = series(&[1, 2, 3, 4, 5], 500).coarser(2);
        assert_eq!(coarse.rows.write.iter().map(|row| row.bytes).collect::<Vec<_>>(), [3, 7, 5]);
        assert_eq!(coarse.whole_windows(), 2);
    }

    #[test]
    fn merging_fills_the_shorter_with_zeros() {
        let mut sum = series(&[1, 2], 200);
        sum.merge(&series(&[10, 10, 10], 300));
        assert_eq!(sum.rows.write.iter().map(|row| row.bytes).collect::<Vec<_>>(), [11, 12, 10]);
        assert_eq!(sum.duration_ns, 300);
    }

    #[test]
    fn latencies_of_the_same_second_add_up() {
        let row = |bucket| LatencyRow { counts: vec![(bucket, 2)] };
        let mut sum = series(&[1, 2], 200);
        sum.latency.write = vec![row(4)];
        let mut other = series(&[1, 2], 200);
        other.latency.write = vec![row(4), row(5)];
        sum.merge(&other);
        assert_eq!(sum.latency.write, [LatencyRow { counts: vec![(4, 4)] }, row(5)]);
        assert_eq!(sum.coarser(2).latency, sum.latency);
    }

    #[test]
    fn what_is_written_is_read_back() {
        let mut before = series(&[1, 0, 3], 250);
        before.latency.write = vec![LatencyRow { counts: vec![(9, 7)] }, LatencyRow::default()];
        let text = serde_json::to_string(&before).unwrap();
        assert!(!text.contains("\"read\""), "unused directions are left out: {text}");
        assert_eq!(serde_json::from_str::<Series>(&text).unwrap(), before);
    }

    #[test]
    fn spread_of_known_numbers() {
        let spread = Spread::of(&[2.0, 4.0, 4.0, 6.0]).unwrap();
        assert_eq!((spread.min, spread.mean, spread.max), (2.0, 4.0, 6.0));
        assert!((spread.stdev - 1.632_993).abs() < 1e-6);
        assert_eq!(Spread::of(&[]), None);
    }

    #[test]
    fn what_a_log_may_claim_stays_at_the_most() {
        let most = Interval { ios: u64::MAX, bytes: u64::MAX, latency_ns_sum: u64::MAX, latency_ns_max: 7 };
        let mut series = Series { window_ns: 100, duration_ns: 200, ..Default::default() };
        series.rows.read = vec![most, most];
        assert_eq!(series.coarser(2).rows.read, [most]);
    }
}
