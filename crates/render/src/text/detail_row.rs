//! Rows with words on the left, as all details have them.

use cardiograph_core::{Estimate, units};

use super::layout::{Page, pad_end};

/// Columns of the words on the left.
pub(super) const LABEL_COLUMNS: usize = 16;

/// Writes a row.
pub(super) fn row(page: &mut Page, label: &str, text: &str) {
    page.prose(&format!("  {}", pad_end(label, LABEL_COLUMNS)), text);
}

/// The interval of an estimate behind its value; empty where it has none.
pub(super) fn interval(estimate: &Estimate, unit: impl Fn(f64) -> String) -> String {
    match estimate.low.zip(estimate.high) {
        Some((low, high)) => format!(", 95 % interval {}", units::range(&unit(low), &unit(high))),
        None => String::new(),
    }
}
