//! Verification of written data.

use std::os::unix::fs::FileExt;

use serde_json::Value;

use super::ask::{number, refuses, with_job};
use crate::common::fio::{LogLine, PLAIN, json_of};
use crate::common::{Bench, Outcome};
use cardiograph_testing::skip;

/// Sixteen blocks of a file.
const FILE: &str =
    "--name=job --output-format=json --ioengine=psync --bs=4k --size=64k --filename=data --verify=crc32c";

fn check(bench: &Bench, line: &str) -> (Outcome, Value) {
    with_job(bench, &format!("{FILE} {line}"))
}

/// Flips a bit of the file.
fn spoil(bench: &Bench, offset_bytes: u64) {
    let file = std::fs::File::options().read(true).write(true).open(bench.work().join("data")).unwrap();
    let mut byte = [0];
    file.read_exact_at(&mut byte, offset_bytes).unwrap();
    file.write_all_at(&[byte[0] ^ 1], offset_bytes).unwrap();
}

#[test]
fn fio_option_verify() {
    let bench = Bench::new();
    for (rw, ios) in [("write", (16, 16)), ("randwrite", (16, 16))] {
        let (outcome, job) = check(&bench, &format!("--rw={rw}"));
        outcome.exits_with(0);
        assert_eq!((number(&job["write"]["total_ios"]), number(&job["read"]["total_ios"])), ios);
    }
    check(&bench, "--rw=read").0.exits_with(0);
    // A flipped bit anywhere in a block is noticed: in its header, behind it, at its end.
    for offset_bytes in [4_096, 4_096 + 20, 4_096 + 41, 8_192 + 44, 12_287, 65_535] {
        spoil(&bench, offset_bytes);
        let (outcome, job) = check(&bench, "--rw=randread");
        assert_eq!(job["error"], 84, "the bit at {offset_bytes}");
        let block = offset_bytes / 4_096 * 4_096;
        outcome.exits_with(1).complains(&["@verify-failed-first", &block.to_string()]);
        spoil(&bench, offset_bytes);
    }
    check(&bench, "--rw=read").0.exits_with(0);
    // Without the option nothing is checked.
    spoil(&bench, 5_000);
    let line = "--name=job --ioengine=psync --bs=4k --size=64k --filename=data --rw=read";
    bench.fio(line).exits_with(0);
    bench.fio(&format!("{line} --verify=0")).exits_with(0);
    // The machine chooses the instruction set.
    bench.fio(&format!("{line} --verify=crc32c-intel")).exits_with(1);
    refuses("--rw=write --size=4k --verify=crc31", &["verify=crc31"]);
}

/// Files of blocks with other checksums, by fio's word.
const OTHER: &str = "--name=job --output-format=json --ioengine=psync --bs=4k --size=64k --filename=data";

#[test]
fn each_word_of_verify_stores_its_own_checksum_and_finds_a_wrong_bit() {
    let words = [
        ("md5", 2, 56),
        ("crc64", 3, 48),
        ("crc32", 4, 44),
        ("crc32c-intel", 5, 44),
        ("crc16", 7, 42),
        ("crc7", 8, 41),
        ("sha256", 9, 104),
        ("sha512", 10, 168),
        ("sha3-224", 11, 68),
        ("sha3-256", 12, 72),
        ("sha3-384", 13, 88),
        ("sha3-512", 14, 104),
        ("xxhash", 15, 44),
        ("sha1", 16, 60),
        ("meta", 1, 40),
    ];
    let bench = Bench::new();
    for (word, kind, header_len) in words {
        bench.fio(&format!("{OTHER} --rw=randwrite --verify={word}")).exits_with(0);
        let bytes = std::fs::read(bench.work().join("data")).unwrap();
        assert!(bytes.chunks(4_096).all(|block| block[..4] == [0xca, 0xac, kind, 0]), "{word}");
        // verify=meta checks only the header of a block.
        for (at, is_found) in [(4_096 + 20, true), (8_192 + header_len, word != "meta")] {
            spoil(&bench, at as u64);
            let outcome = bench.fio(&format!("{OTHER} --rw=read --verify={word}"));
            outcome.exits_with(i32::from(is_found));
            spoil(&bench, at as u64);
        }
    }
    // Blocks have no header, and reads are not compared.
    let outcome = bench.fio(&format!("{OTHER} --rw=write --verify=null")).exits_with(0);
    let job = &serde_json::from_str::<Value>(&outcome.stdout).unwrap()["jobs"][0];
    assert_eq!((number(&job["write"]["total_ios"]), number(&job["read"]["total_ios"])), (16, 16));
    assert_ne!(std::fs::read(bench.work().join("data")).unwrap()[..2], [0xca, 0xac]);
}

#[test]
fn fio_option_verify_interval() {
    let bench = Bench::new();
    // An I/O that it does not divide has one header, as in fio.
    for (interval, headers) in [("512", 128), ("1k", 64), ("80", 16), ("3k", 16), ("8k", 16)] {
        check(&bench, &format!("--rw=write --verify_interval={interval}")).0.exits_with(0);
        let bytes = std::fs::read(bench.work().join("data")).unwrap();
        let found = bytes.chunks(512).filter(|sector| sector[..4] == [0xca, 0xac, 5, 0]).count();
        assert_eq!(found, headers, "{interval}");
    }
    // Each part is reported separately.
    check(&bench, "--rw=write --verify_interval=1k").0.exits_with(0);
    spoil(&bench, 4_096 + 2_048 + 600);
    let (outcome, _) = check(&bench, "--rw=read --verify_interval=1k");
    outcome.exits_with(1).complains(&["@verify-failed-first", "64", "6144, 1024", "flipped"]);
    refuses("--rw=write --size=4k --verify=md5 --verify_interval=79", &["verify_interval=79"]);
    let short = "--rw=write --size=4k --bs=96 --verify=sha256";
    refuses(short, &["verify=sha256", "104 bytes", "96"]);
}

#[test]
fn fio_option_verify_offset() {
    let bench = Bench::new();
    check(&bench, "--rw=write --verify_offset=1000").0.exits_with(0);
    let bytes = std::fs::read(bench.work().join("data")).unwrap();
    assert!(bytes.chunks(4_096).all(|block| block[1_000..1_004] == [0xca, 0xac, 5, 0]));
    check(&bench, "--rw=read --verify_offset=1000").0.exits_with(0);
    check(&bench, "--rw=read --verify_offset=2000").0.exits_with(1);
    if let Some(theirs) = bench.debian_fio(&format!("{FILE} --rw=read --verify_offset=1000")) {
        theirs.exits_with(0);
    }
    for offset in ["40", "4053"] {
        let line = format!("--rw=write --size=4k --verify=crc32c --verify_offset={offset}");
        refuses(&line, &[&format!("verify_offset={offset}"), "44", "4,052"]);
    }
}

#[test]
fn fio_option_verify_only() {
    let bench = Bench::new();
    for rw in ["write", "randwrite --norandommap=1", "randrw"] {
        check(&bench, &format!("--rw={rw} --do_verify=0")).0.exits_with(0);
        let before = std::fs::read(bench.work().join("data")).unwrap();
        let (outcome, job) = check(&bench, &format!("--rw={rw} --verify_only"));
        outcome.exits_with(0);
        assert_eq!(number(&job["write"]["total_ios"]), 0);
        let verified = &job["cardiograph"]["verify"];
        assert_eq!(number(&job["read"]["total_ios"]), number(&verified["blocks"]), "{rw}");
        assert!(number(&verified["blocks"]) >= 6 && verified["bad_blocks"] == 0, "{rw}: {verified}");
        assert!(std::fs::read(bench.work().join("data")).unwrap() == before, "nothing is written");
    }
    check(&bench, "--rw=write --do_verify=0").0.exits_with(0);
    spoil(&bench, 5 * 4_096 + 99);
    let (outcome, job) = check(&bench, "--rw=randwrite --verify_only");
    outcome.exits_with(1).complains(&["@verify-failed-first", "16", "20480, 4096", "flipped"]);
    let verify = &job["cardiograph"]["verify"];
    assert_eq!((&verify["kinds"]["flipped"], &verify["first"]["offset"]), (&1.into(), &20_480.into()));
    // There must be something to check, and the file is not created.
    refuses(
        "--ioengine=psync --filename=none --size=64k --rw=write --verify=md5 --verify_only",
        &["none ", "@jobs-problem-of-job.nothing-to-verify"],
    );
    let outcome = bench.fio("--name=a --filename=data --size=128k --rw=write --verify=md5 --verify_only");
    outcome.exits_with(1).complains(&["@jobs-problem-of-job.too-short-to-verify", "65,536", "131,072"]);
    assert_eq!(std::fs::metadata(bench.work().join("data")).unwrap().len(), 65_536);
    let Some(theirs) = bench.debian_fio(&format!("{FILE} --rw=write --do_verify=0")) else { return };
    theirs.exits_with(0);
    check(&bench, "--rw=write --verify_only").0.exits_with(0);
}

/// The directions of a job's I/Os in the order of their completion: 0 reads, 1 writes.
fn directions(bench: &Bench, options: &str) -> Vec<u64> {
    let line = format!("--rw=randwrite --bs=4k --size=48k --verify=crc32c {options}");
    bench.ios(&line).iter().map(|io| io.direction).collect()
}

#[test]
fn fio_option_verify_backlog() {
    let bench = Bench::new();
    for (depth, backlog) in [(1, 4), (1, 5), (8, 4), (8, 12)] {
        let found = directions(&bench, &format!("--iodepth={depth} --verify_backlog={backlog}"));
        let mut expected = Vec::new();
        for written in (0..12).step_by(backlog) {
            let part = backlog.min(12 - written);
            expected.extend([vec![1; part], vec![0; part]].concat());
        }
        assert_eq!(found, expected, "{depth} {backlog}");
    }
    // Without checks there are none between writes, as in fio.
    assert_eq!(directions(&bench, "--verify_backlog=4 --do_verify=0"), [1; 12]);
    // Each read back is at the offset of its write.
    let ios = bench.ios("--rw=randwrite --bs=4k --size=48k --verify=crc32c --verify_backlog=4");
    for part in ios.chunks(8) {
        let offsets = |ios: &[LogLine]| ios.iter().map(|io| io.offset_bytes).collect::<Vec<_>>();
        assert_eq!(offsets(&part[..4]), offsets(&part[4..]));
    }
}

#[test]
fn fio_option_verify_backlog_batch() {
    let bench = Bench::new();
    let found = directions(&bench, "--verify_backlog=4 --verify_backlog_batch=1");
    assert_eq!(found, [&[1, 1, 1, 1, 0].repeat(3)[..], &[0; 9]].concat());
    // Only existing writes can be checked.
    let found = directions(&bench, "--verify_backlog=4 --verify_backlog_batch=8");
    assert_eq!(found, [1, 1, 1, 1, 0, 0, 0, 0].repeat(3));
}

#[test]
fn fio_option_verify_dump() {
    let bench = Bench::new();
    let read_block = |bench: &Bench| std::fs::read(bench.work().join("data")).unwrap()[4_096..8_192].to_vec();
    check(&bench, "--rw=write --do_verify=0").0.exits_with(0);
    let written = read_block(&bench);
    spoil(&bench, 4_096 + 700);
    let files = ["data.4096.received", "data.4096.expected"].map(|file| bench.work().join(file));
    check(&bench, "--rw=read --verify_dump=0").0.exits_with(1);
    assert!(!files.iter().any(|file| file.exists()));
    let (outcome, _) = check(&bench, "--rw=read --verify_dump=1");
    outcome.exits_with(1).complains(&["data.4096.received", "data.4096.expected"]);
    assert!(std::fs::read(&files[0]).unwrap() == read_block(&bench));
    assert!(std::fs::read(&files[1]).unwrap() == written);
}

#[test]
fn the_fate_of_a_bad_block_is_reported() {
    let bench = Bench::new();
    let model = |fault: &str| {
        let text = format!("{PLAIN}\n[[faults]]\n{fault}\n");
        bench.file("faulty.toml", &text).display().to_string()
    };
    // One write lays out the file; the 84th write of the job is the 20th of its second pass.
    for (fault, kind, found) in [
        ("kind = \"lost_write\"", "stale", "write 19"),
        ("kind = \"torn_write\"", "torn", "write 19 from byte 2048 on"),
        ("kind = { bit_flip = { bit = 8000 } }", "flipped", "1 bit differs"),
        // The next write overwrites its wrong place.
        ("kind = { misdirect = { by_bytes = 4096 } }", "stale", "write 19"),
    ] {
        let model = model(&format!("{fault}\non = \"write\"\nnth = 85"));
        let line =
            format!("--name=job --output-format=json --ioengine=sim --sim_model={model} --bs=4k --size=256k");
        let outcome = bench.fio(&format!("{line} --rw=write --loops=2 --verify=md5")).exits_with(1);
        let json: Value = serde_json::from_str(&outcome.stdout).unwrap();
        let verify = &json["jobs"][0]["cardiograph"]["verify"];
        let first = &verify["first"];
        assert_eq!((&first["kind"], &first["offset"]), (&kind.into(), &77_824.into()), "{fault}: {first}");
        assert!(first["found"].as_str().unwrap().contains(found), "{fault}: {first}");
        // The pass before was read back first.
        assert_eq!(verify["kinds"][kind], 1, "{fault}");
    }
}

#[test]
fn each_program_can_check_what_the_other_wrote() {
    let bench = Bench::new();
    let (outcome, _) = check(&bench, "--rw=randwrite --do_verify=0");
    outcome.exits_with(0);
    let Some(theirs) = bench.debian_fio(&format!("{FILE} --rw=read")) else {
        return skip("blocks of verify=crc32c read by fio", "fio is not installed");
    };
    let theirs = json_of(&theirs.exits_with(0));
    assert_eq!(
        (&theirs["jobs"][0]["error"], &theirs["jobs"][0]["read"]["total_ios"]),
        (&0.into(), &16.into())
    );
    bench.debian_fio(&format!("{FILE} --rw=randwrite --do_verify=0")).unwrap().exits_with(0);
    let (outcome, job) = check(&bench, "--rw=randread");
    outcome.exits_with(0);
    assert_eq!(job["read"]["total_ios"], 16);
    spoil(&bench, 40_000);
    assert_eq!(check(&bench, "--rw=read").1["error"], 84);
    assert_eq!(bench.debian_fio(&format!("{FILE} --rw=read")).unwrap().status.code(), Some(1));
}

#[test]
fn fio_option_do_verify() {
    let bench = Bench::new();
    let (_, with) = check(&bench, "--rw=write --do_verify=1");
    assert_eq!((number(&with["write"]["total_ios"]), number(&with["read"]["total_ios"])), (16, 16));
    let (_, without) = check(&bench, "--rw=write --do_verify=0");
    assert_eq!((number(&without["write"]["total_ios"]), number(&without["read"]["total_ios"])), (16, 0));
    // The headers are there, and can be checked later.
    check(&bench, "--rw=read").0.exits_with(0);
    spoil(&bench, 100);
    check(&bench, "--rw=read").0.exits_with(1);
}

#[test]
fn fio_option_verify_fatal() {
    let bench = Bench::new();
    check(&bench, "--rw=write").0.exits_with(0);
    [3, 9].into_iter().for_each(|block| spoil(&bench, block * 4_096 + 500));
    for (option, ios) in [("", 16), ("--verify_fatal=0", 16), ("--verify_fatal=1", 4)] {
        let (outcome, job) = check(&bench, &format!("--rw=read {option}"));
        assert_eq!((number(&job["read"]["total_ios"]), &job["error"]), (ios, &84.into()), "{option}");
        // The first is reported either way.
        outcome.exits_with(1).complains(&["@verify-failed-first", "12288"]);
    }
}

const STATE: &str = "local-job-0-verify.state";

#[test]
fn fio_option_verify_state_save() {
    let bench = Bench::new();
    for (option, is_saved) in [("verify_state_save=0", false), ("verify_only", false), ("loops=1", true)] {
        check(&bench, &format!("--rw=write --{option}")).0.exits_with(0);
        assert_eq!(bench.work().join(STATE).exists(), is_saved, "{option}");
    }
    // A foreign file with its name stays.
    std::fs::write(bench.work().join(STATE), "x").unwrap();
    check(&bench, "--rw=write").0.complains(&[STATE, "@verify-state.foreign"]);
}

#[test]
fn fio_option_verify_state_load() {
    let written = |rw| format!("{FILE} --rw={rw} --number_ios=5 --do_verify=0");
    let load = |options: &str| format!("{FILE} --verify_state_load=1 --rw={options}");
    // Damage in the five written blocks is found. Nothing behind them is checked.
    for (rw, options, spoiled, exit) in [
        ("write", "write --verify_only", 16_500, 1),
        ("write", "write --verify_only", 20_500, 0),
        ("write", "read", 16_500, 1),
        ("randwrite", "randread", 65_500, 1),
        ("randwrite", "randwrite --verify_only", 4_000, 0),
    ] {
        let bench = Bench::new();
        bench.fio(&written(rw)).exits_with(0);
        spoil(&bench, spoiled);
        let outcome = bench.fio(&load(options)).exits_with(exit);
        assert_eq!(json_of(&outcome)["jobs"][0]["read"]["total_ios"], 5, "{options}");
    }
    let bench = Bench::new();
    let sequential = load("write --verify_only");
    bench.fio(&written("write")).exits_with(0);
    if let Some(theirs) = bench.debian_fio(&sequential) {
        theirs.exits_with(0);
        bench.debian_fio(&written("write")).unwrap().exits_with(0);
        bench.fio(&sequential).exits_with(0);
    }
    bench.fio(&load("randread")).exits_with(1).complains(&[STATE, "@verify-state.other-job"]);
    std::fs::write(bench.work().join(STATE), "x").unwrap();
    bench.fio(&sequential).exits_with(1).complains(&[STATE, "@verify-state.damaged"]);
    std::fs::remove_file(bench.work().join(STATE)).unwrap();
    bench.fio(&sequential).exits_with(1).complains(&[STATE, "No such file"]);
}

#[test]
fn fio_option_experimental_verify() {
    let job = check(&Bench::new(), "--rw=randwrite --experimental_verify=1").1;
    assert_eq!(job["read"]["total_ios"], 16);
}

#[test]
fn no_state_is_saved_for_files_that_are_looked_up_late() {
    let bench = Bench::new();
    let jobs = |more: &str| {
        format!(
            "[global]\nioengine=psync\nbs=4k\nfilename=data\ncreate_serialize=0\n[a]\nrw=write\nsize=64k\nfallocate=none\n\
             [b]\nstonewall\nrw=randwrite\nverify=crc32c\n{more}"
        )
    };
    bench.file("late.fio", &jobs(""));
    bench.fio("late.fio").exits_with(0);
    assert!(!bench.work().join("local-b-1-verify.state").exists());
    bench.file("late.fio", &jobs("verify_only=1\nverify_state_load=1\n"));
    bench.fio("late.fio").exits_with(1).complains(&["local-b-1-verify.state", "create_serialize=0"]);
}
