//! Assembles Reports from imported tests.

use std::collections::HashMap;

use cardiograph_core::Report;
use cardiograph_core::drive::{Drive, Host, Leaf};
use cardiograph_core::imported::Source;
use cardiograph_core::report::{ReportState, Step, StepOutcome, StepResult, Work, step_ids};
use cardiograph_core::rng::hash_name;
use cardiograph_core::text::unique;
use cardiograph_judge::doubt;
use serde::Serialize;
use time::OffsetDateTime;
use time::macros::format_description;

use super::{ImportedTest, Named, Subject, own_rate};

/// The suite of imported Reports.
const SUITE: &str = "imported";

/// The start of 2000, in milliseconds since 1970. Earlier start times are unset clocks: boards without a clock start in
/// 1970.
const CLOCK_SET_UNIX_MS: u64 = 946_684_800_000;

/// Assembles a Report for each [`Subject`] of a text, in the order of the text. If a test was run several times, each
/// repetition becomes a separate Report, so that they are compared like checkups. `format` is the name of the
/// [`Importer`](super::Importer) or [`table::NAME`](super::table::NAME), and `program` this program with its version.
///
/// A Report's id is derived from the time of its first test (zeros if unknown) and a hash of its content, so equal
/// content has equal ids wherever its file is.
pub fn reports(tests: Vec<ImportedTest>, format: &str, named: &Named, program: &str) -> Vec<Report> {
    let mut subjects: Vec<(Subject, Vec<ImportedTest>)> = Vec::new();
    for test in tests {
        match subjects.iter_mut().find(|(subject, _)| *subject == test.subject) {
            Some((_, tests)) => tests.push(test),
            None => subjects.push((test.subject.clone(), vec![test])),
        }
    }
    let runs = subjects.into_iter().flat_map(|(subject, tests)| {
        repetitions(tests).into_iter().map(move |tests| (subject.clone(), tests))
    });
    runs.map(|(subject, tests)| report(subject, tests, format, named, program)).collect()
}

/// Splits the tests of one subject into repetitions: the first run of each test, the second of each, ... Tests without
/// a pattern are not known to be the same.
fn repetitions(tests: Vec<ImportedTest>) -> Vec<Vec<ImportedTest>> {
    let mut outputs: HashMap<(String, String), Vec<u64>> = HashMap::new();
    let mut repetitions: Vec<Vec<ImportedTest>> = Vec::new();
    for test in tests {
        let turn = match test.output_line.filter(|_| test.method.pattern.is_some()) {
            Some(output) => {
                let known = outputs.entry((test.id.clone(), json(&test.method))).or_default();
                known.iter().position(|&line| line == output).unwrap_or_else(|| {
                    known.push(output);
                    known.len() - 1
                })
            }
            None => 0,
        };
        if repetitions.len() <= turn {
            repetitions.resize_with(turn + 1, Vec::new);
        }
        repetitions[turn].push(test);
    }
    repetitions.retain(|tests| !tests.is_empty());
    repetitions
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("it has nothing that JSON cannot hold")
}

fn report(subject: Subject, tests: Vec<ImportedTest>, format: &str, named: &Named, program: &str) -> Report {
    let began = tests.iter().filter_map(|test| test.started_unix_ms);
    let started_unix_ms = began.filter(|&unix_ms| unix_ms >= CLOCK_SET_UNIX_MS).min().unwrap_or(0);
    let source = Source {
        program: programs(&tests),
        format: format.to_string(),
        place: named.place.to_string(),
        line: tests.iter().filter_map(|test| test.line).min(),
        author: subject.author.clone(),
        date: subject.date.clone(),
    };
    let has_failed = tests.iter().any(|test| test.outcome != StepOutcome::Done);
    let notes = unique(tests.iter().flat_map(|test| test.notes.clone()));
    let mut report = Report {
        source: Some(source),
        state: if has_failed { ReportState::Failed } else { ReportState::Finished },
        host: Host { name: subject.host.clone(), ..Host::default() },
        drive: drive(subject),
        steps: steps(tests),
        notes,
        ..Report::new("", started_unix_ms, program, SUITE)
    };
    report.id = id(&report);
    report.steps.iter_mut().for_each(|step| doubt::settle(step, &report.drive, false));
    // After the id, which is of the source's figures.
    report.notes.extend(unique(report.steps.iter_mut().filter_map(own_rate::add_intervals)));
    report
}

/// The programs that measured, without duplicates.
fn programs(tests: &[ImportedTest]) -> String {
    let names = tests.iter().map(|test| match &test.method.tool_version {
        Some(version) => format!("{} {version}", test.method.tool),
        None => test.method.tool.clone(),
    });
    unique(names).join(", ")
}

fn drive(subject: Subject) -> Drive {
    let names: Vec<&str> = subject.device.iter().flat_map(|device| device.split('+')).collect();
    let leaf = |name: &str| Leaf { name: name.to_string(), model: subject.model.clone(), ..Leaf::default() };
    let leaves = match (names.as_slice(), &subject.model) {
        ([], None) => Vec::new(),
        ([], Some(_)) => vec![leaf("")],
        (names, _) => names.iter().map(|name| leaf(name)).collect(),
    };
    // Lists show the path of a drive without a model.
    let path = subject.path.or(subject.device.clone()).unwrap_or_default();
    Drive { path, leaves, ..Drive::default() }
}

fn steps(tests: Vec<ImportedTest>) -> Vec<StepResult> {
    let ids = step_ids(tests.iter().map(|test| test.id.as_str()));
    tests.into_iter().zip(ids).map(|(test, id)| step(ImportedTest { id, ..test })).collect()
}

fn step(test: ImportedTest) -> StepResult {
    let step = Step::measuring(&test.id, test.title, Work::Imported(test.method));
    StepResult {
        fio_commands: test.command.into_iter().collect(),
        imported: Some(test.imported),
        ..StepResult::new(step, test.outcome)
    }
}

fn id(report: &Report) -> String {
    let content = (&report.drive, &report.host, &report.steps);
    let content = json(&content);
    let form = format_description!("[year][month][day]-[hour][minute][second]");
    let began = Some(report.started_unix_ms).filter(|&unix_ms| unix_ms > 0);
    let began = began.and_then(|ms| OffsetDateTime::from_unix_timestamp((ms / 1_000) as i64).ok());
    let began = began.and_then(|moment| moment.format(form).ok());
    let began = began.unwrap_or_else(|| "00000000-000000".to_string());
    format!("{began}-{:012x}", hash_name(&content) & 0xffff_ffff_ffff)
}

#[cfg(test)]
mod tests {
    use cardiograph_core::Message;
    use cardiograph_core::imported::{Figure, Imported};
    use cardiograph_core::method::{Method, Pattern};
    use cardiograph_core::quantity::Quantity;

    use super::*;

    fn test(id: &str, device: &str, bytes_per_s: f64) -> ImportedTest {
        let method = Method { tool: "dd".into(), tool_version: Some("9.1".into()), ..Method::default() };
        let figure = Figure::bare(None, Quantity::Bandwidth, bytes_per_s, 0);
        ImportedTest {
            imported: Imported { figures: vec![figure], ..Imported::default() },
            subject: Subject { device: Some(device.to_string()), ..Subject::default() },
            notes: vec![Message::verbatim("common note")],
            line: Some(4),
            ..ImportedTest::new(id, Message::verbatim(id), method)
        }
    }

    fn assembled(tests: Vec<ImportedTest>, place: &str) -> Vec<Report> {
        reports(tests, "dd", &Named { place }, "cardiograph 1")
    }

    #[test]
    fn each_drive_gets_a_report() {
        let tests = vec![test("a", "sda", 1e6), test("a", "mmcblk0", 2e6), test("a", "sda", 3e6)];
        let all = assembled(tests, "x.txt");
        let names: Vec<&str> = all.iter().map(|report| report.drive.leaves[0].name.as_str()).collect();
        assert_eq!(names, ["sda", "mmcblk0"]);
        let ids: Vec<&str> = all[0].steps.iter().map(|step| step.step.id.as_str()).collect();
        assert_eq!(ids, ["a", "a-2"]);
        assert_eq!(all[0].notes, [Message::verbatim("common note")]);
        let source = all[0].source.as_ref().unwrap();
        assert_eq!((source.program.as_str(), source.line), ("dd 9.1", Some(4)));
    }

    #[test]
    fn repeated_tests_are_separate_checkups() {
        // Each test with the line of its output.
        type Tests<'a> = &'a [(&'a str, Option<u64>)];
        let cases: [(Tests, &[&[&str]]); 6] = [
            (
                &[("a", Some(1)), ("b", Some(9)), ("a", Some(17)), ("b", Some(25))],
                &[&["a", "b"], &["a", "b"]],
            ),
            // A repeated run.
            (&[("a", Some(1)), ("b", Some(1)), ("b", Some(9))], &[&["a", "b"], &["b"]]),
            // Clones of a job, which ran at the same time.
            (
                &[("a", Some(1)), ("a", Some(1)), ("a", Some(9)), ("a", Some(9))],
                &[&["a", "a-2"], &["a", "a-2"]],
            ),
            (&[("a", Some(1)), ("a", Some(1)), ("b", Some(9))], &[&["a", "a-2", "b"]]),
            // It is unknown which run they are from.
            (&[("a", None), ("a", None)], &[&["a", "a-2"]]),
            (&[("unknown", Some(1)), ("unknown", Some(9))], &[&["unknown", "unknown-2"]]),
        ];
        for (tests, expected) in cases {
            let of = |&(id, output_line): &(&str, Option<u64>)| {
                let mut test = ImportedTest { output_line, ..test(id, "sda", 1e6) };
                test.method.pattern = (id != "unknown").then_some(Pattern::Read);
                test
            };
            let all = assembled(tests.iter().map(of).collect(), "x.txt");
            let ids = |report: &Report| -> Vec<String> {
                report.steps.iter().map(|step| step.step.id.clone()).collect()
            };
            assert_eq!(all.iter().map(ids).collect::<Vec<_>>(), expected, "{tests:?}");
        }
    }

    #[test]
    fn tests_with_different_methods_differ() {
        let of = |block_bytes, line| {
            let mut test = ImportedTest { output_line: Some(line), ..test("a", "sda", 1e6) };
            test.method.pattern = Some(Pattern::Read);
            test.method.block_bytes = Some(block_bytes);
            test
        };
        assert_eq!(assembled(vec![of(4_096, 1), of(8_192, 9)], "x.txt").len(), 1);
        assert_eq!(assembled(vec![of(4_096, 1), of(4_096, 9)], "x.txt").len(), 2);
    }

    #[test]
    fn ids_follow_from_content() {
        let at = |place, value| assembled(vec![test("a", "sda", value)], place).remove(0).id;
        assert_eq!(at("x.txt", 1e6), at("/other/y.txt", 1e6));
        assert_ne!(at("x.txt", 1e6), at("x.txt", 1.000_001e6));
        assert!(at("x.txt", 1e6).starts_with("00000000-000000-"));
        for (unix_ms, expected) in [(1_762_345_141_000, "20251105-121901-"), (61_000, "00000000-000000-")] {
            let mut test = test("a", "sda", 1e6);
            test.started_unix_ms = Some(unix_ms);
            assert!(assembled(vec![test], "x.txt")[0].id.starts_with(expected), "{unix_ms}");
        }
    }
}
