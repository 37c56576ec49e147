//! `compare`: checkups side by side.

use cardiograph_catalogue::english;
use cardiograph_core::message;
use serde_json::Value;

use crate::common::{Bench, Made, has_message};

/// A number of runs, as the text has it.
fn runs(runs: u32) -> String {
    english(&message!("comparison-group.runs", runs = runs))
}

/// Three checkups each of a simulated card and a simulated SSD, with a file for each.
fn bench() -> Bench {
    static MADE: Made = Made::new();
    Bench::made_once(&MADE, make)
}

fn make(bench: &Bench) {
    for seed in 1..=3 {
        for (label, model, raid) in
            [("microsd", "sandisk-ultra-64", "none"), ("ssd", "kioxia-sata-960", "WB")]
        {
            let words = format!("--simulate {model} --label {label} --seed {seed} --tag raid={raid}");
            bench.run(&format!("check {words} --export-json {label}{seed}.json")).exits_with(0);
        }
    }
}

#[test]
fn labels_name_groups_of_checkups() {
    let bench = bench();
    let outcome = bench.run("compare microsd ssd").exits_with(0);
    outcome.says(&[
        "@comparison-answer.faster",
        "@comparison-answer.contrast",
        "@comparison-basis.between-runs",
        "● microsd",
        "■ 1.4x",
        "● 1.3x",
        "@level.enough",
        "compare microsd ssd -v",
    ]);
    assert!(outcome.stdout.lines().all(|line| line.chars().count() <= 80), "{}", outcome.stdout);
    // All of it on a screen.
    assert!(outcome.stdout.lines().count() <= 30, "{}", outcome.stdout);
    let outcome = bench.run("compare microsd ssd -v").exits_with(0);
    outcome.says(&[&runs(3), "ssd 1.4x", "microsd 1.3x", "microsd: 64 GB, ssd: 960 GB"]);
    assert!(outcome.stdout.lines().all(|line| line.chars().count() <= 80), "{}", outcome.stdout);
    // Files are selectors, too; single runs are reported as such.
    bench
        .run("compare microsd1.json ssd1.json")
        .exits_with(0)
        .says(&["@comparison-basis.within-run", "@comparison-basis.known"]);
    let markdown = bench.run("compare microsd ssd --export-markdown - --lang ja").exits_with(0);
    markdown.says(&["| ● microsd | ■ ssd | 倍率 |", "ssd が 1.4倍高速"]);
}

#[test]
fn a_word_that_names_a_label_and_a_file_is_an_error() {
    let bench = bench();
    bench.file("ssd", "notes\n");
    let outcome = bench.run("compare microsd ssd").exits_with(2);
    outcome.complains(&["'ssd'", "label:ssd", "./ssd"]);
    bench.run("compare microsd label:ssd").exits_with(0);
    bench.run("compare --by label --metric iops").exits_with(0).says(&["microsd", "ssd"]);
}

#[test]
fn json_and_csv_have_the_same_figures_as_text() {
    let bench = bench();
    let json = bench.run("compare microsd ssd --json").exits_with(0).stdout;
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["groups"][1]["runs"].as_array().unwrap().len(), 3);
    let metrics = json["tests"][1]["metrics"].as_array().unwrap();
    let iops = metrics.iter().find(|metric| metric["quantity"] == "iops").unwrap();
    assert_eq!(iops["against"][1]["judgement"], "better");
    let csv = bench.run("compare microsd ssd --export-csv -").exits_with(0).stdout;
    assert_eq!(csv.lines().filter(|line| line.contains(",iops,ios_per_second,")).count(), 2 * 6, "{csv}");
}

#[test]
fn a_missing_test_does_not_count_as_passed() {
    let bench = Bench::new();
    bench.run("check --simulate sandisk-ultra-64 --label march").exits_with(0);
    bench.run("check --simulate sandisk-ultra-64 --label again --max-time 40s").exits_with(0);
    bench.run("compare --baseline march again --fail-if-worse 10%").exits_with(0);
    // Another suite has other tests.
    bench.run("check --simulate sandisk-ultra-64 --label other --suite article").exits_with(0);
    let outcome = bench.run("compare --baseline march other --fail-if-worse 10%").exits_with(4);
    outcome.says(&["@comparison-missing.test", "march"]);
}

#[test]
fn groups_are_made_of_common_facts() {
    let bench = bench();
    bench.run("compare --by colour").exits_with(2).complains(&["@errors-compare-fact", "'colour'", "raid"]);
    bench.run("compare --by raid microsd").exits_with(2).complains(&["@errors-compare-same", "3", "'none'"]);
    bench.run("compare --by raid --metric speed").exits_with(2).complains(&[
        "@errors-compare-metric",
        "'speed'",
        "latency_p99",
    ]);
    bench.run("compare microsd ssd --metric bandwith").exits_with(2).complains(&[
        "@errors-compare-metric",
        "'bandwith'",
        "'bandwidth'",
    ]);
    bench
        .run("compare microsd ssd --metric latency_p12")
        .exits_with(2)
        .complains(&["@errors-compare-not-measured", "bandwidth"]);
    bench.run("compare microsd").exits_with(2).complains(&["@errors-compare-alone"]);
    bench.run("compare microsd microsd").exits_with(2).complains(&["@errors-compare-twice"]);
    bench.run("compare microsd nvme").exits_with(2).complains(&["'nvme'"]);
}

#[test]
fn a_requested_metric_is_one_table() {
    let bench = bench();
    let shown = bench.run("compare --by raid --metric iops").exits_with(0);
    shown.says(&[&runs(3), "\nIOPS\n", "@comparison-note.best", "WB 1.4x"]);
    let json = bench.run("compare --by raid --metric iops --json").exits_with(0).stdout;
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["wanted"], serde_json::json!(["iops"]));
    let rows = json["tests"].as_array().unwrap().iter().map(|test| test["metrics"].as_array().unwrap().len());
    let rows: usize = rows.sum();
    let csv = bench.run("compare --by raid --metric iops --export-csv -").exits_with(0).stdout;
    assert_eq!(
        csv.lines().next(),
        Some("test,title,direction,quantity,unit,window_ns,WB,none,none / WB,best"),
        "{csv}"
    );
    assert_eq!(csv.lines().count(), 1 + rows, "{csv}");
    let markdown =
        bench.run("compare --by raid --metric iops,bandwidth --export-markdown -").exits_with(0).stdout;
    assert_eq!(markdown.matches("| Test | WB | ").count(), 2, "{markdown}");
}

/// The tables of the articles that the suites come from: cards in rows, drives in columns, and each card beside itself.
#[test]
fn tables_have_the_shapes_of_articles() {
    let bench = Bench::new();
    let runs = [
        ("sandisk-ultra-64", "50MHz", 1, "dramble"),
        ("sandisk-ultra-64", "100MHz", 2, "dramble"),
        ("kioxia-sata-960", "50MHz", 3, "dramble"),
        ("sandisk-ultra-64", "-", 4, "iot-sd"),
        ("kioxia-sata-960", "-", 5, "iot-sd"),
        ("sandisk-ultra-64", "-", 6, "server-ssd"),
        ("kioxia-sata-960", "-", 7, "server-ssd"),
    ];
    for (model, clock, seed, suite) in runs {
        let words = format!("--simulate {model} --seed {seed} --suite {suite} --label {suite}");
        bench.run(&format!("check {words} --tag overclock={clock} --tag board=pi3")).exits_with(0);
    }
    let header =
        |page: &str| page.lines().find(|line| line.starts_with("| ")).unwrap_or_default().to_string();
    // Seed 001: a row for each card, a column for each test.
    let cards = bench.run("compare dramble --by model,overclock --rows --export-markdown -").exits_with(0);
    assert_eq!(header(&cards.stdout).matches('|').count(), 2 + 8, "{}", cards.stdout);
    assert_eq!(cards.stdout.matches("SanDisk Ultra 64 GB (Raspberry Pi 5), ").count(), 2, "{}", cards.stdout);
    let csv = bench.run("compare dramble --by model,overclock --rows --export-csv -").exits_with(0).stdout;
    assert_eq!(csv.lines().count(), 1 + 3, "{csv}");
    // Each card beside itself at another clock; the SSD was measured at one only.
    let pairs = bench.run("compare dramble --pair board --by overclock --export-markdown -").exits_with(0);
    pairs.says(&["● 50MHz | ■ 100MHz", "SanDisk Ultra 64 GB (Raspberry Pi 5), pi3 |"]);
    assert!(!pairs.stdout.contains("KIOXIA"), "{}", pairs.stdout);
    let json = bench.run("compare dramble --pair board --by overclock --json").exits_with(0).stdout;
    assert_eq!(serde_json::from_str::<Value>(&json).unwrap().as_array().unwrap().len(), 1);
    bench
        .run("compare iot-sd --pair board --by overclock")
        .exits_with(2)
        .complains(&["@errors-compare-pair"]);
    // Seed 002: a row for each test, a column for each drive, no ratios.
    let drives = bench.run("compare server-ssd --by model --metric iops --export-markdown -").exits_with(0);
    assert!(
        header(&drives.stdout).contains("KIOXIA 960 GB (SATA via USB 3.2, Raspberry Pi 5) |"),
        "{}",
        drives.stdout
    );
    drives.says(&["| Random read 4K, 64 jobs | "]);
    // Seed 003: bandwidth and rate of each of ten jobs.
    let jobs = bench
        .run("compare iot-sd --by model --metric bandwidth,iops --rows --export-markdown -")
        .exits_with(0);
    assert_eq!(header(&jobs.stdout).matches('|').count(), 2 + 20, "{}", jobs.stdout);
}

/// Seed 000 by own runs: the SSD's slowest durable writes are faster although its mean is slower, which six runs show together.
#[test]
fn runs_are_pooled_for_percentiles_beyond_one_run() {
    let bench = Bench::new();
    for (label, model) in [("microsd", "sandisk-ultra-64"), ("ssd", "kioxia-sata-960")] {
        for seed in 1..=3 {
            let words = format!("--simulate {model} --label {label} --seed {seed} --suite article");
            bench.run(&format!("check {words}")).exits_with(0);
        }
    }
    let json = bench.run("compare microsd ssd --json").exits_with(0).stdout;
    let json: Value = serde_json::from_str(&json).unwrap();
    let sync = |quantity: &str| {
        let metrics =
            json["tests"].as_array().unwrap().iter().flat_map(|test| test["metrics"].as_array().unwrap());
        let is_it = |metric: &&Value| metric["direction"] == "sync" && metric["quantity"] == quantity;
        metrics.clone().find(is_it).unwrap()["against"][1].clone()
    };
    let (mean, tail) = (sync("latency_mean"), sync("latency_p99.9"));
    assert_eq!(
        (&mean["favours"], &mean["judgement"]),
        (&Value::from("base"), &Value::from("worse")),
        "{mean}"
    );
    assert_eq!(tail["favours"], "other", "{tail}");
    let times = 1.0 / tail["ratio"].as_f64().unwrap();
    assert!((2.0..4.0).contains(&times), "{times}");
    // It decides nothing, and is shown lightly; nobody is advised to run what was run.
    assert!(tail["judgement"] != "better", "{tail}");
    let shown = bench.run("compare microsd ssd").exits_with(0);
    assert!(shown.stdout.contains("fsync p99.9") && shown.stdout.contains(" ms)"), "{}", shown.stdout);
    assert!(!bench.run("show microsd -v").stdout.contains("--suite article"));
}

#[test]
fn figures_per_price_are_compared() {
    let bench = Bench::new();
    for (seed, label, model, price) in [
        (1, "microsd", "sandisk-ultra-64", "980JPY"),
        (2, "ssd", "kioxia-sata-960", "12,800JPY"),
        (3, "other", "kioxia-sata-960", "90USD"),
    ] {
        bench
            .run(&format!("check --simulate {model} --label {label} --seed {seed} --tag price={price}"))
            .exits_with(0);
    }
    let shown = bench.run("compare microsd ssd -v").exits_with(0);
    shown.says(&["980 JPY, 15.3 JPY", "12,800 JPY, 13.3 JPY", "1,000 JPY"]);
    assert!(!has_message(&shown.stdout, "comparison-note.some-currencies"), "{}", shown.stdout);
    let table = bench.run("compare microsd ssd other --metric iops").exits_with(0);
    table.says(&["1,000 JPY", "@comparison-note.some-currencies", "JPY and USD"]);
    bench
        .run("compare microsd ssd --export-markdown - --lang ja")
        .exits_with(0)
        .says(&["リード IOPS (1,000 JPY あたり)", "1 GB あたり 15.3 JPY"]);
    let json = bench.run("compare microsd ssd --metric iops --json").exits_with(0).stdout;
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["price_currency"], "JPY");
    let metric = &json["tests"][0]["metrics"][0];
    let value = |place: usize| metric["values"][place]["estimate"]["value"].as_f64().unwrap();
    let per_price = metric["per_price"].as_array().unwrap();
    assert_eq!(per_price[0], value(0) / 980.0);
    assert_eq!(per_price[1], value(1) / 12_800.0);
    bench.run("compare ssd other -v").exits_with(0).says(&["@comparison-note.currencies"]);
}

#[test]
fn regressions_have_their_own_exit_code() {
    let bench = bench();
    let worse = bench.run("compare --baseline ssd microsd --fail-if-worse 10%").exits_with(5);
    worse.says(&["@comparison-worse.lower", "4K QD1", "28 %"]);
    // The same drive is not worse the second time, whatever chance does.
    for seed in 4..=6 {
        bench.run(&format!("check --simulate sandisk-ultra-64 --label again --seed {seed}")).exits_with(0);
    }
    let same = bench.run("compare --baseline microsd again --fail-if-worse 5%").exits_with(0);
    same.says(&["@comparison-worse.none", "5 %"]);
}

/// Cards from the shelf are ranked among their own published figures; a simulated card is one more.
#[test]
fn drives_are_ranked_among_published_figures() {
    const CARDS: &str = include_str!("../../crates/import/src/fixtures/fio/cards-2013.txt");
    let bench = Bench::new();
    bench.file("cards.txt", CARDS);
    bench.run("import cards.txt --label cards").exits_with(0);
    bench
        .run("compare cards --shelf --export-markdown - --lang ja")
        .exits_with(0)
        .says(&["| 順位 | 値 |", "> "]);
    let csv = bench.run("compare cards --shelf --export-csv -").exits_with(0).stdout;
    assert!(csv.starts_with("drive,test,direction,metric,place,of,likeness,is_own,value,"), "{csv}");
    let written = bench.run("compare cards --shelf --json").exits_with(0).stdout;
    let standings: Value = serde_json::from_str(&written).unwrap();
    let standings = standings.as_array().unwrap();
    assert_eq!(standings.len(), 7 * 10);
    for test in ["seqread", "randwrite4k32"] {
        let of_test: Vec<&Value> = standings.iter().filter(|one| one["test"] == test).collect();
        assert_eq!(of_test.len(), 7);
        for one in &of_test {
            let value = |one: &Value| one["value"].as_f64().unwrap();
            let better = of_test.iter().filter(|other| value(other) > value(one)).count();
            assert_eq!(one["same"]["rank"], better + 1, "{test}");
            assert!(one["same"]["of"].as_u64().unwrap() >= 8, "{one}");
            let others = one["same"]["others"].as_array().unwrap();
            assert!(
                others.iter().any(|other| other["value"] == one["value"] && other["source"] == "iot-cards")
            );
        }
    }
    bench
        .run("check --suite article --simulate sandisk-ultra-64 --label mine --export-json mine.json")
        .exits_with(0);
    let shown = bench.run("compare mine --shelf").exits_with(0);
    shown.says(&[
        "> ",
        "mine",
        "of 3",
        "@shelf-standing.same",
        "microsd-vs-ssd",
        "@shelf-standing.similar",
        "@shelf-sources",
    ]);
    assert!(shown.stdout.lines().all(|line| line.chars().count() <= 80), "{}", shown.stdout);
    bench.run("compare mine.json --shelf").exits_with(0).says(&["@shelf-standing.same", " 3 "]);
    bench.run("compare --shelf").exits_with(2).complains(&["@errors-compare-shelf"]);
    bench.run("compare mine --shelf --by raid").exits_with(2).complains(&["@errors-cli-conflict"]);
}
