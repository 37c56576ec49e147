//! The probability that a sample misses a fake: upper bounds for any layout of the file system and of the fake.
//!
//! The free space has `N` cells, of which `n` are drawn without repetition and written. A drive that holds at most half of
//! its claimed capacity has places for at most `H` cells, so at least `S = N - H` of any `N` cells are surplus.
//!
//! * Limbo: `S` cells or more are lost. The last `k` written cells may still be in a cache. The number of drawn cells among
//!   the lost ones is hypergeometric; by Hoeffding (1963, section 6) it is at most `k` with a probability of at most
//!   `exp(-2 n (S/N - k/n)^2)`.
//! * Wrap: all cells share `H` places. Cells of the same place form at least `S/2` disjoint pairs. A pair is drawn with the
//!   probability `p = n (n - 1) / (N (N - 1))`; draws without repetition are negatively associated (Joag-Dev and Proschan
//!   1983), so the probability that no pair is drawn is at most `(1 - p)^(S/2)`. The later write of a pair overwrites the
//!   earlier.
//! * Chain: each surplus cell is lost or shares a place, so at least half of them do one or the other: the larger of both
//!   bounds for `S/2`.

use cardiograph_core::{KIB, Message, Parameter, message};

/// Length of a cell in bytes: long enough that a cheap card writes it at full speed, short enough to write many.
pub(super) const CELL_BYTES: u64 = 64 * KIB;
/// Target probability of missing a fake; samples are made large enough for it.
pub(super) const WANTED: f64 = 1e-6;
/// A sample with a higher probability does not clear a drive.
pub(super) const MISS_MAX: f64 = 1e-3;
/// Size of the cache that a fake is assumed to have: a number of bytes, limited to shares (as divisors) of the free space
/// and of the drawn cells.
const FRONT_BYTES: u64 = 64 * 1_024 * KIB;
const FRONT_SHARE: f64 = 32.0;
const FRONT_SHARE_DRAWN: f64 = 8.0;

/// A sample of the free space.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Sample {
    /// Cells of the free space.
    pub cells: u64,
    /// Cells of the claimed capacity.
    pub claimed_cells: u64,
    /// Drawn cells.
    pub drawn: u64,
}

/// Probabilities that a sample misses a drive that holds at most half of its claimed capacity.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Miss {
    /// A drive that drops data.
    pub limbo: f64,
    /// A drive that wraps around.
    pub wrap: f64,
    /// A drive that does both.
    pub chain: f64,
}

impl Miss {
    /// The largest of them.
    pub fn worst(&self) -> f64 {
        self.limbo.max(self.wrap).max(self.chain)
    }
}

impl Sample {
    /// The smallest sample with a probability of at most [`WANTED`], or a usual size if there is none.
    pub fn wanted(tested_bytes: u64, claimed_bytes: u64) -> Self {
        let cells = tested_bytes / CELL_BYTES;
        let sample = |drawn| Self { cells, claimed_cells: claimed_bytes / CELL_BYTES, drawn };
        // The probability never rises with the number of cells.
        let (mut low, mut high) = (0, cells);
        while low < high {
            let middle = low + (high - low) / 2;
            if sample(middle).miss().worst() <= WANTED { high = middle } else { low = middle + 1 }
        }
        if sample(low).miss().worst() <= WANTED {
            return sample(low);
        }
        // With too little free space no sample clears the drive, but it can still expose a fake.
        let usual = (16.0 * libm::sqrt(cells as f64)) as u64;
        sample(usual.min(cells))
    }

    /// Size of the cache that a fake is assumed to have, in bytes.
    pub fn front_bytes(&self) -> u64 {
        self.front_cells() as u64 * CELL_BYTES
    }

    fn front_cells(&self) -> f64 {
        let (cells, drawn) = (self.cells as f64, self.drawn as f64);
        ((FRONT_BYTES / CELL_BYTES) as f64).min(cells / FRONT_SHARE).min(drawn / FRONT_SHARE_DRAWN)
    }

    /// Upper bounds of the probabilities.
    pub fn miss(&self) -> Miss {
        let surplus = self.cells.saturating_sub(self.claimed_cells.div_ceil(2)) as f64;
        Miss {
            limbo: self.limbo(surplus),
            wrap: self.wrap(surplus),
            chain: self.limbo(surplus / 2.0).max(self.wrap(surplus / 2.0)),
        }
    }

    fn limbo(&self, lost: f64) -> f64 {
        let (cells, drawn) = (self.cells as f64, self.drawn as f64);
        if self.drawn == 0 {
            return 1.0;
        }
        let spare = lost / cells - self.front_cells() / drawn;
        if spare <= 0.0 { 1.0 } else { libm::exp(-2.0 * drawn * spare * spare) }
    }

    fn wrap(&self, surplus: f64) -> f64 {
        if self.drawn < 2 || surplus <= 0.0 {
            return 1.0;
        }
        let (cells, drawn) = (self.cells as f64, self.drawn as f64);
        let both = drawn * (drawn - 1.0) / (cells * (cells - 1.0));
        let pairs = libm::floor(surplus / 2.0);
        libm::exp(pairs * libm::log1p(-both))
    }
}

/// An upper bound of a probability in words: `below 1 in 1,000,000`, `of at most 1 in 250`, `of at most 37 %`.
pub(super) fn words(probability: f64) -> Message {
    match probability {
        ..=WANTED => message!("claim-probability.below", count = (1.0 / WANTED).round() as u64),
        ..0.01 => {
            // Three digits, rounded towards the higher probability.
            let one_in = 1.0 / probability;
            let step = libm::pow(10.0, libm::floor(libm::log10(one_in)) - 2.0).max(1.0);
            message!("claim-probability.one-in", count = (libm::floor(one_in / step) * step) as u64)
        }
        _ => {
            let share = libm::ceil(probability.min(1.0) * 100.0) / 100.0;
            message!("claim-probability.share", share = Parameter::share(share))
        }
    }
}

#[cfg(test)]
mod tests {
    use cardiograph_core::rng::Rng;
    use cardiograph_core::{GIB, MIB};

    use super::*;

    #[test]
    fn the_wanted_sample_is_the_smallest_that_meets_the_target() {
        for tested_bytes in [64 * MIB, 512 * MIB, 59 * GIB, 470 * GIB, 1_900 * GIB] {
            let sample = Sample::wanted(tested_bytes, tested_bytes / 95 * 100);
            assert!(sample.miss().worst() <= WANTED, "{sample:?}");
            let fewer = Sample { drawn: sample.drawn - 1, ..sample };
            assert!(fewer.miss().worst() > WANTED, "{sample:?}");
        }
        // A card takes minutes for that, at some milliseconds per cell.
        let card = Sample::wanted(59 * GIB, 62 * GIB);
        assert!((8_000..20_000).contains(&card.drawn), "{card:?}");
    }

    #[test]
    fn a_drive_that_is_half_full_cannot_be_cleared() {
        let sample = Sample::wanted(30 * GIB, 64 * GIB);
        assert_eq!(sample.miss().worst(), 1.0);
        assert!((1_000..100_000).contains(&sample.drawn), "{sample:?}");
        assert_eq!(Sample { drawn: 0, ..sample }.miss(), Miss { limbo: 1.0, wrap: 1.0, chain: 1.0 });
        let all = Sample { cells: 1_000, claimed_cells: 1_000, drawn: 1_000 };
        assert!(all.miss().worst() < 1e-9);
    }

    /// Draws samples and counts how many fakes they miss.
    #[test]
    fn samples_miss_no_more_fakes_than_the_bounds_allow() {
        const CELLS: u64 = 1_000;
        const TRIALS: u64 = 4_000;
        let mut rng = Rng::new(1);
        for (drawn, places, is_wrap) in [(40, 500, true), (60, 500, true), (50, 333, true), (3, 500, false)] {
            let sample = Sample { cells: CELLS, claimed_cells: CELLS, drawn };
            let mut missed = 0_u64;
            for _ in 0..TRIALS {
                let mut cells = Vec::new();
                while (cells.len() as u64) < drawn {
                    let cell = rng.below(CELLS);
                    if !cells.contains(&cell) {
                        cells.push(cell);
                    }
                }
                let shares = |a: usize, b: usize| cells[a] % places == cells[b] % places;
                let is_found = match is_wrap {
                    true => (0..cells.len()).any(|a| (0..a).any(|b| shares(a, b))),
                    false => cells.iter().any(|&cell| cell >= places),
                };
                missed += u64::from(!is_found);
            }
            let miss = sample.miss();
            // The simulated limbo has no cache.
            let bound = if is_wrap { miss.wrap } else { libm::exp(-2.0 * drawn as f64 * 0.25) };
            let share = missed as f64 / TRIALS as f64;
            assert!(
                share <= bound + 3.0 * libm::sqrt(bound / TRIALS as f64),
                "{share} of {bound}: {sample:?}"
            );
        }
    }

    #[test]
    fn probabilities_are_rounded_up_in_words() {
        for (probability, expected) in [
            (1e-9, message!("claim-probability.below", count = 1_000_000_u64)),
            (1e-6, message!("claim-probability.below", count = 1_000_000_u64)),
            (1.0 / 251_900.0, message!("claim-probability.one-in", count = 251_000_u64)),
            (0.004, message!("claim-probability.one-in", count = 250_u64)),
            (0.123, message!("claim-probability.share", share = Parameter::share(0.13))),
            (1.0, message!("claim-probability.share", share = Parameter::share(1.0))),
        ] {
            assert_eq!(words(probability), expected);
        }
    }
}
