//! Tables in a form for all media: texts in rows and columns.

/// A table. The first cell of a row is its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Grid {
    /// A heading for each column; may be empty.
    pub headings: Vec<String>,
    /// Whether each column holds numbers, which are aligned to the right.
    pub is_number: Vec<bool>,
    pub rows: Vec<Vec<String>>,
}
