//! How long an operation takes that can go several ways.

use cardiograph_core::rng::Rng;

use super::model::Path;

/// Draws between two of which the shares are exact.
const CARDS: usize = 16;
/// Times lie at most so many standard deviations from their mean.
const DEVIATIONS_MAX: f64 = 3.0;

/// Deals the paths of an operation.
///
/// Which path comes is decided in firmware by counters (pages left in a block, entries left in a table) and not by
/// coins, so each path comes about as often in any stretch of work. Here it is dealt from a shuffled deck that holds
/// each path as often as its share says; where that is no whole number, decks differ by one card so that it holds in the
/// long run.
#[derive(Debug)]
pub(super) struct PathDeck {
    paths: Vec<Path>,
    cards: Vec<u8>,
    rng: Rng,
}

impl PathDeck {
    /// `paths` are those of a checked model: not empty, at most 256.
    pub fn new(paths: &[Path], rng: Rng) -> Self {
        Self { paths: paths.to_vec(), cards: Vec::with_capacity(CARDS), rng }
    }

    /// The time that the operation takes this time, in nanoseconds.
    pub fn draw_ns(&mut self) -> f64 {
        let card = self.cards.pop().unwrap_or_else(|| self.deal());
        time_ns(&self.paths[usize::from(card)], &mut self.rng)
    }

    /// Fills and shuffles the deck and takes the first card.
    fn deal(&mut self) -> u8 {
        let start = self.rng.unit();
        let mut path = 0;
        let mut end = self.paths[0].share;
        for card in 0..CARDS {
            let at = (card as f64 + start) / CARDS as f64;
            while at >= end && path + 1 < self.paths.len() {
                path += 1;
                end += self.paths[path].share;
            }
            self.cards.push(path as u8);
        }
        for last in (1..CARDS).rev() {
            self.cards.swap(last, self.rng.below(last as u64 + 1) as usize);
        }
        self.cards.pop().unwrap_or(0)
    }
}

/// A time on a path, in nanoseconds.
pub(super) fn time_ns(path: &Path, rng: &mut Rng) -> f64 {
    normal_ns(path.mean_ns, path.deviation_ns, rng)
}

/// A normal time, cut off at three deviations and at 0, in nanoseconds.
pub(super) fn normal_ns(mean_ns: u64, deviation_ns: u64, rng: &mut Rng) -> f64 {
    if deviation_ns == 0 {
        return mean_ns as f64;
    }
    let deviations = rng.normal().clamp(-DEVIATIONS_MAX, DEVIATIONS_MAX);
    (mean_ns as f64 + deviation_ns as f64 * deviations).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(share: f64, mean_ns: u64) -> Path {
        Path { share, mean_ns, deviation_ns: 0 }
    }

    #[test]
    fn shares_hold_in_every_stretch_and_exactly_in_the_long_run() {
        let mut deck = PathDeck::new(&[path(0.7, 1), path(0.297, 2), path(0.003, 3)], Rng::new(5));
        let mut counts = [0u32; 4];
        for _ in 0..1_000 {
            let mut slow = 0;
            for _ in 0..CARDS {
                let time = deck.draw_ns() as usize;
                counts[time] += 1;
                slow += u32::from(time == 2);
            }
            assert!((19..=20).contains(&slow), "{slow} of 64 where 19.0 are wanted");
        }
        assert_eq!(counts[0], 0);
        assert!(counts[3].abs_diff(192) < 60, "{counts:?}");
    }

    #[test]
    fn the_order_is_not_that_of_the_list() {
        let mut deck = PathDeck::new(&[path(0.5, 1), path(0.5, 2)], Rng::new(5));
        let drawn: Vec<f64> = (0..CARDS).map(|_| deck.draw_ns()).collect();
        let changes = drawn.windows(2).filter(|pair| pair[0] != pair[1]).count();
        assert!((20..44).contains(&changes), "{changes} changes in {CARDS} draws");
    }

    #[test]
    fn times_spread_as_told_and_not_below_nothing() {
        let mut rng = Rng::new(2);
        let times: Vec<f64> = (0..20_000).map(|_| normal_ns(1_000, 100, &mut rng)).collect();
        let mean = times.iter().sum::<f64>() / times.len() as f64;
        let deviation = (times.iter().map(|t| (t - mean) * (t - mean)).sum::<f64>() / times.len() as f64).sqrt();
        assert!((mean - 1_000.0).abs() < 3.0 && (deviation - 100.0).abs() < 3.0, "{mean} {deviation}");
        assert!(times.iter().all(|&t| (700.0..=1_300.0).contains(&t)));
        assert!((0..1_000).all(|_| normal_ns(10, 100, &mut rng) >= 0.0));
    }
}
