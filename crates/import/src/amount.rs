//! Numbers with units, as other programs and people write them.

use cardiograph_core::metric::Unit;
use cardiograph_core::text::shown;
use cardiograph_core::{Message, message};

/// Signs and words for an approximate number.
pub(super) const ABOUT: [&str; 12] =
    ["about", "approximately", "approx.", "approx", "around", "circa", "ca.", "~", "～", "〜", "≈", "約"];

/// A number with its unit, such as `22.7 MiB/s`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Amount<'a> {
    /// As written, without thousands separators.
    digits: &'a str,
    /// The text after the number, trimmed.
    pub(crate) unit: &'a str,
}

impl<'a> Amount<'a> {
    /// Parses a text that starts with a number, after an optional word of [`ABOUT`]. `None` without a number.
    pub(crate) fn parse(text: &'a str) -> Option<Self> {
        let text = text.trim();
        let text = strip_any(text, &ABOUT).unwrap_or(text);
        let is_part = |c: char| c.is_ascii_digit() || matches!(c, '.' | ',');
        let end = text.find(|c| !is_part(c)).unwrap_or(text.len());
        let (digits, unit) = text.split_at(end);
        let begins = digits.starts_with(|c: char| c.is_ascii_digit());
        begins.then(|| Self { digits: digits.trim_end_matches([',', '.']), unit: unit.trim() })
    }

    /// The number without thousands separators. `None` if a comma is not followed by three digits: it could be a
    /// decimal comma.
    pub(crate) fn number(&self) -> Option<f64> {
        number(self.digits)
    }

    /// The value of one in the last significant digit: 0.1 for `22.7`, 100 for `3,800`.
    #[cfg(test)]
    pub(crate) fn last_digit(&self) -> f64 {
        let plain = self.digits.replace(',', "");
        match plain.split_once('.') {
            Some((_, decimals)) => 0.1_f64.powi(decimals.len() as i32),
            None => 10_f64.powi((plain.len() - plain.trim_end_matches('0').len()) as i32),
        }
    }
}

/// The rest of a text after any of `words`, ignoring case.
pub(super) fn strip_any<'t>(text: &'t str, words: &[&str]) -> Option<&'t str> {
    let behind = |word: &&str| {
        let (first, rest) = text.split_at_checked(word.len())?;
        first.eq_ignore_ascii_case(word).then(|| rest.trim_start())
    };
    words.iter().find_map(behind)
}

/// Parses a number as programs print it: digits with optional thousands separators and decimal point. Not negative,
/// finite.
pub(crate) fn number(text: &str) -> Option<f64> {
    let (whole, decimals) = text.split_once('.').unwrap_or((text, ""));
    let are_digits = |text: &str| text.chars().all(|c| c.is_ascii_digit());
    let mut groups = whole.split(',');
    let first = groups.next().unwrap_or("");
    let groups: Vec<&str> = groups.collect();
    let are_thousands =
        groups.is_empty() || (first.len() <= 3 && groups.iter().all(|group| group.len() == 3));
    let is_number = are_thousands
        && !first.is_empty()
        && are_digits(first)
        && groups.iter().all(|group| are_digits(group))
        && are_digits(decimals);
    let value: f64 = is_number.then(|| whole.replace(',', "") + "." + decimals + "0")?.parse().ok()?;
    value.is_finite().then_some(value)
}

/// Like [`number`], with an error.
pub(crate) fn plain(text: &str) -> Result<f64, Message> {
    number(text.trim()).ok_or_else(|| message!("import-value.not-a-number", text = shown(text.trim())))
}

/// Parses a number followed by one of `units`, each with its factor.
pub(crate) fn in_units(text: &str, units: &[(&str, f64)]) -> Result<f64, Message> {
    let text = text.trim();
    let end = text.find(|c: char| !matches!(c, '0'..='9' | '.' | ',')).unwrap_or(text.len());
    let (digits, unit) = (&text[..end], text[end..].trim());
    let known = units.iter().find(|(name, _)| *name == unit);
    let unknown = || message!("import-value.unknown-unit", text = shown(text), unit = shown(unit));
    let (_, factor) = known.ok_or_else(unknown)?;
    Ok(plain(digits)? * factor)
}

/// Parses a number with a unit of this kind, to base units: bytes, nanoseconds, or per second.
pub(crate) fn with_unit(text: &str, kind: Unit) -> Result<f64, Message> {
    let read = Amount::parse(text).and_then(|amount| {
        let (base, factor) = unit(amount.unit)?;
        (base == kind).then_some(amount.number()? * factor)
    });
    read.ok_or_else(|| message!("import-value.wrong-unit", text = shown(text)))
}

/// Parses a whole number.
pub(super) fn whole(text: &str) -> Result<u64, Message> {
    text.trim().parse().map_err(|_| message!("import-value.not-whole", text = shown(text.trim())))
}

/// The kind of a unit and its factor to the base unit. Ambiguous units are SI here (`MB/s` is 10^6 bytes per second);
/// sources that mean something else state so. `None` for unknown units.
pub(crate) fn unit(text: &str) -> Option<(Unit, f64)> {
    let text = text.trim();
    if let Some(size) = text.strip_suffix("/s").or_else(|| text.strip_suffix("/sec")) {
        let (base, factor) = bytes(size)?;
        return (base == Unit::Bytes).then_some((Unit::BytesPerSecond, factor));
    }
    let time = match text {
        "ns" | "nsec" => 1.0,
        "us" | "µs" | "μs" | "usec" => 1e3,
        "ms" | "msec" => 1e6,
        "s" | "sec" | "secs" | "seconds" => 1e9,
        "min" => 60e9,
        "IOPS" | "iops" => return Some((Unit::IosPerSecond, 1.0)),
        "k iops" | "kIOPS" => return Some((Unit::IosPerSecond, 1e3)),
        "M iops" => return Some((Unit::IosPerSecond, 1e6)),
        "" => return Some((Unit::Count, 1.0)),
        _ => return bytes(text),
    };
    Some((Unit::Nanoseconds, time))
}

fn bytes(text: &str) -> Option<(Unit, f64)> {
    const BINARY: [&str; 5] = ["B", "KiB", "MiB", "GiB", "TiB"];
    const DECIMAL: [&str; 5] = ["B", "kB", "MB", "GB", "TB"];
    let power = |units: [&str; 5]| units.iter().position(|unit| *unit == text);
    let factor = match (power(BINARY), power(DECIMAL)) {
        (Some(power), _) => 1_024_f64.powi(power as i32),
        (None, Some(power)) => 1_000_f64.powi(power as i32),
        (None, None) if text == "KB" => 1_000.0,
        (None, None) => return None,
    };
    Some((Unit::Bytes, factor))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_their_units() {
        for (text, value, unit) in [
            ("22.7 MiB/s", 22.7, "MiB/s"),
            ("3,786 IOPS", 3_786.0, "IOPS"),
            ("971.3MB/s", 971.3, "MB/s"),
            ("約 3.7 GiB", 3.7, "GiB"),
            ("~4.2 ms", 4.2, "ms"),
            ("About 7 ms", 7.0, "ms"),
            ("≈7", 7.0, ""),
            ("12", 12.0, ""),
            ("1,234,567.5", 1_234_567.5, ""),
        ] {
            let amount = Amount::parse(text).unwrap();
            assert_eq!((amount.number(), amount.unit), (Some(value), unit), "{text}");
        }
        for text in ["TODO", "Sad", "", "-", "-5", "nan", "inf", ".5", "+++++", "<5", ">5", "aboutt 5"] {
            assert_eq!(Amount::parse(text), None, "{text}");
        }
        // Decimal comma or typo: ambiguous.
        for text in ["1,5", "12,34", "1234,567", "1,,234", "1.2.3", "9".repeat(400).as_str()] {
            assert_eq!(Amount::parse(text).and_then(|amount| amount.number()), None, "{text}");
        }
        let last = |text| Amount::parse(text).unwrap().last_digit();
        assert_eq!((last("22"), last("3,800"), last("31.0")), (1.0, 100.0, 0.1));
    }

    #[test]
    fn units_have_their_factors() {
        use Unit::{Bytes, BytesPerSecond, Count, IosPerSecond, Nanoseconds};
        for (text, expected) in [
            ("MiB/s", Some((BytesPerSecond, 1_048_576.0))),
            ("MB/s", Some((BytesPerSecond, 1e6))),
            ("kB/s", Some((BytesPerSecond, 1e3))),
            ("KiB/sec", Some((BytesPerSecond, 1_024.0))),
            ("B/s", Some((BytesPerSecond, 1.0))),
            ("IOPS", Some((IosPerSecond, 1.0))),
            ("µs", Some((Nanoseconds, 1e3))),
            ("GiB", Some((Bytes, 1_073_741_824.0))),
            ("", Some((Count, 1.0))),
            ("Mbit/s", None),
            ("ms/s", None),
            ("furlongs", None),
        ] {
            assert_eq!(unit(text), expected, "{text}");
        }
    }
}
