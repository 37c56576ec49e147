//! `compare`: checkups beside each other.

mod common;

use common::Bench;
use serde_json::Value;

/// Three checkups each of a simulated card and an SSD, and a file with one.
fn bench() -> Bench {
    let bench = Bench::new();
    for seed in 1..=3 {
        for (label, model, raid) in
            [("microsd", "sandisk-ultra-64", "none"), ("ssd", "kioxia-sata-960", "WB")]
        {
            let words = format!("--simulate {model} --label {label} --seed {seed} --tag raid={raid}");
            bench.run(&format!("check {words} --json {label}{seed}.json")).exits_with(0);
        }
    }
    bench
}

#[test]
fn labels_name_groups_of_checkups() {
    let bench = bench();
    let outcome = bench.run("compare microsd ssd").exits_with(0);
    outcome.says(&[
        "microsd  3 runs",
        "ssd 1.4 times faster",
        "microsd 1.3 times shorter",
        "fsync latency: microsd is shorter up to p",
        "capacity  64 GB | 960 GB",
        "Judged by the spread between the runs.",
    ]);
    assert!(outcome.stdout.lines().all(|line| line.chars().count() <= 80), "{}", outcome.stdout);
    // Files are selectors, too; a single run each is told as that.
    bench
        .run("compare microsd1.json ssd1.json")
        .exits_with(0)
        .says(&["microsd  1 run", "the spread between runs is not known"]);
    let markdown = bench.run("compare microsd ssd --markdown --lang ja").exits_with(0);
    markdown.says(&["### 結果サマリ", "ssdが約1.4倍 高速"]);
}

#[test]
fn programs_read_what_people_read() {
    let bench = bench();
    let json = bench.run("compare microsd ssd --json").exits_with(0).stdout;
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["groups"][1]["runs"].as_array().unwrap().len(), 3);
    let metrics = json["tests"][1]["metrics"].as_array().unwrap();
    let iops = metrics.iter().find(|metric| metric["quantity"] == "iops").unwrap();
    assert_eq!(iops["against"][1]["judgement"], "better");
    let csv = bench.run("compare microsd ssd --csv --metric iops").exits_with(0).stdout;
    assert!(csv.lines().skip(1).all(|line| line.contains(",iops,per_second,")), "{csv}");
    assert_eq!(csv.lines().count(), 1 + 2 * 6, "{csv}");
}

#[test]
fn groups_are_made_of_what_checkups_have_in_common() {
    let bench = bench();
    bench.run("compare --by raid --metric iops").exits_with(0).says(&["none  3 runs", "WB    3 runs"]);
    bench.run("compare --by colour").exits_with(2).complains(&["no run tells 'colour'", "raid"]);
    bench.run("compare --by raid microsd").exits_with(2).complains(&["all 3 checkups have 'none'"]);
    bench.run("compare --by raid --metric speed").exits_with(2).complains(&["'speed' is no quantity"]);
    bench.run("compare microsd ssd --metric latency_p12").exits_with(2).complains(&["there are bandwidth"]);
    bench.run("compare microsd").exits_with(2).complains(&["name two or more"]);
    bench.run("compare microsd microsd").exits_with(2).complains(&["is not compared with itself"]);
    bench.run("compare microsd nvme").exits_with(2).complains(&["'nvme'"]);
    bench.run("compare microsd ssd --lang ja").exits_with(2).complains(&["--markdown"]);
}

#[test]
fn what_became_worse_ends_with_a_code_of_its_own() {
    let bench = bench();
    let worse = bench.run("compare --baseline ssd microsd --fail-if-worse 10%").exits_with(5);
    worse.says(&["Random read, 4 KiB, one at a time: read IOPS: 28 % slower than in ssd\n"]);
    // The same drive again is not worse, whatever chance makes of it.
    for seed in 4..=6 {
        bench.run(&format!("check --simulate sandisk-ultra-64 --label again --seed {seed}")).exits_with(0);
    }
    let same = bench.run("compare --baseline microsd again --fail-if-worse 5%").exits_with(0);
    same.says(&["none is known to be 5 % worse than in microsd"]);
}
