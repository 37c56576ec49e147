//! What was asked for by name: a table for each figure, with a row for each test and a column for each group.

use cardiograph_core::metric::Unit;
use cardiograph_core::quantity::Quantity;
use cardiograph_core::units;
use cardiograph_judge::compare::{ComparedMetric, ComparedTest, Comparison};

use super::rows::row;
use super::words::{name, of_sides};
use super::{Notes, Row, best, price};
use crate::gathered::gathered;
use crate::lang::Lang;
use crate::method;
use crate::text::layout;

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
pub(crate) fn asked(notes: &mut Notes) -> Vec<Asked> {
    let (comparison, lang) = (notes.comparison, notes.lang);
    let mut tables = Vec::new();
    for &quantity in &comparison.wanted {
        let all = of_tests(comparison, quantity);
        let rows: Vec<Row> = all.map(|(test, metric)| asked_row(test, metric, notes)).collect();
        if !rows.is_empty() {
            tables.push(Asked { name: lang.text(&method::heading(quantity)), rows });
        }
        tables.extend(per_price(quantity, notes));
    }
    tables
}

/// A figure of all tests in all directions.
pub(super) fn of_tests(
    comparison: &Comparison,
    quantity: Quantity,
) -> impl Iterator<Item = (&ComparedTest, &ComparedMetric)> {
    let of = move |test| metrics(test, quantity).into_iter().map(move |metric| (test, metric));
    comparison.tests.iter().flat_map(of)
}

/// The same per price.
fn per_price(quantity: Quantity, notes: &mut Notes) -> Option<Asked> {
    let (comparison, lang) = (notes.comparison, notes.lang);
    let scale = price::scale(comparison, quantity)?;
    let row = |(test, metric)| {
        Some(Row {
            name: test_name(test, metric, lang),
            best: best::per_price(test, metric, comparison.base),
            values: price::amounts(metric, scale).map(|value| bare(quantity, value)).collect(),
            ..price::row_of(metric, scale, notes)?
        })
    };
    let rows: Vec<Row> = of_tests(comparison, quantity).filter_map(row).collect();
    (!rows.is_empty()).then(|| Asked {
        name: price::per(comparison, &lang.text(&method::heading(quantity)), scale, lang),
        rows,
    })
}

/// A value below a head that says what it is: without the unit where the head has it.
fn bare(quantity: Quantity, value: Option<f64>) -> String {
    match (value, quantity.unit()) {
        (None, _) => units::NO_FIGURE.to_string(),
        (Some(value), Unit::IosPerSecond) => units::number(value),
        (Some(value), _) => Lang::En.value(&method::value(quantity, value)),
    }
}

/// A figure of a test in all directions, where at least two groups have it.
pub(super) fn metrics(test: &ComparedTest, quantity: Quantity) -> Vec<&ComparedMetric> {
    let is_it =
        |metric: &&ComparedMetric| metric.quantity == quantity && metric.values.iter().flatten().count() > 1;
    test.metrics.iter().filter(is_it).collect()
}

fn asked_row(test: &ComparedTest, metric: &ComparedMetric, notes: &mut Notes) -> Row {
    let values = metric.values.iter().map(|value| value.as_ref().map(|value| value.estimate.value));
    Row {
        name: test_name(test, metric, notes.lang),
        best: best::of_values(test, metric, notes.comparison.base),
        values: values.map(|value| bare(metric.quantity, value)).collect(),
        ..row(metric, notes)
    }
}

/// The test's title, with the direction where it does not tell it.
fn test_name(test: &ComparedTest, metric: &ComparedMetric, lang: Lang) -> String {
    let title = layout::said(&test.title, lang);
    let Some(direction) = metric.direction else { return title };
    let is_alone = metrics(test, metric.quantity).len() == 1;
    if is_alone && title.to_lowercase().contains(&lang.text(&method::direction(direction))) {
        return title;
    }
    format!("{title}: {}", lang.text(&method::direction(direction)))
}

/// In what tests were measured differently, a sentence for each difference: `WB, WT: measured at another scale: size 1 GiB / 2 GiB
/// (Random read; Random write)`.
pub(crate) fn asked_differences(comparison: &Comparison, lang: Lang) -> Vec<String> {
    let is_shown =
        |test: &&ComparedTest| comparison.wanted.iter().any(|&quantity| !metrics(test, quantity).is_empty());
    // Groups that differ in the same are told together, and so are the tests in which the same ones do.
    let of_test = |test: &ComparedTest| {
        let of_sides = of_sides(test, lang).into_iter().map(|(group, told)| (told, group));
        let title = layout::said(&test.title, lang);
        gathered(of_sides).into_iter().map(move |(told, groups)| ((groups, told), title.clone()))
    };
    let all = gathered(comparison.tests.iter().filter(is_shown).flat_map(of_test));
    let sentence = |((groups, told), titles): ((Vec<usize>, String), Vec<String>)| {
        let names: Vec<String> = groups.iter().map(|&group| name(&comparison.groups[group])).collect();
        format!("{}: {told} ({})", names.join(", "), titles.join("; "))
    };
    all.into_iter().map(sentence).collect()
}

/// What the marks in a terminal's tables are.
pub(crate) fn legend(tables: &[Asked]) -> Option<&'static str> {
    tables.iter().any(Asked::has_best).then_some("* The best of its row, and what is about the same.")
}

#[cfg(test)]
mod tests {
    use cardiograph_core::Message;
    use cardiograph_core::method::{Aspect, Difference};

    use super::super::samples::runs_of;
    use super::*;

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
        other.title = Message::verbatim("Again");
        of.tests.push(other);
        let told = asked_differences(&of, Lang::En);
        let scale = "measured at another scale: test size";
        let tests = "(Random read; Again)";
        assert_eq!(
            told,
            [format!("b, c: {scale} 8 KiB / 4 KiB {tests}"), format!("d: {scale} 16 KiB / 4 KiB {tests}")]
        );
    }
}
