//! Verification of content known beforehand.

use std::os::unix::fs::FileExt;

use serde_json::Value;

use super::ask::{number, refuses, with_job};
use crate::common::fio::{PLAIN, debian_fio_version};
use crate::common::{Bench, Outcome, has_message};
use cardiograph_testing::{part_or_all, skip};

/// Sixteen blocks of a file.
const FILE: &str = "--name=job --output-format=json --ioengine=psync --bs=4k --size=64k --filename=data";

fn check(bench: &Bench, line: &str) -> (Outcome, Value) {
    with_job(bench, &format!("{FILE} {line}"))
}

fn data(bench: &Bench) -> Vec<u8> {
    std::fs::read(bench.work().join("data")).unwrap()
}

fn put(bench: &Bench, bytes: &[u8], offset_bytes: u64) {
    let file = std::fs::File::options().write(true).open(bench.work().join("data")).unwrap();
    file.write_all_at(bytes, offset_bytes).unwrap();
}

#[test]
fn fio_option_verify_pattern() {
    let bench = Bench::new();
    // The pattern starts at the beginning of each I/O, with the offset of the I/O.
    check(&bench, "--rw=randwrite --verify=pattern --verify_pattern=0xdeadbeef12").0.exits_with(0);
    for block in data(&bench).chunks(4_096) {
        assert_eq!(block, &[0xde, 0xad, 0xbe, 0xef, 0x12].repeat(820)[..4_096]);
    }
    for (interval, rw) in [("", "write"), ("--verify_interval=1k", "randwrite")] {
        let line = format!("--rw={rw} --verify=pattern --verify_pattern=\"ab\"%o {interval}");
        let (outcome, job) = check(&bench, &line);
        outcome.exits_with(0);
        assert_eq!((number(&job["write"]["total_ios"]), number(&job["read"]["total_ios"])), (16, 16));
        for (block, at) in data(&bench).chunks(4_096).zip((0_u64..).step_by(4_096)) {
            let repeat = [b"ab".as_slice(), &at.to_le_bytes()].concat();
            assert_eq!(block, &repeat.repeat(410)[..4_096], "{at}");
        }
    }
    // Alone, it follows a header; with a checksum, the header of that.
    for (verify, kind, header_len) in
        [("", 17, 40), ("--verify=pattern_hdr", 17, 40), ("--verify=md5", 2, 56)]
    {
        check(&bench, &format!("--rw=write {verify} --verify_pattern=\"abcde\"")).0.exits_with(0);
        for block in data(&bench).chunks(4_096) {
            assert_eq!(block[..4], [0xca, 0xac, kind, 0], "{verify}");
            assert_eq!(block[header_len..], b"abcde".repeat(820)[header_len..4_096], "{verify}");
        }
    }
    // Data that is not checked has the pattern too, unless other options generate each write.
    check(&bench, "--rw=write --verify=0 --verify_pattern=%o").0.exits_with(0);
    assert!(data(&bench)[8_192..].starts_with(&[0, 0x20, 0, 0, 0, 0, 0, 0, 0, 0x20]));
    check(&bench, "--rw=write --verify=0 --verify_pattern=7 --refill_buffers").0.exits_with(0);
    assert!(!data(&bench).starts_with(&[7, 7, 7, 7]));
    check(&bench, "--rw=write --verify=null --verify_pattern=7 --buffer_compress_percentage=50")
        .0
        .exits_with(0);
    for (pattern, words) in [
        ("abc", "@jobs-pattern.unexpected"),
        ("\"\"", "@jobs-pattern.empty"),
        ("12'none'", "@jobs-pattern.unreadable"),
    ] {
        refuses(&format!("--rw=write --size=4k --verify_pattern={pattern}"), &["verify_pattern=", words]);
    }
    refuses("--rw=write --size=4k --verify=pattern", &["'verify=pattern'", "'verify_pattern="]);
    refuses("--rw=read --size=4k --verify=pattern_hdr", &["'verify=pattern_hdr'", "'verify_pattern="]);
}

#[test]
fn fio_option_verify_pattern_interval() {
    let bench = Bench::new();
    let line = "--verify=pattern --verify_pattern=%o\"xyz\" --verify_pattern_interval=512";
    check(&bench, &format!("--rw=write {line}")).0.exits_with(0);
    for (part, at) in data(&bench).chunks(512).zip((0_u64..).step_by(512)) {
        let repeat = [&at.to_le_bytes(), b"xyz".as_slice()].concat();
        assert_eq!(part, &repeat.repeat(50)[..512], "{at}");
    }
    // I/Os of any length that begin with an interval match.
    for bs in ["4k", "512", "8k"] {
        check(&bench, &format!("--rw=randread --bs={bs} {line}")).0.exits_with(0);
    }
    check(&bench, "--rw=read --verify=pattern --verify_pattern=%o\"xyz\"").0.exits_with(1);
    refuses(
        "--rw=write --size=4k --verify=md5 --verify_pattern_interval=512",
        &["'verify_pattern_interval=512'", "'verify_pattern="],
    );
}

#[test]
fn wrong_content_of_a_pattern_is_found_and_named() {
    let bench = Bench::new();
    let numbers = |offset: u64| offset.to_le_bytes().repeat(512);
    for verify in ["pattern", "pattern_hdr", "meta"] {
        let line = format!("--verify={verify} --verify_pattern=%o");
        check(&bench, &format!("--rw=write {line}")).0.exits_with(0);
        check(&bench, &format!("--rw=read {line}")).0.exits_with(0);
        check(&bench, &format!("--rw=randwrite {line} --verify_only")).0.exits_with(0);
        let clean = data(&bench);
        for (bytes, offset_bytes, kind) in [
            (vec![1], 8_192 + 100, "flipped"),
            (vec![0; 4_096], 8_192, "unwritten"),
            (vec![9; 1_000], 8_192 + 300, "damaged"),
            (clean[4_096..8_192].to_vec(), 8_192, "misdirected"),
        ] {
            put(&bench, &bytes, offset_bytes);
            let (outcome, job) = check(&bench, &format!("--rw=read {line} --verify_interval=4k"));
            outcome.exits_with(1).complains(&["@verify-failed-first", "16", "8192, 4096", kind]);
            assert_eq!(job["error"], 84);
            put(&bench, &clean[8_192..12_288], 8_192);
        }
        check(&bench, &format!("--rw=read {line}")).0.exits_with(0);
    }
    // A note says what checks without a header cannot detect.
    let note = |line: &str| check(&bench, line).1["cardiograph"]["notes"].to_string();
    for (line, noted) in [
        ("--verify=pattern --verify_pattern=%o", Some("verify-pattern.offsets")),
        ("--verify=pattern --verify_pattern=7", Some("verify-pattern.equal")),
        ("--verify=pattern_hdr --verify_pattern=%o", None),
    ] {
        let notes = note(&format!("--rw=write {line}"));
        for id in ["verify-pattern.offsets", "verify-pattern.equal"] {
            assert_eq!(has_message(&notes, id), noted == Some(id), "{line}: {notes}");
        }
    }
    // Bad blocks are dumped with their expected content.
    check(&bench, "--rw=write --verify=pattern --verify_pattern=%o").0.exits_with(0);
    put(&bench, &[9; 1_000], 8_192 + 300);
    check(&bench, "--rw=read --verify=pattern --verify_pattern=%o --verify_dump=1").0.exits_with(1);
    assert!(std::fs::read(bench.work().join("data.8192.expected")).unwrap() == numbers(8_192));
    assert!(std::fs::read(bench.work().join("data.8192.received")).unwrap() == data(&bench)[8_192..12_288]);
}

#[test]
fn damage_to_a_pattern_is_found_where_possible() {
    let bench = Bench::new();
    // The file is written once; write 85 of the drive is the 20th of the second pass.
    for (pattern, fault, first_pass, second_pass) in [
        // The layout is not a pattern; writes of both passes are the same.
        ("%o", "kind = \"lost_write\"", Some("damaged"), None),
        ("%o", "kind = \"torn_write\"", Some("torn"), None),
        ("%o", "kind = { bit_flip = { bit = 8000 } }", Some("flipped"), Some("flipped")),
        ("7", "kind = { bit_flip = { bit = 8000 } }", Some("flipped"), Some("flipped")),
        ("%o", "kind = \"corrupt\"", Some("damaged"), Some("damaged")),
    ] {
        for (loops, nth, expected) in [(1, 21, first_pass), (2, 85, second_pass)] {
            let text = format!("{PLAIN}\n[[faults]]\n{fault}\non = \"write\"\nnth = {nth}\n");
            let model = bench.file("faulty.toml", &text).display().to_string();
            let line = format!(
                "--name=job --output-format=json --ioengine=sim --sim_model={model} --bs=4k --size=256k \
                 --rw=write --loops={loops} --verify=pattern --verify_pattern={pattern}"
            );
            let outcome = bench.fio(&line).exits_with(i32::from(expected.is_some()));
            let json: Value = serde_json::from_str(&outcome.stdout).unwrap();
            let first = &json["jobs"][0]["cardiograph"]["verify"]["first"];
            assert_eq!(first["kind"].as_str(), expected, "{pattern} {fault} {loops}: {first}");
        }
    }
}

/// Options for patterns that both programs know: for writing, and more for reading.
const BOTH: [(&str, &str); 6] = [
    ("--verify=pattern --verify_pattern=0xdeadbeef12", ""),
    ("--verify=pattern --verify_pattern=\"ab\"%o", ""),
    ("--verify=pattern --verify_pattern=%o\"xyz\"", "--verify_interval=1k"),
    ("--verify_pattern=\"ab\"%o", ""),
    ("--verify_pattern=0xdeadbeef12", "--verify_interval=512"),
    ("--verify=meta --verify_pattern=0xdeadbeef12", ""),
];

#[test]
fn each_program_can_check_patterns_that_the_other_wrote() {
    if debian_fio_version().is_none() {
        return skip("verify_pattern against fio", "fio is not installed");
    }
    let readings = ["--rw=randread", "--rw=write --verify_only"];
    for (number, (pattern, interval)) in BOTH.into_iter().enumerate() {
        for reading in readings.into_iter().cycle().skip(number).take(part_or_all(1, 2)) {
            let bench = Bench::new();
            let line = |rw: &str| format!("{FILE} {rw} {pattern} {interval}");
            let theirs = |line: &str| bench.debian_fio(line).unwrap();
            bench.fio(&line("--rw=randwrite --do_verify=0")).exits_with(0);
            let ours = data(&bench);
            theirs(&line(reading)).exits_with(0);
            std::fs::remove_file(bench.work().join("data")).unwrap();
            theirs(&line("--rw=randwrite --do_verify=0")).exits_with(0);
            bench.fio(&line(reading)).exits_with(0);
            if pattern.starts_with("--verify=pattern") {
                assert!(data(&bench) == ours, "{pattern} {interval}");
            }
            put(&bench, b"spoilt", 40_000);
            bench.fio(&line(reading)).exits_with(1);
            // With several headers in an I/O, fio 3.33 reports it but exits with 0.
            let complaint = theirs(&line(reading)).stderr;
            assert!(complaint.contains("verify failed"), "{pattern} {reading}: {complaint}");
        }
    }
}

#[test]
fn patterns_that_lie_in_files_are_bounded_and_refused_with_their_place() {
    let bench = Bench::new();
    bench.file("empty", "");
    bench.file("five", "12345");
    std::fs::create_dir(bench.work().join("directory")).unwrap();
    let huge = std::fs::File::create(bench.work().join("huge")).unwrap();
    huge.set_len(1 << 40).unwrap();
    let fifo = bench.work().join("fifo");
    rustix::fs::mknodat(rustix::fs::CWD, &fifo, rustix::fs::FileType::Fifo, 0o600.into(), 0).unwrap();
    for option in ["buffer_pattern", "verify_pattern"] {
        for (file, at, problem) in [
            ("empty", 1, "@jobs-pattern.empty"),
            ("none", 1, "'none': No such file or directory"),
            ("directory", 1, "@jobs-pattern.not-a-file"),
            ("fifo", 1, "@jobs-pattern.not-a-file"),
            ("/dev/zero", 1, "@jobs-pattern.not-a-file"),
            ("huge", 1, "@input-too-long"),
            ("five'0x1'huge", 10, "@input-too-long"),
        ] {
            let job = format!("[job]\nioengine=psync\nrw=write\nsize=64k\n{option}='{file}'\n");
            bench.file("job.fio", &job);
            let outcome = bench.fio("job.fio").exits_with(1);
            outcome.complains(&["job.fio:5:1: job 'job'", "@jobs-pattern.at", &format!(" {at}: "), problem]);
        }
        bench.file("job.fio", &format!("[job]\nrw=write\nsize=64k\n{option}='empty'\"x\"'five'\n"));
        bench.fio("job.fio").exits_with(0);
        let written = std::fs::read(bench.work().join("job.0.0")).unwrap();
        assert_eq!(&written[46..58], &b"x12345".repeat(11)[46..58]);
    }
    // A long pattern is held in memory once, however many clones write it.
    let long = std::fs::File::create(bench.work().join("long")).unwrap();
    long.set_len(1 << 20).unwrap();
    let line = "fio --name=a --ioengine=null --rw=write --bs=4k --size=4k --numjobs=256 --time_based --runtime=1 --thinktime=20ms";
    let mut running = bench.start(&format!("{line} --verify=pattern --verify_pattern='long'"));
    let peak_bytes = running.peak_memory_bytes();
    running.finish().exits_with(0);
    assert!(peak_bytes > 1 << 20 && peak_bytes < 200 << 20, "{peak_bytes}");
}
