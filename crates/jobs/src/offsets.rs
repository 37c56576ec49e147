//! The sequence of I/Os.
//!
//! [`Requests`] gives a worker's I/Os: direction, file, offset and length. Its parts each decide one of these: [`Mix`]
//! (direction), `turn` (file), `regions` (offset), `lengths` (length) and [`BlockOrder`] (block of a grid). All depend
//! only on a seed, never on time: the same seed gives the same sequence, so a job's past I/Os can be reconstructed.

use cardiograph_core::rng::{Rng, derive_seed};

use crate::permutation::Permutation;

mod deck;
mod lengths;
mod piece;
mod popular;
mod power;
mod random;
mod regions;
mod requests;
mod strided;
mod turn;
mod zipf;

pub use requests::Requests;

/// Draws block numbers of a region at random: one `u64` in `0..blocks` per I/O, each once before any repeats.
#[derive(Debug, Clone)]
pub struct BlockOrder {
    blocks: u64,
    seed: u64,
    position: u64,
    pass: u64,
    permutation: Permutation,
}

impl BlockOrder {
    /// An order of `blocks` blocks. The same seed gives the same blocks.
    ///
    /// # Panics
    /// If `blocks` is 0.
    pub fn new(blocks: u64, seed: u64) -> Self {
        assert!(blocks > 0, "a region holds at least one block");
        let permutation = Permutation::new(blocks, derive_seed(seed, 0));
        Self { blocks, seed, position: 0, pass: 0, permutation }
    }

    /// The next block. A new pass in a new order follows the last block of a pass.
    #[inline(always)]
    pub fn next_block(&mut self) -> u64 {
        if self.position == self.blocks {
            self.begin_pass();
        }
        let position = self.position;
        self.position += 1;
        self.permutation.get(position)
    }

    #[cold]
    fn begin_pass(&mut self) {
        self.position = 0;
        self.pass += 1;
        self.permutation = Permutation::new(self.blocks, derive_seed(self.seed, self.pass));
    }
}

/// Chooses reads and writes so that every hundred I/Os have exactly the requested share, in random order.
///
/// Independent choices would miss the share by ±3.5 % in a run of 200; drawing a hundred cards without replacement does
/// not.
#[derive(Debug, Clone)]
pub struct Mix {
    read_percent: u32,
    reads_left: u32,
    left: u32,
    rng: Rng,
}

impl Mix {
    /// A mix of `read_percent` reads (0 to 100) and writes.
    pub fn new(read_percent: u32, seed: u64) -> Self {
        Self { read_percent: read_percent.min(100), reads_left: 0, left: 0, rng: Rng::new(seed) }
    }

    /// Whether the next I/O is a read.
    #[inline]
    pub fn next_is_read(&mut self) -> bool {
        if self.read_percent == 100 {
            return true;
        }
        if self.read_percent == 0 {
            return false;
        }
        if self.left == 0 {
            (self.left, self.reads_left) = (100, self.read_percent);
        }
        let read = self.rng.below(u64::from(self.left)) < u64::from(self.reads_left);
        self.left -= 1;
        self.reads_left -= u32::from(read);
        read
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draw(blocks: u64, seed: u64, n: usize) -> Vec<u64> {
        let mut order = BlockOrder::new(blocks, seed);
        (0..n).map(|_| order.next_block()).collect()
    }

    #[test]
    fn unique_covers_each_pass_in_a_new_order() {
        let drawn = draw(500, 4, 1_000);
        let (first, second) = drawn.split_at(500);
        for pass in [first, second] {
            let mut sorted = pass.to_vec();
            sorted.sort_unstable();
            assert_eq!(sorted, (0..500).collect::<Vec<_>>());
        }
        assert_ne!(first, second);
    }

    #[test]
    fn equal_seeds_give_equal_orders() {
        assert_eq!(draw(1_000, 8, 50), draw(1_000, 8, 50));
        assert_ne!(draw(1_000, 8, 50), draw(1_000, 9, 50));
    }

    #[test]
    fn a_mix_is_exact_in_each_hundred() {
        for percent in [0, 1, 30, 50, 70, 100] {
            let mut mix = Mix::new(percent, 3);
            for _ in 0..5 {
                let reads = (0..100).filter(|_| mix.next_is_read()).count();
                assert_eq!(reads as u32, percent);
            }
        }
    }
}
