//! Results that others published, and where a drive stands among them.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::direction::Direction;
use crate::doubt::Doubt;
use crate::message::Message;
use crate::method::{Difference, Method};
use crate::quantity::Quantity;
use crate::text::unique;

/// A publication.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Published {
    /// What it is called here.
    pub name: String,
    /// What it is called there.
    pub title: String,
    /// Its author, if known.
    pub author: Option<String>,
    /// When it was published or measured, where that is known.
    pub date: Option<String>,
    /// Its address or the place where it stands, where that is known.
    pub place: Option<String>,
    /// What measured, as `fio 3.39`.
    pub program: String,
    /// How its units are read, and why.
    pub readings: Vec<Message>,
    /// What a reader should know.
    pub notes: Vec<Message>,
    /// How was measured, by the name of the test.
    pub tests: BTreeMap<String, PublishedTest>,
    /// What is known of the drives, by name: `capacity`, `kind`, `nand`. Drives without figures are here, too.
    pub drives: BTreeMap<String, BTreeMap<String, String>>,
    /// Its tables.
    pub tables: Vec<PublishedTable>,
    /// The outputs of programs that it shows.
    pub outputs: Vec<PublishedOutput>,
}

/// A test of a publication.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PublishedTest {
    /// What it is, in a line.
    pub title: Message,
    /// The command used, if known.
    pub command: Option<String>,
    /// How it was done.
    pub method: Method,
}

/// A table of a publication: a row for each drive.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PublishedTable {
    /// Its title.
    pub title: String,
    /// Whether it says in other words, or with fewer digits, what other tables of this source say: then it is shown and
    /// makes no figures.
    pub repeats: bool,
    /// The columns behind the drive's name.
    pub columns: Vec<PublishedColumn>,
    /// The rows.
    pub rows: Vec<PublishedRow>,
}

/// A column of a table.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PublishedColumn {
    /// Its heading.
    pub heading: String,
    /// The test that its figures are of.
    pub test: String,
    /// What moved.
    pub direction: Option<Direction>,
    /// Quantity of the figures.
    pub quantity: Quantity,
    /// The unit as it was published.
    pub published: String,
    /// The unit in which it is read: another one where the publication means another than it writes.
    pub unit: String,
    /// Length of the windows, in nanoseconds, of a spread over windows.
    pub window_ns: Option<u64>,
}

/// A row of a table: a drive under some conditions.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PublishedRow {
    /// The drive, as the source calls it.
    pub drive: String,
    /// The conditions: `board`, `raid`, `file_system`, `overclocked`, ...
    pub tags: BTreeMap<String, String>,
    /// The figures, one for each column.
    pub cells: Vec<PublishedCell>,
    /// A footnote.
    pub note: Option<Message>,
}

/// A figure as it was published.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PublishedCell {
    /// Its text.
    pub text: String,
    /// Its value in the quantity's base unit; `None` where the source has words instead (`TODO`).
    pub value: Option<f64>,
    /// Why it is not the drive's, if so.
    pub doubt: Option<Doubt>,
}

/// What a program printed, whole: it has more figures of a test than the tables.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PublishedOutput {
    /// The drive.
    pub drive: String,
    /// The test.
    pub test: String,
    /// Which of the outputs it is.
    pub file: String,
}

impl Published {
    /// The part about drives whose name contains `wanted`, ignoring case. `None` if there is none.
    pub fn for_drive(&self, wanted: &str) -> Option<Self> {
        let wanted = wanted.to_lowercase();
        let is_wanted = |name: &str| name.to_lowercase().contains(&wanted);
        let mut part = self.clone();
        part.drives.retain(|name, _| is_wanted(name));
        part.tables.iter_mut().for_each(|table| table.rows.retain(|row| is_wanted(&row.drive)));
        part.tables.retain(|table| !table.rows.is_empty());
        (!part.drives.is_empty() || !part.tables.is_empty()).then_some(part)
    }

    /// The drives, each once: those of the tables in order, then those without figures.
    pub fn drive_names(&self) -> Vec<&str> {
        let of_rows = self.tables.iter().flat_map(|table| table.rows.iter().map(|row| row.drive.as_str()));
        unique(of_rows.chain(self.drives.keys().map(String::as_str)))
    }

    /// How many figures its tables have. What is said twice counts once.
    pub fn figure_count(&self) -> usize {
        let own = self.tables.iter().filter(|table| !table.repeats);
        own.flat_map(|table| &table.rows)
            .flat_map(|row| &row.cells)
            .filter(|cell| cell.value.is_some())
            .count()
    }
}

/// Where a drive stands with one figure.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Standing {
    /// The drive, as the user calls it.
    pub drive: String,
    /// The test's id.
    pub test: String,
    /// What it is, in a line.
    pub title: Message,
    /// How it was measured.
    pub method: Method,
    /// Reads, writes or syncs.
    pub direction: Direction,
    /// What the figure is.
    pub quantity: Quantity,
    /// Its value in the quantity's base unit, of several runs the mean.
    pub value: f64,
    /// How many runs are behind it.
    pub runs: usize,
    /// Among what was measured in the same way.
    pub same: Ranking,
    /// Ranking among similar measurements.
    pub near: Ranking,
}

/// A drive among others.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Ranking {
    /// Its place, from 1: one more than there are better ones.
    pub rank: usize,
    /// How many there are, with the drive itself.
    pub of: usize,
    /// The others, the best first.
    pub others: Vec<Other>,
}

/// A published figure.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Other {
    /// The source's name on the shelf.
    pub source: String,
    /// The drive, as the source calls it.
    pub drive: String,
    /// The conditions: `board`, `raid`, `overclocked`, ...
    pub tags: BTreeMap<String, String>,
    /// The test's id there.
    pub test: String,
    /// The program that measured.
    pub tool: String,
    /// The value in the quantity's base unit.
    pub value: f64,
    /// In what it was measured differently: the drive's own side first.
    pub differences: Vec<Difference>,
}
