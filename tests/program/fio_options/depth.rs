//! Queue depth, and how I/Os are submitted and reaped.

use serde_json::Value;

use super::ask::{job, number, refuses};
use crate::common::Bench;

/// 1,024 reads; the plain drive does eight at a time.
const READS: &str = "--rw=randread --bs=4k --size=4M";

/// The percentage of a class in a distribution of the JSON.
fn share(job: &Value, distribution: &str, class: &str) -> f64 {
    job[distribution][class].as_f64().unwrap_or_else(|| panic!("no {distribution} {class} in {job}"))
}

#[test]
fn fio_option_iodepth() {
    let bench = Bench::new();
    // The drive's eight channels are busy from a depth of eight on; further I/Os wait in its queue.
    for (depth, class, runtime_ms, clat_us) in
        [(1, "1", 103, 100), (2, "2", 52, 100), (8, "8", 13, 100), (16, "16", 13, 200), (64, ">=64", 13, 800)]
    {
        let job = job(&bench, &format!("{READS} --iodepth={depth}"));
        assert!(share(&job, "iodepth_level", class) > 93.0, "{}", job["iodepth_level"]);
        assert_eq!(number(&job["read"]["runtime"]), runtime_ms, "depth {depth}");
        assert_eq!(number(&job["read"]["clat_ns"]["max"]) / 1_000, clat_us, "depth {depth}");
        assert_eq!(job["read"]["total_ios"], 1_024);
    }
    refuses("--rw=read --size=4k --iodepth=0", &["iodepth=0", "@jobs-value.out-of-range", "32,768"]);
    refuses("--rw=read --size=4k --iodepth=32769", &["iodepth=32769", "@jobs-value.out-of-range", "32,768"]);
}

#[test]
fn an_engine_that_does_one_at_a_time_does_not_pretend_a_depth() {
    let bench = Bench::new();
    let outcome =
        bench.fio("--name=job --ioengine=psync --rw=write --bs=4k --size=64k --iodepth=4").exits_with(0);
    outcome.says(&["queue depth will be capped at 1", "IO depths : 1=100.0%"]);
}

#[test]
fn fio_option_iodepth_batch() {
    let bench = Bench::new();
    // All sixteen are reaped before new ones are created, so that sixteen can be submitted.
    let laps = format!("{READS} --iodepth=16 --iodepth_batch_complete_min=16");
    for (option, class) in [
        ("--iodepth_batch=1", "4"),
        ("--iodepth_batch=4", "4"),
        ("--iodepth_batch=8", "8"),
        ("--iodepth_batch_submit=8", "8"),
        ("--iodepth_batch=16", "16"),
        // 0 and values above the depth mean the depth.
        ("--iodepth_batch=99", "16"),
        ("--iodepth_batch=0", "16"),
    ] {
        let job = job(&bench, &format!("{laps} {option}"));
        assert_eq!(share(&job, "iodepth_submit", class), 100.0, "{option}: {}", job["iodepth_submit"]);
        assert_eq!(job["read"]["total_ios"], 1_024);
    }
}

#[test]
fn fio_option_iodepth_batch_complete_min() {
    let bench = Bench::new();
    for (option, class) in [
        ("", "4"),
        ("--iodepth_batch_complete_min=0", "4"),
        ("--iodepth_batch_complete_min=8", "8"),
        ("--iodepth_batch_complete=16", "16"),
        ("--iodepth_batch_complete_min=99", "16"),
    ] {
        let job = job(&bench, &format!("{READS} --iodepth=16 {option}"));
        assert_eq!(share(&job, "iodepth_complete", class), 100.0, "{option}: {}", job["iodepth_complete"]);
        assert_eq!(job["read"]["total_ios"], 1_024);
    }
    // Waiting for all empties the queue: 16 take two turns of the drive before new ones are submitted.
    let waiting = job(&bench, &format!("{READS} --iodepth=16 --iodepth_batch_complete_min=16"));
    assert!(share(&waiting, "iodepth_level", "16") < 7.0, "{}", waiting["iodepth_level"]);
}

#[test]
fn fio_option_iodepth_batch_complete_max() {
    let bench = Bench::new();
    // Linux completes buffered reads of libaio on submission: all sixteen can be reaped.
    let reads =
        "--ioengine=libaio --rw=read --bs=4k --size=1M --iodepth=16 --iodepth_batch=16 --iodepth_low=1";
    let all = job(&bench, &format!("{reads} --iodepth_batch_complete_min=4"));
    assert!(share(&all, "iodepth_complete", "16") > 50.0, "{}", all["iodepth_complete"]);
    for (option, class) in [
        ("--iodepth_batch_complete_min=1 --iodepth_batch_complete_max=3", "4"),
        ("--iodepth_batch_complete_min=5 --iodepth_batch_complete_max=8", "8"),
        // Values below the minimum mean the minimum.
        ("--iodepth_batch_complete_min=8 --iodepth_batch_complete_max=2", "8"),
    ] {
        let job = job(&bench, &format!("{reads} {option}"));
        // The rest at the end of a lap can be fewer.
        let up_to_four = if class == "8" { share(&job, "iodepth_complete", "4") } else { 0.0 };
        let found = share(&job, "iodepth_complete", class);
        assert!(found > 50.0 && found + up_to_four > 99.9, "{option}: {}", job["iodepth_complete"]);
        assert_eq!(job["read"]["total_ios"], 256);
    }
}

#[test]
fn fio_option_iodepth_low() {
    let bench = Bench::new();
    let full = job(&bench, &format!("{READS} --iodepth=8"));
    assert!(share(&full, "iodepth_level", "8") > 99.0, "{}", full["iodepth_level"]);
    // 0 is the same as no option.
    let same = job(&bench, &format!("{READS} --iodepth=8 --iodepth_low=0"));
    assert_eq!(same["iodepth_level"], full["iodepth_level"]);
    // The queue drains to one and is then filled with seven: one of seven finds it full.
    let low = job(&bench, &format!("{READS} --iodepth=8 --iodepth_low=1"));
    assert!((share(&low, "iodepth_level", "8") - 100.0 / 7.0).abs() < 0.5, "{}", low["iodepth_level"]);
    assert!(number(&low["read"]["runtime"]) > number(&full["read"]["runtime"]));
    let half = job(&bench, &format!("{READS} --iodepth=8 --iodepth_low=4 --iodepth_batch=8"));
    assert!((share(&half, "iodepth_level", "8") - 25.0).abs() < 0.5, "{}", half["iodepth_level"]);
}

#[test]
fn fio_option_io_submit_mode() {
    let bench = Bench::new();
    let [usual, inline] =
        ["", "--io_submit_mode=inline"].map(|option| job(&bench, &format!("{READS} --iodepth=4 {option}")));
    assert_eq!(usual["iodepth_level"], inline["iodepth_level"]);
    assert_eq!(usual["read"]["clat_ns"], inline["read"]["clat_ns"]);
    // A synchronous engine does one I/O per thread at a time, and its data is there.
    let line = "--ioengine=psync --rw=randwrite --bs=4k --size=1M --iodepth=4 --verify=crc32c";
    let offload = job(&bench, &format!("{line} --io_submit_mode=offload"));
    assert_eq!((number(&offload["write"]["total_ios"]), number(&offload["read"]["total_ios"])), (256, 256));
    assert!(share(&offload, "iodepth_level", "4") > 0.0, "{}", offload["iodepth_level"]);
    assert_eq!(number(&offload["write"]["slat_ns"]["N"]), 256, "submission to the thread is measured");
    let inline = job(&bench, line);
    assert_eq!((share(&inline, "iodepth_level", "1"), &inline["write"]["slat_ns"]["N"]), (100.0, &0.into()));
    // Engines that queue, and none at all.
    for engine in ["libaio", "null"] {
        let line = format!("--ioengine={engine} --rw=randread --bs=4k --size=1M --iodepth=8");
        let offload = job(&bench, &format!("{line} --io_submit_mode=offload"));
        assert_eq!(number(&offload["read"]["total_ios"]), 256, "{engine}");
    }
    // In simulated time submission delays nothing.
    let simulated = job(&bench, &format!("{READS} --iodepth=4 --io_submit_mode=offload"));
    assert_eq!(simulated["read"]["clat_ns"], usual["read"]["clat_ns"]);
    refuses("--rw=read --size=4k --io_submit_mode=sideways", &["io_submit_mode=sideways"]);
}
