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

mod headings;

use std::io::BufRead;

use cardiograph_core::direction::Direction;
use cardiograph_core::method::Method;
use cardiograph_core::quantity::Quantity;
use cardiograph_core::text::shown;

use super::amount::{self, Amount};
use super::figures::Figures;
use super::lines::numbered;
use super::{
    ImportProblem, ImportProblems, ImportedTest, Problems, Subject, checked, command, ending, whole,
};
use headings::Headings;

/// What a table is called among the formats. It is no [`Importer`](super::Importer), as nothing reads it without a [`Map`].
pub const NAME: &str = "table";

/// What the columns of a table are. [`str::parse`] reads it.
#[derive(Debug, Clone, PartialEq)]
pub struct Map {
    drive: Option<Column>,
    test: Option<Column>,
    methods: Vec<(String, String, Method)>,
    figures: Vec<Mapped>,
}

/// A figure of a test, and where it stands.
#[derive(Debug, Clone, PartialEq)]
struct Mapped {
    test: String,
    direction: Option<Direction>,
    quantity: Quantity,
    column: Column,
    unit: String,
    /// How many of the quantity's base unit that is.
    factor: f64,
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
    fn of(text: &str) -> Result<Self, String> {
        match text.trim() {
            "" => Err("a column is missing".to_string()),
            "*" => Ok(Self::All),
            digits if digits.bytes().all(|byte| byte.is_ascii_digit()) => {
                let number = digits.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
                number.map(Self::At).ok_or_else(|| format!("'{digits}': columns count from 1"))
            }
            heading => Ok(Self::Heading(heading.to_string())),
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
}

impl std::str::FromStr for Map {
    type Err = String;

    /// # Errors
    /// A sentence: the assignment that cannot be followed, and why.
    fn from_str(text: &str) -> Result<Self, String> {
        let mut map = Self { drive: None, test: None, methods: Vec::new(), figures: Vec::new() };
        for part in text.split(';').map(str::trim).filter(|part| !part.is_empty()) {
            map.take(part).map_err(|why| format!("'{}': {why}", shown(part)))?;
        }
        if map.figures.is_empty() {
            return Err("it names no column with figures; write one as read.bandwidth=2 MB/s".to_string());
        }
        Ok(map)
    }
}

impl Map {
    fn take(&mut self, part: &str) -> Result<(), String> {
        let command = part.split_once(": ").filter(|(name, _)| !name.contains('='));
        if let Some((name, command)) = command {
            let method = command::method(command, None)?;
            self.methods.push((name.trim().to_string(), command.trim().to_string(), method));
            return Ok(());
        }
        let (name, value) = part.split_once('=').ok_or("write it as NAME=COLUMN, or as TEST: COMMAND")?;
        match name.trim() {
            "drive" => self.drive = Some(Column::of(value)?),
            "test" => self.test = Some(Column::of(value)?),
            name => self.figures.push(Mapped::of(name, value)?),
        }
        Ok(())
    }

    /// Reads a table, in any encoding that [`Importer::read`](super::Importer::read) takes.
    ///
    /// # Errors
    /// All that is wrong with it, with lines. A text without a figure that is mapped is wrong, too.
    pub fn read(&self, source: &mut dyn BufRead) -> Result<Vec<ImportedTest>, ImportProblems> {
        let text = whole(source)?;
        let tests = self.rows(&text)?;
        let cut = ending::problem(&text, &tests, |longer| self.rows(longer));
        cut.map_or_else(|| checked(tests, "a table that --map describes"), |problem| Err(problem.into()))
    }

    fn rows(&self, text: &str) -> Result<Vec<ImportedTest>, ImportProblems> {
        let (mut tests, mut problems) = (Vec::new(), Problems::default());
        let mut headings = Headings::default();
        let last = self.figures.iter().filter_map(|figure| match figure.column {
            Column::At(at) => Some(at),
            _ => None,
        });
        let wanted = last.max().unwrap_or(0) + 1;
        for (number, line) in numbered(text) {
            let cells = cells(line.trim(), wanted);
            if headings.is_rule(&cells) || cells.is_empty() {
                continue;
            }
            match self.row(&cells, headings.cells(), number) {
                Ok(found) if found.is_empty() => headings.take(cells, line.trim(), self),
                Ok(found) => {
                    headings.row();
                    tests.extend(found);
                }
                Err(message) => problems.at(number, message),
            }
        }
        if tests.is_empty() && problems.is_empty() {
            problems.add(ImportProblem::of_all("no row of it has a figure in a column that --map names"));
        }
        problems.or(tests)
    }

    /// What a row has; nothing where it has none of the figures.
    fn row(&self, cells: &[String], headings: &[String], line: u64) -> Result<Vec<ImportedTest>, String> {
        let at = |column: &Option<Column>| {
            column.as_ref().and_then(|column| cells.get(column.index(headings)?)).cloned()
        };
        let (drive, test) = (at(&self.drive), at(&self.test));
        let test_column = self.test.as_ref().and_then(|column| column.index(headings));
        let mut found: Vec<(ImportedTest, Figures)> = Vec::new();
        let mut problems: Vec<NoFigure> = Vec::new();
        for mapped in &self.figures {
            // Where a column names the tests, a figure is of the row with its test's name.
            if test.as_ref().is_some_and(|test| !test.eq_ignore_ascii_case(&mapped.test)) {
                continue;
            }
            let columns = match mapped.column {
                Column::All => (0..cells.len()).filter(|at| Some(*at) != test_column).collect(),
                _ => mapped.column.index(headings).into_iter().collect::<Vec<_>>(),
            };
            for column in columns {
                let Some(cell) = cells.get(column) else { continue };
                let value = match mapped.value(cell) {
                    Ok(Some(value)) => value,
                    Ok(None) => continue,
                    Err(problem) => {
                        problems.push(problem);
                        continue;
                    }
                };
                let drive = match mapped.column {
                    Column::All => Some(headings.get(column).cloned().ok_or_else(|| {
                        format!(
                            "no heading stands above column {}: with * it is the name of the drive",
                            column + 1
                        )
                    })?),
                    _ => drive.clone(),
                };
                let is_it = |(known, _): &(ImportedTest, Figures)| {
                    known.id == mapped.test && known.subject.model == drive
                };
                let index = found.iter().position(is_it).unwrap_or_else(|| {
                    found.push((self.test(&mapped.test, drive, line), Figures::default()));
                    found.len() - 1
                });
                found[index].1.add(mapped.direction, mapped.quantity, value, 0);
            }
        }
        // Headings and sentences have numbers, too (`4K rand read`).
        let is_row = !found.is_empty();
        if let Some(problem) = problems.into_iter().find(|problem| is_row || problem.is_of_a_row) {
            return Err(problem.message);
        }
        Ok(found
            .into_iter()
            .map(|(test, figures)| ImportedTest { imported: figures.imported(), ..test })
            .collect())
    }

    fn test(&self, id: &str, drive: Option<String>, line: u64) -> ImportedTest {
        let told = self.methods.iter().find(|(name, ..)| name == id);
        let method = told.map_or_else(
            || Method { tool: "unknown".to_string(), ..Method::default() },
            |(.., method)| method.clone(),
        );
        let note = "How this was measured is not told: no figure can be compared with it (TEST: COMMAND in --map tells)";
        ImportedTest {
            command: told.map(|(_, command, _)| command.clone()),
            subject: Subject { model: drive.map(|drive| shown(&drive)), ..Subject::default() },
            line: Some(line),
            notes: if told.is_some() { Vec::new() } else { vec![note.to_string()] },
            ..ImportedTest::new(id, id, method)
        }
    }
}

/// The cells of a line: between `|`, tabs or commas, or at the end of words, of which `wanted` cells are made.
fn cells(line: &str, wanted: usize) -> Vec<String> {
    let divided = |by: char| line.split(by).map(|cell| cell.trim().to_string()).collect::<Vec<_>>();
    if line.contains('|') {
        let mut cells = divided('|');
        if cells.first().is_some_and(String::is_empty) {
            cells.remove(0);
        }
        if cells.last().is_some_and(String::is_empty) {
            cells.pop();
        }
        return cells;
    }
    if line.contains('\t') {
        return divided('\t');
    }
    let by_commas = divided(',');
    if by_commas.len() >= wanted && by_commas.len() > 1 {
        return by_commas;
    }
    words_from_the_end(line, wanted)
}

impl Mapped {
    /// Of `hdparm.read.bandwidth` and `2 MB/s`; without a test's name it is `table`.
    fn of(name: &str, value: &str) -> Result<Self, String> {
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
    fn value(&self, cell: &str) -> Result<Option<f64>, NoFigure> {
        let Some(found) = Amount::parse(cell) else { return Ok(None) };
        let wrong = || NoFigure {
            message: format!("'{}' is no figure in {}", shown(cell), self.unit),
            is_of_a_row: amount::unit(found.unit).is_some(),
        };
        if !found.unit.is_empty() && found.unit != self.unit {
            return Err(wrong());
        }
        found.number().map(|number| Some(number * self.factor)).ok_or_else(wrong)
    }
}

/// A number that is not the figure that is mapped.
struct NoFigure {
    message: String,
    /// Whether its unit is one, so that it would be a figure of something else.
    is_of_a_row: bool,
}

/// The last `wanted - 1` words, each with its unit, and what stands before them: names of drives have spaces.
fn words_from_the_end(line: &str, wanted: usize) -> Vec<String> {
    let mut words: Vec<&str> = line.split_whitespace().collect();
    let mut cells = Vec::new();
    while cells.len() + 1 < wanted && words.len() > 1 {
        let last = words.pop().unwrap_or("");
        let is_unit = !last.is_empty() && amount::unit(last).is_some() && Amount::parse(last).is_none();
        let number = words
            .last()
            .filter(|word| is_unit && Amount::parse(word).is_some_and(|amount| amount.unit.is_empty()));
        match number {
            Some(number) => {
                cells.push(format!("{number} {last}"));
                words.pop();
            }
            None => cells.push(last.to_string()),
        }
    }
    if !words.is_empty() {
        cells.push(words.join(" "));
    }
    cells.reverse();
    cells
}

#[cfg(test)]
mod tests;
