//! Numbers in dd's operands.

use cardiograph_core::text::shown;
use cardiograph_core::{Message, message};

/// A number, and whether it counts bytes instead of blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Number {
    pub value: u64,
    pub is_bytes: bool,
}

/// Parses a number: digits with an optional GNU dd suffix, or two of them joined by `x`.
pub(super) fn parse(text: &str) -> Result<Number, Message> {
    let invalid = || message!("dd-number", number = shown(text));
    if let Some((left, right)) = text.split_once('x') {
        let (left, right) = (single(left).ok_or_else(invalid)?, single(right).ok_or_else(invalid)?);
        let value = left.value.checked_mul(right.value).filter(|_| !left.is_bytes && !right.is_bytes);
        return value.map(|value| Number { value, is_bytes: false }).ok_or_else(invalid);
    }
    single(text).ok_or_else(invalid)
}

fn single(text: &str) -> Option<Number> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, suffix) = text.split_at(digits);
    // `xM` is one mebibyte.
    let number: u64 = if number.is_empty() && !suffix.is_empty() { 1 } else { number.parse().ok()? };
    let (factor, is_bytes) = factor(suffix)?;
    number.checked_mul(factor).map(|value| Number { value, is_bytes })
}

/// The factor of a suffix, and whether the suffix ends in `B`.
fn factor(suffix: &str) -> Option<(u64, bool)> {
    let power_of = |letter: &str| match letter {
        "k" | "K" => Some(1),
        "M" => Some(2),
        "G" => Some(3),
        "T" => Some(4),
        "P" => Some(5),
        "E" => Some(6),
        _ => None,
    };
    match suffix {
        "" | "c" => Some((1, false)),
        "w" => Some((2, false)),
        "b" => Some((512, false)),
        "B" => Some((1, true)),
        _ => {
            let letter = suffix.get(..1)?;
            let (base, is_bytes): (u64, bool) = match suffix.get(1..)? {
                "" => (1_024, false),
                "iB" => (1_024, true),
                "B" => (1_000, true),
                _ => return None,
            };
            base.checked_pow(power_of(letter)?).map(|factor| (factor, is_bytes))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_match_gnu_dd() {
        let cases = [
            ("50k", 51_200, false),
            ("8K", 8_192, false),
            ("3kB", 3_000, true),
            ("1KB", 1_000, true),
            ("1kiB", 1_024, true),
            ("1M", 1 << 20, false),
            ("1MB", 1_000_000, true),
            ("5P", 5 << 50, false),
            ("10000B", 10_000, true),
            ("1c", 1, false),
            ("1w", 2, false),
            ("2b", 1_024, false),
            ("2x3k", 6_144, false),
            ("1xM", 1 << 20, false),
            ("0", 0, false),
        ];
        for (text, value, is_bytes) in cases {
            assert_eq!(parse(text), Ok(Number { value, is_bytes }), "{text}");
        }
        for text in
            ["", "1m", "1g", "1BB", "1x2x3", "5x2B", "-1", "1.5", "99999999999999999999", "16E", "é", "1é"]
        {
            assert_eq!(parse(text), Err(message!("dd-number", number = text)), "{text}");
        }
    }
}
