//! Latency over time: a coarse distribution for each second.

use serde::{Deserialize, Serialize};

use crate::JsonSchema;
use crate::histogram::{self, BUCKETS, LatencyHistogram};

/// Length of a row, in nanoseconds.
pub const ROW_NS: u64 = crate::NS_PER_S;
/// [`LatencyHistogram`] buckets per row bucket, as a shift: leaves 8 per power of two, for a resolution of 1 in 16.
const COARSE_SHIFT: usize = 3;
/// Number of buckets.
pub const COARSE_BUCKETS: usize = BUCKETS >> COARSE_SHIFT;

/// Latency counts of a second by bucket: non-empty ones, in ascending order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LatencyRow {
    /// The buckets with their counts.
    pub counts: Vec<(u16, u64)>,
}

impl LatencyRow {
    /// The same histogram with fewer buckets.
    pub fn from_histogram(histogram: &LatencyHistogram) -> Self {
        let mut row = Self::default();
        for (bucket, count) in histogram.buckets() {
            let coarse = coarser(bucket);
            match row.counts.last_mut() {
                Some((last, sum)) if *last == coarse => *sum += count,
                _ => row.counts.push((coarse, count)),
            }
        }
        row
    }

    /// Adds a count to a bucket from [`bucket_of`].
    pub fn add(&mut self, bucket: u16, count: u64) {
        match self.counts.binary_search_by_key(&bucket, |&(bucket, _)| bucket) {
            Ok(at) => self.counts[at].1 = self.counts[at].1.saturating_add(count),
            Err(at) => self.counts.insert(at, (bucket, count)),
        }
    }

    /// Adds another row for the same second.
    pub fn merge(&mut self, other: &Self) {
        other.counts.iter().for_each(|&(bucket, count)| self.add(bucket, count));
    }

    /// Subtracts `part`, saturating.
    pub fn subtract(&mut self, part: &Self) {
        for &(bucket, count) in &part.counts {
            if let Ok(at) = self.counts.binary_search_by_key(&bucket, |&(bucket, _)| bucket) {
                self.counts[at].1 = self.counts[at].1.saturating_sub(count);
            }
        }
        self.counts.retain(|&(_, count)| count > 0);
    }

    /// Number of latencies.
    pub fn len(&self) -> u64 {
        self.counts.iter().fold(0, |sum, &(_, count)| sum.saturating_add(count))
    }

    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }
}

/// The bucket of a [`LatencyRow`] that counts a latency of `ns` nanoseconds.
pub fn bucket_of(ns: u64) -> u16 {
    coarser(histogram::bucket_of(ns))
}

/// The bucket of a [`LatencyRow`] that contains a bucket of a [`LatencyHistogram`].
pub fn coarser(bucket: usize) -> u16 {
    (bucket >> COARSE_SHIFT) as u16
}

/// The lowest latency that a bucket of a [`LatencyRow`] counts, in nanoseconds; for the bucket after the last, the
/// end of the last.
pub fn bucket_low_ns(bucket: usize) -> u64 {
    if bucket >= COARSE_BUCKETS {
        histogram::LIMIT_NS
    } else {
        histogram::bucket_low_ns(bucket << COARSE_SHIFT)
    }
}

/// Serialised form of rows: three lists instead of a list of lists of pairs.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
pub(super) struct RowColumns {
    /// Number of non-empty buckets of each second.
    filled: Vec<u32>,
    /// Their numbers, second by second: 8 buckets per power of two.
    buckets: Vec<u16>,
    /// Their counts.
    counts: Vec<u64>,
}

impl RowColumns {
    pub fn is_empty(&self) -> bool {
        self.filled.is_empty()
    }

    pub fn from_rows(rows: &[LatencyRow]) -> Self {
        let all = || rows.iter().flat_map(|row| &row.counts);
        Self {
            filled: rows.iter().map(|row| row.counts.len() as u32).collect(),
            buckets: all().map(|&(bucket, _)| bucket).collect(),
            counts: all().map(|&(_, count)| count).collect(),
        }
    }

    /// Lists that are shorter than stated give empty rows; unknown buckets are ignored.
    pub fn into_rows(self) -> Vec<LatencyRow> {
        let mut pairs = self.buckets.into_iter().zip(self.counts);
        let row = |filled: u32| {
            let counts = pairs.by_ref().take(filled as usize);
            LatencyRow {
                counts: counts.filter(|&(bucket, _)| usize::from(bucket) < COARSE_BUCKETS).collect(),
            }
        };
        self.filled.into_iter().map(row).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_has_the_counts_of_its_histogram() {
        let mut histogram = LatencyHistogram::default();
        let values = [0, 7, 8, 100, 127, 128, 263_000, 263_900, 1 << 40, u64::MAX];
        values.iter().for_each(|&ns| histogram.record(ns));
        let row = LatencyRow::from_histogram(&histogram);
        assert_eq!(row.len(), values.len() as u64);
        let mut one_by_one = LatencyRow::default();
        values.iter().rev().for_each(|&ns| one_by_one.add(bucket_of(ns), 1));
        assert_eq!(one_by_one, row);
        for &(bucket, _) in &row.counts {
            let bucket = usize::from(bucket);
            let range = bucket_low_ns(bucket)..bucket_low_ns(bucket + 1);
            assert!(values.iter().any(|&ns| range.contains(&ns.min(histogram::LIMIT_NS - 1))), "{range:?}");
        }
        // An eighth of an octave from 64 ns on.
        assert_eq!(bucket_low_ns(COARSE_BUCKETS), histogram::LIMIT_NS);
        let (low, next) = (bucket_low_ns(100), bucket_low_ns(101));
        assert!((next - low) * 16 >= low && (next - low) * 8 <= low, "{low} {next}");
    }

    #[test]
    fn rows_add_up_and_round_trip() {
        let row = |counts: &[(u16, u64)]| LatencyRow { counts: counts.to_vec() };
        let mut sum = row(&[(3, 1), (9, 2)]);
        sum.merge(&row(&[(1, 5), (9, 1), (12, 4)]));
        assert_eq!(sum, row(&[(1, 5), (3, 1), (9, 3), (12, 4)]));
        let mut rest = sum.clone();
        rest.subtract(&row(&[(1, 5), (9, 2), (44, 1)]));
        assert_eq!(rest, row(&[(3, 1), (9, 1), (12, 4)]));
        let rows = vec![sum, row(&[]), row(&[(7, 70)])];
        assert_eq!(RowColumns::from_rows(&rows).into_rows(), rows);
        // Hostile input must not cause a panic.
        let torn = RowColumns { filled: vec![2, 9, 9], buckets: vec![1, 60_000, 5], counts: vec![1, 1] };
        assert_eq!(torn.into_rows(), [row(&[(1, 1)]), row(&[]), row(&[])]);
    }
}
