//! Engines and their options: the system calls of a job, and the data it leaves.

use std::collections::HashMap;
use std::os::unix::fs::FileExt;
use std::path::Path;

use cardiograph_testing::skip;

use super::ask::{READ_NS, job, number, refuses, simulated};
use crate::common::fio::PLAIN;
use crate::common::{Bench, Outcome, PROGRAM, flat, model_text, run};

/// The system calls of a job as strace shows them; `None` where strace is missing or not permitted.
pub fn calls(bench: &Bench, names: &str, line: &str) -> Option<Vec<String>> {
    let (calls, outcome) = calls_however_it_ends(bench, names, line)?;
    outcome.exits_with(0);
    Some(calls)
}

/// The same for a job that may fail, with its outcome.
pub fn calls_however_it_ends(bench: &Bench, names: &str, line: &str) -> Option<(Vec<String>, Outcome)> {
    let trace = bench.work().join("calls.txt");
    let watch = format!("-f -s 0 -e trace={names} -o calls.txt");
    let words = watch.split_whitespace().chain([PROGRAM, "fio", "--name=job"]).chain(line.split_whitespace());
    if !Path::new("/usr/bin/strace").exists() {
        skip(&format!("system calls of {line}"), "strace is not installed");
        return None;
    }
    let outcome = run(bench.command("/usr/bin/strace", words));
    if outcome.stderr.contains("ptrace") || outcome.stderr.contains("PTRACE") {
        skip(&format!("system calls of {line}"), "strace may not watch programs here");
        return None;
    }
    let text = std::fs::read_to_string(trace).unwrap();
    Some((whole_calls(&text), outcome))
}

/// The calls in a trace whose lines begin with the number of the thread. A call interrupted by that of another thread is in
/// two parts.
fn whole_calls(text: &str) -> Vec<String> {
    let mut begun: HashMap<&str, &str> = HashMap::new();
    let mut calls = Vec::new();
    for (thread, call) in text.lines().filter_map(|line| line.split_once(' ')) {
        let call = call.trim_start();
        if let Some(begin) = call.strip_suffix(" <unfinished ...>") {
            begun.insert(thread, begin);
        } else if let Some((_, end)) = call.split_once(" resumed>") {
            calls.push(flat(&format!("{}{end}", begun.remove(thread).unwrap_or_default())));
        } else {
            calls.push(flat(call));
        }
    }
    calls
}

#[test]
fn calls_in_two_parts_are_put_together() {
    let text = "11 pread64(3,  <unfinished ...>\n12 read(7, \"\"..., 8) = 8\n11 <... pread64 resumed>\"\"..., 4096, 0) = 4096\n";
    assert_eq!(whole_calls(text), ["read(7, \"\"..., 8) = 8", "pread64(3, \"\"..., 4096, 0) = 4096"]);
}

/// The calls with a name, in order.
pub fn named<'c>(calls: &'c [String], name: &str) -> Vec<&'c str> {
    let start = format!("{name}(");
    calls.iter().map(String::as_str).filter(|call| call.starts_with(&start)).collect()
}

/// Offsets at which calls such as `pwrite64(3, ""..., 4096, 8192) = 4096` moved a whole block.
pub fn offsets(calls: &[&str]) -> Vec<u64> {
    let whole = calls.iter().filter_map(|call| call.strip_suffix(") = 4096"));
    whole.map(|call| call.rsplit(", ").next().unwrap().parse().unwrap()).collect()
}

/// A number among the arguments of a call.
fn argument(call: &str, index: usize) -> u64 {
    call.split_once('(').unwrap().1.split(", ").nth(index).unwrap().parse().unwrap()
}

/// Checks that an engine writes all blocks correctly and reads them.
#[track_caller]
pub fn moves_data(engine: &str) {
    let bench = Bench::new();
    let line = format!("--ioengine={engine} --bs=4k --size=128k --iodepth=4 --filename=data --verify=crc32c");
    let written = job(&bench, &format!("{line} --rw=randwrite"));
    assert_eq!((&written["error"], number(&written["write"]["total_ios"])), (&0.into(), 32));
    assert_eq!(number(&written["read"]["total_ios"]), 32, "what was written is read back");
    assert_eq!(written["cardiograph"]["engine"], engine);
    let content = std::fs::read(bench.work().join("data")).unwrap();
    assert_eq!(content.len(), 128 << 10);
    for (block, bytes) in content.chunks(4_096).enumerate() {
        let offset = u64::from_le_bytes(bytes[16..24].try_into().unwrap());
        assert_eq!(offset, block as u64 * 4_096, "each block's header names its place");
    }
    let read = job(&bench, &format!("{line} --rw=randread"));
    assert_eq!((&read["error"], number(&read["read"]["total_ios"])), (&0.into(), 32));
}

#[test]
fn fio_option_ioengine() {
    let bench = Bench::new();
    let small = "--rw=write --bs=4k --size=16k";
    for (word, engine) in [
        ("psync", "psync"),
        ("sync", "sync"),
        ("vsync", "vsync"),
        ("pvsync", "pvsync"),
        ("pvsync2", "pvsync2"),
        ("libaio", "libaio"),
        ("aio", "libaio"),
        ("linuxaio", "libaio"),
        ("io_uring", "io_uring"),
        ("posixaio", "posixaio"),
        ("mmap", "mmap"),
        ("null", "null"),
    ] {
        let job = job(&bench, &format!("{small} --ioengine={word}"));
        assert_eq!(job["cardiograph"]["engine"], engine, "{word}");
        assert_eq!(job["write"]["total_ios"], 4);
    }
    let outcome = bench.fio(&format!("--name=job {small}")).exits_with(0);
    outcome.says(&["ioengine=psync, iodepth=1"]);
    refuses("--rw=read --size=4k --ioengine=psink", &["'psink'"]);
    refuses("--rw=read --size=4k --ioengine=rados", &["ioengine=rados", "rbd"]);
}

#[test]
fn fio_engine_psync() {
    moves_data("psync");
    let bench = Bench::new();
    let line = "--ioengine=psync --rw=randwrite --bs=4k --size=64k";
    let Some(calls) = calls(&bench, "pwrite64,write,lseek,io_submit,io_uring_enter", line) else { return };
    let expected: Vec<u64> = bench.ios(line).iter().map(|io| io.offset_bytes).collect();
    assert_eq!(offsets(&named(&calls, "pwrite64")), expected);
    let others = calls.iter().filter(|call| call.ends_with(") = 4096") && !call.starts_with("pwrite64("));
    assert_eq!(others.count(), 0, "{calls:?}");
}

#[test]
fn fio_engine_sync() {
    moves_data("sync");
    let bench = Bench::new();
    let line = "--ioengine=sync --rw=randread --bs=4k --size=64k";
    let Some(random) = calls(&bench, "pread64,read,lseek", line) else { return };
    assert_eq!(
        random.iter().filter(|call| call.starts_with("read(") && call.ends_with(") = 4096")).count(),
        16
    );
    assert_eq!(offsets(&named(&random, "pread64")), [0; 0]);
    // It seeks unless the last read ended at the position.
    let ios = bench.ios(line);
    let mut position = 0;
    let mut sought = Vec::new();
    for io in &ios {
        if io.offset_bytes != position {
            sought.push(io.offset_bytes);
        }
        position = io.offset_bytes + 4_096;
    }
    let seeks: Vec<u64> = named(&random, "lseek")
        .iter()
        .filter(|call| call.contains("SEEK_SET"))
        .map(|call| argument(call, 1))
        .collect();
    assert_eq!(seeks, sought);
    assert!(sought.len() > 8, "{sought:?}");
}

#[test]
fn fio_engine_libaio() {
    moves_data("libaio");
    let bench = Bench::new();
    for (direct, together) in [(1, true), (0, false)] {
        let line =
            format!("--ioengine=libaio --rw=randread --bs=4k --size=64k --iodepth=4 --direct={direct}");
        let Some(calls) = calls(&bench, "pread64,read,io_setup,io_submit", &line) else { return };
        let submitted = named(&calls, "io_submit");
        assert_eq!(submitted.iter().map(|call| argument(call, 1)).sum::<u64>(), 16);
        assert_eq!(submitted.iter().any(|call| argument(call, 1) > 1), together, "{line}: {submitted:?}");
        assert_eq!(offsets(&named(&calls, "pread64")), [0; 0]);
    }
}

#[test]
fn fio_engine_posixaio() {
    moves_data("posixaio");
    let bench = Bench::new();
    let line = "--ioengine=posixaio --rw=randread --bs=4k --size=64k --iodepth=4 --filename=data";
    let done = job(&bench, line);
    assert!(done["iodepth_level"]["4"].as_f64() > Some(0.0), "{}", done["iodepth_level"]);
    let Some(calls) = calls(&bench, "pread64,io_submit,io_uring_enter", line) else { return };
    // They are read by threads of the C library, in whatever order.
    let reads: Vec<&String> = calls.iter().filter(|call| call.ends_with("= 4096")).collect();
    assert_eq!(reads.len(), 16, "{calls:?}");
    assert!(reads.iter().all(|call| call.contains("pread64")), "{calls:?}");
}

#[test]
fn fio_engine_io_uring() {
    let bench = Bench::new();
    let line = "--ioengine=io_uring --rw=randread --bs=4k --size=64k --iodepth=4";
    if job(&bench, line)["cardiograph"]["engine"] != "io_uring" {
        return skip("the engine io_uring", "the kernel has none, or forbids it");
    }
    moves_data("io_uring");
    let Some(calls) = calls(&bench, "pread64,read,io_uring_enter", line) else { return };
    let entered = named(&calls, "io_uring_enter");
    assert_eq!(entered.iter().map(|call| argument(call, 1)).sum::<u64>(), 16);
    assert!(entered.iter().any(|call| argument(call, 1) > 1), "several go in one call: {entered:?}");
    assert_eq!(offsets(&named(&calls, "pread64")), [0; 0]);
}

#[test]
fn fio_engine_null() {
    let bench = Bench::new();
    let ios = bench.ios("--ioengine=null --rw=randwrite --bs=4k --size=64k");
    let mut offsets: Vec<u64> = ios.iter().map(|io| io.offset_bytes).collect();
    offsets.sort_unstable();
    assert_eq!(offsets, (0..16).map(|block| block * 4_096).collect::<Vec<_>>());
    assert!(
        bench.entries().iter().all(|name| name.ends_with(".log")),
        "no file is made: {:?}",
        bench.entries()
    );
    // It reads nothing either: the file does not exist.
    let job = |words| {
        job(&bench, &format!("--ioengine=null --rw=read --bs=4k --size=64k --filename=nothing {words}"))
    };
    assert_eq!(job("")["read"]["io_bytes"], 64 << 10);
    // At a depth above one it completes whole batches at once.
    let batch = job("--iodepth=16 --iodepth_batch=8");
    assert_eq!(batch["iodepth_complete"]["8"], 100.0, "{batch}");
    assert_eq!(number(&batch["read"]["slat_ns"]["N"]), 16);
    assert_eq!(number(&job("--iodepth=1")["read"]["slat_ns"]["N"]), 0);
}

#[test]
fn fio_engine_sim() {
    let bench = Bench::new();
    let began = std::time::Instant::now();
    let job = job(&bench, "--rw=randrw --bs=4k --size=4M --time_based --runtime=600 --rate_iops=10,10");
    assert_eq!(job["cardiograph"]["clock"]["source"], "virtual");
    for (direction, latency_ns) in [("read", READ_NS), ("write", 200_000)] {
        let figures = &job[direction];
        assert_eq!(figures["total_ios"], 6_000);
        assert_eq!(
            (number(&figures["clat_ns"]["min"]), number(&figures["clat_ns"]["max"])),
            (latency_ns, latency_ns)
        );
    }
    // Ten minutes of the drive's time, on a machine that may be busy.
    assert!(began.elapsed().as_secs() < 60);
    let mixed =
        bench.fio("--name=a --ioengine=sim --size=4k --name=b --ioengine=null --size=4k").exits_with(1);
    mixed.complains(&["@prepare-simulated"]);
}

#[test]
fn fio_option_sim_model() {
    let bench = Bench::new();
    bench.file(
        "quick.toml",
        &PLAIN.replace("mean_ns = 89_996", "mean_ns = 39_996").replace("= 89_996", "= 39_996"),
    );
    let clat_ns = |model: &str| {
        let job =
            job(&bench, &format!("--ioengine=sim --rw=randread --bs=4k --size=400k --sim_model={model}"));
        number(&job["read"]["clat_ns"]["min"])
    };
    bench.file("plain.toml", PLAIN);
    assert_eq!(clat_ns("plain.toml"), 100_000);
    assert_eq!(clat_ns("quick.toml"), 50_000);
    // The name of a shipped model and its text give the same results.
    bench.file("card.toml", model_text("sandisk-ultra-64"));
    assert_eq!(clat_ns("sandisk-ultra-64"), clat_ns("card.toml"));
    let line = "--name=job --ioengine=sim --rw=read --size=4k";
    bench.fio(&format!("{line} --sim_model=floppy")).exits_with(1).complains(&["floppy", "sandisk-ultra-64"]);
    bench.file("broken.toml", "name = 1");
    bench.fio(&format!("{line} --sim_model=broken.toml")).exits_with(1).complains(&["broken.toml"]);
    bench
        .fio("--name=job --ioengine=null --rw=read --size=4k --sim_model=plain.toml")
        .exits_with(1)
        .complains(&["sim_model"]);
}

#[test]
fn fio_option_sim_seed() {
    let bench = Bench::new();
    let latencies = |seed: &str| -> Vec<u64> {
        let line = "--ioengine=sim --sim_model=sandisk-ultra-64 --rw=randread --bs=4k --size=400k";
        bench.ios(&format!("{line} {seed}")).iter().map(|io| io.value).collect()
    };
    let first = latencies("--sim_seed=1");
    assert_eq!(first, latencies("--sim_seed=1"));
    assert_eq!(first, latencies(""), "1 is what is taken when none is written");
    assert_ne!(first, latencies("--sim_seed=2"));
    assert!(first.iter().any(|latency| *latency != first[0]), "{first:?}");
}

/// A request in io_uring's ring, in the kernel's format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct RingEntry {
    opcode: u8,
    flags: u8,
}

const OPCODE_READV: u8 = 1;
const OPCODE_WRITEV: u8 = 2;
const OPCODE_READ_FIXED: u8 = 4;
const FLAG_FIXED_FILE: u8 = 1;
const FLAG_ASYNC: u8 = 1 << 4;
/// The size of the ring of this job.
const RING_LEN: usize = 4;

/// The requests in the ring of a running job of depth 4; `None` where they cannot be read.
fn ring(options: &str) -> Option<[RingEntry; RING_LEN]> {
    let bench = Bench::new();
    let line = "--ioengine=io_uring --rw=randread --bs=4k --size=1M --iodepth=4";
    if job(&bench, line)["cardiograph"]["engine"] != "io_uring" {
        skip("options of io_uring", "the kernel has none, or forbids it");
        return None;
    }
    let mut running = bench.start(&format!("fio --name=job {line} --time_based --runtime=60 {options}"));
    let process = running.io_id();
    let mut found = Ok(None);
    let is_known = || {
        found = look_into_ring(process);
        !matches!(found, Ok(None))
    };
    running.wait_until(is_known, "its ring can be seen");
    found.unwrap_or_else(|error| {
        skip("options of io_uring", &format!("the memory of a program cannot be read here: {error}"));
        None
    })
}

/// The requests in the ring of a process; `None` until it exists and is full.
fn look_into_ring(process: u32) -> std::io::Result<Option<[RingEntry; RING_LEN]>> {
    // Where the kernel lets a program map its requests: IORING_OFF_SQES.
    const REQUESTS: &str = "10000000";
    const ENTRY_LEN: usize = 64;
    let maps = std::fs::read_to_string(format!("/proc/{process}/maps"))?;
    let is_requests = |line: &&str| line.contains("io_uring") && line.split(' ').nth(2) == Some(REQUESTS);
    let Some(map) = maps.lines().find(is_requests) else { return Ok(None) };
    let start = u64::from_str_radix(map.split('-').next().unwrap(), 16).unwrap();
    let mut bytes = [0; ENTRY_LEN * RING_LEN];
    std::fs::File::open(format!("/proc/{process}/mem"))?.read_exact_at(&mut bytes, start)?;
    let entry =
        |place: usize| RingEntry { opcode: bytes[place * ENTRY_LEN], flags: bytes[place * ENTRY_LEN + 1] };
    let entries: [RingEntry; RING_LEN] = std::array::from_fn(entry);
    Ok(entries.iter().all(|entry| entry.opcode != 0).then_some(entries))
}

#[test]
fn fio_option_fixedbufs() {
    for options in ["--fixedbufs", "--fixedbufs=1", ""] {
        let Some(entries) = ring(options) else { return };
        // Buffers are registered with or without the option, because it costs nothing.
        assert!(entries.iter().all(|entry| entry.opcode == OPCODE_READ_FIXED), "{options}: {entries:?}");
    }
    refuses("--rw=read --size=4k --fixedbufs", &["fixedbufs"]);
}

#[test]
fn fio_option_registerfiles() {
    for options in ["--registerfiles", ""] {
        let Some(entries) = ring(options) else { return };
        assert!(entries.iter().all(|entry| entry.flags & FLAG_FIXED_FILE != 0), "{options}: {entries:?}");
    }
}

#[test]
fn fio_option_nonvectored() {
    for options in ["--nonvectored=1", "--nonvectored=-1", ""] {
        let Some(entries) = ring(options) else { return };
        let is_vectored = |entry: &RingEntry| [OPCODE_READV, OPCODE_WRITEV].contains(&entry.opcode);
        assert!(!entries.iter().any(is_vectored), "{options}: {entries:?}");
    }
    let outcome =
        simulated(&Bench::new(), "--rw=read --size=4k --ioengine=io_uring --nonvectored=2").exits_with(1);
    outcome.complains(&["nonvectored=2"]);
}

#[test]
fn fio_option_force_async() {
    // The same number in each round of four, evenly spaced.
    for (options, forced) in [
        ("", 0),
        ("--force_async=0", 0),
        ("--force_async=4", 1),
        ("--force_async=2", 2),
        ("--force_async=1", 4),
    ] {
        let Some(entries) = ring(options) else { return };
        let is_forced: Vec<bool> = entries.iter().map(|entry| entry.flags & FLAG_ASYNC != 0).collect();
        assert_eq!(is_forced.iter().filter(|forced| **forced).count(), forced, "{options}: {entries:?}");
        if forced == 2 {
            assert_ne!(is_forced[0], is_forced[1], "every second one: {entries:?}");
        }
    }
}
