//! How engines wait: not at all (nowait), by polling the drive (hipri), or with a kernel thread (sqthread_poll).

use cardiograph_testing::skip;
use serde_json::Value;

use super::ask::{job, number, refuses};
use super::engine::{calls, calls_however_it_ends, named};
use crate::common::Bench;

const URING: &str = "--ioengine=io_uring --bs=4k --size=64k --iodepth=4";

/// How often a read is asked not to wait until one would have to.
const ATTEMPTS: usize = 10;

fn has_uring(bench: &Bench) -> bool {
    let is_there = job(bench, &format!("{URING} --rw=read"))["cardiograph"]["engine"] == "io_uring";
    if !is_there {
        skip("options of io_uring", "the kernel has none, or forbids it");
    }
    is_there
}

/// The error of a job that may fail.
fn error(bench: &Bench, line: &str) -> u64 {
    let outcome = bench.fio(&format!("--name=job --output-format=json {line}"));
    let value: Value = serde_json::from_str(&outcome.stdout).unwrap();
    number(&value["jobs"][0]["error"])
}

#[test]
fn fio_option_nowait() {
    let bench = Bench::new();
    for engine in ["pvsync2", "libaio", "io_uring"] {
        let line = format!("--ioengine={engine} --rw=randread --bs=4k --size=1M --filename=data");
        if engine == "io_uring" && !has_uring(&bench) {
            continue;
        }
        assert_eq!(error(&bench, &line), 0, "{engine}");
        assert_eq!(error(&bench, &format!("{line} --nowait=0")), 0, "{engine}");
        // Uncached data cannot be read without waiting, and some file systems always wait; but a read ahead of a fast drive may
        // have ended when the kernel looks, and pages may stay cached, as they do in memory.
        let line = format!("{line} --nowait=1");
        match (0..ATTEMPTS).map(|_| error(&bench, &line)).find(|error| *error != 0) {
            Some(refused) => assert!([11, 95].contains(&refused), "{engine}: {refused}"),
            None => skip(&format!("refused reads of {engine}"), "all data is in memory"),
        }
    }
    let line = "--ioengine=pvsync2 --rw=read --bs=4k --size=64k --filename=data --nowait=1";
    if let Some((calls, _)) = calls_however_it_ends(&bench, "preadv2", line) {
        let reads: Vec<_> =
            named(&calls, "preadv2").into_iter().filter(|call| call.contains("[...]")).collect();
        assert!(!reads.is_empty() && reads.iter().all(|call| call.contains("RWF_NOWAIT")), "{calls:?}");
    }
    refuses("--rw=read --size=4k --ioengine=psync --nowait=1", &["nowait"]);
}

#[test]
fn fio_option_hipri() {
    refuses("--rw=read --size=4k --ioengine=io_uring --hipri", &["hipri", "direct=1"]);
    refuses("--rw=read --size=4k --ioengine=psync --hipri", &["hipri"]);
    let bench = Bench::new();
    let line = "--ioengine=pvsync2 --rw=randwrite --bs=4k --size=64k --hipri=1";
    if let Some(calls) = calls(&bench, "pwritev2", line) {
        let writes = named(&calls, "pwritev2");
        assert_eq!(writes.len(), 16);
        assert!(writes.iter().all(|call| call.contains("RWF_HIPRI")), "{writes:?}");
    }
    if !has_uring(&bench) {
        return;
    }
    let line = format!("{URING} --direct=1 --rw=randread --hipri");
    let Some((calls, outcome)) = calls_however_it_ends(&bench, "io_uring_setup", &line) else { return };
    assert!(calls.iter().any(|call| call.contains("IORING_SETUP_IOPOLL")), "{calls:?}");
    if !outcome.status.success() {
        // Few drives can; for others an error explains it.
        outcome.complains(&["@engine-cannot-poll"]);
    }
}

#[test]
fn fio_option_sqthread_poll() {
    let bench = Bench::new();
    if !has_uring(&bench) {
        return;
    }
    let line = format!("{URING} --rw=randrw --sqthread_poll");
    let done = job(&bench, &line);
    assert_eq!(number(&done["read"]["total_ios"]) + number(&done["write"]["total_ios"]), 16);
    // Submission only notifies a thread, so its time means nothing, as in fio.
    assert_eq!(number(&done["read"]["slat_ns"]["N"]), 0);
    assert!(number(&done["read"]["clat_ns"]["N"]) > 0);
    let Some(calls) = calls(&bench, "io_uring_setup", &line) else { return };
    assert!(calls.iter().any(|call| call.contains("IORING_SETUP_SQPOLL")), "{calls:?}");
    assert!(!calls.iter().any(|call| call.contains("IORING_SETUP_SQ_AFF")), "{calls:?}");
}

#[test]
fn fio_option_sqthread_poll_cpu() {
    let bench = Bench::new();
    if !has_uring(&bench) {
        return;
    }
    let line = format!("{URING} --rw=randread --sqthread_poll=1");
    let absent = bench.fio(&format!("--name=job {line} --sqthread_poll_cpu=100000")).exits_with(1);
    absent.complains(&["sqthread_poll_cpu=100000"]);
    let alone = bench.fio(&format!("--name=job {URING} --rw=read --sqthread_poll_cpu=0")).exits_with(0);
    alone.notes(&["sqthread_poll_cpu", "@jobs-remark.needs-sqthread-poll"]);
    let Some(calls) = calls(&bench, "io_uring_setup", &format!("{line} --sqthread_poll_cpu=0")) else {
        return;
    };
    assert!(
        calls.iter().any(|call| call.contains("IORING_SETUP_SQ_AFF") && call.contains("sq_thread_cpu=0")),
        "{calls:?}"
    );
}
