//! Tables as all forms have them: texts in rows and columns.

use std::ops::Range;

use crate::text::layout::widest;

/// A table. The first cell of a row is its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Grid {
    /// A heading for each column; may be empty.
    pub headings: Vec<String>,
    /// Whether each column is of numbers, which stand at its right.
    pub is_number: Vec<bool>,
    pub rows: Vec<Vec<String>>,
}

impl Grid {
    /// A table of which the columns `numbers` are of numbers.
    pub(crate) fn of(
        headings: impl IntoIterator<Item = impl Into<String>>,
        numbers: Range<usize>,
        rows: impl IntoIterator<Item = Vec<String>>,
    ) -> Self {
        let headings: Vec<String> = headings.into_iter().map(Into::into).collect();
        let is_number = (0..headings.len()).map(|column| numbers.contains(&column)).collect();
        Self { headings, is_number, rows: rows.into_iter().collect() }
    }

    /// How many columns of a terminal each column takes.
    pub(crate) fn widths(&self) -> Vec<usize> {
        let cells = |column: usize| self.rows.iter().filter_map(move |row| row.get(column));
        (0..self.headings.len()).map(|at| widest(cells(at).chain([&self.headings[at]]))).collect()
    }
}
