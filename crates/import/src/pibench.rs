//! The table at the end of PiBenchmarks' `Storage.sh` (2019 to 2024).
//!
//! Its units are those of the tools that it runs: hdparm's MB are MiB, fio's and iozone's KB are KiB. The sizes of dd
//! and fio changed between versions, and hdparm is run without `--direct` where that fails: both are unknown.

use cardiograph_core::direction::Direction;
use cardiograph_core::quantity::Quantity;
use cardiograph_core::text::shown;
use cardiograph_core::{KIB, MIB, Message, message};

use super::figures::Figures;
use super::lines::{find_line, named_title, numbered};
use super::{
    ImportProblems, ImportedTest, Importer, Named, Problems, Reading, Subject, Tests, amount, command,
};

pub(super) const IMPORTER: Importer = Importer {
    name: "pibenchmarks",
    title: &message!("import-format.pibenchmarks"),
    origin: "tools/pibenchmarks.txt",
    recognise: |text, _| find_line(text, is_heading),
    reading: Reading::Whole(read),
};

/// Importers of the outputs that the script prints before its table, which has the same figures.
pub(super) const RUNS: [&str; 3] = ["hdparm", "dd", "iozone"];

/// A row: category and test, the command, which of its tests, and the length of its unit in bytes.
struct Known {
    category: &'static str,
    test: &'static str,
    command: &'static str,
    part: Option<&'static str>,
    unit_bytes: f64,
}

const HDPARM: &str = "hdparm -Tt /";
const IOZONE: &str = "iozone -a -e -I -i 0 -i 1 -i 2 -s 80M -r 4k";
const KB: f64 = KIB as f64;

const ROWS: [Known; 9] = [
    known("HDParm", "Disk Read", HDPARM, Some("disk"), MIB as f64),
    known("HDParm", "Cached Disk Read", HDPARM, Some("cached"), MIB as f64),
    known("DD", "Disk Write", "dd if=/dev/zero of=test bs=4k count=80k conv=fsync", None, 1e6),
    known(
        "FIO",
        "4k random read",
        "fio --name=test --ioengine=libaio --direct=1 --bs=4k --iodepth=64 --readwrite=randread",
        None,
        KB,
    ),
    known(
        "FIO",
        "4k random write",
        "fio --name=test --ioengine=libaio --direct=1 --bs=4k --iodepth=64 --readwrite=randwrite",
        None,
        KB,
    ),
    known("IOZone", "4k read", IOZONE, Some("read"), KB),
    known("IOZone", "4k write", IOZONE, Some("write"), KB),
    known("IOZone", "4k random read", IOZONE, Some("random-read"), KB),
    known("IOZone", "4k random write", IOZONE, Some("random-write"), KB),
];

const fn known(
    category: &'static str,
    test: &'static str,
    command: &'static str,
    part: Option<&'static str>,
    unit_bytes: f64,
) -> Known {
    Known { category, test, command, part, unit_bytes }
}

fn is_heading(line: &str) -> bool {
    line.split_whitespace().eq(["Category", "Test", "Result"])
}

fn read(text: &str, _: &Named) -> Result<Vec<ImportedTest>, ImportProblems> {
    let (mut tests, mut problems) = (Tests::default(), Problems::default());
    let mut device = None;
    // The first line of the table, and of its tests.
    let mut table = None;
    for (number, line) in numbered(text) {
        if let Some((_, path)) = line.split_once("has been detected as /dev/") {
            device = path.split(' ').next().map(shown);
        } else if is_heading(line) {
            table = Some((number, tests.0.len()));
        }
        let Some((heading, first)) = table else { continue };
        if let Some(score) = line.trim().strip_prefix("Score: ") {
            let score = Some(shown(score)).filter(|score| !score.is_empty());
            if let Some(test) = tests.0[first..].first_mut() {
                test.imported.others.extend(score.map(|score| ("score".to_string(), score)));
            }
            table = None;
        }
        let words = line.split_whitespace().collect::<Vec<_>>().join(" ");
        let row = ROWS.iter().find_map(|row| {
            let result = words.strip_prefix(row.category)?.strip_prefix(' ')?.strip_prefix(row.test)?;
            Some((row, result.strip_prefix(' ')?))
        });
        let Some((row, result)) = row else { continue };
        let read = test(row, result).map(|test| {
            let subject = Subject { device: device.clone(), ..Subject::default() };
            Some(ImportedTest { subject, output_line: Some(heading), ..test })
        });
        tests.add_output(number, read, &mut problems);
    }
    problems.result(tests.0)
}

/// A row's test from its result, `26.34 MB/s` or `2352 IOPS (9410 KB/s)`. A tool that failed left no number.
fn test(row: &Known, result: &str) -> Result<ImportedTest, Message> {
    let mut method = command::method(row.command, row.part)?;
    method.direct = method.direct.filter(|_| row.category != "HDParm");
    method.size_bytes = method.size_bytes.filter(|_| row.category != "DD");
    let direction = if row.test.ends_with("rite") { Direction::Write } else { Direction::Read };
    let mut figures = Figures::default();
    let speed = match result.split_once(" IOPS (") {
        Some((iops, speed)) => {
            figures.add(Some(direction), Quantity::Iops, amount::plain(iops)?, 0);
            speed.trim_end_matches(')')
        }
        None => result,
    };
    let (kb, mb) = (row.unit_bytes.min(KB), row.unit_bytes.max(1e6));
    let units = [
        ("KB/s", kb),
        ("kB/s", if row.category == "DD" { 1e3 } else { kb }),
        ("MB/s", mb),
        ("GB/s", mb * 1e3),
    ];
    if !speed.starts_with(char::is_alphabetic) {
        figures.add(Some(direction), Quantity::Bandwidth, amount::in_units(speed, &units)?, 0);
    }
    // It takes the number of dd's last line, whatever its unit.
    let is_of_any_unit = row.category == "DD" && speed.ends_with(" MB/s");
    let id = format!("{} {}", row.category, row.test).to_lowercase().replace(' ', "-");
    let title = named_title(
        &format!("PiBenchmarks {}", row.category),
        cardiograph_core::words::method::title(&method),
    );
    Ok(ImportedTest {
        imported: figures.into_imported(),
        notes: is_of_any_unit.then(|| message!("import-pibench.any-unit")).into_iter().collect(),
        ..ImportedTest::new(id, title, method)
    })
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check_importer, figures_by_name, problems_of};
    use super::*;

    const TEXT: &str = include_str!("fixtures/tools/pibenchmarks.txt");

    #[test]
    fn reads_all_rows_in_the_tools_units() {
        let found = figures_by_name(&IMPORTER, TEXT);
        for (name, value) in [
            ("- hdparm-disk-read read.bandwidth", 26.34 * 1_048_576.0),
            ("- dd-disk-write write.bandwidth", 16.3e6),
            ("- fio-4k-random-read read.iops", 2_352.0),
            ("- fio-4k-random-write write.bandwidth", 829.0 * 1_024.0),
            ("- iozone-4k-random-write write.bandwidth", 922.0 * 1_024.0),
        ] {
            assert_eq!(found.get(name).copied(), Some(value), "{name}: {found:#?}");
        }
        assert_eq!(found.len(), 11);
        let tests = check_importer(&IMPORTER, TEXT);
        assert_eq!(tests[0].imported.others["score"], "742");
        let known =
            |at: usize| (tests[at].method.direct, tests[at].method.depth, tests[at].method.size_bytes);
        assert_eq!(
            [known(0), known(3), known(7)],
            [(None, Some(1), None), (Some(true), Some(64), None), (Some(true), Some(1), Some(80 << 20))]
        );
        assert_eq!(tests[2].notes, [message!("import-pibench.any-unit")]);
    }

    #[test]
    fn a_whole_run_names_the_drive_and_is_read_once() {
        let before = "System rootfs drive (/) has been detected as /dev/mmcblk0p2 (mmcblk0p2)\n";
        let dd = include_str!("fixtures/tools/dd.txt");
        let text = format!("{before}{dd}{TEXT}");
        let read = IMPORTER.read_page(&mut text.as_bytes(), &Named { place: "x" }).unwrap();
        let [(_, tests)] = &read[..] else { panic!("{read:#?}") };
        assert_eq!(tests[0].subject.device.as_deref(), Some("mmcblk0p2"));
    }

    #[test]
    fn a_tool_that_failed_has_no_figure() {
        let read = |from: &str, to: &str| {
            IMPORTER.read(&mut TEXT.replace(from, to).as_bytes(), &Named { place: "x" })
        };
        let tests = read("26.34 MB/s", "MB/s").unwrap();
        assert!(tests[0].imported.figures.is_empty());
        assert!(read("1684 KB/s", "1.2 GB/s").is_ok());
        let problem = problems_of(&IMPORTER, &TEXT.replace("7155 KB/s", "7155 Kb/s"));
        assert!(problem.starts_with("line 9: import-value."), "{problem}");
    }
}
