//! `check --simulate`: whole checkups in simulated time, with results known beforehand.

use cardiograph_catalogue::Language;
use cardiograph_core::figures::{LatencyFigures, SAMPLES_ABOVE_MIN};
use cardiograph_core::report::{ReportState, StepOutcome};
use cardiograph_core::verdict::Level;
use cardiograph_core::{Direction, NS_PER_S, Report};
use cardiograph_engine::sim::MODELS;
use unicode_width::UnicodeWidthStr;

use crate::common::{Bench, levels, model_text, simulate, simulated, step, step_ids, time_ns, verdict};

const MIB: f64 = 1_048_576.0;

/// Bytes that all steps wrote.
fn written_bytes(report: &Report) -> u64 {
    let results = report.steps.iter().filter_map(|step| step.result.as_ref());
    results.map(|result| result.issued_bytes(Direction::Write)).sum()
}

#[test]
fn the_same_seed_gives_the_same_bytes() {
    for suite in ["quick", "article"] {
        let run =
            |seed| simulate("sandisk-ultra-64", &format!("--suite {suite} --seed {seed}")).exits_with(0);
        let (first, second, other) = (run(5), run(5), run(6));
        assert!(first.stdout == second.stdout, "{suite}");
        assert_ne!(first.report().steps, other.report().steps, "{suite}");
        assert_ne!(first.report().id, other.report().id, "{suite}");
    }
}

#[test]
fn nothing_of_the_machine_is_in_a_simulated_report() {
    let report = simulated("sandisk-ultra-64", "--max-time 5s");
    assert_eq!(report.started_unix_ms, 0);
    assert_eq!(report.host, Default::default());
    assert_eq!(report.environment, Default::default());
    let results = report.steps.iter().filter_map(|step| step.result.as_ref());
    assert!(results.flat_map(|result| &result.workers).all(|worker| worker.cpu.is_none()));
}

/// The article's figures of a drive (fio 3.39 on a Raspberry Pi 5), without maxima and percentiles that fewer than ten
/// samples exceed.
struct Article {
    model: &'static str,
    /// MiB/s, MiB/s, ms, ms, ms.
    mixed: [f64; 5],
    random_iops: f64,
    /// Mean, deviation, p95, p99 and p99.9 in µs.
    random_us: [f64; 5],
    random_below_250_us_percent: f64,
    durable_iops: f64,
    /// Mean, p50 and p99 in µs.
    durable_write_us: [f64; 3],
    /// Mean, p50, p95 and p99 in µs.
    sync_us: [f64; 4],
    durable_sectors: f64,
    sustained_mib_s: f64,
    sustained_mib: f64,
    /// Mean, p50, p95 and p99 in ms.
    sustained_ms: [f64; 4],
    /// Of windows of half a second.
    sustained_deviation_kib_s: f64,
}

const CARD: Article = Article {
    model: "sandisk-ultra-64",
    mixed: [22.7, 23.2, 11.133, 32.142, 4_353.0],
    random_iops: 3_786.0,
    random_us: [263.03, 78.23, 375.0, 379.0, 383.0],
    random_below_250_us_percent: 31.66,
    durable_iops: 166.0,
    durable_write_us: [1_866.03, 1_745.0, 4_293.0],
    sync_us: [4_152.8, 3_720.0, 6_521.0, 7_570.0],
    durable_sectors: 278_528.0,
    sustained_mib_s: 31.3,
    sustained_mib: 3_756.0,
    sustained_ms: [31.930, 31.065, 42.730, 47.973],
    sustained_deviation_kib_s: 1_248.7,
};

/// fio printed the percentiles of the last experiment in whole milliseconds, rounded up. The first experiment, with the same
/// writes, gives the median and the 95th more precisely.
const SSD: Article = Article {
    model: "kioxia-sata-960",
    mixed: [144.0, 147.0, 3.685, 3.164, 687.0],
    random_iops: 5_275.0,
    random_us: [188.53, 83.38, 192.0, 196.0, 198.0],
    random_below_250_us_percent: 99.97,
    durable_iops: 178.0,
    durable_write_us: [359.28, 330.0, 445.0],
    sync_us: [5_232.38, 5_211.0, 5_538.0, 5_735.0],
    durable_sectors: 430_200.0,
    sustained_mib_s: 198.0,
    sustained_mib: 23_766.0,
    sustained_ms: [5.04, 3.064, 3.458, 7.0],
    sustained_deviation_kib_s: 115_503.55,
};

/// Collects figures that differ by more than 5 %.
#[derive(Default)]
struct Comparison {
    wrong: Vec<String>,
    compared: usize,
}

impl Comparison {
    fn add(&mut self, what: &str, published: f64, found: f64) {
        self.compared += 1;
        if (found / published - 1.0).abs() > 0.05 {
            self.wrong.push(format!("{what}: {found:.2} for {published:.2}"));
        }
    }

    fn latencies(&mut self, what: &str, unit_ns: f64, figures: &LatencyFigures, expected: &[(f64, f64)]) {
        for &(percentile, published) in expected {
            let figure = figures.percentiles.iter().find(|figure| figure.percentile == percentile).unwrap();
            assert!(figure.samples_above >= SAMPLES_ABOVE_MIN && !figure.withheld, "{what} p{percentile}");
            self.add(&format!("{what} p{percentile}"), published, figure.value_ns as f64 / unit_ns);
        }
    }

    fn mixed(&mut self, report: &Report, article: &Article) {
        let figures = step(report, "sdtest").figures.as_ref().unwrap();
        let (read, write) =
            (figures.direction(Direction::Read).unwrap(), figures.direction(Direction::Write).unwrap());
        let [read_mib_s, write_mib_s, read_ms, write_ms, runtime_ms] = article.mixed;
        assert_eq!(read.ios + write.ios, 200);
        // The number of reads among the 200 is random: fio drew 99, and a rate follows the share.
        let per_read = read.bandwidth_bytes_per_s.value / MIB / read.ios as f64;
        let per_write = write.bandwidth_bytes_per_s.value / MIB / write.ios as f64;
        self.add("mixed read MiB/s", read_mib_s, per_read * 99.0);
        self.add("mixed write MiB/s", write_mib_s, per_write * 101.0);
        self.add("mixed read mean ms", read_ms, read.completion.mean_ns / 1e6);
        self.add("mixed write mean ms", write_ms, write.completion.mean_ns / 1e6);
        self.add("mixed runtime ms", runtime_ms, read.runtime_ns.max(write.runtime_ns) as f64 / 1e6);
    }

    fn random_read(&mut self, report: &Report, article: &Article) {
        let random = step(report, "latp");
        let read = random.figures.as_ref().unwrap().direction(Direction::Read).unwrap();
        let [mean, deviation, p95, p99, p999] = article.random_us;
        self.add("random read IOPS", article.random_iops, read.iops.value);
        self.add("random read mean µs", mean, read.completion.mean_ns / 1e3);
        self.add("random read deviation µs", deviation, read.completion.stdev_ns / 1e3);
        let percentiles = [(95.0, p95), (99.0, p99), (99.9, p999)];
        self.latencies("random read µs", 1e3, &read.completion, &percentiles);
        let merged = random.result.as_ref().unwrap().merged(|_| true);
        let histogram = merged.read.completion.histogram();
        let limit = cardiograph_core::histogram::bucket_of(250_000);
        let below: u64 = histogram.buckets().filter(|&(bucket, _)| bucket < limit).map(|(_, n)| n).sum();
        let percent = below as f64 * 100.0 / histogram.len() as f64;
        self.add("random reads below 250 µs, percent", article.random_below_250_us_percent, percent);
    }

    fn durable_write(&mut self, report: &Report, article: &Article) {
        let durable = step(report, "fsync");
        let figures = durable.figures.as_ref().unwrap();
        let write = figures.direction(Direction::Write).unwrap();
        let sync = figures.sync.as_ref().unwrap();
        let [write_mean, write_p50, write_p99] = article.durable_write_us;
        self.add("durable write IOPS", article.durable_iops, write.iops.value);
        self.add("durable write mean µs", write_mean, write.completion.mean_ns / 1e3);
        let percentiles = [(50.0, write_p50), (99.0, write_p99)];
        self.latencies("durable write µs", 1e3, &write.completion, &percentiles);
        let [mean, p50, p95, p99] = article.sync_us;
        self.add("sync mean µs", mean, sync.mean_ns / 1e3);
        self.latencies("sync µs", 1e3, sync, &[(50.0, p50), (95.0, p95), (99.0, p99)]);
        let counted = durable.device_counters.unwrap().write_bytes as f64 / 512.0;
        self.add("durable write sectors", article.durable_sectors, counted);
    }

    fn sustained_write(&mut self, report: &Report, article: &Article) {
        let figures = step(report, "sustain").figures.as_ref().unwrap();
        let write = figures.direction(Direction::Write).unwrap();
        let [mean, p50, p95, p99] = article.sustained_ms;
        self.add("sustained MiB/s", article.sustained_mib_s, write.bandwidth_bytes_per_s.value / MIB);
        self.add("sustained MiB", article.sustained_mib, write.bytes as f64 / MIB);
        self.add("sustained mean ms", mean, write.completion.mean_ns / 1e6);
        let percentiles = [(50.0, p50), (95.0, p95), (99.0, p99)];
        self.latencies("sustained ms", 1e6, &write.completion, &percentiles);
        let windows = write.windows.as_ref().unwrap();
        assert_eq!(windows.window_ns, NS_PER_S / 2, "fio's own");
        let deviation = windows.bandwidth_bytes_per_s.stdev / 1_024.0;
        self.add("sustained deviation KiB/s", article.sustained_deviation_kib_s, deviation);
    }
}

/// Only the deviation of the windows may differ: 240 windows determine it to 4.6 % (1 / √(2 · 239)).
#[test]
fn the_suite_article_reproduces_the_articles_figures() {
    for article in [&CARD, &SSD] {
        let compare = |seed| {
            let report = simulated(article.model, &format!("--suite article --seed {seed}"));
            assert_eq!(report.state, ReportState::Finished);
            let mut comparison = Comparison::default();
            comparison.mixed(&report, article);
            comparison.random_read(&report, article);
            comparison.durable_write(&report, article);
            comparison.sustained_write(&report, article);
            assert_eq!(comparison.compared, 28);
            comparison.wrong
        };
        let wrong: Vec<Vec<String>> = (0..10).map(compare).collect();
        let others = wrong.iter().flatten().filter(|figure| !figure.starts_with("sustained deviation"));
        assert_eq!(others.count(), 0, "{}: {wrong:#?}", article.model);
        let right = wrong.iter().filter(|wrong| wrong.is_empty()).count();
        assert!(right >= 8, "{}: {wrong:#?}", article.model);
    }
}

#[test]
fn article_carries_the_articles_command_lines() {
    let report = simulated("kioxia-sata-960", "--suite article");
    let lines = [
        ("sdtest", "--size=200M --bs=1M --rw=readwrite --direct=1 --numjobs=1"),
        (
            "latp",
            "--size=1G --bs=4k --rw=randread --iodepth=1 --direct=1 --time_based=1 --runtime=30 --lat_percentiles=1 \
             --percentile_list=95:99:99.9",
        ),
        (
            "fsync",
            "--size=256M --bs=4k --rw=write --direct=1 --iodepth=1 --fsync=1 --runtime=30 --time_based=1",
        ),
        ("sustain", "--size=3G --bs=1M --rw=write --direct=1 --time_based=1 --runtime=120 --iodepth=2"),
    ];
    for (id, options) in lines {
        let commands = &step(&report, id).fio_commands;
        assert_eq!(commands.len(), 1);
        assert!(commands[0].starts_with(&format!("fio --name={id} ")), "{commands:?}");
        assert!(commands[0].ends_with(options), "{commands:?}");
    }
}

#[test]
fn verdicts_are_those_of_the_articles_author() {
    use Level::*;
    let card = simulated("sandisk-ultra-64", "--suite article");
    // Cameras are for the suite apps.
    assert_eq!(levels(&card)[..6], [Enough, Enough, NotEnough, NotEnough, NotEnough, Good]);
    assert_eq!(levels(&card)[6..], [CannotBeJudged; 2]);
    let ssd = simulated("kioxia-sata-960", "--suite article");
    assert_eq!(levels(&ssd)[..6], [Good, Good, Enough, Good, Good, Good]);
    assert_eq!(levels(&ssd)[6..], [CannotBeJudged; 2]);
}

#[test]
fn a_bad_card_is_good_for_little() {
    for suite in ["quick", "article"] {
        let report = simulated("bad-card", &format!("--suite {suite}"));
        for purpose in ["os", "db-light", "db-heavy", "containers"] {
            assert_eq!(verdict(&report, purpose).level, Level::NotEnough, "{suite}: {purpose}");
        }
    }
}

#[test]
fn quick_fits_on_a_screen_in_every_language() {
    for ((model, _), language) in
        MODELS.iter().flat_map(|model| Language::ALL.map(|language| (model, language)))
    {
        let run =
            Bench::new().run(&format!("check --simulate {model} --lang {}", language.code())).exits_with(0);
        let shown = &run.stdout;
        let is_wide = |line: &&str| line.width() > 80;
        assert_eq!(shown.lines().find(is_wide), None, "{model}");
        assert!((10..=20).contains(&shown.lines().count()), "{model}: {shown}");
        assert!(!shown.contains("\n\n\n"), "{model}: {shown}");
    }
}

#[test]
fn quick_keeps_to_its_time_and_its_bytes() {
    for model in ["sandisk-ultra-64", "kioxia-sata-960", "bad-card", "fake-card"] {
        let report = simulated(model, "");
        assert_eq!(report.state, ReportState::Finished, "{model}");
        assert_eq!(step_ids(&report).len(), 7, "{model}");
        assert!(time_ns(&report) <= 75 * NS_PER_S, "{model}: {} ns", time_ns(&report));
        let (written, capacity) = (written_bytes(&report), report.drive.capacity_bytes.unwrap());
        assert!(written > 0 && written <= capacity / 100, "{model}: {written} of {capacity}");
        for step in &report.steps {
            let bytes = step.result.as_ref().unwrap().issued_bytes(Direction::Write);
            assert!(bytes <= step.step.write_bytes_max, "{model}: {}", step.step.id);
        }
    }
}

#[test]
fn a_time_limit_is_kept_and_nothing_is_cut_off() {
    for model in ["sandisk-ultra-64", "kioxia-sata-960", "bad-card", "fake-card"] {
        for seconds in [10, 30, 60] {
            let report = simulated(model, &format!("--max-time {seconds}s"));
            assert_eq!(report.state, ReportState::Finished, "{model} {seconds}");
            assert_eq!(step_ids(&report).len(), 7, "{model} {seconds}");
            // A request issued before the deadline may end after it, especially on a bad card.
            let (taken, limit) = (time_ns(&report), seconds * NS_PER_S);
            assert!(taken <= limit + NS_PER_S / 2 && taken > limit / 2, "{model} {seconds}: {taken} ns");
        }
    }
}

#[test]
fn with_very_little_time_the_most_informative_steps_run() {
    let report = simulated("sandisk-ultra-64", "--max-time 3s");
    assert_eq!(step_ids(&report), ["fill", "random-write", "durable-write"]);
    assert!(time_ns(&report) <= 4 * NS_PER_S);
}

#[test]
fn a_time_limit_cuts_off_steps_that_cannot_be_shortened() {
    let report = simulated("sandisk-ultra-64", "--suite article --max-time 60s");
    assert_eq!(report.state, ReportState::Interrupted);
    let last = report.steps.last().unwrap();
    assert_eq!((last.step.id.as_str(), &last.outcome), ("latp", &StepOutcome::Interrupted));
    assert!(last.figures.as_ref().unwrap().directions[0].ios > 1_000, "what was measured is there");
    assert!(time_ns(&report) <= 61 * NS_PER_S, "{}", time_ns(&report));
    let doubt = verdict(&report, "os").findings.iter().find_map(|finding| finding.doubt.clone());
    assert!(doubt.is_some());
}

#[test]
fn requirements_decide_the_exit_code() {
    let cases = [
        ("--require sensors", 0),
        ("--require os --require sensors=good", 0),
        ("--require db-heavy", 1),
        ("--require os=good", 1),
        ("--require sensors --require nas", 1),
        ("--max-time 2s --require os", 4),
        // A requirement not met outweighs one not judged.
        ("--max-time 2s --require os --require containers", 1),
    ];
    for (arguments, code) in cases {
        let outcome = Bench::new().run(&format!("check --simulate sandisk-ultra-64 --no-keep {arguments}"));
        assert_eq!(outcome.status.code(), Some(code), "{arguments}\n{}", outcome.stdout);
    }
    for (model, arguments, code) in [
        ("sandisk-ultra-64", "--suite sd-class --require claim:v30 --require claim:U3", 0),
        ("sandisk-ultra-64", "--suite sd-class --require claim:V60", 1),
        ("sandisk-ultra-64", "--suite sd-class --require claim:a2", 4),
        // The card does not claim this class, so it was not checked.
        ("fake-card", "--suite sd-class --require claim:v90", 4),
        ("fake-card", "--suite sd-class --require claim:a2 --require claim:c10", 1),
        ("sandisk-ultra-64", "--suite durability --require claim:flush", 0),
        ("bad-card", "--suite durability --require claim:flush", 4),
        ("bad-card", "--suite durability --require claim:flush --require sensors=good", 1),
        ("fake-card", "--suite capacity --require claim:capacity", 1),
        ("sandisk-ultra-64", "--suite rpdiags --require claim:rpdiags", 1),
    ] {
        let outcome = Bench::new().run(&format!("check --simulate {model} --no-keep {arguments}"));
        assert_eq!(outcome.status.code(), Some(code), "{model} {arguments}\n{}", outcome.stdout);
    }
    let refused = simulate("sandisk-ultra-64", "--require claim:v30").exits_with(2);
    refused.complains(&["@require-claim-not-checked", "claim:v30", "quick", "--suite sd-class"]);
    simulate("sandisk-ultra-64", "--require claim:v31").exits_with(2).complains(&[
        "@errors-value-claim",
        "'v31'",
        "v30",
    ]);
    simulate("sandisk-ultra-64", "--require toaster").exits_with(2).complains(&[
        "@errors-value-purpose",
        "'toaster'",
        "db-light",
    ]);
    simulate("sandisk-ultra-64", "--require os=great")
        .exits_with(2)
        .complains(&["@errors-value-level", "'great'"]);
}

#[test]
fn a_dry_run_describes_the_checkup_and_does_nothing() {
    let bench = Bench::new();
    for suite in ["quick", "article"] {
        let outcome = bench.run(&format!(
            "check --simulate sandisk-ultra-64 --dry-run --suite {suite} --export-json out.json"
        ));
        outcome.exits_with(0).says(&["@outline-heading", "MB", "fio --name=", "@outline-end"]);
    }
    bench.run("check --dry-run").exits_with(0).says(&[
        "@outline-heading",
        "@outline-step.writes",
        "@outline-end",
    ]);
    assert!(bench.entries().is_empty() && bench.saved().is_empty());
}

#[test]
fn a_report_is_saved_unless_no_keep_is_given() {
    let bench = Bench::new();
    bench.run("check --simulate sandisk-ultra-64 --no-keep").exits_with(0).says(&["@report-not-wanted"]);
    assert!(bench.saved().is_empty());
    let outcome = bench.run("check --simulate sandisk-ultra-64 --label my-card").exits_with(0);
    let report = bench.saved_report();
    assert_eq!(report.label.as_deref(), Some("my-card"));
    outcome.says(&["my-card", &format!("cardiograph show {}", report.id)]);
    assert!(bench.entries().is_empty());
}

#[test]
fn the_report_goes_to_a_file_too() {
    let bench = Bench::new();
    bench.run("check --simulate kioxia-sata-960 --export-json out.json").exits_with(0);
    let text = std::fs::read_to_string(bench.work().join("out.json")).unwrap();
    assert_eq!(crate::common::read_report(&text), bench.saved_report());
    assert_eq!(bench.entries(), ["out.json"], "nothing is left of writing it");
}

#[test]
fn impossible_simulations_are_refused_with_advice() {
    let bench = Bench::new();
    let check = |arguments: &str| bench.run(&format!("check {arguments}")).exits_with(2);
    check("--simulate floppy").complains(&[
        "@checkup-target-no-model",
        "'floppy'",
        "sandisk-ultra-64",
        "fake-card",
    ]);
    check("--simulate sandisk-ultra-64 --suite slow").complains(&[
        "@suite-unknown",
        "'slow'",
        "quick",
        "article",
    ]);
    check("--simulate sandisk-ultra-64 --max-time never").complains(&["never", "@errors-value-time"]);
    check("--simulate sandisk-ultra-64 .").complains(&["@errors-cli-conflict"]);
    check("--simulate sandisk-ultra-64 --export-json no/such/out.json").complains(&["no/such"]);
    assert!(bench.entries().is_empty() && bench.saved().is_empty());
}

#[test]
fn a_bad_model_file_is_refused_with_its_field() {
    let bench = Bench::new();
    let good = model_text("sandisk-ultra-64");
    let unknown = format!("{good}\n[paint]\ncolor = \"red\"\n");
    let cases = [
        ("channels = 1", "channels = 0", "channels: "),
        ("command_ns = 60_000", "command_ns = -1", "column"),
        ("share = 0.3166", "share = 0.9", "read.pages: "),
        ("capacity_bytes = ", "capacity_bites = ", "capacity_bites"),
        ("[mapping]", "[mapping", "column"),
    ];
    for (old, new, message) in cases {
        assert!(good.contains(old), "{old}");
        bench.file("my.toml", &good.replacen(old, new, 1));
        bench.run("check --simulate my.toml").exits_with(2).complains(&["my.toml", message]);
    }
    bench.file("my.toml", &unknown);
    bench.run("check --simulate my.toml").exits_with(2).complains(&["my.toml", "paint"]);
    bench.file("my.toml", &good.replacen("sandisk-ultra-64", "mine", 1));
    bench.run("check --simulate my.toml --max-time 3s").exits_with(0);
    assert_eq!(bench.entries(), ["my.toml"]);
}

#[test]
fn the_json_follows_the_schema() {
    let schema = include_str!("../../docs/report.schema.json");
    let validator = jsonschema::validator_for(&serde_json::from_str(schema).unwrap()).unwrap();
    let bench = Bench::new();
    let faults = "\n[[faults]]\nkind = \"eio\"\non = \"read\"\nnth = 100\n";
    bench.file("failing.toml", &format!("{}{faults}", model_text("sandisk-ultra-64")));
    let cases = [
        ("sandisk-ultra-64", 0, ReportState::Finished),
        ("kioxia-sata-960 --suite article", 0, ReportState::Finished),
        ("bad-card --suite article --max-time 20s", 0, ReportState::Interrupted),
        ("failing.toml", 3, ReportState::Failed),
    ];
    for (arguments, code, state) in cases {
        let outcome = bench.run(&format!("check --json --simulate {arguments}")).exits_with(code);
        assert_eq!(outcome.report().state, state, "{arguments}");
        let json: serde_json::Value = serde_json::from_str(&outcome.stdout).unwrap();
        let errors: Vec<_> = validator.iter_errors(&json).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{arguments}: {errors:?}");
        let mut wrong = json;
        wrong["steps"][0]["outcome"] = "well".into();
        assert!(!validator.is_valid(&wrong), "the schema looks at steps");
    }
}

#[test]
fn text_and_json_do_not_mix() {
    let outcome = simulate("sandisk-ultra-64", "").exits_with(0);
    assert!(outcome.stdout.starts_with('{') && outcome.stdout.ends_with("}\n"));
    outcome.complains(&["SanDisk Ultra", "@step-random-read", "os"]);
    let lines = outcome.stderr.lines().chain(outcome.stdout.lines());
    assert!(lines.clone().count() > 100 && !outcome.stderr.contains('\x1b'));
}
