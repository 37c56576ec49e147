//! `check --simulate` of failing drives: figures are kept, the failure is named, and later steps do not run.

use std::time::{Duration, Instant};

use cardiograph_catalogue::english;
use cardiograph_core::metric::Metric;
use cardiograph_core::report::{ReportState, StepOutcome};
use cardiograph_core::result::RunOutcome;
use cardiograph_core::verdict::{FindingOutcome, Level};
use cardiograph_core::{Direction, Message, NS_PER_S, Report};

use crate::common::{Bench, Outcome, model_text, step, step_ids, verdict};

/// Checks a card with a fault, given as the lines of its table.
fn check(bench: &Bench, fault: &str, more: &str) -> Outcome {
    let text = model_text("sandisk-ultra-64");
    bench.file("failing.toml", &format!("{text}\n[[faults]]\n{fault}\n"));
    bench.run(&format!("check --simulate failing.toml {more}"))
}

fn failure_message(report: &Report) -> &Message {
    match &report.steps.last().unwrap().outcome {
        StepOutcome::Failed { message } => message,
        other => panic!("the last step is {other:?}"),
    }
}

/// The program reads its own Reports.
#[test]
fn a_report_that_fails_at_once_can_be_shown() {
    for suite in ["quick", "durability", "iot-sd", "yabs"] {
        let bench = Bench::new();
        let more = format!("--suite {suite} --export-json out.json");
        check(&bench, "kind = 'eio'\non = 'write'\nnth = 1", &more).exits_with(3);
        bench.run("show out.json").exits_with(0);
    }
}

#[test]
fn an_error_ends_the_checkup_and_is_reported_with_its_place() {
    // Hundreds of 1 MiB reads, then thousands of 4 KiB: the 2,000th is one of the latter.
    let bench = Bench::new();
    let outcome = check(&bench, "kind = 'eio'\non = 'read'\nnth = 2_000", "").exits_with(3);
    let report = bench.saved_report();
    assert_eq!(report.state, ReportState::Failed);
    assert_eq!(step_ids(&report), ["fill", "sequential-read", "random-read"], "later steps are not run");
    let (failed, before) = report.steps.split_last().unwrap();
    assert!(before.iter().all(|step| step.outcome == StepOutcome::Done));

    let failure = failed.result.as_ref().unwrap().failure().unwrap();
    assert_eq!((failure.direction, failure.len_bytes, failure.errno), (Direction::Read, 4_096, 5));
    let message = failure_message(&report);
    assert_eq!(message.id(), "with-advice");
    let said = english(message);
    outcome.complains(&["@step-random-read", "4K QD1", "Input/output error", &said]).says(&[&said]);

    let reads = failed.figures.as_ref().unwrap().direction(Direction::Read).unwrap();
    let earlier = step(&report, "sequential-read").figures.as_ref().unwrap().directions[0].ios;
    assert_eq!(earlier + reads.ios, 1_999, "what succeeded counts, what failed does not");
    assert!(report.measurements.keys().any(|metric| *metric == Metric::SequentialRead));
    assert!(verdict(&report, "os").findings.iter().any(|finding| finding.doubt.is_none()));
    assert_eq!(verdict(&report, "sensors").level, Level::CannotBeJudged);
}

#[test]
fn a_failing_first_write_is_reported() {
    let bench = Bench::new();
    let outcome =
        check(&bench, "kind = 'eio'\non = 'write'\nnth = 1", "--export-json out.json").exits_with(3);
    let report = bench.saved_report();
    assert_eq!(step_ids(&report), ["fill"]);
    let judged = report.verdicts.iter().flat_map(|verdict| &verdict.findings);
    let judged = judged.filter(|finding| finding.outcome != FindingOutcome::NotJudged);
    assert!(judged.clone().count() > 0, "the drive still says what it holds");
    assert!(judged.into_iter().all(|finding| finding.metric == Metric::Capacity));
    outcome.complains(&["@io-failed-at", "Input/output error", &english(failure_message(&report))]);
    let exported = std::fs::read_to_string(bench.work().join("out.json")).unwrap();
    assert_eq!(crate::common::read_report(&exported), report);
}

#[test]
fn a_failing_sync_is_named() {
    let bench = Bench::new();
    check(&bench, "kind = 'eio'\non = 'sync'\nnth = 50", "").exits_with(3).complains(&["Input/output error"]);
    let report = bench.saved_report();
    assert_eq!(report.steps.last().unwrap().step.id, "durable-write");
    let sync = report.steps.last().unwrap().figures.as_ref().unwrap().sync.as_ref().unwrap();
    assert_eq!(sync.n, 48, "one of the 49 before it made the filled file durable");
}

#[test]
fn a_failure_outweighs_requirements() {
    let fault = "kind = 'eio'\non = 'read'\nnth = 2_000";
    check(&Bench::new(), fault, "--require os --require db-heavy").exits_with(3);
}

#[test]
fn a_stall_is_shown_and_survived() {
    let bench = Bench::new();
    // In the sustained write, which is the last step.
    let fault = "kind = { stall = { ns = 3_000_000_000 } }\nfrom_ns = 45_000_000_000\ntimes = 1";
    check(&bench, fault, "").exits_with(0).says(&["3.0"]);
    let report = bench.saved_report();
    assert_eq!(report.state, ReportState::Finished);
    let sustained = step(&report, "sustained-write");
    let stall_ns = sustained.figures.as_ref().unwrap().longest_stall_ns;
    assert!((3 * NS_PER_S..4 * NS_PER_S).contains(&stall_ns), "{stall_ns}");
    let series = sustained.result.as_ref().unwrap().series();
    let zeros = series.whole(Direction::Write).iter().filter(|window| window.ios == 0).count() as u64;
    assert!(zeros * series.window_ns >= 2_800_000_000, "{zeros} windows of {} ns", series.window_ns);
    let others = report.steps.iter().filter(|step| step.step.id != "sustained-write");
    for other in others {
        assert!(other.figures.as_ref().unwrap().longest_stall_ns < NS_PER_S, "{}", other.step.id);
    }
}

#[test]
fn short_transfers_are_counted() {
    let bench = Bench::new();
    let fault = "kind = 'short_transfer'\non = 'read'\nnth = 100\ntimes = 7";
    check(&bench, fault, "--verbose").exits_with(0).says(&["@details-label.short", "7"]);
    let report = bench.saved_report();
    let reads =
        step(&report, "sequential-read").figures.as_ref().unwrap().direction(Direction::Read).unwrap();
    assert_eq!(reads.short_ios, 7);
    assert_eq!(reads.bytes, (reads.ios - 7) * 1_048_576 + 7 * 524_288, "only what was moved");
    assert_eq!(step(&report, "random-read").figures.as_ref().unwrap().directions[0].short_ios, 0);
}

#[test]
fn a_short_fill_is_not_read() {
    // Half of a block was not written, so nothing may be read.
    let bench = Bench::new();
    check(&bench, "kind = 'short_transfer'\non = 'write'\nnth = 10", "");
    let report = bench.saved_report();
    assert_eq!(step(&report, "fill").figures.as_ref().unwrap().directions[0].short_ios, 1);
    let reads = report.steps.iter().skip(1).filter_map(|step| step.result.as_ref());
    assert_eq!(reads.map(|result| result.issued_bytes(Direction::Read)).sum::<u64>(), 0);
    assert_eq!(report.state, ReportState::Failed);
}

#[test]
fn a_drive_that_disappears_is_reported() {
    let bench = Bench::new();
    let outcome = check(&bench, "kind = 'disappear'\nfrom_ns = 15_000_000_000", "").exits_with(3);
    outcome.complains(&["No such device", "@advice.gone"]);
    let report = bench.saved_report();
    assert_eq!(report.state, ReportState::Failed);
    assert!(report.steps.len() >= 2 && report.steps[0].outcome == StepOutcome::Done);
}

#[test]
fn a_drive_that_hangs_is_abandoned() {
    for (fault, steps) in [
        ("kind = 'hang'\nfrom_ns = 15_000_000_000", 3),
        ("kind = 'hang'\non = 'read'\nnth = 100", 2),
        ("kind = 'hang'\nnth = 1", 1),
    ] {
        let bench = Bench::new();
        let began = Instant::now();
        let outcome = check(&bench, fault, "--json").exits_with(3);
        assert!(began.elapsed() < Duration::from_secs(20), "simulated time is waited for, not real time");
        outcome.complains(&["@drive-hung.saved"]);
        let report = bench.saved_report();
        assert_eq!(outcome.report(), report, "what was measured is shown");
        assert_eq!(report.state, ReportState::Failed);
        let (hung, before) = report.steps.split_last().unwrap();
        assert_eq!(before.len() + 1, steps, "{fault}");
        assert_eq!(hung.outcome, StepOutcome::Hung);
        assert_eq!(hung.result.as_ref().unwrap().outcome, RunOutcome::Hung);
        assert!(before.iter().all(|step| step.outcome == StepOutcome::Done));
    }
}

#[test]
fn a_full_drive_ends_the_checkup() {
    let bench = Bench::new();
    let outcome = check(&bench, "kind = 'no_space'\non = 'write'\nnth = 1_000", "").exits_with(3);
    outcome.complains(&["@io-failed-at", "4 KiB", "No space left", "@advice.full"]);
    let report = bench.saved_report();
    assert_eq!(report.steps.last().unwrap().step.id, "random-write");
    assert_eq!(report.state, ReportState::Failed);
}

#[test]
fn faults_are_checked_like_the_rest_of_a_model() {
    let cases = [
        ("kind = 'fire'", "fire"),
        ("kind = 'eio'\nnth = 0", "faults[0]"),
        ("kind = 'eio'\nwhen = 3", "when"),
        ("kind = 'eio'\non = 'erase'", "erase"),
        ("kind = { misdirect = { by_bytes = 100 } }", "4096"),
        ("nth = 1", "kind"),
    ];
    for (fault, message) in cases {
        let bench = Bench::new();
        check(&bench, fault, "").exits_with(2).complains(&["failing.toml", message]);
        assert!(bench.saved().is_empty());
    }
}
