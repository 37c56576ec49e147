//! Counters and latencies that one thread writes and all may read.

use std::sync::atomic::{AtomicU64, Ordering};

use cardiograph_core::histogram::{BUCKETS, LatencyParts, bucket_of};
use cardiograph_core::{Latency, LatencyHistogram};

/// A counter that one thread changes and all may read.
#[derive(Debug, Default)]
#[repr(transparent)]
pub(super) struct Count(AtomicU64);

impl Count {
    #[inline]
    pub fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    #[inline]
    pub fn set(&self, value: u64) {
        self.0.store(value, Ordering::Relaxed);
    }

    #[inline]
    pub fn add(&self, value: u64) {
        self.set(self.get().wrapping_add(value));
    }

    #[inline]
    pub fn raise_to(&self, value: u64) {
        if value > self.get() {
            self.set(value);
        }
    }
}

/// A type that consists only of [`Count`]s.
///
/// # Safety
/// All-zero bytes are a valid value of the type.
pub(super) unsafe trait Zeroable {}

// SAFETY: an atomic number of zero bytes is zero.
unsafe impl Zeroable for Count {}

/// Zeroed memory. The system provides it untouched, so pages that are never used cost nothing.
pub(super) fn zeroed<T: Zeroable>(len: usize) -> Box<[T]> {
    // SAFETY: the trait guarantees that zeros are valid.
    unsafe { Box::new_zeroed_slice(len).assume_init() }
}

/// Latencies of one kind.
#[derive(Debug, Default)]
pub(super) struct LatencyRecorder {
    buckets: Box<[Count]>,
    min_ns: Count,
    max_ns: Count,
    sum_ns: Count,
    squares_low: Count,
    squares_high: Count,
}

impl LatencyRecorder {
    pub fn new() -> Self {
        let min_ns = Count::default();
        min_ns.set(u64::MAX);
        Self { buckets: zeroed(BUCKETS), min_ns, ..Self::default() }
    }

    #[inline]
    pub fn record(&self, ns: u64) {
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

    /// Resets all counters.
    pub fn start_over(&self) {
        let sums = [&self.max_ns, &self.sum_ns, &self.squares_low, &self.squares_high];
        self.buckets.iter().chain(sums).filter(|count| count.get() > 0).for_each(|count| count.set(0));
        self.min_ns.set(u64::MAX);
    }

    pub fn snapshot(&self) -> Latency {
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

    /// Sum of all latencies.
    pub fn sum_ns(&self) -> u64 {
        self.sum_ns.get()
    }

    /// Adds the counts to `sum`, by bucket.
    pub fn add_to(&self, sum: &mut [u64; BUCKETS]) {
        sum.iter_mut().zip(&self.buckets).for_each(|(sum, count)| *sum += count.get());
    }

    /// The counts since `before`, which is updated.
    pub fn since(&self, before: &mut [u64]) -> LatencyHistogram {
        let mut difference = LatencyHistogram::default();
        // Buckets outside the observed range are zero.
        let seen = bucket_of(self.min_ns.get())..=bucket_of(self.max_ns.get());
        for bucket in seen {
            let (count, before) = (self.buckets[bucket].get(), &mut before[bucket]);
            if count > *before {
                difference.add(bucket, count - *before);
                *before = count;
            }
        }
        difference
    }
}
