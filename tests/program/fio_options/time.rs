//! How long a job runs.

use serde_json::Value;

use super::ask::{job, number, refuses, sections, simulated};
use crate::common::fio::{Fio, is_compared};
use crate::common::{Bench, run};

/// 1,024 reads, one after the other: 102.4 ms of the plain drive.
const READS: &str = "--rw=read --bs=4k --size=4M";

#[test]
fn fio_option_runtime() {
    let bench = Bench::new();
    for (option, ios) in [
        ("", 1_024),
        ("--runtime=20ms", 200),
        ("--runtime=20000us", 200),
        ("--timeout=20ms", 200),
        // The region ends before.
        ("--runtime=2", 1_024),
        ("--runtime=1m", 1_024),
        ("--runtime=0", 1_024),
    ] {
        let job = job(&bench, &format!("{READS} {option}"));
        assert_eq!(number(&job["read"]["total_ios"]), ios, "{option}");
    }
    // The unit is the second, and each job has its own time.
    let job = job(&bench, "--rw=read --bs=4k --size=1G --runtime=2 --numjobs=2");
    assert_eq!(number(&job["read"]["runtime"]), 2_000);
    refuses("--rw=read --size=4k --runtime=5x", &["runtime=5x"]);
}

#[test]
fn fio_option_time_based() {
    let bench = Bench::new();
    let once = bench.ios("--rw=read --bs=4k --size=40k --runtime=3ms");
    assert_eq!(once.len(), 10);
    let again = bench.ios("--rw=read --bs=4k --size=40k --runtime=3ms --time_based");
    let offsets: Vec<u64> = again.iter().map(|io| io.offset_bytes).collect();
    assert_eq!(
        offsets,
        (0..30).map(|io| io % 10 * 4_096).collect::<Vec<_>>(),
        "from the region's start each time"
    );
    assert_eq!(bench.ios("--rw=read --bs=4k --size=40k --runtime=3ms --time_based=0"), once);
    // A random job has each block once in each pass.
    let random = bench.ios("--rw=randread --bs=4k --size=40k --runtime=3ms --time_based");
    for pass in random.chunks(10) {
        let mut offsets: Vec<u64> = pass.iter().map(|io| io.offset_bytes).collect();
        offsets.sort_unstable();
        assert_eq!(offsets, (0..10).map(|block| block * 4_096).collect::<Vec<_>>());
    }
    // Without a time it has no effect, which is noted.
    let outcome = simulated(&bench, "--rw=read --bs=4k --size=40k --time_based").exits_with(0);
    outcome.notes(&["time_based", "@jobs-remark.needs-runtime"]).says(&["issued rwts: total=10,0,0,0"]);
}

#[test]
fn fio_option_ramp_time() {
    let bench = Bench::new();
    let line = "--rw=read --bs=4k --size=400M --time_based --runtime=20ms";
    let plain = bench.ios(line);
    let ramped = bench.ios(&format!("{line} --ramp_time=30ms"));
    // Three hundred blocks were read before, and time starts over behind them.
    assert_eq!((plain.len(), ramped.len()), (200, 200));
    assert_eq!((plain[0].offset_bytes, ramped[0].offset_bytes), (0, 300 * 4_096));
    assert_eq!((ramped[0].at_ms, ramped[199].at_ms), (0, 20));
    let job = job(&bench, &format!("{line} --ramp_time=2"));
    let read = &job["read"];
    assert_eq!((number(&read["runtime"]), number(&read["total_ios"])), (20, 200));
    assert_eq!(number(&read["clat_ns"]["N"]), 200);
    // Its bytes count for the job, its I/Os do not; a job that ends in the ramp reports all, and logs nothing.
    let line = "--name=job --ioengine=psync --rw=read --rate_iops=200 --output-format=json \
                --write_lat_log=ramp --log_offset=1";
    for (wanted, total, last_block) in [
        ("--size=40k --ramp_time=9", Some(10), None),
        ("--size=4m --number_ios=10 --ramp_time=9", Some(10), None),
        ("--size=240k", None, Some(59)),
        ("--size=4m --io_size=240k", None, Some(59)),
        ("--size=120k --loops=2", None, Some(29)),
        ("--size=4m --number_ios=40", Some(40), None),
    ] {
        for who in [Fio::Ours, Fio::Debian].into_iter().take(1 + usize::from(is_compared(wanted))) {
            let bench = Bench::new();
            let words = format!("{line} --ramp_time=100ms {wanted}");
            let outcome = run(bench.fio_by(who, words.split_whitespace())).exits_with(0);
            let json: Value = serde_json::from_str(&outcome.stdout).unwrap();
            let ios = number(&json["jobs"][0]["read"]["total_ios"]);
            let blocks: Vec<u64> =
                bench.log("ramp_lat.1.log").iter().map(|io| io.offset_bytes / 4_096).collect();
            assert_eq!(blocks.len() as u64, if total == Some(10) { 0 } else { ios }, "{wanted}");
            assert!(total.is_none_or(|total| total == ios), "{wanted}: {ios}");
            assert!(last_block.is_none() || blocks.last() == last_block.as_ref(), "{wanted}: {blocks:?}");
        }
    }
}

#[test]
fn fio_option_startdelay() {
    let bench = Bench::new();
    let starts = |text: &str| -> Vec<u64> {
        let json = sections(&bench, text);
        json["jobs"].as_array().unwrap().iter().map(|job| number(&job["job_start"])).collect()
    };
    let job = |name: &str, option: &str| format!("[{name}]\nrw=read\nsize=4k\n{option}\n");
    let two = |option: &str| job("a", "") + &job("b", option);
    let begun = starts(&two(""));
    assert_eq!(begun[0], begun[1]);
    for (option, delay_ms) in [("startdelay=3", 3_000), ("startdelay=250ms", 250), ("startdelay=1m", 60_000)]
    {
        let begun = starts(&two(option));
        assert_eq!(begun[1] - begun[0], delay_ms, "{option}");
    }
    // A time is drawn from a range, a different one with another seed.
    let drawn: Vec<u64> = (0..8)
        .map(|seed| {
            let begun = starts(&two(&format!("startdelay=2-4\nrandseed={seed}")));
            begun[1] - begun[0]
        })
        .collect();
    assert!(drawn.iter().all(|delay_ms| (2_000..=4_000).contains(delay_ms)), "{drawn:?}");
    assert!(drawn.iter().any(|delay_ms| *delay_ms != drawn[0]), "{drawn:?}");
    // Clones draw separate times.
    let mut clones = starts(&job("a", "startdelay=2-4\nnumjobs=8"));
    let first = clones[0];
    assert!(clones.iter().any(|begun| *begun != first), "{clones:?}");
    clones.sort_unstable();
    assert!(clones[7] - clones[0] <= 2_000, "{clones:?}");
    // Waiting does not count in the job's time.
    let json = sections(&bench, &job("a", "startdelay=5"));
    assert_eq!(number(&json["jobs"][0]["read"]["runtime"]), 1);
    refuses("--rw=read --size=4k --startdelay=4-2", &["startdelay=4-2"]);
}
