//! What looks like a number in a cell, whether it is one or not.

/// What stands behind the number with which a text begins, as it stands there; `None` where it begins with none. Signs and
/// powers of ten are part of it: `-5`, `1.5e3`.
pub(super) fn rest(text: &str) -> Option<&str> {
    let text = text.trim();
    let text = ["about", "~", "約", "<", "±"].iter().find_map(|word| text.strip_prefix(word)).unwrap_or(text);
    let text = text.trim_start();
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
