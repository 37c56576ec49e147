//! A text as it is read: which tables it has, and what is still to be said when it is read.

use super::super::figures::Figures;
use super::super::{ImportProblem, ImportProblems, ImportedTest, Problems, Tests};
use super::headings::{self, Headings, has_figures};
use super::parted::{Between, Line};
use super::{BY_NUMBER, Column, Map, Row, words};

/// What is said of a line with words where a row has figures, where the next figures are found by headings.
const UNSURE: &str = "whether these are headings or a row without figures cannot be known: leave an empty line above headings, \
                      or write - where there is no figure";

/// What a line without any figure is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Bare {
    /// A row whose figures are absent: what stands above stays the headings.
    Row,
    Headings,
    Unsure,
}

/// What was read so far.
#[derive(Default)]
pub(super) struct Reading {
    tests: Tests,
    /// Notes of words that stand in place of figures, each with its drive.
    words: Vec<(Option<String>, String)>,
    problems: Problems,
    headings: Headings,
    /// How many columns the table has in which the line before is.
    count: Option<usize>,
    /// Whether the line before is of the same table.
    is_below: bool,
    /// Whether a line above of the same table has figures.
    has_row: bool,
    /// All headings of tables, once each.
    known: Vec<String>,
    /// Of each figure that is mapped, whether its column was there.
    seen: Vec<bool>,
    /// What was said of the last row that was refused.
    refused: Option<String>,
    /// How many columns the row with most of them has.
    widest: usize,
    /// Whether there are rows with single spaces between their cells.
    has_blanks: bool,
}

impl Reading {
    /// Takes in a line. `is_headings` where a rule stands below it.
    pub(super) fn take(&mut self, line: &Line, is_headings: bool, map: &Map) {
        let cells = match &line.cells {
            Ok(cells) => cells,
            Err(message) => return self.problems.at(line.number, message.clone()),
        };
        if cells.is_empty() {
            (self.count, self.is_below, self.has_row) = (None, false, false);
            return;
        }
        if self.headings.is_rule(cells) {
            return;
        }
        let is_parted = line.between != Between::Blanks;
        self.has_blanks |= !is_parted && cells.len() > 1;
        if let Some(problem) = self.problem_of_count(line, cells, map) {
            return self.problems.at(line.number, problem);
        }
        let under = if is_parted || self.count == Some(cells.len()) { self.headings.cells() } else { &[] };
        // What was parted at single spaces was found to be a row.
        let is_below = (self.is_below || !is_parted && cells.len() > 1) && !is_headings;
        if is_parted && has_figures(cells, under, map) {
            self.know();
        }
        let under = if is_parted || self.count == Some(cells.len()) { self.headings.cells() } else { &[] };
        let row = Row { number: line.number, cells, between: line.between, headings: under, is_below };
        match map.row(&row) {
            Ok(found) if found.tests.is_empty() => {
                let has_figures = has_figures(cells, under, map);
                match if has_figures { Bare::Row } else { self.bare(line, cells, is_headings, map) } {
                    Bare::Unsure => return self.problems.at(line.number, UNSURE),
                    Bare::Row if !has_figures => {
                        self.words.extend(found.words);
                        self.headings.row();
                    }
                    Bare::Row => self.headings.take(cells.clone(), line.text, map),
                    Bare::Headings => {
                        self.headings.take(cells.clone(), line.text, map);
                        if cells.len() > 1 {
                            self.count = Some(self.headings.cells().len());
                        }
                    }
                }
                self.is_below |= cells.len() > 1;
                self.has_row |= has_figures;
            }
            Ok(found) => {
                self.note(&row_columns(map, under), cells.len());
                self.headings.row();
                (self.is_below, self.has_row) = (true, true);
                self.count = self.count.or(Some(cells.len()));
                self.words.extend(found.words);
                let whole = |(test, figures): (ImportedTest, Figures)| ImportedTest {
                    imported: figures.imported(),
                    ..test
                };
                self.tests.extend(found.tests.into_iter().map(whole));
            }
            // What is said of all rows of a table is said once.
            Err(refused) if refused.is_of_table && self.refused.as_ref() == Some(&refused.message) => {}
            Err(refused) => {
                self.problems.at(line.number, refused.message.clone());
                self.refused = Some(refused.message);
            }
        }
    }

    /// Whether there are more tests than are imported.
    pub(super) fn has_too_many(&self) -> bool {
        self.tests.are_too_many()
    }

    /// What a line without any figure is.
    fn bare(&self, line: &Line, cells: &[String], is_headings: bool, map: &Map) -> Bare {
        // In the first column `-` may stand above the names.
        let mut signs = cells.iter().skip(1).filter(|cell| !cell.is_empty());
        let mut has_absence = || signs.any(|cell| words::says_absent(cell));
        let breaks_off = line.text.ends_with('|') && !line.text.starts_with('|');
        if is_headings || headings::has_named(cells, map) || cells.len() < 2 {
            Bare::Headings
        } else if self.is_below && self.headings.has_rule() || self.has_row && has_absence() {
            Bare::Row
        } else if self.has_row && map.needs_headings() && !breaks_off {
            Bare::Unsure
        } else {
            Bare::Headings
        }
    }

    /// Notes the headings above a row.
    fn know(&mut self) {
        for heading in self.headings.cells() {
            if !heading.is_empty() && !self.known.contains(heading) && self.known.len() < 50 {
                self.known.push(heading.clone());
            }
        }
    }

    fn note(&mut self, columns: &[Option<usize>], count: usize) {
        self.widest = self.widest.max(count);
        self.seen.resize(columns.len(), false);
        for (seen, column) in self.seen.iter_mut().zip(columns) {
            *seen |= column.is_some_and(|at| at < count);
        }
    }

    /// Why a row cannot be one of its table: with an empty cell, or with more than there are, its figures would be of other
    /// columns. Bars and tabs show empty cells.
    fn problem_of_count(&self, line: &Line, cells: &[String], map: &Map) -> Option<String> {
        let (count, found) = (self.count?, cells.len());
        let is_wrong = match line.between {
            Between::Bars | Between::Tabs => false,
            Between::Commas => found > count,
            Between::Gaps => found != count,
            Between::Blanks => found > 1 && found != count,
        };
        let what = if line.between == Between::Commas {
            "part them with | or tabs where a cell has commas"
        } else {
            "write - where a cell is empty, or part them with | or tabs"
        };
        (is_wrong && has_figures(cells, self.headings.cells(), map))
            .then(|| format!("it has {found} columns, and the lines above have {count}; {what}"))
    }

    /// What was read.
    ///
    /// # Errors
    /// All that is wrong.
    pub(super) fn finish(mut self, map: &Map) -> Result<Vec<ImportedTest>, ImportProblems> {
        if self.problems.is_empty() {
            if self.tests.0.is_empty() {
                let problem = self.nothing();
                self.problems.add(ImportProblem::of_all(problem));
            } else {
                self.missing(map)
                    .into_iter()
                    .for_each(|problem| self.problems.add(ImportProblem::of_all(problem)));
            }
        }
        // Of a drive without any figure there is no Report that could have the note.
        for (drive, note) in self.words {
            let test = self.tests.0.iter_mut().find(|test| test.subject.model == drive);
            test.into_iter().for_each(|test| test.notes.push(note.clone()));
        }
        self.problems.or(self.tests.0)
    }

    fn nothing(&self) -> String {
        let mut told = "no row of it has a figure in a column that --map names".to_string();
        if !self.known.is_empty() {
            told = format!("{told}; {}", headings::told(&self.known));
        }
        if self.has_blanks { format!("{told}; {BY_NUMBER}") } else { told }
    }

    /// The figures whose column no table has.
    fn missing(&self, map: &Map) -> Vec<String> {
        let figures = map.figures.iter().zip(&self.seen).filter(|(_, seen)| !**seen);
        let problem = |column: &Column| match column {
            Column::At(at) => Some(format!("no row has a column {}; the widest has {}", at + 1, self.widest)),
            Column::Heading(name) => {
                let name = cardiograph_core::text::shown(name);
                let by_number = if self.known.is_empty() { format!(": {BY_NUMBER}") } else { String::new() };
                Some(format!("no table has the heading '{name}'; {}{by_number}", headings::told(&self.known)))
            }
            Column::All => None,
        };
        let mut problems: Vec<String> = figures.filter_map(|(figure, _)| problem(&figure.column)).collect();
        problems.dedup();
        problems
    }
}

/// Where the columns of the figures are.
fn row_columns(map: &Map, headings: &[String]) -> Vec<Option<usize>> {
    map.figures.iter().map(|figure| figure.column.index(headings)).collect()
}
