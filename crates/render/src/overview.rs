//! All tests of a checkup at a glance: a row for each direction of each, in words.

use cardiograph_core::Direction;
use cardiograph_core::quantity::{Quantity, Statistic};
use cardiograph_core::units;
use cardiograph_judge::record::{RunFigures, TestFigures};

use crate::lang::Lang;
use crate::method;

/// Columns behind the name.
const COLUMNS: usize = 7;

/// A row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Overview {
    /// The test, with the direction where it has several.
    pub name: String,
    /// A cell for each heading but the first: empty where there is no figure of that kind, `-` where it is withheld.
    pub cells: [String; COLUMNS],
}

/// The headings of the columns; the first is the name's.
pub(crate) const fn headings(lang: Lang) -> [&'static str; COLUMNS + 1] {
    [
        lang.pick("test", "テスト"),
        lang.pick("speed", "速度"),
        "IOPS",
        lang.pick("mean", "平均"),
        "p50",
        "p99",
        "p99.9",
        lang.pick("max", "最大"),
    ]
}

/// The rows of all tests.
pub(crate) fn rows(run: &RunFigures) -> Vec<Overview> {
    run.tests.iter().flat_map(rows_of).collect()
}

fn rows_of(test: &TestFigures) -> Vec<Overview> {
    let of = |direction: Direction| test.figures.iter().any(|figure| figure.direction == Some(direction));
    let directions: Vec<Direction> = Direction::ALL.into_iter().filter(|&direction| of(direction)).collect();
    let name = |direction: Direction| {
        let part = test.test.split_once('/').map(|(_, part)| format!(", {part}")).unwrap_or_default();
        let title = format!("{}{part}", test.title);
        match direction {
            Direction::Sync => format!("{title}: fsync"),
            _ if directions.len() > 1 => format!("{title}: {}", direction.name()),
            _ => title,
        }
    };
    let row = |direction: Direction| Overview { name: name(direction), cells: cells(test, direction) };
    directions.iter().map(|&direction| row(direction)).collect()
}

fn cells(test: &TestFigures, direction: Direction) -> [String; COLUMNS] {
    let cell = |quantity: Quantity| {
        let figure = test.figure(Some(direction), quantity)?;
        Some(match (&figure.doubt, quantity) {
            (Some(_), _) => units::NO_FIGURE.to_string(),
            // The column is headed with the unit.
            (None, Quantity::Iops) => units::number(figure.estimate.value),
            (None, _) => method::value(quantity, figure.estimate.value),
        })
    };
    let kind = method::latency_kind(&test.figures, Some(direction));
    let latency = |statistic: Statistic| cell(Quantity::Latency(kind, statistic));
    // A percentile that is not there beside a mean that is was withheld.
    let has_latency = latency(Statistic::Mean).is_some();
    let percentile = |percent: f64| {
        let withheld = has_latency.then(|| units::NO_FIGURE.to_string());
        latency(Statistic::Percentile(percent)).or(withheld)
    };
    [
        cell(Quantity::Bandwidth),
        cell(Quantity::Iops),
        latency(Statistic::Mean),
        percentile(50.0),
        percentile(99.0),
        percentile(99.9),
        latency(Statistic::Max),
    ]
    .map(Option::unwrap_or_default)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples;

    #[test]
    fn every_test_has_a_row_and_what_is_not_the_drives_is_withheld() {
        let rows_of = |report| rows(&RunFigures::of(&report));
        let card = rows_of(samples::card());
        let fsync = card.iter().find(|row| row.name.ends_with(": fsync")).unwrap();
        assert_eq!((fsync.cells[0].as_str(), fsync.cells[4].as_str()), ("", "7.57 ms"), "{fsync:?}");
        let contradicted = rows_of(samples::contradicted());
        assert!(contradicted.iter().any(|row| row.cells[..2] == ["-", "-"]), "{contradicted:?}");
        assert!(contradicted.iter().all(|row| !row.cells.contains(&"3,786".to_string())));
    }
}
