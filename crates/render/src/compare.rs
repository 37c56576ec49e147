//! Groups of runs beside each other, for people and programs: `text::comparison` for a terminal, [`markdown`] for an article,
//! [`csv`] and [`json`].
//!
//! Reading order: `rows` (what is shown of a test) → `asked` (a figure of all tests, where it was asked for by name) → `best` (which of them are marked) → `price` → `words` (what a ratio is called, in two languages) → `notes` (why something
//! cannot be told) → the forms.

mod asked;
mod best;
mod cost;
pub mod csv;
pub mod markdown;
mod notes;
mod price;
mod purposes;
mod row;
mod rows;
#[cfg(test)]
mod samples;
mod summary;
mod words;
pub mod worse;

use cardiograph_judge::compare::Comparison;

pub(crate) use asked::{asked, asked_differences, legend};
pub(crate) use notes::Notes;
pub(crate) use purposes::by_level;
pub(crate) use row::Row;
pub(crate) use rows::{Rows, fact, rows};
#[cfg(test)]
pub(crate) use samples::{card_and_ssd, judged, of_settings, priced, runs_of};
pub(crate) use words::{crossings, differences, group_line, name as group_name};

/// A Comparison as JSON, with a line feed at its end.
///
/// # Panics
/// Never: a Comparison has no keys that JSON cannot have.
pub fn json(comparison: &Comparison) -> String {
    let mut text = serde_json::to_string_pretty(comparison).expect("a comparison is plain data");
    text.push('\n');
    cardiograph_core::report::json::layout::without_steering(text)
}
