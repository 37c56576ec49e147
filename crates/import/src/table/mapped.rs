//! The figures that a mapping names, and how they are read from cells.

use cardiograph_core::direction::Direction;
use cardiograph_core::quantity::Quantity;
use cardiograph_core::text::shown;
use cardiograph_core::words::figure;
use cardiograph_core::{Message, Parameter, message};
use cardiograph_fio::nearest::nearest;

use super::super::amount::{self, Amount};
use super::Column;
use super::number::{self, Said};

/// Quantities of which one may be meant by another name.
const COMMON: [&str; 10] = [
    "bandwidth",
    "iops",
    "ios",
    "bytes",
    "runtime",
    "latency_mean",
    "latency_max",
    "latency_p50",
    "latency_p95",
    "latency_p99",
];
/// What a test is called that the mapping gives no name.
const TEST: &str = "table";

/// A figure of a test, and where it stands.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Mapped {
    pub(super) test: String,
    pub(super) direction: Option<Direction>,
    pub(super) quantity: Quantity,
    pub(super) column: Column,
    unit: String,
    /// How many of the quantity's base unit that is.
    factor: f64,
}

impl Mapped {
    /// Of `hdparm.read.bandwidth` and `2 MB/s`; without a test's name it is `table`.
    pub(super) fn of(name: &str, value: &str) -> Result<Self, Message> {
        let (before, quantity) = name.rsplit_once('.').unwrap_or(("", name));
        // A percentile has a point of its own: `latency_p99.9`.
        let (before, quantity) = match quantity.parse::<Quantity>() {
            Ok(_) => (before, quantity.to_string()),
            Err(_) => {
                let (first, middle) = before.rsplit_once('.').unwrap_or(("", before));
                (first, format!("{middle}.{quantity}"))
            }
        };
        let quantity: Quantity = quantity.parse().map_err(|_| unknown_figure(name))?;
        let (test, word) = before.rsplit_once('.').unwrap_or(("", before));
        let direction = Direction::ALL.into_iter().find(|direction| direction.name() == word);
        let test = match (direction, test, word) {
            (Some(_), "", _) | (None, _, "") => TEST,
            (Some(_), test, _) => test,
            (None, _, _) => before,
        };
        // The unit is the last word, unless it belongs to the heading.
        let (column, unit) = value.trim().rsplit_once(' ').unwrap_or((value, ""));
        let base = amount::unit(unit)
            .filter(|_| !unit.is_empty() || quantity.unit() == cardiograph_core::metric::Unit::Count);
        let factor = match base {
            Some((base, factor)) if base == quantity.unit() => factor,
            Some(_) => {
                let metric = quantity.to_string();
                return Err(message!("import-map.wrong-unit", metric = metric, unit = shown(unit)));
            }
            None => {
                return Err(message!("import-map.unit-missing"));
            }
        };
        Ok(Self {
            test: test.to_string(),
            direction,
            quantity,
            column: Column::of(column)?,
            unit: unit.to_string(),
            factor,
        })
    }

    /// What a cell has.
    ///
    /// # Errors
    /// What has digits and is not the figure that is mapped: a figure that was misread looks as good as another.
    pub(super) fn value(&self, cell: &str) -> Result<Cell, NoFigure> {
        let no_figure = |is_limit, is_of_a_row| {
            let unit = match &*self.unit {
                "" => message!("import-table.plain-numbers").into(),
                unit => Parameter::from(unit),
            };
            NoFigure { cell: shown(cell), unit, is_limit, is_of_a_row }
        };
        let Some(rest) = number::rest(cell) else {
            // `ERR 12`: whatever the number is.
            if cell.contains(char::is_numeric) {
                return Err(no_figure(false, false));
            }
            return Ok(if is_absence(cell) { Cell::Absent } else { Cell::Words });
        };
        let (said, from_number) = number::said(cell);
        let amount = Amount::parse(from_number);
        let read = number::with_power(from_number)
            .or_else(|| amount.and_then(|amount| Some((amount.number()?, amount.unit))));
        let is_limit = match read {
            Some((number, unit)) if unit.is_empty() || unit == self.unit => match said {
                Said::Limit => true,
                said => {
                    return Ok(Cell::Figure { value: number * self.factor, is_about: said == Said::About });
                }
            },
            _ => false,
        };
        let is_of_a_row = amount::unit(rest).is_some() || !rest.trim().starts_with(char::is_alphabetic);
        Err(no_figure(is_limit, is_of_a_row))
    }

    /// Name of the figure: `read bandwidth of hdparm`.
    pub(super) fn message(&self) -> Message {
        let name = figure::of_direction(self.direction, self.quantity);
        if self.test == TEST {
            return name;
        }
        message!("import-table.figure-of-test", figure = name, test = shown(&self.test))
    }
}

/// What a cell of a figure's column has.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Cell {
    /// The figure, in the base unit.
    Figure {
        value: f64,
        /// Whether the source says that it is about so.
        is_about: bool,
    },
    /// A sign that there is none.
    Absent,
    /// Words without a number.
    Words,
}

/// Whether a cell without a number says no more than that there is no figure.
pub(super) fn is_absence(cell: &str) -> bool {
    const WORDS: [&str; 9] = ["n/a", "n.a.", "na", "none", "nan", "null", "nil", "x", "なし"];
    !cell.contains(char::is_alphabetic) || WORDS.contains(&cell.trim().to_lowercase().as_str())
}

/// What has digits and is not the figure that is mapped.
pub(super) struct NoFigure {
    /// As it is shown.
    cell: String,
    /// The one that was wanted.
    unit: Parameter,
    /// Whether it is a limit (`up to 7 MB/s`).
    is_limit: bool,
    /// Whether it would be a figure of something else wherever it stands: headings have numbers, too (`4K rand read`).
    pub(super) is_of_a_row: bool,
}

impl NoFigure {
    /// What is wrong with it in this column, from 1.
    pub(super) fn message(self, column: usize) -> Message {
        let Self { cell, unit, is_limit, is_of_a_row } = self;
        match (is_limit, is_of_a_row) {
            (true, true) => message!("import-table.limit", cell = cell, column = column),
            (true, false) => message!("import-table.limit-or-heading", cell = cell, column = column),
            (false, true) => message!("import-table.not-a-figure", cell = cell, column = column, unit = unit),
            (false, false) => {
                message!("import-table.not-a-figure-or-heading", cell = cell, column = column, unit = unit)
            }
        }
    }
}

/// That no quantity has this name.
fn unknown_figure(name: &str) -> Message {
    let last = name.rsplit('.').next().unwrap_or(name);
    match nearest(last, COMMON.into_iter()) {
        Some(meant) => message!("import-map.unknown-figure-meant", metric = shown(name), meant = meant),
        None => message!("import-map.unknown-figure", metric = shown(name)),
    }
}
