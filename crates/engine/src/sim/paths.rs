//! Duration of operations with several paths.

use cardiograph_core::rng::Rng;

use super::model::Path;

/// Randomness in the choice of the next path: 0 for none; the shares of all paths together are 1.
const CHANCE: f64 = 0.2;
/// Times are cut off at this many standard deviations from their mean.
const DEVIATIONS_MAX: f64 = 3.0;

/// Chooses among the paths of an operation.
///
/// Firmware chooses by counters (pages left in a block, entries left in a table) rather than by chance, so
/// each path comes about equally often in any stretch of work. Here each path earns its share with every
/// operation, and the one with the highest balance is taken and pays 1; some randomness keeps the order from
/// repeating.
#[derive(Debug)]
pub(super) struct PathDealer {
    paths: Vec<Path>,
    earned: Vec<f64>,
    rng: Rng,
}

impl PathDealer {
    /// `paths` come from a validated model, so there is at least one.
    pub fn new(paths: &[Path], mut rng: Rng) -> Self {
        let earned = paths.iter().map(|path| path.share * rng.unit()).collect();
        Self { paths: paths.to_vec(), earned, rng }
    }

    /// The duration of the next operation, in nanoseconds.
    pub fn draw_ns(&mut self) -> f64 {
        let (mut taken, mut most) = (0, f64::NEG_INFINITY);
        for (index, path) in self.paths.iter().enumerate() {
            self.earned[index] += path.share;
            let with_chance = self.earned[index] + CHANCE * self.rng.unit();
            if path.share > 0.0 && with_chance > most {
                (taken, most) = (index, with_chance);
            }
        }
        self.earned[taken] -= 1.0;
        time_ns(&self.paths[taken], &mut self.rng)
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

    /// The path of each of `count` operations, identified by its time.
    fn dealt(paths: &[Path], seed: u64, count: usize) -> Vec<u64> {
        let mut dealer = PathDealer::new(paths, Rng::new(seed));
        (0..count).map(|_| dealer.draw_ns() as u64).collect()
    }

    #[test]
    fn shares_hold_in_every_stretch_of_work() {
        let paths = [path(0.697, 1), path(0.3, 2), path(0.003, 3), path(0.0, 4)];
        let drawn = dealt(&paths, 5, 64_000);
        for stretch in drawn.chunks(64) {
            let slow = stretch.iter().filter(|&&time| time == 2).count();
            assert!((17..=22).contains(&slow), "{slow} of 64 where 19.2 are wanted");
        }
        let rare = drawn.iter().filter(|&&time| time == 3).count();
        assert!((191..=193).contains(&rare), "{rare} of 64,000 where 192 are wanted");
        assert!(!drawn.contains(&4));
    }

    #[test]
    fn the_order_is_partly_random() {
        let paths = [path(0.63, 1), path(0.3, 2), path(0.07, 3)];
        let drawn = dealt(&paths, 5, 10_000);
        assert_ne!(drawn, dealt(&paths, 6, 10_000));
        let places: Vec<usize> = (0..drawn.len()).filter(|&i| drawn[i] == 3).collect();
        let mut distances: Vec<usize> = places.windows(2).map(|pair| pair[1] - pair[0]).collect();
        distances.sort_unstable();
        distances.dedup();
        assert!(distances.len() >= 5 && distances[0] >= 5, "one in 14.3 comes at distances {distances:?}");
    }

    #[test]
    fn times_have_the_given_deviation_and_are_not_negative() {
        let mut rng = Rng::new(2);
        let times: Vec<f64> = (0..20_000).map(|_| normal_ns(1_000, 100, &mut rng)).collect();
        let mean = times.iter().sum::<f64>() / times.len() as f64;
        let deviation =
            (times.iter().map(|t| (t - mean) * (t - mean)).sum::<f64>() / times.len() as f64).sqrt();
        assert!((mean - 1_000.0).abs() < 3.0 && (deviation - 100.0).abs() < 3.0, "{mean} {deviation}");
        assert!(times.iter().all(|&t| (700.0..=1_300.0).contains(&t)));
        assert!((0..1_000).all(|_| normal_ns(10, 100, &mut rng) >= 0.0));
    }
}
