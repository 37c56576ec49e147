//! Division of a time limit among steps.

use cardiograph_core::{NS_PER_MS, NS_PER_S};

/// Shortest step: figures of shorter ones are random.
pub(crate) const STEP_NS_MIN: u64 = NS_PER_S;

/// Divides `total_ns` among steps in proportion to their wanted times, each at least [`STEP_NS_MIN`] and at most its wanted
/// time. Shares are whole milliseconds, and their sum is at most `total_ns` if that allows the minimum for each.
pub(crate) fn divide(wanted_ns: &[u64], total_ns: u64) -> Vec<u64> {
    // A step that would fall below the minimum gets it, and the others share the rest; that may push another one below, so
    // repeat until none falls.
    let mut at_minimum = vec![false; wanted_ns.len()];
    loop {
        let minimums = at_minimum.iter().filter(|&&is| is).count() as u64;
        let left_ns = u128::from(total_ns.saturating_sub(minimums * STEP_NS_MIN));
        let wants = wanted_ns.iter().zip(&at_minimum).filter(|&(_, &is)| !is);
        let sum_ns: u128 = wants.map(|(&ns, _)| u128::from(ns)).sum();
        let share = |&ns: &u64| {
            let ns = ns.min((u128::from(ns) * left_ns / sum_ns.max(1)) as u64);
            ns - ns % NS_PER_MS
        };
        let fell = (0..wanted_ns.len()).find(|&i| !at_minimum[i] && share(&wanted_ns[i]) < STEP_NS_MIN);
        match fell {
            Some(i) => at_minimum[i] = true,
            None => {
                let times = wanted_ns.iter().zip(&at_minimum);
                return times.map(|(ns, &is)| if is { STEP_NS_MIN } else { share(ns) }).collect();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WANTED_S: [u64; 7] = [8, 6, 8, 6, 8, 8, 20];

    fn divided_ms(total_ms: u64) -> Vec<u64> {
        let wanted_ns = WANTED_S.map(|s| s * NS_PER_S);
        divide(&wanted_ns, total_ms * NS_PER_MS).into_iter().map(|ns| ns / NS_PER_MS).collect()
    }

    #[test]
    fn enough_time_changes_nothing() {
        assert_eq!(divided_ms(64_000), WANTED_S.map(|s| s * 1_000));
        assert_eq!(divided_ms(600_000), WANTED_S.map(|s| s * 1_000));
    }

    #[test]
    fn half_the_time_halves_each_step() {
        assert_eq!(divided_ms(32_000), WANTED_S.map(|s| s * 500));
    }

    #[test]
    fn the_sum_fits_and_no_step_is_below_the_minimum() {
        for total_ms in (7_000..70_000).step_by(137) {
            let times = divided_ms(total_ms);
            assert!(times.iter().all(|&ms| ms >= 1_000), "{total_ms}: {times:?}");
            let sum: u64 = times.iter().sum();
            assert!(sum <= total_ms, "{total_ms}: {times:?}");
            assert!(sum + 7 >= total_ms.min(64_000), "time is left over at {total_ms}: {times:?}");
        }
        assert_eq!(divided_ms(7_000), [1_000; 7]);
    }
}
