//! Why a text is not imported: all that is wrong with it, each with its place.

use std::fmt;

use cardiograph_core::text::shown;
use cardiograph_core::{Message, message};

/// So many problems are kept; more of them would not be read.
const KEPT_MAX: usize = 20;

/// One thing that is wrong with a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportProblem {
    /// The line, from 1; `None` when it is the whole text.
    pub line: Option<u64>,
    /// The column in characters, from 1; `None` when it is the whole line.
    pub column: Option<u64>,
    /// What is wrong, and what was expected, in a phrase.
    pub message: Message,
}

impl ImportProblem {
    /// With the whole text.
    pub fn of_all(message: Message) -> Self {
        Self { line: None, column: None, message }
    }

    /// With a line.
    pub fn at(line: u64, message: Message) -> Self {
        Self { line: Some(line), column: None, message }
    }

    /// With JSON that begins in line `first_line`.
    pub(super) fn of_json(error: &serde_json::Error, first_line: u64) -> Self {
        let message = Message::verbatim(shown(&cardiograph_core::json::without_place(error)));
        let line = first_line + error.line().saturating_sub(1) as u64;
        Self::at_column(line, error.column() as u64, message)
    }

    /// With a part of a line.
    pub fn at_column(line: u64, column: u64, message: Message) -> Self {
        Self { line: Some(line), column: Some(column), message }
    }
}

impl ImportProblem {
    /// What is wrong and where.
    pub fn message(&self) -> Message {
        let problem = self.message.clone();
        match (self.line, self.column) {
            (Some(line), Some(column)) => {
                message!("import-at.column", line = line, column = column, problem = problem)
            }
            (Some(line), None) => message!("import-at.line", line = line, problem = problem),
            (None, _) => problem,
        }
    }
}

/// All that is wrong with a text. Never empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportProblems {
    /// The first of them, in the order of the text.
    pub problems: Vec<ImportProblem>,
    /// How many there are beyond these.
    pub more: u64,
}

impl ImportProblems {
    /// All that is wrong and where, a line each.
    pub fn messages(&self) -> Vec<Message> {
        let more = (self.more > 0).then(|| message!("import-at.more", count = self.more));
        self.problems.iter().map(ImportProblem::message).chain(more).collect()
    }
}

/// For tests and developers.
impl fmt::Display for ImportProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.line, self.column) {
            (Some(line), Some(column)) => write!(f, "line {line}, column {column}: {}", self.message),
            (Some(line), None) => write!(f, "line {line}: {}", self.message),
            (None, _) => write!(f, "{}", self.message),
        }
    }
}

/// For tests and developers.
impl fmt::Display for ImportProblems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let problems: Vec<String> = self.problems.iter().map(ImportProblem::to_string).collect();
        f.write_str(&problems.join("\n"))
    }
}

impl std::error::Error for ImportProblems {}

impl From<ImportProblem> for ImportProblems {
    fn from(problem: ImportProblem) -> Self {
        Self { problems: vec![problem], more: 0 }
    }
}

/// Gathers problems while a text is read on, so that all are told at once.
#[derive(Debug, Clone, Default)]
pub struct Problems {
    kept: Vec<ImportProblem>,
    more: u64,
}

impl Problems {
    /// Takes in one.
    pub fn add(&mut self, problem: ImportProblem) {
        if self.kept.len() < KEPT_MAX { self.kept.push(problem) } else { self.more += 1 }
    }

    /// Takes in one with a line.
    pub fn at(&mut self, line: u64, message: Message) {
        self.add(ImportProblem::at(line, message));
    }

    /// The value, or `None` with its problem taken in.
    pub fn take<T>(&mut self, result: Result<T, ImportProblem>) -> Option<T> {
        result.map_err(|problem| self.add(problem)).ok()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.kept.len() + usize::try_from(self.more).unwrap_or(usize::MAX)
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    /// What was read, if there was no problem.
    ///
    /// # Errors
    /// The problems.
    pub fn or<T>(self, read: T) -> Result<T, ImportProblems> {
        if self.kept.is_empty() {
            return Ok(read);
        }
        Err(ImportProblems { problems: self.kept, more: self.more })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_are_told_with_their_places() {
        let mut problems = Problems::default();
        assert_eq!(problems.clone().or(7), Ok(7));
        assert_eq!(problems.take(Ok(3)), Some(3));
        let problem = || Message::verbatim("no unit");
        problems.at(2, problem());
        assert_eq!(problems.take::<()>(Err(ImportProblem::at_column(3, 7, problem()))), None);
        let told = problems.clone().or(7).unwrap_err().messages();
        assert_eq!(
            told,
            [
                message!("import-at.line", line = 2_u32, problem = problem()),
                message!("import-at.column", line = 3_u32, column = 7_u32, problem = problem()),
            ]
        );
        (0..100).for_each(|line| problems.at(line, problem()));
        let told = problems.or(()).unwrap_err().messages();
        assert_eq!((told.len(), told.last()), (21, Some(&message!("import-at.more", count = 82_u32))));
    }
}
