//! `import`: outputs of other programs are saved, shown and found.

use crate::common::{Bench, has_message};

const CARD: &str = include_str!("../../crates/import/src/fixtures/pi5/microsd-fsync.txt");
const SSD: &str = include_str!("../../crates/import/src/fixtures/pi5/ssd-fsync.txt");
const JSON: &str = include_str!("../../crates/import/src/fixtures/fio/3.33-same-run.json");

#[test]
fn outputs_are_saved_once_and_shown() {
    let bench = Bench::new();
    bench.file("both.txt", &format!("microSD\n{CARD}\nSSD\n{SSD}"));
    bench.file("copy.txt", SSD);
    bench.run("import both.txt --dry-run").exits_with(0).says(&[
        "mmcblk0, fio 3.39, ",
        "@import-state.would-be-new",
        " 20251105-",
    ]);
    assert!(bench.saved().is_empty());
    let first = bench.run("import both.txt --label pi5 --tag board=Pi-5").exits_with(0);
    first.says(&["mmcblk0, fio 3.39, ", "sda, fio 3.39, ", "fsync p99 5.74 ms", "cardiograph show 2025"]);
    assert_eq!(bench.saved().len(), 2);
    // The same content in another file is the same.
    bench.run("import copy.txt").exits_with(0).says(&[
        "sda, fio 3.39, ",
        "@import-state.known",
        " 20251105-",
    ]);
    // Notes given later are added to the saved checkup.
    bench
        .run("import copy.txt --capacity 480GB")
        .exits_with(0)
        .says(&["@import-state.changed", " 20251105-"]);
    bench.run("import copy.txt").exits_with(0).says(&["@import-state.known", " 20251105-"]);
    bench.run("history --drive sda").exits_with(0).says(&["pi5: sda"]);
    bench.run("compare drive:sda @last").exits_with(2).complains(&["@errors-compare-twice"]);
    assert_eq!(bench.saved().len(), 2);
    bench.run("history --tag board=Pi-5 --suite imported").exits_with(0).says(&["pi5: mmcblk0"]);
    let shown = bench.run("show @last -v").exits_with(0);
    shown.says(&[
        "pi5: sda",
        "@report-source",
        "fio 3.39, fio-normal, both.txt",
        "5.74 ms  11.1 ms",
        "@windows-heading",
    ]);
    bench.run("show @last --verbose").exits_with(0).says(&["  fio --name=fsync", "fsync p99.95", "11.2 ms"]);
}

#[test]
fn a_test_that_was_run_several_times_is_compared_by_its_spread() {
    const SPEEDS: [[f64; 3]; 2] = [[101.0, 103.0, 102.0], [62.0, 61.0, 60.0]];
    let bench = Bench::new();
    for (name, speeds) in ["old", "new"].into_iter().zip(SPEEDS) {
        let text: String = speeds
            .iter()
            .map(|mib| {
                let seconds = 1_024.0 / mib;
                format!(
                    "$ dd if=/dev/sda of=/dev/null bs=1M count=1024 iflag=direct\n1024+0 records in\n1024+0 records \
                     out\n1073741824 bytes (1.1 GB, 1.0 GiB) copied, {seconds:.4} s, {:.0} MB/s\n",
                    mib * 1.048_576
                )
            })
            .collect();
        bench.file(&format!("{name}.txt"), &text);
        bench.run(&format!("import {name}.txt --label {name}")).exits_with(0);
    }
    assert_eq!(bench.saved().len(), 6);
    bench.run("compare old new").exits_with(0).says(&[
        "107 MB/s",
        "64 MB/s",
        "● 1.7x",
        "@comparison-basis.between-runs",
    ]);
    bench
        .run("compare old.txt new")
        .exits_with(2)
        .complains(&["@report-other-format", "cardiograph import old.txt"]);
}

#[test]
fn a_file_with_a_problem_is_left_out_and_the_others_are_saved() {
    let bench = Bench::new();
    bench.file("bad.txt", &format!("{CARD}{}", SSD.replace("BW=715KiB/s", "BW=715XB/s")));
    bench.file("good.json", JSON);
    bench.file("notes.txt", "nothing\n");
    let outcome = bench.run("import bad.txt good.json notes.txt missing.txt").exits_with(2);
    outcome.says(&["vda, fio 3.33, "]);
    outcome.complains(&[
        "bad.txt: ",
        "@import-refused",
        "fio-normal",
        "50: '715XB'",
        "@import-value.unknown-unit",
        "notes.txt: ",
        "@import-unknown",
        "missing.txt: No such file or directory",
    ]);
    assert_eq!(bench.saved_report().source.unwrap().program, "fio 3.33");
    bench
        .run("import notes.txt --as fio-json")
        .exits_with(2)
        .complains(&["@import-text.nothing", "@import-format.fio-json"]);
    bench.run("import good.json --as xml").exits_with(2).complains(&[
        "@import-no-format",
        "'xml'",
        "cardiograph, fio-json",
    ]);
    bench.run("import").exits_with(2);
    bench.file("empty.txt", "");
    let outcome = bench.run("import . empty.txt").exits_with(2);
    outcome.complains(&[".: ", "@input-directory", "empty.txt"]);
}

#[test]
fn an_output_without_a_drive_is_named_after_its_file() {
    let bench = Bench::new();
    bench.file("card_bw.1.log", "500, 70000, 0, 4096, 0\n1000, 72000, 0, 4096, 0\n");
    bench.run("import card_bw.1.log").exits_with(0).says(&["card_bw.1.log, fio, "]);
    bench.run("history").exits_with(0).says(&["card_bw.1.log"]);
}

#[test]
fn a_report_of_another_machine_is_saved_unchanged() {
    let (there, here) = (Bench::new(), Bench::new());
    there.run("check --simulate bad-card --suite dramble --label card --export-json out.json").exits_with(0);
    let text = std::fs::read_to_string(there.work().join("out.json")).unwrap();
    here.file("in.json", &text);
    let columns = (1..=27).map(|number| number.to_string()).collect::<Vec<_>>().join(",");
    here.file("numbers.csv", &format!("{columns}\n"));
    let outcome = here.run("import in.json numbers.csv").exits_with(2);
    outcome.says(&["Class 4 card 16 GB", "sim-"]).complains(&["numbers.csv: ", "@import-unknown"]);
    assert_eq!(here.saved_report(), there.saved_report());
    here.run("import in.json --as cardiograph --tag board=Pi-5")
        .exits_with(0)
        .says(&["@import-state.changed", " sim-"]);
    assert_eq!(here.saved_report().verdicts, there.saved_report().verdicts);
    here.file("torn.json", &text[..text.len() / 2]);
    here.run("import torn.json").exits_with(2).complains(&["torn.json: ", "@report-malformed", "EOF"]);
}

#[test]
fn formats_are_listed_and_standard_input_is_read() {
    let bench = Bench::new();
    bench.run("import --list-formats").exits_with(0).says(&["fio-normal", "@import-format.fio-normal"]);
    let mut command = bench.command(crate::common::PROGRAM, ["import", "-"]);
    command.stdin(std::fs::File::open(bench.file("in.json", JSON)).unwrap());
    crate::common::run(command).exits_with(0);
    assert_eq!(bench.saved_report().source.unwrap().place, "-");
}

#[test]
fn tables_are_read_by_a_mapping() {
    let bench = Bench::new();
    bench.file("cards.md", "| Card | hdparm | 4K write |\n|---|---|---|\n| A 32GB | 21.75 MB/s | 1.75 MB/s |\n| B | TODO | 3 MB/s |\n");
    let import = |map: &str| {
        crate::common::run(bench.command(crate::common::PROGRAM, ["import", "cards.md", "--map", map]))
    };
    let map = "drive=Card; t: hdparm -t /dev/sda; t.read.bandwidth=hdparm MB/s; w.write.bandwidth=3 MB/s";
    import(map).exits_with(0).says(&["A 32GB", "B"]);
    assert_eq!(bench.saved().len(), 2);
    import("drive=1; read.bandwidth=2 MiB/s").exits_with(2).complains(&[
        "@import-table.not-a-figure",
        "3: '21.75 MB/s'",
        "MiB/s",
    ]);
    import("drive=1").exits_with(2).complains(&["@import-map.no-figures"]);
}

/// Runs the last example of the help on a table with the headings it names.
#[test]
fn the_example_of_the_help_reads_a_table() {
    let bench = Bench::new();
    let help = bench.run("import --help").exits_with(0).stdout.clone();
    let (_, example) =
        help.rsplit_once("cardiograph import table.md --map '").expect("an example with --map");
    let (map, _) = example.split_once('\'').expect("a quote at its end");
    bench.file(
        "table.md",
        "| Card | hdparm | dd write |\n|---|---|---|\n| A 32GB | 21.75 MB/s | 18.7 MB/s |\n",
    );
    let import = ["import", "table.md", "--map", map];
    crate::common::run(bench.command(crate::common::PROGRAM, import)).exits_with(0).says(&["A 32GB, dd, "]);
    let shown = bench.run("show @last --verbose").exits_with(0);
    shown.says(&["18.7 MB/s", "count=50k conv=fsync"]);
    assert!(!has_message(&shown.stdout, "import-table.method-unknown"), "{}", shown.stdout);
}

#[test]
fn times_without_a_zone_are_listed_as_utc() {
    let bench = Bench::new();
    let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/crates/import/src/fixtures/tools");
    for name in ["kdiskmark-3.txt", "crystaldiskmark-8.txt"] {
        let file = format!("{directory}/{name}");
        crate::common::run(bench.command(crate::common::PROGRAM, ["import", &file])).exits_with(0);
    }
    let list = bench.run("history").exits_with(0);
    list.says(&["2025-11-05 12:19 UTC", "2024-05-26 19:20 UTC"]);
    // The newest comes first, whichever was saved first.
    assert!(list.stdout.find("2025-11-05") < list.stdout.find("2024-05-26"), "{}", list.stdout);
    let since = bench.run("history --since 2025-01-01").exits_with(0);
    since.says(&["2025-11-05 12:19 UTC"]);
    assert!(!since.stdout.contains("2024-05-26"), "{}", since.stdout);
    bench.run("show @last -v").exits_with(0).says(&["@import-moment.no-zone"]);
}

#[test]
fn outputs_of_other_tools_are_recognised() {
    let bench = Bench::new();
    let files = [
        "bonnie-2.00.txt",
        "crystaldiskmark-8.txt",
        "dd.txt",
        "hdparm.txt",
        "ioping.txt",
        "iozone.txt",
        "kdiskmark-3.txt",
        "sysbench-1.0.txt",
        "yabs.json",
    ];
    let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/crates/import/src/fixtures/tools");
    let arguments = files.iter().map(|name| format!("{directory}/{name}"));
    let outcome = crate::common::run(
        bench.command(crate::common::PROGRAM, std::iter::once("import".to_string()).chain(arguments)),
    );
    outcome.exits_with(0).says(&[
        "bonnie++ 2.00a",
        "CrystalDiskMark 8.0.4",
        "mmcblk0, hdparm",
        "vda1, yabs",
        "sysbench 1.0.20",
    ]);
    let shown = bench.run("show @last").exits_with(0);
    assert!(shown.stdout.lines().all(|line| line.chars().count() <= 80), "{}", shown.stdout);
}
