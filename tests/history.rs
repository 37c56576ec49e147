//! `history` and `show`: what was kept is found again.

mod common;

use cardiograph_core::Report;
use common::Bench;
use serde_json::Value;

/// Three checkups of simulated drives.
fn bench() -> Bench {
    let bench = Bench::new();
    for (seed, words) in [
        (1, "--simulate sandisk-ultra-64 --label microsd --tag board=Pi-5 --tag price=980JPY"),
        (2, "--simulate kioxia-sata-960 --label ssd --tag board=Pi-5"),
        (3, "--simulate sandisk-ultra-64 --label microsd --suite dramble"),
    ] {
        bench.run(&format!("check {words} --seed {seed} --max-time 20s")).exits_with(0);
    }
    bench
}

fn ids(bench: &Bench, more: &str) -> Vec<String> {
    let outcome = bench.run(&format!("history --json {more}")).exits_with(0);
    let list: Value = serde_json::from_str(&outcome.stdout).unwrap();
    list.as_array().unwrap().iter().map(|run| run["id"].as_str().unwrap().to_string()).collect()
}

#[test]
fn what_is_kept_is_listed_by_what_it_is() {
    let bench = bench();
    assert_eq!(ids(&bench, "").len(), 3);
    for (more, count) in [
        ("--suite dramble", 1),
        ("--tag board=Pi-5", 2),
        ("--tag board=Pi-5 --tag price=980JPY", 1),
        ("--tag board=Pi-4", 0),
        ("--suite quick --tag board=Pi-5", 2),
        // Simulated checkups have no date.
        ("--since 2026-01-01", 0),
        ("--host nowhere", 0),
    ] {
        assert_eq!(ids(&bench, more).len(), count, "{more}");
    }
    let outcome = bench.run("history").exits_with(0);
    outcome.says(&["microsd: ", "board=Pi-5, price=980JPY", "cardiograph show ID"]);
    bench.run("history --suite cliff").exits_with(0).says(&["Nothing like that is kept"]);
    bench.run("history --since soon").exits_with(2).complains(&["write it as 2026-11-22, 30d or 12h"]);
}

#[test]
fn a_checkup_is_shown_as_it_was() {
    let bench = Bench::new();
    let first = bench.run("check --simulate sandisk-ultra-64 --suite dramble --json out.json").exits_with(0);
    let id = ids(&bench, "").remove(0);
    for selector in ["@last", &id, &id[..id.len() - 1], "out.json"] {
        let again = bench.run(&format!("show {selector}")).exits_with(0);
        assert!(first.stdout.contains(again.stdout.trim_end()), "{selector}: {}", again.stdout);
    }
    let shown: Report = serde_json::from_str(&bench.run("show @last --json").exits_with(0).stdout).unwrap();
    assert_eq!(shown, bench.kept_report());
    bench.run("show @last --verbose").exits_with(0).says(&["fio --name="]);
    bench.file("torn.json", "{\"id\": 3");
    for (selector, words) in [
        ("nothing", "no checkup has an id that begins so"),
        ("@last~1", "only 1 are kept"),
        ("label:x", "cardiograph history lists what is kept"),
        ("torn.json", "torn.json: line 1"),
    ] {
        bench.run(&format!("show {selector}")).exits_with(2).complains(&[words]);
    }
    bench.file("other", "");
    let empty = Bench::new();
    empty.run("show @last").exits_with(2).complains(&["no checkup is kept yet"]);
}

#[test]
fn what_cannot_be_told_apart_is_listed_and_what_cannot_be_read_is_left_out() {
    let bench = bench();
    let said = bench.run("show microsd").exits_with(2);
    said.complains(&["'microsd' could be", ", or "]);
    let kept = bench.kept();
    std::fs::write(&kept[0], "{}").unwrap();
    let outcome = bench.run("history").exits_with(0);
    outcome.says(&["ssd"]).complains(&["left out:", "is no report"]);
    assert_eq!(ids(&bench, "").len(), 2);
}
