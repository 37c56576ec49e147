//! Suites other than `quick` and `article` on simulated drives: good, poor, fake and failing ones.

use cardiograph_core::Report;
use cardiograph_core::claim::{Claim, ClaimOutcome};
use cardiograph_core::message;
use cardiograph_core::message::{Message, Parameter};
use cardiograph_core::metric::Metric;
use cardiograph_core::report::ReportState;
use cardiograph_core::table::{Cell, CellUnit, Table};
use cardiograph_core::trust::TrapOutcome;
use cardiograph_core::verdict::Level;
use cardiograph_testing::part_or_all;

use crate::common::{Bench, has_message, model_text};

const GIB: f64 = 1_073_741_824.0;

/// A checkup of a shipped model, or of a model file.
fn check(bench: &Bench, suite: &str, model: &str, more: &str) -> Report {
    let line = format!("check --suite {suite} --simulate {model} --json --no-keep {more}");
    bench.run(&line).exits_with(0).report()
}

/// A changed copy of a model, in a file.
fn changed(bench: &Bench, model: &str, from: &str, to: &str) -> String {
    let text = model_text(model);
    assert!(from.is_empty() || text.contains(from), "{model} has no {from}");
    let text = if from.is_empty() { format!("{text}\n{to}\n") } else { text.replacen(from, to, 1) };
    let name = format!("{model}-{}.toml", cardiograph_core::rng::hash_name(to));
    bench.file(&name, &text);
    name
}

fn claim<'a>(report: &'a Report, id: &str) -> &'a Claim {
    report
        .claims
        .iter()
        .find(|claim| claim.id == id)
        .unwrap_or_else(|| panic!("no claim {id}: {:?}", report.claims))
}

fn value(table: &Table, row: usize, column: usize) -> Option<f64> {
    match &table.rows[row].cells[column] {
        Cell::Figure { estimate, .. } => Some(estimate.value),
        Cell::Text { .. } | Cell::Absent { .. } => None,
    }
}

fn assert_close(found: Option<f64>, expected: f64, share: f64) {
    let found = found.unwrap_or_else(|| panic!("nothing found for {expected}"));
    assert!((found / expected - 1.0).abs() <= share, "{found} for {expected}");
}

#[test]
fn the_cliff_is_where_the_model_has_it() {
    let bench = Bench::new();
    // 1 GiB at 32 MB/s, then a quarter of that; the rest recovers a quarter of a gibibyte.
    let cache = "[cache]\nlen_bytes = 1_073_741_824\nslow_factor = 4.0\nrefill_bytes_per_s = 4_473_924\n";
    let model = changed(&bench, "sandisk-ultra-64", "[flush]", &format!("{cache}\n[flush]"));
    let report = check(&bench, "cliff", &model, "");
    assert_eq!(report.state, ReportState::Finished);
    let table = &report.tables[0];
    assert_close(value(table, 0, 0), GIB, 0.1);
    let (fast, slow) = (value(table, 0, 1).unwrap(), value(table, 0, 2).unwrap());
    assert!(fast > 2.5 * slow, "{fast} and {slow}");
    assert_close(value(table, 0, 3), GIB / 4.0, 0.3);
    assert_close(report.measurements.get(&Metric::SustainedWrite).map(|of| of.estimate.value), slow, 0.01);
    let written: u64 = report.steps.iter().map(|step| step.step.write_bytes_max).sum();
    assert!((written as f64) < 5.0 * GIB, "{written}: it stops soon behind the fall");
}

#[test]
fn a_drive_without_a_fast_part_has_no_cliff() {
    let report = check(&Bench::new(), "cliff", "sandisk-ultra-64", "--set max=1G");
    assert_eq!(value(&report.tables[0], 0, 0), None);
    assert_close(value(&report.tables[0], 0, 1), 32.5e6, 0.05);
    assert!(report.steps.iter().all(|step| step.step.id != "recovery"));
}

#[test]
fn the_fast_part_of_a_fake_is_found_too() {
    // 192 MiB, as the model says.
    let report = check(&Bench::new(), "cliff", "fake-card", "--set max=2G");
    assert_close(value(&report.tables[0], 0, 0), 201_326_592.0, 0.15);
}

/// The answer of the suite open-units, and what its trap saw, if anything.
fn open_units(bench: &Bench, model: &str, more: &str) -> (Message, Option<Vec<Message>>) {
    let report = check(bench, "open-units", model, more);
    assert_eq!(report.state, ReportState::Finished, "{model}");
    let trap = report.traps.iter().find(|check| check.trap == "open_units").unwrap();
    let seen = trap.outcome.warning().map(|warning| warning.seen.clone());
    assert!(seen.is_some() || trap.outcome == TrapOutcome::Absent, "{model}: {trap:?}");
    (row_message(&report.tables[0], "table-open-units.units").clone(), seen)
}

#[test]
fn the_open_units_of_a_card_are_counted() {
    let bench = Bench::new();
    for limit in [1, 4, 7] {
        let units = format!("unit_bytes = 4_194_304\nopen_units = {limit}\ncopy_bytes_per_s = 17_000_000\n#");
        let model =
            changed(&bench, "sandisk-ultra-64", "unit_bytes = 16_384\nopen_units = 4\ncopy_bytes", &units);
        let (answer, seen) = open_units(&bench, &model, "");
        assert!(answer.id().starts_with("table-open-units.limit"), "{answer}");
        let counts = ["fast", "more"].map(|name| answer.parameter(name).cloned());
        assert_eq!(counts, [limit, limit + 1].map(|count| Some(Parameter::Count(count))));
        assert_eq!(seen.unwrap()[0].parameter("more"), Some(&Parameter::Count(limit + 1)));
        let outcome =
            bench.run(&format!("check --suite open-units --simulate {model} --no-keep -v")).exits_with(0);
        outcome.says(&[
            "@table-open-units.title",
            "@table-open-units.speeds",
            "@table-open-units.unit-assumed",
            "4 MiB",
        ]);
    }
}

#[test]
fn drives_without_open_units_that_run_out_have_no_limit() {
    let bench = Bench::new();
    // The fake's fast part ends during the test; the others are a good card and an SSD that pauses now and then to erase blocks.
    for (model, more) in
        [("sandisk-ultra-64", ""), ("kioxia-sata-960", ""), ("fake-card", ""), ("fake-card", "--set unit=8M")]
    {
        for seed in 1..4 {
            let (answer, seen) = open_units(&bench, model, &format!("{more} --seed {seed}"));
            assert_eq!(answer, message!("table-open-units.no-limit", tried = 16_u32), "{model} {more}");
            assert_eq!(seen, None);
        }
    }
    // One open unit of 4 MiB.
    let (answer, _) = open_units(&bench, "bad-card", "");
    assert!(answer.id().starts_with("table-open-units.limit"), "{answer}");
    assert_eq!(answer.parameter("fast"), Some(&Parameter::Count(1)));
}

#[test]
fn flushes_take_as_long_as_in_the_model() {
    let report = check(&Bench::new(), "durability", "sandisk-ultra-64", "");
    let flush = claim(&report, "flush");
    assert_eq!(flush.outcome, ClaimOutcome::Kept, "{flush:?}");
    // A row of 4 KiB; fdatasync, fsync, O_DSYNC and O_SYNC cost the same on this card: about 168 per second.
    for column in 1..5 {
        assert_close(value(&report.tables[0], 0, column), 168.0, 0.25);
    }
    assert!(value(&report.tables[0], 0, 0).unwrap() > 400.0, "what is not made durable is faster");
}

#[test]
fn a_card_that_ignores_flushes_is_found_out() {
    let bench = Bench::new();
    let text = model_text("sandisk-ultra-64");
    let flush = text.split("[flush]").nth(1).unwrap().split("\n[").next().unwrap().to_string();
    let ignored = "\njournal_ios = 0\njournal_bytes = 0\npaths = [{ share = 1.0, mean_ns = 5_000, deviation_ns = 500 }]\n";
    let fast = text.replacen(&flush, ignored, 1);
    // Writes to its memory and ignores flushes.
    let write = fast.split("[write]").nth(1).unwrap().split("\n[").next().unwrap().to_string();
    let paths = "[{ share = 1.0, mean_ns = 20_000, deviation_ns = 2_000 }]";
    let into_memory = format!(
        "\nbytes_per_s = 90_000_000\npartial_below_bytes = 65_536\npartial = {paths}\nfull = {paths}\nafter_flush_ns = 0\n"
    );
    let fast = fast.replacen(&write, &into_memory, 1).replacen("command_ns = ", "command_ns = 10 # ", 1);
    bench.file("ignores.toml", &fast);
    let report = check(&bench, "durability", "ignores.toml", "");
    let flush = claim(&report, "flush");
    assert_eq!(flush.outcome, ClaimOutcome::Broken, "{flush:?}");
    assert_eq!(flush.reasons, [message!("claim-flush.too-fast-flash")]);
}

#[test]
fn a_card_is_checked_against_its_marks() {
    let bench = Bench::new();
    let fake = check(&bench, "sd-class", "fake-card", "");
    let outcomes: Vec<(&str, ClaimOutcome)> =
        fake.claims.iter().map(|claim| (claim.id.as_str(), claim.outcome)).collect();
    assert_eq!(
        outcomes,
        [
            // The cache meets it, but the memory behind it does not.
            ("c10", ClaimOutcome::CannotBeJudged),
            ("u3", ClaimOutcome::Broken),
            ("v30", ClaimOutcome::Broken),
            ("a2", ClaimOutcome::Broken),
        ]
    );
    let v30 = claim(&fake, "v30");
    assert_eq!((v30.evidence[0].tries.len(), v30.evidence[0].limit), (3, Some(30e6)));
    // As a reader sees it.
    let outcome = bench.run("check --suite sd-class --simulate fake-card --no-keep").exits_with(0);
    outcome.says(&["V30: 30 MB/s", "@claim-mark.speed"]);
    let good =
        changed(&bench, "sandisk-ultra-64", "[bus]", "[marks]\nspeed_class = 10\nuhs_grade = 1\n\n[bus]");
    let good = check(&bench, "sd-class", &good, "");
    assert!(good.claims.iter().all(|claim| claim.outcome == ClaimOutcome::Kept), "{:?}", good.claims);
}

#[test]
fn published_sets_print_their_tables() {
    let bench = Bench::new();
    let iot = check(&bench, "iot-sd", "sandisk-ultra-64", "");
    let names: Vec<&str> = iot.tables[0].rows.iter().filter_map(|row| row.name.as_verbatim()).collect();
    assert_eq!(names.len(), 10);
    assert_eq!((names[0], names[9]), ("seqread", "randwrite4k32"));
    // 90 MB/s sequential reads: bandwidth over 1 MiB is IOPS.
    let (bandwidth, iops) = (value(&iot.tables[0], 0, 0).unwrap(), value(&iot.tables[0], 0, 1).unwrap());
    assert!((bandwidth / 1_048_576.0 / iops - 1.0).abs() < 0.01);
    let kdiskmark = check(&bench, "kdiskmark", "kioxia-sata-960", "");
    assert_eq!(kdiskmark.tables.len(), 2);
    let (mean, best) =
        (value(&kdiskmark.tables[0], 0, 0).unwrap(), value(&kdiskmark.tables[1], 0, 0).unwrap());
    assert!(best >= mean && mean > 200e6, "{mean} {best}");
}

/// Rows of a table and the value of one cell, which must be between two bounds. They follow from the models: 95.3 MB/s
/// sequential reads, about 4,000 random reads per second and 1,650 µs for a 4 KiB write, one at a time on a card.
#[test]
fn published_figures_are_in_their_units() {
    /// Suite, model, table, rows, the row and column of the cell, bounds.
    type Case = (&'static str, &'static str, usize, &'static [&'static str], (usize, usize), [f64; 2]);
    const CASES: [Case; 6] = [
        (
            "server-ssd",
            "kioxia-sata-960",
            1,
            &["32m, sequential read", "32m, sequential write"],
            (0, 0),
            [250e6, 600e6],
        ),
        (
            "ssd-test",
            "sandisk-ultra-64",
            0,
            &["seq-read", "rand-read", "seq-write", "rand-write"],
            (1, 2),
            [2e5, 3e6],
        ),
        (
            "geerling-2024",
            "sandisk-ultra-64",
            0,
            &[
                "iozone 4K random read",
                "iozone 4K random write",
                "iozone 1M random read",
                "iozone 1M random write",
                "iozone 1M sequential read",
                "iozone 1M sequential write",
            ],
            (4, 0),
            [85e6, 95e6],
        ),
        ("pibench", "sandisk-ultra-64", 3, &["pibench-like"], (0, 0), [500.0, 1_500.0]),
        ("rpdiags", "sandisk-ultra-64", 0, &["Run 1", "Run 2", "Run 3"], (0, 0), [20e6, 90e6]),
        ("yabs", "kioxia-sata-960", 1, &["Read", "Write", "Total"], (0, 2), [100e6, 400e6]),
    ];
    let bench = Bench::new();
    for (suite, model, table, names, (row, column), [low, high]) in
        CASES.into_iter().step_by(part_or_all(2, 1))
    {
        let report = check(&bench, suite, model, "");
        assert_eq!(report.state, ReportState::Finished, "{suite}");
        let table = &report.tables[table];
        let rows: Vec<String> =
            table.rows.iter().map(|row| cardiograph_catalogue::english(&row.name)).collect();
        assert_eq!(rows, names, "{suite}");
        let found = value(table, row, column).unwrap_or_else(|| panic!("{suite}: {table:?}"));
        assert!((low..=high).contains(&found), "{suite}: {found}");
    }
}

#[test]
fn diagnostics_that_never_pass_show_three_tries() {
    let bench = Bench::new();
    let report = check(&bench, "rpdiags", "bad-card", "--set version=1");
    assert_eq!(report.tables[0].rows.len(), 3);
    assert_eq!(claim(&report, "rpdiags").outcome, ClaimOutcome::Broken);
}

/// The message in the first cell of a row.
fn row_message<'a>(table: &'a Table, row: &str) -> &'a Message {
    let row =
        table.rows.iter().find(|found| found.name.id() == row).unwrap_or_else(|| panic!("no row {row}"));
    match &row.cells[0] {
        Cell::Text { text } => text,
        cell => panic!("{cell:?}"),
    }
}

#[test]
fn rounds_are_repeated_until_they_are_steady() {
    let bench = Bench::new();
    let settings = "--set test=latency --set time=1s --set max=400M";
    let steady = check(&bench, "steady-short", "sandisk-ultra-64", settings);
    let first_steady = |report: &Report| {
        let state = row_message(&report.tables[1], "table-steady.state");
        assert_eq!(state.id(), "table-steady.reached");
        state.parameter("first").cloned()
    };
    assert_eq!(first_steady(&steady), Some(Parameter::Count(1)));
    // One write of 4 KiB at a time takes 2.6 ms on this card, a read 0.26 ms.
    assert_close(value(&steady.tables[0], 1, 2), 2.6e6, 0.1);
    assert_close(value(&steady.tables[0], 1, 0), 0.26e6, 0.1);
    // A drive whose fast part ends in the third round is steady only after it.
    let cache = "[cache]\nlen_bytes = 350_000_000\nslow_factor = 8.0\nrefill_bytes_per_s = 0\n";
    let model = changed(&bench, "sandisk-ultra-64", "[flush]", &format!("{cache}\n[flush]"));
    let settings = "--set test=throughput --set time=1s --set max=450M --set jobs=1 --set depth=1";
    let falling = check(&bench, "steady-short", &model, settings);
    assert_ne!(first_steady(&falling), Some(Parameter::Count(1)));
    let first = value(&falling.tables[2], 0, 0).unwrap();
    assert!(value(&falling.tables[0], 0, 1).unwrap() < first / 4.0, "{:?}", falling.tables);
    bench
        .run("check --suite steady --simulate sandisk-ultra-64 --dry-run")
        .exits_with(0)
        .says(&["@step-steady.precondition", "Round 25"]);
}

#[test]
fn an_interrupted_sweep_is_resumed() {
    let bench = Bench::new();
    let line = "check --suite sweep --simulate sandisk-ultra-64 --set bs=4k --set depth=1,4 --set mix=randread \
                --set time=2s --set size=64M";
    bench.run(&format!("{line} --max-time 5s")).exits_with(0).says(&["@note-sweep.resumable"]);
    let interrupted = bench.saved_report();
    assert_eq!((interrupted.state, interrupted.steps.len()), (ReportState::Interrupted, 3));
    bench.run(&format!("{line} --resume")).exits_with(0);
    let resumed = bench.saved_report();
    assert_eq!((resumed.state, &resumed.id), (ReportState::Finished, &interrupted.id));
    let ids: Vec<&str> = resumed.steps.iter().map(|step| step.step.id.as_str()).collect();
    assert_eq!(ids, ["cell", "fill", "cell-2"], "the file is filled for what is left");
    assert_eq!(resumed.steps[0], interrupted.steps[1], "what was measured stays");
    assert!(resumed.tables[0].rows[0].cells.iter().all(|cell| matches!(cell, Cell::Figure { .. })));
    bench.run(&format!("{line} --resume")).exits_with(2).complains(&["@resume-not-found", "sweep"]);
    let quick = bench.run("check --simulate sandisk-ultra-64 --resume");
    quick.exits_with(2).complains(&["@resume-not-possible", "quick"]);
}

#[test]
fn an_impossible_sweep_is_refused_before_anything_is_written() {
    let bench = Bench::new();
    for (words, message) in [
        ("--set engine=winaio", "'winaio'"),
        ("--set state=trimmed", "@note-sweep.simulated-trim"),
        ("--set directory=/", "@note-sweep.simulated-place"),
        ("--set max=20M", "@note-more.setting"),
        ("--set offset=0,511,512", "@setting-sweep-wrong.misaligned"),
        ("--set size=8M", "@note-sweep.size-too-short"),
    ] {
        bench
            .run(&format!("check --simulate sandisk-ultra-64 --suite sweep {words}"))
            .exits_with(2)
            .complains(&[message]);
    }
    assert!(bench.saved().is_empty());
}

#[test]
fn a_card_can_be_compared_with_those_of_the_wiki() {
    let bench = Bench::new();
    let good = check(&bench, "dramble", "sandisk-ultra-64", "");
    assert_eq!(good.state, ReportState::Finished);
    // The model reads 90 MiB/s, and 4 KiB 3,820 times per second. Small sequential writes are not merged: a simulated drive
    // has no page cache.
    let expected = [90.1 * 1_048_576.0, 526.0 * 8_192.0, 3_820.0 * 4_096.0, 390.0 * 4_096.0];
    for (column, expected) in expected.into_iter().enumerate() {
        assert_close(value(&good.tables[0], 0, column), expected, 0.1);
    }
    // iozone prints the same for the random passes, in KiB/s.
    assert_eq!(value(&good.tables[0], 0, 2), value(&good.tables[1], 0, 4));
    let units: Vec<CellUnit> = good.tables[0].columns.iter().map(|column| column.unit).collect();
    let (mib, mb) = (CellUnit::MebibytesPerSecond, CellUnit::MegabytesPerSecond);
    assert_eq!(units, [mib, mb, mib, mib]);
    let notes: Vec<&str> = good.tables.iter().flat_map(|table| &table.notes).map(Message::id).collect();
    for note in ["dramble-units", "note-dramble.simulated"] {
        assert!(notes.iter().any(|id| id.ends_with(note)), "{notes:?}");
    }
    // The fake is slower at random reads, and the bad card hardly manages random writes.
    let fake = check(&bench, "dramble", "fake-card", "");
    assert!(value(&fake.tables[0], 0, 2).unwrap() < 0.5 * value(&good.tables[0], 0, 2).unwrap());
    let bad = check(&bench, "dramble", "bad-card", "");
    assert!(value(&bad.tables[0], 0, 3).unwrap() < 0.05 * value(&good.tables[0], 0, 3).unwrap());
    assert!(bad.verdicts.iter().all(|verdict| verdict.level == Level::NotEnough), "{:?}", bad.verdicts);
}

#[test]
fn settings_are_checked_before_anything_is_written() {
    let bench = Bench::new();
    for (words, message) in [
        ("--suite cliff --set depth=3", "@setting-unknown"),
        ("--suite cliff --set max=lots", "--set max=lots"),
        ("--suite quick --set max=1G", "@setting-none"),
        ("--suite cliff --set max", "NAME=VALUE"),
    ] {
        bench.run(&format!("check --simulate sandisk-ultra-64 {words}")).exits_with(2).complains(&[message]);
    }
    assert!(bench.saved().is_empty());
}

#[test]
fn a_suite_that_may_write_much_wants_approval() {
    let bench = Bench::new();
    // There is no terminal here. The bound of this suite depends on time, not on the drive.
    bench.run("check --suite article").exits_with(2).complains(&[
        "@check-much-unapproved",
        "article",
        "--yes",
    ]);
    bench.run("check --suite article --dry-run").exits_with(0).says(&["@check-would-ask", "--yes"]);
    let approved = bench.run("check --suite article --dry-run --yes").exits_with(0);
    assert!(!has_message(&approved.stdout, "check-would-ask"), "{}", approved.stdout);
    assert!(bench.entries().is_empty() && bench.saved().is_empty());
    // What refuses the checkup refuses the dry run.
    bench.file("notes.txt", "not a database, and long enough to look at it");
    for more in ["", "--dry-run"] {
        bench.run(&format!("check --store notes.txt {more}")).exits_with(2).complains(&["@store-foreign"]);
    }
}
