//! The best values of a row.

use cardiograph_core::estimate::Estimate;
use cardiograph_core::quantity::Better;
use cardiograph_judge::compare::{Against, ComparedMetric, ComparedTest, Favours};

use super::price;
use super::ratio::{ABOUT_THE_SAME, is_about_the_same, larger};

/// Whether each group has the best value or one about the same. None is marked if all are about the same, if one that is
/// not may yet be as good, or if neither direction is better. Withheld values and those measured differently or over other windows are never
/// the best.
pub(crate) fn best_values(test: &ComparedTest, metric: &ComparedMetric, base: usize) -> Vec<bool> {
    best_groups(test, metric, base, &vec![Some(1.0); metric.values.len()])
}

/// The same for each group's value per price, which is known no more precisely than the value itself.
pub(crate) fn best_per_price(test: &ComparedTest, metric: &ComparedMetric, base: usize) -> Vec<bool> {
    best_groups(test, metric, base, &price::factors(metric))
}

/// The same for values multiplied by `factors`. A group without a factor has no value.
fn best_groups(
    test: &ComparedTest,
    metric: &ComparedMetric,
    base: usize,
    factors: &[Option<f64>],
) -> Vec<bool> {
    let value = |group: usize| {
        let value = metric.values[group].as_ref().filter(|value| value.is_believed())?;
        let is_near = test.sides[group].as_ref().is_some_and(|side| side.is_near());
        (!is_near).then_some(times(value.estimate, factors[group]?))
    };
    let matches_base = |group: usize| {
        let factor = factors[group]? / factors[base]?;
        Some(likeness(metric.against[group].as_ref()?, factor))
    };
    let groups: Vec<usize> = (0..metric.values.len()).filter(|&group| value(group).is_some()).collect();
    let none = vec![false; metric.values.len()];
    let Some(is_more) = is_more_better(metric).filter(|_| metric.is_of_equal_windows()) else { return none };
    let number = |group: usize| value(group).map_or(0.0, |estimate| estimate.value);
    let order = |a: &&usize, b: &&usize| number(**a).total_cmp(&number(**b));
    let found = if is_more { groups.iter().max_by(order) } else { groups.iter().min_by(order) };
    let Some(&best) = found else { return none };
    let likeness = |group: usize| match (best == base, group == base) {
        _ if group == best => Likeness::Alike,
        (true, _) => matches_base(group).unwrap_or(Likeness::Apart),
        (_, true) => matches_base(best).unwrap_or(Likeness::Apart),
        // These two were only judged against the base, not against each other.
        _ => Likeness::new(number(group) / number(best), are_apart(value(group), value(best))),
    };
    if groups.iter().any(|&group| likeness(group) == Likeness::Unclear) {
        return none;
    }
    let is_alike = |group: usize| likeness(group) == Likeness::Alike;
    let marked: Vec<bool> = (0..none.len()).map(|group| groups.contains(&group) && is_alike(group)).collect();
    if marked.iter().filter(|&&is_marked| is_marked).count() == groups.len() { none } else { marked }
}

/// How a value compares with the best.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Likeness {
    /// About the same.
    Alike,
    /// Known to be worse, or too different for a chance.
    Apart,
    /// Different, but one of the two varies so much that they may be equal.
    Unclear,
}

impl Likeness {
    /// From the ratio of two values, and whether they are known to differ.
    fn new(ratio: f64, are_apart: Option<bool>) -> Self {
        match (are_apart, larger(ratio) < ABOUT_THE_SAME) {
            (None | Some(false), true) => Self::Alike,
            (Some(false), false) => Self::Unclear,
            (Some(true), _) | (None, false) => Self::Apart,
        }
    }
}

/// How two values compare once their ratio is multiplied by `factor`.
fn likeness(against: &Against, factor: f64) -> Likeness {
    if against.unclear().is_some() {
        return Likeness::Unclear;
    }
    if factor == 1.0 {
        return if is_about_the_same(against) { Likeness::Alike } else { Likeness::Apart };
    }
    let excludes_one = |(low, high): (f64, f64)| low * factor > 1.0 || 1.0 > high * factor;
    let ratio = against.ratio.map_or(f64::INFINITY, |ratio| ratio * factor);
    Likeness::new(ratio, against.low.zip(against.high).map(excludes_one))
}

/// A value and its interval multiplied by `factor`.
fn times(estimate: Estimate, factor: f64) -> Estimate {
    let Estimate { value, low, high, .. } = estimate;
    let end = |end: Option<f64>| end.map(|end| end * factor);
    Estimate { value: value * factor, low: end(low), high: end(high), ..estimate }
}

/// Whether the intervals of two values do not overlap; `None` if one is unknown.
fn are_apart(one: Option<Estimate>, other: Option<Estimate>) -> Option<bool> {
    let interval = |estimate: Option<Estimate>| estimate.and_then(|known| known.low.zip(known.high));
    let ((low, high), (other_low, other_high)) = (interval(one)?, interval(other)?);
    Some(low > other_high || other_low > high)
}

/// Whether more is better, judging by the values that differ from the base's, else by the quantity; `None` if
/// neither direction is better.
fn is_more_better(metric: &ComparedMetric) -> Option<bool> {
    let by_values = metric.against.iter().flatten().find_map(|against| {
        let is_more = against.ratio? > 1.0;
        Some((against.favours? == Favours::Other) == is_more)
    });
    let by_kind = match metric.quantity.better() {
        Better::More => Some(true),
        Better::Less => Some(false),
        Better::Neither => None,
    };
    by_values.or(by_kind)
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
            // Two that were not judged against each other: close, and close but known to differ.
            (&[(100.0, 0.01), (240.0, 0.05), (250.0, 0.05)], &[false, true, true]),
            (&[(100.0, 0.01), (240.0, 0.001), (250.0, 0.001)], &[false, false, true]),
            // One varies so much that it may be the best.
            (&[(100.0, 0.01), (317.0, 0.01), (131.0, 3.1)], &[false, false, false]),
            // All are about the same.
            (&[(100.0, 0.01), (101.0, 0.01)], &[false, false]),
        ] {
            let comparison = random_reads(values);
            let metric = metrics(&comparison.tests[0], Quantity::Iops)[0];
            assert_eq!(best_values(&comparison.tests[0], metric, comparison.base), expected, "{values:?}");
        }
    }

    #[test]
    fn a_value_that_varies_too_much_is_not_the_best() {
        let comparison = several_drives();
        let metric = metrics(&comparison.tests[0], Quantity::Iops)[0];
        assert_eq!(metric.against[1].as_ref().unwrap().reason, Some(Reason::Wide));
        assert_eq!(best_values(&comparison.tests[0], metric, comparison.base), [false, false]);
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
            let found = best_per_price(&comparison.tests[0], metric, comparison.base);
            assert_eq!(found, expected, "{values:?} {prices:?}");
        }
    }

    #[test]
    fn the_best_is_known_where_the_base_has_no_value() {
        let mut comparison = random_reads(&[(100.0, 0.01), (250.0, 0.02), (50.0, 0.01)]);
        let metric = &mut comparison.tests[0].metrics[0];
        metric.values[0] = None;
        metric.against = vec![None; 3];
        let metric = &comparison.tests[0].metrics[0];
        assert_eq!(best_values(&comparison.tests[0], metric, 0), [false, true, false]);
    }

    #[test]
    fn a_minimum_over_other_windows_is_not_the_best() {
        let mut test = card_and_ssd().tests.pop().unwrap();
        let minimum = Quantity::WindowBandwidth(Statistic::Min);
        let at = test.metrics.iter().position(|metric| metric.quantity == minimum).unwrap();
        assert_eq!(best_values(&test, &test.metrics[at], 0), [true, false]);
        test.metrics[at].window_ns = None;
        assert_eq!(best_values(&test, &test.metrics[at], 0), [false, false]);
    }

    #[test]
    fn a_doubtful_value_is_not_the_best() {
        let mut comparison = random_reads(&[(100.0, 0.01), (250.0, 0.02), (50.0, 0.01)]);
        comparison.tests[0].metrics[0].values[1].as_mut().unwrap().doubt =
            Some(cardiograph_core::Doubt::PageCache);
        let metric = &comparison.tests[0].metrics[0];
        assert_eq!(best_values(&comparison.tests[0], metric, 0), [true, false, false]);
    }
}
