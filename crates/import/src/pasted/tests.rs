//! What people paste: each fixture in each distortion.

use cardiograph_testing::part_or_all;

use super::super::{ImportedTest, Named, detect};
use super::*;

#[test]
fn prefixes_and_colours_are_removed() {
    for (line, expected) in [
        ("  read: IOPS=1", "  read: IOPS=1"),
        ("> read", "read"),
        (">>  read", " read"),
        ("> > read", "read"),
        (">=64=0.0%", ">=64=0.0%"),
        ("Nov 23 16:53:01 pi fio[123]:   read", "  read"),
        ("Nov  3 16:53:01 pi sh[1]: > read", "read"),
        ("2025-11-23T16:53:01+0100 pi fio[123]: read", "read"),
        ("2025-11-23T15:53:01.1234567Z   read", "  read"),
        ("[2025-11-23 15:53:01,123] read", "read"),
        ("16:53:01 read: IOPS=1", "read: IOPS=1"),
        ("Nov 23 16:53:01 test: (groupid=0, jobs=1): err= 0", "test: (groupid=0, jobs=1): err= 0"),
        ("Nov 23 16:53:01 pi fio[123]:", ""),
        ("2025-11-23T15:53:01Z runner[12]: read", "read"),
        ("2025-11-23T15:53:01.5Z stdout F   read", "  read"),
        ("2025-11-23 15:53:01,123 INFO read", "read"),
        ("[    5.123456] read", "read"),
        ("[5.1] read", "read"),
        ("[1.5, 2] read", "[1.5, 2] read"),
        ("f-1  | a\nf-1  |   b\n\nf-1  | c\nf-1  | d", "a\n  b\n\nc\nd"),
        ("# a\n#  b\n# c\n# d\n", "a\n b\nc\nd\n"),
        ("x | a | 1\nx | b | 2\nx | c | 3\nx | d | 4", "x | a | 1\nx | b | 2\nx | c | 3\nx | d | 4"),
        ("May be", "May be"),
        ("2025-11-05 12:19", "2025-11-05 12:19"),
        ("12:19:01;1;2", "12:19:01;1;2"),
        ("\u{1b}[1;32mread\u{1b}[0m: \u{1b}]0;title\u{7}1\u{1b}(B", "read: 1"),
        ("\u{9b}31mread\u{1b}", "read"),
        ("read\u{1b}[\nb", "read\nb"),
        ("read\u{1b}]0;title\nb", "read\nb"),
        ("| a\n|\n|  b\n", "a\n\n b\n"),
        ("| a | b |\n|---|---|\n| 1 | 2 |\n", "| a | b |\n|---|---|\n| 1 | 2 |\n"),
        (
            "|  1.00th=[ 4],\n| 30.00th=[ 4],\n| 99.00th=[ 4]\n",
            "|  1.00th=[ 4],\n| 30.00th=[ 4],\n| 99.00th=[ 4]\n",
        ),
    ] {
        assert_eq!(plain(Cow::Borrowed(line)), expected, "{line:?}");
    }
}

const NAMED: Named = Named { place: "out.txt" };

macro_rules! fixtures {
    ($($name:literal)*) => { &[$(($name, include_str!(concat!("../fixtures/", $name)))),*] };
}
/// A real output of each format and version that people paste.
const FIXTURES: &[(&str, &str)] = fixtures!(
    "fio/2.1.3-twice.txt" "fio/2.1.11-without-indentation.txt" "fio/3.33-groups.txt" "fio/3.33-unified.txt"
    "fio/3.33-versions.terse" "fio/3.33-same-run.json" "fio/3.41-windows.txt" "fio/cards-2013.txt"
    "pi5/microsd-fsync.txt" "pi5/ssd-sdtest.txt" "tools/bonnie-1.03.txt" "tools/bonnie-2.00.txt"
    "tools/crystaldiskmark-3.txt" "tools/crystaldiskmark-8.txt" "tools/dd.txt" "tools/hdparm.txt" "tools/ioping.txt"
    "tools/iozone.txt" "tools/iozone-throughput.txt" "tools/kdiskmark-3.txt" "tools/pibenchmarks.txt"
    "tools/sysbench-0.4.txt" "tools/sysbench-1.0.txt" "tools/yabs.json"
);

fn read(text: &str) -> Result<(&'static str, Vec<ImportedTest>), String> {
    let importer = detect(text.as_bytes(), &NAMED).ok_or("not recognised")?;
    let tests = importer.read(&mut text.as_bytes(), &NAMED).map_err(|why| why.to_string())?;
    Ok((importer.name, tests))
}

fn each_line(text: &str, change: impl Fn(&str) -> String) -> String {
    text.lines().map(|line| change(line) + "\n").collect()
}

/// A figure, without its test's notes and lines.
fn figures(tests: &[ImportedTest]) -> Vec<String> {
    let of_test = |test: &ImportedTest| {
        let figure = |one: &cardiograph_core::imported::Figure| {
            format!("{} {:?} {} {:?}", test.id, one.direction, one.quantity, one.estimate.value)
        };
        test.imported.figures.iter().map(figure).collect::<Vec<_>>()
    };
    tests.iter().flat_map(of_test).collect()
}

/// Changes that lose nothing.
type Distortion = (&'static str, fn(&str) -> String);
const DISTORTIONS: &[Distortion] = &[
    ("quoted", |text| each_line(text, |line| format!("> {line}"))),
    ("quoted by a forum, without a space", |text| each_line(text, |line| format!(">{line}"))),
    ("quoted twice", |text| each_line(text, |line| format!("> >> {line}"))),
    ("quoted, blank lines without a space", |text| {
        each_line(text, |line| format!("> {line}").trim_end().to_string())
    }),
    ("barred", |text| each_line(text, |line| format!("| {line}"))),
    ("journal", |text| each_line(text, |line| format!("Nov 23 16:53:01 pi fio[123]: {line}"))),
    ("journal, ISO", |text| {
        each_line(text, |line| format!("2025-11-23T16:53:01.123456+01:00 pi sh[1]: {line}"))
    }),
    ("log of a runner", |text| each_line(text, |line| format!("2025-11-23T15:53:01.1234567Z {line}"))),
    ("containers", |text| each_line(text, |line| format!("fio-1  | {line}").trim_end().to_string())),
    ("pods", |text| each_line(text, |line| format!("2025-11-23T15:53:01.123456789Z stdout F {line}"))),
    ("logger", |text| each_line(text, |line| format!("2025-11-23 15:53:01,123 INFO {line}"))),
    ("commented", |text| each_line(text, |line| format!("# {line}"))),
    ("kernel log", |text| each_line(text, |line| format!("[ 5123.456789] {line}"))),
    ("coloured", |text| each_line(text, |line| format!("\u{1b}[1;32m{line}\u{1b}[0m\u{1b}[K"))),
    ("from Windows", |text| text.replace('\n', "\r\n")),
    ("trailing blanks", |text| each_line(text, |line| format!("{line}  \t"))),
    ("indented", |text| each_line(text, |line| format!("    {line}"))),
    ("indented by tabs", |text| each_line(text, |line| format!("\t{line}"))),
    ("with prose and prompts", |text| {
        format!(
            "Hello,\nmy new card:\n\n```\npi@pi:~ $ uname -a\nLinux pi 6.12\n{text}\npi@pi:~ $ exit\n```\nWhat do you think?\n"
        )
    }),
    ("in a mail with a quoted log", |text| {
        each_line(text, |line| format!("> Nov  3 16:53:01 pi fio[123]: {line}"))
    }),
];

#[test]
fn distortions_lose_nothing() {
    let mut lost = Vec::new();
    for (_, text) in FIXTURES {
        let (name, whole) = read(text).unwrap();
        for (distortion, distort) in DISTORTIONS {
            match read(&distort(text)) {
                Ok((_, tests)) if figures(&tests) == figures(&whole) => {}
                found => lost.push(format!("{name}, {distortion}: {found:?}")),
            }
        }
    }
    assert!(lost.is_empty(), "{}", lost.join("\n"));
}

/// A mail program breaks lines at spaces. Tables of other programs become unreadable.
#[test]
fn wrapped_lines_of_fio_are_joined() {
    for (_, text) in FIXTURES {
        let (name, whole) = read(text).unwrap();
        if name == "fio-normal" {
            for columns in [68, 72, 76] {
                let (_, tests) = read(&each_line(text, |line| wrapped(line, columns))).unwrap();
                assert_eq!(figures(&tests), figures(&whole), "{columns}: {text:.100}");
            }
        }
    }
}

fn wrapped(line: &str, columns: usize) -> String {
    let mut rest = line;
    let mut lines = Vec::new();
    // Command lines and job files are not wrapped: they are not output.
    while rest.len() > columns && !line.contains("fio -") {
        let Some(at) = rest[..rest.floor_char_boundary(columns)].rfind(' ').filter(|&at| at > 0) else {
            break;
        };
        lines.push(&rest[..at]);
        rest = &rest[at + 1..];
    }
    lines.push(rest);
    lines.join("\n")
}

/// How many of the parts of a text, in percent, are read: those that end or begin after any line.
#[test]
fn parts_have_the_figures_that_they_contain() {
    for (_, text) in FIXTURES {
        let (name, whole) = read(text).unwrap();
        let whole = figures(&whole);
        let ends: Vec<usize> = text.match_indices('\n').map(|(at, _)| at + 1).collect();
        let (mut tried, mut found) = (0, [0, 0]);
        for &at in ends.iter().step_by(part_or_all(ends.len().div_ceil(30), 1)) {
            tried += 1;
            for (side, part) in [&text[..at], &text[at..]].into_iter().enumerate() {
                let Ok((_, tests)) = read(part) else { continue };
                found[side] += 100;
                // Beginnings have figures of the whole; ends lack names and numbers of runs, such as of several jobs.
                let is_known = |figure: &String| whole.contains(figure);
                assert!(side == 1 || figures(&tests).iter().all(is_known), "{name} at {at}");
                let is_noted =
                    tests.iter().any(|test| test.notes.iter().any(|note| note.id() == "import-text.missing"));
                let has_all = figures(&tests) == whole
                    || text[at..].starts_with("Run status")
                    || text[..at].ends_with("Disk stats (read/write):\n");
                assert!(
                    side == 0 || name != "fio-normal" || has_all || is_noted || part.contains("err="),
                    "{name} at {at}: {tests:#?}"
                );
            }
        }
        let least = match name {
            "fio-normal" => [75, 65],
            "crystaldiskmark" | "kdiskmark" => [60, 55],
            _ => [0, 0],
        };
        assert!(
            found[0] / tried >= least[0] && found[1] / tried >= least[1],
            "{name}: {found:?} of {tried} {text:.60}"
        );
    }
}

/// Half a number at the end of a text is left out, where it contradicts the others, and so is half a word.
#[test]
fn a_text_may_end_within_a_line() {
    let text = include_str!("../fixtures/pi5/microsd-fsync.txt");
    let (begin, end) = (text.find("99.00th=").unwrap(), text.find("Run status").unwrap());
    let (mut noted, mut tried) = (0, 0);
    for at in begin..end {
        let (_, tests) = read(&text[..at]).unwrap_or_else(|why| panic!("{at}: {why}"));
        tried += 1;
        noted += u64::from(tests[0].notes.iter().any(|note| note.id().starts_with("import-text.")));
    }
    assert!(noted * 10 > tried * 9, "{noted} of {tried}");
}

#[test]
fn a_page_has_outputs_of_several_tools() {
    let tools = ["hdparm", "dd", "ioping", "iozone", "sysbench-1.0"].map(|tool| format!("tools/{tool}.txt"));
    let texts = FIXTURES.iter().filter(|(name, _)| tools.contains(&name.to_string()));
    let page: String = texts.map(|(_, text)| format!("And now:\n```\n{text}```\n")).collect();
    let page = each_line(&page, |line| format!("> {line}"));
    let first = detect(page.as_bytes(), &NAMED).unwrap();
    let parts = first.read_page(&mut page.as_bytes(), &NAMED).unwrap();
    let names: Vec<&str> = parts.iter().map(|(importer, _)| importer.name).collect();
    assert_eq!(names, ["hdparm", "dd", "iozone", "ioping", "sysbench"]);
    // A tool whose figures contradict each other is left out, and noted.
    let wrong = page.replace("min/avg/max/mdev = 198.3 us", "min/avg/max/mdev = 198.3 s");
    assert_ne!(wrong, page);
    let parts = first.read_page(&mut wrong.as_bytes(), &NAMED).unwrap();
    assert_eq!(parts.len(), 4);
    assert!(parts[0].1[0].notes.iter().any(|note| note.id() == "import-text.left-out"));
}

#[test]
fn long_hostile_texts_are_read_or_refused() {
    let len = part_or_all(32 << 10, 1 << 20);
    for unit in [
        "> ",
        "|",
        "|\n",
        "\u{1b}[",
        "\u{1b}]0;",
        "Nov 23 16:53:01 pi fio[1]: ",
        "read: IOPS=1, BW=1B/s (1B/s)(1B/1msec),\n",
        "READ: bw=1B/s (1B/s),\n",
        "a: (groupid=0, jobs=1): err= 0: pid=1:\n",
        "{\"fio version\": \"1\",\n\"jobs\": [{\"jobname\": \"a\",",
        "Category Test Result\nDD Disk Write 1 MB/s\n",
        "\n{",
    ] {
        let text = unit.repeat(len / unit.len());
        for importer in crate::IMPORTERS {
            let _ = importer.read(&mut text.as_bytes(), &NAMED);
        }
    }
}
