//! dd's summary, of GNU (all versions and languages), busybox and BSD.
//!
//! The speed is computed from bytes and time: the speed that dd prints has three digits, and its MB are 10^6 bytes in
//! GNU dd and 2^20 in busybox.

use cardiograph_core::NS_PER_S;
use cardiograph_core::direction::Direction;
use cardiograph_core::method::{Method, Pattern};
use cardiograph_core::quantity::Quantity;
use cardiograph_core::text::shown;
use cardiograph_core::{Message, message};

use super::figures::Figures;
use super::lines::{find_command, find_line, numbered, title};
use super::{ImportProblems, ImportedTest, Importer, Named, Problems, Reading, Tests, command};

pub(super) const IMPORTER: Importer = Importer {
    name: "dd",
    title: &message!("import-format.dd"),
    origin: "tools/dd.txt",
    recognise: |text, _| {
        let mut before = false;
        let second = find_line(text, |line| {
            let is = records(line.trim()).is_some();
            std::mem::replace(&mut before, is) && is
        });
        second.map(|line| line - 1)
    },
    reading: Reading::Whole(read),
};

const NO_COMMAND: Message = message!("import-dd.no-command");

/// Whole and partial blocks of `51200+0 records out`, in any language.
fn records(line: &str) -> Option<(u64, u64)> {
    let (count, words) = line.split_once(' ')?;
    let (whole, partial) = count.split_once('+')?;
    let is_words = !words.trim().is_empty() && !words.contains(char::is_numeric);
    is_words.then_some((whole.parse().ok()?, partial.parse().ok()?))
}

/// A copy whose summary is not complete yet.
#[derive(Default)]
struct Copy {
    /// The line of the first records, and their counts.
    records: Vec<(u64, (u64, u64))>,
    command: Option<String>,
}

fn read(text: &str, _: &Named) -> Result<Vec<ImportedTest>, ImportProblems> {
    let (mut tests, mut problems) = (Tests::default(), Problems::default());
    let mut copy = Copy::default();
    for (number, line) in numbered(text) {
        let line = line.trim();
        if let Some(command) =
            find_command(line, "dd", |word| word.starts_with("if=") || word.starts_with("of="))
        {
            copy.command = Some(command.to_string());
        } else if let Some(of) = records(line) {
            copy.records.push((number, of));
        } else if !copy.records.is_empty() {
            let whole = std::mem::take(&mut copy);
            let line_of_records = whole.records.first().map(|(line, _)| *line);
            match transfer(line).map(|read| read.and_then(|read| test(&whole, read))) {
                Some(Ok(test)) => {
                    let line = line_of_records;
                    tests.push(ImportedTest { line, output_line: line, ..test });
                }
                Some(Err(message)) => problems.add_at(number, message),
                None => {}
            }
        }
    }
    problems.result(tests.0)
}

/// The figures of the transfer line.
#[derive(Debug, PartialEq)]
struct Transfer {
    bytes: f64,
    seconds: f64,
}

/// Parses `419430400 bytes (419 MB, 400 MiB) copied, 25.3193 s, 16.6 MB/s`. `None` for other lines; an error if its
/// figures do not agree.
fn transfer(line: &str) -> Option<Result<Transfer, Message>> {
    let (bytes, rest) = line.split_once(' ')?;
    let bytes: f64 =
        Some(bytes).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))?.parse().ok()?;
    // Sizes in other units are in parentheses.
    let rest = match (rest.find('('), rest.rfind(')')) {
        (Some(open), Some(close)) if open < close => format!("{} {}", &rest[..open], &rest[close + 1..]),
        _ => rest.to_string(),
    };
    // dd prints no thousands separators: a comma within a number is a decimal comma.
    let words: Vec<String> =
        rest.split_whitespace().map(|word| word.trim_end_matches([',', '、', ';']).to_string()).collect();
    let is_number = |word: &str| word.starts_with(|c: char| c.is_ascii_digit());
    let at = words.iter().position(|word| is_number(word))?;
    let seconds = decimal(&words[at])?;
    let unit = words.get(at + 1)?;
    if !["s", "sec", "secs", "second", "seconds", "秒", "сек", "с"].contains(&unit.as_str()) {
        return Some(Err(message!("import-dd.unit-of-time", unit = shown(unit))));
    }
    if seconds == 0.0 || bytes == 0.0 {
        return Some(Err(message!("import-dd.no-speed")));
    }
    Some(Ok(Transfer { bytes, seconds }))
}

/// Parses a number with a decimal point or comma and an optional exponent.
fn decimal(text: &str) -> Option<f64> {
    let text = text.replacen(',', ".", 1);
    let is_plain =
        text.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'e' | b'-' | b'+'));
    text.parse().ok().filter(|number: &f64| is_plain && number.is_finite() && *number >= 0.0)
}

fn test(copy: &Copy, transfer: Transfer) -> Result<ImportedTest, Message> {
    let method = copy.command.as_deref().and_then(|line| command::method(line, None).ok());
    let known = method.is_some();
    let (read, written) = match copy.records[..] {
        [(_, read), .., (_, written)] => (read, written),
        _ => return Err(message!("import-dd.two-records")),
    };
    let mut method =
        method.unwrap_or_else(|| Method { tool: "dd".to_string(), jobs: Some(1), ..Method::default() });
    if !known && read == written && read.1 == 0 && read.0 > 0 {
        // All blocks were whole, so bytes / blocks is the block size.
        let block_bytes = transfer.bytes / read.0 as f64;
        method.block_bytes = (block_bytes.fract() == 0.0).then_some(block_bytes as u64);
    }
    let direction = match method.pattern {
        Some(Pattern::Read) => Some(Direction::Read),
        Some(_) => Some(Direction::Write),
        None => None,
    };
    let mut figures = Figures::default();
    figures.add(direction, Quantity::Bandwidth, transfer.bytes / transfer.seconds, 0);
    figures.add(direction, Quantity::Bytes, transfer.bytes, 0);
    figures.add(direction, Quantity::Runtime, transfer.seconds * NS_PER_S as f64, 0);
    let id = match direction {
        Some(Direction::Read) => "read",
        Some(_) => "write",
        None => "copy",
    };
    Ok(ImportedTest {
        command: copy.command.clone(),
        imported: figures.into_imported(),
        notes: if known { Vec::new() } else { vec![NO_COMMAND] },
        ..ImportedTest::new(id, title(&method), method)
    })
}

#[cfg(test)]
mod tests {
    use cardiograph_core::method::Durability;

    use super::super::testing::{check_importer, figures_by_name, problems_of};
    use super::*;

    const TEXT: &str = include_str!("fixtures/tools/dd.txt");

    #[test]
    fn reads_all_kinds_of_copies() {
        let tests = check_importer(&IMPORTER, TEXT);
        let [write, read, synced, ..] = &tests[..] else { panic!("{tests:#?}") };
        assert_eq!(
            (write.method.pattern, write.method.durability),
            (Some(Pattern::Write), Some(Durability::AtEnd))
        );
        assert_eq!((write.method.block_bytes, write.method.size_bytes), (Some(8_192), Some(16 << 20)));
        assert_eq!((read.method.pattern, read.method.direct), (Some(Pattern::Read), Some(true)));
        assert_eq!(synced.method.durability, Some(Durability::Dsync));
        let found = figures_by_name(&IMPORTER, TEXT);
        for (name, value) in [
            ("- write write.bandwidth", 16_777_216.0 / 0.036_337_3),
            ("- read read.runtime", 0.020_219_3e9),
            ("- write-2 write.bytes", 512.0),
        ] {
            assert!((found[name] / value - 1.0).abs() < 1e-12, "{name}: {}", found[name]);
        }
    }

    #[test]
    fn all_dd_implementations_are_read() {
        let records = "51200+0 records in\n51200+0 records out\n";
        for (line, bytes_per_s) in [
            ("419430400 bytes (419 MB, 400 MiB) copied, 25.3193 s, 16.6 MB/s", 419_430_400.0 / 25.319_3),
            ("419430400 bytes (419 MB) copied, 25.3193 seconds, 16.6 MB/s", 419_430_400.0 / 25.319_3),
            ("419430400 Bytes (419 MB, 400 MiB) kopiert, 25,3193 s, 16,6 MB/s", 419_430_400.0 / 25.319_3),
            (
                "419430400 bytes (419 MB, 400 MiB) コピーされました、 25.3193 秒、 16.6 MB/秒",
                419_430_400.0 / 25.319_3,
            ),
            ("419430400 octets (419 MB, 400 MiB) copiés, 25,3193 s, 16,6 MB/s", 419_430_400.0 / 25.319_3),
            ("419430400 bytes (400.0MB) copied, 25.319300 seconds, 15.8MB/s", 419_430_400.0 / 25.319_3),
            ("419430400 bytes transferred in 25.319300 secs (16565640 bytes/sec)", 419_430_400.0 / 25.319_3),
            ("512 bytes copied, 5.1107e-05 s, 10.0 MB/s", 512.0 / 5.110_7e-5),
        ] {
            let tests = check_importer(&IMPORTER, &format!("{records}{line}\n"));
            let [test] = &tests[..] else { panic!("{line}") };
            let found = test.imported.figures[0].estimate.value;
            assert!((found / bytes_per_s - 1.0).abs() < 1e-9, "{line}: {found}");
            assert_eq!((test.method.pattern, test.notes.as_slice()), (None, &[NO_COMMAND][..]));
        }
        // Progress output (status=progress) is not a result.
        let moving = "134217728 bytes (134 MB, 128 MiB) copied, 1 s, 133 MB/s\r268435456 bytes copied, 2 s, 134 MB/s\n";
        let text = format!("{moving}{records}419430400 bytes (419 MB, 400 MiB) copied, 3 s, 140 MB/s\n");
        assert_eq!(check_importer(&IMPORTER, &text).len(), 1);
    }

    #[test]
    fn errors_name_their_line() {
        let records = "1+0 records in\n1+0 records out\n";
        for (behind, expected) in [
            ("", "import-text.nothing(format=import-format.dd)"),
            ("$ ls\n", "import-text.nothing(format=import-format.dd)"),
            ("512 bytes copied, 1 h, 512 B/s\n", "line 3: import-dd.unit-of-time(unit=h)"),
            ("0 bytes copied, 0 s, 0.0 kB/s\n", "import-dd.no-speed"),
        ] {
            let problems = problems_of(&IMPORTER, &format!("{records}{behind}"));
            assert!(problems.contains(expected), "{behind}: {problems}");
        }
    }
}
