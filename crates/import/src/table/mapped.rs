//! The figures of a mapping, and how they are read from cells.

use cardiograph_core::direction::Direction;
use cardiograph_core::nearest::suggestion;
use cardiograph_core::quantity::Quantity;
use cardiograph_core::text::shown;
use cardiograph_core::words::figure;
use cardiograph_core::{Message, Parameter, message};

use super::super::amount::{self, Amount};
use super::Column;
use super::number::{self, Qualifier};

/// Quantities to suggest for an unknown name.
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
/// Default name of a test.
const TEST: &str = "table";

/// A figure of a test, and its column.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Mapped {
    pub(super) test: String,
    pub(super) direction: Option<Direction>,
    pub(super) quantity: Quantity,
    pub(super) column: Column,
    /// The unit as written in cells, and what it means there, if that is another one.
    unit: String,
    meant: Option<String>,
    /// Factor to the quantity's base unit.
    factor: f64,
}

impl Mapped {
    /// Parses `hdparm.read.bandwidth` and `2 MB/s`; the default test is `table`.
    pub(super) fn parse(name: &str, value: &str) -> Result<Self, Message> {
        let (before, quantity) = name.rsplit_once('.').unwrap_or(("", name));
        // A percentile may contain a point: `latency_p99.9`.
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
        // The last word is the unit, unless it belongs to the heading.
        let (column, unit) = value.trim().rsplit_once(' ').unwrap_or((value, ""));
        // `MB/s=MiB/s`: the source writes MB/s for MiB/s.
        let (unit, meant) = unit.split_once('=').map_or((unit, None), |(unit, meant)| (unit, Some(meant)));
        let base = amount::unit(meant.unwrap_or(unit)).filter(|_| {
            !unit.is_empty() || meant.is_none() && quantity.unit() == cardiograph_core::metric::Unit::Count
        });
        let factor = match base {
            Some((base, factor)) if base == quantity.unit() => factor,
            Some(_) => {
                let metric = quantity.to_string();
                let unit = shown(meant.unwrap_or(unit));
                return Err(message!("import-map.wrong-unit", metric, unit));
            }
            None => {
                return Err(message!("import-map.unit-missing"));
            }
        };
        Ok(Self {
            test: test.to_string(),
            direction,
            quantity,
            column: Column::parse(column)?,
            unit: unit.to_string(),
            meant: meant.map(str::to_string),
            factor,
        })
    }

    /// Reads a cell.
    ///
    /// # Errors
    /// If the cell has digits but not the mapped figure: a misread figure would go unnoticed.
    pub(super) fn value(&self, cell: &str) -> Result<Cell, NoFigure> {
        let no_figure = |is_limit, is_never_heading| {
            let unit = match &*self.unit {
                "" => message!("import-table.plain-numbers").into(),
                unit => Parameter::from(unit),
            };
            NoFigure { cell: shown(cell), unit, is_limit, is_never_heading }
        };
        let Some(rest) = number::rest(cell) else {
            // `ERR 12`: not a figure, whatever the number is.
            if cell.contains(char::is_numeric) {
                return Err(no_figure(false, false));
            }
            return Ok(if is_absence(cell) { Cell::Absent } else { Cell::Words });
        };
        let (qualifier, from_number) = number::split_qualifier(cell);
        let amount = Amount::parse(from_number);
        let read = number::with_power(from_number)
            .or_else(|| amount.and_then(|amount| Some((amount.number()?, amount.unit))));
        let is_limit = match read {
            Some((number, unit)) if unit.is_empty() || unit == self.unit => match qualifier {
                Qualifier::Limit => true,
                qualifier => {
                    return Ok(Cell::Figure {
                        value: number * self.factor,
                        is_approximate: qualifier == Qualifier::Approximate,
                    });
                }
            },
            _ => false,
        };
        let is_never_heading = amount::unit(rest).is_some() || !rest.trim().starts_with(char::is_alphabetic);
        Err(no_figure(is_limit, is_never_heading))
    }

    /// A note on a unit that means another one.
    pub(super) fn note(&self) -> Option<Message> {
        let meant = self.meant.as_ref()?;
        Some(message!("import-table.unit-meant", unit = shown(&self.unit), meant = shown(meant)))
    }

    /// Name of the figure: `read bandwidth of hdparm`.
    pub(super) fn message(&self) -> Message {
        let name = figure::with_direction(self.direction, self.quantity);
        if self.test == TEST {
            return name;
        }
        message!("import-table.figure-of-test", figure = name, test = shown(&self.test))
    }
}

/// Content of a cell in a figure's column.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Cell {
    /// The figure, in the base unit.
    Figure {
        value: f64,
        /// Whether the source marks it as approximate.
        is_approximate: bool,
    },
    /// A sign for a missing figure.
    Absent,
    /// Words without a number.
    Words,
}

/// Whether a cell without a number only marks a missing figure.
pub(super) fn is_absence(cell: &str) -> bool {
    const WORDS: [&str; 9] = ["n/a", "n.a.", "na", "none", "nan", "null", "nil", "x", "なし"];
    !cell.contains(char::is_alphabetic) || WORDS.contains(&cell.trim().to_lowercase().as_str())
}

/// A cell that has digits but not the mapped figure.
pub(super) struct NoFigure {
    /// As shown in messages.
    cell: String,
    /// The unit expected.
    unit: Parameter,
    /// Whether it is a limit (`up to 7 MB/s`).
    is_limit: bool,
    /// Whether it cannot be a heading: headings have numbers, too (`4K rand read`).
    pub(super) is_never_heading: bool,
}

impl NoFigure {
    /// The problem with this cell in a column, from 1.
    pub(super) fn message(self, column: usize) -> Message {
        let Self { cell, unit, is_limit, is_never_heading } = self;
        match (is_limit, is_never_heading) {
            (true, true) => message!("import-table.limit", cell, column),
            (true, false) => message!("import-table.limit-or-heading", cell, column),
            (false, true) => message!("import-table.not-a-figure", cell, column, unit),
            (false, false) => message!("import-table.not-a-figure-or-heading", cell, column, unit),
        }
    }
}

/// The error for an unknown quantity.
fn unknown_figure(name: &str) -> Message {
    let last = name.rsplit('.').next().unwrap_or(name);
    message!("import-map.unknown-figure", metric = shown(name), hint = suggestion(last, &COMMON))
}
