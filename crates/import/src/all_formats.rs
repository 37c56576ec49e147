//! Properties of texts of all formats.

use cardiograph_core::message;
use std::collections::BTreeSet;

use cardiograph_testing::part_or_all;

use super::{Importer, Named, detect, reports};

const NAMED: Named = Named { place: "out.txt" };
const NORMAL: &str = include_str!("fixtures/pi5/microsd-fsync.txt");
const DD: &str = include_str!("fixtures/tools/dd.txt");
/// Texts whose figures can each be read independently.
const TEXTS: &[&str] = &[
    include_str!("fixtures/fio/cards-2013.txt"),
    include_str!("fixtures/fio/2.1.3-twice.txt"),
    include_str!("fixtures/fio/3.33-groups.txt"),
    include_str!("fixtures/fio/3.33-versions.terse"),
    NORMAL,
    DD,
    include_str!("fixtures/tools/bonnie-1.03.txt"),
    include_str!("fixtures/tools/bonnie-2.00.txt"),
    include_str!("fixtures/tools/crystaldiskmark-8.txt"),
    include_str!("fixtures/tools/hdparm.txt"),
    include_str!("fixtures/tools/ioping.txt"),
    include_str!("fixtures/tools/iozone.txt"),
    include_str!("fixtures/tools/iozone-throughput.txt"),
    include_str!("fixtures/tools/kdiskmark-3.txt"),
    include_str!("fixtures/tools/pibenchmarks.txt"),
    include_str!("fixtures/tools/sysbench-1.0.txt"),
];

/// The figures with their names.
fn figures(importer: &Importer, text: &str) -> Option<BTreeSet<String>> {
    let tests = importer.read(&mut text.as_bytes(), &NAMED).ok()?;
    let figures = tests.iter().flat_map(|test| {
        let figures = test.imported.figures.iter();
        figures.map(|one| format!("{} {:?} {} {}", test.id, one.direction, one.quantity, one.estimate.value))
    });
    Some(figures.collect())
}

/// Formats that are read as a whole, or compute figures from several lines.
const OTHERS: &[&str] = &["fio-json", "fio-log", "fio-log-ios", "fio-log-windows", "yabs"];

#[test]
fn each_format_is_covered() {
    for importer in crate::IMPORTERS {
        let has_text =
            TEXTS.iter().any(|text| detect(text.as_bytes(), &NAMED).unwrap().name == importer.name);
        assert!(has_text != OTHERS.contains(&importer.name), "{}: a line in TEXTS", importer.name);
    }
}

#[test]
fn truncated_texts_add_no_figures() {
    for &text in TEXTS {
        let importer = detect(text.as_bytes(), &NAMED).unwrap();
        let whole = figures(importer, text).unwrap();
        assert_eq!(figures(importer, text.trim_end()).unwrap(), whole, "{}: the last newline", importer.name);
        for (at, _) in text.match_indices('\n') {
            let Some(part) = figures(importer, &text[..=at]) else { continue };
            assert_eq!(part.difference(&whole).next(), None, "{} at {at}", importer.name);
        }
    }
}

/// Numbers with too many digits are either refused or can be read back from the Report.
#[test]
fn numbers_of_many_digits_are_refused_or_stored() {
    let mut wrong = Vec::new();
    for text in TEXTS.iter().copied().chain([include_str!("fixtures/tools/sysbench-0.5.txt")]) {
        let importer = detect(text.as_bytes(), &NAMED).unwrap();
        let ends = text
            .as_bytes()
            .windows(2)
            .enumerate()
            .filter(|(_, pair)| pair[0].is_ascii_digit() && !pair[1].is_ascii_digit());
        for (number, (at, _)) in ends.enumerate().step_by(part_or_all(11, 1)) {
            let digits = "8".repeat([10, 20, 90][number % 3]);
            let longer = format!("{}{digits}{}", &text[..=at], &text[at + 1..]);
            let Ok(tests) = importer.read(&mut longer.as_bytes(), &NAMED) else { continue };
            for report in reports(tests, importer.name, &NAMED, "cardiograph") {
                if let Err(error) =
                    cardiograph_core::json::from_json(cardiograph_core::json::to_json(&report))
                {
                    let line = longer[..at].lines().last().unwrap_or("");
                    wrong.push(format!("{} at {at}: {error:?}: {line}", importer.name));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} of them:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn results_of_another_format_are_noted() {
    let notes = |text: &str| {
        let importer = detect(text.as_bytes(), &NAMED).unwrap();
        let tests = importer.read(&mut text.as_bytes(), &NAMED).unwrap_or_else(|why| panic!("{why}"));
        let notes =
            tests.iter().flat_map(|test| &test.notes).filter(|note| note.id() == "import-text.left-out");
        notes.cloned().collect::<Vec<_>>()
    };
    let line = NORMAL.lines().count() + DD.lines().position(|line| line.contains("+0 records")).unwrap() + 1;
    let expected = message!("import-text.left-out", format = message!("import-format.dd"), line);
    assert_eq!(notes(&format!("{NORMAL}{DD}")), [expected]);
    // A command line is not a result: people prepare files with other programs. fio can write one run in several
    // formats.
    let commands = "$ dd if=/dev/zero of=file bs=1M count=64\n$ ioping -c 5 .\n$ sudo hdparm -t /dev/sda\n";
    for text in [
        &format!("{commands}{NORMAL}{commands}"),
        include_str!("fixtures/fio/3.42-json-and-normal.txt"),
        include_str!("fixtures/fio/3.33-same-run.terse"),
    ] {
        assert!(notes(text).is_empty(), "{:?}", notes(text));
    }
}
