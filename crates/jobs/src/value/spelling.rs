//! Normalises values that fio accepts although they are malformed.
//!
//! fio parses a number as far as it understands it and drops the rest: `10M/s` is 10M, `1.5` is 1. These functions turn
//! such a value into one that the parsers of this module accept. Well-formed values stay unchanged, as do values whose
//! dropped rest matters (`1.5g`, which is 1 byte for fio), so that the parser refuses them.

use std::borrow::Cow;

use super::time::unit_ns_of;
use super::{
    PERCENTILES_MAX, SPLIT_PARTS_MAX, ValueError, parse_bytes, parse_decimal, parse_duration_ns, parse_signed,
};

/// Separators of lists; as in fio, a list is split at the first of these that it contains: `4k-8k,16k` is 4k and 16k.
const SEPARATORS: [char; 3] = [',', ':', '-'];

/// Digits of a whole number with sign and `0x`, and the rest; `None` without digits.
fn split_digits(text: &str) -> Option<(&str, &str)> {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let sign = text.len() - unsigned.len();
    let hexadecimal = unsigned.strip_prefix("0x").or_else(|| unsigned.strip_prefix("0X"));
    let (start, is_digit): (_, fn(char) -> bool) = match hexadecimal {
        Some(digits) if digits.starts_with(|c: char| c.is_ascii_hexdigit()) => {
            (sign + 2, |c| c.is_ascii_hexdigit())
        }
        _ => (sign, |c| c.is_ascii_digit()),
    };
    let end = text[start..].find(|c| !is_digit(c)).map_or(text.len(), |len| start + len);
    // fio also finds `0x` in `70x`, and treats it as hexadecimal.
    let is_odd = text[..end].ends_with('0') && text[end..].starts_with(['x', 'X']);
    (end > start && !is_odd).then(|| text.split_at(end))
}

/// A fraction and what follows it.
fn split_fraction(rest: &str) -> Option<(&str, &str)> {
    let digits = rest.strip_prefix('.')?;
    let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
    Some(digits.split_at(end))
}

/// Whether dropping the `rest` of a number changes its meaning.
fn decides(rest: &str) -> bool {
    let is_exponent = rest.strip_prefix(['e', 'E']).is_some_and(|exponent| {
        exponent.trim_start_matches(['+', '-']).starts_with(|c: char| c.is_ascii_digit())
    });
    let goes_on =
        rest.strip_prefix(['_', '\'']).is_some_and(|more| more.starts_with(|c: char| c.is_ascii_digit()));
    // fio reads only the first number of an expression.
    let is_calculated = rest.starts_with(['*', '^']);
    let behind_fraction = split_fraction(rest).map_or("", |(_, behind)| behind.trim_start());
    let is_unit_apart = |text: &str| text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '%');
    let is_apart = rest.starts_with(char::is_whitespace) && is_unit_apart(rest.trim_start());
    is_exponent || goes_on || is_calculated || is_apart || is_unit_apart(behind_fraction)
}

/// A size or a count: digits and the unit that fio finds after them.
pub(crate) fn size(text: &str) -> Cow<'_, str> {
    let trimmed = text.trim();
    match split_digits(trimmed) {
        Some((number, rest)) if parse_bytes(trimmed).is_err_and(|error| error != ValueError::TooLarge) => {
            let unit = rest.len() - behind_unit(rest).len();
            let is_decimal = !number.contains(['x', 'X']);
            if decides(&rest[unit..]) && unit == 0
                || rest.starts_with('%')
                || number.starts_with('-')
                || !is_decimal
            {
                return text.into();
            }
            Cow::Owned(format!("{}{}", number.trim_start_matches('+'), &rest[..unit]))
        }
        _ => text.into(),
    }
}

/// The text after the unit of a size.
fn behind_unit(rest: &str) -> &str {
    let skip =
        |text: &'_ str, letters: &str| text.starts_with(|c: char| letters.contains(c.to_ascii_lowercase()));
    if skip(rest, "kmgtp") {
        let behind = &rest[1..];
        let behind_i = if skip(behind, "i") { &behind[1..] } else { behind };
        return if skip(behind_i, "b") { &behind_i[1..] } else { behind_i };
    }
    if skip(rest, "b") { &rest[1..] } else { rest }
}

/// A size or a percentage; `100%%` means `100%`.
pub(crate) fn amount(text: &str) -> Cow<'_, str> {
    match split_digits(text.trim()) {
        Some((number, rest)) if rest.starts_with('%') && rest.len() > 1 => Cow::Owned(format!("{number}%")),
        // A number of zones.
        Some((_, rest)) if rest.starts_with(['z', 'Z']) => text.into(),
        _ => size(text),
    }
}

/// A percentage, with or without the sign.
pub(crate) fn percent(text: &str) -> Cow<'_, str> {
    match split_digits(text.trim()) {
        Some((number, rest)) if rest.starts_with('%') => Cow::Owned(number.to_string()),
        _ => size(text),
    }
}

/// A whole number with a sign.
pub(crate) fn signed(text: &str) -> Cow<'_, str> {
    let trimmed = text.trim();
    match split_digits(trimmed) {
        Some((number, rest))
            if parse_signed(trimmed).is_err() && !decides(rest) && behind_unit(rest).len() == rest.len() =>
        {
            Cow::Owned(number.to_string())
        }
        _ => text.into(),
    }
}

/// A time; a number without a unit counts `default_unit_ns`.
pub(crate) fn time(text: &str, default_unit_ns: u64) -> Cow<'_, str> {
    let trimmed = text.trim();
    let Some((number, rest)) = split_digits(trimmed) else { return text.into() };
    if parse_duration_ns(trimmed, default_unit_ns).is_ok() || number.starts_with('-') {
        return text.into();
    }
    let number = number.trim_start_matches('+');
    let head = rest.get(..2).unwrap_or_default().to_ascii_lowercase();
    if head == "ms" || head == "us" {
        return Cow::Owned(format!("{number}{head}"));
    }
    // fio looks for a unit only after a letter: the time must not change.
    let unit = split_fraction(rest).map_or(rest, |(_, behind)| behind).trim();
    let is_apart =
        !rest.starts_with(|c: char| c.is_ascii_alphabetic()) && !decides(&rest[rest.len() - unit.len()..]);
    let is_default =
        !unit.starts_with(|c: char| c.is_ascii_alphabetic()) || unit_ns_of(unit) == Some(default_unit_ns);
    let is_clock = rest.starts_with(':');
    if is_apart && is_default && !is_clock && !rest.starts_with(['_', '\'']) {
        Cow::Owned(number.to_string())
    } else {
        text.into()
    }
}

/// A decimal number, as far as C parses it.
pub(crate) fn decimal(text: &str) -> Cow<'_, str> {
    let trimmed = text.trim();
    if parse_decimal(trimmed).is_ok() {
        return text.into();
    }
    if let Some((number, _)) = split_digits(trimmed).filter(|(number, _)| number.starts_with("0x")) {
        let value = u64::from_str_radix(&number[2..], 16);
        return value.map_or(text.into(), |value| Cow::Owned(value.to_string()));
    }
    let end = trimmed.find(|c: char| !c.is_ascii_digit() && !"+.eE-".contains(c)).unwrap_or(trimmed.len());
    // The longest prefix that is a number.
    let value = (1..=end.min(64)).rev().find_map(|end| trimmed[..end].parse::<f64>().ok());
    match value {
        Some(value) if value >= 0.0 && value.is_finite() => Cow::Owned(value.to_string()),
        _ => text.into(),
    }
}

/// 0 or 1. fio reads the digits; a flag is also on with any other number.
pub(crate) fn switch(text: &str, is_flag: bool) -> Cow<'_, str> {
    let trimmed = text.trim();
    if matches!(trimmed, "" | "0" | "1") {
        return text.into();
    }
    let value =
        split_digits(trimmed).and_then(|(number, _)| parse_bytes(number.trim_start_matches('+')).ok());
    match value {
        Some(0) => "0".into(),
        Some(number) if number == 1 || is_flag => "1".into(),
        _ => text.into(),
    }
}

/// One of some words, without the text that fio ignores: `crc32c,md5`.
pub(crate) fn word<'t>(text: &'t str, words: &[&str]) -> Cow<'t, str> {
    match text.split_once([',', ':']) {
        Some((word, _)) if words.contains(&word) => Cow::Owned(word.to_string()),
        _ => text.into(),
    }
}

/// Splits a text at its first separator, and the rest recursively.
fn parts(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = text;
    loop {
        // A sign is not a separator.
        let from = rest.len().min(1);
        let found = SEPARATORS.iter().find_map(|&separator| {
            let from = if separator == '-' && rest.is_char_boundary(from) { from } else { 0 };
            rest[from..].find(separator).map(|at| at + from)
        });
        let Some(at) = found else { break };
        parts.push(&rest[..at]);
        rest = &rest[at + 1..];
    }
    parts.push(rest);
    parts
}

/// Values for reads, writes and trims. More than three are dropped.
pub(crate) fn per_direction(text: &str, item: impl Fn(&str) -> Cow<'_, str>) -> Cow<'_, str> {
    let parts = parts(text);
    if parts.iter().all(|part| part.trim().is_empty()) {
        return text.into();
    }
    joined(text, parts.iter().take(3).map(|part| item(part)), ",")
}

/// As `per_direction`, for values with colons or hyphens, split only at commas.
pub(crate) fn by_comma(text: &str, item: impl Fn(&str) -> Cow<'_, str>) -> Cow<'_, str> {
    joined(
        text,
        text.split(',').map(|part| if part.trim().is_empty() { part.into() } else { item(part) }),
        ",",
    )
}

/// The effective one of several values for a single-valued option: fio applies each in turn to some options, so the
/// last remains.
pub(crate) fn single(text: &str, last_counts: bool, item: impl Fn(&str) -> Cow<'_, str>) -> Cow<'_, str> {
    let parts = parts(text);
    if parts.len() == 1 || text.starts_with('-') {
        return item(text);
    }
    let mut written = parts.into_iter().filter(|part| !part.trim().is_empty());
    let part = if last_counts { written.next_back() } else { written.next() };
    part.map_or(text.into(), |part| Cow::Owned(item(part).into_owned()))
}

/// A value, or a range: two ends with any separator.
pub(crate) fn range(text: &str, item: impl Fn(&str) -> Cow<'_, str>) -> Cow<'_, str> {
    let parts = parts(text);
    if parts.len() == 1 || text.starts_with('-') {
        return item(text);
    }
    let ends: Vec<Cow<'_, str>> =
        parts.iter().filter(|part| !part.trim().is_empty()).take(2).map(|part| item(part)).collect();
    if ends.is_empty() { text.into() } else { joined(text, ends.into_iter(), "-") }
}

/// A range of sizes for `bsrange`, which drops the text after it.
pub(crate) fn size_range(text: &str) -> Cow<'_, str> {
    match text.split_once(['-', ':']) {
        Some((from, to)) if !from.is_empty() && !to.trim().is_empty() => {
            let separator = if text[from.len()..].starts_with(':') { ":" } else { "-" };
            joined(text, [size(from), size(to)].into_iter(), separator)
        }
        _ => text.into(),
    }
}

/// A mix of sizes with their shares: it ends at the first empty part, and invalid shares are filled in.
pub(crate) fn split(text: &str) -> Cow<'_, str> {
    let parts = text.split(':').take_while(|part| !part.trim().is_empty()).take(SPLIT_PARTS_MAX + 1);
    let part = |part| match str::split_once(part, '/') {
        Some((len, share)) => Cow::Owned(format!("{}/{}", size(len), share_of(share))),
        None => size(part),
    };
    joined(text, parts.map(part), ":")
}

/// The digits of a percentage; empty if there are none.
fn share_of(text: &str) -> &str {
    let text = text.trim();
    &text[..text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len())]
}

/// Zones with their shares of I/Os and lengths. A missing length is what the others leave.
pub(crate) fn zones(text: &str, is_absolute: bool) -> Cow<'_, str> {
    let parts: Vec<(&str, &str)> = text
        .split(':')
        .take_while(|part| !part.trim().is_empty())
        .map(|part| part.split_once('/').unwrap_or((part, "")))
        .collect();
    let lens = parts
        .iter()
        .map(|(_, len)| if is_absolute { size(len.trim_end_matches('/')) } else { share_of(len).into() });
    let lens: Vec<Cow<'_, str>> = lens.collect();
    let written: u32 = lens.iter().filter_map(|len| len.parse::<u32>().ok()).fold(0, u32::saturating_add);
    let missing = lens.iter().filter(|len| len.is_empty()).count() as u32;
    let left = 100_u32.saturating_sub(written).checked_div(missing).unwrap_or(0).to_string();
    let zone = |((share, _), len): (&(&str, &str), &Cow<'_, str>)| {
        let len = if len.is_empty() && !is_absolute { &*left } else { &**len };
        Cow::Owned(format!("{}/{len}", if share_of(share).is_empty() { share } else { share_of(share) }))
    };
    joined(text, parts.iter().zip(&lens).map(zone), ":")
}

/// Decimal numbers separated by colons.
pub(crate) fn decimals(text: &str) -> Cow<'_, str> {
    joined(text, text.split(':').map(decimal), ":")
}

/// Percentiles, up to the first invalid one and fio's maximum number.
pub(crate) fn percentiles(text: &str) -> Cow<'_, str> {
    let is_one =
        |part: &Cow<'_, str>| parse_decimal(part).is_ok_and(|percent| percent > 0.0 && percent <= 100.0);
    joined(text, text.split(':').map(decimal).take_while(is_one).take(PERCENTILES_MAX), ":")
}

/// CPUs and ranges of them, up to the first empty part.
pub(crate) fn cpus(text: &str) -> Cow<'_, str> {
    let number = |text: &str| match split_digits(text.trim()) {
        Some((number, rest)) if !rest.is_empty() && !decides(rest) => number.to_string(),
        _ => text.to_string(),
    };
    let part = |part: &str| match part.split_once('-') {
        Some((from, to)) if !from.is_empty() && to.trim().is_empty() => Cow::Owned(number(from)),
        Some((from, to)) if !from.is_empty() => Cow::Owned(format!("{}-{}", number(from), number(to))),
        _ => Cow::Owned(number(part)),
    };
    joined(text, text.split(',').take_while(|part| !part.trim().is_empty()).map(part), ",")
}

/// Errors by name or number, without empty parts.
pub(crate) fn errors(text: &str) -> Cow<'_, str> {
    let list = text.split(':').filter(|part| !part.trim().is_empty()).map(size);
    joined(text, list, ":")
}

/// Joins normalised parts; the text itself if nothing is left, or nothing changes.
fn joined<'t, 'p>(text: &'t str, parts: impl Iterator<Item = Cow<'p, str>>, separator: &str) -> Cow<'t, str> {
    let joined = parts.collect::<Vec<_>>().join(separator);
    if joined.is_empty() || joined == text { text.into() } else { Cow::Owned(joined) }
}
