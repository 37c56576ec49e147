//! Sizes in bytes: single values, percentages, ranges, mixes.

use cardiograph_core::{KIB, message};

use super::ValueError;
use super::number::{percent, read_signed, split_number};

/// `kb_base=1000`, where units have their standard meaning.
const DECIMAL: u64 = 1_000;

/// A size as written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Amount {
    /// Bytes.
    Bytes(u64),
    /// A percentage of a file's or device's length: 0 to 100.
    Percent(u32),
}

/// Parses a size in bytes. As in fio with `kb_base=1024`, `4k`, `4K`, `4kb` and `4ki` are 4,096 bytes, `4kib` and
/// `4KiB` 4,000 (fio's meaning, the reverse of the standard's).
///
/// # Errors
/// If the text is not a whole number with a known unit, or does not fit into 64 bits.
pub fn parse_bytes(text: &str) -> Result<u64, ValueError> {
    parse_bytes_in(text, KIB)
}

/// Parses a whole number. As in fio, it may have a size's unit: `rate_iops=10k` is 10,240 per second. For another
/// `kb_base`, see [`parse_bytes_in`].
///
/// # Errors
/// If the text is not a whole number with a known unit, or does not fit into 64 bits.
pub fn parse_count(text: &str) -> Result<u64, ValueError> {
    parse_bytes(text)
}

/// Parses a size in bytes: a number with a unit b, k, m, g, t, p or e, which may be followed by `b`, `i` or `ib`. For
/// `kb_base` 1024 see [`parse_bytes`]; with 1000, `4k` is 4,000 bytes and `4kib` 4,096, as in the standard.
///
/// # Errors
/// If the text is not a whole number with a known unit, or does not fit into 64 bits.
pub fn parse_bytes_in(text: &str, kb_base: u64) -> Result<u64, ValueError> {
    let (number, unit) = split_number(text)?;
    let (usual, with_ib) = if kb_base == DECIMAL { (DECIMAL, KIB) } else { (KIB, DECIMAL) };
    let lower = unit.to_ascii_lowercase();
    let (prefix, factor) = match lower.as_str() {
        "" | "b" => return Ok(number),
        unit if !unit.is_ascii() => return Err(ValueError::UnknownUnit(unit.to_string())),
        unit if unit.len() == 3 && unit.ends_with("ib") => (&unit[..1], with_ib),
        unit if unit.len() <= 2 => (&unit[..1], usual),
        _ => return Err(ValueError::UnknownUnit(unit.to_string())),
    };
    let tail_is_known = matches!(&lower[1..], "" | "b" | "i" | "ib");
    let power = "kmgtpe".find(prefix).filter(|_| tail_is_known);
    let power = power.ok_or_else(|| ValueError::UnknownUnit(unit.to_string()))?;
    let product = (0..=power).try_fold(number, |product, _| product.checked_mul(factor));
    product.ok_or(ValueError::TooLarge)
}

/// Parses a size in bytes that may be negative, as in `rw=read:-8k`.
///
/// # Errors
/// As [`parse_bytes_in`], or if it does not fit into 63 bits.
pub fn parse_bytes_signed(text: &str, kb_base: u64) -> Result<i64, ValueError> {
    read_signed(text, |digits| parse_bytes_in(digits, kb_base))
}

/// Parses a size in bytes or in percent of a length that is known later (`20%`).
///
/// # Errors
/// If the text is neither, does not fit into 64 bits, or exceeds 100 percent. A number of zones (`4z`) needs a zoned
/// device and has a separate error.
pub fn parse_amount(text: &str, kb_base: u64) -> Result<Amount, ValueError> {
    match split_number(text)? {
        (percent @ 0..=100, "%") => Ok(Amount::Percent(percent as u32)),
        (_, "%") => Err(ValueError::OutOfRange { min: 0, max: 100 }),
        (_, "z" | "Z") => Err(message!("jobs-value.zones").into()),
        _ => parse_bytes_in(text, kb_base).map(Amount::Bytes),
    }
}

/// Parses a size, or a range of sizes written `1k-4k` or `1k:4k`. A single size is a range of itself; as in fio, the
/// larger end may come first.
///
/// # Errors
/// If an end is not a size.
pub fn parse_bytes_range(text: &str, kb_base: u64) -> Result<(u64, u64), ValueError> {
    let text = text.trim();
    let (from, to) = match text.split_once(['-', ':']) {
        Some(("", to)) if !to.is_empty() => return Err(ValueError::Negative),
        Some(ends) => ends,
        None => (text, text),
    };
    let (from, to) = (parse_bytes_in(from, kb_base)?, parse_bytes_in(to, kb_base)?);
    Ok((from.min(to), from.max(to)))
}

/// Maximum number of lengths in a mix, as in fio.
pub const SPLIT_PARTS_MAX: usize = 64;

/// Parses a mix of sizes, `4k/10:64k/50:32k/40`, each with its share in percent. As in fio, blank shares divide the
/// rest evenly, and the remainder to 100 goes to the length with the largest share, the last of several. The returned
/// shares add up to 100.
///
/// # Errors
/// If a size or share is invalid, a size is 0, the shares exceed 100 percent, or there are more than
/// [`SPLIT_PARTS_MAX`].
pub fn parse_split(text: &str, kb_base: u64) -> Result<Vec<(u64, u32)>, ValueError> {
    let mut parts: Vec<(u64, Option<u32>)> = Vec::new();
    for part in text.trim().split(':') {
        let (size, share) = part.split_once('/').unwrap_or((part, ""));
        let len_bytes = parse_bytes_in(size, kb_base)?;
        if len_bytes == 0 {
            return Err(ValueError::OutOfRange { min: 1, max: u64::MAX });
        }
        let share = share.trim();
        parts.push((len_bytes, (!share.is_empty()).then(|| percent(share)).transpose()?));
    }
    if parts.len() > SPLIT_PARTS_MAX {
        return Err(ValueError::TooMany { max: SPLIT_PARTS_MAX as u64 });
    }
    let written: u32 = parts.iter().filter_map(|&(_, share)| share).sum();
    let left = 100u32.checked_sub(written).ok_or(message!("jobs-value.shares-above-100"))?;
    let blanks = parts.iter().filter(|(_, share)| share.is_none()).count() as u32;
    let blank_share = left.checked_div(blanks).unwrap_or(0);
    let mut shares: Vec<(u64, u32)> =
        parts.into_iter().map(|(len_bytes, share)| (len_bytes, share.unwrap_or(blank_share))).collect();
    let given: u32 = shares.iter().map(|&(_, share)| share).sum();
    if let Some((_, largest)) = shares.iter_mut().max_by_key(|(_, share)| *share) {
        *largest += 100 - given;
    }
    Ok(shares)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        let cases = [
            ("4096", 4_096, 4_096),
            ("4k", 4_096, 4_000),
            ("4K", 4_096, 4_000),
            ("4kb", 4_096, 4_000),
            ("4ki", 4_096, 4_000),
            ("10kib", 10_000, 10_240),
            ("10KiB", 10_000, 10_240),
            ("1M", 1 << 20, 1_000_000),
            ("3G", 3 << 30, 3_000_000_000),
            ("512b", 512, 512),
            ("0x10", 16, 16),
            ("0x10k", 16_384, 16_000),
            ("010", 10, 10),
            (" 1m ", 1 << 20, 1_000_000),
        ];
        for (text, binary, decimal) in cases {
            assert_eq!(parse_bytes(text), Ok(binary), "{text}");
            assert_eq!(parse_bytes_in(text, 1_000), Ok(decimal), "{text}");
        }
        let bad = [
            ("", ValueError::Empty),
            ("k", ValueError::NotANumber),
            ("-1", ValueError::Negative),
            ("1.5G", ValueError::Said(message!("jobs-value.not-whole"))),
            ("1e4", ValueError::Said(message!("jobs-value.not-whole"))),
            ("1 m", ValueError::UnknownUnit(" m".into())),
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
    fn counts_can_have_a_unit() {
        assert_eq!(parse_count("16"), Ok(16));
        assert_eq!(parse_count("0x89"), Ok(137));
        assert_eq!(parse_count("010"), Ok(10), "a leading zero is no octal number");
        assert_eq!(parse_count("10k"), Ok(10_240));
        assert_eq!(parse_count("1s"), Err(ValueError::UnknownUnit("s".into())));
        assert_eq!(parse_count("1e4"), Err(message!("jobs-value.not-whole").into()));
        assert_eq!(parse_count("-1"), Err(ValueError::Negative));
        assert_eq!(parse_count("-x"), Err(ValueError::NotANumber));
    }

    #[test]
    fn sizes_with_a_sign() {
        assert_eq!(parse_bytes_signed("8k", KIB), Ok(8_192));
        assert_eq!(parse_bytes_signed("-8k", KIB), Ok(-8_192));
        assert_eq!(parse_bytes_signed("-8k", 1_000), Ok(-8_000));
        assert_eq!(parse_bytes_signed("--8k", KIB), Err(ValueError::NotANumber));
        assert_eq!(parse_bytes_signed("8E", KIB), Err(ValueError::TooLarge));
    }

    #[test]
    fn shares_of_a_whole() {
        assert_eq!(parse_amount("1m", KIB), Ok(Amount::Bytes(1 << 20)));
        assert_eq!(parse_amount("20%", KIB), Ok(Amount::Percent(20)));
        assert_eq!(parse_amount("100%", KIB), Ok(Amount::Percent(100)));
        assert_eq!(parse_amount("101%", KIB), Err(ValueError::OutOfRange { min: 0, max: 100 }));
        assert_eq!(parse_amount("4z", KIB), Err(message!("jobs-value.zones").into()));
        assert_eq!(parse_amount("%", KIB), Err(ValueError::NotANumber));
        assert_eq!(parse_amount("20%k", KIB), Err(ValueError::UnknownUnit("%k".into())));
    }

    #[test]
    fn ranges() {
        for text in ["1k-4k", "1k:4k", "4k-1k", " 1k-4k "] {
            assert_eq!(parse_bytes_range(text, KIB), Ok((1_024, 4_096)), "{text}");
        }
        assert_eq!(parse_bytes_range("4k", 1_000), Ok((4_000, 4_000)));
        assert_eq!(parse_bytes_range("1k-", KIB), Err(ValueError::Empty));
        assert_eq!(parse_bytes_range("-4k", KIB), Err(ValueError::Negative));
        assert_eq!(parse_bytes_range("-", KIB), Err(ValueError::Empty));
        // fio silently drops the second range.
        assert_eq!(parse_bytes_range("1k-4k/8k-16k", KIB), Err(ValueError::UnknownUnit("k/8k-16k".into())));
    }

    #[test]
    fn mixes() {
        let cases: [(&str, &[(u64, u32)]); 8] = [
            ("4k/10:64k/50:32k/40", &[(4_096, 10), (65_536, 50), (32_768, 40)]),
            ("4k/50:8k/:16k/", &[(4_096, 50), (8_192, 25), (16_384, 25)]),
            ("4k:8k", &[(4_096, 50), (8_192, 50)]),
            ("4k:8k:16k", &[(4_096, 33), (8_192, 33), (16_384, 34)]),
            ("64k/20:4k/20", &[(65_536, 20), (4_096, 80)]),
            ("4k/100:8k", &[(4_096, 100), (8_192, 0)]),
            ("4k/50%:8k/50%", &[(4_096, 50), (8_192, 50)]),
            ("4k/0x10:8k", &[(4_096, 16), (8_192, 84)]),
        ];
        for (text, parts) in cases {
            assert_eq!(parse_split(text, KIB).as_deref(), Ok(parts), "{text}");
        }
        let bad = [
            ("", ValueError::Empty),
            ("4k/10:", ValueError::Empty),
            ("4k/60:8k/60", ValueError::Said(message!("jobs-value.shares-above-100"))),
            ("4k/101", ValueError::OutOfRange { min: 0, max: 100 }),
            ("0/50:4k/50", ValueError::OutOfRange { min: 1, max: u64::MAX }),
            ("4k/x", ValueError::NotANumber),
            ("4k/-5:8k", ValueError::Negative),
            ("4k/33.3:8k", ValueError::Said(message!("jobs-value.not-whole"))),
            ("4k/5q:8k", ValueError::UnknownUnit("q".into())),
            ("x/50", ValueError::NotANumber),
        ];
        for (text, error) in bad {
            assert_eq!(parse_split(text, KIB), Err(error), "{text}");
        }
        let many = |n: usize| vec!["4k/1"; n].join(":");
        assert!(parse_split(&many(64), KIB).is_ok());
        assert_eq!(parse_split(&many(65), KIB), Err(ValueError::TooMany { max: 64 }));
    }
}
