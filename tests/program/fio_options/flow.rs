//! Jobs that keep their I/Os in proportion to each other.

use serde_json::Value;

use super::ask::{number, refuses, sections, simulated};
use crate::common::Bench;

/// The reads in two seconds of jobs with these options.
fn reads(sections_options: &[&str]) -> Vec<u64> {
    let bench = Bench::new();
    let mut text = "rw=randread\nbs=4k\nsize=4M\ntime_based\nruntime=2\n".to_string();
    for (index, options) in sections_options.iter().enumerate() {
        text.push_str(&format!("[job{index}]\n{}\n", options.replace(' ', "\n")));
    }
    let json: Value = sections(&bench, &text);
    let jobs = json["jobs"].as_array().unwrap();
    jobs.iter().map(|job| number(&job["read"]["total_ios"])).collect()
}

#[test]
fn fio_option_flow() {
    // The drive alone would serve them equally, and the deeper one more.
    let free = reads(&["", ""]);
    assert_eq!(free[0], free[1]);
    for (options, weights) in [
        (&["flow=1", "flow=1"][..], &[1, 1][..]),
        (&["flow=8", "flow=2"], &[8, 2]),
        (&["flow=1", "flow=3 iodepth=4", "flow=2"], &[1, 3, 2]),
        (&["flow=1 iodepth=8", "flow=7"], &[1, 7]),
        (&["flow=5 numjobs=2", "flow=2"], &[5, 5, 2]),
    ] {
        let reads = reads(options);
        let of_one = reads[0] as f64 / f64::from(weights[0]);
        assert!(of_one > 500.0, "{reads:?}");
        for (reads, weight) in reads.iter().zip(weights) {
            assert!((*reads as f64 / f64::from(*weight) / of_one - 1.0).abs() < 0.01, "{options:?}: {reads}");
        }
    }
    // A job without a weight is not limited, and one that ends delays no other.
    let reads = reads(&["flow=1", "flow=1 runtime=1", ""]);
    assert!(reads[2] > 19_000, "{reads:?}");
    assert!(reads[0] > reads[1] + 9_000, "{reads:?}");
    refuses("--rw=read --size=4k --flow=1001", &["flow=1001", "@jobs-value.out-of-range", "1,000"]);
}

#[test]
fn fio_option_flow_id() {
    let reads = reads(&["flow=1 flow_id=1", "flow=4 flow_id=1", "flow=1 flow_id=2", "flow=2 flow_id=2"]);
    let ratios = [reads[1] as f64 / reads[0] as f64, reads[3] as f64 / reads[2] as f64];
    assert!((ratios[0] / 4.0 - 1.0).abs() < 0.01 && (ratios[1] / 2.0 - 1.0).abs() < 0.01, "{reads:?}");
    // A job alone in its flow is not limited.
    let alone = self::reads(&["flow=1 flow_id=1", "flow=4 flow_id=2"]);
    assert!(alone.iter().all(|&reads| reads > 19_000), "{alone:?}");
    let outcome = simulated(&Bench::new(), "--rw=read --bs=4k --size=4k --flow_id=3").exits_with(0);
    outcome.notes(&["flow_id", "@jobs-remark.needs-flow"]);
}

#[test]
fn fio_option_flow_sleep() {
    // The job that is ahead sleeps, and the other waits for it: the proportion stays, the speed drops.
    let [awake, asleep] = ["", " flow_sleep=5ms"].map(|sleep| {
        let options = ["1", "2"].map(|weight| format!("flow={weight}{sleep}"));
        reads(&[&options[0], &options[1]])
    });
    assert!(awake[0] > 4_000, "{awake:?}");
    assert!(asleep[0] < 1_000, "{asleep:?}");
    assert!(asleep[1].abs_diff(2 * asleep[0]) <= 4, "{asleep:?}");
}
