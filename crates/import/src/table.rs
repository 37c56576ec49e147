//! Tables as people publish them (Markdown, columns of spaces or tabs, comma-separated), with a mapping of their
//! columns.
//!
//! A [`Map`] is a list of assignments with `;` between them:
//!
//! ```text
//! drive=1                             column 1 has the drives
//! test=1                              column 1 has the tests
//! hdparm: hdparm -t /dev/mmcblk0      how the test `hdparm` was done
//! hdparm.read.bandwidth=2 MB/s        column 2 has what it read, in MB/s
//! dd.write.bandwidth=3 MB/s=MiB/s     column 3 has what it wrote; its MB/s means MiB/s
//! dd.write.bandwidth=dd write MB/s    the column headed `dd write` has what it wrote, in MB/s
//! seqread.read.iops=* IOPS            in the row `seqread`, every column has that; the headings are the drives
//! ```

mod mapped;
mod number;
mod parted;
mod reading;
mod words;

use cardiograph_core::{Message, message};
use std::io::BufRead;

use cardiograph_core::method::Method;
use cardiograph_core::text::shown;
use mapped::{Cell, Mapped, NoFigure};
use parted::Between;
use reading::{Reading, headings, is_rule};

use super::figures::Figures;
use super::{ImportProblems, ImportedTest, Subject, checked, command, read_whole};

/// Name of tables among the formats. They have no [`Importer`](super::Importer), because they need a [`Map`].
pub const NAME: &str = "table";
/// Maximum length of a text with a table, in bytes: published tables are short, and each cell takes memory.
pub const LEN_BYTES_MAX: u64 = 4 << 20;

/// The meaning of a table's columns. [`str::parse`] parses it.
#[derive(Debug, Clone, PartialEq)]
pub struct Map {
    drive: Option<Column>,
    test: Option<Column>,
    methods: Vec<(String, String, Method)>,
    figures: Vec<Mapped>,
}

#[derive(Debug, Clone, PartialEq)]
enum Column {
    /// Index from 0.
    At(usize),
    Heading(String),
    /// Every column except that of the tests.
    All,
}

impl Column {
    fn parse(text: &str) -> Result<Self, Message> {
        match text.trim() {
            "" => Err(message!("import-map.column-missing")),
            "*" => Ok(Self::All),
            digits if digits.bytes().all(|byte| byte.is_ascii_digit()) => {
                let number = digits.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
                number.map(Self::At).ok_or_else(|| message!("import-map.column-from-1", column = digits))
            }
            heading => Ok(Self::Heading(heading.to_string())),
        }
    }

    /// Parses a column with names of drives or tests.
    fn parse_names(text: &str, before: Option<&Self>) -> Result<Self, Message> {
        if before.is_some() {
            return Err(message!("import-map.twice"));
        }
        match Self::parse(text)? {
            Self::All => Err(message!("import-map.one-column")),
            column => Ok(column),
        }
    }

    /// Index of the column below these headings.
    fn index_below(&self, headings: &[String]) -> Option<usize> {
        match self {
            Self::At(at) => Some(*at),
            Self::Heading(wanted) => headings.iter().position(|heading| heading.eq_ignore_ascii_case(wanted)),
            Self::All => None,
        }
    }

    /// Index of the column in a row.
    ///
    /// # Errors
    /// If there is no such column; the message lists the columns.
    fn index_in(&self, row: &Row) -> Result<usize, Message> {
        match (self, self.index_below(row.headings)) {
            (Self::Heading(wanted), Some(at)) => {
                let duplicate =
                    row.headings.iter().skip(at + 1).position(|other| other.eq_ignore_ascii_case(wanted));
                duplicate.map_or(Ok(at), |more| {
                    Err(message!(
                        "import-table.same-heading",
                        first = at + 1,
                        second = at + more + 2,
                        heading = shown(wanted)
                    ))
                })
            }
            (Self::Heading(wanted), None) if row.headings.is_empty() && row.between == Between::Blanks => {
                let known = message!("import-table.by-number");
                Err(message!("import-table.no-heading-here", heading = shown(wanted), known))
            }
            (Self::Heading(wanted), None) => {
                let known = headings(row.headings);
                Err(message!("import-table.no-heading-here", heading = shown(wanted), known))
            }
            (Self::At(at), _) if *at >= row.cells.len() => {
                Err(message!("import-table.no-column", column = at + 1, columns = row.cells.len()))
            }
            (_, at) => at.ok_or(message!("import-table.column-unnamed")),
        }
    }
}

/// A line that may be a row.
struct Row<'a> {
    number: u64,
    cells: &'a [String],
    between: Between,
    headings: &'a [String],
    /// Whether it is below headings or another row, so it cannot be headings.
    is_below: bool,
}

impl Row<'_> {
    /// Whether the row repeats headings: a cell is the heading of its column, or the row names nothing.
    fn has_headings_again(&self) -> bool {
        let is_again =
            |(cell, heading): (&String, &String)| !cell.is_empty() && cell.eq_ignore_ascii_case(heading);
        self.cells.iter().zip(self.headings).any(is_again) || self.cells.first().is_some_and(String::is_empty)
    }
}

/// The contents of a row.
#[derive(Default)]
struct Found {
    tests: Vec<(ImportedTest, Figures)>,
    /// Notes on words in place of figures, with their drives.
    words: Vec<(Option<String>, Message)>,
}

impl Found {
    /// The test `id` of a drive, made by `make` if it is new.
    fn test(
        &mut self,
        id: &str,
        drive: Option<String>,
        make: impl FnOnce(Option<String>) -> ImportedTest,
    ) -> &mut (ImportedTest, Figures) {
        let is_it = |(known, _): &(ImportedTest, Figures)| known.id == id && known.subject.model == drive;
        let at = self.tests.iter().position(is_it).unwrap_or_else(|| {
            self.tests.push((make(drive), Figures::default()));
            self.tests.len() - 1
        });
        &mut self.tests[at]
    }
}

/// The reason why a row cannot be read.
struct Refused {
    message: Message,
    /// Whether it applies to all rows of the table.
    is_of_table: bool,
}

impl std::str::FromStr for Map {
    type Err = Message;

    /// # Errors
    /// The assignment that is wrong, and why.
    fn from_str(text: &str) -> Result<Self, Message> {
        let mut map = Self { drive: None, test: None, methods: Vec::new(), figures: Vec::new() };
        for part in text.split(';').map(str::trim).filter(|part| !part.is_empty()) {
            map.take(part).map_err(|problem| message!("import-map.at", part = shown(part), problem))?;
        }
        if map.figures.is_empty() {
            return Err(message!("import-map.no-figures"));
        }
        let is_used = |test: &str| map.figures.iter().any(|figure| figure.test == test);
        if let Some((test, ..)) = map.methods.iter().find(|(test, ..)| !is_used(test)) {
            return Err(message!("import-map.unused-command", test = shown(test)));
        }
        Ok(map)
    }
}

impl Map {
    fn take(&mut self, part: &str) -> Result<(), Message> {
        let command = part.split_once(": ").filter(|(name, _)| !name.contains('='));
        if let Some((name, command)) = command {
            let name = name.trim();
            // For programs with several tests, the test is named after one: `iozone.random-read`.
            let part = name.rsplit('.').next();
            let method = command::method(command, part)?;
            self.methods.push((name.to_string(), command.trim().to_string(), method));
            return Ok(());
        }
        let (name, value) = part.split_once('=').ok_or(message!("import-map.form"))?;
        match name.trim() {
            "drive" => self.drive = Some(Column::parse_names(value, self.drive.as_ref())?),
            "test" => self.test = Some(Column::parse_names(value, self.test.as_ref())?),
            name => {
                let figure = Mapped::parse(name, value)?;
                let is_same = |known: &Mapped| {
                    (&known.test, known.direction, known.quantity)
                        == (&figure.test, figure.direction, figure.quantity)
                };
                if self.figures.iter().any(is_same) {
                    return Err(message!("import-map.twice"));
                }
                self.figures.push(figure);
            }
        }
        Ok(())
    }

    /// Reads a table, in any encoding that [`Importer::read`](super::Importer::read) accepts.
    ///
    /// # Errors
    /// All problems with their lines. A text without a mapped figure is an error, too.
    pub fn read(&self, source: &mut dyn BufRead) -> Result<Vec<ImportedTest>, ImportProblems> {
        let text = read_whole(source, LEN_BYTES_MAX)?;
        checked(self.rows(&text)?, &message!("import-format.table"))
    }

    fn rows(&self, text: &str) -> Result<Vec<ImportedTest>, ImportProblems> {
        let mut reading = Reading::default();
        let last = self.figures.iter().filter_map(|figure| match figure.column {
            Column::At(at) => Some(at),
            _ => None,
        });
        let lines = parted::lines(text, last.max().unwrap_or(0) + 1);
        for (at, line) in lines.iter().enumerate() {
            let next = lines.get(at + 1).and_then(|next| next.cells.as_ref().ok());
            reading.take(line, next.is_some_and(|cells| is_rule(cells)), self);
            // A table over the length limit need not be read to its end.
            if reading.has_too_many() {
                break;
            }
        }
        reading.finish(self)
    }

    /// Reads a row; empty if it has none of the figures.
    fn row(&self, row: &Row) -> Result<Found, Refused> {
        let mut found = Found::default();
        let mut problems: Vec<(usize, NoFigure)> = Vec::new();
        for (mapped, column, cell) in self.cells(row) {
            let (value, is_approximate) = match mapped.value(cell) {
                Ok(Cell::Figure { value, is_approximate }) => (value, is_approximate),
                Ok(Cell::Absent) => continue,
                Ok(Cell::Words) => {
                    let (figure, cell) = (mapped.message(), shown(cell));
                    let note = message!("import-table.words-for-figure", figure, cell);
                    found.words.extend(self.drive_of(mapped, column, row).ok().map(|drive| (drive, note)));
                    continue;
                }
                Err(problem) => {
                    problems.push((column, problem));
                    continue;
                }
            };
            let drive = self.drive_of(mapped, column, row);
            let drive = drive.map_err(|message| Refused { message, is_of_table: true })?;
            let (test, figures) =
                found.test(&mapped.test, drive, |drive| self.test(&mapped.test, drive, row.number));
            figures.add(mapped.direction, mapped.quantity, value, 0);
            if let Some(note) = mapped.note().filter(|note| !test.notes.contains(note)) {
                test.notes.push(note);
            }
            if is_approximate {
                let figure = mapped.message();
                test.notes.push(message!("import-table.about", figure, cell = shown(cell)));
            }
        }
        // Headings and sentences have numbers, too (`4K rand read`).
        let is_row = !found.tests.is_empty() || row.is_below && !row.has_headings_again();
        if let Some((column, problem)) =
            problems.into_iter().find(|(_, problem)| is_row || problem.is_never_heading)
        {
            return Err(Refused { message: problem.message(column + 1), is_of_table: false });
        }
        // Other headings have words, too.
        let is_sure = !found.tests.is_empty();
        found.words.retain(|(drive, _)| is_row && (is_sure || drive.is_some()));
        Ok(found)
    }

    /// The cells of a row that may have figures, with their columns.
    fn cells<'r>(&self, row: &'r Row) -> Vec<(&Mapped, usize, &'r str)> {
        let test_column = self.test.as_ref().and_then(|column| column.index_below(row.headings));
        let test = test_column.and_then(|column| row.cells.get(column));
        let mut cells = Vec::new();
        for mapped in &self.figures {
            // If a column names the tests, a figure belongs to the row of its test.
            if test.is_some_and(|test| !test.eq_ignore_ascii_case(&mapped.test)) {
                continue;
            }
            let columns = match mapped.column {
                Column::All => (0..row.cells.len()).filter(|at| Some(*at) != test_column).collect(),
                _ => mapped.column.index_below(row.headings).into_iter().collect::<Vec<_>>(),
            };
            let there = columns.into_iter().filter_map(|at| Some((mapped, at, row.cells.get(at)?.as_str())));
            cells.extend(there);
        }
        cells
    }

    /// The drive of a figure; `None` if the mapping has none.
    fn drive_of(&self, mapped: &Mapped, column: usize, row: &Row) -> Result<Option<String>, Message> {
        let of_drive = |problem: Message| message!("import-table.of-drive", problem);
        let of_test = |problem: Message| message!("import-table.of-test", problem);
        let named: [(_, &dyn Fn(Message) -> Message); 2] = [(&self.drive, &of_drive), (&self.test, &of_test)];
        for (named, of) in named {
            let Some(named) = named else { continue };
            let at = named.index_in(row).map_err(of)?;
            if at > 0 && row.between == Between::Blanks {
                return Err(of(message!("import-table.only-first-named")));
            }
        }
        match (&mapped.column, &self.drive) {
            (Column::All, _) => row
                .headings
                .get(column)
                .cloned()
                .map(Some)
                .ok_or_else(|| message!("import-table.no-heading-for-drive", column = column + 1)),
            (named, drive) => {
                named.index_in(row)?;
                Ok(drive.as_ref().and_then(|drive| row.cells.get(drive.index_below(row.headings)?)).cloned())
            }
        }
    }

    fn test(&self, id: &str, drive: Option<String>, line: u64) -> ImportedTest {
        let method_entry = self.methods.iter().find(|(name, ..)| name == id);
        let method = method_entry.map_or_else(
            || Method { tool: "unknown".to_string(), ..Method::default() },
            |(.., method)| method.clone(),
        );
        let note = message!("import-table.method-unknown");
        ImportedTest {
            command: method_entry.map(|(_, command, _)| command.clone()),
            subject: Subject { model: drive.map(|drive| shown(&drive)), ..Subject::default() },
            line: Some(line),
            notes: if method_entry.is_some() { Vec::new() } else { vec![note] },
            ..ImportedTest::new(id, Message::verbatim(id), method)
        }
    }
}

#[cfg(test)]
mod tests;
