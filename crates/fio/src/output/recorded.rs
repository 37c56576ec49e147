//! Compares the outputs of fio and this crate for the same run.
//!
//! fio's `json+` has all figures of its other outputs, including histogram counts. So a recorded fio output is parsed
//! into a [`FioRun`], rewritten in all three forms and compared with fio's, line by line. The recordings in
//! `tests/golden/fio` are of fio 3.33; what 3.39 adds is excluded by name.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use cardiograph_core::display::{JobDisplay, Unified};
use cardiograph_core::histogram::{LatencyHistogram, LatencyParts, bucket_low_ns, bucket_of};
use cardiograph_core::result::{DepthCounts, SteadyOutcome};
use cardiograph_core::workload::SteadyMetric;
use cardiograph_core::{Direction, Latency, NS_PER_S, PerDirection, workload};
use serde_json::Value;

use super::distributions::{BATCHES, CLASSES_BELOW_MS, CLASSES_MS, DEPTHS};
use super::json::{Bins, json};
use super::normal::normal;
use super::run::{
    CpuFigures, DirectionFigures, DiskEntry, DiskFigures, ErrorTally, FioRun, JobEntry, JobError,
    LatencyTarget, Samples, SteadyState, Style,
};
use super::shown::Way;
use super::terse::{TerseVersion, terse};

mod compare;

use compare::compare;

/// fio's three outputs of a run.
struct Recording<'a> {
    terse: Vec<&'a str>,
    json: String,
    normal: Vec<&'a str>,
}

impl<'a> Recording<'a> {
    fn parse(output: &'a str) -> Self {
        let lines: Vec<&str> = output.lines().collect();
        let begin = lines.iter().position(|line| *line == "{").expect("JSON begins");
        let end = lines.iter().position(|line| *line == "}").expect("JSON ends");
        let is_terse = |line: &&str| line.starts_with(|c: char| c == ';' || c.is_ascii_digit());
        let normal = lines[end + 1..].iter().copied().filter(|line| !line.starts_with("exit "));
        Self {
            terse: lines[..begin].iter().copied().filter(is_terse).collect(),
            json: lines[begin..=end].join("\n"),
            normal: normal.collect(),
        }
    }

    fn run(&self) -> FioRun {
        let all: Value = serde_json::from_str(&self.json).expect("fio's JSON is valid here");
        let headers = self.normal.iter().filter(|line| line.contains(": (groupid="));
        let jobs = list(&all, "jobs").iter().zip(headers);
        FioRun {
            version: text(&all, "fio version"),
            timestamp_unix_ms: whole(&all, "timestamp_ms"),
            time_text: text(&all, "time"),
            global_options: self.options("  \"global options\" : {").into_iter().flatten().collect(),
            jobs: jobs
                .enumerate()
                .map(|(index, (value, header))| self.job(&all, index, value, header))
                .collect(),
            disks: list(&all, "disk_util").iter().map(disk).collect(),
            ..FioRun::default()
        }
    }

    /// Options in the order of the text, which the parsed form loses.
    fn options(&self, head: &str) -> Vec<Vec<(String, String)>> {
        let mut found = Vec::new();
        let mut lines = self.json.lines();
        while lines.any(|line| line == head) {
            let pairs = lines.by_ref().map_while(|line| {
                let pair = format!("{{{}}}", line.trim().trim_end_matches(','));
                let Value::Object(pair) = serde_json::from_str(&pair).ok()? else { return None };
                pair.into_iter()
                    .next()
                    .map(|(name, value)| (name, value.as_str().unwrap_or_default().to_string()))
            });
            found.push(pairs.collect());
        }
        found
    }

    fn job(&self, all: &Value, index: usize, value: &Value, header: &str) -> JobEntry {
        let options = self.options("      \"job options\" : {").swap_remove(index);
        let option = |name: &str| {
            let own = options.iter().rev().find(|(option, _)| option == name).map(|(_, value)| value.clone());
            own.or_else(|| all["global options"][name].as_str().map(str::to_string))
        };
        let between = |text: &str, before: &str, after: &str| -> Option<String> {
            let (_, rest) = text.split_once(before)?;
            rest.split_once(after).map(|(inside, _)| inside.to_string())
        };
        let error = between(header, " (file:", "): pid=")
            .map(|text| JobError { errno: whole(value, "error") as i32, text: format!("file:{text}") });
        let tally = value.get("total_err").map(|total| {
            let line =
                self.normal.iter().find(|line| line.contains("first_error=")).expect("it is in the text");
            let first_text = between(line, "/<", ">").expect("it has a text");
            let first_errno = whole(value, "first_error") as i32;
            ErrorTally { total: total.as_u64().unwrap(), first_errno, first_text }
        });
        let runtime_ms = whole(value, "job_runtime");
        let part = |name| (float(value, name) * runtime_ms as f64 / 100.0).round() as u64;
        let mixed = value.get("mixed").map(direction);
        // If only the sum is shown, it is treated as reads.
        let directions = match (&mixed, value.get("read")) {
            (Some(mixed), None) => PerDirection { read: mixed.clone(), ..Default::default() },
            _ => PerDirection {
                read: direction(&value["read"]),
                write: direction(&value["write"]),
                trim: direction(&value["trim"]),
                sync: DirectionFigures {
                    ios: whole(&value["sync"], "total_ios"),
                    completion: latency(&value["sync"]["lat_ns"]),
                    ..Default::default()
                },
            },
        };
        let data_ios = directions.read.ios + directions.write.ios + directions.trim.ios;
        JobEntry {
            name: text(value, "jobname"),
            group: whole(value, "groupid") as u32,
            jobs: between(header, "jobs=", ")").unwrap().parse().unwrap(),
            error,
            tolerated_errors: tally,
            pid: between(header, ": pid=", ":").unwrap().parse().unwrap(),
            elapsed_s: whole(value, "elapsed"),
            eta_s: Some(whole(value, "eta")).filter(|&eta| eta != i32::MAX as u64),
            directions,
            mixed,
            cpu: CpuFigures {
                run_ms: runtime_ms,
                user_ms: part("usr_cpu"),
                system_ms: part("sys_cpu"),
                context_switches: whole(value, "ctx"),
                major_faults: whole(value, "majf"),
                minor_faults: whole(value, "minf"),
            },
            depths: DepthCounts {
                in_flight: counts(&value["iodepth_level"], &DEPTHS, data_ios),
                submitted: counts(&value["iodepth_submit"], &BATCHES, 100_000_000),
                completed: counts(&value["iodepth_complete"], &BATCHES, 100_000_000),
            },
            latency_target: LatencyTarget {
                depth: whole(value, "latency_depth") as u32,
                target_ns: whole(value, "latency_target"),
                window_us: whole(value, "latency_window"),
                percentile: float(value, "latency_percentile"),
            },
            steady_state: value.get("steadystate").map(steady_state),
            style: style(
                option,
                value.get("desc").map(|description| description.as_str().unwrap().to_string()),
            ),
            options,
            ..JobEntry::default()
        }
    }
}

fn list<'a>(value: &'a Value, name: &str) -> &'a [Value] {
    value[name].as_array().map_or(&[], Vec::as_slice)
}

fn text(value: &Value, name: &str) -> String {
    value[name].as_str().unwrap_or_else(|| panic!("no text {name}")).to_string()
}

fn whole(value: &Value, name: &str) -> u64 {
    value[name].as_u64().unwrap_or_else(|| panic!("no number {name}"))
}

fn float(value: &Value, name: &str) -> f64 {
    value[name].as_f64().unwrap_or_else(|| panic!("no number {name}"))
}

fn counts(value: &Value, labels: &[&str; 7], total: u64) -> [u64; 7] {
    labels.map(|label| (float(value, label) * total as f64 / 100.0).round() as u64)
}

fn direction(value: &Value) -> DirectionFigures {
    let samples = |n, min, max, mean, deviation| {
        let (n, deviation) = (whole(value, n), float(value, deviation));
        let squares = deviation * deviation * n.saturating_sub(1) as f64;
        Samples { n, min: whole(value, min), max: whole(value, max), mean: float(value, mean), squares }
    };
    DirectionFigures {
        ios: whole(value, "total_ios"),
        bytes: whole(value, "io_bytes"),
        runtime_ms: whole(value, "runtime"),
        short_ios: whole(value, "short_ios"),
        dropped_ios: whole(value, "drop_ios"),
        submission: latency(&value["slat_ns"]),
        completion: latency(&value["clat_ns"]),
        total: latency(&value["lat_ns"]),
        bandwidth: samples("bw_samples", "bw_min", "bw_max", "bw_mean", "bw_dev"),
        iops: samples("iops_samples", "iops_min", "iops_max", "iops_mean", "iops_stddev"),
    }
}

/// A latency from its bins, or else with all values at the mean, which serves all but percentiles and classes.
fn latency(value: &Value) -> Latency {
    let (n, mean, deviation) = (whole(value, "N"), float(value, "mean"), float(value, "stddev"));
    let mut histogram = LatencyHistogram::default();
    match value["bins"].as_object() {
        Some(bins) => bins.iter().for_each(|(middle, count)| {
            histogram.add(bucket_of(middle.parse().unwrap()), count.as_u64().unwrap());
        }),
        None if n > 0 => histogram.add(bucket_of(mean as u64), n),
        None => {}
    }
    assert_eq!(histogram.len(), n, "fio counted all that it recorded");
    let sum = (mean * n as f64).round();
    let squares = deviation * deviation * n.saturating_sub(1) as f64 + sum * sum / n.max(1) as f64;
    let parts = LatencyParts {
        min_ns: whole(value, "min"),
        max_ns: whole(value, "max"),
        sum_ns: sum as u128,
        sum_squares_ns2: squares.round() as u128,
    };
    Latency::from_parts(histogram, parts)
}

fn disk(value: &Value) -> DiskEntry {
    let figures = DiskFigures {
        read_ios: whole(value, "read_ios"),
        write_ios: whole(value, "write_ios"),
        read_merges: whole(value, "read_merges"),
        write_merges: whole(value, "write_merges"),
        read_ms: whole(value, "read_ticks"),
        write_ms: whole(value, "write_ticks"),
        queue_ms: whole(value, "in_queue"),
        util_percent: float(value, "util"),
        ..DiskFigures::default()
    };
    DiskEntry { name: text(value, "name"), figures, members: Vec::new() }
}

fn steady_state(value: &Value) -> SteadyState {
    let (name, limit) = value["ss"].as_str().unwrap().split_once(':').unwrap();
    let number = |text: &str| text.trim_end_matches('%').parse().unwrap();
    let numbers = |name| list(&value["data"], name).iter().map(|item| item.as_u64().unwrap()).collect();
    let wanted = workload::SteadyState {
        metric: if name.starts_with("iops") { SteadyMetric::Iops } else { SteadyMetric::Bandwidth },
        by_slope: name.ends_with("_slope"),
        limit: number(limit),
        limit_is_percent: limit.ends_with('%'),
        window_ns: whole(value, "duration") * NS_PER_S,
        ramp_ns: 0,
        interval_ns: NS_PER_S,
    };
    let outcome = SteadyOutcome {
        attained: whole(value, "attained") == 1,
        criterion: number(value["criterion"].as_str().unwrap()),
        slope: float(value, "slope"),
        iops: numbers("iops"),
        bandwidth_bytes_per_s: numbers("bw"),
        ..SteadyOutcome::default()
    };
    SteadyState { wanted, outcome }
}

fn style(option: impl Fn(&str) -> Option<String>, description: Option<String>) -> Style {
    let number = |name, default| option(name).map_or(default, |value| value.parse().unwrap());
    let mut display = JobDisplay::default();
    if let Some(percentiles) = option("percentile_list") {
        display.percentiles = percentiles.split(':').map(|text| text.parse().unwrap()).collect();
    }
    let is_off = number("gtod_reduce", 0) + number("disable_clat", 0) > 0;
    Style(JobDisplay {
        description,
        slat_percentiles: number("slat_percentiles", 0) > 0,
        clat_percentiles: number("clat_percentiles", 1) > 0 && !is_off,
        lat_percentiles: number("lat_percentiles", 0) > 0,
        kb_base: number("kb_base", 1_024),
        unit_base: u32::from(number("unit_base", 8) == 1),
        unified: match option("unified_rw_reporting").as_deref() {
            Some("mixed") => Unified::Mixed,
            Some("both") => Unified::Both,
            _ => Unified::No,
        },
        significant_figures: number("significant_figures", 4) as u32,
        ..display
    })
}

#[test]
fn recordings_are_reproduced_as_fio_wrote_them() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/fio");
    let mut files: Vec<PathBuf> =
        fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "txt"));
    files.sort();
    assert!(files.len() >= 20, "the recordings are there");
    for path in files {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        compare(&name, &fs::read_to_string(&path).unwrap());
    }
}

/// The same with the installed fio, for jobs that are not recorded.
#[test]
fn fio_itself_is_written_again() {
    let version = Command::new("fio").arg("--version").output();
    let version = version.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_string());
    if version.as_deref().unwrap_or_default() != "fio-3.33" {
        cardiograph_testing::skip("fio's own output", "needs fio 3.33");
        return;
    }
    let directory = cardiograph_testing::disk_dir();
    let data = directory.path().join("data");
    // Numbers of I/Os whose 30 and 60 % are not integers, where x86's extended precision rounds up.
    for (name, arguments) in [
        ("psync", "--rw=randread --bs=4k --size=1M"),
        ("sync every third", "--rw=write --bs=4k --size=1M --fdatasync=3 --terse-version=5"),
        ("libaio", "--rw=randrw --rwmixread=70 --bs=4k --size=2M --ioengine=libaio --direct=1 --iodepth=16"),
        (
            "clones",
            "--rw=read --bs=16k --size=2M --numjobs=3 --group_reporting --description=three --terse-version=4",
        ),
        ("mixed", "--rw=randrw --bs=4k --size=1M --unified_rw_reporting=mixed --terse-version=4"),
        ("trims", "--rw=trim --ioengine=null --bs=4k --size=1M --percentile_list=25:50:99.9"),
    ] {
        let output = Command::new("fio")
            .args(["--name=live", "--output-format=normal,terse,json+", "--eta=never"])
            .arg(format!("--filename={}", data.display()))
            .args(arguments.split(' '))
            .output()
            .unwrap();
        assert!(output.status.success(), "{name}");
        compare(name, &String::from_utf8(output.stdout).unwrap());
    }
}
