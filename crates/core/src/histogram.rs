//! Latency histograms, mergeable without loss.
//!
//! # Geometry
//!
//! The buckets are fio's, so that its `json+` bins and histogram logs can be copied: 64 buckets per power of two.
//! Values below 128 ns have a bucket each. Above, a bucket of the octave that starts at `2^k` is `2^(k-6)` wide; a
//! value is reported as the middle of its bucket, so the error is at most `2^(k-7) / 2^k = 1/128`.
//!
//! fio ends at 2^34 ns (17 s) and counts all slower values there. A card that stalls and a cloud volume that times
//! out are slower, so this table extends to 2^44 ns (4.9 hours): 39 groups of 64, or 2,496 counts. Minimum, maximum,
//! sum and sum of squares are kept separately and are exact; the sums are too wide for any run to overflow, and
//! integers, so that merging in any order gives the same bytes.

use serde::{Deserialize, Serialize};

use crate::JsonSchema;

/// Buckets per power of two, as a shift.
const GROUP_BITS: u32 = 6;
/// Values from here on are counted in the last bucket.
pub const LIMIT_NS: u64 = 1 << 44;
/// Number of buckets.
pub const BUCKETS: usize = (44 - GROUP_BITS as usize + 1) << GROUP_BITS;
/// Number of buckets in fio: the end of its `json+` output and histogram logs.
pub const FIO_BUCKETS: usize = 29 << GROUP_BITS;

const _: () = assert!(bucket_of(LIMIT_NS - 1) == BUCKETS - 1);
const _: () = assert!(bucket_of((1 << 34) - 1) == FIO_BUCKETS - 1);

/// The bucket that counts `ns`.
#[inline]
pub const fn bucket_of(ns: u64) -> usize {
    let ns = if ns < LIMIT_NS { ns } else { LIMIT_NS - 1 };
    if ns < 1 << (GROUP_BITS + 1) {
        return ns as usize;
    }
    let shift = 63 - ns.leading_zeros() - GROUP_BITS;
    (((shift as usize) + 1) << GROUP_BITS) + ((ns >> shift) as usize & ((1 << GROUP_BITS) - 1))
}

/// The lowest value of a bucket, in nanoseconds.
pub const fn bucket_low_ns(bucket: usize) -> u64 {
    let group = bucket >> GROUP_BITS;
    if group < 2 {
        return bucket as u64;
    }
    let inside = (bucket & ((1 << GROUP_BITS) - 1)) as u64;
    ((1 << GROUP_BITS) + inside) << (group - 1)
}

/// The value that represents a bucket: its middle, in nanoseconds.
pub const fn bucket_middle_ns(bucket: usize) -> u64 {
    let group = bucket >> GROUP_BITS;
    if group < 2 { bucket as u64 } else { bucket_low_ns(bucket) + (1 << (group - 1)) / 2 }
}

/// Log-linear histogram of nanoseconds. Stores only non-empty buckets: a report may hold hundreds of thousands of
/// histograms with one value each. During measurement, the engine counts in an array.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LatencyHistogram {
    /// Non-empty buckets and their counts, in ascending order.
    counts: Vec<(u16, u64)>,
}

const _: () = assert!(BUCKETS <= u16::MAX as usize);

impl LatencyHistogram {
    /// Counts one value.
    pub fn record(&mut self, ns: u64) {
        self.add(bucket_of(ns), 1);
    }

    /// Adds `count` to a bucket.
    ///
    /// # Panics
    /// If `bucket` is not below [`BUCKETS`].
    pub fn add(&mut self, bucket: usize, count: u64) {
        assert!(bucket < BUCKETS, "there are {BUCKETS} buckets, and {bucket} is none of them");
        if count == 0 {
            return;
        }
        let bucket = bucket as u16;
        match self.counts.binary_search_by_key(&bucket, |&(bucket, _)| bucket) {
            Ok(at) => self.counts[at].1 = self.counts[at].1.saturating_add(count),
            Err(at) => self.counts.insert(at, (bucket, count)),
        }
    }

    /// Adds another histogram's counts.
    pub fn merge(&mut self, other: &Self) {
        for (bucket, count) in other.buckets() {
            self.add(bucket, count);
        }
    }

    /// The non-empty buckets with their counts, in ascending order.
    pub fn buckets(&self) -> impl Iterator<Item = (usize, u64)> + '_ {
        self.counts.iter().map(|&(bucket, count)| (usize::from(bucket), count))
    }

    /// Number of values counted.
    pub fn len(&self) -> u64 {
        self.counts.iter().fold(0, |sum: u64, &(_, count)| sum.saturating_add(count))
    }

    /// Whether it has no values.
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// The middle of the first bucket at which the cumulative count reaches `rank` (1 is the smallest value), in
    /// nanoseconds. `None` if there are fewer than `rank` values.
    pub fn at_rank(&self, rank: u64) -> Option<u64> {
        let mut seen: u64 = 0;
        self.buckets()
            .find(|&(_, count)| {
                seen = seen.saturating_add(count);
                seen >= rank.max(1)
            })
            .map(|(bucket, _)| bucket_middle_ns(bucket))
    }
}

/// Latencies of one kind: a histogram, and exact summary figures.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(from = "LatencyRecord", into = "LatencyRecord")]
#[schemars(with = "LatencyRecord")]
pub struct Latency {
    histogram: LatencyHistogram,
    n: u64,
    min_ns: u64,
    max_ns: u64,
    sum_ns: u128,
    sum_squares_ns2: u128,
}

/// Exact parts of a [`Latency`] that was recorded elsewhere, for [`Latency::from_parts`].
#[derive(Debug, Clone, Copy, Default)]
pub struct LatencyParts {
    /// Smallest value, in nanoseconds.
    pub min_ns: u64,
    /// Largest value, in nanoseconds.
    pub max_ns: u64,
    /// Sum of the values, in nanoseconds.
    pub sum_ns: u128,
    /// Sum of the squared values, in square nanoseconds.
    pub sum_squares_ns2: u128,
}

impl Latency {
    /// Combines a recorder's parts. The number of values is the histogram's.
    pub fn from_parts(histogram: LatencyHistogram, parts: LatencyParts) -> Self {
        let n = histogram.len();
        let LatencyParts { min_ns, max_ns, sum_ns, sum_squares_ns2 } = parts;
        Self { histogram, n, min_ns, max_ns, sum_ns, sum_squares_ns2 }
    }

    /// Another program's figures. `None` if inconsistent: minimum or maximum not in the first or last bucket, or the
    /// mean not between them.
    pub fn from_summary(histogram: LatencyHistogram, parts: LatencyParts) -> Option<Self> {
        let (first, last) = (*histogram.counts.first()?, *histogram.counts.last()?);
        let latency = Self::from_parts(histogram, parts);
        let (min_ns, max_ns, mean_ns) = (latency.min_ns, latency.max_ns, latency.mean_ns());
        let ends = [(min_ns, first), (max_ns, last)];
        let is_whole = ends.iter().all(|&(ns, (bucket, _))| bucket_of(ns) == usize::from(bucket));
        (is_whole && (min_ns as f64..=max_ns as f64).contains(&mean_ns)).then_some(latency)
    }

    /// Adds one value.
    pub fn record(&mut self, ns: u64) {
        self.histogram.record(ns);
        self.min_ns = if self.n == 0 { ns } else { self.min_ns.min(ns) };
        self.max_ns = self.max_ns.max(ns);
        self.n += 1;
        self.sum_ns += u128::from(ns);
        self.sum_squares_ns2 += u128::from(ns) * u128::from(ns);
    }

    /// Adds all values of another.
    pub fn merge(&mut self, other: &Self) {
        if other.n == 0 {
            return;
        }
        self.histogram.merge(&other.histogram);
        self.min_ns = if self.n == 0 { other.min_ns } else { self.min_ns.min(other.min_ns) };
        self.max_ns = self.max_ns.max(other.max_ns);
        self.n = self.n.saturating_add(other.n);
        self.sum_ns = self.sum_ns.saturating_add(other.sum_ns);
        self.sum_squares_ns2 = self.sum_squares_ns2.saturating_add(other.sum_squares_ns2);
    }

    /// Number of values.
    pub fn n(&self) -> u64 {
        self.n
    }

    /// The smallest value in nanoseconds, exact; 0 if empty.
    pub fn min_ns(&self) -> u64 {
        self.min_ns
    }

    /// The largest value in nanoseconds, exact; 0 if empty.
    pub fn max_ns(&self) -> u64 {
        self.max_ns
    }

    /// The sum of all values in nanoseconds, exact.
    pub fn sum_ns(&self) -> u128 {
        self.sum_ns
    }

    /// The mean in nanoseconds; 0 if empty.
    pub fn mean_ns(&self) -> f64 {
        if self.n == 0 { 0.0 } else { self.sum_ns as f64 / self.n as f64 }
    }

    /// The standard deviation of the values in nanoseconds (divided by n - 1); 0 for fewer than two.
    pub fn stdev_ns(&self) -> f64 {
        if self.n < 2 {
            return 0.0;
        }
        // n·Σx² - (Σx)² in integers avoids cancellation. Above 2^128 (a billion values of 2^42 ns) use floats.
        let n = u128::from(self.n);
        let exact = n
            .checked_mul(self.sum_squares_ns2)
            .zip(self.sum_ns.checked_mul(self.sum_ns))
            .map(|(a, b)| a.saturating_sub(b) as f64);
        let rough = self.n as f64 * self.sum_squares_ns2 as f64 - self.sum_ns as f64 * self.sum_ns as f64;
        let spread = exact.unwrap_or(rough);
        libm::sqrt(spread.max(0.0) / (self.n as f64 * (self.n - 1) as f64))
    }

    /// The percentile `p` (0 to 100) in nanoseconds: the middle of the first bucket whose cumulative count reaches
    /// `p` % of all, limited to minimum and maximum. `None` if empty.
    pub fn percentile_ns(&self, p: f64) -> Option<u64> {
        self.histogram.at_rank(self.rank(p).max(1)).map(|ns| ns.min(self.max_ns).max(self.min_ns))
    }

    /// Number of values above the percentile `p` (0 to 100) by rank.
    pub fn samples_above(&self, p: f64) -> u64 {
        self.n - self.rank(p)
    }

    /// Number of values that make up `p` % of all, rounded up. In integers: 99.9 % of 5,000 is exactly 4,995.
    fn rank(&self, p: f64) -> u64 {
        let millionths = libm::round(p.clamp(0.0, 100.0) * 10_000.0) as u128;
        (millionths * u128::from(self.n)).div_ceil(1_000_000) as u64
    }

    /// The histogram.
    pub fn histogram(&self) -> &LatencyHistogram {
        &self.histogram
    }
}

/// Serialised form of a [`Latency`].
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Latency")]
struct LatencyRecord {
    /// Number of values.
    n: u64,
    /// Smallest value in nanoseconds, exact.
    min_ns: u64,
    /// Mean in nanoseconds. Derived from sum and n; ignored when read.
    mean_ns: f64,
    /// Standard deviation in nanoseconds. Derived; ignored when read.
    stdev_ns: f64,
    /// Largest value in nanoseconds, exact.
    max_ns: u64,
    /// Sum of all values in nanoseconds, as decimal text because it may exceed 64 bits.
    #[serde(with = "wide")]
    #[schemars(with = "String")]
    sum_ns: u128,
    /// Sum of all squared values in square nanoseconds, as decimal text.
    #[serde(with = "wide")]
    #[schemars(with = "String")]
    sum_squares_ns2: u128,
    /// Pairs of bucket number and count. Buckets 0 to 127 are 1 ns wide; bucket 64·g + i (g ≥ 2) starts at
    /// (64 + i)·2^(g-1) ns and is 2^(g-1) ns wide.
    buckets: Vec<(usize, u64)>,
}

mod wide {
    use serde::{Deserialize, Deserializer, Serializer};

    pub fn serialize<S: Serializer>(value: &u128, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(value)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u128, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

impl From<Latency> for LatencyRecord {
    fn from(latency: Latency) -> Self {
        Self {
            n: latency.n,
            min_ns: latency.min_ns,
            mean_ns: latency.mean_ns(),
            stdev_ns: latency.stdev_ns(),
            max_ns: latency.max_ns,
            sum_ns: latency.sum_ns,
            sum_squares_ns2: latency.sum_squares_ns2,
            buckets: latency.histogram.buckets().collect(),
        }
    }
}

impl From<LatencyRecord> for Latency {
    fn from(record: LatencyRecord) -> Self {
        let mut histogram = LatencyHistogram::default();
        for (bucket, count) in record.buckets {
            // A bucket that this version does not have can only be slower than all of its own.
            histogram.add(bucket.min(BUCKETS - 1), count);
        }
        let parts = LatencyParts {
            min_ns: record.min_ns,
            max_ns: record.max_ns,
            sum_ns: record.sum_ns,
            sum_squares_ns2: record.sum_squares_ns2,
        };
        Self::from_parts(histogram, parts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    #[test]
    fn buckets_are_exact_at_the_bottom_and_within_a_128th_above() {
        for ns in 0..128 {
            assert_eq!(bucket_middle_ns(bucket_of(ns)), ns);
        }
        let mut rng = Rng::new(11);
        for _ in 0..100_000 {
            let ns = rng.next_u64() >> (20 + rng.below(43));
            let middle = bucket_middle_ns(bucket_of(ns));
            assert!(ns.abs_diff(middle) * 128 <= ns, "{ns} is shown as {middle}");
            assert!(bucket_low_ns(bucket_of(ns)) <= ns);
        }
        assert_eq!(bucket_of(u64::MAX), BUCKETS - 1);
    }

    #[test]
    fn buckets_are_contiguous() {
        for bucket in 1..BUCKETS {
            assert_eq!(bucket_of(bucket_low_ns(bucket)), bucket);
            assert_eq!(bucket_of(bucket_low_ns(bucket) - 1), bucket - 1);
        }
    }

    #[test]
    fn merging_equals_recording_all() {
        let mut rng = Rng::new(5);
        let (mut all, mut parts) = (Latency::default(), [Latency::default(), Latency::default()]);
        for i in 0..10_000 {
            let ns = rng.below(5_000_000) + 1;
            all.record(ns);
            parts[i % 2].record(ns);
        }
        let mut forth = parts[0].clone();
        forth.merge(&parts[1]);
        let mut back = parts[1].clone();
        back.merge(&parts[0]);
        assert_eq!(forth, all);
        assert_eq!(back, all);
        let mut with_nothing = all.clone();
        with_nothing.merge(&Latency::default());
        assert_eq!(with_nothing, all);
    }

    #[test]
    fn mean_and_deviation_are_exact() {
        let mut latency = Latency::default();
        for ns in [2_000_000_000u64, 4_000_000_000, 4_000_000_000, 6_000_000_000] {
            latency.record(ns);
        }
        assert_eq!(latency.mean_ns(), 4e9);
        assert!((latency.stdev_ns() - 1_632_993_161.855).abs() < 1.0);
    }

    #[test]
    fn percentiles_match_a_sorted_list() {
        let mut rng = Rng::new(9);
        let mut latency = Latency::default();
        let mut list: Vec<u64> = (0..5_000).map(|_| 100 + rng.below(1_000_000)).collect();
        list.iter().for_each(|&ns| latency.record(ns));
        list.sort_unstable();
        for p in [0.0, 1.0, 50.0, 70.0, 99.0, 99.9, 100.0] {
            let rank = (libm::ceil(p / 100.0 * 5_000.0) as usize).max(1);
            let exact = list[rank - 1];
            let shown = latency.percentile_ns(p).unwrap();
            assert!(shown.abs_diff(exact) * 128 <= exact, "p{p}: {shown} for {exact}");
        }
        assert_eq!(latency.samples_above(99.9), 5);
        assert_eq!(Latency::default().percentile_ns(50.0), None);
    }

    #[test]
    fn a_value_beyond_the_table_keeps_its_true_maximum() {
        let mut latency = Latency::default();
        latency.record(1 << 50);
        assert_eq!(latency.max_ns(), 1 << 50);
        assert_eq!(latency.percentile_ns(50.0), Some(1 << 50));
    }
}
