//! A random order of all blocks, in constant memory.
//!
//! "Random without repetition" visits each block of a region once per pass. A bitmap of visited blocks costs memory
//! and, towards the end of a pass, degenerates into a search for the next free block, which favours drives with
//! seeks. A bijection on `0..2^k` has neither problem: the i-th block of the pass is `mix(i)`.
//!
//! `mix` alternates two steps that are each invertible modulo 2^k: multiplication by an odd number (spreads low bits
//! upwards) and exclusive-or with the value shifted right (folds high bits down). Values that fall outside the region
//! are mixed again ("cycle walking"): because the walk follows a cycle of the bijection and starts inside the
//! region, it comes back inside, and no two starts meet. `2^k` is less than twice the region, so that a draw takes
//! under two rounds on average. Each pass has its own multipliers. There is no division and no table.

use cardiograph_core::rng::derive_seed;

/// A bijection on `0..len`, chosen by a seed.
#[derive(Debug, Clone)]
pub struct Permutation {
    len: u64,
    mask: u64,
    shifts: [u32; 2],
    multipliers: [u64; 4],
    offsets: [u64; 4],
}

impl Permutation {
    /// The permutation of `0..len` for `seed`.
    ///
    /// # Panics
    /// If `len` is 0 or above 2^63.
    pub fn new(len: u64, seed: u64) -> Self {
        assert!((1..=1 << 63).contains(&len), "a permutation of {len} blocks");
        let bits = (64 - (len - 1).leading_zeros()).max(1);
        let key = |part| derive_seed(seed, part);
        Self {
            len,
            mask: u64::MAX >> (64 - bits),
            shifts: [(bits / 2).max(1), (bits / 3).max(1)],
            multipliers: std::array::from_fn(|round| key(round as u64) | 1),
            offsets: std::array::from_fn(|round| key(round as u64 + 4)),
        }
    }

    /// The value at `position`, which is below the length.
    #[inline]
    pub fn get(&self, position: u64) -> u64 {
        debug_assert!(position < self.len);
        let mut value = position;
        loop {
            for round in 0..4 {
                value =
                    value.wrapping_mul(self.multipliers[round]).wrapping_add(self.offsets[round]) & self.mask;
                value ^= value >> self.shifts[round & 1];
            }
            if value < self.len {
                return value;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use cardiograph_core::rng::Rng;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn every_block_occurs_once(len in 1u64..5_000, seed: u64) {
            let permutation = Permutation::new(len, seed);
            let mut seen = vec![false; len as usize];
            for position in 0..len {
                let value = permutation.get(position) as usize;
                prop_assert!(!std::mem::replace(&mut seen[value], true), "{value} comes twice");
            }
        }
    }

    /// Two-sample Kolmogorov–Smirnov distance, scaled so that 1.63 is the 1 % point for large samples.
    fn ks_distance(mut a: Vec<u64>, mut b: Vec<u64>) -> f64 {
        a.sort_unstable();
        b.sort_unstable();
        let (n, m) = (a.len() as f64, b.len() as f64);
        let (mut i, mut j, mut widest) = (0, 0, 0.0f64);
        while i < a.len() && j < b.len() {
            let value = a[i].min(b[j]);
            while i < a.len() && a[i] == value {
                i += 1;
            }
            while j < b.len() && b[j] == value {
                j += 1;
            }
            widest = widest.max((i as f64 / n - j as f64 / m).abs());
        }
        widest * (n * m / (n + m)).sqrt()
    }

    fn shuffled(len: u64, seed: u64) -> Vec<u64> {
        let mut rng = Rng::new(seed);
        let mut order: Vec<u64> = (0..len).collect();
        for i in (1..order.len()).rev() {
            order.swap(i, rng.below(i as u64 + 1) as usize);
        }
        order
    }

    fn distances(order: &[u64], lag: usize) -> Vec<u64> {
        order.windows(lag + 1).map(|pair| pair[lag].abs_diff(pair[0])).collect()
    }

    #[test]
    fn distances_between_successive_blocks_match_a_true_shuffle() {
        // 24 comparisons at the 0.01 % point (2.23): a false alarm once in 400 seeds, and these seeds are fixed.
        for (case, &len) in [51_200u64, 65_536, 100_003, 131_073].iter().enumerate() {
            for seed in 0..3 {
                let permutation = Permutation::new(len, seed * 7_919 + 1);
                let order: Vec<u64> = (0..len).map(|position| permutation.get(position)).collect();
                let truth = shuffled(len, seed * 31 + case as u64);
                for lag in [1, 2] {
                    let distance = ks_distance(distances(&order, lag), distances(&truth, lag));
                    assert!(distance < 2.23, "{len} blocks, seed {seed}, lag {lag}: {distance:.2}");
                }
            }
        }
    }

    #[test]
    fn the_ks_test_detects_nonrandom_orders() {
        let len = 51_200;
        let strided: Vec<u64> = (0..len).map(|i| i * 7_919 % len).collect();
        assert!(ks_distance(distances(&strided, 1), distances(&shuffled(len, 1), 1)) > 10.0);
    }

    #[test]
    fn seeds_give_different_orders() {
        let (a, b) = (Permutation::new(1_000, 1), Permutation::new(1_000, 2));
        let same = (0..1_000).filter(|&i| a.get(i) == b.get(i)).count();
        assert!(same < 20, "{same} of 1,000 blocks stand at the same place");
    }
}
