//! A figure of all groups.

use cardiograph_judge::compare::Judgement;

/// A figure of all groups.
pub(crate) struct Row {
    /// What it is.
    pub name: String,
    /// Each group's value; `-` where it has none.
    pub values: Vec<String>,
    /// How well each is known, as `±2.1 %`; empty where that is not known.
    pub reaches: Vec<String>,
    /// Each group beside the base; empty of the base, and where there is nothing to say.
    pub remarks: Vec<String>,
    /// The same in a few columns, of the group itself: `1.4x better`.
    pub short_remarks: Vec<String>,
    /// The same as the bare ratio to the base's value: `0.71x`.
    pub ratios: Vec<String>,
    /// Whether each group's value is marked as the best, or about the same; of none where that is not shown.
    pub best: Vec<bool>,
    /// Whether each group is better or worse; `None` where that is not known.
    pub judgements: Vec<Option<Judgement>>,
}
