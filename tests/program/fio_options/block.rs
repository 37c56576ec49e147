//! Length and content of the blocks.

use std::collections::{BTreeMap, HashSet};

use super::ask::refuses;
use super::disk::{ios_of, run_job};
use super::engine::calls;
use crate::common::Bench;
use crate::common::fio::{Fio, LogLine, debian_fio_version};
use crate::common::run;

/// The number of I/Os by direction and length in bytes.
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
    // The rest at the end is too short for an I/O.
    for (line, expected) in
        [("--bs=3k --size=32k", 10), ("--bs=32k --size=32k", 1), ("--bs=512 --size=5k", 10)]
    {
        let deed = run_job(&format!("--rw=write {line}"));
        assert_eq!(deed.ios[0].len(), expected, "{line}");
    }
    refuses("--rw=read --size=64k --bs=0", &["bs=0"]);
    refuses("--rw=read --size=64k --bs=128k", &["size=64k", "128 KiB", "bs"]);
    refuses("--rw=read --size=64k --bs=4_000", &["bs=4_000"]);
}

#[test]
fn fio_option_bsrange() {
    for option in ["--bsrange=4k-16k", "--blocksize_range=4k-16k", "--bsrange=1k-2k,4k-16k,64k-128k"] {
        let ios = Bench::new().ios(&format!("--rw=write --size=8M {option}"));
        has_no_gap(&ios_of(&ios), 8 << 20);
        let counts = lens(&ios);
        assert_eq!(counts.keys().map(|(_, len)| len >> 10).collect::<Vec<_>>(), [4, 8, 12, 16], "{option}");
        // All equally often: about 820 I/Os, a quarter each, with a deviation of 12.
        assert!(counts.values().all(|n| (155..255).contains(n)), "{counts:?}");
    }
    // Whole multiples of the shortest.
    assert_eq!(kib("--rw=read --size=1M --bsrange=4k-11k", 0), [4, 8]);
    assert_eq!(kib("--rw=read --size=1M --bsrange=8k-8k", 0), [8]);
    let triple = "--rw=randrw --size=2M --bsrange=4k-8k,16k-32k";
    assert_eq!([kib(triple, 0), kib(triple, 1)], [[4, 8], [16, 32]]);
    // Random I/Os stay inside too.
    let ios = Bench::new().ios("--rw=randread --size=128k --io_size=4M --bsrange=4k-64k");
    assert!(ios.iter().all(|io| io.offset_bytes % 4_096 == 0 && io.offset_bytes + io.len_bytes <= 128 << 10));
    assert_eq!(kib("--rw=read --size=1M --bsrange=8k-4k", 0), [4, 8], "the other way round, as in fio");
    refuses("--rw=read --size=1M --bsrange=4k-8_0", &["bsrange=4k-8_0"]);
}

#[test]
fn fio_option_bssplit() {
    let shares =
        |split: &str| counted(&format!("--rw=randread --size=64M --number_ios=400 --bssplit={split}"));
    let k = |len: u64, ios: u64| ((0, len << 10), ios);
    assert_eq!(shares("4k/70:64k/25:1k/5"), [k(1, 20), k(4, 280), k(64, 100)]);
    // Those without a share divide the rest equally.
    assert_eq!(shares("4k/50:8k/:16k/"), [k(4, 200), k(8, 100), k(16, 100)]);
    assert_eq!(shares("8k/100"), [k(8, 400)]);
    let mixed = "--rw=rw --size=64M --number_ios=400 --bssplit=4k/75:8k/25,16k/100";
    assert_eq!(counted(mixed), [((0, 4 << 10), 150), ((0, 8 << 10), 50), ((1, 16 << 10), 200)]);
    has_no_gap(&ios_of(&Bench::new().ios("--rw=write --size=1M --bssplit=4k/50:48k/50")), 1 << 20);
    refuses("--rw=read --size=1M --bssplit=4k/60:8k/60", &["bssplit"]);
    refuses("--rw=read --size=1M --bssplit=4k/101", &["bssplit"]);
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
    // A sequential job keeps its order.
    let blocks = run_job("--rw=read --size=32k --ba=8k").blocks();
    assert_eq!(blocks, (0..8).collect::<Vec<_>>());
    let mixed = Bench::new().ios("--rw=randrw --size=1M --bs=4k --ba=4k,64k");
    assert!(mixed.iter().filter(|io| io.direction == 1).all(|io| io.offset_bytes % 65_536 == 0));
    assert!(mixed.iter().any(|io| io.direction == 0 && io.offset_bytes % 65_536 > 0));
}

/// The file that 16 sequential writes of 4 KiB leave.
fn content(fio: Fio, options: &str) -> Vec<u8> {
    let bench = Bench::new();
    let line = format!("--name=job --ioengine=psync --rw=write --bs=4k --size=64k --filename=x {options}");
    run(bench.fio_by(fio, line.split_whitespace())).exits_with(0);
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
    assert!(content(Fio::Ours, "--zero_buffers").iter().all(|&byte| byte == 0));
    assert!(content(Fio::Ours, "--zero_buffers --refill_buffers").iter().all(|&byte| byte == 0));
    for options in ["", "--zero_buffers=0"] {
        assert!(zeros_percent(&content(Fio::Ours, options)) <= 2, "{options}");
    }
}

#[test]
fn fio_option_refill_buffers() {
    // One in 256 random bytes is equal by chance.
    assert!(least_difference(&content(Fio::Ours, "--refill_buffers")) > 4_000);
    assert!(least_difference(&content(Fio::Ours, "--refill_buffers --scramble_buffers=0")) > 4_000);
    let stamped = least_difference(&content(Fio::Ours, ""));
    assert!((1..=128).contains(&stamped), "eight stamps of 16 bytes: {stamped} differ");
    assert_eq!(least_difference(&content(Fio::Ours, "--refill_buffers=0 --scramble_buffers=0")), 0);
}

#[test]
fn fio_option_scramble_buffers() {
    let repeated = content(Fio::Ours, "--scramble_buffers=0");
    assert!(repeated.chunks(4_096).all(|block| *block == repeated[..4_096]));
    assert!(zeros_percent(&repeated) <= 2);
    for options in ["", "--scramble_buffers=1"] {
        let stamped = content(Fio::Ours, options);
        // No two sectors are the same, in this run or another.
        let mut sectors: Vec<&[u8]> = stamped.chunks(512).collect();
        let other = content(Fio::Ours, options);
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
        let ours = zeros_percent(&content(Fio::Ours, &options));
        assert!(ours.abs_diff(percent) <= 3, "{ours} % of {percent}");
        if debian_fio_version().is_some() {
            let theirs = zeros_percent(&content(Fio::Debian, &options));
            assert!(ours.abs_diff(theirs) <= 6, "{ours} % here, {theirs} % with fio, of {percent}");
        }
    }
    // The incompressible part is new in each write.
    let half = content(Fio::Ours, "--buffer_compress_percentage=50");
    assert!(least_difference(&half) > 0);
    refuses("--rw=write --size=4k --buffer_compress_percentage=101", &["buffer_compress_percentage=101"]);
}

#[test]
fn fio_option_buffer_compress_chunk() {
    /// The longest run of zeros.
    fn longest_zeros(bytes: &[u8]) -> usize {
        bytes.split(|&byte| byte != 0).map(<[u8]>::len).max().unwrap()
    }
    for (options, expected) in [
        ("--buffer_compress_percentage=50", 256),
        ("--buffer_compress_percentage=50 --buffer_compress_chunk=512", 256),
        ("--buffer_compress_percentage=25 --buffer_compress_chunk=1k", 256),
        ("--buffer_compress_percentage=50 --buffer_compress_chunk=4k", 2_048),
    ] {
        let bytes = content(Fio::Ours, options);
        // A random byte next to them may be zero.
        let found = longest_zeros(&bytes);
        assert!((expected..expected + 4).contains(&found), "{options}: {found}");
    }
    // Without a share no zeros are placed; a stamp with its small number has a few.
    assert!(longest_zeros(&content(Fio::Ours, "--buffer_compress_chunk=4k")) < 16);
}

/// The content that writes of a pattern leave, next to a file of the given name and content.
fn patterned(fio: Fio, options: &[&str]) -> (Option<i32>, Vec<u8>) {
    let bench = Bench::new();
    bench.file("pf", "FILE");
    let fixed = ["--name=job", "--ioengine=psync", "--rw=write", "--bs=4k", "--size=16k", "--filename=x"];
    let outcome = run(bench.fio_by(fio, fixed.iter().chain(options).copied()));
    (outcome.status.code(), std::fs::read(bench.work().join("x")).unwrap_or_default())
}

#[test]
fn fio_option_buffer_pattern() {
    for (pattern, more, start) in [
        ("0xdeadbeef", "--refill_buffers", b"\xde\xad\xbe\xef\xde\xad".as_slice()),
        ("\"abcd\"", "--zero_buffers", b"abcdabcd"),
        ("'pf'\"-\"0x0a", "--scramble_buffers=0", b"FILE-\nFILE-\nF"),
        ("\"ab\"-12", "--zero_buffers=0", b"ab\xf4\xff\xff\xffab"),
        ("256", "--scramble_buffers=0", b"\0\x01\0\x01"),
    ] {
        let pattern = format!("--buffer_pattern={pattern}");
        let ours = patterned(Fio::Ours, &[&pattern, more]);
        assert!(ours.0 == Some(0) && ours.1.len() == 16_384 && ours.1.starts_with(start), "{pattern}");
        // It starts over in each write.
        assert!(ours.1.chunks(4_096).all(|block| *block == ours.1[..4_096]), "{pattern}");
        if debian_fio_version().is_some() {
            assert_eq!(ours, patterned(Fio::Debian, &[&pattern, more]), "{pattern}");
        }
    }
    let filled = patterned(Fio::Ours, &["--buffer_pattern=\"z\"", "--buffer_compress_percentage=75"]).1;
    let fillers = filled.iter().filter(|&&byte| byte == b'z').count() * 100 / filled.len();
    assert!((74..=77).contains(&fillers), "{fillers} %");
    for (pattern, words) in [
        ("abc", "@jobs-pattern.unexpected"),
        ("0x11%o", "@jobs-pattern.no-offset-here"),
        ("12'none'", "@jobs-pattern.unreadable"),
        ("\"\"", "@jobs-pattern.empty"),
    ] {
        refuses(&format!("--rw=write --size=4k --buffer_pattern={pattern}"), &["buffer_pattern=", words]);
    }
}

/// The number of different 4 KiB blocks among the 512 of a job, and the compressed size of its file in percent.
fn kinds(fio: Fio, options: &str) -> (usize, usize) {
    let bench = Bench::new();
    let line = format!("--name=job --ioengine=psync --rw=write --bs=4k --size=2m --filename=x {options}");
    run(bench.fio_by(fio, line.split_whitespace())).exits_with(0);
    let written = std::fs::read(bench.work().join("x")).unwrap();
    let blocks: HashSet<&[u8]> = written.chunks(4_096).collect();
    let compressed = miniz_oxide::deflate::compress_to_vec(&written, 1).len();
    (blocks.len(), compressed * 100 / written.len())
}

/// Checks that the share of repeated blocks is as requested, and close to that of Debian's fio.
fn repeats(options: &str, expected: std::ops::RangeInclusive<usize>) {
    let ours = kinds(Fio::Ours, options).0;
    assert!(expected.contains(&ours), "{options}: {ours} kinds of blocks");
    if debian_fio_version().is_some() {
        let theirs = kinds(Fio::Debian, options).0;
        assert!(ours.abs_diff(theirs) <= 60, "{options}: {ours} here, {theirs} by fio");
    }
}

#[test]
fn fio_option_dedupe_percentage() {
    for (percent, expected) in [(0, 512..=512), (25, 375..=393), (50, 250..=262), (90, 46..=56), (100, 1..=1)]
    {
        repeats(&format!("--dedupe_percentage={percent}"), expected);
    }
    // Longer writes consist of blocks of the shortest length.
    let (blocks, _) = kinds(Fio::Ours, "--dedupe_percentage=50 --bsrange=4k-64k");
    assert!((250..=262).contains(&blocks), "{blocks}");
    let (blocks, compressed) = kinds(Fio::Ours, "--dedupe_percentage=50 --buffer_compress_percentage=80");
    assert!((250..=262).contains(&blocks), "{blocks}");
    // Half of the repeated blocks are too far from their copies for the compressor to notice.
    assert!(compressed <= 22, "{compressed} %");
    assert!(kinds(Fio::Ours, "--dedupe_percentage=10").1 > 85);
    refuses("--rw=write --size=4k --dedupe_percentage=101", &["dedupe_percentage=101"]);
}

#[test]
fn fio_option_dedupe_mode() {
    /// The number of blocks that equal the one before.
    fn like_the_one_before(options: &str) -> usize {
        let bytes = content(Fio::Ours, &format!("--dedupe_percentage=80 --size=2m {options}"));
        let blocks: Vec<&[u8]> = bytes.chunks(4_096).collect();
        blocks.windows(2).filter(|pair| pair[0] == pair[1]).count()
    }
    let repeated = like_the_one_before("");
    assert!((400..=420).contains(&repeated), "{repeated} of 511");
    let repeated = like_the_one_before("--dedupe_mode=repeat");
    assert!((400..=420).contains(&repeated), "{repeated} of 511");
    let of_set = like_the_one_before("--dedupe_mode=working_set --dedupe_working_set_percentage=50");
    assert!(of_set < 20, "{of_set} of 511, one of 256 is chance");
    refuses("--rw=write --size=4k --dedupe_mode=often", &["dedupe_mode=often"]);
}

#[test]
fn fio_option_dedupe_working_set_percentage() {
    let all = "--dedupe_percentage=100 --dedupe_mode=working_set";
    // 5 % of 512 blocks are the set.
    assert!((24..=26).contains(&kinds(Fio::Ours, all).0));
    for (percent, expected) in [(1, 5..=5), (10, 50..=51), (50, 200..=256)] {
        let found = kinds(Fio::Ours, &format!("{all} --dedupe_working_set_percentage={percent}")).0;
        assert!(expected.contains(&found), "{percent} %: {found}");
    }
    let half = "--dedupe_percentage=50 --dedupe_mode=working_set --dedupe_working_set_percentage=10";
    // The working set is the first 51 new ones.
    repeats(half, 250..=262);
}

#[test]
fn fio_option_dedupe_global() {
    let kinds_of_both = |options: &str| {
        let bench = Bench::new();
        let job = "--ioengine=psync --rw=write --bs=4k --size=1m --dedupe_percentage=100 \
                   --dedupe_mode=working_set --dedupe_working_set_percentage=4";
        bench
            .fio(&format!("--name=a --filename=a {job} {options} --name=b --filename=b {job} {options}"))
            .exits_with(0);
        let [a, b] = ["a", "b"].map(|name| std::fs::read(bench.work().join(name)).unwrap());
        a.chunks(4_096).chain(b.chunks(4_096)).collect::<HashSet<_>>().len()
    };
    assert_eq!([kinds_of_both(""), kinds_of_both("--dedupe_global=1")], [20, 10]);
    refuses(
        "--rw=write --size=4k --dedupe_percentage=9 --dedupe_global=1",
        &["dedupe_global=1", "dedupe_mode=working_set"],
    );
}

/// The calls that allocate a job's memory; `None` where calls cannot be traced.
fn memory_calls(line: &str) -> Option<Vec<String>> {
    // A length that nothing else requests.
    let line = format!("--ioengine=psync --rw=write --size=1m --bs=332k {line}");
    let found = calls(&Bench::new(), "?mmap,?mmap2,?shmget,?ipc", &line)?;
    Some(
        found
            .into_iter()
            .filter(|call| call.contains("339968, PROT_READ|PROT_WRITE") || call.contains("shmget"))
            .collect(),
    )
}

#[test]
fn fio_option_mem() {
    let plain = run_job("--rw=write --size=16k");
    for option in ["mem=malloc", "iomem=malloc", "mem=mmap", "mem=mmapshared", "mem=shm"] {
        assert_eq!(run_job(&format!("--rw=write --size=16k --{option}")), plain);
    }
    for (word, wanted) in [
        ("malloc", "MAP_PRIVATE"),
        ("mmap", "MAP_PRIVATE"),
        ("mmapshared", "MAP_SHARED"),
        ("shm", "shmget(IPC_PRIVATE, 339968"),
    ] {
        let Some(found) = memory_calls(&format!("--mem={word}")) else { break };
        assert_eq!(found.iter().filter(|call| call.contains(wanted)).count(), 1, "{word}: {found:?}");
    }
    // Without huge pages the error gives advice; otherwise they are used.
    for word in ["mmaphuge", "shmhuge"] {
        let bench = Bench::new();
        let outcome = bench.fio(&format!("--name=job --ioengine=psync --rw=write --size=16k --mem={word}"));
        if outcome.status.code() != Some(0) {
            outcome.complains(&["@engine-huge-pages"]);
        }
    }
    refuses("--rw=read --size=4k --mem=mmap:/tmp/x", &["mem=mmap:/tmp/x", "@jobs-value.no-file-here"]);
    refuses("--rw=read --size=4k --mem=cudamalloc", &["mem=cudamalloc", "@jobs-option.cuda"]);
    refuses("--rw=read --size=4k --mem=heap", &["mem=heap"]);
}

#[test]
fn fio_option_hugepage_size() {
    for (option, size) in
        [("", "2048 KiB"), ("--hugepage-size=1g", "1048576 KiB"), ("--hugepage-size=64k", "64 KiB")]
    {
        let bench = Bench::new();
        let line = format!("--name=job --ioengine=psync --rw=write --size=16k --mem=mmaphuge {option}");
        let outcome = bench.fio(&line);
        if outcome.status.code() != Some(0) {
            outcome.complains(&[size]);
        }
    }
    refuses("--rw=read --size=4k --hugepage-size=3m", &["hugepage-size=3m", "@jobs-value.not-a-page-size"]);
}

#[test]
fn fio_option_iomem_align() {
    for (option, expected) in
        [("", 0), ("--iomem_align=512", 512), ("--mem_align=8k", 0), ("--iomem_align=4100 --mem=shm", 4)]
    {
        let line = format!("--ioengine=psync --rw=write --bs=4k --size=16k {option}");
        let Some(calls) = calls(&Bench::new(), "pwrite64 -e raw=pwrite64", &line) else { return };
        let addresses = calls.iter().filter(|call| call.contains("pwrite64(") && call.contains("= 0x1000"));
        let addresses = addresses.map(|call| {
            let address = call.split(", ").nth(1).unwrap().trim_start_matches("0x");
            u64::from_str_radix(address, 16).unwrap() % 4_096
        });
        assert_eq!(addresses.collect::<Vec<_>>(), [expected; 4], "{option}");
    }
    refuses("--rw=read --size=4k --iomem_align=1g", &["iomem_align=1g", "16,777,216"]);
}
