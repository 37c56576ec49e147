//! fio's latency distributions: percentiles, bins, and the classes of the `lat (usec)` lines.

use cardiograph_core::histogram::{FIO_BUCKETS, bucket_middle_ns};
use cardiograph_core::{Direction, Latency};

use super::numbers::shares;
use super::run::JobEntry;

/// Upper ends of the classes below 1,000 of the unit; each begins where the previous one ends.
pub(super) const CLASSES: [u64; 10] = [2, 4, 10, 20, 50, 100, 250, 500, 750, 1_000];
/// Labels of the millisecond classes, which extend further.
pub(super) const CLASSES_MS: [&str; 12] =
    ["2", "4", "10", "20", "50", "100", "250", "500", "750", "1000", "2000", ">=2000"];
/// Labels of the nanosecond and microsecond classes.
pub(super) const CLASSES_BELOW_MS: [&str; 10] =
    ["2", "4", "10", "20", "50", "100", "250", "500", "750", "1000"];
/// Labels of the queue depth classes; each begins at its label.
pub(super) const DEPTHS: [&str; 7] = ["1", "2", "4", "8", "16", "32", ">=64"];
/// Labels of the classes of I/Os per submitting or reaping call; each but the last ends at its label.
pub(super) const BATCHES: [&str; 7] = ["0", "4", "8", "16", "32", "64", ">=64"];
/// Smaller shares of latencies are shown as this, in percent.
const LEAST_LATENCY_PERCENT: f64 = 0.01;
/// Smaller shares of depths are shown as this, in percent.
const LEAST_DEPTH_PERCENT: f64 = 0.1;

/// The counts of fio's buckets, each with its middle in nanoseconds. Values beyond fio's histogram are in the last
/// bucket.
pub(super) fn bins(latency: &Latency) -> Vec<(u64, u64)> {
    let mut bins: Vec<(u64, u64)> = Vec::new();
    for (bucket, count) in latency.histogram().buckets() {
        let middle_ns = bucket_middle_ns(bucket.min(FIO_BUCKETS - 1));
        match bins.last_mut() {
            Some((last_ns, so_far)) if *last_ns == middle_ns => *so_far += count,
            _ => bins.push((middle_ns, count)),
        }
    }
    bins
}

/// The values at `percentiles`, given in rising order, in nanoseconds; zeros if nothing was recorded.
///
/// A value is the middle of fio's bucket, which may be slightly above the true maximum.
pub(super) fn percentile_values_ns(latency: &Latency, percentiles: &[f64]) -> Vec<u64> {
    let bins = bins(latency);
    let n: u64 = bins.iter().map(|&(_, count)| count).sum();
    let (mut seen, mut rest) = (0, bins.iter().peekable());
    let mut at_rank = |rank: u64| loop {
        match rest.peek() {
            Some(&&(middle_ns, count)) if seen + count >= rank || seen + count == n => break middle_ns,
            Some(&&(_, count)) => seen += count,
            None => break 0,
        }
        rest.next();
    };
    percentiles.iter().map(|&percentile| at_rank(rank(percentile, n))).collect()
}

/// The number of values out of `n` that make up `percentile` %, rounded up, at least 1.
///
/// Computed from the percentile's exact binary value: 99.9 is slightly more than 99.9 there, so 99.9 % of 5,000 is
/// value 4,996. fio does the same in the processor's widest float; on x86 this also rounds 0.3 and 0.6 up where 30 %
/// and 60 % of a number is an integer.
fn rank(percentile: f64, n: u64) -> u64 {
    let bits = percentile.clamp(0.0, 100.0).to_bits();
    let exponent = (bits >> 52) as i32 - 1_075;
    let mantissa = u128::from(bits & ((1 << 52) - 1) | 1 << 52);
    // The mantissa has 53 bits and 100 has 7, so the exponent of a number up to 100 is -46 or less.
    let shift = exponent.unsigned_abs();
    if percentile <= 0.0 || percentile.is_nan() || shift > 120 {
        return 1;
    }
    (mantissa * u128::from(n)).div_ceil(100 << shift).max(1) as u64
}

/// I/Os by their `clat`, in the classes of [`CLASSES_BELOW_MS`] and [`CLASSES_MS`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct LatencyClasses {
    /// Below a microsecond, by nanoseconds.
    pub ns: [u64; 10],
    /// Below a millisecond, by microseconds.
    pub us: [u64; 10],
    /// From a millisecond on, by milliseconds.
    pub ms: [u64; 12],
    /// All data I/Os, counted or not.
    pub ios: u64,
}

impl LatencyClasses {
    /// Classifies all data I/Os of `job`. Each histogram bucket counts in the class of its middle; since a class may
    /// end inside a bucket, values within a 64th of its end may count in the next class.
    pub fn from_job(job: &JobEntry) -> Self {
        let (mut ns, mut us, mut ms) = ([0; 10], [0; 10], [0; 12]);
        for direction in Direction::DATA {
            let latency = &job.directions[direction].completion;
            for (bucket, count) in latency.histogram().buckets() {
                // Clamp to the exact extremes, so that the slowest I/O is never shown slower than it was.
                match bucket_middle_ns(bucket).max(latency.min_ns()).min(latency.max_ns()) {
                    middle @ ..1_000 => ns[class(middle)] += count,
                    middle @ ..1_000_000 => us[class(middle / 1_000)] += count,
                    middle @ ..1_000_000_000 => ms[class(middle / 1_000_000)] += count,
                    ..2_000_000_000 => ms[10] += count,
                    _ => ms[11] += count,
                }
            }
        }
        Self { ns, us, ms, ios: job.data_ios() }
    }

    /// Class counts as percent of all data I/Os.
    pub fn shares<const N: usize>(&self, counts: &[u64; N]) -> [f64; N] {
        shares(counts, self.ios, LEAST_LATENCY_PERCENT)
    }
}

/// The class of a value below 1,000.
fn class(value: u64) -> usize {
    CLASSES.partition_point(|&end| end <= value).min(CLASSES.len() - 1)
}

/// Depths as percent of the data I/Os. As in fio, syncs are in the counts but not the total, so the sum may exceed 100.
pub(super) fn depth_shares(job: &JobEntry) -> [f64; 7] {
    shares(&job.depths.in_flight, job.data_ios(), LEAST_DEPTH_PERCENT)
}

/// Batches as percent of all calls.
pub(super) fn batch_shares(calls: &[u64; 7]) -> [f64; 7] {
    shares(calls, calls.iter().sum(), LEAST_DEPTH_PERCENT)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::samples;

    #[test]
    fn ranks_follow_the_binary_fraction() {
        for (percentile, n, expected) in [
            (50.0, 10, 5),
            (50.0, 11, 6),
            (99.9, 5_000, 4_996),
            (99.5, 200, 199),
            (99.0, 200, 198),
            (30.0, 50, 15),
            (100.0, 7, 7),
            (150.0, 7, 7),
            (0.0, 7, 1),
            (-1.0, 7, 1),
            (f64::NAN, 7, 1),
            (1e-300, 7, 1),
            (99.99, u64::MAX, 18_444_899_399_302_180_661),
        ] {
            let found = rank(percentile, n);
            let close = found.abs_diff(expected) <= if n == u64::MAX { 4_096 } else { 0 };
            assert!(close, "{percentile} % of {n}: {found}");
        }
    }

    #[test]
    fn percentiles_are_the_middles_of_buckets() {
        let mut latency = Latency::default();
        for ns in [100, 200, 300, 11_046_000] {
            latency.record(ns);
        }
        assert_eq!(
            percentile_values_ns(&latency, &[1.0, 25.0, 26.0, 75.0, 100.0]),
            [100, 100, 201, 302, 11_075_584]
        );
        assert_eq!(percentile_values_ns(&Latency::default(), &[1.0, 99.0]), [0, 0]);
        assert_eq!(percentile_values_ns(&latency, &[]), [0; 0]);
    }

    #[test]
    fn values_beyond_fios_histogram_are_in_the_last_bin() {
        let mut latency = Latency::default();
        for ns in [17_112_760_000, 20_000_000_000, 4_000_000_000_000, 5] {
            latency.record(ns);
        }
        assert_eq!(bins(&latency), [(5, 1), (17_112_760_320, 3)]);
        assert_eq!(percentile_values_ns(&latency, &[99.0]), [17_112_760_320]);
    }

    #[test]
    fn classes_end_where_their_labels_say() {
        let mut job = samples::job();
        job.directions.write = Default::default();
        let figures = &mut job.directions.read;
        figures.ios = 20;
        figures.completion = Latency::default();
        // The middle of the bucket decides, so these values avoid the class ends.
        for ns in [0, 1, 2, 3, 4, 9, 990, 1_100, 3_000, 300_000, 990_000] {
            figures.completion.record(ns);
        }
        for ms in [1, 3, 15, 700, 800, 950, 1_020, 1_900, 2_100] {
            figures.completion.record(ms * 1_010_000);
        }
        let classes = LatencyClasses::from_job(&job);
        assert_eq!(classes.ns, [2, 2, 2, 0, 0, 0, 0, 0, 0, 1]);
        assert_eq!(classes.us, [1, 1, 0, 0, 0, 0, 0, 1, 0, 1]);
        assert_eq!(classes.ms, [1, 1, 0, 1, 0, 0, 0, 0, 1, 2, 2, 1]);
        assert_eq!(classes.shares(&classes.ns)[..4], [10.0, 10.0, 10.0, 0.0]);
    }

    #[test]
    fn syncs_count_in_the_depths_but_not_among_the_ios() {
        let mut job = samples::job();
        job.depths.in_flight = [2 * job.data_ios(), 0, 0, 0, 0, 0, 0];
        assert_eq!(depth_shares(&job)[0], 200.0);
        assert_eq!(batch_shares(&[0, 3, 1, 0, 0, 0, 0]), [0.0, 75.0, 25.0, 0.0, 0.0, 0.0, 0.0]);
        assert_eq!(batch_shares(&[0; 7]), [0.0; 7]);
    }
}
