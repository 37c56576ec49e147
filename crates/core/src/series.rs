//! The time series of a run: fixed windows on a grid that starts with the run.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::JsonSchema;
use crate::direction::{Direction, PerDirection};

pub mod over_time;

use over_time::{LatencyRow, RowColumns};

/// Maximum number of windows in a run's series, and of rows of latencies over time. In longer runs both double in
/// length, so a run of days takes no more memory than one of minutes.
pub const WINDOWS_MAX: usize = 10_000;

/// One window of one direction. A window without I/O is a row of zeros, never a missing row.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Interval {
    /// I/Os completed in the window.
    pub ios: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Sum of their latencies in nanoseconds.
    pub latency_ns_sum: u64,
    /// Maximum latency in nanoseconds; 0 without I/O.
    pub latency_ns_max: u64,
}

impl Interval {
    /// Adds a parallel or the following window. Foreign logs may claim anything, so sums saturate.
    pub fn merge(&mut self, other: &Interval) {
        self.ios = self.ios.saturating_add(other.ios);
        self.bytes = self.bytes.saturating_add(other.bytes);
        self.latency_ns_sum = self.latency_ns_sum.saturating_add(other.latency_ns_sum);
        self.latency_ns_max = self.latency_ns_max.max(other.latency_ns_max);
    }
}

/// Windows of one length, in parallel for each direction.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(from = "SeriesRecord", into = "SeriesRecord")]
#[schemars(with = "SeriesRecord")]
pub struct Series {
    /// Length of a window in nanoseconds.
    pub window_ns: u64,
    /// Time covered by the rows, from the start of the grid, in nanoseconds. The last window may be incomplete.
    pub duration_ns: u64,
    /// The rows. Empty for an unused direction; otherwise one row per window.
    pub rows: PerDirection<Vec<Interval>>,
    /// Coarse latencies of each [`Self::latency_row_ns`] from the start of the grid. Empty for an unused direction,
    /// and in series of earlier versions.
    pub latency: PerDirection<Vec<LatencyRow>>,
    /// Number of times that the rows of latencies doubled in length.
    pub latency_doublings: u32,
}

impl Series {
    /// Time covered by a row of latencies, in nanoseconds: [`over_time::ROW_NS`], or longer in a long run.
    pub fn latency_row_ns(&self) -> u64 {
        over_time::ROW_NS.saturating_mul(1u64.checked_shl(self.latency_doublings).unwrap_or(u64::MAX))
    }

    /// Number of complete windows.
    pub fn whole_windows(&self) -> usize {
        self.duration_ns.checked_div(self.window_ns).unwrap_or(0) as usize
    }

    /// Complete windows that have a row. As windows without I/O are rows of zeros, these are all windows of a
    /// finished run, and never more than the rows, whatever length a foreign series claims.
    pub fn recorded_windows(&self) -> usize {
        let rows = self.rows.iter().map(|(_, rows)| rows.len()).max().unwrap_or(0);
        self.whole_windows().min(rows)
    }

    /// The complete windows of a direction, without the last incomplete one.
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

    /// The windows without latencies over time.
    pub fn without_latency(&self) -> Series {
        Series {
            window_ns: self.window_ns,
            duration_ns: self.duration_ns,
            rows: self.rows.clone(),
            ..Series::default()
        }
    }

    /// The same series in windows exactly `factor` times as long.
    pub fn coarser(&self, factor: usize) -> Series {
        let factor = factor.max(1);
        Series {
            window_ns: self.window_ns.saturating_mul(factor as u64),
            duration_ns: self.duration_ns,
            rows: self
                .rows
                .map(|rows| rows.chunks(factor).map(|chunk| sum(chunk, Interval::merge)).collect()),
            latency: self.latency.clone(),
            latency_doublings: self.latency_doublings,
        }
    }

    /// Adds a series with the same start. If its windows or rows of latencies differ in length, both are converted to
    /// the longer one, which is a multiple of the other in every valid Report.
    pub fn merge(&mut self, other: &Series) {
        if self.window_ns == 0 {
            *self = other.clone();
            return;
        }
        let other = &*self.level_with(other);
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

    /// Converts its windows and rows to the lengths of `other`'s if those are longer, and returns `other` converted
    /// likewise.
    fn level_with<'o>(&mut self, other: &'o Series) -> Cow<'o, Series> {
        let window_ns = self.window_ns.max(other.window_ns);
        let doublings = self.latency_doublings.max(other.latency_doublings);
        let leveled = |series: &Series| {
            let is_level = series.window_ns == window_ns && series.latency_doublings == doublings;
            (!is_level).then(|| {
                let together = 1usize.checked_shl(doublings - series.latency_doublings).unwrap_or(usize::MAX);
                let together = |rows: &Vec<LatencyRow>| {
                    rows.chunks(together).map(|chunk| sum(chunk, LatencyRow::merge)).collect()
                };
                Series {
                    latency: series.latency.map(together),
                    latency_doublings: doublings,
                    ..series.coarser(window_ns.checked_div(series.window_ns).unwrap_or(1) as usize)
                }
            })
        };
        if let Some(own) = leveled(self) {
            *self = own;
        }
        leveled(other).map_or(Cow::Borrowed(other), Cow::Owned)
    }

    /// Appends the complete windows of a later series; if window lengths differ, only the longer series is kept.
    /// Windows without I/O before the later one's first are dropped: it was waiting. Latencies over time are dropped,
    /// as the seconds of the two parts do not align.
    pub fn append(&mut self, later: &Series) {
        if self.window_ns == 0 {
            self.window_ns = later.window_ns;
        }
        let later = &*self.level_with(later);
        let (own, all) = (self.recorded_windows(), later.recorded_windows());
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
        self.duration_ns = self.window_ns.saturating_mul((own + all - waited) as u64);
    }

    /// Bandwidth of each complete window in bytes per second.
    pub fn bandwidth_bytes_per_s(&self, direction: Direction) -> Vec<f64> {
        let per_second = 1e9 / self.window_ns.max(1) as f64;
        self.whole(direction).iter().map(|row| row.bytes as f64 * per_second).collect()
    }

    /// I/Os per second of each complete window.
    pub fn iops(&self, direction: Direction) -> Vec<f64> {
        let per_second = 1e9 / self.window_ns.max(1) as f64;
        self.whole(direction).iter().map(|row| row.ios as f64 * per_second).collect()
    }
}

/// The sum of several rows.
fn sum<T: Default>(rows: &[T], merge: fn(&mut T, &T)) -> T {
    let mut sum = T::default();
    rows.iter().for_each(|row| merge(&mut sum, row));
    sum
}

/// Mean, deviation and extremes of a list of numbers.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Spread {
    /// Number of values.
    pub n: u64,
    /// Minimum.
    pub min: f64,
    /// Mean.
    pub mean: f64,
    /// Maximum.
    pub max: f64,
    /// Standard deviation (divided by n - 1); 0 for one number.
    pub stdev: f64,
}

impl Spread {
    /// The spread of `values`; `None` if empty.
    pub fn from_values(values: &[f64]) -> Option<Spread> {
        let n = values.len();
        let mean = values.iter().sum::<f64>() / n.max(1) as f64;
        let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
        let stdev = if n > 1 { libm::sqrt(squares / (n - 1) as f64) } else { 0.0 };
        let min = values.iter().copied().reduce(f64::min)?;
        let max = values.iter().copied().reduce(f64::max)?;
        Some(Spread { n: n as u64, min, mean, max, stdev })
    }
}

/// Serialised form of a [`Series`]: columns instead of rows, without unused directions.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Series")]
struct SeriesRecord {
    /// Length of a window in nanoseconds.
    window_ns: u64,
    /// Time covered by the windows, in nanoseconds; the last may be incomplete.
    duration_ns: u64,
    /// Number of doublings of the rows of latencies over time: they cover a second, or 2, 4, 8, ...
    #[serde(default, skip_serializing_if = "is_zero")]
    latency_doublings: u32,
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

fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// The windows of one direction; the four lists have the same length.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
struct Columns {
    /// I/Os completed in each window.
    ios: Vec<u64>,
    /// Their bytes.
    bytes: Vec<u64>,
    /// Sum of their latencies in nanoseconds.
    latency_ns_sum: Vec<u64>,
    /// Maximum latency in nanoseconds.
    latency_ns_max: Vec<u64>,
    /// Latencies of each second, or of longer rows (`latency_doublings`).
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
        let Series { window_ns, duration_ns, latency_doublings, .. } = series;
        Self { window_ns, duration_ns, latency_doublings, read, write, trim, sync }
    }
}

impl From<SeriesRecord> for Series {
    fn from(record: SeriesRecord) -> Self {
        let SeriesRecord { window_ns, duration_ns, latency_doublings, .. } = record;
        let mut series = Self { window_ns, duration_ns, latency_doublings, ..Self::default() };
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
    fn a_later_series_is_appended_without_its_wait() {
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
        // The incomplete last window and the wait are left out; a stall is not.
        assert_eq!((bytes, all.duration_ns), (vec![4, 5, 6, 0], 40));
        assert!(all.whole(Direction::Read).is_empty());
    }

    #[test]
    fn an_incomplete_window_is_not_a_slow_one() {
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

    /// Workers of one run whose windows and rows of latencies doubled at different times.
    #[test]
    fn windows_of_different_lengths_add_up_as_the_longest() {
        let mut rng = crate::rng::Rng::new(19);
        for case in 0..200 {
            let doublings: Vec<u32> = (0..1 + rng.below(4)).map(|_| rng.below(6) as u32).collect();
            let longest = *doublings.iter().max().unwrap();
            let (mut sum, mut expected) = (Series::default(), Series::default());
            for &doublings in &doublings {
                let mut row = || Interval {
                    ios: rng.below(3),
                    bytes: rng.below(9_000),
                    latency_ns_sum: rng.below(1 << 40),
                    latency_ns_max: rng.below(1 << 30),
                };
                let mut one = Series { window_ns: 100, duration_ns: 19_950, ..Series::default() };
                one.rows.read = (0..200).map(|_| row()).collect();
                one.latency.read =
                    (0..200).map(|at| LatencyRow { counts: vec![(at % 7, 1 + rng.below(5))] }).collect();
                let levelled = |doublings: u32| {
                    let of = Series {
                        window_ns: 100 << doublings,
                        latency_doublings: doublings,
                        ..Series::default()
                    };
                    let mut one = one.clone();
                    let _ = one.level_with(&of);
                    one
                };
                sum.merge(&levelled(doublings));
                expected.merge(&levelled(longest));
                assert_eq!(levelled(doublings).rows, one.coarser(1 << doublings).rows);
            }
            assert_eq!(sum, expected, "{case}: {doublings:?}");
            assert_eq!((sum.window_ns, sum.latency_row_ns()), (100 << longest, over_time::ROW_NS << longest));
            let text = serde_json::to_string(&sum).unwrap();
            assert_eq!(serde_json::from_str::<Series>(&text).unwrap(), sum);
        }
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
    fn a_series_round_trips() {
        let mut before = series(&[1, 0, 3], 250);
        before.latency.write = vec![LatencyRow { counts: vec![(9, 7)] }, LatencyRow::default()];
        let text = serde_json::to_string(&before).unwrap();
        assert!(!text.contains("\"read\""), "unused directions are left out: {text}");
        assert_eq!(serde_json::from_str::<Series>(&text).unwrap(), before);
    }

    #[test]
    fn spread_of_known_numbers() {
        let spread = Spread::from_values(&[2.0, 4.0, 4.0, 6.0]).unwrap();
        assert_eq!((spread.min, spread.mean, spread.max), (2.0, 4.0, 6.0));
        assert!((spread.stdev - 1.632_993).abs() < 1e-6);
        assert_eq!(Spread::from_values(&[]), None);
    }

    #[test]
    fn sums_of_a_foreign_log_saturate() {
        let most = Interval { ios: u64::MAX, bytes: u64::MAX, latency_ns_sum: u64::MAX, latency_ns_max: 7 };
        let mut series = Series { window_ns: 100, duration_ns: 200, ..Default::default() };
        series.rows.read = vec![most, most];
        assert_eq!(series.coarser(2).rows.read, [most]);
    }
}
