//! iozone's tables.

use super::super::testing::{check_importer, figures_by_name, problems_of};
use super::*;

const TEXT: &str = include_str!("../fixtures/tools/iozone.txt");
const SEVERAL: &str = include_str!("../fixtures/tools/iozone-throughput.txt");

#[test]
fn reads_rows_of_two_runs() {
    let found = figures_by_name(&IMPORTER, TEXT);
    for (name, kib_per_s) in [
        ("- write-4k write.bandwidth", 3_044.0),
        ("- reread-4k read.bandwidth", 8_573.0),
        ("- random-read-4k read.bandwidth", 8_067.0),
        ("- random-write-4k write.bandwidth", 4_437.0),
        ("- rewrite-1024k write.bandwidth", 20_310.0),
        ("-:/mnt/x random-write-16k write.bandwidth", 2_177.0),
    ] {
        assert_eq!(found.get(name).copied(), Some(kib_per_s * 1_024.0), "{name}: {found:#?}");
    }
    assert_eq!(found.len(), 6 + 6 + 4);
    let tests = check_importer(&IMPORTER, TEXT);
    let first = &tests[0].method;
    assert_eq!((first.direct, first.durability), (Some(true), Some(Durability::AtEnd)));
    assert_eq!((first.block_bytes, first.size_bytes), (Some(4 << 10), Some(100 << 20)));
    assert_eq!(first.tool_version.as_deref(), Some("3.492"));
    assert_eq!(tests[0].started_unix_ms, Some(1_699_109_825_000));
    assert_eq!(tests[0].notes[0], message!("import-moment.no-zone", tool = "iozone"));
    assert_eq!(tests[1].method.others["pass"], "rewrite");
    let last = &tests.last().unwrap().method;
    assert_eq!((last.direct, last.durability), (Some(false), Some(Durability::Never)));
    // The method is the same as that of the command line alone.
    let of = command::method(tests[0].command.as_deref().unwrap(), Some("write"));
    assert!(of.is_err(), "it has two rows");
}

#[test]
fn reads_throughput_of_several_processes() {
    let found = figures_by_name(&IMPORTER, SEVERAL);
    for (name, kib_per_s) in [
        ("- write-128k-x1 write.bandwidth", 109_333.84),
        ("- reread-128k-x1 read.bandwidth", 167_226.50),
        ("- write-256k-x12 write.bandwidth", 4_732_581.09),
        ("- rewrite-256k-x12 write.bandwidth", 4_837_741.94),
    ] {
        assert_eq!(found.get(name).copied(), Some(kib_per_s * 1_024.0), "{name}: {found:#?}");
    }
    assert_eq!(found.len(), 4 + 2);
    let tests = check_importer(&IMPORTER, SEVERAL);
    let (first, last) = (&tests[0], tests.last().unwrap());
    assert_eq!((first.method.jobs, first.method.direct), (Some(1), Some(false)));
    assert_eq!(first.method.others["close"], "counted");
    assert_eq!((last.method.jobs, last.method.direct), (Some(12), Some(true)));
    assert_eq!((last.method.size_bytes, last.method.block_bytes), (Some(1 << 30), Some(256 << 10)));
    assert_eq!(last.imported.others["slowest_process"], "398983.72 kB/sec");
    assert_eq!(last.imported.others["as_the_parent_counts"], "4833509.35 kB/sec");
    // As copied from a web page.
    let blanks = SEVERAL.replace("  ", "\u{a0} ");
    assert_eq!(check_importer(&IMPORTER, &blanks), tests);
    // Without the lines above, only the figures are known.
    let alone =
        check_importer(&IMPORTER, "Children see throughput for 4 mixed workload  =  5000.00 ops/sec\n");
    let [test] = &alone[..] else { panic!("{alone:#?}") };
    let figure = &test.imported.figures[0];
    assert_eq!((figure.direction, figure.quantity, figure.estimate.value), (None, Quantity::Iops, 5_000.0));
    assert_eq!((test.id.as_str(), test.method.block_bytes, test.method.direct), ("mixed-x4", None, None));
    for (from, to, expected) in [
        ("rewriters", "jugglers", "import-iozone.unknown-test(test=jugglers)"),
        ("109333.84 KB/sec", "109333.84 s", "import-iozone.throughput-unsupported(text=109333.84 s)"),
        ("109333.84 KB/sec", "much KB/sec", "import-value.not-a-figure(text=much)"),
    ] {
        let problems = problems_of(&IMPORTER, &SEVERAL.replacen(from, to, 1));
        assert!(problems.starts_with("line ") && problems.contains(expected), "{problems}");
    }
}

#[test]
fn columns_are_found_by_position_without_a_command() {
    let heading = "\tOutput is in kBytes/sec\n              kB  reclen    write  rewrite\n";
    // Tests 0 and 2 alone: the read columns are empty.
    for width in WIDTHS {
        let row = format!(
            "{:16}{:8}{:width$}{:width$}{:width$}{:width$}{:width$}{:width$}\n",
            1_024, 4, 11, 12, "", "", 15, 16
        );
        let tests = check_importer(&IMPORTER, &format!("{heading}{row}"));
        let ids: Vec<&str> = tests.iter().map(|test| test.id.as_str()).collect();
        assert_eq!(ids, ["write-4k", "rewrite-4k", "random-read-4k", "random-write-4k"]);
        assert_eq!((tests[0].method.direct, tests[0].method.durability), (None, None));
    }
    let problems = problems_of(&IMPORTER, &format!("{heading}1024 4 11 12 15 16\n"));
    assert!(problems.contains("line 3: import-iozone.columns-unknown(count=4)"), "{problems}");
    let rows = format!("{:16}{:8}{:9}{:9}\n{:16}{:8}{:9}\n", 1_024, 4, 11, 12, 1_024, 8, 11);
    assert_eq!(check_importer(&IMPORTER, &format!("{heading}{rows}")).len(), 3, "half a row is read as far");
}

#[test]
fn errors_name_their_line() {
    for (from, to, expected) in [
        ("\tOutput is in kBytes/sec\n", "", "import-iozone.unit-missing"),
        (
            "Output is in kBytes/sec",
            "Output is in microseconds per operation",
            "import-iozone.unit-unsupported(unit=microseconds per operation)",
        ),
        ("3044     3144     8570     8573     8067     4437", "", "import-iozone.no-figure"),
        ("102400       4", "102400  204800", "import-iozone.record-too-long"),
    ] {
        let problems = problems_of(&IMPORTER, &TEXT.replacen(from, to, 1));
        assert!(problems.starts_with("line ") && problems.contains(expected), "{problems}");
    }
}
