//! Numbers as fio prints them.

use cardiograph_core::text::shown;
use cardiograph_core::{Message, Parameter, message};

use super::super::amount::in_units;
pub(super) use super::super::amount::{plain as number, whole};

/// fio 2 uses decimal names for binary units; fio 3 distinguishes them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum UnitNames {
    /// `KB` is 1,024 bytes.
    Version2,
    /// `KiB` is 1,024 bytes and `kB` 1,000.
    #[default]
    Version3,
}

/// Parses a number with an optional suffix for thousands, millions, ...: `12.3k`.
pub(super) fn scaled(text: &str) -> Result<f64, Message> {
    const SUFFIXES: [(&str, f64); 11] = [
        ("", 1.0),
        ("k", 1e3),
        ("K", 1e3),
        ("m", 1e6),
        ("M", 1e6),
        ("g", 1e9),
        ("G", 1e9),
        ("t", 1e12),
        ("T", 1e12),
        ("p", 1e15),
        ("P", 1e15),
    ];
    in_units(text, &SUFFIXES)
}

/// Parses a number of bytes: `99.0MiB`, `104MB`. The `/s` of a speed must be stripped before.
pub(super) fn bytes(text: &str, names: UnitNames) -> Result<f64, Message> {
    let (digits, unit) = split_number(text);
    Ok(number(digits)? * byte_factor(unit, names).ok_or_else(|| unknown_unit(text, unit))?)
}

/// Parses a speed: `22.7MiB/s`.
pub(super) fn bytes_per_s(text: &str, names: UnitNames) -> Result<f64, Message> {
    let text = text.trim();
    let amount =
        text.strip_suffix("/s").ok_or_else(|| message!("import-value.not-a-speed", text = shown(text)))?;
    bytes(amount, names)
}

/// Length of a speed's unit in bytes, as in `bw (  KiB/s)`.
pub(super) fn speed_unit(unit: &str, names: UnitNames) -> Result<f64, Message> {
    let plain: String = unit.chars().filter(|c| !c.is_whitespace()).collect();
    let factor = plain.strip_suffix("/s").and_then(|unit| byte_factor(unit, names));
    factor.ok_or_else(|| message!("import-value.not-a-unit-of-speed", unit = shown(unit.trim())))
}

/// Length of a unit of time in nanoseconds, as in `clat (usec)`.
pub(super) fn time_unit(unit: &str) -> Result<f64, Message> {
    match unit.trim() {
        "nsec" => Ok(1.0),
        "usec" => Ok(1e3),
        "msec" => Ok(1e6),
        "sec" => Ok(1e9),
        unit => {
            let units = Parameter::all(["nsec", "usec", "msec", "sec"]);
            Err(message!("import-value.not-a-unit-of-time", unit = shown(unit), units))
        }
    }
}

/// Parses milliseconds, as in `4353msec`.
pub(super) fn msec(text: &str) -> Result<u64, Message> {
    let text = text.trim();
    whole(text.strip_suffix("msec").ok_or_else(|| message!("import-value.not-msec", text = shown(text)))?)
}

fn byte_factor(unit: &str, names: UnitNames) -> Option<f64> {
    let (unit, bits) = match unit.strip_suffix("bit") {
        Some(unit) => (unit, 8.0),
        None => (unit.strip_suffix('B')?, 1.0),
    };
    let (prefix, is_binary) = match unit.strip_suffix('i') {
        Some(prefix) => (prefix, true),
        None => (unit, names == UnitNames::Version2),
    };
    let power = match prefix {
        "" => 0,
        "k" | "K" => 1,
        "M" => 2,
        "G" => 3,
        "T" => 4,
        "P" => 5,
        _ => return None,
    };
    let base: f64 = if is_binary { 1_024.0 } else { 1_000.0 };
    Some(base.powi(power) / bits)
}

fn unknown_unit(text: &str, unit: &str) -> Message {
    match unit {
        "" => message!("import-value.no-unit", text = shown(text.trim())),
        unit => message!("import-value.unknown-unit", text = shown(text.trim()), unit = shown(unit)),
    }
}

/// Splits digits from the text after them.
fn split_number(text: &str) -> (&str, &str) {
    let text = text.trim();
    text.split_at(text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_depend_on_the_version() {
        let value = |text, names| bytes_per_s(text, names);
        assert_eq!(value("22.5MiB/s", UnitNames::Version3), Ok(22.5 * 1_048_576.0));
        assert_eq!(value("23.8MB/s", UnitNames::Version3), Ok(23.8e6));
        assert_eq!(value("23288KB/s", UnitNames::Version2), Ok(23_288.0 * 1_024.0));
        assert_eq!(value("8.0kbit/s", UnitNames::Version3), Ok(1e3));
        assert_eq!(value("12B/s", UnitNames::Version2), Ok(12.0));
        for bad in ["22.7", "22.7MiB", "22.7XiB/s", "MiB/s", "-1MiB/s", "nanMiB/s", "1.2.3MiB/s", "1e9MiB/s"]
        {
            assert!(value(bad, UnitNames::Version3).is_err(), "{bad}");
        }
    }

    #[test]
    fn numbers() {
        assert_eq!(scaled("12.3k"), Ok(12_300.0));
        assert_eq!(number(" 81.20"), Ok(81.2));
        assert_eq!(msec("  4353msec"), Ok(4_353));
        for bad in ["", "nan", "inf", "1e5", "0x1", "-3"] {
            assert!(number(bad).is_err(), "{bad}");
        }
        assert!(time_unit("fortnights").unwrap_err().to_string().contains("unit=fortnights"));
    }
}
