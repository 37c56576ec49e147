//! Values as fio writes them: sizes, times, counts, switches.

use std::fmt;

use crate::{KIB, NS_PER_MS, NS_PER_S};

/// Why a value could not be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ValueError {
    /// There is no text.
    Empty,
    /// The text does not begin with a digit.
    NotANumber,
    /// A fraction or an exponent, which a whole number cannot have.
    NotWhole,
    /// The letters behind the number are no unit that fits here.
    UnknownUnit(String),
    /// The number does not fit into 64 bits.
    TooLarge,
    /// None of the words that are allowed here.
    UnknownWord {
        /// The words that are.
        allowed: Vec<&'static str>,
    },
    /// Outside the allowed range.
    OutOfRange {
        /// Smallest allowed value.
        min: u64,
        /// Largest allowed value.
        max: u64,
    },
}

impl fmt::Display for ValueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("a value is missing"),
            Self::NotANumber => f.write_str("not a number"),
            Self::NotWhole => f.write_str("a whole number is wanted, without a fraction or an exponent"),
            Self::UnknownUnit(unit) => write!(f, "unknown unit '{unit}'"),
            Self::TooLarge => f.write_str("too large"),
            Self::UnknownWord { allowed } => write!(f, "expected one of: {}", allowed.join(", ")),
            Self::OutOfRange { min, max } => write!(f, "must lie between {min} and {max}"),
        }
    }
}

impl std::error::Error for ValueError {}

/// Splits a value into its number (decimal, or hexadecimal behind `0x`) and the letters that follow.
fn split_number(text: &str) -> Result<(u64, &str), ValueError> {
    let text = text.trim();
    if text.is_empty() {
        return Err(ValueError::Empty);
    }
    let (digits, radix) = match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(rest) => (rest, 16),
        None => (text, 10),
    };
    let end = digits.find(|c: char| !c.is_digit(radix)).unwrap_or(digits.len());
    let (number, unit) = digits.split_at(end);
    if number.is_empty() {
        return Err(ValueError::NotANumber);
    }
    let exponent = |c: char| c.is_ascii_digit() || c == '+' || c == '-';
    let fraction = unit.starts_with('.')
        || (unit.strip_prefix(['e', 'E']).is_some_and(|rest| rest.starts_with(exponent)));
    if fraction {
        return Err(ValueError::NotWhole);
    }
    let number = u64::from_str_radix(number, radix).map_err(|_| ValueError::TooLarge)?;
    Ok((number, unit))
}

/// Reads a size in bytes. As in fio with `kb_base=1024`: `4k`, `4K`, `4kb` and `4ki` are 4,096 bytes, `4kib` and
/// `4KiB` are 4,000 (fio's own meaning, the reverse of the standard's).
///
/// # Errors
/// When the text is no whole number with a known unit, or does not fit into 64 bits.
pub fn parse_bytes(text: &str) -> Result<u64, ValueError> {
    let (number, unit) = split_number(text)?;
    let lower = unit.to_ascii_lowercase();
    let (prefix, base) = match lower.as_str() {
        "" | "b" => return Ok(number),
        unit if !unit.is_ascii() => return Err(ValueError::UnknownUnit(unit.to_string())),
        unit if unit.len() == 3 && unit.ends_with("ib") => (&unit[..1], 1_000),
        unit if unit.len() <= 2 => (&unit[..1], KIB),
        _ => return Err(ValueError::UnknownUnit(unit.to_string())),
    };
    let tail_is_known = matches!(&lower[1..], "" | "b" | "i" | "ib");
    let power = "kmgtpe".find(prefix).filter(|_| tail_is_known);
    let power = power.ok_or_else(|| ValueError::UnknownUnit(unit.to_string()))?;
    let factor = (0..=power).try_fold(1u64, |product, _| product.checked_mul(base));
    factor.and_then(|factor| number.checked_mul(factor)).ok_or(ValueError::TooLarge)
}

/// Reads a time as nanoseconds. Without a unit the number counts `default_unit_ns`.
///
/// # Errors
/// When the text is no whole number with a known unit, or does not fit into 64 bits.
pub fn parse_duration_ns(text: &str, default_unit_ns: u64) -> Result<u64, ValueError> {
    let (number, unit) = split_number(text)?;
    let unit_ns = match unit.to_ascii_lowercase().as_str() {
        "" => default_unit_ns,
        "d" => 86_400 * NS_PER_S,
        "h" => 3_600 * NS_PER_S,
        "m" => 60 * NS_PER_S,
        "s" => NS_PER_S,
        "ms" | "msec" => NS_PER_MS,
        "us" | "usec" => 1_000,
        "ns" | "nsec" => 1,
        _ => return Err(ValueError::UnknownUnit(unit.to_string())),
    };
    number.checked_mul(unit_ns).ok_or(ValueError::TooLarge)
}

/// Reads a plain whole number.
///
/// # Errors
/// When the text is not one, or does not fit into 64 bits.
pub fn parse_count(text: &str) -> Result<u64, ValueError> {
    match split_number(text)? {
        (number, "") => Ok(number),
        (_, unit) => Err(ValueError::UnknownUnit(unit.to_string())),
    }
}

/// Reads a switch: empty or `1` is on, `0` is off.
///
/// # Errors
/// For any other text.
pub fn parse_switch(text: &str) -> Result<bool, ValueError> {
    match text.trim() {
        "" | "1" => Ok(true),
        "0" => Ok(false),
        _ => Err(ValueError::UnknownWord { allowed: vec!["0", "1"] }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        let cases = [
            ("4096", 4_096),
            ("4k", 4_096),
            ("4K", 4_096),
            ("4kb", 4_096),
            ("4ki", 4_096),
            ("10kib", 10_000),
            ("10KiB", 10_000),
            ("1M", 1 << 20),
            ("3G", 3 << 30),
            ("512b", 512),
            ("0x10", 16),
            (" 1m ", 1 << 20),
        ];
        for (text, bytes) in cases {
            assert_eq!(parse_bytes(text), Ok(bytes), "{text}");
        }
        let bad = [
            ("", ValueError::Empty),
            ("k", ValueError::NotANumber),
            ("-1", ValueError::NotANumber),
            ("1.5G", ValueError::NotWhole),
            ("1e4", ValueError::NotWhole),
            ("4kk", ValueError::UnknownUnit("kk".into())),
            ("4q", ValueError::UnknownUnit("q".into())),
            ("4é", ValueError::UnknownUnit("é".into())),
            ("4kibb", ValueError::UnknownUnit("kibb".into())),
            ("99999999999999999999", ValueError::TooLarge),
            ("99999999999E", ValueError::TooLarge),
        ];
        for (text, error) in bad {
            assert_eq!(parse_bytes(text), Err(error), "{text}");
        }
    }

    #[test]
    fn times() {
        assert_eq!(parse_duration_ns("30", NS_PER_S), Ok(30 * NS_PER_S));
        assert_eq!(parse_duration_ns("500ms", NS_PER_S), Ok(500 * NS_PER_MS));
        assert_eq!(parse_duration_ns("2m", NS_PER_S), Ok(120 * NS_PER_S));
        assert_eq!(parse_duration_ns("10", 1_000), Ok(10_000));
        assert_eq!(parse_duration_ns("5x", NS_PER_S), Err(ValueError::UnknownUnit("x".into())));
        assert_eq!(parse_duration_ns("999999999999d", NS_PER_S), Err(ValueError::TooLarge));
    }

    #[test]
    fn switches_and_counts() {
        assert_eq!(parse_switch(""), Ok(true));
        assert_eq!(parse_switch("0"), Ok(false));
        assert!(parse_switch("yes").is_err());
        assert_eq!(parse_count("16"), Ok(16));
        assert_eq!(parse_count("16k"), Err(ValueError::UnknownUnit("k".into())));
    }
}
