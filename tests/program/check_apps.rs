//! The suite of real applications: their traces on simulated drives, and the applications themselves on the local disk.

use std::path::{Path, PathBuf};
use std::time::Duration;

use cardiograph_apps::LOADS;
use cardiograph_core::Report;
use cardiograph_core::message::Parameter;
use cardiograph_core::metric::Metric;
use cardiograph_core::report::{ReportState, StepOutcome};
use cardiograph_core::table::Cell;
use cardiograph_core::verdict::Level;
use cardiograph_render::lang::Lang;
use cardiograph_testing::skip;

use crate::common::{Bench, model_text};

fn simulated(bench: &Bench, model: &str, more: &str) -> Report {
    let line = format!("check --suite apps --simulate {model} --json --no-keep {more}");
    bench.run(&line).exits_with(0).report()
}

/// Operations per second in a row of the first table.
fn rate(report: &Report, row: usize) -> f64 {
    match &report.tables[0].rows[row].cells[0] {
        Cell::Figure { estimate, doubt: None, .. } => estimate.value,
        cell => panic!("{cell:?}"),
    }
}

/// Number of cameras recorded in time.
fn cameras(report: &Report) -> u64 {
    let answer = &report.tables.last().unwrap().notes[0];
    match answer.parameter("cameras") {
        Some(Parameter::Count(cameras)) if answer.id() != "table-cameras.missed" => *cameras,
        _ => 0,
    }
}

fn level(report: &Report, purpose: &str) -> Option<Level> {
    report.verdicts.iter().find(|verdict| verdict.purpose == purpose).map(|verdict| verdict.level)
}

#[test]
fn a_good_drive_gives_more_than_a_card_in_every_application() {
    let bench = Bench::new();
    let card = simulated(&bench, "sandisk-ultra-64", "");
    let ssd = simulated(&bench, "kioxia-sata-960", "");
    for report in [&card, &ssd] {
        assert_eq!(report.state, ReportState::Finished);
        assert_eq!(report.tables[0].rows.len(), 7);
        assert!(report.measurements.contains_key(&Metric::SqliteCommits));
    }
    // As in the article, the SSD syncs no faster than the card; its transfers and reads are faster.
    for row in [4, 5, 6] {
        assert!(rate(&ssd, row) > 1.2 * rate(&card, row), "row {row}");
    }
    assert!(cameras(&ssd) > cameras(&card), "{} {}", cameras(&ssd), cameras(&card));
    // The card writes about 31 MiB/s in sequence: 8 Mbit/s are a thirtieth of that, and each second is made durable.
    assert!((8..=32).contains(&cameras(&card)), "{}", cameras(&card));
    // A flush takes about 4 ms there, and a commit is a few writes and a flush.
    assert!((50.0..240.0).contains(&rate(&card, 0)), "{}", rate(&card, 0));
    assert!(rate(&card, 1) < rate(&card, 0), "a rollback journal waits more often");
    assert_eq!(level(&card, "sensors"), Some(Level::Good));
}

#[test]
fn one_seed_gives_one_report() {
    let bench = Bench::new();
    let report =
        |seed| simulated(&bench, "sandisk-ultra-64", &format!("--seed {seed} --set load=sqlite-wal,cameras"));
    assert_eq!(report(4), report(4));
}

#[test]
fn a_poor_card_is_described_in_its_users_units() {
    let bench = Bench::new();
    // It suits cameras but takes a second for a 4 KiB write.
    let report = simulated(&bench, "bad-card", "");
    assert!(rate(&report, 0) < 2.5, "{}", rate(&report, 0));
    // Each second of a video is made durable, which it is too slow for.
    assert_eq!(cameras(&report), 0);
    // A commit takes longer than a second.
    assert_eq!(level(&report, "db-light"), Some(Level::NotEnough));
}

#[test]
fn a_fake_smaller_than_the_data_is_found_out() {
    let bench = Bench::new();
    let model = model_text("fake-card")
        .replace("real_capacity_bytes = 16_005_464_064", "real_capacity_bytes = 33_554_432");
    bench.file("tiny.toml", &model);
    let outcome =
        bench.run("check --yes --suite apps --set load=photos --simulate tiny.toml --no-keep").exits_with(3);
    outcome.complains(&["@app-content", "--suite capacity"]);
    // Data within its real capacity is intact, and says nothing about the rest.
    assert_eq!(simulated(&bench, "fake-card", "--set load=photos").state, ReportState::Finished);
}

#[test]
fn a_drive_that_fails_or_hangs_ends_the_suite_with_the_figures_so_far() {
    let bench = Bench::new();
    for (fault, expected) in
        [("eio", "@advice.failing"), ("disappear", "@advice.gone"), ("hang", "@drive-hung.saved")]
    {
        let model = format!(
            "{}\n[[faults]]\nkind = '{fault}'\nfrom_ns = 30_000_000_000\n",
            model_text("sandisk-ultra-64")
        );
        bench.file("faulty.toml", &model);
        let outcome = bench
            .run("check --suite apps --simulate faulty.toml --export-json out.json --no-keep")
            .exits_with(3);
        outcome.complains(&[expected]);
        let report =
            crate::common::read_report(&std::fs::read_to_string(bench.work().join("out.json")).unwrap());
        assert_eq!(report.state, ReportState::Failed);
        assert_eq!(report.steps[0].outcome, StepOutcome::Done);
        assert!(rate(&report, 0) > 0.0, "what was finished counts");
    }
}

#[test]
fn applications_are_listed_and_announced_before_anything_is_written() {
    let bench = Bench::new();
    let outcome = bench.run("suites").exits_with(0);
    for load in LOADS {
        outcome.says(&[load.name, &Lang::EN.text(&load.summary)]);
    }
    let outcome = bench.run("check --suite apps --dry-run").exits_with(0);
    outcome.says(&["@outline-app", "sqlite-wal", "@outline-step.writes", "@outline-end"]);
    let outcome = bench.run("check --suite apps --set load=oracle").exits_with(2);
    outcome.complains(&["@note-apps.unknown", "sqlite-wal"]);
    assert!(bench.entries().is_empty());
}

#[test]
fn the_disk_here_commits_and_is_left_as_it_was() {
    let bench = Bench::new();
    let line = "check --yes --suite apps --set load=sqlite-wal,log-fsync,unpack --set time=2s --export-json out.json --no-keep";
    bench.run(line).exits_with(0).says(&["@step-app.sqlite-wal", "@cleaned-all"]);
    let report = crate::common::read_report(&std::fs::read_to_string(bench.work().join("out.json")).unwrap());
    assert_eq!(report.state, ReportState::Finished);
    let apps: Vec<_> = report.steps.iter().map(|step| step.app.as_ref().unwrap()).collect();
    assert!(apps.iter().all(|app| app.parts.iter().all(|part| part.operations > 0)));
    assert!(apps[0].library.as_ref().unwrap().starts_with("SQLite 3."));
    assert_eq!(bench.entries(), ["out.json"]);
}

/// The directory of a load that is running in `work`.
fn test_directory(work: &Path) -> Option<PathBuf> {
    let mut entries = std::fs::read_dir(work).ok()?.filter_map(|entry| Some(entry.ok()?.path()));
    entries.find(|path| path.extension().is_some_and(|extension| extension == "dir"))
}

#[test]
fn a_signal_ends_it_in_order() {
    let bench = Bench::new();
    let mut running = bench.start("check --yes --suite apps --set load=unpack --set time=40s");
    let work = bench.work();
    running.wait_until(
        || test_directory(&work).is_some_and(|path| path.join("package0").exists()),
        "it unpacks",
    );
    std::thread::sleep(Duration::from_millis(300));
    running.signal("TERM");
    running.finish().exits_with(143).says(&["@cleaned-all"]);
    let report = bench.saved_report();
    assert_eq!(
        (report.state, &report.steps[0].outcome),
        (ReportState::Interrupted, &StepOutcome::Interrupted)
    );
    assert!(bench.entries().is_empty());
}

#[test]
fn leftovers_of_a_killed_run_are_found_and_removed() {
    let bench = Bench::new();
    let work = bench.work();
    let mut running = bench.start("check --yes --suite apps --set load=photos --set time=40s");
    running.wait_until(
        || test_directory(&work).is_some_and(|path| path.join("img_0000.raw").exists()),
        "it imports",
    );
    running.signal("KILL");
    assert_eq!(running.finish().status.code(), None);
    let left = test_directory(&work).expect("nobody removed it");
    if rustix::fs::open(&left, rustix::fs::OFlags::RDONLY, rustix::fs::Mode::empty())
        .and_then(|fd| rustix::fs::flock(&fd, rustix::fs::FlockOperation::NonBlockingLockExclusive))
        .is_err()
    {
        return skip("finding a killed application's directory", "the file system has no locks");
    }
    let line = "check --yes --suite apps --set load=log-fsync --set time=1s --no-keep";
    bench.run(line).exits_with(0).says(&["@cleaned-removed"]);
    assert!(!left.exists() && bench.entries().is_empty());
}
