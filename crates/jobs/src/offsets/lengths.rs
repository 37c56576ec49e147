//! Lengths of I/Os.

use cardiograph_core::rng::Rng;
use cardiograph_core::workload::BlockLen;

use super::deck::Deck;

/// Draws lengths.
#[derive(Debug, Clone)]
pub(super) enum Lengths {
    /// Constant.
    Fixed(u64),
    /// `min_bytes` times 1 to `steps`.
    Range { min_bytes: u64, steps: u64, rng: Rng },
    /// Several lengths by weight.
    Split { lens_bytes: Box<[u64]>, deck: Deck },
}

impl Lengths {
    /// Lengths as requested. The same seed gives the same lengths.
    pub fn new(wanted: &BlockLen, seed: u64) -> Self {
        match wanted {
            BlockLen::Fixed { len_bytes } => Lengths::Fixed(*len_bytes),
            BlockLen::Range { min_bytes, max_bytes } => {
                let steps = (max_bytes / (*min_bytes).max(1)).max(1);
                Lengths::Range { min_bytes: *min_bytes, steps, rng: Rng::new(seed) }
            }
            BlockLen::Split { parts } => Lengths::Split {
                lens_bytes: parts.iter().map(|part| part.len_bytes).collect(),
                deck: Deck::new(parts.iter().map(|part| part.percent), seed),
            },
        }
    }

    /// The shortest length in bytes if lengths vary, for when the drawn one does not fit.
    #[inline]
    pub fn shorter(&self) -> Option<u64> {
        match self {
            Lengths::Fixed(_) => None,
            Lengths::Range { min_bytes, .. } => Some(*min_bytes),
            Lengths::Split { lens_bytes, .. } => lens_bytes.iter().copied().min(),
        }
    }

    /// The next length in bytes.
    #[inline]
    pub fn next_len(&mut self) -> u64 {
        match self {
            Lengths::Fixed(len_bytes) => *len_bytes,
            Lengths::Range { min_bytes, steps, rng } => *min_bytes * (1 + rng.below(*steps)),
            Lengths::Split { lens_bytes, deck } => lens_bytes.get(deck.draw()).copied().unwrap_or(0),
        }
    }
}

#[cfg(test)]
mod tests {
    use cardiograph_core::workload::BlockShare;

    use super::*;

    fn counts(wanted: &BlockLen, draws: usize) -> std::collections::BTreeMap<u64, u32> {
        let mut lens = Lengths::new(wanted, 11);
        let mut counts = std::collections::BTreeMap::new();
        (0..draws).for_each(|_| *counts.entry(lens.next_len()).or_default() += 1);
        counts
    }

    #[test]
    fn ranges_are_uniform_over_multiples_of_the_shortest() {
        let counts = counts(&BlockLen::Range { min_bytes: 4_096, max_bytes: 35_000 }, 80_000);
        assert_eq!(
            counts.keys().copied().collect::<Vec<_>>(),
            (1..=8).map(|n| n * 4_096).collect::<Vec<_>>()
        );
        let expected = 10_000.0;
        let chi_squared: f64 = counts.values().map(|&n| (f64::from(n) - expected).powi(2) / expected).sum();
        // 7 degrees of freedom: 24.3 is the 0.1 % point, and values as small as 0.6 would be suspicious, too.
        assert!((0.6..24.3).contains(&chi_squared), "{chi_squared:.2}");
    }

    #[test]
    fn splits_are_exact_in_each_hundred() {
        let parts = [(4_096, 70), (65_536, 29), (512, 1)];
        let parts = parts.map(|(len_bytes, percent)| BlockShare { len_bytes, percent }).to_vec();
        for hundreds in [1, 7] {
            let counts = counts(&BlockLen::Split { parts: parts.clone() }, hundreds * 100);
            let expected = parts.iter().map(|part| (part.len_bytes, part.percent * hundreds as u32));
            assert_eq!(counts, expected.collect());
        }
    }

    #[test]
    fn empty_splits_do_not_panic() {
        assert_eq!(Lengths::new(&BlockLen::Split { parts: Vec::new() }, 0).next_len(), 0);
        let parts = vec![BlockShare { len_bytes: 512, percent: 0 }];
        assert_eq!(Lengths::new(&BlockLen::Split { parts }, 0).next_len(), 512);
    }
}
