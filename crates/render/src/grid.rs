//! Tables as all forms have them: texts in rows and columns.

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
    /// How many columns of a terminal each column takes.
    pub(crate) fn widths(&self) -> Vec<usize> {
        let cells = |column: usize| self.rows.iter().filter_map(move |row| row.get(column));
        (0..self.headings.len()).map(|at| widest(cells(at).chain([&self.headings[at]]))).collect()
    }
}
