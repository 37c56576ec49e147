//! Long logs, and logs on full disks.

use std::io::{BufRead, BufReader};

use cardiograph_testing::{LoopMount, skip};

use super::ask::number;
use crate::common::Bench;
use crate::common::fio::json_of;

#[test]
fn a_full_disk_ends_the_log_and_not_the_run() {
    let mount = match LoopMount::new(&["mkfs.ext4", "-q"], 4 << 20, "") {
        Ok(mount) => mount,
        Err(reason) => return skip("logs on a full disk", &reason),
    };
    let bench = Bench::new();
    let path = |name: &str| mount.path().join(name).display().to_string();
    let line =
        "--name=job --output-format=json --ioengine=null --rw=read --bs=4k --size=4G --number_ios=1000000";
    for (log, file) in
        [("write_lat_log", "full_clat.1.log"), ("write_iops_log", "full_iops.1.log"), ("write_iolog", "full")]
    {
        let outcome = bench.fio(&format!("{line} --{log}={}", path("full"))).exits_with(1);
        outcome.complains(&[&path(file), "No space left on device", "@log-not-written"]);
        // All figures are there.
        assert_eq!(number(&json_of(&outcome)["jobs"][0]["read"]["total_ios"]), 1_000_000);
        // The written part has whole lines, except for the last.
        let text = std::fs::read_to_string(path(file)).unwrap();
        let whole: Vec<&str> = text.split_inclusive('\n').filter(|line| line.ends_with('\n')).collect();
        assert!(whole.len() > 10_000, "{log}: {}", whole.len());
        for entry in std::fs::read_dir(mount.path()).unwrap().map(|entry| entry.unwrap()) {
            if entry.file_type().unwrap().is_file() {
                std::fs::remove_file(entry.path()).unwrap();
            }
        }
    }
}

#[test]
fn a_log_on_a_full_device_is_refused_before_the_run() {
    let bench = Bench::new();
    std::os::unix::fs::symlink("/dev/full", bench.work().join("agg_bw.1.log")).unwrap();
    let outcome = bench.fio(
        "--output-format=json --name=job --write_bw_log=agg --ioengine=null --rw=read --bs=4k --size=4G \
         --number_ios=1000",
    );
    outcome.exits_with(1).complains(&["agg_bw.1.log", "No space left on device"]);
}

/// The peak memory of a run that logs this many I/Os, in bytes. Checks that each has its line.
fn peak_bytes(bench: &Bench, ios: usize) -> u64 {
    let line =
        "fio --name=job --ioengine=null --rw=randread --bs=4k --size=1G --write_iops_log=long --log_offset=1";
    let mut running = bench.start(&format!("{line} --number_ios={ios} --io_size=1T"));
    let peak_bytes = running.peak_memory_bytes();
    running.finish().exits_with(0);
    let log = BufReader::new(std::fs::File::open(bench.work().join("long_iops.1.log")).unwrap());
    let mut lines = 0;
    for line in log.lines() {
        let line = line.unwrap();
        assert_eq!(line.split(", ").count(), 6, "line {lines}: {line}");
        lines += 1;
    }
    assert_eq!(lines, ios);
    peak_bytes
}

#[test]
fn a_log_of_millions_of_ios_loses_none_and_takes_no_more_memory_than_a_short_one() {
    let bench = Bench::new();
    // Long enough for its memory to be sampled, with the window of chunks in flight full.
    let short_bytes = peak_bytes(&bench, 300_000);
    let long_bytes = peak_bytes(&bench, 3_000_000);
    assert!(short_bytes > 1 << 20);
    // 2.7 million more would take 170 MB as records, 80 MB as lines.
    assert!(long_bytes < short_bytes + (16 << 20), "{long_bytes} bytes, {short_bytes} for a tenth of them");
}
