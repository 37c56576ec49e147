//! Limits of speed.

use serde_json::Value;

use super::ask::{READ_NS, WRITE_NS, job, number, refuses, simulated};
use crate::common::Bench;
use crate::common::fio::LogLine;

/// Each I/O with the millisecond in which it began: an I/O of the plain drive takes less than one.
fn begun_ms(ios: &[LogLine], direction: u64) -> Vec<u64> {
    ios.iter().filter(|io| io.direction == direction).map(|io| io.at_ms).collect()
}

/// `count` moments at even distances.
fn every_ms(distance_ms: u64, count: u64) -> Vec<u64> {
    (0..count).map(|index| index * distance_ms).collect()
}

#[test]
fn fio_option_rate() {
    let bench = Bench::new();
    // A hundred blocks of 4 KiB a second.
    let ios = bench.ios("--rw=read --bs=4k --size=80k --rate=400k");
    assert_eq!(begun_ms(&ios, 0), every_ms(10, 20));
    assert!(ios.iter().all(|io| io.value == READ_NS), "waiting is not latency");
    // It counts bytes, not I/Os.
    assert_eq!(begun_ms(&bench.ios("--rw=read --bs=8k --size=160k --rate=400k"), 0), every_ms(20, 20));
    // A limit for each direction; a single one holds for both.
    for (rate, read_ms, write_ms) in [("400k,800k", 10, 5), ("400k", 10, 10)] {
        let ios = bench.ios(&format!("--rw=randrw --bs=4k --size=1M --number_ios=40 --rate={rate}"));
        for (direction, distance_ms) in [(0, read_ms), (1, write_ms)] {
            let begun = begun_ms(&ios, direction);
            assert!(begun.len() > 10);
            assert_eq!(begun, every_ms(distance_ms, begun.len() as u64), "{rate}, direction {direction}");
        }
    }
    // A direction that has none is not held back.
    for (rate, limited, free, free_ios) in
        [(",400k", "write", "read", 19_000), ("400k,", "read", "write", 9_500)]
    {
        let line = format!("--rw=randrw --bs=4k --size=4M --time_based --runtime=2 --rate={rate}");
        let job = job(&bench, &line);
        assert_eq!(job[limited]["total_ios"], 200, "{rate}");
        assert!(number(&job[free]["total_ios"]) > free_ios, "{rate}: {}", job[free]["total_ios"]);
    }
    refuses("--rw=read --size=4k --rate=1m --rate_iops=10", &["rate_iops=10", "contradicts 'rate'"]);
    refuses("--rw=read --size=4k --rate=fast", &["rate=fast"]);
}

#[test]
fn a_job_that_was_held_up_catches_up() {
    let bench = Bench::new();
    // The drive does ten reads in a millisecond; one is due every 50 µs.
    let fast = job(&bench, "--rw=read --bs=4k --size=4M --rate_iops=20000");
    assert_eq!(number(&fast["read"]["runtime"]), 103, "the limit is beyond the drive");
    let deep = job(&bench, "--rw=read --bs=4k --size=4M --rate_iops=20000 --iodepth=8");
    assert_eq!(number(&deep["read"]["runtime"]), 52, "with more in flight the limit is reached");
    // What waited for the drive shows in the latency from the moment that was meant.
    let intended = &fast["cardiograph"]["intended_lat_ns"]["read"];
    assert_eq!(number(&intended["min"]), READ_NS);
    assert_eq!(number(&intended["max"]), 1_023 * (READ_NS - 50_000) + READ_NS);
}

#[test]
fn fio_option_rate_iops() {
    let bench = Bench::new();
    for bs in ["4k", "8k"] {
        let ios = bench.ios(&format!("--rw=read --bs={bs} --size=1M --number_ios=20 --rate_iops=100"));
        assert_eq!(begun_ms(&ios, 0), every_ms(10, 20), "it counts I/Os, not bytes");
    }
    let ios = bench.ios("--rw=randrw --bs=4k --size=1M --number_ios=60 --rate_iops=50,200");
    for (direction, distance_ms) in [(0, 20), (1, 5)] {
        let begun = begun_ms(&ios, direction);
        assert!(begun.len() > 10);
        assert_eq!(begun, every_ms(distance_ms, begun.len() as u64));
    }
    assert!(ios.iter().filter(|io| io.direction == 1).all(|io| io.value == WRITE_NS));
    let job = job(&bench, "--rw=randread --bs=4k --size=4M --time_based --runtime=2 --rate_iops=100");
    assert_eq!(job["read"]["total_ios"], 200);
}

/// How a job that demands a speed ended: whether it reached it, and after how many milliseconds.
fn ended(line: &str) -> (bool, u64) {
    let bench = Bench::new();
    let line =
        format!("--output-format=json --rw=randread --bs=4k --size=4M --time_based --runtime=8 {line}");
    let outcome = simulated(&bench, &line);
    let json: Value =
        serde_json::from_str(&outcome.stdout).unwrap_or_else(|error| panic!("{error} {}", outcome.stderr));
    let reached = json["jobs"][0]["error"] == 0;
    assert_eq!(outcome.status.code(), Some(i32::from(!reached)));
    if !reached {
        outcome.complains(&["below its minimum"]);
    }
    (reached, number(&json["jobs"][0]["read"]["runtime"]))
}

#[test]
fn fio_option_rate_min() {
    // The drive gives 10,000 reads of 4 KiB, that is 40,000 KiB a second.
    for option in ["rate_min", "ratemin"] {
        assert_eq!(ended(&format!("--{option}=39990k")), (true, 8_000));
        let (reached, runtime_ms) = ended(&format!("--{option}=40010k"));
        assert!(!reached && runtime_ms < 8_000, "{runtime_ms}");
    }
    // Of a direction that the job does not have, nothing is demanded.
    assert!(ended("--rate_min=,1g").0);
    refuses("--rw=read --size=4k --rate=10m --rate_min=20m", &["rate_min=20m", "between 0 and 10485760"]);
    refuses("--rw=read --size=4k --rate_min=10m --rate_iops_min=10", &["rate_iops_min=10", "contradicts"]);
}

#[test]
fn fio_option_rate_iops_min() {
    assert_eq!(ended("--rate_iops_min=9990"), (true, 8_000));
    let (reached, runtime_ms) = ended("--rate_iops_min=10010");
    assert!(!reached && runtime_ms < 8_000, "{runtime_ms}");
    assert!(ended("--rate_iops_min=,99999").0);
    refuses(
        "--rw=read --size=4k --rate_iops=10 --rate_iops_min=20",
        &["rate_iops_min=20", "between 0 and 10"],
    );
}

#[test]
fn fio_option_rate_cycle() {
    let [long, short] =
        ["", "--rate_cycle=300"].map(|option| ended(&format!("--rate_iops_min=10010 {option}")).1);
    // It is found wanting at the end of a cycle.
    assert!(short < long, "{short} {long}");
    assert_eq!(long % 1_000, 0);
    assert_eq!(ended("--rate_iops_min=10010 --ratecycle=300").1, short);
    // In a second one read comes; in half of the cycles of 400 ms there is none.
    assert!(ended("--rate_iops=1 --rate_iops_min=1 --rate_cycle=2000").0);
    assert!(!ended("--rate_iops=1 --rate_iops_min=1 --rate_cycle=400").0);
}

#[test]
fn fio_option_rate_process() {
    let bench = Bench::new();
    let line = "--rw=read --bs=4k --size=80k --rate_iops=100";
    let linear = bench.ios(&format!("{line} --rate_process=linear"));
    assert_eq!(linear, bench.ios(line));
    assert_eq!(begun_ms(&linear, 0), every_ms(10, 20));
    refuses(&format!("{line} --rate_process=poisson"), &["rate_process=poisson", "not there yet"]);
}
