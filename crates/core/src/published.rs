//! Results published by others, and a drive's rank among them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::direction::Direction;
use crate::doubt::Doubt;
use crate::message;
use crate::message::Message;
use crate::method::{Difference, Method};
use crate::quantity::Quantity;
use crate::text::unique;

/// Whether all of the drive was written before measuring, so that it had to free blocks: an empty drive is faster.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Preconditioning {
    /// No: the drives were new.
    New,
    /// No: the author considered it, and left it out because it takes long.
    LeftOut,
    /// No: none of the commands, which are all known, does that.
    NotInCommands,
    /// No: the free space was trimmed.
    Trimmed,
    /// The source does not state it.
    NotStated,
}

impl Preconditioning {
    /// The answer, as a phrase.
    pub fn message(self) -> Message {
        match self {
            Self::New => message!("preconditioning.new"),
            Self::LeftOut => message!("preconditioning.left-out"),
            Self::NotInCommands => message!("preconditioning.not-in-commands"),
            Self::Trimmed => message!("preconditioning.trimmed"),
            Self::NotStated => message!("preconditioning.not-stated"),
        }
    }
}

/// A publication.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Published {
    /// Its name in this program.
    pub name: String,
    /// Its title.
    pub title: String,
    /// Its author, if known.
    pub author: Option<String>,
    /// Date of publication or measurement, if known.
    pub date: Option<String>,
    /// Its URL or location, if known.
    pub place: Option<String>,
    /// Program that measured, such as `fio 3.39`.
    pub program: String,
    /// Whether its drives were written to before.
    pub preconditioning: Preconditioning,
    /// How its units are interpreted, and why.
    pub readings: Vec<Message>,
    /// Remarks for the reader.
    pub notes: Vec<Message>,
    /// How it was measured, by test name.
    pub tests: BTreeMap<String, PublishedTest>,
    /// Properties of the drives, by name: `capacity`, `kind`, `nand`. Includes drives without figures.
    pub drives: BTreeMap<String, BTreeMap<String, String>>,
    /// Its tables.
    pub tables: Vec<PublishedTable>,
    /// Program outputs that it shows.
    pub outputs: Vec<PublishedOutput>,
}

/// A test in a publication.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PublishedTest {
    /// Short title.
    pub title: Message,
    /// The command used, if known.
    pub command: Option<String>,
    /// Method.
    pub method: Method,
}

/// A table in a publication, with a row per drive.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PublishedTable {
    /// Its title.
    pub title: String,
    /// Whether it repeats other tables of this source in other words or with fewer digits: then it is shown but its
    /// figures are not used.
    pub repeats: bool,
    /// The columns after the drive's name.
    pub columns: Vec<PublishedColumn>,
    /// The rows.
    pub rows: Vec<PublishedRow>,
}

/// A column of a table.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PublishedColumn {
    /// Its heading.
    pub heading: String,
    /// Test of its figures.
    pub test: String,
    /// Direction.
    pub direction: Option<Direction>,
    /// Quantity of the figures.
    pub quantity: Quantity,
    /// The unit as it was published.
    pub published: String,
    /// The unit used, which differs if the publication means another unit than it writes.
    pub unit: String,
    /// For a spread over windows, their length in nanoseconds.
    pub window_ns: Option<u64>,
}

/// A row of a table: a drive under certain conditions.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PublishedRow {
    /// The drive's name in the source.
    pub drive: String,
    /// The conditions: `board`, `raid`, `file_system`, `overclocked`, ...
    pub tags: BTreeMap<String, String>,
    /// The figures, one per column.
    pub cells: Vec<PublishedCell>,
    /// A footnote.
    pub note: Option<Message>,
}

/// A published figure.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PublishedCell {
    /// Its text.
    pub text: String,
    /// Its value in the base unit; `None` if the source has a word instead (`TODO`).
    pub value: Option<f64>,
    /// Why it is not the drive's figure, if so.
    pub doubt: Option<Doubt>,
}

/// Complete output of a program: it has more figures of a test than the tables.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PublishedOutput {
    /// The drive.
    pub drive: String,
    /// The test.
    pub test: String,
    /// Name of the output.
    pub file: String,
}

impl Published {
    /// The part on drives whose name contains `wanted`, ignoring case. `None` if there is none.
    pub fn for_drive(&self, wanted: &str) -> Option<Self> {
        let wanted = wanted.to_lowercase();
        let is_wanted = |name: &str| name.to_lowercase().contains(&wanted);
        let mut part = self.clone();
        part.drives.retain(|name, _| is_wanted(name));
        part.tables.iter_mut().for_each(|table| table.rows.retain(|row| is_wanted(&row.drive)));
        part.tables.retain(|table| !table.rows.is_empty());
        (!part.drives.is_empty() || !part.tables.is_empty()).then_some(part)
    }

    /// All drives without duplicates: those in the tables in order, then those without figures.
    pub fn drive_names(&self) -> Vec<&str> {
        let of_rows = self.tables.iter().flat_map(|table| table.rows.iter().map(|row| row.drive.as_str()));
        unique(of_rows.chain(self.drives.keys().map(String::as_str)))
    }

    /// Number of figures in its tables, without duplicates.
    pub fn figure_count(&self) -> usize {
        let own = self.tables.iter().filter(|table| !table.repeats);
        own.flat_map(|table| &table.rows)
            .flat_map(|row| &row.cells)
            .filter(|cell| cell.value.is_some())
            .count()
    }
}

/// A drive's rank for one figure.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Standing {
    /// The user's name for the drive.
    pub drive: String,
    /// Test id.
    pub test: String,
    /// Short title of the test.
    pub title: Message,
    /// Method.
    pub method: Method,
    /// Direction: reads, writes or syncs.
    pub direction: Direction,
    /// The metric.
    pub quantity: Quantity,
    /// Value in the base unit; the mean if there are several runs.
    pub value: f64,
    /// Number of runs.
    pub runs: usize,
    /// Rank among figures measured in the same way.
    pub same: Ranking,
    /// Ranking among similar measurements.
    pub near: Ranking,
}

/// Rank of a drive.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Ranking {
    /// Rank, from 1: one more than the number of better drives.
    pub rank: usize,
    /// Number of drives, including this one.
    pub of: usize,
    /// The others, best first.
    pub others: Vec<Other>,
}

/// A published figure to compare with.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Other {
    /// Name of the source.
    pub source: String,
    /// The drive's name in the source.
    pub drive: String,
    /// The conditions: `board`, `raid`, `overclocked`, ...
    pub tags: BTreeMap<String, String>,
    /// Test id in the source.
    pub test: String,
    /// Program that measured.
    pub tool: String,
    /// Value in the base unit.
    pub value: f64,
    /// Differences in method: the drive's own side first.
    pub differences: Vec<Difference>,
}
