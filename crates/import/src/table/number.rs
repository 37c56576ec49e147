//! Finds numbers at the beginning of cells.

use super::super::amount::{ABOUT, strip_any};

/// Signs and words before a number that is a limit.
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

/// The qualifier before a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Qualifier {
    /// None.
    Exact,
    /// The number is approximate.
    Approximate,
    /// The number is a limit.
    Limit,
}

/// Splits the qualifier from the text that follows.
pub(super) fn split_qualifier(text: &str) -> (Qualifier, &str) {
    let text = text.trim();
    let split = |qualifier: Qualifier, words: &[&str]| Some((qualifier, strip_any(text, words)?));
    split(Qualifier::Approximate, &ABOUT)
        .or_else(|| split(Qualifier::Limit, &LIMITS))
        .unwrap_or((Qualifier::Exact, text))
}

/// The text after a number at the beginning of `text`; `None` without a number. A sign and a power of ten are part of
/// the number: `-5`, `1.5e3`.
pub(super) fn rest(text: &str) -> Option<&str> {
    let (_, text) = split_qualifier(text);
    let text = text.strip_prefix('±').unwrap_or(text).trim_start();
    let unsigned = text.trim_start_matches(['-', '+', '−']);
    let unsigned = unsigned.strip_prefix('.').unwrap_or(unsigned);
    if !unsigned.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let rest = unsigned.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ','));
    Some(behind_power(rest).unwrap_or(rest))
}

/// The text after a power of ten (`e3`).
fn behind_power(text: &str) -> Option<&str> {
    let digits = text.strip_prefix(['e', 'E'])?;
    let signed = digits.strip_prefix(['+', '-']).unwrap_or(digits);
    let rest = signed.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_end = !rest.starts_with(char::is_alphabetic) || rest.starts_with(|c: char| "kKMGBins".contains(c));
    // `None` without digits or with far too many.
    let is_power = digits[..digits.len() - rest.len()].parse::<i32>().is_ok();
    (is_end && is_power).then_some(rest)
}

/// Parses a number with a power of ten (`1.5e3 MB/s`), and its unit. `None` for other text, and if it is too large.
pub(super) fn with_power(text: &str) -> Option<(f64, &str)> {
    let text = text.trim();
    let at = text.find(|c: char| !c.is_ascii_digit() && c != '.')?;
    let unit = behind_power(&text[at..])?;
    let written = text[..text.len() - unit.len()].trim_end();
    let is_number = written.starts_with(|c: char| c.is_ascii_digit());
    let value: f64 = is_number.then(|| written.parse().ok())??;
    value.is_finite().then_some((value, unit.trim()))
}
