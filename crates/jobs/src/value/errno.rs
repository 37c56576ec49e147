//! Lists of errors.

use cardiograph_core::errno::{ERRNO_MAX, NAMES};
use cardiograph_core::message;
use cardiograph_core::text::shown;

use super::{ValueError, parse_count};

/// Parses up to three lists of errors, for reads, writes and checks: `EIO:ENOSPC,5,EILSEQ`. An empty list is `None`.
///
/// # Errors
/// If there are more than three lists, no errors, or anything but names and numbers.
pub fn parse_ignored_errors(text: &str) -> Result<[Option<Vec<i32>>; 3], ValueError> {
    let mut lists = [None, None, None];
    for (place, list) in text.split(',').enumerate() {
        let into = lists.get_mut(place).ok_or(ValueError::TooMany { max: 3 })?;
        let list = list.trim();
        if !list.is_empty() {
            *into = Some(list.split(':').map(|error| parse_errno(error.trim())).collect::<Result<_, _>>()?);
        }
    }
    if lists.iter().all(Option::is_none) { Err(ValueError::Empty) } else { Ok(lists) }
}

fn parse_errno(text: &str) -> Result<i32, ValueError> {
    if let Some((_, number)) = NAMES.iter().find(|(name, _)| *name == text) {
        return Ok(*number);
    }
    match text.chars().next() {
        None => Err(ValueError::Empty),
        Some(first) if first.is_ascii_alphabetic() => {
            Err(message!("jobs-value.unknown-errno", name = shown(text)).into())
        }
        Some(_) => match parse_count(text)? {
            number @ 1..=ERRNO_MAX => Ok(number as i32),
            _ => Err(ValueError::OutOfRange { min: 1, max: ERRNO_MAX }),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_errors_for_reads_writes_and_checks() {
        let cases: [(&str, [Option<&[i32]>; 3]); 6] = [
            ("EIO", [Some(&[5]), None, None]),
            ("EIO:ENOSPC,28", [Some(&[5, 28]), Some(&[28]), None]),
            (",ENOSPC", [None, Some(&[28]), None]),
            (",,EILSEQ", [None, None, Some(&[84])]),
            (" EIO : 6 , , 84 ", [Some(&[5, 6]), None, Some(&[84])]),
            ("4095", [Some(&[4_095]), None, None]),
        ];
        for (text, expected) in cases {
            assert_eq!(
                parse_ignored_errors(text),
                Ok(expected.map(|list| list.map(<[i32]>::to_vec))),
                "{text}"
            );
        }
        for text in ["", ",", ",,", "EFOO", "eio", "0", "4096", "-5", "EIO:", "EIO,EIO,EIO,EIO", "5x"] {
            assert!(parse_ignored_errors(text).is_err(), "{text}");
        }
        assert_eq!(
            parse_ignored_errors("EFOO"),
            Err(message!("jobs-value.unknown-errno", name = "EFOO").into())
        );
    }

    #[test]
    fn names_and_numbers_correspond() {
        let numbers: std::collections::BTreeSet<i32> = NAMES.iter().map(|(_, number)| *number).collect();
        let names: std::collections::BTreeSet<&str> = NAMES.iter().map(|(name, _)| *name).collect();
        assert_eq!((numbers.len(), names.len()), (NAMES.len(), NAMES.len()));
    }
}
