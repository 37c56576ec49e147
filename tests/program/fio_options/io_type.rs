//! Direction and order of I/Os, and how they are made durable.

use std::collections::HashSet;
use std::os::unix::fs::MetadataExt;

use super::ask::{job, number, refuses, text};
use super::disk::{fill, run_job};
use super::engine::{calls, named};
use crate::common::fio::{Fio, LogLine};
use crate::common::{Bench, run};

/// The I/Os of a job on the plain simulated drive.
fn ios(line: &str) -> Vec<LogLine> {
    Bench::new().ios(line)
}

/// Offsets of a direction's I/Os, in blocks of 4 KiB.
fn blocks(ios: &[LogLine], direction: u64) -> Vec<u64> {
    ios.iter().filter(|io| io.direction == direction).map(|io| io.offset_bytes / 4_096).collect()
}

/// Whether blocks are those from 0 to `end`, each once, out of order.
fn is_shuffled(blocks: &[u64], end: u64) -> bool {
    let mut sorted = blocks.to_vec();
    sorted.sort_unstable();
    sorted == in_order(end) && blocks != sorted
}

fn in_order(end: u64) -> Vec<u64> {
    (0..end).collect()
}

#[test]
fn fio_option_rw() {
    for (word, reads, writes) in [("read", 64, 0), ("write", 0, 64), ("rw", 0, 0), ("readwrite", 0, 0)] {
        let found = ios(&format!("--rw={word} --size=256k"));
        let [read, write] = [0, 1].map(|direction| blocks(&found, direction));
        // Reads and writes each continue at their own position.
        assert_eq!([&read, &write], [&in_order(read.len() as u64), &in_order(write.len() as u64)], "{word}");
        assert_eq!(read.len() + write.len(), 64, "{word}");
        match word {
            "read" | "write" => assert_eq!((read.len(), write.len()), (reads, writes)),
            _ => assert!((20..=44).contains(&read.len()), "{word}: {} reads", read.len()),
        }
    }
    assert_eq!(blocks(&ios("--size=16k"), 0), [0, 1, 2, 3], "reading is the default");
    for (line, direction) in [("--rw=randread", 0), ("--rw=randwrite", 1), ("--readwrite=randread", 0)] {
        let found = ios(&format!("{line} --size=256k"));
        assert!(is_shuffled(&blocks(&found, direction), 64), "{line}");
    }
    let mixed = ios("--rw=randrw --size=256k");
    let both: Vec<u64> = mixed.iter().map(|io| io.offset_bytes / 4_096).collect();
    assert!(is_shuffled(&both, 64), "reads and writes share an order");
    assert!(mixed.iter().any(|io| io.direction == 0) && mixed.iter().any(|io| io.direction == 1));
    let [trim, random] = ["trim", "randtrim"].map(|word| ios(&format!("--rw={word} --size=256k")));
    assert_eq!((trim.len(), random.len()), (64, 64), "nothing but trims");
    assert_eq!(blocks(&trim, 2), in_order(64));
    assert!(is_shuffled(&blocks(&random, 2), 64));
    assert!(trim.iter().all(|io| io.value == 10_000), "a command without data");
    for word in ["trimwrite", "randtrimwrite"] {
        let found = ios(&format!("--rw={word} --size=256k"));
        assert_eq!(found.len(), 128, "{word}");
        for pair in found.chunks(2) {
            let [trim, write] = pair else { panic!("{pair:?}") };
            assert_eq!((trim.direction, write.direction), (2, 1), "{word}");
            assert_eq!((trim.offset_bytes, trim.len_bytes), (write.offset_bytes, write.len_bytes));
        }
        assert_eq!(is_shuffled(&blocks(&found, 1), 64), word.starts_with("rand"));
    }
    refuses("--rw=raed --size=4k", &["rw=raed", "did you mean 'read'?"]);
}

#[test]
fn sequential_io_may_skip_and_random_io_may_go_on() {
    for (line, expected) in [
        ("--rw=read:4k", vec![0, 2, 4, 6, 8, 10, 12, 14, 0, 2, 4, 6, 8, 10, 12, 14]),
        ("--rw=write:12k", vec![0, 4, 8, 12, 0, 4, 8, 12, 0, 4, 8, 12, 0, 4, 8, 12]),
        ("--rw=write:-8k", vec![0, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]),
        ("--rw=read:0", in_order(16)),
    ] {
        assert_eq!(run_job(&format!("{line} --size=64k")).blocks(), expected, "{line}");
    }
    let found = blocks(&ios("--rw=randread:8 --size=4M --number_ios=800"), 0);
    let starts = found.windows(2).filter(|pair| pair[1] != pair[0] + 1).count();
    // A hundred positions; some are cut short at the end, or happen to follow the one before.
    assert!((95..=105).contains(&starts), "{starts}");
    assert!(is_shuffled(&blocks(&ios("--rw=randread:1 --size=256k"), 0), 64));
}

/// The number of reads in this many hundred I/Os.
fn reads(line: &str) -> usize {
    blocks(&ios(&format!("{line} --size=4M --number_ios=400")), 0).len()
}

#[test]
fn fio_option_rwmixread() {
    for (percent, expected) in [(0, 0), (1, 4), (25, 100), (50, 200), (99, 396), (100, 400)] {
        assert_eq!(reads(&format!("--rw=rw --rwmixread={percent}")), expected);
        assert_eq!(reads(&format!("--rw=randrw --rwmixread={percent}")), expected);
    }
    assert_eq!(reads("--rw=rw"), 200);
    // It does not affect jobs that are not mixed.
    assert_eq!([reads("--rw=read --rwmixread=10"), reads("--rw=write --rwmixread=10")], [400, 0]);
    refuses("--rw=rw --size=4k --rwmixread=101", &["rwmixread=101", "@jobs-value.out-of-range", "100"]);
}

#[test]
fn fio_option_rwmixwrite() {
    for (percent, expected) in [(0, 400), (25, 300), (100, 0)] {
        assert_eq!(reads(&format!("--rw=rw --rwmixwrite={percent}")), expected);
    }
    // The later option counts.
    assert_eq!(reads("--rw=rw --rwmixread=30 --rwmixwrite=10"), 360);
    assert_eq!(reads("--rw=rw --rwmixwrite=10 --rwmixread=30"), 120);
    refuses("--rw=rw --size=4k --rwmixwrite=101", &["rwmixwrite=101", "@jobs-value.out-of-range", "100"]);
}

/// Whether any file was opened with a flag; `None` where calls cannot be traced.
fn opens_with(flag: &str, line: &str) -> Option<bool> {
    // Some machines only have openat.
    let calls = calls(&Bench::new(), "?open,openat", &format!("--ioengine=psync --size=16k {line}"))?;
    let is_flag = |word: &str| word.trim_end_matches([')', ',']) == flag;
    Some(calls.iter().any(|call| call.split(['|', ' ', ',']).any(is_flag)))
}

#[test]
fn fio_option_direct() {
    for (options, expected) in
        [("", false), ("--direct=0", false), ("--direct=1", true), ("--direct=0 --direct=1", true)]
    {
        for rw in ["read", "write"] {
            let Some(found) = opens_with("O_DIRECT", &format!("--rw={rw} {options}")) else { return };
            assert_eq!(found, expected, "{rw} {options}");
        }
    }
}

#[test]
fn fio_option_buffered() {
    for (options, expected) in [
        ("--buffered=1", false),
        ("--buffered=0", true),
        ("--direct=1 --buffered=1", false),
        ("--buffered=1 --direct=1", true),
    ] {
        let Some(found) = opens_with("O_DIRECT", &format!("--rw=write {options}")) else { return };
        assert_eq!(found, expected, "{options}");
    }
}

#[test]
fn fio_option_norandommap() {
    let distinct = |options: &str| {
        let found = ios(&format!("--rw=randread --size=4M {options}"));
        assert_eq!(found.len(), 1_024);
        blocks(&found, 0).into_iter().collect::<HashSet<_>>().len()
    };
    assert_eq!([distinct(""), distinct("--norandommap=0")], [1_024; 2]);
    // Of this many even draws 1 - 1/e are distinct: 647, with a deviation of 10.
    for options in ["--norandommap", "--norandommap=1"] {
        assert!((600..=695).contains(&distinct(options)), "{options}: {}", distinct(options));
    }
}

/// The order of a random job, from a separate run.
fn order(options: &str) -> Vec<u64> {
    blocks(&ios(&format!("--rw=randread --size=1M {options}")), 0)
}

#[test]
fn fio_option_randrepeat() {
    for options in ["", "--randrepeat=1", "--allrandrepeat=1", "--norandommap"] {
        assert_eq!(order(options), order(options), "{options}");
    }
    for options in ["--randrepeat=0", "--allrandrepeat=0", "--randrepeat=0 --norandommap"] {
        assert_ne!(order(options), order(options), "{options}");
    }
}

#[test]
fn fio_option_randseed() {
    let usual = order("");
    assert_eq!(order("--randseed=0x89"), usual);
    assert_eq!(order("--randseed=137"), usual);
    assert_ne!(order("--randseed=7"), usual);
    assert_ne!(order("--randseed=7"), order("--randseed=8"));
    // An explicit seed has precedence.
    assert_eq!(order("--randseed=7 --randrepeat=0"), order("--randseed=7"));
}

#[test]
fn fio_option_random_generator() {
    let distinct = |options: &str| order(options).into_iter().collect::<HashSet<_>>().len();
    for word in ["tausworthe", "tausworthe64", "lfsr"] {
        assert_eq!(distinct(&format!("--random_generator={word}")), 256, "{word}");
    }
    // lfsr visits all blocks without a map.
    assert_eq!(distinct("--random_generator=lfsr --norandommap"), 256);
    assert!(distinct("--random_generator=tausworthe --norandommap") < 200);
    refuses("--rw=randread --size=4k --random_generator=dice", &["random_generator=dice", "lfsr"]);
}

#[test]
fn fio_option_fallocate() {
    // The length of a file of 1 MiB after one 4 KiB write, and whether its space is allocated.
    for (word, len_bytes, has_room) in [
        ("none", 4_096, false),
        ("0", 4_096, false),
        ("native", 1 << 20, true),
        ("posix", 1 << 20, true),
        ("1", 1 << 20, true),
        ("keep", 4_096, true),
        ("truncate", 1 << 20, false),
    ] {
        let line = format!("--rw=write --size=1M --number_ios=1 --fallocate={word}");
        assert_eq!(run_job(&line).files(), [("job.0.0", len_bytes)], "{word}");
        let bench = Bench::new();
        job(&bench, &format!("--ioengine=psync {line}"));
        let room_bytes = std::fs::metadata(bench.work().join("job.0.0")).unwrap().blocks() * 512;
        assert_eq!(room_bytes >= 1 << 20, has_room, "{word}: {room_bytes} bytes of room");
    }
    assert_eq!(run_job("--rw=write --size=1M --number_ios=1").files(), [("job.0.0", 1 << 20)]);
    refuses("--rw=write --size=4k --fallocate=often", &["fallocate=often", "native"]);
}

#[test]
fn fio_option_fadvise_hint() {
    for (options, expected) in [
        ("--rw=read", vec!["SEQUENTIAL"]),
        ("--rw=randread --fadvise_hint=1", vec!["RANDOM"]),
        ("--rw=randwrite", vec!["RANDOM"]),
        ("--rw=randread --fadvise_hint=0", vec![]),
        ("--rw=randread --fadvise_hint=sequential", vec!["SEQUENTIAL"]),
        ("--rw=write --fadvise_hint=random", vec!["RANDOM"]),
    ] {
        let line = format!("--ioengine=psync --size=16k {options}");
        let Some(calls) = calls(&Bench::new(), "fadvise64", &line) else { return };
        let mut found: Vec<&str> = ["SEQUENTIAL", "RANDOM", "NORMAL"]
            .into_iter()
            .filter(|advice| calls.iter().any(|call| call.contains(&format!("POSIX_FADV_{advice}"))))
            .collect();
        found.dedup();
        assert_eq!(found, expected, "{options}");
    }
}

/// The number of measured syncs of a job of 64 writes, the shortest of them in µs, and the job's time in ms.
fn syncs(options: &str) -> (u64, u64, u64) {
    let job = job(&Bench::new(), &format!("--rw=write --size=256k {options}"));
    assert_eq!(job["write"]["total_ios"], 64, "{options}");
    let sync = &job["sync"];
    (number(&sync["total_ios"]), number(&sync["lat_ns"]["min"]) / 1_000, number(&job["write"]["runtime"]))
}

#[test]
fn fio_option_fsync() {
    // 64 writes take 12.8 ms, and each flush half a millisecond. No flush follows the last write.
    assert_eq!(syncs(""), (0, 0, 13));
    assert_eq!(syncs("--fsync=0"), (0, 0, 13));
    assert_eq!(syncs("--fsync=1"), (63, 500, 45));
    assert_eq!(syncs("--fsync=2"), (31, 500, 29));
    assert_eq!(syncs("--fsync=63"), (1, 500, 14));
    assert_eq!(syncs("--fsync=64"), (0, 0, 13));
    // Reads do not count.
    let mixed = job(&Bench::new(), "--rw=rw --size=1600k --number_ios=400 --rwmixread=75 --fsync=10");
    assert_eq!((&mixed["write"]["total_ios"], number(&mixed["sync"]["total_ios"]) / 9), (&100.into(), 1));
    assert_eq!(job(&Bench::new(), "--rw=read --size=256k --fsync=1")["sync"]["total_ios"], 0);
    let line = "--ioengine=psync --rw=write --size=32k --create_fsync=0 --fsync=3";
    let Some(calls) = calls(&Bench::new(), "fsync,fdatasync", line) else { return };
    assert_eq!((named(&calls, "fsync").len(), named(&calls, "fdatasync").len()), (2, 0));
}

#[test]
fn fio_option_fdatasync() {
    assert_eq!(syncs("--fdatasync=0"), (0, 0, 13));
    assert_eq!(syncs("--fdatasync=1"), (63, 500, 45));
    assert_eq!(syncs("--fdatasync=7"), (9, 500, 18));
    refuses("--rw=write --size=4k --fdatasync=1 --fsync=1", &["fdatasync=1", "fsync"]);
    let line = "--ioengine=psync --rw=write --size=32k --create_fsync=0 --fdatasync=3";
    let Some(calls) = calls(&Bench::new(), "fsync,fdatasync", line) else { return };
    assert_eq!((named(&calls, "fsync").len(), named(&calls, "fdatasync").len()), (0, 2));
}

/// The names of the system calls of a job of two writes, from the first write on.
fn calls_from_first_write(options: &str) -> Option<Vec<String>> {
    let line = format!("--ioengine=psync --rw=write --size=8k {options}");
    let calls = calls(&Bench::new(), "pwrite64,fsync,fdatasync", &line)?;
    let name = |call: &String| call.split_once('(').map(|(name, _)| name.to_string());
    Some(calls.iter().filter_map(name).skip_while(|name| name != "pwrite64").collect())
}

#[test]
fn fio_option_end_fsync() {
    // It counts in the time but not as a sync.
    assert_eq!(syncs("--end_fsync=0"), (0, 0, 13));
    assert_eq!(syncs("--end_fsync=1"), (0, 0, 14));
    let read = job(&Bench::new(), "--rw=read --size=256k --end_fsync=1");
    assert_eq!(number(&read["read"]["runtime"]), 7, "nothing was written");
    let Some(plain) = calls_from_first_write("") else { return };
    assert_eq!(plain, ["pwrite64", "pwrite64"]);
    assert_eq!(calls_from_first_write("--end_fsync=1").unwrap(), ["pwrite64", "pwrite64", "fsync"]);
}

#[test]
fn fio_option_fsync_on_close() {
    assert_eq!(syncs("--fsync_on_close=0"), (0, 0, 13));
    assert_eq!(syncs("--fsync_on_close=1"), (0, 0, 14));
    let Some(found) = calls_from_first_write("--fsync_on_close=1") else { return };
    assert_eq!(found, ["pwrite64", "pwrite64", "fsync"]);
    // Several files are synced one by one.
    let several = calls_from_first_write("--fsync_on_close=1 --nrfiles=2").unwrap();
    assert_eq!(several, ["pwrite64", "pwrite64", "fsync", "fsync"]);
}

#[test]
fn fio_option_sync() {
    for (options, all, data) in [
        ("", false, false),
        ("--sync=none", false, false),
        ("--sync=0", false, false),
        ("--sync=sync", true, false),
        ("--sync=1", true, false),
        ("--sync=dsync", false, true),
    ] {
        let line = format!("--rw=write {options}");
        let Some(found) = opens_with("O_SYNC", &line) else { return };
        assert_eq!((found, opens_with("O_DSYNC", &line).unwrap()), (all, data), "{options}");
    }
    refuses("--rw=write --size=4k --sync=often", &["sync=often", "dsync"]);
}

/// The number of zeros in a file of 64 KiB after one 4 KiB write.
fn zeros_left(fio: Fio, options: &str, existing_kib: usize) -> usize {
    let bench = Bench::new();
    if existing_kib > 0 {
        fill(&bench, "x", existing_kib);
    }
    let job = "--name=job --ioengine=psync --rw=write --size=64k --filename=x --number_ios=1";
    run(bench.fio_by(fio, format!("{job} {options}").split_whitespace())).exits_with(0);
    let left = std::fs::read(bench.work().join("x")).unwrap();
    assert_eq!(left.len(), 64 << 10);
    left.iter().filter(|&&byte| byte == 0).count()
}

#[test]
fn fio_option_overwrite() {
    // Unwritten parts are zeros, unless there is content already. One random byte in 256 is zero.
    for options in ["", "--overwrite=0"] {
        assert!(zeros_left(Fio::Ours, options, 0) >= 60 << 10, "{options}");
    }
    assert!(zeros_left(Fio::Ours, "--overwrite=1", 0) < 1_000);
    if crate::common::fio::debian_fio_version().is_some() {
        assert!(zeros_left(Fio::Debian, "--overwrite=0", 0) >= 60 << 10);
        assert!(zeros_left(Fio::Debian, "--overwrite=1", 0) < 1_000);
    }
    // Existing content stays.
    assert!(zeros_left(Fio::Ours, "--overwrite=1", 64) < 200);
    assert!(
        text(&Bench::new(), "--rw=write --size=64k --overwrite=1").contains("issued rwts: total=0,16,0,0")
    );
}
