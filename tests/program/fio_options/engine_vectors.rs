//! Engines with lists of buffers: pvsync, pvsync2 and vsync.

use cardiograph_testing::skip;

use super::ask::{job, number};
use super::engine::{calls, moves_data, named, offsets};
use crate::common::Bench;

/// Offsets at which calls such as `preadv(3, [...], 1, 8192) = 4096` moved a block, with or without flags.
fn vector_offsets(calls: &[&str]) -> Vec<u64> {
    let whole = calls.iter().filter(|call| call.ends_with(" = 4096"));
    whole
        .map(|call| call.split("], 1, ").nth(1).unwrap().split([',', ')']).next().unwrap().parse().unwrap())
        .collect()
}

#[test]
fn fio_engine_pvsync() {
    moves_data("pvsync");
    let bench = Bench::new();
    let line = "--ioengine=pvsync --rw=randwrite --bs=4k --size=64k";
    let Some(calls) = calls(&bench, "pwritev,pwritev2,pwrite64", line) else { return };
    let expected: Vec<u64> = bench.ios(line).iter().map(|io| io.offset_bytes).collect();
    assert_eq!(vector_offsets(&named(&calls, "pwritev")), expected);
    assert_eq!(offsets(&named(&calls, "pwrite64")), [0; 0]);
}

#[test]
fn fio_engine_pvsync2() {
    moves_data("pvsync2");
    let bench = Bench::new();
    let line = "--ioengine=pvsync2 --rw=randread --bs=4k --size=64k";
    let Some(calls) = calls(&bench, "preadv,preadv2,pread64", line) else { return };
    let reads = named(&calls, "preadv2");
    let expected: Vec<u64> = bench.ios(line).iter().map(|io| io.offset_bytes).collect();
    assert_eq!(vector_offsets(&reads), expected);
    assert!(!reads.iter().any(|call| call.contains("RWF_")), "no flags: {reads:?}");
}

/// For each call of a job, its number of requests and of bytes moved.
fn batches(line: &str) -> Option<Vec<(u64, u64)>> {
    let calls = calls(&Bench::new(), "readv,writev", &format!("--ioengine=vsync --bs=4k --size=64k {line}"))?;
    let figures = |call: &String| {
        // Such as `writev(6, [...], 4) = 16384`; messages of the program itself use other descriptors.
        let (arguments, moved) = call.rsplit_once(") = ")?;
        Some((
            arguments.rsplit(", ").next()?.parse().ok()?,
            moved.parse().ok().filter(|moved| moved % 4_096 == 0)?,
        ))
    };
    Some(calls.iter().filter_map(figures).collect())
}

#[test]
fn fio_engine_vsync() {
    moves_data("vsync");
    for (line, expected) in [
        ("--rw=write --iodepth=4 --iodepth_batch=4", vec![(4, 16_384); 4]),
        ("--rw=read --iodepth=8 --iodepth_batch=2", vec![(2, 8_192); 8]),
        // Without a batch each request has its own call, as in fio.
        ("--rw=write --iodepth=4", vec![(1, 4_096); 16]),
    ] {
        let Some(found) = batches(line) else { return };
        assert_eq!(found, expected, "{line}");
    }
    let bench = Bench::new();
    let line = "--ioengine=vsync --rw=randwrite --bs=4k --size=64k --iodepth=4";
    let batched = job(&bench, &format!("{line} --iodepth_batch=4"));
    assert_eq!(number(&batched["write"]["total_ios"]), 16);
    assert!(batched["iodepth_level"]["4"].as_f64() > Some(0.0), "{}", batched["iodepth_level"]);
    bench.fio(&format!("--name=job {line}")).exits_with(0).says(&["queue depth will be capped at 1"]);
    let Some(scattered) = batches("--rw=randwrite --iodepth=4 --iodepth_batch=4") else { return };
    assert_eq!(scattered.iter().map(|(count, _)| count).sum::<u64>(), 16);
    assert!(scattered.len() > 4, "blocks that lie apart are apart: {scattered:?}");
}

#[test]
fn fio_option_hipri_percentage() {
    let bench = Bench::new();
    let line = "--ioengine=pvsync2 --rw=randread --bs=4k --size=400k --direct=1 --filename=data";
    if !bench.fio(&format!("--name=job {line} --hipri")).status.success() {
        return skip("hipri_percentage", "direct I/O is not possible here");
    }
    for (options, low, high) in [
        ("--hipri", 100, 100),
        ("--hipri --hipri_percentage=100", 100, 100),
        ("--hipri --hipri_percentage=50", 30, 70),
        ("--hipri --hipri_percentage=10", 2, 25),
        ("--hipri --hipri_percentage=0", 0, 0),
        ("--hipri_percentage=50", 0, 0),
    ] {
        let Some(calls) = calls(&bench, "preadv2", &format!("{line} {options}")) else { return };
        // A call without a file checks whether the kernel has it.
        let reads: Vec<&str> =
            named(&calls, "preadv2").into_iter().filter(|call| call.ends_with(" = 4096")).collect();
        assert_eq!(reads.len(), 100, "{options}");
        let polled = reads.iter().filter(|call| call.contains("RWF_HIPRI")).count();
        assert!((low..=high).contains(&polled), "{options}: {polled}");
    }
    let outcome = bench.fio(&format!("--name=job {line} --hipri_percentage=50")).exits_with(0);
    outcome.notes(&["hipri_percentage", "@jobs-remark.needs-hipri"]);
}
