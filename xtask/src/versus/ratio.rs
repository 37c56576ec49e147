//! Turns, and the median of the ratios between them.

use cardiograph_core::stats;

/// A party's turn: runs one slice and returns its figures.
pub type Turn<'a, T> = &'a mut dyn FnMut() -> Result<T, String>;

/// Lets the parties take turns, `rounds` times. Returns the figures by round, each in the order of the
/// parties.
///
/// Every second round runs backwards: neighbours stay neighbours, and none is always first. An initial
/// warm-up round is discarded.
pub fn take_turns<T, const N: usize>(
    rounds: usize,
    parties: [Turn<'_, T>; N],
) -> Result<Vec<[T; N]>, String> {
    let mut all = Vec::with_capacity(rounds);
    for round in 0..=rounds {
        let mut figures: [Option<T>; N] = std::array::from_fn(|_| None);
        for turn in 0..N {
            let party = if round % 2 == 0 { turn } else { N - 1 - turn };
            figures[party] = Some(parties[party]()?);
        }
        if round > 0 {
            all.push(figures.map(|figure| figure.expect("every party had its turn")));
        }
    }
    Ok(all)
}

/// The median of ratios.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ratio {
    /// The median.
    pub median: f64,
    /// Its 95 % interval; `None` for fewer than six ratios.
    pub interval: Option<(f64, f64)>,
}

impl Ratio {
    /// The ratios of pairs, ours to theirs. A pair with a zero denominator is skipped.
    pub fn from_pairs(pairs: impl Iterator<Item = (f64, f64)>) -> Self {
        let mut ratios: Vec<f64> =
            pairs.filter(|&(_, theirs)| theirs > 0.0).map(|(ours, theirs)| ours / theirs).collect();
        ratios.sort_by(f64::total_cmp);
        let interval = median_rank(ratios.len()).map(|rank| (ratios[rank - 1], ratios[ratios.len() - rank]));
        Self { median: stats::median(&ratios), interval }
    }
}

/// The rank `k` for which the `k`-th smallest and the `k`-th largest of `n` values enclose the median in at
/// least 95 % of cases, whatever the distribution; `None` if not even the smallest and largest do.
///
/// The number of values below the median is binomial with probability 1/2, so the interval misses on each
/// side with probability `P(X < k)` (Conover 1999, section 3.2).
fn median_rank(n: usize) -> Option<usize> {
    let mut probability = 0.5_f64.powi(i32::try_from(n).ok()?);
    let (mut below, mut rank) = (0.0, 0);
    while rank < n / 2 && below + probability <= 0.025 {
        below += probability;
        probability *= (n - rank) as f64 / (rank + 1) as f64;
        rank += 1;
    }
    (rank > 0).then_some(rank)
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use cardiograph_core::rng::Rng;

    use super::*;

    #[test]
    fn ranks_are_those_of_the_tables() {
        // The usual table of distribution-free intervals for the median, 95 %.
        let table = [
            (5, None),
            (6, Some(1)),
            (8, Some(1)),
            (9, Some(2)),
            (11, Some(2)),
            (12, Some(3)),
            (15, Some(4)),
        ];
        for (n, rank) in
            table.into_iter().chain([(0, None), (1, None), (20, Some(6)), (25, Some(8)), (40, Some(14))])
        {
            assert_eq!(median_rank(n), rank, "{n}");
        }
    }

    #[test]
    fn the_interval_covers_the_median() {
        let mut rng = Rng::new(5);
        let trials = 2_000;
        let covered = (0..trials)
            .filter(|_| {
                // Exponential: the median is ln 2, far from the mean.
                let values: Vec<f64> = (0..20).map(|_| -(1.0 - rng.unit()).ln()).collect();
                let ratio = Ratio::from_pairs(values.into_iter().map(|value| (value, 1.0)));
                let (low, high) = ratio.interval.unwrap();
                (low..=high).contains(&std::f64::consts::LN_2)
            })
            .count();
        // 95.86 % is expected; four standard errors are 1.8 %.
        assert!((1_880..=1_955).contains(&covered), "{covered} of {trials}");
    }

    #[test]
    fn ratios_are_taken_pair_by_pair() {
        // Both slow down by a thousand: their ratio does not change.
        let pairs = (0..7).map(|n| 10f64.powi(n)).map(|slow| (slow * 0.4, slow));
        let ratio = Ratio::from_pairs(pairs.chain([(1.0, 0.0)]));
        assert!((ratio.median - 0.4).abs() < 1e-12, "{ratio:?}");
        assert!(ratio.interval.is_some_and(|(low, high)| (high - low).abs() < 1e-12));
        assert_eq!(
            Ratio::from_pairs([(1.0, 2.0), (3.0, 2.0)].into_iter()),
            Ratio { median: 1.0, interval: None }
        );
    }

    #[test]
    fn turns_alternate_and_the_first_round_is_discarded() {
        let order = RefCell::new(String::new());
        let turns = |name: char| {
            let (mut count, order) = (0, &order);
            move || {
                count += 1;
                order.borrow_mut().push(name);
                Ok(format!("{name}{count}"))
            }
        };
        let rounds = take_turns(3, [&mut turns('a'), &mut turns('b'), &mut turns('c')]).unwrap();
        assert_eq!(order.borrow().as_str(), "abccbaabccba");
        assert_eq!(rounds, [["a2", "b2", "c2"], ["a3", "b3", "c3"], ["a4", "b4", "c4"]]);
        let mut fails = || Err::<(), _>("broken".to_string());
        assert_eq!(take_turns(1, [&mut fails]), Err("broken".to_string()));
    }
}
