//! The figures that a mapping names, and how they are read from cells.

use cardiograph_core::direction::Direction;
use cardiograph_core::quantity::Quantity;
use cardiograph_core::text::shown;

use super::super::amount::{self, Amount};
use super::{Column, number};

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
    pub(super) fn of(name: &str, value: &str) -> Result<Self, String> {
        let (before, quantity) = name.rsplit_once('.').unwrap_or(("", name));
        // A percentile has a point of its own: `latency_p99.9`.
        let (before, quantity) = match quantity.parse::<Quantity>() {
            Ok(_) => (before, quantity.to_string()),
            Err(_) => {
                let (first, middle) = before.rsplit_once('.').unwrap_or(("", before));
                (first, format!("{middle}.{quantity}"))
            }
        };
        let quantity: Quantity = quantity.parse().map_err(|_| {
            format!("'{}' is no figure; bandwidth, iops, latency_p99 and their like are", shown(name))
        })?;
        let (test, word) = before.rsplit_once('.').unwrap_or(("", before));
        let direction = Direction::ALL.into_iter().find(|direction| direction.name() == word);
        let test = match (direction, test, word) {
            (Some(_), "", _) | (None, _, "") => "table",
            (Some(_), test, _) => test,
            (None, _, _) => before,
        };
        // The unit is the last word, unless it belongs to the heading.
        let (column, unit) = value.trim().rsplit_once(' ').unwrap_or((value, ""));
        let base = amount::unit(unit)
            .filter(|_| !unit.is_empty() || quantity.unit() == cardiograph_core::metric::Unit::Count);
        let factor = match base {
            Some((base, factor)) if base == quantity.unit() => factor,
            Some(_) => return Err(format!("{quantity} is not in {}", shown(unit))),
            None => {
                return Err(
                    "its unit is missing behind the column, as in '2 MB/s'; MiB/s, IOPS, ms are others"
                        .to_string(),
                );
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

    /// The figure in a cell, in the base unit; `None` where there are words.
    pub(super) fn value(&self, cell: &str) -> Result<Option<f64>, NoFigure> {
        let Some(rest) = number::rest(cell) else { return Ok(None) };
        let amount = Amount::parse(cell);
        let read = number::with_power(cell)
            .or_else(|| amount.and_then(|amount| Some((amount.number()?, amount.unit))));
        match read {
            Some((number, unit)) if unit.is_empty() || unit == self.unit => Ok(Some(number * self.factor)),
            _ => Err(NoFigure {
                message: format!("'{}' is no figure in {}", shown(cell), self.said()),
                is_of_a_row: amount::unit(rest).is_some() || !rest.trim().starts_with(char::is_alphabetic),
            }),
        }
    }

    fn said(&self) -> &str {
        if self.unit.is_empty() { "plain numbers" } else { &self.unit }
    }
}

/// What begins as a number and is not the figure that is mapped.
pub(super) struct NoFigure {
    pub(super) message: String,
    /// Whether it would be a figure of something else wherever it stands: headings have numbers, too (`4K rand read`).
    pub(super) is_of_a_row: bool,
}
