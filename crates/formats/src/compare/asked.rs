//! What was asked for by name: a table for each figure, with a row for each test and a column for each group.

use cardiograph_core::compare::{
    Against, ComparedMetric, ComparedTest, Comparison, Favours, GroupValue, Reason,
};
use cardiograph_core::estimate::Estimate;
use cardiograph_core::metric::Unit;
use cardiograph_core::quantity::{Better, Quantity};

use super::rows::row;
use super::words::{ABOUT_THE_SAME, is_about_the_same, larger, name, of_sides, quantity_name};
use super::{Notes, Row, price};
use crate::lang::Lang;
use crate::method::direction_word;
use crate::text::layout;
use crate::units;

/// A figure of all tests.
pub(crate) struct Asked {
    /// What it is, of whatever direction: `IOPS`.
    pub name: String,
    /// A row for each test, and for each direction where a test has several.
    pub rows: Vec<Row>,
}

impl Asked {
    /// Whether a value is marked as the best of its row.
    pub(crate) fn has_best(&self) -> bool {
        self.rows.iter().any(|row| row.best.contains(&true))
    }
}

/// The figures in the order in which they were asked for, without those that no test has of two groups.
pub(crate) fn asked(comparison: &Comparison, lang: Lang, notes: &mut Notes) -> Vec<Asked> {
    let mut tables = Vec::new();
    for &quantity in &comparison.wanted {
        let rows: Vec<Row> = comparison
            .tests
            .iter()
            .flat_map(|test| metrics(test, quantity).into_iter().map(move |metric| (test, metric)))
            .map(|(test, metric)| asked_row(comparison, test, metric, lang, notes))
            .collect();
        if !rows.is_empty() {
            tables.push(Asked { name: quantity_name(quantity, lang), rows });
        }
        tables.extend(per_price(comparison, quantity, lang));
    }
    tables
}

/// The same per price.
fn per_price(comparison: &Comparison, quantity: Quantity, lang: Lang) -> Option<Asked> {
    let row = |test: &ComparedTest, metric: &ComparedMetric| {
        let row = price::row(comparison, metric, lang)?;
        let values = row.values.iter().map(|value| value.trim_end_matches(" IOPS").to_string()).collect();
        Some(Row { name: test_name(test, metric, lang), best: price::best(metric), values, ..row })
    };
    let rows_of = |test| metrics(test, quantity).into_iter().filter_map(move |metric| row(test, metric));
    let rows: Vec<Row> = comparison.tests.iter().flat_map(rows_of).collect();
    let name = price::heading(comparison, quantity, lang)?;
    (!rows.is_empty()).then_some(Asked { name, rows })
}

/// A figure of a test in all directions, where at least two groups have it.
pub(super) fn metrics(test: &ComparedTest, quantity: Quantity) -> Vec<&ComparedMetric> {
    let is_it =
        |metric: &&ComparedMetric| metric.quantity == quantity && metric.values.iter().flatten().count() > 1;
    test.metrics.iter().filter(is_it).collect()
}

fn asked_row(
    comparison: &Comparison,
    test: &ComparedTest,
    metric: &ComparedMetric,
    lang: Lang,
    notes: &mut Notes,
) -> Row {
    let mut row = row(comparison, metric, lang, notes);
    row.name = test_name(test, metric, lang);
    row.best = best(test, metric, comparison.base);
    // Where the head says the unit, the values need not.
    if metric.quantity.unit() == Unit::IosPerSecond {
        let number = |value: &GroupValue| units::number(value.estimate.value);
        let values = metric.values.iter().map(|value| value.as_ref().map(number));
        row.values = values.map(|value| value.unwrap_or(units::NO_FIGURE.to_string())).collect();
    }
    row
}

/// The test's title, with the direction where it does not tell it.
fn test_name(test: &ComparedTest, metric: &ComparedMetric, lang: Lang) -> String {
    let title = layout::plain(&test.title);
    let Some(direction) = metric.direction else { return title };
    let is_alone = metrics(test, metric.quantity).len() == 1;
    if is_alone && title.to_lowercase().contains(direction_word(direction, Lang::En)) {
        return title;
    }
    format!("{title}: {}", direction_word(direction, lang))
}

/// The groups with the best value, and what is about the same as that. None where all are, where neither way is better, and of
/// values that are not the drive's or were measured in another way.
pub(super) fn best(test: &ComparedTest, metric: &ComparedMetric, base: usize) -> Vec<bool> {
    let value = |group: usize| {
        let value = metric.values[group].as_ref().filter(|value| value.doubt.is_none())?;
        let is_near = test.sides[group].as_ref().is_some_and(|side| side.is_near());
        (!is_near).then_some(value.estimate)
    };
    let groups: Vec<usize> = (0..metric.values.len()).filter(|&group| value(group).is_some()).collect();
    let none = vec![false; metric.values.len()];
    let Some(is_more) = is_more_better(metric) else { return none };
    let of = |group: usize| value(group).map_or(0.0, |estimate| estimate.value);
    let order = |a: &&usize, b: &&usize| of(**a).total_cmp(&of(**b));
    let found = if is_more { groups.iter().max_by(order) } else { groups.iter().min_by(order) };
    let Some(&best) = found else { return none };
    let is_alike = |group: usize| match (best == base, group == base) {
        _ if group == best => true,
        (true, _) => metric.against[group].as_ref().is_some_and(may_be_the_same),
        (_, true) => metric.against[best].as_ref().is_some_and(may_be_the_same),
        // Two that were only judged against the base.
        _ => larger(of(group) / of(best)) < ABOUT_THE_SAME && !are_apart(value(group), value(best)),
    };
    let marked: Vec<bool> = (0..none.len()).map(|group| groups.contains(&group) && is_alike(group)).collect();
    if marked.iter().filter(|&&is_marked| is_marked).count() == groups.len() { none } else { marked }
}

/// Whether two values are about the same, or spread so much that they may be.
fn may_be_the_same(against: &Against) -> bool {
    is_about_the_same(against) || against.reason == Some(Reason::Wide)
}

/// Whether the intervals of two values are known and do not meet.
fn are_apart(one: Option<Estimate>, other: Option<Estimate>) -> bool {
    let is_above = |low: Option<f64>, high: Option<f64>| low.zip(high).is_some_and(|(low, high)| low > high);
    one.zip(other).is_some_and(|(one, other)| is_above(one.low, other.high) || is_above(other.low, one.high))
}

/// Whether more is better, as the values that differ from the base's tell, else as it is by its kind; `None` where neither way is.
fn is_more_better(metric: &ComparedMetric) -> Option<bool> {
    let of_values = metric.against.iter().flatten().find_map(|against| {
        let is_more = against.ratio? > 1.0;
        Some((against.favours? == Favours::Other) == is_more)
    });
    let of_kind = match metric.quantity.better() {
        Better::More => Some(true),
        Better::Less => Some(false),
        Better::Neither => None,
    };
    of_values.or(of_kind)
}

/// In what tests were measured differently, a sentence for each difference: `WB, WT: measured at another scale: size 1 GiB / 2 GiB
/// (Random read; Random write)`.
pub(crate) fn asked_differences(comparison: &Comparison, lang: Lang) -> Vec<String> {
    let is_shown =
        |test: &&ComparedTest| comparison.wanted.iter().any(|&quantity| !metrics(test, quantity).is_empty());
    // Groups that differ in the same are told together, and so are the tests in which the same ones do.
    let mut all: Vec<(Vec<usize>, String, Vec<String>)> = Vec::new();
    for test in comparison.tests.iter().filter(is_shown) {
        let mut of_test: Vec<(Vec<usize>, String)> = Vec::new();
        for (group, told) in of_sides(test, lang) {
            match of_test.iter_mut().find(|(_, known)| *known == told) {
                Some((groups, _)) => groups.push(group),
                None => of_test.push((vec![group], told)),
            }
        }
        for (groups, told) in of_test {
            let title = layout::plain(&test.title);
            match all.iter_mut().find(|(known, words, _)| *known == groups && *words == told) {
                Some((_, _, titles)) => titles.push(title),
                None => all.push((groups, told, vec![title])),
            }
        }
    }
    let sentence = |(groups, told, titles): (Vec<usize>, String, Vec<String>)| {
        let names: Vec<String> = groups.iter().map(|&group| name(&comparison.groups[group])).collect();
        format!("{}: {told} ({})", names.join(", "), titles.join("; "))
    };
    all.into_iter().map(sentence).collect()
}

/// What the marks and the ratios in a terminal's tables are.
pub(crate) fn legend(comparison: &Comparison, tables: &[Asked]) -> Option<String> {
    let best = tables.iter().any(Asked::has_best);
    let best = best.then(|| "* The best of its row, and what is about the same.".to_string());
    let many = comparison.groups.len() > 2;
    let base = many.then(|| {
        format!("Below a value: how it compares with that of {}.", name(&comparison.groups[comparison.base]))
    });
    let told: Vec<String> = best.into_iter().chain(base).collect();
    (!told.is_empty()).then(|| told.join(" "))
}

#[cfg(test)]
mod tests {
    use cardiograph_core::method::{Aspect, Difference};

    use super::super::samples::{of_several_drives, runs_of};
    use super::*;

    #[test]
    fn the_best_is_marked_with_what_cannot_be_told_from_it() {
        for (values, expected) in [
            (&[(100.0, 0.01), (250.0, 0.02), (99.0, 0.01)][..], &[false, true, false][..]),
            // The base is the best, with what is about the same.
            (&[(100.0, 0.01), (50.0, 0.01), (99.0, 0.01)], &[true, false, true]),
            // Two that were not judged against each other: close, and close but known to differ.
            (&[(100.0, 0.01), (240.0, 0.05), (250.0, 0.05)], &[false, true, true]),
            (&[(100.0, 0.01), (240.0, 0.001), (250.0, 0.001)], &[false, false, true]),
            // All are about the same.
            (&[(100.0, 0.01), (101.0, 0.01)], &[false, false]),
        ] {
            let of = runs_of(values);
            let metric = metrics(&of.tests[0], Quantity::Iops)[0];
            assert_eq!(best(&of.tests[0], metric, of.base), expected, "{values:?}");
        }
    }

    #[test]
    fn a_value_that_spreads_too_much_is_not_the_best() {
        let of = of_several_drives();
        let metric = metrics(&of.tests[0], Quantity::Iops)[0];
        assert_eq!(metric.against[1].as_ref().unwrap().reason, Some(Reason::Wide));
        assert_eq!(best(&of.tests[0], metric, of.base), [false, false]);
    }

    #[test]
    fn the_best_is_known_where_the_base_has_no_value() {
        let mut of = runs_of(&[(100.0, 0.01), (250.0, 0.02), (50.0, 0.01)]);
        let metric = &mut of.tests[0].metrics[0];
        metric.values[0] = None;
        metric.against = vec![None; 3];
        assert_eq!(best(&of.tests[0], &of.tests[0].metrics[0], 0), [false, true, false]);
    }

    #[test]
    fn the_same_difference_is_told_once() {
        let mut of = runs_of(&[(100.0, 0.01), (250.0, 0.02), (50.0, 0.01), (60.0, 0.01)]);
        of.wanted = vec![Quantity::Iops];
        let differs = |left: &str| Difference {
            aspect: Aspect::Size,
            left: Some(left.to_string()),
            right: Some("4096".to_string()),
        };
        for (group, left) in [(1, "8192"), (2, "8192"), (3, "16384")] {
            of.tests[0].sides[group].as_mut().unwrap().differences.push(differs(left));
        }
        let mut other = of.tests[0].clone();
        other.title = "Again".to_string();
        of.tests.push(other);
        let told = asked_differences(&of, Lang::En);
        let scale = "measured at another scale: size";
        let tests = "(Random read; Again)";
        assert_eq!(
            told,
            [format!("b, c: {scale} 8 KiB / 4 KiB {tests}"), format!("d: {scale} 16 KiB / 4 KiB {tests}")]
        );
    }

    #[test]
    fn what_is_in_doubt_is_not_the_best() {
        let mut of = runs_of(&[(100.0, 0.01), (250.0, 0.02), (50.0, 0.01)]);
        of.tests[0].metrics[0].values[1].as_mut().unwrap().doubt = Some("a cache answered".to_string());
        assert_eq!(best(&of.tests[0], &of.tests[0].metrics[0], 0), [true, false, false]);
    }
}
