use std::collections::BTreeMap;

use cardiograph_core::Report;
use cardiograph_core::histogram::bucket_of;
use cardiograph_core::imported::Figure;
use cardiograph_core::method::{Durability, Method, Pattern};
use cardiograph_jobs::method as jobs_method;

use super::super::super::{detect, reports};
use super::super::normal;
use super::*;

const SAME_RUN: &str = include_str!("../../fixtures/fio/3.33-same-run.json");
const SAME_RUN_NORMAL: &str = include_str!("../../fixtures/fio/3.33-same-run.txt");
const STREAM: &str = include_str!("../../fixtures/fio/3.33-stream.json");
/// Both outputs of a run of 3.42, as fio writes them to one file.
const BOTH: &str = include_str!("../../fixtures/fio/3.42-json-and-normal.txt");
const OLD: &str = include_str!("../../fixtures/fio/2.2-form.json");

const NAMED: Named = Named { place: "x" };

fn imported(text: &str) -> Vec<Report> {
    let named = Named { place: "out.json" };
    assert_eq!(detect(text.as_bytes(), &named).unwrap().name, "fio-json");
    let tests = IMPORTER.read(&mut text.as_bytes(), &named).unwrap_or_else(|problems| panic!("{problems}"));
    reports(tests, IMPORTER.name, &named, "cardiograph")
}

fn figures(report: &Report, step: usize) -> BTreeMap<String, &Figure> {
    let figures = &report.steps[step].imported.as_ref().unwrap().figures;
    let name =
        |figure: &Figure| format!("{} {}", figure.direction.map_or("all", Direction::name), figure.quantity);
    figures.iter().map(|figure| (name(figure), figure)).collect()
}

#[test]
fn both_outputs_of_a_run_agree() {
    let json = &imported(SAME_RUN)[0];
    let named = Named { place: "out.txt" };
    let tests = normal::IMPORTER.read(&mut SAME_RUN_NORMAL.as_bytes(), &named).unwrap();
    let text = &reports(tests, normal::IMPORTER.name, &named, "cardiograph")[0];
    let (json_figures, text_figures) = (figures(json, 0), figures(text, 0));
    let names = |figures: &BTreeMap<String, &Figure>| figures.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&json_figures), names(&text_figures));
    assert!(json_figures.len() > 100);
    for (name, exact) in &json_figures {
        let (exact, rounded) = (exact.estimate, text_figures[name].estimate);
        // The text has three digits or more, and percentiles in whole microseconds.
        let off = (exact.value - rounded.value).abs();
        assert!(off <= exact.value.abs() * 0.007 + 1_000.0, "{name}: {} and {}", exact.value, rounded.value);
        if name.contains("completion") {
            assert_eq!(exact.n, rounded.n, "{name}");
        }
    }
    // Options missing from the text output.
    let (of_json, of_text) = (jobs_method::from_step(&json.steps[0]), jobs_method::from_step(&text.steps[0]));
    assert_eq!((of_json.durability, of_text.durability), (Some(Durability::NowAndThen), None));
    let known = |method: &Method| (method.pattern, method.block_bytes, method.depth, method.jobs);
    assert_eq!(known(&of_json), known(&of_text));
    assert_eq!(json.started_unix_ms.abs_diff(text.started_unix_ms) / 1_000, 0);
}

#[test]
fn one_file_with_both_outputs_is_read_once() {
    let json = &imported(BOTH)[0];
    assert_eq!((json.steps.len(), json.source.as_ref().unwrap().program.as_str()), (1, "fio 3.42-6-g219f"));
    let tests = normal::IMPORTER.read(&mut BOTH.as_bytes(), &Named { place: "out.txt" }).unwrap();
    let text = &reports(tests, normal::IMPORTER.name, &NAMED, "cardiograph")[0];
    let (json, text) = (figures(json, 0), figures(text, 0));
    for name in [
        "write iops",
        "write bandwidth",
        "write latency_mean",
        "write completion_p99.9",
        "write submission_max",
    ] {
        let (exact, rounded) = (json[name].estimate.value, text[name].estimate.value);
        assert!((exact - rounded).abs() < exact * 0.01, "{name}: {exact} and {rounded}");
    }
    assert_eq!(json["write completion_p50"].estimate.value, 2_768_896.0);
}

#[test]
fn distributions_are_whole() {
    let report = &imported(SAME_RUN)[0];
    let results = report.steps[0].imported.as_ref().unwrap();
    assert_eq!(results.others["read_distribution"], "whole");
    let all = figures(report, 0);
    for direction in [Direction::Read, Direction::Write, Direction::Sync] {
        let latency = results.latency[direction].as_ref().unwrap();
        let figure = |name: &str| all[&format!("{} latency_{name}", direction.name())].estimate;
        assert_eq!(latency.n(), figure("mean").n);
        assert!((latency.mean_ns() - figure("mean").value).abs() < 1.0);
        assert!((latency.stdev_ns() - figure("stdev").value).abs() < 1.0);
        for percent in [1.0, 50.0, 99.0, 99.9] {
            // fio reports the middle of a bucket, which may exceed the maximum.
            let own = latency.percentile_ns(percent).unwrap();
            let value = figure(&format!("p{percent}")).value as u64;
            assert_eq!(
                bucket_of(own),
                bucket_of(value.clamp(latency.min_ns(), latency.max_ns())),
                "{percent}"
            );
        }
    }
    assert!(results.latency.trim.is_none());
}

#[test]
fn inconsistent_counts_give_no_distribution() {
    let most = u64::MAX;
    let distribution = |min: f64, max: f64, mean: f64, bins: &str| {
        let text = format!(
            "{{\"min\": {min}, \"max\": {max}, \"mean\": {mean}, \"stddev\": 1, \"bins\": {{{bins}}}}}"
        );
        serde_json::from_str::<document::Times>(&text).unwrap().latency()
    };
    assert_eq!(distribution(5.0, 6.0, 5.125, "\"5\": 7, \"6\": 1").unwrap().n(), 8);
    let table = [
        (5.0, 5.0, 5.0, format!("\"5\": {most}")),
        // In one bucket under two names, and in two.
        (5.0, 5.0, 5.0, format!("\"5\": {most}, \"05\": 1")),
        (5.0, 6.0, 5.0, format!("\"5\": {most}, \"6\": 1")),
        // Min, max and mean that do not fit.
        (4.0, 6.0, 5.125, "\"5\": 7, \"6\": 1".to_string()),
        (5.0, 53850.0, 5.125, "\"5\": 7, \"6\": 1".to_string()),
        (5.0, 6.0, 4.0, "\"5\": 7, \"6\": 1".to_string()),
        (5.0, 6.0, 7.0, "\"5\": 7, \"6\": 1".to_string()),
    ];
    for (min, max, mean, bins) in table {
        assert_eq!(distribution(min, max, mean, &bins), None, "{min} to {max}, mean {mean}: {bins}");
    }
}

#[test]
fn a_stream_is_one_test_with_its_windows() {
    let report = &imported(STREAM)[0];
    let [step] = &report.steps[..] else { panic!("{} steps", report.steps.len()) };
    let results = step.imported.as_ref().unwrap();
    let series = results.series.as_ref().unwrap();
    assert_eq!((series.window_ns, series.rows.read.len()), (1_000_000_000, 4));
    let all = figures(report, 0);
    let bytes: u64 = series.rows.write.iter().map(|row| row.bytes).sum();
    assert_eq!(bytes as f64, all["write bytes"].estimate.value);
    // Its rate was limited to 1,000 IOPS.
    assert!(series.iops(Direction::Read).iter().all(|iops| (iops - 1_000.0).abs() < 30.0));
    assert_eq!(report.started_unix_ms / 1_000, 1_795_386_420);
    // Two runs of the same job are two checkups.
    let last = STREAM.rfind("\n{\n").unwrap() + 1;
    let twice = format!(
        "{STREAM}{}",
        STREAM[last..].replace("179538642", "179538699").replace("179538643", "179538699")
    );
    let ids: Vec<String> = imported(&twice).iter().map(|report| report.steps[0].step.id.clone()).collect();
    assert_eq!(ids, ["s", "s"]);
}

#[test]
fn version_2_has_other_units() {
    let report = &imported(OLD)[0];
    let all = figures(report, 0);
    let value = |name: &str| all[name].estimate.value;
    assert_eq!(value("write bandwidth"), 163_092.0 * 1_024.0);
    assert_eq!(value("write bytes"), 3.0 * 1_073_741_824.0);
    assert_eq!(value("write completion_mean"), 23_890.0);
    assert_eq!(value("write completion_p99"), 31_000.0);
    assert_eq!(value("write window_bandwidth_min"), 155_640.0 * 1_024.0);
    assert!(!all.contains_key("write submission_mean") && !all.contains_key("read iops"));
    let method = jobs_method::from_step(&report.steps[0]);
    assert_eq!((method.pattern, method.block_bytes), (Some(Pattern::RandomWrite), Some(4_096)));
    assert_eq!(method.tool_version.as_deref(), Some("2.2.10"));
    let leaves: Vec<&str> = report.drive.leaves.iter().map(|leaf| leaf.name.as_str()).collect();
    assert_eq!(leaves, ["sda", "sdb"]);
}

#[test]
fn truncated_documents_are_read_as_far_as_they_go() {
    for (text, least) in [(SAME_RUN, 50), (STREAM, 90), (OLD, 15)] {
        let figures = |tests: Vec<ImportedTest>| {
            tests.into_iter().flat_map(|test| test.imported.figures).collect::<Vec<_>>()
        };
        let mut read = 0;
        let whole = figures(IMPORTER.read(&mut text.as_bytes(), &NAMED).unwrap());
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        for count in (0..lines.len()).step_by(1 + lines.len() / 200) {
            let part = lines[..count].concat();
            match IMPORTER.read(&mut part.as_bytes(), &Named { place: "x" }) {
                Ok(tests) => {
                    let is_noted = tests[0].notes.iter().any(|note| note.id() == "import-text.cut-off");
                    // Between the documents of a stream, nothing is missing.
                    assert!(lines[count - 1] == "}\n" || is_noted, "line {count}");
                    let found = figures(tests);
                    assert!(
                        !found.is_empty()
                            && (text == STREAM || found.iter().all(|figure| whole.contains(figure))),
                        "line {count}"
                    );
                    read += 100;
                }
                Err(problems) => assert!(!problems.problems.is_empty()),
            }
        }
        let tried = lines.len().div_ceil(1 + lines.len() / 200);
        assert!(read / tried >= least, "{} % of {tried}", read / tried);
    }
}

#[test]
fn negative_window_figures_are_refused() {
    for name in ["bw_min", "bw_dev", "iops_min", "iops_max", "iops_stddev"] {
        let (before, behind) = SAME_RUN.split_once(&format!("\"{name}\" : ")).unwrap();
        let problems =
            IMPORTER.read(&mut format!("{before}\"{name}\" : -{behind}").as_bytes(), &NAMED).unwrap_err();
        let problems = problems.to_string();
        assert!(
            problems
                .starts_with("line 1: import-figure.negative(figure=figure.of(direction=direction.read, "),
            "{problems}"
        );
    }
}

#[test]
fn errors_name_their_line() {
    let read =
        |text: &str| IMPORTER.read(&mut text.as_bytes(), &Named { place: "x" }).unwrap_err().to_string();
    for (from, to, expected) in [
        (
            "\"bw\" : 163092",
            "\"bw\" : 163",
            "line 2: import-figure.not-rate(expected=BytesPerS(Real(167006712.5673994)), \
             figure=figure.of(direction=direction.write, figure=figure.bandwidth), \
             found=BytesPerS(Real(166912.0)), runtime=DurationNs(19288000000))",
        ),
        (
            "\"iops\" : 40773.12",
            "\"iops\" : -1.0",
            "line 2: import-figure.negative(figure=figure.of(direction=direction.write, figure=figure.iops))",
        ),
        (
            "\"iops\" : 40773.12",
            "\"iops\" : \"many\"",
            "line 61, column 23: import-fio.not-json(reason=invalid type: string \"many\", expected f64)",
        ),
        (
            "\"min\" : 21",
            "\"min\" : 2100000",
            "line 2: import-figure.shorter(figure=figure.of(direction=direction.write, figure=figure.completion(statistic=statistic.mean)), \
             other=figure.of(direction=direction.write, figure=figure.completion(statistic=statistic.min)))",
        ),
        (
            "\"99.000000\" : 31",
            "\"199.000000\" : 31",
            "line 2: import-at.part(part=test, problem=import-at.part(part=direction.write, problem=import-value.not-a-percentile(text=199.000000)))",
        ),
        (
            "\"jobname\" : \"test\"",
            "\"other\" : \"test\"",
            "line 108, column 5: import-fio.not-json(reason=missing field `jobname`)",
        ),
        (
            "\"runtime\" : 19288",
            "\"runtime\" : 1e300",
            "line 62, column 25: import-fio.not-json(reason=invalid type: floating point `1e+300`, expected u64)",
        ),
    ] {
        let broken = OLD.replacen(from, to, 1);
        assert_ne!(broken, OLD);
        assert_eq!(read(&broken), expected);
    }
    let deep = format!("{{\"fio version\": {}", "[".repeat(100_000));
    assert!(read(&deep).contains("import-fio.not-json("));
}
