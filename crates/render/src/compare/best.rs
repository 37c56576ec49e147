//! The best values of a row.

use cardiograph_judge::compare::{Best, ComparedMetric, GroupValue};

use super::price;
use super::ratio::{ABOUT_THE_SAME, is_shown, larger};

/// Whether each group's value is the best, not shown to be worse, or better than one that is not. None is marked if all are.
/// Unreliable values and those measured differently or over other windows are never the best.
pub(crate) fn best_values(metric: &ComparedMetric) -> Vec<bool> {
    let Some(Best { group: best, against }) = metric.best.as_ref().filter(|_| metric.is_of_equal_windows())
    else {
        return vec![false; metric.values.len()];
    };
    let value = |(group, value): (usize, &Option<_>)| {
        let is_reliable = group == *best || against[group].is_some();
        value.as_ref().filter(|_| is_reliable).map(|value: &GroupValue| value.estimate.value)
    };
    let values: Vec<Option<f64>> = metric.values.iter().enumerate().map(value).collect();
    marked(&values, *best, |group| against[group].as_ref().is_some_and(is_shown))
}

/// The same for each group's value per price, which is known no more precisely than the value itself.
pub(crate) fn best_per_price(metric: &ComparedMetric) -> Vec<bool> {
    let with_factor = metric.values.iter().zip(price::factors(metric));
    let of_price = with_factor.map(|(value, factor)| Some((value.as_ref()?.estimate, factor?)));
    let of_price: Vec<_> = of_price.collect();
    let values: Vec<Option<f64>> =
        of_price.iter().map(|of| of.map(|(of, factor)| of.value * factor)).collect();
    let interval = |group: usize| {
        let (estimate, factor) = of_price[group]?;
        Some((estimate.low? * factor, estimate.high? * factor))
    };
    let number = |group: usize| values[group].unwrap_or(0.0);
    let order = |one: &usize, next: &usize| number(*one).total_cmp(&number(*next));
    let Some(best) = (0..values.len()).max_by(order) else { return Vec::new() };
    marked(&values, best, |group| {
        let may_be_equal =
            interval(group).zip(interval(best)).is_some_and(|((_, high), (low, _))| high >= low);
        !may_be_equal && number(best) >= ABOUT_THE_SAME * number(group)
    })
}

/// Marks the best value, those not worse, and those between them.
fn marked(values: &[Option<f64>], best: usize, is_worse: impl Fn(usize) -> bool) -> Vec<bool> {
    let distance = |group: usize| match group == best {
        true => Some(1.0),
        false => Some(larger(values[group]? / values[best]?)),
    };
    let alike = (0..values.len()).filter(|&group| !is_worse(group)).filter_map(distance);
    let farthest = alike.fold(1.0, f64::max);
    let is_marked = |group: usize| distance(group).is_some_and(|distance| distance <= farthest);
    let marked: Vec<bool> = (0..values.len()).map(is_marked).collect();
    let is_any_worse = (0..values.len()).any(|group| values[group].is_some() && !marked[group]);
    if is_any_worse { marked } else { vec![false; values.len()] }
}

#[cfg(test)]
mod tests {
    use cardiograph_core::quantity::{Quantity, Statistic};

    use cardiograph_judge::compare::Reason;

    use super::super::metrics;
    use super::super::samples::{card_and_ssd, random_reads, several_drives};
    use super::*;

    #[test]
    fn values_indistinguishable_from_the_best_are_marked_too() {
        for (values, expected) in [
            (&[(100.0, 0.01), (250.0, 0.02), (99.0, 0.01)][..], &[false, true, false][..]),
            // The base is the best, with what is about the same.
            (&[(100.0, 0.01), (50.0, 0.01), (99.0, 0.01)], &[true, false, true]),
            // Close, and known to differ within their runs, which a second run may reverse.
            (&[(100.0, 0.01), (240.0, 0.05), (250.0, 0.05)], &[false, true, true]),
            (&[(100.0, 0.01), (240.0, 0.001), (250.0, 0.001)], &[false, true, true]),
            (&[(100.0, 0.001), (109.0, 0.001), (220.0, 0.001)], &[false, false, true]),
            // One varies so much that it may be the best: so may what is above it.
            (&[(100.0, 0.01), (317.0, 0.01), (131.0, 3.1)], &[false, true, true]),
            (&[(100.0, 0.01), (317.0, 0.01), (131.0, 3.1), (200.0, 0.01)], &[false, true, true, true]),
            // All are about the same.
            (&[(100.0, 0.01), (101.0, 0.01)], &[false, false]),
        ] {
            // Whatever the order of the groups.
            for first in 0..values.len() {
                let rotated: Vec<(f64, f64)> =
                    values[first..].iter().chain(&values[..first]).copied().collect();
                let mut expected = expected.to_vec();
                expected.rotate_left(first);
                let comparison = random_reads(&rotated);
                let metric = metrics(&comparison.tests[0], Quantity::Iops)[0];
                assert_eq!(best_values(metric), expected, "{rotated:?}");
            }
        }
    }

    #[test]
    fn a_value_that_varies_too_much_is_not_the_best() {
        let comparison = several_drives();
        let metric = metrics(&comparison.tests[0], Quantity::Iops)[0];
        assert_eq!(metric.against[1].as_ref().unwrap().reason, Some(Reason::Wide));
        assert_eq!(best_values(metric), [false, false]);
    }

    #[test]
    fn a_price_does_not_make_an_uncertain_best_value_certain() {
        let is_wide =
            |metric: &ComparedMetric| metric.against[1].as_ref().unwrap().reason == Some(Reason::Wide);
        // The values of two groups with half the width of the interval as a share, and their prices.
        for (values, prices, expected, wide) in [
            // One varies so much that nothing can be concluded, whatever the price.
            ([(31_730.0, 0.01), (13_151.0, 3.1)], [15.0, 14.0], [false, false], true),
            ([(31_730.0, 0.01), (13_151.0, 3.1)], [15.0, 1.0], [false, false], true),
            // Both are known, and so are their values per price.
            ([(100.0, 0.01), (250.0, 0.01)], [10.0, 11.0], [false, true], false),
            ([(100.0, 0.01), (250.0, 0.01)], [10.0, 100.0], [true, false], false),
            ([(100.0, 0.01), (250.0, 0.01)], [10.0, 25.0], [false, false], false),
            // No difference, until divided by the prices.
            ([(100.0, 0.01), (100.0, 0.01)], [10.0, 20.0], [true, false], false),
        ] {
            let mut comparison = random_reads(&values);
            let metric = &mut comparison.tests[0].metrics[0];
            metric.per_price = (0..2).map(|group| Some(values[group].0 / prices[group])).collect();
            let metric = &comparison.tests[0].metrics[0];
            assert_eq!(is_wide(metric), wide, "{values:?}");
            let found = best_per_price(metric);
            assert_eq!(found, expected, "{values:?} {prices:?}");
        }
    }

    #[test]
    fn a_minimum_over_other_windows_is_not_the_best() {
        let mut test = card_and_ssd().tests.pop().unwrap();
        let minimum = Quantity::WindowBandwidth(Statistic::Min);
        let at = test.metrics.iter().position(|metric| metric.quantity == minimum).unwrap();
        assert_eq!(best_values(&test.metrics[at]), [true, false]);
        test.metrics[at].window_ns = None;
        assert_eq!(best_values(&test.metrics[at]), [false, false]);
    }
}
