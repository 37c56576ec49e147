//! The arguments of iozone.

use cardiograph_core::text::shown;
use cardiograph_core::{GIB, KIB, MIB, Message, message};

use super::{Request, Tests};

fn unknown(word: &str) -> Message {
    message!("iozone-option.unknown", word = shown(word))
}

/// Parses the arguments of `iozone`. Letters may share a dash, and a value may directly follow its letter.
///
/// # Errors
/// The unsupported option, why, and what to do.
pub fn parse(words: &[String]) -> Result<Request, Message> {
    let mut request = Request::default();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        if word == "-+n" {
            request.once = true;
            request.said.push("No retest option selected".to_string());
            continue;
        }
        let letters = word.strip_prefix('-').filter(|letters| !letters.is_empty());
        let letters = letters.ok_or_else(|| unknown(word))?;
        for (at, letter) in letters.char_indices() {
            if matches!(letter, 's' | 'r' | 'i' | 'f') {
                let behind = &letters[at + 1..];
                let value = if behind.is_empty() { words.next().map(String::as_str) } else { Some(behind) };
                let missing = || message!("iozone-option.no-value", option = format!("-{letter}"));
                let value = value.ok_or_else(missing)?;
                take_value(&mut request, letter, value)?;
                break;
            }
            take_letter(&mut request, letter)?;
        }
    }
    check(&request)?;
    Ok(request)
}

fn take_letter(request: &mut Request, letter: char) -> Result<(), Message> {
    let (switch, said) = match letter {
        'e' => (&mut request.flushes, "Include fsync in write timing"),
        'I' => (&mut request.direct, "O_DIRECT feature enabled"),
        'a' => (&mut request.auto, "Auto Mode"),
        other => return Err(unknown(&format!("-{other}"))),
    };
    *switch = true;
    request.said.push(said.to_string());
    Ok(())
}

fn take_value(request: &mut Request, letter: char, value: &str) -> Result<(), Message> {
    match letter {
        's' => {
            let len_bytes = len_bytes(letter, value)?;
            request.said.push(format!("File size set to {} kB", len_bytes / KIB));
            request.file_lens_bytes.push(len_bytes);
        }
        'r' => {
            let len_bytes = len_bytes(letter, value)?;
            request.said.push(format!("Record Size {} kB", len_bytes / KIB));
            request.record_lens_bytes.push(len_bytes);
        }
        'f' => request.path = Some(value.to_string()),
        _ => match value {
            "0" => request.tests.write = true,
            "1" => request.tests.read = true,
            "2" => request.tests.random = true,
            other => return Err(message!("iozone-option.test", value = shown(other))),
        },
    }
    Ok(())
}

/// A length, in KiB without a unit.
fn len_bytes(letter: char, value: &str) -> Result<u64, Message> {
    let wrong = || message!("iozone-option.length", option = format!("-{letter}"), value = shown(value));
    let digits = value.trim_end_matches(['k', 'K', 'm', 'M', 'g', 'G']);
    let unit = match &value[digits.len()..] {
        "" | "k" | "K" => KIB,
        "m" | "M" => MIB,
        "g" | "G" => GIB,
        _ => return Err(wrong()),
    };
    let number = digits.parse::<u64>().ok().filter(|&number| number > 0);
    number.and_then(|number| number.checked_mul(unit)).ok_or_else(wrong)
}

fn check(request: &Request) -> Result<(), Message> {
    let Tests { write, read, random } = request.tests;
    if !write && !read && !random {
        return Err(message!("iozone-option.no-test"));
    }
    if !write {
        return Err(message!("iozone-option.no-write"));
    }
    let is_whole = |len: &u64| request.record_lens_bytes.iter().any(|record| record <= len);
    let all_fit =
        request.file_lens_bytes.iter().all(|len| request.record_lens_bytes.is_empty() || is_whole(len));
    if !all_fit || request.rows().is_empty() {
        return Err(message!("iozone-option.record"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Result<Request, Message> {
        parse(&line.split_whitespace().map(str::to_string).collect::<Vec<_>>())
    }

    #[test]
    fn letters_and_values_can_be_joined() {
        let apart = parsed("-e -I -a -s 100M -r 4k -i 0 -i 1 -i 2 -f /tmp/x").unwrap();
        let together = parsed("-eIa -s100M -r4 -i0 -i1 -i2 -f/tmp/x").unwrap();
        assert_eq!(apart, together);
        assert_eq!(apart.path.as_deref(), Some("/tmp/x"));
        let said = ["Include fsync in write timing", "O_DIRECT feature enabled", "Auto Mode"];
        assert_eq!(apart.said[..3], said);
        assert_eq!(apart.said[3..], ["File size set to 102400 kB", "Record Size 4 kB"]);
        assert_eq!(parsed("-es 1g -i0 -+n").unwrap().file_lens_bytes, [GIB]);
    }

    #[test]
    fn unsupported_options_are_refused_by_name() {
        let cases = [
            ("", "no-test"),
            ("-a", "no-test"),
            ("-i 1", "no-write"),
            ("-i 2 -i 1", "no-write"),
            ("-i 3", "test(value=3)"),
            ("-i", "no-value(option=-i)"),
            ("-i 0 -t 4", "unknown(word=-t)"),
            ("-i 0 -az", "unknown(word=-z)"),
            ("-i 0 -+u", "unknown(word=-+)"),
            ("-i 0 -s 4x", "length(option=-s, value=4x)"),
            ("-i 0 -s 0", "length(option=-s, value=0)"),
            ("-i 0 -s 10kk", "length(option=-s, value=10kk)"),
            ("-i 0 -s 99999999999g", "length(option=-s, value=99999999999g)"),
            ("-i 0 -s é", "length(option=-s, value=é)"),
            ("-i 0 -s 4k -r 8k", "record"),
            ("-i 0 -s 4k -s 1m -r 8k", "record"),
            ("-i 0 -r 1m", "record"),
            ("-i 0 file", "unknown(word=file)"),
            ("-i 0 -", "unknown(word=-)"),
        ];
        for (line, expected) in cases {
            assert_eq!(parsed(line).unwrap_err().to_string(), format!("iozone-option.{expected}"), "{line}");
        }
    }
}
