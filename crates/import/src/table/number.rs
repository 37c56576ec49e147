//! What looks like a number in a cell, whether it is one or not.

use super::super::amount::{ABOUT, behind_any};

/// What stands before a number that a figure is below or above.
const LIMITS: [&str; 16] = [
    "<=",
    ">=",
    "<",
    ">",
    "≤",
    "≥",
    "≦",
    "≧",
    "＜",
    "＞",
    "up to",
    "less than",
    "more than",
    "at least",
    "at most",
    "over",
];

/// What is said of a number before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Said {
    /// Nothing.
    Exact,
    /// That it is about so.
    About,
    /// That the figure is below or above it.
    Limit,
}

/// What is said of the number with which a text begins, and the text from that number on.
pub(super) fn said(text: &str) -> (Said, &str) {
    let text = text.trim();
    let of = |said: Said, words: &[&str]| Some((said, behind_any(text, words)?));
    of(Said::About, &ABOUT).or_else(|| of(Said::Limit, &LIMITS)).unwrap_or((Said::Exact, text))
}

/// What stands behind the number with which a text begins, as it stands there; `None` where it begins with none. Signs and
/// powers of ten are part of it: `-5`, `1.5e3`.
pub(super) fn rest(text: &str) -> Option<&str> {
    let (_, text) = said(text);
    let text = text.strip_prefix('±').unwrap_or(text).trim_start();
    let unsigned = text.trim_start_matches(['-', '+', '−']);
    let unsigned = unsigned.strip_prefix('.').unwrap_or(unsigned);
    if !unsigned.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let rest = unsigned.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ','));
    Some(behind_power(rest).unwrap_or(rest))
}

/// What stands behind the power of ten with which a text begins (`e3`).
fn behind_power(text: &str) -> Option<&str> {
    let digits = text.strip_prefix(['e', 'E'])?;
    let signed = digits.strip_prefix(['+', '-']).unwrap_or(digits);
    let rest = signed.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_end = !rest.starts_with(char::is_alphabetic) || rest.starts_with(|c: char| "kKMGBins".contains(c));
    // None where no digit stands there, or far too many.
    let is_power = digits[..digits.len() - rest.len()].parse::<i32>().is_ok();
    (is_end && is_power).then_some(rest)
}

/// A number with a power of ten (`1.5e3 MB/s`), and its unit. `None` for others, and where it is too large.
pub(super) fn with_power(text: &str) -> Option<(f64, &str)> {
    let text = text.trim();
    let at = text.find(|c: char| !c.is_ascii_digit() && c != '.')?;
    let unit = behind_power(&text[at..])?;
    let written = text[..text.len() - unit.len()].trim_end();
    let is_number = written.starts_with(|c: char| c.is_ascii_digit());
    let value: f64 = is_number.then(|| written.parse().ok())??;
    value.is_finite().then_some((value, unit.trim()))
}
