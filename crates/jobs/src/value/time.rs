//! Times and ranges of times.

use cardiograph_core::{NS_PER_MS, NS_PER_S, message};

use super::ValueError;
use super::number::split_number;

/// Parses a time to nanoseconds. Without a unit, the number is in `default_unit_ns`.
///
/// # Errors
/// If the text is not a whole number with a known unit, or does not fit into 64 bits.
pub fn parse_duration_ns(text: &str, default_unit_ns: u64) -> Result<u64, ValueError> {
    let (number, unit) = split_number(text)?;
    let unit_ns = match unit {
        "" => default_unit_ns,
        unit => unit_ns_of(unit).ok_or_else(|| ValueError::UnknownUnit(unit.to_string()))?,
    };
    number.checked_mul(unit_ns).ok_or(ValueError::TooLarge)
}

/// A unit's length in nanoseconds.
pub(super) fn unit_ns_of(unit: &str) -> Option<u64> {
    match unit.to_ascii_lowercase().as_str() {
        "d" => Some(86_400 * NS_PER_S),
        "h" => Some(3_600 * NS_PER_S),
        "m" => Some(60 * NS_PER_S),
        "s" => Some(NS_PER_S),
        "ms" | "msec" => Some(NS_PER_MS),
        "us" | "usec" => Some(1_000),
        "ns" | "nsec" => Some(1),
        _ => None,
    }
}

/// Parses a time, or a range of times written `5-10`, to nanoseconds; each end may have its own unit. A single time is
/// a range of itself.
///
/// # Errors
/// As [`parse_duration_ns`] for each end, or if the second is shorter.
pub fn parse_duration_range_ns(text: &str, default_unit_ns: u64) -> Result<(u64, u64), ValueError> {
    let text = text.trim();
    let (from, to) = match text.split_once('-') {
        Some(("", to)) if !to.is_empty() => return Err(ValueError::Negative),
        Some(ends) => ends,
        None => (text, text),
    };
    let (from, to) = (parse_duration_ns(from, default_unit_ns)?, parse_duration_ns(to, default_unit_ns)?);
    if from > to { Err(message!("jobs-value.descending").into()) } else { Ok((from, to)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times() {
        let cases = [
            ("30", 30 * NS_PER_S),
            ("500ms", 500 * NS_PER_MS),
            ("500MSEC", 500 * NS_PER_MS),
            ("20us", 20_000),
            ("7ns", 7),
            ("2m", 120 * NS_PER_S),
            ("1h", 3_600 * NS_PER_S),
            ("1d", 86_400 * NS_PER_S),
        ];
        for (text, ns) in cases {
            assert_eq!(parse_duration_ns(text, NS_PER_S), Ok(ns), "{text}");
        }
        assert_eq!(parse_duration_ns("10", 1_000), Ok(10_000));
        let bad = [
            ("5x", ValueError::UnknownUnit("x".into())),
            ("1.5", ValueError::Said(message!("jobs-value.not-whole"))),
            ("-5", ValueError::Negative),
            ("", ValueError::Empty),
            ("999999999999d", ValueError::TooLarge),
        ];
        for (text, error) in bad {
            assert_eq!(parse_duration_ns(text, NS_PER_S), Err(error), "{text}");
        }
    }

    #[test]
    fn ranges_of_times() {
        assert_eq!(parse_duration_range_ns("5-10", NS_PER_S), Ok((5 * NS_PER_S, 10 * NS_PER_S)));
        assert_eq!(parse_duration_range_ns("100ms-2", NS_PER_S), Ok((100 * NS_PER_MS, 2 * NS_PER_S)));
        assert_eq!(parse_duration_range_ns("5", NS_PER_S), Ok((5 * NS_PER_S, 5 * NS_PER_S)));
        assert_eq!(parse_duration_range_ns("10-5", NS_PER_S), Err(message!("jobs-value.descending").into()));
        assert_eq!(parse_duration_range_ns("-5", NS_PER_S), Err(ValueError::Negative));
        assert_eq!(parse_duration_range_ns("5-", NS_PER_S), Err(ValueError::Empty));
        assert_eq!(parse_duration_range_ns("1-2-3", NS_PER_S), Err(ValueError::UnknownUnit("-3".into())));
    }
}
