//! Length and content of the blocks.

use std::collections::BTreeMap;

use super::ask::refuses;
use super::disk::{done, ios_of};
use crate::common::Bench;
use crate::common::fio::{LogLine, debian_fio_version};
use crate::common::{PROGRAM, run};

/// How often each length came, by direction and length in bytes.
fn lens(ios: &[LogLine]) -> BTreeMap<(u64, u64), u64> {
    let mut counts = BTreeMap::new();
    ios.iter().for_each(|io| *counts.entry((io.direction, io.len_bytes)).or_default() += 1);
    counts
}

fn counted(line: &str) -> Vec<((u64, u64), u64)> {
    lens(&Bench::new().ios(line)).into_iter().collect()
}

/// Lengths of a direction in KiB.
fn kib(line: &str, direction: u64) -> Vec<u64> {
    let mut found: Vec<u64> = counted(line)
        .iter()
        .filter(|((dir, _), _)| *dir == direction)
        .map(|((_, len), _)| len >> 10)
        .collect();
    found.dedup();
    found
}

/// Checks that the I/Os of a sequential job follow each other from 0 to `end_bytes`.
#[track_caller]
fn has_no_gap(ios: &[(u64, u64, u64)], end_bytes: u64) {
    let end = ios.iter().fold(0, |end, &(_, len_bytes, offset_bytes)| {
        assert_eq!(offset_bytes, end, "{ios:?}");
        end + len_bytes
    });
    assert_eq!(end, end_bytes, "{ios:?}");
}

#[test]
fn fio_option_bs() {
    const K: u64 = 1_024;
    assert_eq!(counted("--rw=read --size=64k"), [((0, 4 * K), 16)]);
    for option in
        ["--bs=16k", "--blocksize=16k", "--bs=16384", "--bs=16k,4k", "--bs=16k,4k,8k", "--bs=4k --bs=16k"]
    {
        assert_eq!(counted(&format!("--rw=read --size=64k {option}")), [((0, 16 * K), 4)], "{option}");
    }
    for option in ["--bs=16k", "--bs=4k,16k", "--bs=,16k", "--bs=4k,16k,8k"] {
        assert_eq!(counted(&format!("--rw=write --size=64k {option}")), [((1, 16 * K), 4)], "{option}");
    }
    let mixed = |option: &str| {
        [kib(&format!("--rw=rw --size=256k {option}"), 0), kib(&format!("--rw=rw --size=256k {option}"), 1)]
    };
    assert_eq!(mixed("--bs=4k,8k"), [[4], [8]]);
    assert_eq!(mixed("--bs=,8k"), [[4], [8]]);
    assert_eq!(mixed("--bs=8k,"), [[8], [4]]);
    assert_eq!(mixed("--bs=8k"), [[8], [8]]);
    // What is left over at the end is too short for an I/O.
    for (line, expected) in
        [("--bs=3k --size=32k", 10), ("--bs=32k --size=32k", 1), ("--bs=512 --size=5k", 10)]
    {
        let deed = done(&format!("--rw=write {line}"));
        assert_eq!(deed.ios[0].len(), expected, "{line}");
    }
    refuses("--rw=read --size=64k --bs=0", &["bs=0"]);
    refuses("--rw=read --size=64k --bs=128k", &["size=64k", "128 KiB", "bs"]);
    refuses("--rw=read --size=64k --bs=4kk", &["bs=4kk"]);
}

#[test]
fn fio_option_bsrange() {
    for option in ["--bsrange=4k-16k", "--blocksize_range=4k-16k", "--bsrange=1k-2k,4k-16k,64k-128k"] {
        let ios = Bench::new().ios(&format!("--rw=write --size=8M {option}"));
        has_no_gap(&ios_of(&ios), 8 << 20);
        let counts = lens(&ios);
        assert_eq!(counts.keys().map(|(_, len)| len >> 10).collect::<Vec<_>>(), [4, 8, 12, 16], "{option}");
        // Each as often as the others: about 820 I/Os, of which a quarter with a spread of 12.
        assert!(counts.values().all(|n| (155..255).contains(n)), "{counts:?}");
    }
    // Whole multiples of the shortest.
    assert_eq!(kib("--rw=read --size=1M --bsrange=4k-11k", 0), [4, 8]);
    assert_eq!(kib("--rw=read --size=1M --bsrange=8k-8k", 0), [8]);
    let triple = "--rw=randrw --size=2M --bsrange=4k-8k,16k-32k";
    assert_eq!([kib(triple, 0), kib(triple, 1)], [[4, 8], [16, 32]]);
    // At random, too, nothing lies outside.
    let ios = Bench::new().ios("--rw=randread --size=128k --io_size=4M --bsrange=4k-64k");
    assert!(ios.iter().all(|io| io.offset_bytes % 4_096 == 0 && io.offset_bytes + io.len_bytes <= 128 << 10));
    assert_eq!(kib("--rw=read --size=1M --bsrange=8k-4k", 0), [4, 8], "the other way round, as in fio");
    refuses("--rw=read --size=1M --bsrange=4k-8x", &["bsrange=4k-8x"]);
}

#[test]
fn fio_option_bssplit() {
    let shares =
        |split: &str| counted(&format!("--rw=randread --size=64M --number_ios=400 --bssplit={split}"));
    let k = |len: u64, ios: u64| ((0, len << 10), ios);
    assert_eq!(shares("4k/70:64k/25:1k/5"), [k(1, 20), k(4, 280), k(64, 100)]);
    // Those without a share have the rest in equal parts.
    assert_eq!(shares("4k/50:8k/:16k/"), [k(4, 200), k(8, 100), k(16, 100)]);
    assert_eq!(shares("8k/100"), [k(8, 400)]);
    let mixed = "--rw=rw --size=64M --number_ios=400 --bssplit=4k/75:8k/25,16k/100";
    assert_eq!(counted(mixed), [((0, 4 << 10), 150), ((0, 8 << 10), 50), ((1, 16 << 10), 200)]);
    has_no_gap(&ios_of(&Bench::new().ios("--rw=write --size=1M --bssplit=4k/50:48k/50")), 1 << 20);
    refuses("--rw=read --size=1M --bssplit=4k/60:8k/60", &["bssplit"]);
    refuses("--rw=read --size=1M --bssplit=4k/x", &["bssplit"]);
}

#[test]
fn fio_option_ba() {
    let grid = |option: &str| {
        let ios = Bench::new().ios(&format!("--rw=randread --size=1M --bs=4k {option}"));
        assert!(ios.iter().all(|io| io.offset_bytes + io.len_bytes <= 1 << 20));
        assert_eq!(ios.len(), 256, "{option}");
        let is_on = |grid_bytes: u64| ios.iter().all(|io| io.offset_bytes % grid_bytes == 0);
        [512, 4_096, 8_192, 65_536].into_iter().filter(|&bytes| is_on(bytes)).max()
    };
    assert_eq!(grid(""), Some(4_096));
    assert_eq!(grid("--ba=4k"), Some(4_096));
    assert_eq!(grid("--ba=512"), Some(512));
    assert_eq!(grid("--blockalign=8k"), Some(8_192));
    assert_eq!(grid("--ba=64k,4k"), Some(65_536));
    assert_eq!(grid("--ba=512 --ba=8k --norandommap"), Some(8_192));
    // The order of a sequential job is its own.
    let blocks = done("--rw=read --size=32k --ba=8k").blocks();
    assert_eq!(blocks, (0..8).collect::<Vec<_>>());
    let mixed = Bench::new().ios("--rw=randrw --size=1M --bs=4k --ba=4k,64k");
    assert!(mixed.iter().filter(|io| io.direction == 1).all(|io| io.offset_bytes % 65_536 == 0));
    assert!(mixed.iter().any(|io| io.direction == 0 && io.offset_bytes % 65_536 > 0));
}

/// What 16 writes of 4 KiB, one after the other, leave in a file.
fn content(program: &str, options: &str) -> Vec<u8> {
    let bench = Bench::new();
    let fio = if program == PROGRAM { "fio " } else { "" };
    let line =
        format!("{fio}--name=job --ioengine=psync --rw=write --bs=4k --size=64k --filename=x {options}");
    run(bench.command(program, line.split_whitespace())).exits_with(0);
    std::fs::read(bench.work().join("x")).unwrap()
}

/// The share of zeros in percent.
fn zeros_percent(bytes: &[u8]) -> u64 {
    bytes.iter().filter(|&&byte| byte == 0).count() as u64 * 100 / bytes.len() as u64
}

/// The least number of bytes in which two blocks of 4 KiB differ.
fn least_difference(bytes: &[u8]) -> usize {
    let blocks: Vec<&[u8]> = bytes.chunks(4_096).collect();
    let pairs = (1..blocks.len()).flat_map(|later| (0..later).map(move |earlier| (earlier, later)));
    let differences =
        pairs.map(|(a, b)| blocks[a].iter().zip(blocks[b]).filter(|(left, right)| left != right).count());
    differences.min().unwrap()
}

#[test]
fn fio_option_zero_buffers() {
    assert!(content(PROGRAM, "--zero_buffers").iter().all(|&byte| byte == 0));
    assert!(content(PROGRAM, "--zero_buffers --refill_buffers").iter().all(|&byte| byte == 0));
    for options in ["", "--zero_buffers=0"] {
        assert!(zeros_percent(&content(PROGRAM, options)) <= 2, "{options}");
    }
}

#[test]
fn fio_option_refill_buffers() {
    // Random bytes are equal in one place of 256.
    assert!(least_difference(&content(PROGRAM, "--refill_buffers")) > 4_000);
    assert!(least_difference(&content(PROGRAM, "--refill_buffers --scramble_buffers=0")) > 4_000);
    let stamped = least_difference(&content(PROGRAM, ""));
    assert!((1..=128).contains(&stamped), "eight stamps of 16 bytes: {stamped} differ");
    assert_eq!(least_difference(&content(PROGRAM, "--refill_buffers=0 --scramble_buffers=0")), 0);
}

#[test]
fn fio_option_scramble_buffers() {
    let repeated = content(PROGRAM, "--scramble_buffers=0");
    assert!(repeated.chunks(4_096).all(|block| *block == repeated[..4_096]));
    assert!(zeros_percent(&repeated) <= 2);
    for options in ["", "--scramble_buffers=1"] {
        let stamped = content(PROGRAM, options);
        // No two sectors are alike, in this run or in another.
        let mut sectors: Vec<&[u8]> = stamped.chunks(512).collect();
        let other = content(PROGRAM, options);
        sectors.extend(other.chunks(512));
        sectors.sort_unstable();
        sectors.dedup();
        assert_eq!(sectors.len(), 256, "{options}");
    }
}

#[test]
fn fio_option_buffer_compress_percentage() {
    for percent in [0, 10, 50, 90, 100] {
        let options = format!("--buffer_compress_percentage={percent}");
        let ours = zeros_percent(&content(PROGRAM, &options));
        assert!(ours.abs_diff(percent) <= 3, "{ours} % of {percent}");
        if debian_fio_version().is_some() {
            let theirs = zeros_percent(&content("/usr/bin/fio", &options));
            assert!(ours.abs_diff(theirs) <= 6, "{ours} % here, {theirs} % with fio, of {percent}");
        }
    }
    // What is compressible is new with each write.
    let half = content(PROGRAM, "--buffer_compress_percentage=50");
    assert!(least_difference(&half) > 0);
    refuses("--rw=write --size=4k --buffer_compress_percentage=101", &["buffer_compress_percentage=101"]);
}

#[test]
fn fio_option_buffer_compress_chunk() {
    /// The longest row of zeros.
    fn longest_zeros(bytes: &[u8]) -> usize {
        bytes.split(|&byte| byte != 0).map(<[u8]>::len).max().unwrap()
    }
    for (options, expected) in [
        ("--buffer_compress_percentage=50", 256),
        ("--buffer_compress_percentage=50 --buffer_compress_chunk=512", 256),
        ("--buffer_compress_percentage=25 --buffer_compress_chunk=1k", 256),
        ("--buffer_compress_percentage=50 --buffer_compress_chunk=4k", 2_048),
    ] {
        let bytes = content(PROGRAM, options);
        // A random byte beside them may be a zero.
        let found = longest_zeros(&bytes);
        assert!((expected..expected + 4).contains(&found), "{options}: {found}");
    }
    // Without a share there is nothing to place; a stamp with its small number has a few zeros.
    assert!(longest_zeros(&content(PROGRAM, "--buffer_compress_chunk=4k")) < 16);
}

#[test]
fn fio_option_mem() {
    let plain = done("--rw=write --size=16k");
    for option in ["mem", "iomem"] {
        assert_eq!(done(&format!("--rw=write --size=16k --{option}=malloc")), plain);
    }
    for word in ["shm", "shmhuge", "mmap", "mmaphuge:/mnt/x", "mmapshared"] {
        refuses(&format!("--rw=read --size=4k --mem={word}"), &[&format!("mem={word}"), "not there yet"]);
    }
    refuses("--rw=read --size=4k --mem=cudamalloc", &["mem=cudamalloc", "graphics cards", "malloc"]);
    refuses("--rw=read --size=4k --mem=heap", &["mem=heap"]);
}
