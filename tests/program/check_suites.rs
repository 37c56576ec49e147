//! The suites beside `quick` and `article`, on simulated drives: good ones, poor ones, fakes and failing ones.

use cardiograph_catalogue::english;
use cardiograph_core::Report;
use cardiograph_core::claim::{Claim, ClaimOutcome};
use cardiograph_core::message;
use cardiograph_core::message::{Message, Parameter};
use cardiograph_core::metric::Metric;
use cardiograph_core::report::ReportState;
use cardiograph_core::table::{Cell, CellUnit, Table};
use cardiograph_core::trust::TrapOutcome;
use cardiograph_core::verdict::Level;
use cardiograph_testing::of_proof;

use crate::common::{Bench, model_text};

const GIB: f64 = 1_073_741_824.0;

/// A checkup of a shipped model, or of the text of one.
fn check(bench: &Bench, suite: &str, model: &str, more: &str) -> Report {
    let line = format!("check --suite {suite} --simulate {model} --json - --no-keep {more}");
    bench.run(&line).exits_with(0).report()
}

/// A model with a change of its text, in a file of its own.
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

fn near(found: Option<f64>, expected: f64, share: f64) {
    let found = found.unwrap_or_else(|| panic!("nothing found for {expected}"));
    assert!((found / expected - 1.0).abs() <= share, "{found} for {expected}");
}

#[test]
fn the_cliff_is_where_the_model_has_it() {
    let bench = Bench::new();
    // 1 GiB at 32 MB/s, then a quarter of that; a quarter of a gibibyte comes back in the rest.
    let cache = "[cache]\nlen_bytes = 1_073_741_824\nslow_factor = 4.0\nrefill_bytes_per_s = 4_473_924\n";
    let model = changed(&bench, "sandisk-ultra-64", "[flush]", &format!("{cache}\n[flush]"));
    let report = check(&bench, "cliff", &model, "");
    assert_eq!(report.state, ReportState::Finished);
    let table = &report.tables[0];
    near(value(table, 0, 0), GIB, 0.1);
    let (fast, slow) = (value(table, 0, 1).unwrap(), value(table, 0, 2).unwrap());
    assert!(fast > 2.5 * slow, "{fast} and {slow}");
    near(value(table, 0, 3), GIB / 4.0, 0.3);
    near(report.measurements.get(&Metric::SustainedWrite).map(|of| of.estimate.value), slow, 0.01);
    let written: u64 = report.steps.iter().map(|step| step.step.write_bytes_max).sum();
    assert!((written as f64) < 5.0 * GIB, "{written}: it stops soon behind the fall");
}

#[test]
fn a_drive_without_a_fast_part_has_no_cliff() {
    let report = check(&Bench::new(), "cliff", "sandisk-ultra-64", "--set max=1G");
    assert_eq!(value(&report.tables[0], 0, 0), None);
    near(value(&report.tables[0], 0, 1), 32.5e6, 0.05);
    assert!(report.steps.iter().all(|step| step.step.id != "recovery"));
}

#[test]
fn the_fast_part_of_a_fake_is_found_as_well() {
    // 192 MiB, as the model says.
    let report = check(&Bench::new(), "cliff", "fake-card", "--set max=2G");
    near(value(&report.tables[0], 0, 0), 201_326_592.0, 0.15);
}

/// What the suite open-units answers, and what the trust panel says it saw, if anything.
fn open_units(bench: &Bench, model: &str, more: &str) -> (String, Option<Vec<Message>>) {
    let report = check(bench, "open-units", model, more);
    assert_eq!(report.state, ReportState::Finished, "{model}");
    let trap = report.traps.iter().find(|check| check.trap == "open_units").unwrap();
    let seen = trap.outcome.warning().map(|warning| warning.seen.clone());
    assert!(seen.is_some() || trap.outcome == TrapOutcome::Absent, "{model}: {trap:?}");
    (text(&report.tables[0], "open units"), seen)
}

#[test]
fn the_open_units_of_a_card_are_counted() {
    let bench = Bench::new();
    for limit in [1, 4, 7] {
        let units = format!("unit_bytes = 4_194_304\nopen_units = {limit}\ncopy_bytes_per_s = 17_000_000\n#");
        let model =
            changed(&bench, "sandisk-ultra-64", "unit_bytes = 16_384\nopen_units = 4\ncopy_bytes", &units);
        let (answer, seen) = open_units(&bench, &model, "");
        assert!(
            answer.starts_with(&format!("fast with {limit}; with {} the speed is ", limit + 1)),
            "{answer}"
        );
        assert_eq!(seen.unwrap()[0].parameter("more"), Some(&Parameter::Count(limit + 1)));
        let outcome =
            bench.run(&format!("check --suite open-units --simulate {model} --no-keep")).exits_with(0);
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
    // The fake's fast part ends on the way; the others are a good card and an SSD that stops now and then for erased blocks.
    for (model, more) in
        [("sandisk-ultra-64", ""), ("kioxia-sata-960", ""), ("fake-card", ""), ("fake-card", "--set unit=8M")]
    {
        for seed in 1..4 {
            let (answer, seen) = open_units(&bench, model, &format!("{more} --seed {seed}"));
            assert_eq!(answer, "no limit up to 16; more were not tried", "{model} {more}");
            assert_eq!(seen, None);
        }
    }
    // A unit of 4 MiB, of which it has one open.
    let (answer, _) = open_units(&bench, "bad-card", "");
    assert!(answer.starts_with("fast with 1; with 2 the speed is "), "{answer}");
}

#[test]
fn flushes_cost_what_the_model_says() {
    let report = check(&Bench::new(), "durability", "sandisk-ultra-64", "");
    let flush = claim(&report, "flush");
    assert_eq!(flush.outcome, ClaimOutcome::Kept, "{flush:?}");
    // A row of 4 KiB; fdatasync, fsync, O_DSYNC and O_SYNC cost about the same on this card: 168 a second.
    for column in 1..5 {
        near(value(&report.tables[0], 0, column), 168.0, 0.25);
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
    // Writes into memory, without a word to the flash.
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
fn the_marks_of_a_card_are_held_against_it() {
    let bench = Bench::new();
    let fake = check(&bench, "sd-class", "fake-card", "");
    let outcomes: Vec<(&str, ClaimOutcome)> =
        fake.claims.iter().map(|claim| (claim.id.as_str(), claim.outcome)).collect();
    assert_eq!(
        outcomes,
        [
            // The cache keeps it, and what is behind it does not.
            ("c10", ClaimOutcome::CannotBeJudged),
            ("u3", ClaimOutcome::Broken),
            ("v30", ClaimOutcome::Broken),
            ("a2", ClaimOutcome::Broken),
        ]
    );
    let v30 = claim(&fake, "v30");
    assert_eq!((v30.evidence[0].tries.len(), v30.evidence[0].limit), (3, Some(30e6)));
    // What a reader sees.
    let outcome = bench.run("check --suite sd-class --simulate fake-card --no-keep").exits_with(0);
    outcome.says(&["V30: 30 MB/s", "@claim-mark.speed", "@evidence.tries"]);
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

/// Rows of a table and the value of one cell, which must lie between two bounds. They follow from the models: 95.3 MB/s of
/// reads in sequence, some 4,000 random reads a second and 1,650 µs for a write of 4 KiB, which a card has one of at a time.
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
    for (suite, model, table, names, (row, column), [low, high]) in CASES.into_iter().step_by(of_proof(2, 1))
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

/// The text of a table's cell.
fn text(table: &Table, row: &str) -> String {
    let row = table.rows.iter().find(|of| english(&of.name) == row).unwrap_or_else(|| panic!("no row {row}"));
    match &row.cells[0] {
        Cell::Text { text } => english(text),
        cell => panic!("{cell:?}"),
    }
}

#[test]
fn rounds_are_repeated_until_they_are_steady() {
    let bench = Bench::new();
    let settings = "--set test=latency --set time=1s --set max=400M";
    let steady = check(&bench, "steady-short", "sandisk-ultra-64", settings);
    assert!(text(&steady.tables[0], "steady state").starts_with("rounds 1 to 5: range"), "{steady:?}");
    // One write of 4 KiB at a time takes 2.6 ms on this card, a read 0.26 ms.
    near(value(&steady.tables[1], 1, 2), 2.6e6, 0.1);
    near(value(&steady.tables[1], 1, 0), 0.26e6, 0.1);
    // A drive whose fast part ends in the third round is steady only behind it.
    let cache = "[cache]\nlen_bytes = 350_000_000\nslow_factor = 8.0\nrefill_bytes_per_s = 0\n";
    let model = changed(&bench, "sandisk-ultra-64", "[flush]", &format!("{cache}\n[flush]"));
    let settings = "--set test=throughput --set time=1s --set max=450M --set jobs=1 --set depth=1";
    let falling = check(&bench, "steady-short", &model, settings);
    let state = text(&falling.tables[0], "steady state");
    assert!(state.starts_with("rounds ") && !state.starts_with("rounds 1 "), "{state}");
    let first = value(&falling.tables[2], 0, 0).unwrap();
    assert!(value(&falling.tables[1], 0, 1).unwrap() < first / 4.0, "{:?}", falling.tables);
    bench
        .run("check --suite steady --simulate sandisk-ultra-64 --dry-run")
        .exits_with(0)
        .says(&["@step-steady.precondition", "Round 25"]);
}

#[test]
fn an_interrupted_sweep_is_gone_on_with() {
    let bench = Bench::new();
    let line = "check --suite sweep --simulate sandisk-ultra-64 --set bs=4k --set depth=1,4 --set mix=randread \
                --set time=2s --set size=64M";
    bench.run(&format!("{line} --max-time 5s")).exits_with(0).says(&["@note-sweep.resumable"]);
    let interrupted = bench.kept_report();
    assert_eq!((interrupted.state, interrupted.steps.len()), (ReportState::Interrupted, 3));
    bench.run(&format!("{line} --resume")).exits_with(0);
    let resumed = bench.kept_report();
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
fn a_sweep_that_cannot_be_is_refused_before_anything_is_written() {
    let bench = Bench::new();
    for (words, message) in [
        ("--set engine=winaio", "'ioengine=winaio'"),
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
    assert!(bench.kept().is_empty());
}

#[test]
fn a_card_can_be_set_beside_those_of_the_wiki() {
    let bench = Bench::new();
    let good = check(&bench, "dramble", "sandisk-ultra-64", "");
    assert_eq!(good.state, ReportState::Finished);
    // As the model reads: 90 MiB/s, and 3,820 times 4 KiB a second. Small writes in sequence come as they are: there is no
    // page cache on a simulated drive.
    let expected = [90.1 * 1_048_576.0, 526.0 * 8_192.0, 3_820.0 * 4_096.0, 390.0 * 4_096.0];
    for (column, expected) in expected.into_iter().enumerate() {
        near(value(&good.tables[0], 0, column), expected, 0.1);
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
    // The fake reads at random more slowly, and the bad card hardly writes at random at all.
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
    assert!(bench.kept().is_empty());
}
