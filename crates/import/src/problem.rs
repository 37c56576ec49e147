//! Why a text is not imported: every problem with its location.

use std::fmt;

use cardiograph_core::text::shown;
use cardiograph_core::{Message, message};

/// Number of problems that are kept.
const KEPT_MAX: usize = 20;

/// A problem in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportProblem {
    /// The line, from 1; `None` for the whole text.
    pub line: Option<u64>,
    /// The column in characters, from 1; `None` for the whole line.
    pub column: Option<u64>,
    /// A phrase with the problem, and what was expected.
    pub message: Message,
}

impl ImportProblem {
    /// A problem with the whole text.
    pub fn whole_text(message: Message) -> Self {
        Self { line: None, column: None, message }
    }

    /// A problem with a line.
    pub fn at_line(line: u64, message: Message) -> Self {
        Self { line: Some(line), column: None, message }
    }

    /// A JSON error, in a document that starts at `first_line`.
    pub(super) fn from_json(error: &serde_json::Error, first_line: u64) -> Self {
        let message = Message::verbatim(shown(&cardiograph_core::json::without_place(error)));
        let line = first_line + error.line().saturating_sub(1) as u64;
        Self::at_column(line, error.column() as u64, message)
    }

    /// A problem at a column.
    pub fn at_column(line: u64, column: u64, message: Message) -> Self {
        Self { line: Some(line), column: Some(column), message }
    }
}

impl ImportProblem {
    /// The problem with its location.
    pub fn message(&self) -> Message {
        let problem = self.message.clone();
        match (self.line, self.column) {
            (Some(line), Some(column)) => message!("import-at.column", line, column, problem),
            (Some(line), None) => message!("import-at.line", line, problem),
            (None, _) => problem,
        }
    }
}

/// All problems of a text, at least one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportProblems {
    /// The first ones, in the order of the text.
    pub problems: Vec<ImportProblem>,
    /// Number of further problems.
    pub more: u64,
}

impl ImportProblems {
    /// Whether the text has no results of the format.
    pub(super) fn is_nothing(&self) -> bool {
        self.problems.iter().all(|problem| problem.message.id() == "import-text.nothing")
    }

    /// All problems with their locations, one per line.
    pub fn messages(&self) -> Vec<Message> {
        let more = (self.more > 0).then(|| message!("import-at.more", count = self.more));
        self.problems.iter().map(ImportProblem::message).chain(more).collect()
    }
}

/// Used only by tests and in debugging.
impl fmt::Display for ImportProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.line, self.column) {
            (Some(line), Some(column)) => write!(f, "line {line}, column {column}: {}", self.message),
            (Some(line), None) => write!(f, "line {line}: {}", self.message),
            (None, _) => write!(f, "{}", self.message),
        }
    }
}

/// Used only by tests and in debugging.
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

/// Collects problems while reading continues, to report all at once.
#[derive(Debug, Clone, Default)]
pub struct Problems {
    kept: Vec<ImportProblem>,
    more: u64,
}

impl Problems {
    /// Adds a problem.
    pub fn add(&mut self, problem: ImportProblem) {
        if self.kept.len() < KEPT_MAX { self.kept.push(problem) } else { self.more += 1 }
    }

    /// Adds a problem in a line.
    pub fn add_at(&mut self, line: u64, message: Message) {
        self.add(ImportProblem::at_line(line, message));
    }

    /// The value, or `None` after adding its problem.
    pub fn take<T>(&mut self, result: Result<T, ImportProblem>) -> Option<T> {
        result.map_err(|problem| self.add(problem)).ok()
    }

    /// Number of problems.
    pub fn len(&self) -> usize {
        self.kept.len() + usize::try_from(self.more).unwrap_or(usize::MAX)
    }

    /// Whether there are no problems.
    pub fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    /// Returns `read` if there were no problems.
    ///
    /// # Errors
    /// The problems.
    pub fn result<T>(self, read: T) -> Result<T, ImportProblems> {
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
    fn all_problems_have_locations() {
        let mut problems = Problems::default();
        assert_eq!(problems.clone().result(7), Ok(7));
        assert_eq!(problems.take(Ok(3)), Some(3));
        let problem = || Message::verbatim("no unit");
        problems.add_at(2, problem());
        assert_eq!(problems.take::<()>(Err(ImportProblem::at_column(3, 7, problem()))), None);
        let messages = problems.clone().result(7).unwrap_err().messages();
        assert_eq!(
            messages,
            [
                message!("import-at.line", line = 2_u32, problem = problem()),
                message!("import-at.column", line = 3_u32, column = 7_u32, problem = problem()),
            ]
        );
        (0..100).for_each(|line| problems.add_at(line, problem()));
        let messages = problems.result(()).unwrap_err().messages();
        assert_eq!(
            (messages.len(), messages.last()),
            (21, Some(&message!("import-at.more", count = 82_u32)))
        );
    }
}
