//! State while a table is read: headings, rows, and pending problems.

use cardiograph_core::text::shown;
use cardiograph_core::{Message, Parameter, message};

use super::super::amount::{self, Amount};
use super::super::figures::Figures;
use super::super::{ImportProblem, ImportProblems, ImportedTest, Problems, Tests};
use super::parted::{Between, Line};
use super::{Column, Map, Row};

/// The state so far.
#[derive(Default)]
pub(super) struct Reading {
    tests: Tests,
    /// Words in place of figures, with their drives.
    words: Vec<(Option<String>, Message)>,
    problems: Problems,
    /// The headings of the columns.
    headings: Vec<String>,
    /// Whether the headings continue on the next line.
    goes_on: bool,
    /// Whether a rule follows the headings.
    is_ruled: bool,
    /// Number of columns since the last empty line.
    count: Option<usize>,
    /// Whether there was a row since the last empty line.
    has_row: bool,
    /// Headings of tables with figures, for messages.
    known: Vec<String>,
    /// Which of the mapped columns exist in a row.
    seen: Vec<bool>,
    /// The last message about a whole table.
    refused: Option<Message>,
    widest: usize,
    has_blanks: bool,
}

impl Reading {
    /// Reads a line; `is_above_rule` says that a rule follows.
    pub(super) fn take(&mut self, line: &Line, is_above_rule: bool, map: &Map) {
        let cells = match &line.cells {
            Ok(cells) => cells,
            Err(message) => return self.problems.add_at(line.number, message.clone()),
        };
        if cells.is_empty() {
            (self.count, self.has_row, self.is_ruled) = (None, false, false);
            return;
        }
        if is_rule(cells) {
            (self.is_ruled, self.goes_on) = (true, false);
            return;
        }
        if self.goes_on || is_above_rule && !self.is_ruled {
            return self.take_headings(line, cells);
        }
        let is_parted = line.between != Between::Blanks;
        self.has_blanks |= !is_parted && cells.len() > 1;
        if let Some(problem) = self.problem_of_count(line, cells, map) {
            return self.problems.add_at(line.number, problem);
        }
        let headings = if is_parted { self.headings.clone() } else { Vec::new() };
        let has_figures = has_figures(cells, &headings, map);
        if has_figures {
            self.add_known_headings(&headings);
        }
        let is_below = self.count.is_some() || !is_parted && cells.len() > 1;
        let row = Row { number: line.number, cells, between: line.between, headings: &headings, is_below };
        match map.row(&row) {
            Ok(found) if !found.tests.is_empty() => {
                let columns = map.figures.iter().map(|figure| figure.column.index_below(&headings));
                self.note_columns(&columns.collect::<Vec<_>>(), cells.len());
                self.is_row(cells);
                self.words.extend(found.words);
                let whole = |(test, figures): (ImportedTest, Figures)| ImportedTest {
                    imported: figures.into_imported(),
                    ..test
                };
                self.tests.extend(found.tests.into_iter().map(whole));
            }
            Ok(_) if has_figures => self.is_row(cells),
            Ok(_) if has_named(cells, map) || !self.has_row && !self.is_ruled => {
                self.take_headings(line, cells);
            }
            Ok(found) => self.words.extend(found.words),
            // A problem of all rows of a table is reported once.
            Err(refused) if refused.is_of_table && self.refused.as_ref() == Some(&refused.message) => {}
            Err(refused) => {
                self.problems.add_at(line.number, refused.message.clone());
                self.refused = Some(refused.message);
            }
        }
    }

    fn take_headings(&mut self, line: &Line, cells: &[String]) {
        let breaks_off = line.text.ends_with('|') && !line.text.starts_with('|');
        if self.goes_on {
            self.headings.extend_from_slice(cells);
        } else if cells.len() > 1 || breaks_off {
            self.headings = cells.to_vec();
            (self.is_ruled, self.has_row) = (false, false);
        } else {
            // A title or a sentence: headings have a cell for each column.
            return;
        }
        self.goes_on = breaks_off;
        self.count = Some(self.headings.len());
    }

    fn is_row(&mut self, cells: &[String]) {
        self.has_row = true;
        self.count = self.count.or(Some(cells.len()));
    }

    pub(super) fn has_too_many(&self) -> bool {
        self.tests.are_too_many()
    }

    fn add_known_headings(&mut self, headings: &[String]) {
        for heading in headings {
            if !heading.is_empty() && !self.known.contains(heading) && self.known.len() < 50 {
                self.known.push(heading.clone());
            }
        }
    }

    fn note_columns(&mut self, columns: &[Option<usize>], count: usize) {
        self.widest = self.widest.max(count);
        self.seen.resize(columns.len(), false);
        for (seen, column) in self.seen.iter_mut().zip(columns) {
            *seen |= column.is_some_and(|at| at < count);
        }
    }

    /// An empty cell between spaces is invisible, and a comma in a cell looks like a separator.
    fn problem_of_count(&self, line: &Line, cells: &[String], map: &Map) -> Option<Message> {
        let (count, found) = (self.count?, cells.len());
        let problem = match line.between {
            Between::Gaps if found != count => {
                message!("import-table.count-differs-spaces", columns = found, others = count)
            }
            Between::Commas if found > count => {
                message!("import-table.count-differs-commas", columns = found, others = count)
            }
            _ => return None,
        };
        has_figures(cells, &self.headings, map).then_some(problem)
    }

    /// Returns all tests.
    ///
    /// # Errors
    /// All problems, including that there were no figures.
    pub(super) fn finish(mut self, map: &Map) -> Result<Vec<ImportedTest>, ImportProblems> {
        if self.problems.is_empty() {
            let found = if self.tests.0.is_empty() { vec![self.no_rows()] } else { self.missing(map) };
            found.into_iter().for_each(|problem| self.problems.add(ImportProblem::whole_text(problem)));
        }
        // A drive without a figure has no Report for the note.
        for (drive, note_columns) in self.words {
            let test = self.tests.0.iter_mut().find(|test| test.subject.model == drive);
            test.into_iter().for_each(|test| test.notes.push(note_columns.clone()));
        }
        self.problems.result(self.tests.0)
    }

    fn no_rows(&self) -> Message {
        let known = (!self.known.is_empty()).then(|| headings(&self.known));
        let by_number = self.has_blanks.then(|| message!("import-table.by-number"));
        known.into_iter().chain(by_number).fold(message!("import-table.no-rows"), explained)
    }

    /// Mapped columns that no row has.
    fn missing(&self, map: &Map) -> Vec<Message> {
        let figures = map.figures.iter().zip(&self.seen).filter(|(_, seen)| !**seen);
        let problem = |column: &Column| match column {
            Column::At(at) => {
                Some(message!("import-table.no-column-anywhere", column = at + 1, columns = self.widest))
            }
            Column::Heading(name) => {
                let known = headings(&self.known);
                let problem = message!("import-table.no-heading-anywhere", heading = shown(name), known);
                let by_number = || explained(problem.clone(), message!("import-table.by-number"));
                Some(if self.known.is_empty() { by_number() } else { problem })
            }
            Column::All => None,
        };
        let mut problems: Vec<Message> = figures.filter_map(|(figure, _)| problem(&figure.column)).collect();
        problems.dedup();
        problems
    }
}

/// Whether a line separates the headings from the rows.
pub(super) fn is_rule(cells: &[String]) -> bool {
    let is_rule =
        |cell: &String| !cell.is_empty() && cell.bytes().all(|byte| matches!(byte, b'-' | b':' | b'='));
    cells.len() > 1 && cells.iter().all(is_rule) || matches!(cells, [one] if one.len() >= 3 && is_rule(one))
}

/// A message that lists the headings.
pub(super) fn headings(all: &[String]) -> Message {
    if all.is_empty() {
        return message!("import-table.no-headings");
    }
    let named = all.iter().filter(|heading| !heading.is_empty()).take(12);
    let named = Parameter::all(named.map(|heading| format!("'{}'", shown(heading))));
    message!("import-table.headings", headings = named)
}

/// Appends an explanation to a problem.
fn explained(problem: Message, more: Message) -> Message {
    message!("import-table.explained", problem, more)
}

/// Whether a line has a mapped heading.
fn has_named(cells: &[String], map: &Map) -> bool {
    let columns = [map.drive.as_ref(), map.test.as_ref()].into_iter().flatten();
    let mut columns = columns.chain(map.figures.iter().map(|figure| &figure.column));
    columns.any(|column| match column {
        Column::Heading(name) => cells.iter().any(|cell| name.eq_ignore_ascii_case(cell)),
        _ => false,
    })
}

/// Whether a line has a figure in a column without names.
fn has_figures(cells: &[String], headings: &[String], map: &Map) -> bool {
    let named = [map.drive.as_ref(), map.test.as_ref()];
    let is_name =
        |at: usize| named.into_iter().flatten().any(|column| column.index_below(headings) == Some(at));
    let is_figure = |cell: &String| {
        let of = |unit: &str| !unit.starts_with(char::is_alphabetic) || amount::unit(unit).is_some();
        Amount::parse(cell).is_some_and(|amount| of(amount.unit))
    };
    !has_named(cells, map) && cells.iter().enumerate().any(|(at, cell)| !is_name(at) && is_figure(cell))
}
