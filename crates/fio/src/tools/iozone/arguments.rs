//! The arguments of iozone.

use cardiograph_core::text::shown;
use cardiograph_core::{GIB, KIB, MIB};

use super::super::refused;
use super::{Request, Tests};

const NOT_HERE: &str = "not here; there are -a, -e, -I, -+n, -s, -r, -i 0, -i 1, -i 2 and -f, as `cardiograph \
                        iozone -e -I -a -s 100M -r 4k -i 0 -i 1 -i 2`: leave it out; other patterns, threads and \
                        rates are jobs of `cardiograph fio`";

/// Reads the words behind `iozone`. Letters may stand behind one dash, and a value behind its letter.
///
/// # Errors
/// A sentence: the option that cannot be followed, why, and what to do.
pub fn parse(words: &[String]) -> Result<Request, String> {
    let mut request = Request::default();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        if word == "-+n" {
            request.once = true;
            request.said.push("No retest option selected".to_string());
            continue;
        }
        let letters = word.strip_prefix('-').filter(|letters| !letters.is_empty());
        let letters = letters.ok_or_else(|| refused(word, NOT_HERE))?;
        for (at, letter) in letters.char_indices() {
            if matches!(letter, 's' | 'r' | 'i' | 'f') {
                let behind = &letters[at + 1..];
                let value = if behind.is_empty() { words.next().map(String::as_str) } else { Some(behind) };
                let value = value.ok_or_else(|| format!("-{letter}: its value is missing behind it"))?;
                take_value(&mut request, letter, value)?;
                break;
            }
            take_letter(&mut request, letter)?;
        }
    }
    check(&request)?;
    Ok(request)
}

fn take_letter(request: &mut Request, letter: char) -> Result<(), String> {
    let (switch, said) = match letter {
        'e' => (&mut request.flushes, "Include fsync in write timing"),
        'I' => (&mut request.direct, "O_DIRECT feature enabled"),
        'a' => (&mut request.auto, "Auto Mode"),
        other => return Err(refused(&format!("-{other}"), NOT_HERE)),
    };
    *switch = true;
    request.said.push(said.to_string());
    Ok(())
}

fn take_value(request: &mut Request, letter: char, value: &str) -> Result<(), String> {
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
            other => {
                return Err(format!(
                    "-i {}: there are the tests 0 (write), 1 (read) and 2 (random); other patterns are jobs of \
                     `cardiograph fio`",
                    shown(other)
                ));
            }
        },
    }
    Ok(())
}

/// A length: KiB, or what its unit says.
fn len_bytes(letter: char, value: &str) -> Result<u64, String> {
    let wrong =
        || format!("-{letter} {}: no length; write it as 4k, 100M or 1g (without a unit: KiB)", shown(value));
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

fn check(request: &Request) -> Result<(), String> {
    let Tests { write, read, random } = request.tests;
    if !write && !read && !random {
        return Err("-i is missing: iozone would run all of its tests, and the first three are here; add -i 0 -i 1 -i \
                    2".to_string());
    }
    if !write {
        return Err("-i 0 is missing: the other tests read what it writes; add it".to_string());
    }
    let is_whole = |len: &u64| request.record_lens_bytes.iter().any(|record| record <= len);
    let all_fit =
        request.file_lens_bytes.iter().all(|len| request.record_lens_bytes.is_empty() || is_whole(len));
    if !all_fit || request.rows().is_empty() {
        return Err(
            "a record is longer than the file that it is in: make -r smaller, or -s larger".to_string()
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Result<Request, String> {
        parse(&line.split_whitespace().map(str::to_string).collect::<Vec<_>>())
    }

    #[test]
    fn letters_and_values_may_stand_together() {
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
    fn what_cannot_be_done_is_refused_by_name() {
        let cases = [
            ("", "-i is missing"),
            ("-a", "-i is missing"),
            ("-i 1", "-i 0 is missing"),
            ("-i 2 -i 1", "-i 0 is missing"),
            ("-i 3", "-i 3: there are the tests 0"),
            ("-i", "-i: its value is missing"),
            ("-i 0 -t 4", "-t: not here"),
            ("-i 0 -az", "-z: not here"),
            ("-i 0 -+u", "-+: not here"),
            ("-i 0 -s 4x", "-s 4x: no length"),
            ("-i 0 -s 0", "no length"),
            ("-i 0 -s 10kk", "no length"),
            ("-i 0 -s 99999999999g", "no length"),
            ("-i 0 -s é", "no length"),
            ("-i 0 -s 4k -r 8k", "a record is longer"),
            ("-i 0 -s 4k -s 1m -r 8k", "a record is longer"),
            ("-i 0 -r 1m", "a record is longer"),
            ("-i 0 file", "file: not here"),
            ("-i 0 -", "-: not here"),
        ];
        for (line, message) in cases {
            let error = parsed(line).unwrap_err();
            assert!(error.contains(message), "{line}: {error}");
        }
    }
}
