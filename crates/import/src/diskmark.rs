//! The text copied or saved by CrystalDiskMark (3 to 9) and KDiskMark.
//!
//! Both print MB/s. CrystalDiskMark's MB are 10^6 bytes; KDiskMark divides fio's KiB/s by 1,000, so its MB are
//! 1,024,000 bytes.

use cardiograph_core::direction::Direction;
use cardiograph_core::doubt::Doubt;
use cardiograph_core::method::{Durability, Method, Pattern};
use cardiograph_core::quantity::{LatencyKind, Quantity, Statistic};
use cardiograph_core::text::shown;
use cardiograph_core::{KIB, MIB, NS_PER_S};
use cardiograph_core::{Message, message};

use super::figures::Figures;
use super::lines::{find_line, missing_note, numbered};
use super::moment::Moment;
use super::{ImportProblems, ImportedTest, Importer, Problems, Reading, Subject, Tests, amount};

pub(super) const CRYSTAL: Importer = Importer {
    name: "crystaldiskmark",
    title: &message!("import-format.crystaldiskmark"),
    origin: "tools/crystaldiskmark-8.txt",
    recognise: |text, _| {
        find_line(text, |line| {
            line.trim_start().starts_with("CrystalDiskMark ") || is_row(line, Program::Crystal)
        })
    },
    reading: Reading::Whole(|text, _| read(text, Program::Crystal)),
};

pub(super) const KDISKMARK: Importer = Importer {
    name: "kdiskmark",
    title: &message!("import-format.kdiskmark"),
    origin: "tools/kdiskmark-3.txt",
    recognise: |text, _| {
        find_line(text, |line| line.trim_start().starts_with("KDiskMark (") || is_row(line, Program::K))
    },
    reading: Reading::Whole(|text, _| read(text, Program::K)),
};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Program {
    Crystal,
    K,
}

impl Program {
    const fn tool(self) -> &'static str {
        match self {
            Program::Crystal => "CrystalDiskMark",
            Program::K => "KDiskMark",
        }
    }

    /// Length of its MB in bytes.
    const fn mb_bytes(self) -> f64 {
        match self {
            Program::Crystal => 1e6,
            Program::K => 1_024e3,
        }
    }
}

/// Context of the lines with figures.
#[derive(Default)]
struct Run {
    version: Option<String>,
    section: Option<Section>,
    tests: Tests,
    /// Index of the first test of this run.
    first: usize,
}

#[derive(Clone, Copy)]
struct Section {
    direction: Option<Direction>,
    read_percent: Option<u32>,
}

fn read(text: &str, program: Program) -> Result<Vec<ImportedTest>, ImportProblems> {
    let mut problems = Problems::default();
    let mut run = Run::default();
    for (number, line) in numbered(text) {
        let line = line.trim();
        if let Some(version) = version(line, program) {
            run =
                Run { version: Some(version), first: run.tests.0.len(), tests: run.tests, ..Run::default() };
        } else if line.starts_with('[') && line.contains(']') {
            run.section = section(line);
        } else if let Some((label, figures)) = split_line(line) {
            let test = test(label, figures, program, &run).map(Some);
            run.tests.add_output(number, test, &mut problems);
        } else {
            run.read_setting(line, program);
        }
    }
    problems.result(run.tests.0)
}

fn version(line: &str, program: Program) -> Option<String> {
    let rest = line.strip_prefix(program.tool())?.trim_start().trim_start_matches('(');
    let end = rest.find([' ', ')']).unwrap_or(rest.len());
    rest.starts_with(|c: char| c.is_ascii_digit()).then(|| shown(&rest[..end]))
}

/// `[Read]`, `[Write]`, `[Mix] Read 70%/Write 30%`.
fn section(line: &str) -> Option<Section> {
    let of = |direction| Some(Section { direction, read_percent: None });
    match line {
        "[Read]" => of(Some(Direction::Read)),
        "[Write]" => of(Some(Direction::Write)),
        _ => {
            let share = line.strip_prefix("[Mix]")?.trim().strip_prefix("Read ")?.split('%').next()?;
            Some(Section { direction: None, read_percent: Some(share.parse().ok()?) })
        }
    }
}

/// Splits a line into label and figures: `SEQ    1MiB (Q=  8, T= 1):   384.064 MB/s [    366.3 IOPS] < 21765.43 us>`.
fn split_line(line: &str) -> Option<(&str, &str)> {
    let at = line.find(" MB/s")?;
    let colon = line[..at].rfind(':')?;
    let label = line[..colon].trim();
    let is_label = ["SEQ", "RND", "Sequential", "Random"].iter().any(|word| label.starts_with(word));
    is_label.then(|| (label, line[colon + 1..].trim()))
}

/// Whether a line has figures of this program: the heading is not always copied. `SEQ    1MiB (Q=  8, T= 1)` and `Random
/// Read 4KB (QD=32)` are CrystalDiskMark's, `Random   4 KiB (Q= 32, T= 1)` is KDiskMark's.
fn is_row(line: &str, program: Program) -> bool {
    let has_figures = |figures: &str| figures.contains(" IOPS]");
    let Some((label, _)) = split_line(line).filter(|(_, figures)| has_figures(figures)) else { return false };
    let size = ["Sequential", "Random"].iter().find_map(|word| label.strip_prefix(word));
    let is_k = size.is_some_and(|size| size.trim_start().starts_with(|c: char| c.is_ascii_digit()));
    label.contains('(') && is_k == (program == Program::K)
}

/// The parameters in a test's label.
#[derive(Debug, PartialEq)]
struct Label {
    random: bool,
    block_bytes: Option<u64>,
    depth: Option<u64>,
    jobs: Option<u64>,
    /// Old versions have it here instead of in a section.
    direction: Option<Direction>,
}

impl Label {
    fn parse(text: &str) -> Result<Self, Message> {
        let wrong = || message!("import-diskmark.unknown-test", text = shown(text));
        let (name, parameters) = text.split_once('(').unwrap_or((text, ""));
        let random = name.starts_with("RND") || name.starts_with("Random");
        let direction = match () {
            () if name.contains("Read") => Some(Direction::Read),
            () if name.contains("Write") => Some(Direction::Write),
            () => None,
        };
        // `SEQ    1MiB`, `Random   4 KiB`, `Random Read 512KB`, `SEQ128KiB`.
        let digits = name.find(|c: char| c.is_ascii_digit());
        // Versions before 4 print KB for the same.
        const UNITS: [(&str, f64); 4] =
            [("KiB", KIB as f64), ("KB", KIB as f64), ("MiB", MIB as f64), ("MB", MIB as f64)];
        let block_bytes = digits.map(|at| amount::in_units(&name[at..], &UNITS).map_err(|_| wrong()));
        let block_bytes = block_bytes.transpose()?.map(|bytes| bytes as u64);
        let number = |letters: &[&str]| {
            parameters.trim_end_matches(')').split(',').find_map(|part| {
                let (name, value) = part.split_once('=')?;
                letters.contains(&name.trim()).then(|| value.trim().parse::<u64>().ok())?
            })
        };
        let depth = number(&["Q", "QD"]);
        let jobs = number(&["T"]);
        // Defaults to 1: `Sequential Read` of version 3, `Random Read 4KB (QD=32)`.
        Ok(Self { random, block_bytes, depth: depth.or(Some(1)), jobs: jobs.or(Some(1)), direction })
    }
}

/// MB/s, IOPS and microseconds; the latter two if present.
fn numbers(text: &str) -> Result<(f64, Option<f64>, Option<f64>), Message> {
    let wrong = |part: &str| message!("import-value.not-a-figure", text = shown(part));
    let (speed, rest) = text.split_once(" MB/s").ok_or_else(|| wrong(text))?;
    let between = |open: char, close: char, unit: &str| match rest.split_once(open) {
        None => Ok(None),
        Some((_, rest)) => {
            let inner = rest.split_once(close).map(|(inner, _)| inner.trim());
            let number = inner.and_then(|inner| amount::number(inner.strip_suffix(unit)?.trim()));
            number.map(Some).ok_or_else(|| wrong(rest))
        }
    };
    let speed = amount::number(speed.trim()).ok_or_else(|| wrong(speed))?;
    Ok((speed, between('[', ']', "IOPS")?, between('<', '>', "us")?))
}

fn test(label: &str, figures: &str, program: Program, run: &Run) -> Result<ImportedTest, Message> {
    let (name, label) = (label, Label::parse(label)?);
    let (mb_per_s, iops, us) = numbers(figures)?;
    let section = run.section.unwrap_or(Section { direction: None, read_percent: None });
    let direction = label.direction.or(section.direction);
    let is_known = direction.is_some() || section.read_percent.is_some();
    let bytes_per_s = mb_per_s * program.mb_bytes();
    let pattern = match (label.random, direction) {
        (false, Some(Direction::Read)) => Pattern::Read,
        (true, Some(Direction::Read)) => Pattern::RandomRead,
        (false, Some(_)) => Pattern::Write,
        (true, Some(_)) => Pattern::RandomWrite,
        (false, None) => Pattern::ReadWrite,
        (true, None) => Pattern::RandomReadWrite,
    };
    let durability = if program == Program::K { Durability::AtEnd } else { Durability::Never };
    let method = Method {
        tool: program.tool().to_string(),
        tool_version: run.version.clone(),
        pattern: Some(pattern).filter(|_| is_known),
        read_percent: section.read_percent.filter(|_| direction.is_none()),
        block_bytes: label.block_bytes,
        depth: label.depth,
        jobs: label.jobs,
        direct: Some(true),
        durability: (is_known && pattern.writes()).then_some(durability),
        ..Method::default()
    };
    let mut all = Figures::default();
    all.add(direction, Quantity::Bandwidth, bytes_per_s, 0);
    if let Some(iops) = iops {
        all.add(direction, Quantity::Iops, iops, 0);
    }
    if let Some(us) = us {
        let kind = if program == Program::K { LatencyKind::Completion } else { LatencyKind::Total };
        all.add(direction, Quantity::Latency(kind, Statistic::Mean), us * 1e3, 0);
    }
    if program == Program::K && label.jobs > Some(1) && run.version.as_deref().is_some_and(skips_jobs) {
        let doubt = Doubt::ToolDefect { message: message!("import-diskmark.skips-jobs") };
        all.0.iter_mut().for_each(|figure| figure.doubt = Some(doubt.clone()));
    }
    let title = super::lines::title(&method);
    let of = direction.map_or("mix", Direction::name);
    let missing = (!is_known).then(|| message!("import-part.direction", test = shown(name)));
    Ok(ImportedTest {
        imported: all.into_imported(),
        notes: missing_note([missing]).into_iter().collect(),
        ..ImportedTest::new(id(name, if is_known { of } else { "unknown" }), title, method)
    })
}

/// Whether this version of KDiskMark adds up every other of several jobs: from 1.6.1 to 3.2.0, it takes each job out of
/// the list that it counts through (`Benchmark::parseResult` in its `benchmark.cpp`).
fn skips_jobs(version: &str) -> bool {
    let numbers: Option<Vec<u32>> = version.split('.').map(|number| number.parse().ok()).collect();
    numbers.is_some_and(|numbers| (vec![1, 6, 1]..=vec![3, 2, 0]).contains(&numbers))
}

/// `seq-1mib-q8-t1-read`.
fn id(label: &str, of: &str) -> String {
    let mut id = String::new();
    let (mut word_ends, mut is_value) = (false, false);
    for letter in label.to_lowercase().chars() {
        if letter.is_ascii_alphanumeric() {
            // Joins a value to its name (q=8).
            if word_ends && !is_value && !id.is_empty() {
                id.push('-');
            }
            id.push(letter);
            (word_ends, is_value) = (false, false);
        } else {
            (word_ends, is_value) = (true, is_value || letter == '=');
        }
    }
    if id.contains(of) { id } else { format!("{id}-{of}") }
}

impl Run {
    /// Reads a line below the figures: file size, duration, number of tries, place and time.
    fn read_setting(&mut self, line: &str, program: Program) {
        let Some((name, value)) = line.split_once(':') else { return };
        let (name, value) = (name.trim(), value.trim());
        let tests = &mut self.tests.0[self.first..];
        match name {
            "Test" => {
                let gib = 1_024.0 * MIB as f64;
                let units = [("MiB", MIB as f64), ("MB", MIB as f64), ("GiB", gib), ("GB", gib)];
                let size: Vec<&str> = value.split(' ').take(2).collect();
                let size_bytes = amount::in_units(&size.join(" "), &units).ok().map(|bytes| bytes as u64);
                let loops =
                    value.split_once("(x").and_then(|(_, rest)| rest.split_once(')')).map(|(loops, _)| loops);
                // CrystalDiskMark keeps the best try, KDiskMark the mean (in its default profile).
                let of = if program == Program::K { "mean" } else { "best" };
                let place = value.split('[').skip(1).find(|place| place.contains('%'));
                let path =
                    place.map(|place| place.split([' ', ']']).next().unwrap_or("").trim_end_matches(':'));
                for test in tests.iter_mut() {
                    test.method.size_bytes = size_bytes;
                    if let Some(loops) = loops {
                        test.method
                            .others
                            .insert("of several".to_string(), format!("{of} of {}", shown(loops)));
                    }
                    test.subject.path = path.map(shown);
                    if value.contains("0Fill") || value.contains("0x00") {
                        test.method.others.insert("data".to_string(), "zeros".to_string());
                    }
                }
                self.read_measure_time(value);
            }
            "Time" => self.read_measure_time(value),
            "Date" => {
                let day = value.split(' ').next().unwrap_or("").replace('/', "-");
                let moment = Moment::parse(value);
                tests.iter_mut().for_each(|test| {
                    test.subject = Subject { date: Some(shown(&day)), ..test.subject.clone() };
                    test.started_unix_ms = moment.map(|moment| moment.unix_ms);
                    test.notes.extend(moment.map(|moment| moment.note(program.tool())));
                });
            }
            "OS" => tests.iter_mut().for_each(|test| {
                test.notes.push(message!("import-moment.measured-on", machine = shown(value)))
            }),
            "Profile" => tests.iter_mut().filter(|_| value != "Default").for_each(|test| {
                test.notes.push(message!("import-diskmark.profile", profile = shown(value)));
            }),
            _ => {}
        }
    }

    /// `Measure 5 sec / Interval 5 sec`, `[Measure: 5 sec / Interval: 5 sec]`.
    fn read_measure_time(&mut self, text: &str) {
        let seconds = text.split_once("Measure").and_then(|(_, rest)| {
            rest.trim_start_matches([':', ' '])
                .split_once(" sec")
                .and_then(|(seconds, _)| seconds.parse::<u64>().ok())
        });
        if let Some(ns) = seconds.and_then(|seconds| seconds.checked_mul(NS_PER_S)) {
            self.tests.0[self.first..].iter_mut().for_each(|test| test.method.time_ns = Some(ns));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check_importer, figures_by_name, problems_of};
    use super::*;

    const CRYSTAL_8: &str = include_str!("fixtures/tools/crystaldiskmark-8.txt");
    const CRYSTAL_6: &str = include_str!("fixtures/tools/crystaldiskmark-6.txt");
    const CRYSTAL_3: &str = include_str!("fixtures/tools/crystaldiskmark-3.txt");
    const K_3: &str = include_str!("fixtures/tools/kdiskmark-3.txt");

    #[test]
    fn reads_all_versions() {
        for (importer, text, count, expected) in [
            (
                &CRYSTAL,
                CRYSTAL_8,
                24,
                &[
                    ("-:F seq-1mib-q8-t1-read read.bandwidth", 384.064e6),
                    ("-:F rnd-4kib-q32-t1-write write.iops", 6_577.1),
                    ("-:F rnd-4kib-q1-t1-read read.latency_mean", 196.72e3),
                ][..],
            ),
            (
                &CRYSTAL,
                CRYSTAL_6,
                14,
                &[
                    ("-:C sequential-read-q32-t1 read.bandwidth", 3_213.121e6),
                    ("-:C random-write-4kib-q8-t8 write.iops", 300_000.0),
                ],
            ),
            (
                &CRYSTAL,
                CRYSTAL_3,
                12,
                &[
                    ("-:G sequential-read read.bandwidth", 46.012e6),
                    ("-:G random-write-4kb-qd32 write.iops", 192.6),
                ],
            ),
            (
                &KDISKMARK,
                K_3,
                24,
                &[
                    ("- sequential-1-mib-q8-t1-read read.bandwidth", 50.851 * 1_024e3),
                    ("- random-4-kib-q1-t1-write write.completion_mean", 50.96e3),
                ],
            ),
        ] {
            let found = figures_by_name(importer, text);
            for (name, value) in expected {
                let is = found.get(*name).unwrap_or_else(|| panic!("{name}: {found:#?}"));
                assert!((is / value - 1.0).abs() < 1e-9, "{name}: {is}");
            }
            assert_eq!(found.len(), count, "{}", importer.name);
        }
    }

    #[test]
    fn settings_are_read() {
        let tests = check_importer(&CRYSTAL, CRYSTAL_8);
        let first = &tests[0].method;
        assert_eq!((first.block_bytes, first.depth, first.jobs), (Some(MIB), Some(8), Some(1)));
        assert_eq!((first.size_bytes, first.time_ns), (Some(1_024 * MIB), Some(5 * NS_PER_S)));
        assert_eq!(
            (first.others["of several"].as_str(), first.tool_version.as_deref()),
            ("best of 5", Some("8.0.4"))
        );
        let subject = &tests[0].subject;
        assert_eq!((subject.path.as_deref(), subject.date.as_deref()), (Some("F"), Some("2024-05-26")));
        // 19:20:33, read as UTC.
        assert_eq!(tests[0].started_unix_ms, Some(1_716_751_233_000));
        assert_eq!(tests[0].notes[0].id(), "import-moment.no-zone");
        assert!(tests[0].notes[1].to_string().contains("Windows 10"));
        let day = check_importer(&CRYSTAL, &CRYSTAL_8.replace(" 19:20:33", ""));
        assert_eq!(day[0].started_unix_ms, Some(1_716_681_600_000));
        assert_eq!(day[0].notes[0].id(), "import-moment.no-time");
        let other = check_importer(&CRYSTAL, &CRYSTAL_8.replace("2024/05/26", "in May"));
        assert_eq!((other[0].started_unix_ms, other[0].notes.len()), (None, 1));
        let old = check_importer(&CRYSTAL, CRYSTAL_3);
        let of = |id: &str| &old.iter().find(|test| test.id == id).unwrap().method;
        assert_eq!(
            (of("sequential-read").block_bytes, of("random-read-512kb").block_bytes),
            (None, Some(512 << 10))
        );
        assert_eq!((of("random-read-4kb-qd32").depth, of("random-read-4kb-qd1").depth), (Some(32), Some(1)));
        let k = check_importer(&KDISKMARK, K_3);
        assert_eq!(
            (k[0].method.time_ns, k[4].method.durability),
            (Some(5 * NS_PER_S), Some(Durability::AtEnd))
        );
        assert_eq!(k[0].method.others["of several"], "mean of 5");
        assert_eq!(k[0].started_unix_ms, Some(1_762_345_141_000));
        let doubts = |version: &str| {
            let text = K_3.replace("3.2.0", version).replacen("T= 1", "T=16", 1);
            let tests = check_importer(&KDISKMARK, &text);
            tests
                .iter()
                .map(|test| test.imported.figures.iter().filter(|figure| figure.doubt.is_some()).count())
                .collect::<Vec<_>>()
        };
        for (version, count) in
            [("1.5.1", 0), ("1.6.1", 3), ("3.1", 3), ("3.2.0", 3), ("3.2.1", 0), ("3.3.0", 0)]
        {
            let expected: Vec<usize> = std::iter::once(count).chain([0; 7]).collect();
            assert_eq!(doubts(version), expected, "{version}");
        }
        let profile = check_importer(&KDISKMARK, &K_3.replace("Profile: Default", "Profile: Real World"));
        assert!(
            profile[0].notes.contains(&message!("import-diskmark.profile", profile = "Real World")),
            "{:?}",
            profile[0].notes
        );
    }

    #[test]
    fn errors_name_their_line() {
        for (importer, text, from, to, expected) in [
            (&CRYSTAL, CRYSTAL_8, "384.064", "3840.64", "import-figure.not-ios(block=Bytes(1048576)"),
            (&CRYSTAL, CRYSTAL_8, "366.3 IOPS", "366.3 KIOPS", "import-value.not-a-figure("),
            (&CRYSTAL, CRYSTAL_8, "1MiB", "1miles", "import-diskmark.unknown-test("),
        ] {
            let problems = problems_of(importer, &text.replacen(from, to, 1));
            assert!(problems.starts_with("line ") && problems.contains(expected), "{problems}");
        }
    }
}
