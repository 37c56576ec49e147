//! Whole numbers, decimals and switches.

use cardiograph_core::message;

use super::ValueError;

/// Splits a value into its number (decimal, or hexadecimal after `0x`) and the letters that follow.
pub(super) fn split_number(text: &str) -> Result<(u64, &str), ValueError> {
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
        let negative =
            text.strip_prefix('-').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
        return Err(if negative { ValueError::Negative } else { ValueError::NotANumber });
    }
    let exponent = |c: char| c.is_ascii_digit() || c == '+' || c == '-';
    let fraction = unit.starts_with('.')
        || (unit.strip_prefix(['e', 'E']).is_some_and(|rest| rest.starts_with(exponent)));
    if fraction {
        return Err(message!("jobs-value.not-whole").into());
    }
    let number = u64::from_str_radix(number, radix).map_err(|_| ValueError::TooLarge)?;
    Ok((number, unit))
}

/// Parses a whole number without a unit, 0 to `max`.
pub(super) fn number_up_to(text: &str, max: u64) -> Result<u32, ValueError> {
    match split_number(text)? {
        (number, "") if number <= max => Ok(number as u32),
        (_, "") => Err(ValueError::OutOfRange { min: 0, max }),
        (_, unit) => Err(ValueError::UnknownUnit(unit.to_string())),
    }
}

/// Parses a whole percentage, with or without the sign.
pub(super) fn percent(text: &str) -> Result<u32, ValueError> {
    let text = text.trim();
    number_up_to(text.strip_suffix('%').unwrap_or(text), 100)
}

/// Parses a whole number without a unit, possibly negative.
///
/// # Errors
/// If the text is not one, or does not fit into 64 bits.
pub fn parse_signed(text: &str) -> Result<i64, ValueError> {
    read_signed(text, |digits| match split_number(digits)? {
        (number, "") => Ok(number),
        (_, unit) => Err(ValueError::UnknownUnit(unit.to_string())),
    })
}

/// Parses an optional sign, and the rest by `parse`.
pub(super) fn read_signed(
    text: &str,
    parse: impl Fn(&str) -> Result<u64, ValueError>,
) -> Result<i64, ValueError> {
    let text = text.trim();
    let (is_negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    // A number has one sign, not followed by a space.
    if digits.starts_with(|c: char| c == '-' || c == '+' || c.is_whitespace()) {
        return Err(ValueError::NotANumber);
    }
    let number = i64::try_from(parse(digits)?).map_err(|_| ValueError::TooLarge)?;
    Ok(if is_negative { -number } else { number })
}

/// Parses a decimal number such as `99.9`: digits with an optional fraction, no sign and no exponent.
///
/// # Errors
/// For any other text.
pub fn parse_decimal(text: &str) -> Result<f64, ValueError> {
    let text = text.trim();
    if text.is_empty() {
        return Err(ValueError::Empty);
    }
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let is_number = |digits: &str| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    match text.strip_prefix('-') {
        Some(rest) if rest.starts_with(|c: char| c.is_ascii_digit()) => Err(ValueError::Negative),
        _ if !is_number(whole) || !is_number(fraction) => Err(ValueError::NotANumber),
        _ => text.parse().map_err(|_| ValueError::NotANumber),
    }
}

/// Parses a decimal number from `min` to `max`.
///
/// # Errors
/// As [`parse_decimal`], or if it is out of range.
pub fn parse_decimal_between(text: &str, min: u32, max: u32) -> Result<f64, ValueError> {
    let number = parse_decimal(text)?;
    if (f64::from(min)..=f64::from(max)).contains(&number) {
        return Ok(number);
    }
    Err(ValueError::OutOfRange { min: u64::from(min), max: u64::from(max) })
}

/// Maximum number of percentiles, as in fio.
pub const PERCENTILES_MAX: usize = 20;

/// Parses percentiles separated by colons: at most [`PERCENTILES_MAX`], each above 0 and at most 100. Returns them
/// sorted and unique.
///
/// # Errors
/// If one of them is invalid, or there are too many.
pub fn parse_percentiles(text: &str) -> Result<Vec<f64>, ValueError> {
    let mut percentiles = Vec::new();
    for part in text.trim().split(':') {
        let percent = parse_decimal_between(part, 0, 100)?;
        if percent == 0.0 {
            return Err(message!("jobs-value.not-a-percentile").into());
        }
        percentiles.push(percent);
    }
    if percentiles.len() > PERCENTILES_MAX {
        return Err(ValueError::TooMany { max: PERCENTILES_MAX as u64 });
    }
    percentiles.sort_by(f64::total_cmp);
    percentiles.dedup();
    Ok(percentiles)
}

/// Parses a percentage such as `2%`, `0.5%` or `2`: above 0 and at most 100.
///
/// # Errors
/// For any other text.
pub fn parse_share(text: &str) -> Result<f64, ValueError> {
    let text = text.trim();
    let percent = parse_decimal(text.strip_suffix('%').unwrap_or(text))?;
    if percent > 0.0 && percent <= 100.0 {
        Ok(percent / 100.0)
    } else {
        Err(message!("jobs-value.not-a-share").into())
    }
}

/// Parses a switch: empty or `1` is on, `0` is off.
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
    fn signed_numbers() {
        let cases = [
            ("5", Ok(5)),
            ("-20", Ok(-20)),
            ("+3", Ok(3)),
            (" -1 ", Ok(-1)),
            ("--1", Err(ValueError::NotANumber)),
            ("-", Err(ValueError::Empty)),
            ("-1k", Err(ValueError::UnknownUnit("k".into()))),
            ("9223372036854775808", Err(ValueError::TooLarge)),
        ];
        for (text, expected) in cases {
            assert_eq!(parse_signed(text), expected, "{text}");
        }
    }

    #[test]
    fn decimals_are_plain() {
        assert_eq!(parse_decimal("99.95"), Ok(99.95));
        assert_eq!(parse_decimal("5"), Ok(5.0));
        for text in ["1e2", "inf", "NaN", ".5", "5.", "1.2.3", "x", "+1", "1,5"] {
            assert_eq!(parse_decimal(text), Err(ValueError::NotANumber), "{text}");
        }
        assert_eq!(parse_decimal("-1"), Err(ValueError::Negative));
        assert_eq!(parse_decimal(" "), Err(ValueError::Empty));
        assert_eq!(parse_decimal_between("100", 0, 100), Ok(100.0));
        assert_eq!(parse_decimal_between("100.1", 0, 100), Err(ValueError::OutOfRange { min: 0, max: 100 }));
    }

    #[test]
    fn percentiles_are_sorted_and_unique() {
        assert_eq!(parse_percentiles("95:99:99.9"), Ok(vec![95.0, 99.0, 99.9]));
        assert_eq!(parse_percentiles("99:50:99"), Ok(vec![50.0, 99.0]));
        assert_eq!(parse_percentiles("0"), Err(message!("jobs-value.not-a-percentile").into()));
        assert_eq!(parse_percentiles("99:x"), Err(ValueError::NotANumber));
        assert_eq!(parse_percentiles("99,95"), Err(ValueError::NotANumber));
        assert_eq!(parse_percentiles(""), Err(ValueError::Empty));
        assert_eq!(parse_percentiles("50:101"), Err(ValueError::OutOfRange { min: 0, max: 100 }));
        let many = |n: usize| (1..=n).map(|p| p.to_string()).collect::<Vec<_>>().join(":");
        assert_eq!(parse_percentiles(&many(20)).map(|list| list.len()), Ok(20));
        assert_eq!(parse_percentiles(&many(21)), Err(ValueError::TooMany { max: 20 }));
    }

    #[test]
    fn shares_are_percent() {
        for (text, share) in [("2%", 0.02), ("2", 0.02), (" 0.5 % ", 0.005), ("100%", 1.0)] {
            assert_eq!(parse_share(text), Ok(share), "{text}");
        }
        for (text, error) in [
            ("0%", ValueError::Said(message!("jobs-value.not-a-share"))),
            ("100.1%", ValueError::Said(message!("jobs-value.not-a-share"))),
            ("-2%", ValueError::Negative),
            ("2%%", ValueError::NotANumber),
            ("two", ValueError::NotANumber),
            ("%", ValueError::Empty),
            ("", ValueError::Empty),
        ] {
            assert_eq!(parse_share(text), Err(error), "{text}");
        }
    }

    #[test]
    fn switches() {
        assert_eq!(parse_switch(""), Ok(true));
        assert_eq!(parse_switch("1"), Ok(true));
        assert_eq!(parse_switch("0"), Ok(false));
        for text in ["yes", "2", "-1", "01"] {
            assert!(parse_switch(text).is_err(), "{text}");
        }
    }
}
