//! The shelf: results that others published, with their source, the way in which they were measured, and units.
//!
//! A source is a file in `shelf/sources` and a line in `FILES`. It has the tables as they were published, every figure with
//! its digits, and the command that measured it, from which the [`Method`] follows. [`reports`] has the same figures as
//! Reports of the suite [`SUITE`], one for each drive under each condition, to be compared with.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use cardiograph_core::Report;
use cardiograph_core::direction::Direction;
use cardiograph_core::method::Method;
use cardiograph_core::quantity::Quantity;
use cardiograph_core::record::RunFigures;
use serde::Serialize;

mod read;
mod report;
pub mod standing;
pub mod tables;

/// The suite of the shelf's Reports.
pub const SUITE: &str = "published";

/// The sources: name and content of their files.
const FILES: &[(&str, &str)] = &[
    ("app-class-cards", include_str!("shelf/sources/app-class-cards.toml")),
    ("dramble-cards", include_str!("shelf/sources/dramble-cards.toml")),
    ("iot-cards", include_str!("shelf/sources/iot-cards.toml")),
    ("microsd-vs-ssd", include_str!("shelf/sources/microsd-vs-ssd.toml")),
    ("pg-test-fsync", include_str!("shelf/sources/pg-test-fsync.toml")),
    ("pi-card-claims", include_str!("shelf/sources/pi-card-claims.toml")),
    ("pi5-cards", include_str!("shelf/sources/pi5-cards.toml")),
    ("server-ssds", include_str!("shelf/sources/server-ssds.toml")),
];

/// Outputs that sources show.
const OUTPUTS: &[(&str, &str)] = &[
    ("pi5/microsd-sdtest.txt", include_str!("import/fixtures/pi5/microsd-sdtest.txt")),
    ("pi5/microsd-latp.txt", include_str!("import/fixtures/pi5/microsd-latp.txt")),
    ("pi5/microsd-fsync.txt", include_str!("import/fixtures/pi5/microsd-fsync.txt")),
    ("pi5/microsd-sustain.txt", include_str!("import/fixtures/pi5/microsd-sustain.txt")),
    ("pi5/ssd-sdtest.txt", include_str!("import/fixtures/pi5/ssd-sdtest.txt")),
    ("pi5/ssd-latp.txt", include_str!("import/fixtures/pi5/ssd-latp.txt")),
    ("pi5/ssd-fsync.txt", include_str!("import/fixtures/pi5/ssd-fsync.txt")),
    ("pi5/ssd-sustain.txt", include_str!("import/fixtures/pi5/ssd-sustain.txt")),
];

/// A publication.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Published {
    /// What it is called here.
    pub name: String,
    /// What it is called there.
    pub title: String,
    /// Who wrote it, where that is known.
    pub author: Option<String>,
    /// When it was published or measured, where that is known.
    pub date: Option<String>,
    /// Its address or the place where it stands, where that is known.
    pub place: Option<String>,
    /// What measured, as `fio 3.39`.
    pub program: String,
    /// How its units are read, and why.
    pub readings: Vec<String>,
    /// What a reader should know.
    pub notes: Vec<String>,
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
    pub title: String,
    /// The command that did it, where one is told.
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
    /// What the figures tell.
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
    pub note: Option<String>,
}

/// A figure as it was published.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PublishedCell {
    /// Its text.
    pub text: String,
    /// Its value in the quantity's base unit; `None` where the source has words instead (`TODO`).
    pub value: Option<f64>,
    /// Why it is not the drive's, if so.
    pub doubt: Option<String>,
}

/// What a program printed, whole: it has more figures of a test than the tables.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PublishedOutput {
    /// The drive.
    pub drive: String,
    /// The test.
    pub test: String,
    /// Which of [`OUTPUTS`] it is.
    file: String,
}

static SOURCES: LazyLock<Vec<Published>> = LazyLock::new(|| {
    // They are compiled in, and a test reads them all.
    FILES
        .iter()
        .map(|(name, text)| read::read(name, text).expect("a file of the shelf can be read"))
        .collect()
});

static REPORTS: LazyLock<Vec<Report>> = LazyLock::new(|| SOURCES.iter().flat_map(report::reports).collect());

/// The figures of each of [`REPORTS`], in the same order.
static FIGURES: LazyLock<Vec<RunFigures>> = LazyLock::new(|| REPORTS.iter().map(RunFigures::of).collect());

/// All publications, sorted by name.
pub fn sources() -> &'static [Published] {
    &SOURCES
}

/// The published figures as Reports, a Report for each drive under each condition.
pub fn reports() -> &'static [Report] {
    &REPORTS
}

impl Published {
    /// The part of it that is of drives whose name has `wanted` in it, in any case. `None` where there is none.
    pub fn of_drive(&self, wanted: &str) -> Option<Self> {
        let wanted = wanted.to_lowercase();
        let is_wanted = |name: &str| name.to_lowercase().contains(&wanted);
        let mut part = self.clone();
        part.drives.retain(|name, _| is_wanted(name));
        part.tables.iter_mut().for_each(|table| table.rows.retain(|row| is_wanted(&row.drive)));
        part.tables.retain(|table| !table.rows.is_empty());
        (!part.drives.is_empty() || !part.tables.is_empty()).then_some(part)
    }

    /// The drives, each once: those of the tables in their order, then those of which there are no figures.
    pub fn drive_names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        let of_rows = self.tables.iter().flat_map(|table| table.rows.iter().map(|row| row.drive.as_str()));
        for name in of_rows.chain(self.drives.keys().map(String::as_str)) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
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

#[cfg(test)]
mod tests;
