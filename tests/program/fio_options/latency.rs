//! Requested latencies: targets for which a depth is found, and limits.

use serde_json::Value;

use super::ask::{READ_NS, job, line, number, refuses, simulated, text};
use crate::common::Bench;

/// Reads on the plain drive, which does eight at a time in 100 µs each; with more in flight, some wait as long again.
const READS: &str = "--rw=randread --bs=4k --size=4M --time_based --runtime=60 --iodepth=64";

#[test]
fn fio_option_latency_target() {
    let bench = Bench::new();
    for (target, depth, ios) in [("120", 8, 800), ("220us", 16, 800), ("1ms", 64, 800), ("101", 8, 800)] {
        let job = job(&bench, &format!("{READS} --latency_target={target} --latency_window=10ms"));
        assert_eq!(number(&job["latency_depth"]), depth, "{target}");
        // Only the last window counts, and ends the job.
        let read = &job["read"];
        assert!((ios..ios + 2 * depth).contains(&number(&read["total_ios"])), "{}", read["total_ios"]);
        assert!((10..=11).contains(&number(&read["runtime"])), "{}", read["runtime"]);
        assert!(number(&read["lat_ns"]["max"]) <= number(&job["latency_target"]), "{target}");
        assert_eq!((number(&job["latency_window"]), number(&job["error"])), (10_000, 0));
    }
    let text = text(&bench, &format!("{READS} --latency_target=120 --latency_window=10ms"));
    let expected = "latency   : target=120000, window=10000, percentile=100.00%, depth=8";
    assert_eq!(line(&text, "latency   :"), expected);
    // A target below the time of one read is impossible: as in fio the first read ends the job.
    let line = format!("--output-format=json {READS} --latency_target=50 --latency_window=10ms");
    let outcome = simulated(&bench, &line).exits_with(1);
    outcome.complains(&["latency of 100000 nsec exceeds specified max (50000 nsec)"]);
    let json: Value = serde_json::from_str(&outcome.stdout).unwrap();
    assert_eq!((number(&json["jobs"][0]["error"]), number(&json["jobs"][0]["latency_depth"])), (110, 1));
}

#[test]
fn fio_option_latency_window() {
    let bench = Bench::new();
    for (window, runtime_ms) in [("10000", 10), ("50ms", 50)] {
        let line = format!("{READS} --latency_target=120 --latency_window={window}");
        let runtime = number(&job(&bench, &line)["read"]["runtime"]);
        assert!((runtime_ms..=runtime_ms + 1).contains(&runtime), "{window}: {runtime}");
    }
    // Without a window, each I/O is one.
    let job = job(&bench, &format!("{READS} --latency_target=120"));
    assert!(number(&job["read"]["runtime"]) <= 1, "{}", job["read"]["runtime"]);
    let outcome = simulated(&bench, "--rw=read --bs=4k --size=4k --latency_window=10ms").exits_with(0);
    outcome.notes(&["latency_window", "@jobs-remark.needs-latency-target"]);
}

#[test]
fn fio_option_latency_percentile() {
    let bench = Bench::new();
    let depth = |percentile: &str| {
        let line =
            format!("{READS} --latency_target=120 --latency_window=10ms --latency_percentile={percentile}");
        let job = job(&bench, &line);
        (number(&job["latency_depth"]), number(&job["error"]))
    };
    // The more may be slow, the more may be in flight; at a depth of 16 all are slow.
    assert_eq!(depth("100"), (8, 0));
    let (half, error) = depth("50");
    assert!(half > 8 && half < 16 && error == 0, "{half}");
    assert!(depth("20").0 >= half);
    assert_eq!(depth("0"), (64, 0));
    // With a percentile the job continues even if too many are slow, as in fio, and notes it.
    let line = "--rw=read --bs=4k --size=1M --iodepth=8 --latency_target=50 --latency_percentile=99";
    let outcome = simulated(&bench, &format!("--output-format=json {line}")).exits_with(0);
    outcome.notes(&["@fio-note.no-depth"]);
    let json: Value = serde_json::from_str(&outcome.stdout).unwrap();
    assert_eq!(number(&json["jobs"][0]["latency_depth"]), 1);
    assert_eq!(number(&json["jobs"][0]["read"]["total_ios"]), 256);
    refuses(&format!("{READS} --latency_target=120 --latency_percentile=101"), &["latency_percentile=101"]);
}

#[test]
fn fio_option_latency_run() {
    let bench = Bench::new();
    let line = "--rw=randread --bs=4k --size=4M --time_based --runtime=1 --iodepth=64 --latency_target=120";
    let job = job(&bench, &format!("{line} --latency_window=10ms --latency_percentile=99 --latency_run=1"));
    // It stays close to the depth found until its time is over, and all of it counts.
    assert!((8..=9).contains(&number(&job["latency_depth"])), "{}", job["latency_depth"]);
    assert!((1_000..=1_001).contains(&number(&job["read"]["runtime"])), "{}", job["read"]["runtime"]);
    assert!(number(&job["read"]["total_ios"]) > 70_000, "{}", job["read"]["total_ios"]);
}

#[test]
fn fio_option_max_latency() {
    let bench = Bench::new();
    let ended = |options: &str| {
        let line = format!("--output-format=json --rw=randrw --bs=4k --size=4M --number_ios=100 {options}");
        let outcome = simulated(&bench, &line);
        let json: Value = serde_json::from_str(&outcome.stdout).unwrap();
        let job = &json["jobs"][0];
        let ios = number(&job["read"]["total_ios"]) + number(&job["write"]["total_ios"]);
        assert_eq!(outcome.status.code(), Some(i32::from(job["error"] != 0)));
        (number(&job["error"]), ios, outcome)
    };
    // A read takes 100 us, a write 200 us.
    for (options, ended_early) in [
        ("--max_latency=200", false),
        ("--max_latency=100us,200us", false),
        ("--max_latency=0,200", false),
        ("--max_latency=199", true),
        ("--max_latency=99,200", true),
        ("--max_latency=1ms,199", true),
        ("--iodepth=16 --max_latency=250", true),
    ] {
        let (error, ios, outcome) = ended(options);
        assert_eq!((error == 110, ios < 100), (ended_early, ended_early), "{options}: {error} {ios}");
        if ended_early {
            outcome.complains(&["latency of ", "nsec exceeds specified max", "Connection timed out"]);
        }
    }
    let (_, ios, outcome) = ended("--max_latency=50");
    outcome.complains(&[&format!("latency of {READ_NS} nsec exceeds specified max (50000 nsec)")]);
    assert_eq!(ios, 1, "the first is recorded, and the last");
}
