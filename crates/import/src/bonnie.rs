//! bonnie++'s line of comma-separated values, of versions 1.9x and 2.00 (formats 1.96 to 1.98), and of 1.03, whose line
//! has neither a format nor latencies.
//!
//! Speeds are in KiB/s. `+++++` marks a test too fast to be measured, which is treated as absent.

use cardiograph_core::KIB;
use cardiograph_core::direction::Direction;
use cardiograph_core::method::{Method, Pattern};
use cardiograph_core::quantity::{Quantity, Statistic};
use cardiograph_core::text::shown;
use cardiograph_core::{Message, message};
use cardiograph_jobs::value::parse_bytes;

use super::figures::Figures;
use super::lines::{find_line, numbered, part_title};
use super::{ImportProblems, ImportedTest, Importer, Named, Problems, Reading, Subject, Tests, amount};

pub(super) const IMPORTER: Importer = Importer {
    name: "bonnie",
    title: &message!("import-format.bonnie"),
    origin: "tools/bonnie-2.00.txt",
    recognise: |text, _| find_line(text, |line| is_values(line) || is_heading(line)),
    reading: Reading::Whole(read),
};

/// Fields before the first figure, in formats up to 1.97; 1.98 adds the number of seeks and of seeking processes.
const HEAD: usize = 7;
/// I/O and file tests, each a figure followed by its CPU share, and file parameters between them.
const TESTS: usize = 6;
const OF_FILES: usize = 5;
const FILE_TESTS: usize = 6;
/// Fields of a line of 1.03: host and size, I/O figures, number of files, file figures.
const OLD_FIELDS: usize = 2 + 2 * TESTS + 1 + 2 * FILE_TESTS;

/// bonnie++'s tests in order: id, pattern, special feature, and direction.
const IO: [(&str, Pattern, &str, Option<Direction>); TESTS] = [
    ("write-characters", Pattern::Write, "one character a call", Some(Direction::Write)),
    ("write", Pattern::Write, "", Some(Direction::Write)),
    // Each block is read, changed and written back: one figure for both directions.
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
/// One seek in ten also writes.
const SEEKS_THAT_READ: u32 = 90;

/// The heading of the human-readable table.
fn is_heading(line: &str) -> bool {
    line.contains("------Sequential Output------") && line.contains("--Sequential Input-")
}

fn is_values(line: &str) -> bool {
    is_old_values(line.trim()) || has_format(line)
}

fn is_old_values(line: &str) -> bool {
    if line.split(',').count() != OLD_FIELDS {
        return false;
    }
    let mut fields = line.split(',');
    // Any table has numbers: this one starts with a host name and a size in MiB or GiB.
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

fn has_format(line: &str) -> bool {
    let mut fields = line.trim().split(',');
    let form = fields.next().is_some_and(|form| ["1.96", "1.97", "1.98"].contains(&form));
    form && fields.next().is_some_and(|version| version.starts_with(|c: char| c.is_ascii_digit()))
}

fn read(text: &str, _: &Named) -> Result<Vec<ImportedTest>, ImportProblems> {
    let (mut tests, mut problems) = (Tests::default(), Problems::default());
    for (number, line) in numbered(text).filter(|(_, line)| is_values(line)) {
        tests.add_output(number, parse_line(line.trim()), &mut problems);
    }
    if tests.0.is_empty()
        && problems.is_empty()
        && let Some(number) = find_line(text, is_heading)
    {
        problems.add_at(number, message!("import-bonnie.table-for-people"));
    }
    problems.result(tests.0)
}

/// Replaces the latencies that 1.03 lacks.
const NO_LATENCIES: [&str; TESTS + FILE_TESTS] = [""; TESTS + FILE_TESTS];

/// A line, split into fields.
struct Run<'a> {
    /// Version, host and file.
    head: &'a [&'a str],
    /// Number of seeking processes; `None` if the format lacks it.
    seekers: Option<u64>,
    io: &'a [&'a str],
    files: &'a [&'a str],
    latencies: &'a [&'a str],
}

fn parse_line(line: &str) -> Result<Vec<ImportedTest>, Message> {
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

    /// `None` if nothing was measured.
    fn test(
        &self,
        id: &str,
        method: Method,
        mut figures: Figures,
        direction: Option<Direction>,
        latency: &str,
    ) -> Result<Option<ImportedTest>, Message> {
        if let Some(ns) = time_ns(latency)? {
            figures.add_latency(direction, Statistic::Max, ns, 0);
        }
        let imported = figures.into_imported();
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

/// Whether a field is empty or was too fast to be measured.
fn is_absent(text: &str) -> bool {
    text.trim().bytes().all(|byte| byte == b'+')
}

/// Parses a figure; `None` if absent.
fn figure(text: &str) -> Result<Option<f64>, Message> {
    if is_absent(text) { Ok(None) } else { amount::plain(text).map(Some) }
}

/// Parses a latency in nanoseconds: `156ms`, `72964us`.
fn time_ns(text: &str) -> Result<Option<f64>, Message> {
    if is_absent(text) {
        return Ok(None);
    }
    amount::in_units(text, &[("us", 1e3), ("ms", 1e6), ("s", 1e9)]).map(Some)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check_importer, figures_by_name, problems_of};
    use super::*;

    const TEXT: &str = include_str!("fixtures/tools/bonnie-2.00.txt");
    const OLD: &str = include_str!("fixtures/tools/bonnie-1.03.txt");
    const TOO_FAST: &str = include_str!("fixtures/tools/bonnie-2.00-too-fast.csv");

    #[test]
    fn reads_all_figures() {
        let found = figures_by_name(&IMPORTER, TEXT);
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
        let tests = check_importer(&IMPORTER, TEXT);
        let seeks = tests.iter().find(|test| test.id == "seeks").unwrap();
        assert_eq!((seeks.method.jobs, seeks.method.read_percent), (Some(5), Some(90)));
        assert_eq!((seeks.method.size_bytes, seeks.method.direct), (Some(300 << 20), None));
        assert_eq!(seeks.subject.host.as_deref(), Some("testhost"));
    }

    #[test]
    fn figures_too_fast_to_measure_are_absent() {
        let found = figures_by_name(&IMPORTER, TOO_FAST);
        assert_eq!(found.get("- write-characters write.bandwidth"), Some(&(1_039.0 * 1_024.0)));
        assert!(
            !found.contains_key("- write write.bandwidth") && found.contains_key("- write write.latency_max")
        );
    }

    #[test]
    fn reads_version_1_03() {
        let found = figures_by_name(&IMPORTER, OLD);
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
        let test = check_importer(&IMPORTER, &line.replacen("2G", "2G:64k", 1)).remove(1);
        assert_eq!((test.method.size_bytes, test.method.block_bytes), (Some(2 << 30), Some(64 << 10)));
        assert_eq!((test.subject.host.as_deref(), test.method.tool_version), (Some("Desktop"), None));
        // The table alone is not enough.
        let table = OLD.replacen(line, "", 1);
        let problems = problems_of(&IMPORTER, &table);
        assert!(problems.starts_with("line 3: import-bonnie.table-for-people"), "{problems}");
    }

    #[test]
    fn formats_before_1_98_lack_the_seek_count() {
        let old = TOO_FAST.replacen("1.98,2.00a", "1.97,1.97", 1).replacen(",8192,5,", ",", 1);
        assert_eq!(check_importer(&IMPORTER, &old).len(), check_importer(&IMPORTER, TOO_FAST).len());
    }

    #[test]
    fn errors_name_their_line() {
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
