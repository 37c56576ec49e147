//! All tests of a checkup at a glance: a row for each direction of each, in words.

use cardiograph_core::imported::Figure;
use cardiograph_core::quantity::{Quantity, Statistic};
use cardiograph_core::units;
use cardiograph_core::{Direction, Doubt};
use cardiograph_judge::record::{RunFigures, Shown, TestFigures};

use crate::gathered::gathered;
use crate::grid::Grid;
use crate::lang::Lang;
use crate::method;
use crate::text::said;

/// Columns behind the name.
const COLUMNS: usize = 7;

/// A row.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Overview {
    /// The test, with the direction where it has several.
    pub name: String,
    /// A cell for each column but the first ([`cell`]).
    pub cells: [String; COLUMNS],
}

/// All tests in a table.
pub(crate) fn grid(run: &RunFigures, lang: Lang) -> Grid {
    let headings = [
        lang.pick("test", "テスト"),
        lang.pick("speed", "速度"),
        "IOPS",
        lang.pick("mean", "平均"),
        "p50",
        "p99",
        "p99.9",
        lang.pick("max", "最大"),
    ];
    let rows = rows(run, lang).into_iter().map(|row| std::iter::once(row.name).chain(row.cells).collect());
    Grid::of(headings, 1..1 + COLUMNS, rows)
}

/// The rows of all tests.
fn rows(run: &RunFigures, lang: Lang) -> Vec<Overview> {
    run.tests.iter().flat_map(|test| rows_of(test, lang)).collect()
}

fn rows_of(test: &TestFigures, lang: Lang) -> Vec<Overview> {
    let directions = directions(test);
    let of_data = directions.iter().filter(|&&direction| direction != Some(Direction::Sync)).count();
    let name = |direction: Option<Direction>| {
        let title = title(test, lang);
        match direction {
            Some(Direction::Sync) => format!("{title}: fsync"),
            Some(direction) if of_data > 1 => format!("{title}: {}", direction.name()),
            _ => title,
        }
    };
    let speed = units::bandwidth_si;
    let row = |direction| Overview { name: name(direction), cells: cells(test, direction, speed) };
    directions.into_iter().map(row).collect()
}

/// A test, with the part of an application that it is.
pub(crate) fn title(test: &TestFigures, lang: Lang) -> String {
    let part = test.test.split_once('/').map(|(_, part)| format!(", {part}")).unwrap_or_default();
    format!("{}{part}", said(&test.title, lang))
}

/// The directions of which a test has rates or latencies; `None` for all of them together.
pub(crate) fn directions(test: &TestFigures) -> Vec<Option<Direction>> {
    let is_rate = |figure: &Figure| {
        matches!(figure.quantity, Quantity::Bandwidth | Quantity::Iops | Quantity::Latency(..))
    };
    let of = |direction: &Option<Direction>| {
        test.figures.iter().any(|figure| figure.direction == *direction && is_rate(figure))
    };
    std::iter::once(None).chain(Direction::ALL.map(Some)).filter(of).collect()
}

/// A cell: empty where there is no such figure, `-` where it is withheld.
pub(crate) fn cell(shown: Shown<'_>, words: impl Fn(f64) -> String) -> String {
    match shown {
        Shown::Value(figure) => words(figure.estimate.value),
        Shown::Withheld(_) | Shown::FewSamples => units::NO_FIGURE.to_string(),
        Shown::NotTold => String::new(),
    }
}

/// The rate by which I/Os of that length, on average, are quoted, with its unit; the other one where only that is told.
pub(crate) fn rate(test: &TestFigures, direction: Option<Direction>) -> String {
    let amount =
        |quantity| Some(test.figure(direction, quantity)?.estimate.value).filter(|&amount| amount > 0.0);
    let is_long = match amount(Quantity::Bytes).zip(amount(Quantity::Ios)) {
        Some((bytes, ios)) => bytes / ios >= method::LONG_IO_BYTES as f64,
        None => method::is_quoted_by_speed(&test.method),
    };
    let speed = cell(test.shown(direction, Quantity::Bandwidth), units::bandwidth);
    let iops = cell(test.shown(direction, Quantity::Iops), units::iops);
    let (first, second) = if is_long { (speed, iops) } else { (iops, speed) };
    if first.is_empty() { second } else { first }
}

/// The figures of a direction, in the order of the columns. The column of I/Os per second is headed with their unit.
pub(crate) fn cells(
    test: &TestFigures,
    direction: Option<Direction>,
    speed: fn(f64) -> String,
) -> [String; COLUMNS] {
    let kind = method::latency_kind(&test.figures, direction);
    let latency =
        |statistic| cell(test.shown(direction, Quantity::Latency(kind, statistic)), units::duration_f64);
    [
        cell(test.shown(direction, Quantity::Bandwidth), speed),
        cell(test.shown(direction, Quantity::Iops), units::number),
        latency(Statistic::Mean),
        latency(Statistic::Percentile(50.0)),
        latency(Statistic::Percentile(99.0)),
        latency(Statistic::Percentile(99.9)),
        latency(Statistic::Max),
    ]
}

/// More tests than these are not named one by one.
const NAMED_MAX: usize = 3;

/// Why figures are withheld or in doubt: each reason once, with the tests that it is for; what is withheld comes first.
pub(crate) fn reasons(tests: &[TestFigures], lang: Lang) -> Vec<String> {
    let doubts =
        tests.iter().flat_map(|test| test.doubts().into_iter().map(move |doubt| (doubt, title(test, lang))));
    let mut known = gathered(doubts);
    known.sort_by_key(|(doubt, _)| !doubt.withholds());
    let told = |(doubt, names): (&Doubt, Vec<String>)| {
        let what = match doubt.withholds() {
            true => lang.pick("withheld", "除外"),
            false => lang.pick("in doubt", "疑わしい値"),
        };
        let of = match names.len() {
            all if all == tests.len() => String::new(),
            more if more > NAMED_MAX => match lang {
                Lang::En => format!(" ({} and {} more)", names[0], more - 1),
                Lang::Ja => format!("（{} ほか {} 件）", names[0], more - 1),
            },
            _ => format!(" ({})", names.join(", ")),
        };
        format!("{what}{of}: {}", lang.text(&doubt.message()))
    };
    known.into_iter().map(told).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples;

    #[test]
    fn every_test_has_a_row_and_what_is_not_the_drives_is_withheld() {
        let rows_of = |report| rows(&RunFigures::of(&report), Lang::En);
        let card = rows_of(samples::card());
        let fsync = card.iter().find(|row| row.name.ends_with(": fsync")).unwrap();
        assert_eq!((fsync.cells[0].as_str(), fsync.cells[4].as_str()), ("", "7.57 ms"), "{fsync:?}");
        let contradicted = rows_of(samples::contradicted());
        assert!(contradicted.iter().any(|row| row.cells[..2] == ["-", "-"]), "{contradicted:?}");
        assert!(contradicted.iter().all(|row| !row.cells.contains(&"3,786".to_string())));
    }
}
