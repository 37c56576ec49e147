//! Engines that allocate and free space, and set the length of files.

use super::ask::{job, number};
use super::disk::fill;
use super::engine::calls;
use super::whole_files::{refuses_data, refuses_files, run_file_job, run_file_job_after};
use crate::common::Bench;

const K: u64 = 1_024;

/// The arguments after the descriptor of each such call for a file `room`, without those of its layout.
fn arguments(name: &str, line: &str) -> Option<Vec<String>> {
    let bench = Bench::new();
    fill(&bench, "room", 16);
    let line = format!("--filename=room --bs=4k --size=16k {line}");
    let calls = calls(&bench, name, &line)?;
    let inside = |call: &String| {
        let (_, rest) = call.strip_prefix(name)?.split_once(", ")?;
        Some(rest.strip_suffix(") = 0")?.to_string())
    };
    Some(calls.iter().filter_map(inside).collect())
}

#[test]
fn fio_engine_falloc() {
    refuses_data("--ioengine=falloc --rw=write --size=16k");
    let line = "--ioengine=falloc --bs=4k --size=16k --filename=room";
    for rw in ["read", "write", "randwrite", "trim", "randtrim", "trimwrite"] {
        let done = run_file_job(&format!("{line} --rw={rw}"));
        assert_eq!((done.exit, done.error, done.files()), (0, 0, vec![("room", 16 * K)]), "{rw}");
    }
    let held = |options: &str| {
        use std::os::unix::fs::MetadataExt;
        let bench = Bench::new();
        fill(&bench, "room", 16);
        job(&bench, &format!("{line} {options}"));
        std::fs::metadata(bench.work().join("room")).unwrap().blocks() * 512
    };
    assert_eq!((held("--rw=write"), held("--rw=trim"), held("--rw=trim --io_size=8k")), (16 * K, 0, 8 * K));
    // Existing content of a file stays, unless it is freed.
    let bench = Bench::new();
    fill(&bench, "room", 20);
    job(&bench, &format!("{line} --rw=trim"));
    let content = std::fs::read(bench.work().join("room")).unwrap();
    assert!(content[..16 << 10].iter().all(|&byte| byte == 0) && content[16 << 10..] == [0xa5; 4_096]);
    job(&bench, &format!("{line} --rw=randrw"));
    assert_eq!(std::fs::read(bench.work().join("room")).unwrap(), content);
    let offsets = [0, 4_096, 8_192, 12_288];
    for (rw, flags) in [
        ("read", "FALLOC_FL_KEEP_SIZE"),
        ("write", "0"),
        ("trim", "FALLOC_FL_KEEP_SIZE|FALLOC_FL_PUNCH_HOLE"),
    ] {
        let Some(made) = arguments("fallocate", &format!("--ioengine=falloc --rw={rw}")) else { return };
        assert_eq!(made, offsets.map(|offset| format!("{flags}, {offset}, 4096")), "{rw}");
    }
}

#[test]
fn fio_engine_ftruncate() {
    refuses_data("--ioengine=ftruncate --rw=write --size=16k");
    let line = "--ioengine=ftruncate --bs=4k --filename=room";
    let made = run_file_job(&format!("{line} --rw=write --size=16k"));
    assert_eq!((made.exit, made.written, made.files()), (0, (4, 16 * K, 4), vec![("room", 12 * K)]));
    let shorter = run_file_job_after(&format!("{line} --rw=write --size=32k --number_ios=3"), |bench| {
        fill(bench, "room", 100);
    });
    assert_eq!((shorter.written.0, shorter.files()), (3, vec![("room", 8 * K)]));
    assert_eq!(
        run_file_job(&format!("{line} --rw=write --size=16k --loops=3 --fallocate=none")).written.0,
        12
    );
    let clones =
        job(&Bench::new(), &format!("{line} --rw=randwrite --size=16k --numjobs=2 --group_reporting"));
    assert_eq!(number(&clones["write"]["total_ios"]), 8);
    for rw in ["read", "randread", "rw", "trim", "trimwrite"] {
        let words = [&format!("rw={rw}")[..], "randwrite"];
        refuses_files(&format!("--ioengine=ftruncate --size=16k --rw={rw}"), &words);
    }
    if let Some(made) = arguments("ftruncate", "--ioengine=ftruncate --rw=write") {
        assert_eq!(made, ["0", "4096", "8192", "12288"]);
    }
}
