//! The engine mmap.

use cardiograph_testing::skip;
use serde_json::Value;

use super::ask::{job, number};
use super::engine::{calls, moves_data, named};
use crate::common::Bench;

#[test]
fn fio_engine_mmap() {
    moves_data("mmap");
    let bench = Bench::new();
    let line = "--ioengine=mmap --rw=randread --bs=4k --size=64k --filename=data";
    assert_eq!(number(&job(&bench, line)["read"]["total_ios"]), 16);
    if let Some(calls) = calls(&bench, "mmap,madvise,pread64,read,io_submit", line) {
        let mapped = named(&calls, "mmap");
        assert!(mapped.iter().any(|call| call.contains("65536, PROT_READ, MAP_SHARED")), "{mapped:?}");
        assert!(calls.iter().any(|call| call.contains("65536, MADV_RANDOM")), "{calls:?}");
        let read = calls.iter().filter(|call| call.contains("read") && call.ends_with(") = 4096"));
        assert_eq!(read.count(), 0, "{calls:?}");
    }
    // Past the cache: each write is durable when done, and its page is released.
    let line = "--ioengine=mmap --rw=randwrite --bs=4k --size=64k --filename=data --direct=1";
    if bench.fio(&format!("--name=job {line}")).status.success()
        && let Some(calls) = calls(&bench, "msync,madvise", line)
    {
        assert_eq!(named(&calls, "msync").iter().filter(|call| call.contains("4096, MS_SYNC")).count(), 16);
        assert_eq!(calls.iter().filter(|call| call.contains("4096, MADV_DONTNEED")).count(), 16);
    }
    let line = "--ioengine=mmap --rw=write --bs=4k --size=64k --filename=data --sync=dsync";
    if let Some(calls) = calls(&bench, "msync", line) {
        assert_eq!(named(&calls, "msync").iter().filter(|call| call.contains("4096, MS_SYNC")).count(), 16);
    }
}

/// A page that cannot be read is an error of its job only.
#[test]
fn a_mapped_file_that_is_cut_short_fails_its_job() {
    let bench = Bench::new();
    bench.fio("--name=lay --rw=write --bs=64k --size=1M --filename=data").exits_with(0);
    let jobs = "--name=cut --ioengine=mmap --rw=randread --bs=4k --size=1M --filename=data --time_based --runtime=60 \
                --name=other --ioengine=null --rw=read --bs=4k --size=4k";
    let mut running = bench.start(&format!("fio --output-format=json {jobs}"));
    let maps = format!("/proc/{}/maps", running.io_id());
    let is_mapped = || std::fs::read_to_string(&maps).is_ok_and(|maps| maps.contains("/data"));
    running.wait_until(is_mapped, "its file is mapped");
    let file = std::fs::File::options().write(true).open(bench.work().join("data")).unwrap();
    file.set_len(4_096).unwrap();
    let outcome = running.finish().exits_with(1);
    outcome.complains(&["cut", "Input/output error"]);
    let result: Value = serde_json::from_str(&outcome.stdout).unwrap();
    assert_eq!(number(&result["jobs"][0]["error"]), 5);
    assert_eq!(number(&result["jobs"][1]["error"]), 0);
    assert_eq!(number(&result["jobs"][1]["read"]["total_ios"]), 1);
}

#[test]
fn fio_option_thp() {
    let bench = Bench::new();
    let line = "--ioengine=mmap --rw=randwrite --bs=4k --size=64k --filename=data";
    for (option, is_asked) in [("--thp=1", true), ("--thp=0", false), ("", false)] {
        let outcome = bench.fio(&format!("--name=job {line} {option}"));
        if is_asked && !outcome.status.success() {
            outcome.complains(&["@engine-no-thp"]);
            return skip("thp", "the kernel has no transparent huge pages");
        }
        outcome.exits_with(0);
        let Some(calls) = calls(&bench, "madvise", &format!("{line} {option}")) else { return };
        let asked = calls.iter().any(|call| call.contains("65536, MADV_HUGEPAGE"));
        assert_eq!(asked, is_asked, "{option}: {calls:?}");
    }
    // In fio, data written with thp=1 stays in the process.
    let content = std::fs::read(bench.work().join("data")).unwrap();
    assert!(content.chunks(4_096).all(|block| block.iter().any(|&byte| byte != 0)));
}
