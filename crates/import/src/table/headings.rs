//! The headings of a table, and which lines are some.

use cardiograph_core::text::shown;

use super::super::amount::{self, Amount};
use super::{Column, Map};

/// The headings as they are gathered: some tables break them over several lines.
#[derive(Default)]
pub(super) struct Headings {
    cells: Vec<String>,
    /// Whether the line before ended in the middle of the headings.
    goes_on: bool,
    has_rule: bool,
    /// Whether the line before is of a table.
    in_table: bool,
    /// The first line of a table that has figures: drives that are called `256GB`, if a rule stands below.
    maybe: Option<Vec<String>>,
}

impl Headings {
    pub(super) fn cells(&self) -> &[String] {
        &self.cells
    }

    /// Whether a rule stands below them.
    pub(super) fn has_rule(&self) -> bool {
        self.has_rule
    }

    /// Whether it is a line such as `--- | ---` below headings.
    pub(super) fn is_rule(&mut self, cells: &[String]) -> bool {
        let is = is_rule(cells);
        if is {
            self.goes_on = false;
            self.has_rule = true;
            if let Some(cells) = self.maybe.take() {
                self.cells = cells;
            }
        }
        is
    }

    /// Takes in a line that is neither a rule nor a row with figures that are wanted: headings, a row with other figures, or
    /// words between tables.
    pub(super) fn take(&mut self, cells: Vec<String>, line: &str, map: &Map) {
        let breaks_off = line.ends_with('|') && !line.starts_with('|');
        if cells.len() < 2 && !breaks_off && !self.goes_on {
            // A title, or a sentence: headings have a cell for each column.
            self.in_table = false;
        } else if self.goes_on && !self.has_rule {
            self.cells.extend(cells);
            self.goes_on = breaks_off;
        } else if has_figures(&cells, &self.cells, map) {
            let is_first = !self.in_table;
            self.row();
            self.maybe = is_first.then_some(cells);
        } else {
            self.cells = cells;
            (self.has_rule, self.in_table, self.goes_on, self.maybe) = (false, true, breaks_off, None);
        }
    }

    /// What stands above a row is headings as it is.
    pub(super) fn row(&mut self) {
        (self.goes_on, self.in_table, self.maybe) = (false, true, None);
    }
}

/// Whether it is a line such as `--- | ---`.
pub(super) fn is_rule(cells: &[String]) -> bool {
    let is_rule =
        |cell: &String| !cell.is_empty() && cell.bytes().all(|byte| matches!(byte, b'-' | b':' | b'='));
    cells.len() > 1 && cells.iter().all(is_rule) || matches!(cells, [one] if one.len() >= 3 && is_rule(one))
}

/// The first of the headings, for a message.
pub(super) fn told(headings: &[String]) -> String {
    if headings.is_empty() {
        return "no headings were found".to_string();
    }
    let named = headings.iter().filter(|heading| !heading.is_empty()).take(12);
    let named: Vec<String> = named.map(|heading| format!("'{}'", shown(heading))).collect();
    format!("the headings are {}", named.join(", "))
}

/// Whether one of the headings that the map names is among the cells.
pub(super) fn has_named(cells: &[String], map: &Map) -> bool {
    let columns = [map.drive.as_ref(), map.test.as_ref()].into_iter().flatten();
    let mut columns = columns.chain(map.figures.iter().map(|figure| &figure.column));
    columns.any(|column| match column {
        Column::Heading(name) => cells.iter().any(|cell| name.eq_ignore_ascii_case(cell)),
        _ => false,
    })
}

/// Whether a row has figures, and none of the headings that the map names. The names of its test and drive may be numbers.
pub(super) fn has_figures(cells: &[String], headings: &[String], map: &Map) -> bool {
    let named = [map.drive.as_ref(), map.test.as_ref()];
    let is_name = |at: usize| named.into_iter().flatten().any(|column| column.index(headings) == Some(at));
    let is_figure = |cell: &String| {
        let of = |unit: &str| !unit.starts_with(char::is_alphabetic) || amount::unit(unit).is_some();
        Amount::parse(cell).is_some_and(|amount| of(amount.unit))
    };
    !has_named(cells, map) && cells.iter().enumerate().any(|(at, cell)| !is_name(at) && is_figure(cell))
}
