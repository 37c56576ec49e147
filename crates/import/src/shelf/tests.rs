use cardiograph_core::direction::Direction;
use cardiograph_core::imported::{Figure, Imported};
use cardiograph_core::method::Likeness;
use cardiograph_core::published::{PublishedCell, PublishedColumn, PublishedOutput, PublishedRow};
use cardiograph_core::report::Work;
use cardiograph_judge::record::RunFigures;

use super::*;
use crate::amount::Amount;
use crate::{ImportedTest, Named, detect};

fn source(name: &str) -> &'static Published {
    sources().iter().find(|source| source.name == name).unwrap()
}

/// A figure in the first Report of a source for this drive with these tags.
fn value(name: &str, drive: &str, tags: &[(&str, &str)], test: &str, figure: &str) -> Option<f64> {
    let has = |report: &&Report| {
        report.id.starts_with(&format!("{SUITE}-{name}-"))
            && report.label.as_deref() == Some(drive)
            && tags.iter().all(|(tag, value)| report.tags.get(*tag).is_some_and(|of| of == value))
    };
    let report = reports().iter().find(has).unwrap_or_else(|| panic!("{name} {drive} {tags:?}"));
    let tests = RunFigures::from_report(report).tests;
    let test = tests.iter().find(|one| one.test == test)?;
    let (word, quantity) = figure.split_once('.').unwrap_or(("", figure));
    let direction = Direction::ALL.into_iter().find(|direction| direction.name() == word);
    test.figure(direction, quantity.parse().unwrap()).map(|figure| figure.estimate.value)
}

#[test]
fn every_file_is_listed_and_readable() {
    let names: Vec<&str> = sources().iter().map(|source| source.name.as_str()).collect();
    assert!(names.is_sorted() && names.len() == FILES.len());
    let directory = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/shelf/sources");
    assert_eq!(std::fs::read_dir(directory).unwrap().count(), FILES.len());
    for source in sources() {
        assert!(!source.tests.is_empty() && !source.drive_names().is_empty(), "{}", source.name);
        let used = |id: &String| {
            source.tables.is_empty()
                || source.tables.iter().any(|table| table.columns.iter().any(|c| c.test == *id))
        };
        assert!(source.tests.keys().all(used), "{}: a test without figures", source.name);
        assert!(source.tests.values().all(|test| test.method.pattern.is_some()), "{}", source.name);
    }
}

#[test]
fn figures_match_the_sources() {
    const MIB: f64 = 1_048_576.0;
    for (name, drive, tags, test, figure, expected) in [
        (
            "dramble-cards",
            "OWC Envoy SSD (USB) 64GB",
            &[("board", "Raspberry Pi 2 Model B")][..],
            "hdparm",
            "read.bandwidth",
            34.13 * MIB,
        ),
        (
            "dramble-cards",
            "Samsung Evo 16GB",
            &[("board", "Raspberry Pi 2 Model B")],
            "dd",
            "write.bandwidth",
            10.4e6,
        ),
        (
            "dramble-cards",
            "Samsung Pro 16GB",
            &[("overclocked", "microSD reader, 80 MHz")],
            "random-write",
            "write.bandwidth",
            1.48 * MIB,
        ),
        (
            "iot-cards",
            "PLEXTOR PX-256M5",
            &[("kind", "SSD")],
            "seqread",
            "read.bandwidth",
            249_512.0 * 1_024.0,
        ),
        (
            "iot-cards",
            "BUFFALO RSDC-16GC10/E",
            &[("file_system", "ext4")],
            "randwrite4k32",
            "write.iops",
            1.0,
        ),
        (
            "server-ssds",
            "OCZ VERTEX 3",
            &[("raid", "software RAID 0 of two")],
            "randread-4k",
            "read.iops",
            147_180.0,
        ),
        (
            "server-ssds",
            "OCZ VERTEX 3",
            &[("write_policy", "write back")],
            "write-32m",
            "write.bandwidth",
            3_349.2 * MIB,
        ),
        (
            "server-ssds",
            "SAS 15krpm CacheCade",
            &[("write_policy", "write through")],
            "write-4k",
            "write.iops",
            3_314.0,
        ),
        ("server-ssds", "Amazon EC2 EBS Volume", &[], "read-32m", "read.bandwidth", 198.9 * MIB),
        (
            "pi5-cards",
            "SanDisk Extreme 64 GB",
            &[("command_queue", "on")],
            "random-write",
            "write.iops",
            2_995.0,
        ),
        ("pg-test-fsync", "WD 2TB", &[], "fdatasync", "write.latency_mean", 12_204e3),
    ] {
        let found = value(name, drive, tags, test, figure)
            .unwrap_or_else(|| panic!("{name} {drive} {test} {figure}"));
        assert!((found / expected - 1.0).abs() < 1e-12, "{name} {drive} {test} {figure}: {found}");
    }
    // A cached figure is reported, but not as the drive's.
    let cached = reports()
        .iter()
        .filter(|report| report.tags.get("write_policy").is_some_and(|of| of == "write back"));
    let figures: Vec<_> = cached
        .flat_map(|report| RunFigures::from_report(report).tests)
        .flat_map(|test| {
            let is_cached = test.test == "write-32m";
            test.figures.into_iter().map(move |figure| (is_cached, figure.doubt.is_some()))
        })
        .collect();
    assert!(figures.iter().all(|(is_cached, is_doubted)| is_cached == is_doubted));
    assert_eq!(figures.iter().filter(|(is_cached, _)| *is_cached).count(), 7);
    // Words are not figures.
    let pi2 = [("board", "Raspberry Pi 2 Model B")];
    assert_eq!(value("dramble-cards", "PNY Turbo (C10 90MB/s) 16GB", &pi2, "dd", "write.bandwidth"), None);
    assert_eq!(value("dramble-cards", "No-name (C4) 4GB", &pi2, "random-read", "read.bandwidth"), None);
}

#[test]
fn tables_are_complete() {
    for (name, drives, figures) in [
        ("app-class-cards", 5, 0),
        // 18 and twice 8 rows of four; four cells of the first table are words.
        ("dramble-cards", 19, (18 + 8 + 8) * 4 - 4),
        ("iot-cards", 7, 7 * 10 * 2),
        ("server-ssds", 10, (5 + 6 + 6 + 5) * 6),
        ("pi5-cards", 8, 16 * 2),
        ("pg-test-fsync", 3, 3),
        ("pi-card-claims", 1, 4),
    ] {
        let source = source(name);
        assert_eq!((source.drive_names().len(), source.figure_count()), (drives, figures), "{name}");
        let of_reports = reports().iter().filter(|report| report.id.starts_with(&format!("{SUITE}-{name}-")));
        let imported = of_reports.flat_map(|report| &report.steps).filter_map(|step| step.imported.as_ref());
        let found = imported.map(|imported| imported.figures.len()).sum::<usize>();
        // Complete outputs have more figures than the tables.
        assert!(
            if source.outputs.is_empty() { found == figures } else { found > 2 * figures },
            "{name}: {found}"
        );
    }
}

/// The figure of a column in an output.
fn output_figure<'a>(imported: &'a Imported, column: &PublishedColumn) -> Option<&'a Figure> {
    let is_it = |figure: &&Figure| (figure.direction, figure.quantity) == (column.direction, column.quantity);
    imported.figures.iter().find(is_it)
}

/// A published figure agrees with the output to its last digit: it was rounded or truncated.
fn agrees(cell: &PublishedCell, figure: f64) -> bool {
    let Some((value, amount)) = cell.value.zip(Amount::parse(&cell.text)) else { return false };
    let unit = value / amount.number().unwrap();
    (value - figure).abs() <= amount.last_digit() * unit
}

#[test]
fn outputs_have_every_figure_of_the_tables() {
    let source = source("microsd-vs-ssd");
    let mut seen = 0;
    for table in &source.tables {
        for row in &table.rows {
            for (cell, column) in row.cells.iter().zip(&table.columns) {
                let is_it =
                    |output: &&PublishedOutput| output.drive == row.drive && output.test == column.test;
                let output = source.outputs.iter().find(is_it).unwrap();
                let imported =
                    report::import_output(&output.file).unwrap_or_else(|| panic!("{}", output.file));
                let figure = output_figure(&imported, column)
                    .unwrap_or_else(|| panic!("{}: {}", output.file, column.heading));
                let value = figure.estimate.value;
                assert!(agrees(cell, value), "{} {}: {} is {value}", table.title, row.drive, cell.text);
                assert_eq!(figure.window_ns, column.window_ns, "{}", column.heading);
                seen += 1;
            }
        }
    }
    assert_eq!(seen, source.figure_count() + 2 * 7);
}

#[test]
fn batch_outputs_have_every_figure_of_the_table() {
    const CARDS: &str = include_str!("../fixtures/fio/cards-2013.txt");
    let named = Named { place: "cards.txt" };
    let importer = detect(CARDS.as_bytes(), &named).unwrap();
    let tests = importer.read(&mut CARDS.as_bytes(), &named).unwrap_or_else(|problems| panic!("{problems}"));
    let source = source("iot-cards");
    let mut seen = 0;
    for table in &source.tables {
        for row in &table.rows {
            for (cell, column) in row.cells.iter().zip(&table.columns) {
                let is_it = |test: &&ImportedTest| {
                    let model = test.subject.model.as_deref().unwrap_or("-").replace('_', " ");
                    test.id == column.test && row.drive.ends_with(&model)
                };
                let found: Vec<&ImportedTest> = tests.iter().filter(is_it).collect();
                let [test] = found[..] else { panic!("{} {}", row.drive, column.test) };
                let figure = output_figure(&test.imported, column).unwrap();
                assert_eq!(Some(figure.estimate.value), cell.value, "{} {}", row.drive, column.heading);
                assert_eq!(test.method.likeness(&source.tests[&column.test].method), Likeness::Same);
                seen += 1;
            }
        }
    }
    assert_eq!(seen, 7 * 10 * 2);
}

/// Repeated figures, reworded or with fewer digits, agree to the last digit.
#[test]
fn repeated_figures_agree() {
    let mut seen = 0;
    for source in sources() {
        for table in source.tables.iter().filter(|table| table.repeats) {
            for row in &table.rows {
                for (cell, column) in row.cells.iter().zip(&table.columns) {
                    let others = source.tables.iter().filter(|other| !other.repeats);
                    let same = |other: &&PublishedRow| other.drive == row.drive && other.tags == row.tags;
                    let found = others
                        .flat_map(|other| other.rows.iter().filter(same).map(move |row| (other, row)))
                        .find_map(|(other, row)| {
                            let is_it = |one: &PublishedColumn| {
                                (&one.test, one.direction, one.quantity)
                                    == (&column.test, column.direction, column.quantity)
                            };
                            row.cells[other.columns.iter().position(is_it)?].value
                        });
                    let (Some(found), Some(published)) = (found, cell.value) else {
                        panic!("{}: {} {}", source.name, row.drive, column.heading)
                    };
                    let amount = Amount::parse(&cell.text).unwrap();
                    let unit = published / amount.number().unwrap();
                    assert!(
                        (found - published).abs() <= amount.last_digit() * unit,
                        "{}: {published}, {found}",
                        cell.text
                    );
                    seen += 1;
                }
            }
        }
    }
    assert_eq!(seen, 2 * 7 + 3 * 6);
}

#[test]
fn reports_have_source_and_method() {
    let mut ids: Vec<&str> = reports().iter().map(|report| report.id.as_str()).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), reports().len());
    for report in reports() {
        assert_eq!(report.suite, SUITE);
        assert!(
            report
                .source
                .as_ref()
                .is_some_and(|source| !source.place.is_empty() && !source.program.is_empty())
        );
        assert!(report.steps.iter().all(|step| matches!(step.step.work, Work::Imported(_))));
        let json = cardiograph_core::json::to_json(report);
        assert_eq!(&cardiograph_core::json::from_json(&json).unwrap(), report);
    }
}

/// Two sources are comparable if and only if they measured the same way.
#[test]
fn methods_decide_what_is_comparable() {
    let method = |name: &str, test: &str| &source(name).tests[test].method;
    let fsync = method("microsd-vs-ssd", "fsync");
    assert_eq!(fsync.likeness(method("microsd-vs-ssd", "random-read")), Likeness::Other);
    let likeness = method("server-ssds", "randread-4k").likeness(method("iot-cards", "randread4k32"));
    assert!(matches!(likeness, Likeness::Near { .. }), "{likeness:?}");
    let iozone = method("dramble-cards", "random-read");
    let likeness = iozone.likeness(method("iot-cards", "randread4k"));
    // The first has a file of 100 MiB, the other three times 10 MiB.
    assert!(matches!(likeness, Likeness::Near { .. }), "{likeness:?}");
}

#[test]
fn a_drive_is_found_by_a_part_of_its_name() {
    let found: Vec<&str> = sources()
        .iter()
        .filter(|one| one.for_drive("samsung PRO").is_some())
        .map(|one| one.name.as_str())
        .collect();
    assert_eq!(found, ["dramble-cards", "pi5-cards"]);
    let part = source("dramble-cards").for_drive("evo select").unwrap();
    assert_eq!((part.tables.len(), part.drive_names()), (2, vec!["Samsung Evo Select 32GB"]));
    assert_eq!(source("app-class-cards").for_drive("axe").unwrap().drive_names().len(), 1);
    assert!(sources().iter().all(|source| source.for_drive("no such drive").is_none()));
}

#[test]
fn errors_name_their_location() {
    let head = "name = 'x'\ntitle = 'X'\nprogram = 'fio'\npreconditioning = 'new'\n";
    let test = "[tests.a]\ncommand = 'fio --name=a --rw=read'\n";
    let table = |column: &str, row: &str| {
        format!("{head}{test}[[tables]]\ntitle = 'T'\ncolumns = [{column}]\nrows = [{row}]\n")
    };
    let column =
        "{ heading = 'h', test = 'a', figure = 'read.bandwidth', published = 'MB/s', unit = 'MiB/s' }";
    let row = "{ drive = 'd', cells = ['1 MB/s'] }";
    assert_eq!(read::read("x", &table(column, row)).unwrap().figure_count(), 1);
    for (text, expected) in [
        ("name = 3".to_string(), "x: "),
        (head.replace("'x'", "'y'") + test, "it calls itself 'y'"),
        (format!("{head}[tests.a]\n"), "test a: it needs a command or a method"),
        (
            format!("{head}[tests.a]\ncommand = 'rm x'\n"),
            "test a: import-command.unknown-program(program=rm)",
        ),
        (table(&column.replace("'a'", "'b'"), row), "table 'T': column 'h': there is no test 'b'"),
        (table(&column.replace("MiB/s", "miles"), row), "unknown unit 'miles'"),
        (table(&column.replace("MiB/s", "ms"), row), "read.bandwidth is not in ms"),
        (table(&column.replace("read.bandwidth", "read.speed"), row), "unknown metric 'speed'"),
        (table(column, "{ drive = 'd', cells = [] }"), "row 'd': 0 cells in 1 columns"),
        (table(column, "{ drive = 'd', cells = ['1 ms'] }"), "'1 ms' is not a figure in MB/s"),
        (table(column, "{ drive = 'd', cells = ['1,5 MB/s'] }"), "'1,5 MB/s' is not a figure"),
        (
            table(column, row) + "doubts = [{ column = 'x', why = { kind = 'page_cache' } }]\n",
            "there is no column 'x'",
        ),
        (table(column, row) + "[[outputs]]\ndrive = 'd'\ntest = 'a'\nfile = 'x'\n", "no such file"),
    ] {
        let error = read::read("x", &text).unwrap_err();
        assert!(error.contains(expected), "{expected}: {error}");
    }
}
