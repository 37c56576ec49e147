//! bonnie++'s line of comma-separated values, of versions 1.9x and 2.00 (forms 1.96 to 1.98), and of 1.03, whose line names
//! no form and has no latencies.
//!
//! Speeds are in KiB/s. `+++++` stands for what was too fast to be measured, and is absent.

use cardiograph_core::KIB;
use cardiograph_core::direction::Direction;
use cardiograph_core::method::{Method, Pattern};
use cardiograph_core::quantity::{Quantity, Statistic};
use cardiograph_core::text::shown;
use cardiograph_core::{Message, message};
use cardiograph_jobs::value::parse_bytes;

use super::figures::Figures;
use super::lines::{line_of, numbered, part_title};
use super::{ImportProblems, ImportedTest, Importer, Named, Problems, Reading, Subject, Tests, amount};

/// The importer.
pub(super) const IMPORTER: Importer = Importer {
    name: "bonnie",
    title: &message!("import-format.bonnie"),
    recognise: |text, _| line_of(text, |line| is_values(line) || is_heading(line)),
    reading: Reading::Whole(read),
};

/// Fields before the first figure, in the forms up to 1.97; 1.98 has two more: the number of seeks, and of their processes.
const HEAD: usize = 7;
/// Figures of I/O and of files, each with the share of the processor behind it, and fields about files between them.
const TESTS: usize = 6;
const OF_FILES: usize = 5;
const FILE_TESTS: usize = 6;
/// Fields of a line of 1.03: host and size, the figures of I/O, how many files there were, and the figures of files.
const OLD_FIELDS: usize = 2 + 2 * TESTS + 1 + 2 * FILE_TESTS;

/// What bonnie++ does, in its order: id, pattern, what is special, and what moved.
const IO: [(&str, Pattern, &str, Option<Direction>); TESTS] = [
    ("write-characters", Pattern::Write, "one character a call", Some(Direction::Write)),
    ("write", Pattern::Write, "", Some(Direction::Write)),
    // Each block is read, changed and written back: a figure for both together.
    ("rewrite", Pattern::ReadWrite, "each block read and written back", None),
    ("read-characters", Pattern::Read, "one character a call", Some(Direction::Read)),
    ("read", Pattern::Read, "", Some(Direction::Read)),
    ("seeks", Pattern::RandomReadWrite, "", None),
];
const FILES: [&str; FILE_TESTS] = [
    "create-in-order",
    "stat-in-order",
    "delete-in-order",
    "create-at-random",
    "stat-at-random",
    "delete-at-random",
];
/// Of ten seeks one writes.
const SEEKS_THAT_READ: u32 = 90;

/// The heading of the table for people.
fn is_heading(line: &str) -> bool {
    line.contains("------Sequential Output------") && line.contains("--Sequential Input-")
}

fn is_values(line: &str) -> bool {
    is_old_values(line.trim()) || has_form(line)
}

fn is_old_values(line: &str) -> bool {
    if line.split(',').count() != OLD_FIELDS {
        return false;
    }
    let mut fields = line.split(',');
    // Any table has numbers: this one has a machine's name and a size in whole MiB or GiB before them.
    let is_host = |name: &str| name.chars().any(char::is_alphabetic);
    let is_size = |size: &str| {
        let size = size.split(':').next().unwrap_or("");
        size.ends_with(['M', 'G']) && parse_bytes(size).is_ok()
    };
    let is_figure = |field: &str| figure(field).is_ok();
    fields.next().is_some_and(is_host)
        && fields.next().is_some_and(is_size)
        && fields.take(2 * TESTS).all(is_figure)
}

fn has_form(line: &str) -> bool {
    let mut fields = line.trim().split(',');
    let form = fields.next().is_some_and(|form| ["1.96", "1.97", "1.98"].contains(&form));
    form && fields.next().is_some_and(|version| version.starts_with(|c: char| c.is_ascii_digit()))
}

fn read(text: &str, _: &Named) -> Result<Vec<ImportedTest>, ImportProblems> {
    let (mut tests, mut problems) = (Tests::default(), Problems::default());
    for (number, line) in numbered(text).filter(|(_, line)| is_values(line)) {
        tests.of_line(number, tests_of(line.trim()), &mut problems);
    }
    if tests.0.is_empty()
        && problems.is_empty()
        && let Some(number) = line_of(text, is_heading)
    {
        problems.at(number, message!("import-bonnie.table-for-people"));
    }
    problems.or(tests.0)
}

/// What a line of 1.03 has of latencies.
const NO_LATENCIES: [&str; TESTS + FILE_TESTS] = [""; TESTS + FILE_TESTS];

/// A line, divided.
struct Run<'a> {
    /// Version, host and file.
    head: &'a [&'a str],
    /// How many processes seek; `None` where the form does not tell.
    seekers: Option<u64>,
    io: &'a [&'a str],
    files: &'a [&'a str],
    latencies: &'a [&'a str],
}

fn tests_of(line: &str) -> Result<Vec<ImportedTest>, Message> {
    let fields: Vec<&str> = line.split(',').collect();
    if is_old_values(line) {
        let (size, block) = fields[1].split_once(':').unwrap_or((fields[1], ""));
        let head = ["", "", fields[0], "", "", size, block];
        let (io, files) = fields[2..].split_at(2 * TESTS);
        return Run { head: &head, seekers: None, io, files: &files[1..], latencies: &NO_LATENCIES }.tests();
    }
    let has_seeks = fields[0] == "1.98";
    let begin = HEAD + if has_seeks { 2 } else { 0 };
    let wanted = begin + 2 * TESTS + OF_FILES + 2 * FILE_TESTS + TESTS + FILE_TESTS;
    if fields.len() != wanted {
        return Err(message!(
            "import-bonnie.fields",
            count = fields.len(),
            format = fields[0],
            expected = wanted
        ));
    }
    let (io, rest) = fields[begin..].split_at(2 * TESTS);
    let (files, latencies) = rest[OF_FILES..].split_at(2 * FILE_TESTS);
    let seekers = has_seeks.then(|| fields[begin - 1].parse().ok()).flatten();
    Run { head: &fields[..HEAD], seekers, io, files, latencies }.tests()
}

impl Run<'_> {
    fn tests(&self) -> Result<Vec<ImportedTest>, Message> {
        let mut tests = Vec::new();
        for (at, (id, pattern, special, direction)) in IO.into_iter().enumerate() {
            let mut figures = Figures::default();
            if let Some(value) = figure(self.io[2 * at])? {
                let is_rate = pattern == Pattern::RandomReadWrite;
                let (quantity, value) = match is_rate {
                    true => (Quantity::Iops, value),
                    false => (Quantity::Bandwidth, value * KIB as f64),
                };
                figures.add(direction, quantity, value, 0);
            }
            let mut method = self.method(pattern);
            method.read_percent = match id {
                "seeks" => Some(SEEKS_THAT_READ),
                "rewrite" => Some(50),
                _ => None,
            };
            if id == "seeks" {
                method.jobs = self.seekers;
            }
            if !special.is_empty() {
                method.others.insert("pass".to_string(), special.to_string());
            }
            tests.extend(self.test(id, method, figures, direction, self.latencies[at])?);
        }
        for (at, id) in FILES.into_iter().enumerate() {
            let mut figures = Figures::default();
            if let Some(per_s) = figure(self.files[2 * at])? {
                figures.add(None, Quantity::Iops, per_s, 0);
            }
            let mut method = self.method(Pattern::Application);
            method.block_bytes = None;
            method.size_bytes = None;
            method.others.insert("operation".to_string(), id.replace('-', " "));
            tests.extend(self.test(id, method, figures, None, self.latencies[TESTS + at])?);
        }
        Ok(tests)
    }

    fn method(&self, pattern: Pattern) -> Method {
        let field = |at: usize| Some(self.head[at]).filter(|text| !text.is_empty());
        Method {
            tool: "bonnie++".to_string(),
            tool_version: field(1).map(shown),
            pattern: Some(pattern),
            jobs: field(3).and_then(|jobs| jobs.parse().ok()),
            depth: Some(1),
            size_bytes: field(5).and_then(|size| parse_bytes(size).ok()),
            block_bytes: field(6).and_then(|size| parse_bytes(size).ok()),
            ..Method::default()
        }
    }

    /// `None` where nothing was measured.
    fn test(
        &self,
        id: &str,
        method: Method,
        mut figures: Figures,
        direction: Option<Direction>,
        latency: &str,
    ) -> Result<Option<ImportedTest>, Message> {
        if let Some(ns) = time_ns(latency)? {
            figures.latency(direction, Statistic::Max, ns, 0);
        }
        let imported = figures.imported();
        if imported.figures.is_empty() {
            return Ok(None);
        }
        let host = Some(shown(self.head[2])).filter(|host| !host.is_empty());
        let note = message!("import-bonnie.cache-unknown");
        let title = part_title(&method, id);
        Ok(Some(ImportedTest {
            imported,
            subject: Subject { host, ..Subject::default() },
            notes: vec![note],
            ..ImportedTest::new(id, title, method)
        }))
    }
}

/// Whether a field is missing, or was too fast to be measured.
fn is_absent(text: &str) -> bool {
    text.trim().bytes().all(|byte| byte == b'+')
}

/// A figure; `None` where it is absent.
fn figure(text: &str) -> Result<Option<f64>, Message> {
    if is_absent(text) { Ok(None) } else { amount::plain(text).map(Some) }
}

/// A latency in nanoseconds: `156ms`, `72964us`.
fn time_ns(text: &str) -> Result<Option<f64>, Message> {
    if is_absent(text) {
        return Ok(None);
    }
    amount::in_units(text, &[("us", 1e3), ("ms", 1e6), ("s", 1e9)]).map(Some)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{all_lines_of, found, problems_of};
    use super::*;

    const TEXT: &str = include_str!("fixtures/tools/bonnie-2.00.txt");
    const OLD: &str = include_str!("fixtures/tools/bonnie-1.03.txt");
    const TOO_FAST: &str = include_str!("fixtures/tools/bonnie-2.00-too-fast.csv");

    #[test]
    fn a_run_with_figures() {
        let found = found(&IMPORTER, TEXT);
        for (name, value) in [
            ("- write-characters write.bandwidth", 131.0 * 1_024.0),
            ("- write write.bandwidth", 112_446.0 * 1_024.0),
            ("- write write.latency_max", 72_964e3),
            ("- read read.latency_max", 112e6),
            ("- rewrite bandwidth", 182_000.0 * 1_024.0),
            ("- seeks iops", 12_301.0),
            ("- create-in-order iops", 553.0),
            ("- delete-at-random latency_max", 60_150e3),
        ] {
            assert_eq!(found.get(name).copied(), Some(value), "{name}: {found:#?}");
        }
        assert_eq!(found.get("- stat-in-order iops"), None);
        let tests = all_lines_of(&IMPORTER, TEXT);
        let seeks = tests.iter().find(|test| test.id == "seeks").unwrap();
        assert_eq!((seeks.method.jobs, seeks.method.read_percent), (Some(5), Some(90)));
        assert_eq!((seeks.method.size_bytes, seeks.method.direct), (Some(300 << 20), None));
        assert_eq!(seeks.subject.host.as_deref(), Some("testhost"));
    }

    #[test]
    fn what_was_too_fast_is_absent() {
        let found = found(&IMPORTER, TOO_FAST);
        assert_eq!(found.get("- write-characters write.bandwidth"), Some(&(1_039.0 * 1_024.0)));
        assert!(
            !found.contains_key("- write write.bandwidth") && found.contains_key("- write write.latency_max")
        );
    }

    #[test]
    fn a_line_of_1_03() {
        let found = found(&IMPORTER, OLD);
        for (name, value) in [
            ("- write-characters write.bandwidth", 10_018.0 * 1_024.0),
            ("- read read.bandwidth", 30_244.0 * 1_024.0),
            ("- seeks iops", 93.3),
            ("- create-in-order iops", 2_652.0),
            ("- delete-at-random iops", 4_434.0),
        ] {
            assert_eq!(found.get(name).copied(), Some(value), "{name}: {found:#?}");
        }
        assert_eq!(found.len(), TESTS + FILE_TESTS);
        let line = OLD.lines().last().unwrap();
        let test = all_lines_of(&IMPORTER, &line.replacen("2G", "2G:64k", 1)).remove(1);
        assert_eq!((test.method.size_bytes, test.method.block_bytes), (Some(2 << 30), Some(64 << 10)));
        assert_eq!((test.subject.host.as_deref(), test.method.tool_version), (Some("Desktop"), None));
        // The table alone is not enough.
        let table = OLD.replacen(line, "", 1);
        let problems = problems_of(&IMPORTER, &table);
        assert!(problems.starts_with("line 3: import-bonnie.table-for-people"), "{problems}");
    }

    #[test]
    fn forms_before_1_98_do_not_count_seeks() {
        let old = TOO_FAST.replacen("1.98,2.00a", "1.97,1.97", 1).replacen(",8192,5,", ",", 1);
        assert_eq!(all_lines_of(&IMPORTER, &old).len(), all_lines_of(&IMPORTER, TOO_FAST).len());
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        for (from, to, expected) in [
            ("1.98,", "1.97,", "import-bonnie.fields("),
            ("1039", "fast", "import-value.not-a-number(text=fast)"),
            ("19100us", "19100min", "import-value.unknown-unit(text=19100min, unit=min)"),
        ] {
            let problems = problems_of(&IMPORTER, &format!("\n{}", TOO_FAST.replacen(from, to, 1)));
            assert!(problems.starts_with("line 2: ") && problems.contains(expected), "{problems}");
        }
    }
}
