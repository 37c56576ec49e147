//! `check --suite capacity` from outside: on simulated drives with every byte written and compared, on real file systems,
//! and interrupted.

use std::path::Path;
use std::process::Command;

use cardiograph_core::claim::{Claim, ClaimOutcome};
use cardiograph_core::metric::Metric;
use cardiograph_core::report::ReportState;
use cardiograph_core::verdict::Level;
use cardiograph_core::{MIB, Parameter, Report, message};
use cardiograph_testing::drives::PLAIN;
use cardiograph_testing::{LoopMount, skip};

use crate::common::{Bench, PROGRAM, entries, levels, run, step_ids, verdict};

fn capacity(report: &Report) -> &Claim {
    report.claims.iter().find(|claim| claim.id == "capacity").unwrap()
}

/// A model of `mib` MiB with more lines at its end.
fn model(len_mib: u64, more: &str) -> String {
    let text =
        PLAIN.replace("capacity_bytes = 4_294_967_296", &format!("capacity_bytes = {}", len_mib * MIB));
    assert_ne!(text, PLAIN);
    format!("{text}\n{more}\n")
}

fn simulated(bench: &Bench, len_mib: u64, more: &str, arguments: &str) -> Report {
    bench.file("drive.toml", &model(len_mib, more));
    let line = format!("check --simulate drive.toml --suite capacity --no-keep --json {arguments}");
    bench.run(&line).report()
}

fn fake(beyond: &str, real_mib: u64, more: &str) -> String {
    format!("[fake]\nreal_capacity_bytes = {}\nbeyond = '{beyond}'\n{more}", real_mib * MIB)
}

#[test]
fn every_kind_of_fake_is_found_through_headers_and_checksums() {
    let bench = Bench::new();
    for (more, kind) in [
        (fake("wrap", 40, ""), message!("claim-fake.wrap")),
        // As long as a part of the proof, so that a block belongs to the same offset in another file.
        (fake("wrap", 32, ""), message!("claim-fake.wrap")),
        (fake("limbo", 40, ""), message!("claim-fake.limbo")),
        (fake("garbage", 40, ""), message!("claim-fake.limbo")),
        (
            fake("limbo", 40, "front_bytes = 2_097_152"),
            message!("claim-intact-tail", tail = Parameter::Bytes(2 * MIB)),
        ),
        (fake("chain", 20, "decoded_bytes = 52_428_800"), message!("claim-fake.chain")),
    ] {
        for proof in ["full", "sample"] {
            let report = simulated(&bench, 96, &more, &format!("--set proof={proof}"));
            let claim = capacity(&report);
            assert_eq!(claim.outcome, ClaimOutcome::Broken, "{proof} {more}: {claim:?}");
            assert!(proof == "sample" || claim.reasons.contains(&kind), "{proof} {more}: {claim:?}");
            assert!(levels(&report).iter().all(|&level| level == Level::NotEnough), "{proof} {more}");
            let found = report.measurements[&Metric::Capacity].estimate.value / MIB as f64;
            assert!(found < 70.0, "{proof} {more}: {found}");
            assert_eq!(report.state, ReportState::Finished, "{proof} {more}");
        }
    }
}

#[test]
fn an_honest_drive_keeps_its_word() {
    let bench = Bench::new();
    for proof in ["full", "sample"] {
        let report = simulated(&bench, 96, "", &format!("--set proof={proof}"));
        assert_eq!(capacity(&report).outcome, ClaimOutcome::Kept, "{:?}", report.claims);
        assert_eq!(report.measurements[&Metric::Capacity].estimate.value, (96 * MIB) as f64);
        // It is small, but otherwise good.
        assert_eq!(verdict(&report, "sensors").level, Level::CannotBeJudged);
    }
}

#[test]
fn the_shipped_fake_and_the_shipped_card_are_distinguished() {
    let bench = Bench::new();
    for (name, outcome) in [
        ("fake-card", ClaimOutcome::Broken),
        ("sandisk-ultra-64", ClaimOutcome::Kept),
        // Its random writes are so slow that the time allows too few.
        ("bad-card", ClaimOutcome::CannotBeJudged),
    ] {
        let outcome_of = bench.run(&format!("check --simulate {name} --suite capacity --no-keep --json"));
        let report = outcome_of.exits_with(0).report();
        assert_eq!(capacity(&report).outcome, outcome, "{name}: {:?}", report.claims);
        if name == "fake-card" {
            let found = report.measurements[&Metric::Capacity].estimate.value;
            assert!((found / 16.0e9 - 1.0).abs() < 0.3, "{found}");
        }
    }
}

#[test]
fn a_failing_drive_and_a_full_one_are_not_judged() {
    let bench = Bench::new();
    for (kind, on) in [("eio", "write"), ("eio", "read"), ("no_space", "write")] {
        let fault = format!("[[faults]]\nkind = '{kind}'\non = '{on}'\nnth = 40");
        let report = simulated(&bench, 96, &fault, "--set proof=full");
        let claim = capacity(&report);
        assert_eq!(claim.outcome, ClaimOutcome::CannotBeJudged, "{kind} {on}: {claim:?}");
        assert_eq!(report.state, ReportState::Failed);
        assert!(report.measurements[&Metric::Capacity].doubt.is_some());
        assert!(levels(&report).iter().all(|&level| level < Level::Enough));
    }
    // Decaying bits are a defect, not a false capacity.
    let fault = "[[faults]]\nkind = { bit_flip = { bit = 77777 } }\non = 'write'\nnth = 40";
    let report = simulated(&bench, 96, fault, "--set proof=full");
    let claim = capacity(&report);
    assert_eq!(claim.outcome, ClaimOutcome::Broken);
    assert_eq!(claim.reasons[0], message!("claim-fake.defect"));
}

#[test]
fn a_proof_that_does_not_fit_is_refused_before_anything_is_written() {
    let bench = Bench::new();
    bench.file("small.toml", &model(8, ""));
    for (line, words) in [
        ("check --suite capacity --buffered", &["--buffered"][..]),
        ("check --simulate small.toml --suite capacity", &["16 MiB", "@note-instead.none", "--suite quick"]),
        ("check --suite capacity --set proof=all", &["@setting-wrong.choice", "sample and full"]),
    ] {
        bench.run(line).exits_with(2).complains(words);
        assert_eq!(bench.entries(), ["small.toml"]);
    }
}

fn check(directory: &Path, bench: &Bench, arguments: &str) -> Command {
    let words = ["check", directory.to_str().unwrap(), "--suite", "capacity"];
    bench.command(PROGRAM, words.into_iter().chain(arguments.split_whitespace()))
}

#[test]
fn real_file_systems_are_filled_and_left_as_they_were() {
    for (mkfs, has_sample) in [(&["mkfs.ext4", "-q"][..], true), (&["mkfs.vfat"], false)] {
        let mount = match LoopMount::new(mkfs, 160 * MIB, "") {
            Ok(mount) => mount,
            Err(reason) => {
                skip(&format!("the capacity of {}", mkfs[0]), &reason);
                continue;
            }
        };
        let bench = Bench::new();
        let before = entries(mount.path());
        let outcome = run(check(mount.path(), &bench, "--set proof=full")).exits_with(0);
        outcome.says(&["@table-capacity.title", "@claim-tested.part", "@cleaned-all"]);
        let report = bench.saved_report();
        assert_eq!(capacity(&report).outcome, ClaimOutcome::CannotBeJudged, "the margin is a large part");
        assert_eq!(entries(mount.path()), before, "{}", mkfs[0]);
        let sample = run(check(mount.path(), &bench, "--set proof=sample --no-keep"));
        match has_sample {
            true => drop(sample.exits_with(0)),
            false => drop(sample.exits_with(2).complains(&["@note-capacity.no-sample", "--set proof=full"])),
        }
        assert_eq!(entries(mount.path()), before, "{}", mkfs[0]);
    }
}

#[test]
fn an_interrupted_proof_is_resumed_or_removed() {
    for signal in ["TERM", "KILL"] {
        let bench = Bench::new();
        bench.file("mine", "stays");
        let line = "check --yes --suite capacity --set proof=full --set size=2G";
        let mut running = bench.start(line);
        bench.wait_for_steps(3, &mut running);
        running.signal(signal);
        let outcome = running.finish();
        let whole = |names: &[String]| names.iter().filter(|name| name.ends_with(".tmp")).count();
        let left = bench.entries();
        assert!(whole(&left) >= 3, "{signal}: {left:?}");
        if signal == "TERM" {
            outcome.says(&["@parts-stay", "--set leftovers=remove"]);
            assert_eq!(left.len(), 1 + whole(&left), "what is not whole is gone: {left:?}");
        }
        // Less of the 2 GiB is left to write than for a proof that starts over.
        let mut running = bench.start(line);
        running.wait_until(|| whole(&bench.entries()) > whole(&left), "another part is whole");
        running.signal("TERM");
        running.finish().exits_with(143).says(&["@parts-resumed"]);
        assert!(whole(&bench.entries()) > whole(&left), "{signal}");
        bench
            .run("check --suite capacity --set leftovers=remove --dry-run")
            .exits_with(0)
            .says(&["@leftovers-would-remove"]);
        bench
            .run("check --suite capacity --set leftovers=remove")
            .exits_with(0)
            .says(&["@leftovers-removed"]);
        assert_eq!(bench.entries(), ["mine"], "{signal}");
    }
}

#[test]
fn parts_of_an_earlier_checkup_are_read_back() {
    let bench = Bench::new();
    let line = "check --yes --suite capacity --set proof=full --set size=48M";
    // Three parts of 16 MiB: it is interrupted while reading, or just before.
    let mut running = bench.start(line);
    bench.wait_for_steps(1, &mut running);
    running.signal("KILL");
    running.finish();
    let outcome = bench.run(&format!("{line} --no-keep --json")).exits_with(0);
    let report = outcome.report();
    assert!(step_ids(&report).len() < 6, "{:?}", step_ids(&report));
    assert_eq!(report.steps.iter().filter(|step| step.step.id.starts_with("read")).count(), 3);
    let good = &capacity(&report).evidence[0];
    assert_eq!(good.measured.unwrap().value, (48 * MIB) as f64, "{:?}", report.claims);
    assert!(bench.entries().is_empty());
}
