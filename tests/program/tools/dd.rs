use std::fs;
use std::os::unix::fs::symlink;

use super::{is_installed, masked, real, without_notes};
use crate::common::loop_device::LoopDevice;
use crate::common::{Bench, has_message};

/// The output of dd with time and speed masked, which differ from run to run.
fn comparable(said: &str) -> String {
    let mask = |line: &str| match line.split_once(" copied, ") {
        None => line.to_string(),
        // The unit depends on the speed.
        Some((size, rest)) => format!("{size} copied, {}", masked(rest).replace(['k', 'M', 'G'], "")),
    };
    without_notes(said).lines().map(|line| mask(line) + "\n").collect()
}

#[test]
fn writing_prints_and_leaves_the_same_as_dd() {
    if !is_installed("dd", "--version") {
        return;
    }
    for operands in [
        "bs=8k count=64 conv=fsync",
        "count=3",
        "bs=1000 count=5 conv=fdatasync,notrunc",
        "bs=1K count=1",
        "bs=1M count=1000B",
        "bs=4k count=10000B seek=2",
        "bs=4k seek=5000B count=1",
        "bs=4k seek=3 oflag=seek_bytes count=1",
        "bs=4k count=2 oflag=direct conv=fsync",
        "bs=4k count=9KB oflag=direct",
        "bs=2x2k count=2 oflag=dsync",
        "ibs=4k obs=4k count=2 oflag=sync",
        "bs=1MB count=12 status=noxfer",
        "bs=64k count=3 status=none",
        "bs=64k count=3 status=progress",
    ] {
        let bench = Bench::new();
        let theirs = real(&bench, &format!("dd if=/dev/zero of=theirs {operands}")).exits_with(0);
        let ours = bench.run(&format!("dd if=/dev/zero of=ours {operands}")).exits_with(0);
        assert_eq!(comparable(&ours.stderr), comparable(&theirs.stderr), "{operands}");
        assert!(ours.stdout.is_empty(), "{operands}");
        let [ours, theirs] = ["ours", "theirs"].map(|name| fs::read(bench.work().join(name)).unwrap());
        assert!(ours == theirs, "{operands}: {} and {} bytes", ours.len(), theirs.len());
    }
}

#[test]
fn reading_prints_the_same_as_dd() {
    if !is_installed("dd", "--version") {
        return;
    }
    let bench = Bench::new();
    let content: Vec<u8> = (0..100_001_u32).map(|at| (at * 7 % 251) as u8).collect();
    fs::write(bench.work().join("a:b"), &content).unwrap();
    for operands in [
        "",
        "bs=4k",
        "bs=4k iflag=direct",
        "bs=1M",
        "bs=1k skip=3 count=2",
        "bs=1k skip=97",
        "bs=1k skip=4096 iflag=skip_bytes,fullblock",
        "bs=4k count=5000 iflag=count_bytes",
        "bs=10000 count=99",
    ] {
        let line = format!("dd if=a:b of=/dev/null {operands}");
        let (theirs, ours) = (real(&bench, &line).exits_with(0), bench.run(&line).exits_with(0));
        assert_eq!(comparable(&ours.stderr), comparable(&theirs.stderr), "{operands}");
    }
    assert!(fs::read(bench.work().join("a:b")).unwrap() == content);
    assert_eq!(bench.entries(), ["a:b"]);
}

#[test]
fn random_bytes_are_random() {
    let bench = Bench::new();
    let outcome = bench.run("dd if=/dev/urandom of=x bs=4k count=5 conv=fsync").exits_with(0);
    assert!(outcome.stderr.contains("5+0 records in\n5+0 records out\n20480 bytes (20 kB, 20 KiB) copied, "));
    let bytes = fs::read(bench.work().join("x")).unwrap();
    let blocks: std::collections::HashSet<&[u8]> = bytes.chunks(512).collect();
    assert_eq!((bytes.len(), blocks.len()), (20_480, 40));
}

#[test]
fn misleading_operands_are_noted_before_the_figures() {
    let bench = Bench::new();
    let cases = [
        ("if=/dev/zero of=x bs=4k count=1 conv=notrunc", "dd-note.in-memory"),
        ("if=/dev/zero of=x bs=4k count=1 conv=notrunc,fdatasync", "dd-note.fdatasync"),
        ("if=/dev/zero of=x bs=4k count=1 conv=notrunc,fsync", ""),
        ("if=/dev/zero of=x bs=4k count=1 conv=notrunc oflag=direct", ""),
        ("if=x of=/dev/null bs=4k", "dd-note.cached"),
        ("if=x of=/dev/null bs=4k iflag=direct", ""),
        ("if=/dev/zero of=x bs=4k count=1 conv=notrunc status=none", ""),
    ];
    for (operands, note) in cases {
        let outcome = bench.run(&format!("dd {operands}")).exits_with(0);
        let notes: Vec<&str> = outcome.stderr.lines().filter(|line| line.contains("note:")).collect();
        assert_eq!(notes.len(), usize::from(!note.is_empty()), "{operands}: {notes:?}");
        assert!(note.is_empty() || has_message(outcome.stderr.lines().next().unwrap(), note), "{operands}");
        if !operands.contains("status=none") {
            assert!(outcome.stderr.lines().last().unwrap().contains(" copied, "), "{operands}");
        }
    }
}

#[test]
fn existing_files_are_never_truncated() {
    let bench = Bench::new();
    let path = bench.work().join("x");
    let old = vec![7; 10_000];
    let zeros_then_old = |zeros: usize| [vec![0; zeros], old[zeros..].to_vec()].concat();
    fs::write(&path, &old).unwrap();
    let refused = bench.run("dd if=/dev/zero of=x bs=4k count=1").exits_with(2);
    refused.complains(&["@dd-would-cut", "of=x", "conv=notrunc"]);
    bench.run("dd if=/dev/zero of=x bs=4k count=2 seek=1x0").exits_with(2);
    assert!(fs::read(&path).unwrap() == old);
    bench.run("dd if=/dev/zero of=x bs=4k count=1 conv=notrunc").exits_with(0);
    assert!(fs::read(&path).unwrap() == zeros_then_old(4_096));
    // A file no longer than the copy becomes what dd would have made of it.
    let over = bench.run("dd if=/dev/zero of=x bs=4k count=3 conv=fsync").exits_with(0);
    over.complains(&["@dd-note.in-place", "x"]);
    assert!(fs::read(&path).unwrap() == vec![0; 12_288]);
    // Data before a gap stays.
    fs::write(&path, &old).unwrap();
    bench.run("dd if=/dev/zero of=x bs=4k count=1 seek=4 conv=fsync").exits_with(0);
    assert!(fs::read(&path).unwrap() == [old.clone(), vec![0; 5 * 4_096 - 10_000]].concat());
}

#[test]
fn refusals_leave_nothing_behind() {
    let bench = Bench::new();
    fs::create_dir(bench.work().join("directory")).unwrap();
    fs::write(bench.work().join("empty"), "").unwrap();
    symlink("/dev/null", bench.work().join("link")).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(bench.work().join("pipe")).status().unwrap().success());
    let before = bench.entries();
    let cases = [
        ("if=empty of=x", "@dd-copies-no-file"),
        ("if=/dev/zero of=missing/x count=1", "@dd-no-directory"),
        ("if=/dev/zero of=directory count=1", "of=directory "),
        ("if=/dev/zero of=pipe count=1", "of=pipe "),
        ("if=/dev/zero of=link count=1", "of=link "),
        ("if=/dev/zero of=/dev/sdnone count=1", "@prepare-no-device"),
        ("if=/dev/zero of=x bs=1M count=1T", "@dd-no-room"),
        ("if=/dev/zero of=x bs=8G count=1", "bs"),
        ("if=/dev/zero of=x bs=1000 count=2 oflag=direct", "@prepare-misaligned-tool"),
        ("if=/dev/zero of=x seek=9E count=1", "@dd-too-many-blocks"),
        ("if=none of=/dev/null", "@dd-missing"),
        ("if=empty of=/dev/null", "@dd-nothing-left"),
        ("if=directory of=/dev/null", "if=directory "),
        ("if=pipe of=/dev/null", "if=pipe "),
    ];
    for (operands, message) in cases {
        let outcome = bench.run(&format!("dd {operands}")).exits_with(2);
        outcome.complains(&[message]);
        assert!(!outcome.stderr.contains("copied"), "{operands}");
        assert_eq!(bench.entries(), before, "{operands}");
    }
}

#[test]
fn a_device_is_overwritten_only_with_consent() {
    let bench = Bench::new();
    let Some(device) = LoopDevice::new(&bench) else {
        return cardiograph_testing::skip("dd to a device", "no loop device");
    };
    let untouched = vec![9; 8 << 20];
    fs::write(&device.backing, &untouched).unwrap();
    let write = format!("dd if=/dev/zero of={} bs=64k count=2 conv=fsync", device.path);
    let refused = bench.run(&write).exits_with(2);
    refused.complains(&["@prepare-needs-consent.lost", "--allow-erase="]);
    bench.run(&format!("{write} --allow-erase=another")).exits_with(2);
    let long = bench.run(&format!("dd if=/dev/zero of={} bs=1M count=9", device.path)).exits_with(2);
    long.complains(&["@dd-device-too-short", "8388608"]);
    assert!(fs::read(&device.backing).unwrap() == untouched);
    let outcome = bench.run(&format!("{write} --allow-erase={}", device.id(&bench))).exits_with(0);
    assert!(
        without_notes(&outcome.stderr)
            .starts_with("2+0 records in\n2+0 records out\n131072 bytes (131 kB, 128 KiB)")
    );
    let read = bench.run(&format!("dd if={} of=/dev/null bs=1M iflag=direct", device.path)).exits_with(0);
    read.complains(&["8+0 records in", "8388608 bytes (8.4 MB, 8.0 MiB) copied"]);
    let written = fs::read(&device.backing).unwrap();
    assert!(written[..131_072].iter().all(|byte| *byte == 0) && written[131_072..] == untouched[131_072..]);
}

#[test]
fn a_signal_ends_it_with_the_amount_copied() {
    let bench = Bench::new();
    let mut running = bench.start("dd if=/dev/zero of=x bs=4k count=200k oflag=direct,dsync");
    let path = bench.work().join("x");
    running.wait_until(|| fs::metadata(&path).is_ok_and(|found| found.len() > 0), "the first write");
    running.signal("TERM");
    let outcome = running.finish().exits_with(143);
    outcome.complains(&["records out", " copied, "]);
    assert!(fs::metadata(&path).unwrap().len() < 200 * 1_024 * 4_096);
}
