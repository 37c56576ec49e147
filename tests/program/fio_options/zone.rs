//! Zones.

use std::collections::HashSet;

use super::ask::refuses;
use super::disk::run_job;
use crate::common::Bench;

/// The blocks of a job in zones, compared with Debian's fio.
#[track_caller]
fn blocks(line: &str) -> Vec<u64> {
    run_job(&format!("--zonemode=strided --rw=read {line}")).blocks()
}

#[test]
fn fio_option_zonemode() {
    let bench = Bench::new();
    let line = "--rw=randread --bs=4k --size=400k";
    assert_eq!(bench.ios(&format!("{line} --zonemode=none")), bench.ios(line));
    assert_eq!(blocks("--size=48k --zonesize=8k --zonerange=16k"), [0, 1, 4, 5, 8, 9, 0, 1, 4, 5, 8, 9]);
    let writes = run_job("--zonemode=strided --rw=write --size=48k --zonesize=8k --zonerange=16k");
    assert_eq!(writes.blocks(), [0, 1, 4, 5, 8, 9, 0, 1, 4, 5, 8, 9]);
    // In random order no block of a zone repeats before its turn is over.
    let random = Bench::new().ios("--rw=randread --size=256k --zonemode=strided --zonesize=64k --loops=2");
    for (turn, zone) in random.chunks(16).enumerate() {
        let found: HashSet<u64> = zone.iter().map(|io| io.offset_bytes / 4_096).collect();
        let first = turn as u64 % 4 * 16;
        assert_eq!(found, (first..first + 16).collect());
    }
    assert_eq!(random.len(), 128);
    refuses(&format!("{line} --zonemode=strided"), &["zonemode=strided", "zonesize"]);
    refuses(&format!("{line} --zonemode=zbd"), &["zonemode=zbd", "@jobs-option.zbd"]);
    refuses(&format!("{line} --zonemode=ring"), &["zonemode=ring"]);
}

#[test]
fn fio_option_zonesize() {
    assert_eq!(blocks("--size=32k --zonesize=4k --zonerange=16k"), [0, 4, 0, 4, 0, 4, 0, 4]);
    assert_eq!(blocks("--size=32k --zonesize=10k --zonerange=16k"), [0, 1, 2, 4, 5, 6, 0, 1]);
    // More than the length of a zone.
    assert_eq!(blocks("--size=32k --zonesize=16k --zonerange=8k"), [0, 1, 0, 1, 2, 3, 2, 3]);
    assert_eq!(blocks("--size=32k --offset=8k --zonesize=4k --zonerange=16k"), [2, 6, 2, 6, 2, 6, 2, 6]);
    refuses("--rw=read --size=32k --zonesize=4k", &["zonesize=4k", "zonemode=strided"]);
    refuses("--rw=read --size=32k --zonemode=strided --zonesize=2k", &["zonesize=2k", "4 KiB"]);
}

#[test]
fn fio_option_zonerange() {
    assert_eq!(blocks("--size=32k --zonesize=4k --zonerange=8k"), [0, 2, 4, 6, 0, 2, 4, 6]);
    // By default a zone is as long as its used part.
    assert_eq!(blocks("--size=32k --zonesize=8k"), (0..8).collect::<Vec<_>>());
    assert_eq!(blocks("--size=16k --zonesize=8k --zonerange=1M"), [0, 1, 0, 1]);
    has_no_effect("zonerange=8k");
    let small = "--rw=read --size=32k --zonemode=strided --zonesize=8k --zonerange=2k";
    refuses(small, &["zonerange=2k", "4 KiB"]);
}

#[test]
fn fio_option_zoneskip() {
    assert_eq!(blocks("--size=32k --zonesize=8k --zoneskip=8k"), [0, 1, 4, 5, 0, 1, 4, 5]);
    let line = "--size=64k --zonesize=4k --zonerange=8k --zoneskip=12k";
    assert_eq!(blocks(line), [0, 5, 10, 15, 0, 5, 10, 15, 0, 5, 10, 15, 0, 5, 10, 15]);
    has_no_effect("zoneskip=8k");
}

/// Checks that an option for zones has no effect without them, as in fio.
#[track_caller]
fn has_no_effect(option: &str) {
    let bench = Bench::new();
    let line = format!("--name=job --ioengine=null --rw=read --size=32k --{option}");
    bench.fio(&line).exits_with(0).notes(&[option, "@jobs-remark.needs-strided"]);
}
