//! How long the next I/O is.

use crate::rng::Rng;
use crate::workload::{BlockLen, BlockShare};

/// Draws lengths.
#[derive(Debug, Clone)]
pub(super) enum Lens {
    /// All alike.
    Fixed(u64),
    /// `min_bytes` times 1 to `steps`.
    Range { min_bytes: u64, steps: u64, rng: Rng },
    /// By weight.
    Split(Deck),
}

impl Lens {
    /// Lengths as wanted. The same seed gives the same lengths.
    pub fn new(wanted: &BlockLen, seed: u64) -> Self {
        match wanted {
            BlockLen::Fixed { len_bytes } => Lens::Fixed(*len_bytes),
            BlockLen::Range { min_bytes, max_bytes } => {
                let steps = (max_bytes / (*min_bytes).max(1)).max(1);
                Lens::Range { min_bytes: *min_bytes, steps, rng: Rng::new(seed) }
            }
            BlockLen::Split { parts } => Lens::Split(Deck::new(parts, seed)),
        }
    }

    /// The shortest length in bytes where lengths vary: what is used where the one that was drawn does not fit.
    #[inline]
    pub fn shorter(&self) -> Option<u64> {
        match self {
            Lens::Fixed(_) => None,
            Lens::Range { min_bytes, .. } => Some(*min_bytes),
            Lens::Split(deck) => deck.parts.iter().map(|part| part.len_bytes).min(),
        }
    }

    /// The next length in bytes.
    #[inline]
    pub fn next_len(&mut self) -> u64 {
        match self {
            Lens::Fixed(len_bytes) => *len_bytes,
            Lens::Range { min_bytes, steps, rng } => *min_bytes * (1 + rng.below(*steps)),
            Lens::Split(deck) => deck.draw(),
        }
    }
}

/// Lengths as cards that are drawn without being put back, so that each full deck holds exactly the wanted shares.
#[derive(Debug, Clone)]
pub(super) struct Deck {
    parts: Box<[BlockShare]>,
    left: Box<[u32]>,
    cards_left: u32,
    rng: Rng,
}

impl Deck {
    fn new(parts: &[BlockShare], seed: u64) -> Self {
        Self { parts: parts.into(), left: vec![0; parts.len()].into(), cards_left: 0, rng: Rng::new(seed) }
    }

    fn draw(&mut self) -> u64 {
        if self.cards_left == 0 {
            for (left, part) in self.left.iter_mut().zip(&self.parts) {
                *left = part.percent;
            }
            self.cards_left = self.parts.iter().map(|part| part.percent).sum();
        }
        let mut card = self.rng.below(u64::from(self.cards_left)) as u32;
        for (left, part) in self.left.iter_mut().zip(&self.parts) {
            if card < *left {
                *left -= 1;
                self.cards_left -= 1;
                return part.len_bytes;
            }
            card -= *left;
        }
        // Only a deck without a single card gets here.
        self.parts.first().map_or(0, |part| part.len_bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(wanted: &BlockLen, draws: usize) -> std::collections::BTreeMap<u64, u32> {
        let mut lens = Lens::new(wanted, 11);
        let mut counts = std::collections::BTreeMap::new();
        (0..draws).for_each(|_| *counts.entry(lens.next_len()).or_default() += 1);
        counts
    }

    #[test]
    fn a_range_is_even_over_the_multiples_of_its_shortest() {
        let counts = counts(&BlockLen::Range { min_bytes: 4_096, max_bytes: 35_000 }, 80_000);
        assert_eq!(
            counts.keys().copied().collect::<Vec<_>>(),
            (1..=8).map(|n| n * 4_096).collect::<Vec<_>>()
        );
        let expected = 10_000.0;
        let chi_squared: f64 = counts.values().map(|&n| (f64::from(n) - expected).powi(2) / expected).sum();
        // 7 degrees of freedom: 24.3 is the 0.1 % point, and so small a value as 0.6 would be as suspicious.
        assert!((0.6..24.3).contains(&chi_squared), "{chi_squared:.2}");
    }

    #[test]
    fn a_split_is_exact_in_each_hundred() {
        let parts = [(4_096, 70), (65_536, 29), (512, 1)];
        let parts = parts.map(|(len_bytes, percent)| BlockShare { len_bytes, percent }).to_vec();
        for hundreds in [1, 7] {
            let counts = counts(&BlockLen::Split { parts: parts.clone() }, hundreds * 100);
            let expected = parts.iter().map(|part| (part.len_bytes, part.percent * hundreds as u32));
            assert_eq!(counts, expected.collect());
        }
    }

    #[test]
    fn a_split_of_nothing_does_not_panic() {
        assert_eq!(Lens::new(&BlockLen::Split { parts: Vec::new() }, 0).next_len(), 0);
        let parts = vec![BlockShare { len_bytes: 512, percent: 0 }];
        assert_eq!(Lens::new(&BlockLen::Split { parts }, 0).next_len(), 512);
    }
}
