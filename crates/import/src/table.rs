//! Tables as people publish them (Markdown, columns of spaces or tabs, comma-separated), by a mapping that says what their
//! columns are.
//!
//! A [`Map`] is a list of assignments with `;` between them:
//!
//! ```text
//! drive=1                             column 1 has the drives
//! test=1                              column 1 has the tests
//! hdparm: hdparm -t /dev/mmcblk0      how the test `hdparm` was done
//! hdparm.read.bandwidth=2 MB/s        column 2 has what it read, in MB/s
//! dd.write.bandwidth=dd write MB/s    the same of the column with the heading `dd write`
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
use super::{ImportProblems, ImportedTest, Subject, checked, command, whole};

/// What a table is called among the formats. It is no [`Importer`](super::Importer), as nothing reads it without a [`Map`].
pub const NAME: &str = "table";
/// Longest text with a table that is read, in bytes: people publish tables, and each cell takes memory of its own.
pub const LEN_BYTES_MAX: u64 = 4 << 20;

/// What the columns of a table are. [`str::parse`] reads it.
#[derive(Debug, Clone, PartialEq)]
pub struct Map {
    drive: Option<Column>,
    test: Option<Column>,
    methods: Vec<(String, String, Method)>,
    figures: Vec<Mapped>,
}

#[derive(Debug, Clone, PartialEq)]
enum Column {
    /// From 0.
    At(usize),
    Heading(String),
    /// Every one but that of the tests.
    All,
}

impl Column {
    fn of(text: &str) -> Result<Self, Message> {
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

    /// One that has names: of drives, or of tests.
    fn of_names(text: &str, before: Option<&Self>) -> Result<Self, Message> {
        if before.is_some() {
            return Err(message!("import-map.twice"));
        }
        match Self::of(text)? {
            Self::All => Err(message!("import-map.one-column")),
            column => Ok(column),
        }
    }

    /// Where it is below these headings.
    fn index(&self, headings: &[String]) -> Option<usize> {
        match self {
            Self::At(at) => Some(*at),
            Self::Heading(wanted) => headings.iter().position(|heading| heading.eq_ignore_ascii_case(wanted)),
            Self::All => None,
        }
    }

    /// Where it is in a row.
    ///
    /// # Errors
    /// Why there is no such column, and which there are.
    fn place(&self, row: &Row) -> Result<usize, Message> {
        match (self, self.index(row.headings)) {
            (Self::Heading(wanted), Some(at)) => {
                let again =
                    row.headings.iter().skip(at + 1).position(|other| other.eq_ignore_ascii_case(wanted));
                again.map_or(Ok(at), |more| {
                    Err(message!(
                        "import-table.columns-alike",
                        first = at + 1,
                        second = at + more + 2,
                        heading = shown(wanted)
                    ))
                })
            }
            (Self::Heading(wanted), None) if row.headings.is_empty() && row.between == Between::Blanks => {
                let known = message!("import-table.by-number");
                Err(message!("import-table.no-heading-here", heading = shown(wanted), known = known))
            }
            (Self::Heading(wanted), None) => {
                let known = headings(row.headings);
                Err(message!("import-table.no-heading-here", heading = shown(wanted), known = known))
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
    /// Whether it is below headings or another row, so that it is none of headings itself.
    is_below: bool,
}

impl Row<'_> {
    /// Whether headings stand in it once more: one of its cells is the heading of its column, or nothing is named by it.
    fn has_headings_again(&self) -> bool {
        let is_again =
            |(cell, heading): (&String, &String)| !cell.is_empty() && cell.eq_ignore_ascii_case(heading);
        self.cells.iter().zip(self.headings).any(is_again) || self.cells.first().is_some_and(String::is_empty)
    }
}

/// What was found in a row.
#[derive(Default)]
struct Found {
    tests: Vec<(ImportedTest, Figures)>,
    /// Notes of words that stand in place of figures, each with its drive.
    words: Vec<(Option<String>, Message)>,
}

impl Found {
    /// The test `id` of a drive, which `make` makes where it is new.
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

/// Why a row is not read.
struct Refused {
    message: Message,
    /// Whether it holds for the other rows of its table, too.
    is_of_table: bool,
}

impl std::str::FromStr for Map {
    type Err = Message;

    /// # Errors
    /// The assignment that cannot be followed, and why.
    fn from_str(text: &str) -> Result<Self, Message> {
        let mut map = Self { drive: None, test: None, methods: Vec::new(), figures: Vec::new() };
        for part in text.split(';').map(str::trim).filter(|part| !part.is_empty()) {
            map.take(part)
                .map_err(|problem| message!("import-map.at", part = shown(part), problem = problem))?;
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
            // Of a program that does several the test is called as one of them: `iozone.random-read`.
            let part = name.rsplit('.').next();
            let method = command::method(command, part)?;
            self.methods.push((name.to_string(), command.trim().to_string(), method));
            return Ok(());
        }
        let (name, value) = part.split_once('=').ok_or(message!("import-map.form"))?;
        match name.trim() {
            "drive" => self.drive = Some(Column::of_names(value, self.drive.as_ref())?),
            "test" => self.test = Some(Column::of_names(value, self.test.as_ref())?),
            name => {
                let figure = Mapped::of(name, value)?;
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

    /// Reads a table, in any encoding that [`Importer::read`](super::Importer::read) takes.
    ///
    /// # Errors
    /// All that is wrong with it, with lines. A text without a figure that is mapped is wrong, too.
    pub fn read(&self, source: &mut dyn BufRead) -> Result<Vec<ImportedTest>, ImportProblems> {
        let text = whole(source, LEN_BYTES_MAX)?;
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
            // A table that is refused for its length need not be read to its end.
            if reading.has_too_many() {
                break;
            }
        }
        reading.finish(self)
    }

    /// What a row has; nothing where it has none of the figures.
    fn row(&self, row: &Row) -> Result<Found, Refused> {
        let mut found = Found::default();
        let mut problems: Vec<(usize, NoFigure)> = Vec::new();
        for (mapped, column, cell) in self.cells(row) {
            let (value, is_about) = match mapped.value(cell) {
                Ok(Cell::Figure { value, is_about }) => (value, is_about),
                Ok(Cell::Absent) => continue,
                Ok(Cell::Words) => {
                    let (figure, cell) = (mapped.message(), shown(cell));
                    let note = message!("import-table.words-for-figure", figure = figure, cell = cell);
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
            if is_about {
                let figure = mapped.message();
                test.notes.push(message!("import-table.about", figure = figure, cell = shown(cell)));
            }
        }
        // Headings and sentences have numbers, too (`4K rand read`).
        let is_row = !found.tests.is_empty() || row.is_below && !row.has_headings_again();
        if let Some((column, problem)) =
            problems.into_iter().find(|(_, problem)| is_row || problem.is_of_a_row)
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
        let test_column = self.test.as_ref().and_then(|column| column.index(row.headings));
        let test = test_column.and_then(|column| row.cells.get(column));
        let mut cells = Vec::new();
        for mapped in &self.figures {
            // Where a column names the tests, a figure is of the row with its test's name.
            if test.is_some_and(|test| !test.eq_ignore_ascii_case(&mapped.test)) {
                continue;
            }
            let columns = match mapped.column {
                Column::All => (0..row.cells.len()).filter(|at| Some(*at) != test_column).collect(),
                _ => mapped.column.index(row.headings).into_iter().collect::<Vec<_>>(),
            };
            let there = columns.into_iter().filter_map(|at| Some((mapped, at, row.cells.get(at)?.as_str())));
            cells.extend(there);
        }
        cells
    }

    /// The drive that a figure is of; `None` where the mapping names none.
    fn drive_of(&self, mapped: &Mapped, column: usize, row: &Row) -> Result<Option<String>, Message> {
        let of_drive = |problem: Message| message!("import-table.of-drive", problem = problem);
        let of_test = |problem: Message| message!("import-table.of-test", problem = problem);
        let named: [(_, &dyn Fn(Message) -> Message); 2] = [(&self.drive, &of_drive), (&self.test, &of_test)];
        for (named, of) in named {
            let Some(named) = named else { continue };
            let at = named.place(row).map_err(of)?;
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
                named.place(row)?;
                Ok(drive.as_ref().and_then(|drive| row.cells.get(drive.index(row.headings)?)).cloned())
            }
        }
    }

    fn test(&self, id: &str, drive: Option<String>, line: u64) -> ImportedTest {
        let told = self.methods.iter().find(|(name, ..)| name == id);
        let method = told.map_or_else(
            || Method { tool: "unknown".to_string(), ..Method::default() },
            |(.., method)| method.clone(),
        );
        let note = message!("import-table.method-unknown");
        ImportedTest {
            command: told.map(|(_, command, _)| command.clone()),
            subject: Subject { model: drive.map(|drive| shown(&drive)), ..Subject::default() },
            line: Some(line),
            notes: if told.is_some() { Vec::new() } else { vec![note] },
            ..ImportedTest::new(id, Message::verbatim(id), method)
        }
    }
}

#[cfg(test)]
mod tests;
