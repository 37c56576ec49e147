//! Errors after which a job continues.

use std::os::unix::fs::FileExt;

use cardiograph_testing::{LoopMount, skip};
use serde_json::Value;

use super::ask::{line, number, refuses};
use crate::common::fio::PLAIN;
use crate::common::{Bench, Outcome};

/// Every read of the blocks 4 to 7 fails.
const BAD_SPOT: &str = "kind = 'eio'\non = 'read'\nstart_bytes = 16_384\nend_bytes = 32_768";

/// Runs a job of 16 blocks on the plain drive with a fault.
fn run(bench: &Bench, fault: &str, options: &str) -> Outcome {
    bench.file("faulty.toml", &format!("{PLAIN}\n[[faults]]\n{fault}\n"));
    bench.fio(&format!("--name=job --ioengine=sim --sim_model=faulty.toml --bs=4k --size=64k {options}"))
}

fn job_of(outcome: &Outcome) -> Value {
    let json: Value = serde_json::from_str(&outcome.stdout).unwrap();
    json["jobs"][0].clone()
}

/// The JSON of a job that must end with this exit status.
fn job(fault: &str, options: &str, status: i32) -> Value {
    let outcome = run(&Bench::new(), fault, &format!("--output-format=json {options}"));
    job_of(&outcome.exits_with(status))
}

/// `error`, `total_err` and `first_error`.
fn errors(job: &Value) -> (u64, Option<u64>, Option<u64>) {
    (number(&job["error"]), job["total_err"].as_u64(), job["first_error"].as_u64())
}

#[test]
fn fio_option_continue_on_error() {
    // By default the first error ends the job, and so does an error of another kind than those ignored.
    for (options, tally) in [
        ("", None),
        ("--continue_on_error=none", None),
        ("--continue_on_error=0", None),
        ("--continue_on_error=write", Some(0)),
        ("--continue_on_error=verify", Some(0)),
    ] {
        let ended = job(BAD_SPOT, &format!("--rw=read {options}"), 1);
        assert_eq!(errors(&ended), (5, tally, tally), "{options}");
        assert_eq!(number(&ended["read"]["total_ios"]), 4, "{options}");
    }
    for rw in ["read", "write"] {
        for word in [rw, "io", "all", "1"] {
            let fault = BAD_SPOT.replace("read", rw);
            let whole = job(&fault, &format!("--rw={rw} --continue_on_error={word}"), 0);
            assert_eq!(errors(&whole), (5, Some(4), Some(5)), "{rw} {word}");
            let figures = &whole[rw];
            assert_eq!(
                (number(&figures["total_ios"]), number(&figures["io_bytes"])),
                (12, 49_152),
                "{rw} {word}"
            );
            assert_eq!(number(&figures["clat_ns"]["N"]), 12, "what failed has no latency");
        }
    }
    refuses(
        "--rw=read --size=4k --continue_on_error=maybe",
        &["continue_on_error=maybe", "none, read, write, io"],
    );
}

#[test]
fn failed_ios_improve_no_figure() {
    let read = |options: &str| {
        job(BAD_SPOT, &format!("--rw=read --continue_on_error=read {options}"), 0)["read"].clone()
    };
    // The time of the four failed reads counts: 12 reads in 16 times 100 µs.
    let figures = read("");
    assert_eq!(number(&figures["runtime"]), 2);
    // At the end of the job, too.
    let at_the_end = "kind = 'eio'\non = 'read'\nstart_bytes = 32_768";
    let options = "--rw=read --continue_on_error=all --time_based --runtime=1 --bs=4k --io_size=1G";
    let half = job(at_the_end, options, 0)["read"].clone();
    assert_eq!(number(&half["runtime"]), 1_000);
    assert_eq!(number(&half["total_ios"]), 5_000);
    // If all fail, there is no speed.
    let none = job("kind = 'eio'\non = 'read'", "--rw=read --continue_on_error=all", 0);
    assert_eq!(errors(&none), (5, Some(16), Some(5)));
    assert_eq!((number(&none["read"]["total_ios"]), number(&none["read"]["bw_bytes"])), (0, 0));
    // A file that failed in part does not count as complete.
    let note = run(&Bench::new(), BAD_SPOT, "--rw=read --continue_on_error=all").exits_with(0);
    note.notes(&["@engine-note-went-on", "'job'", "4", "16384: Input/output error"]);
    note.says(&["err= 5 (read at 28672, error=Input/output error)"]);
    assert_eq!(line(&note.stdout, "errors"), "errors    : total=4, first_error=5/<Input/output error>");
    note.says(&["issued rwts: total=12,0,0,0 short=0,0,0,0"]);
}

#[test]
fn unwritten_blocks_are_not_read_back() {
    let line = "--rw=randwrite --verify=crc32c --continue_on_error=write";
    for fault in ["kind = 'eio'\non = 'write'\nnth = 3\ntimes = 5", "kind = 'eio'\non = 'write'\nnth = 16"] {
        let whole = job(fault, line, 0);
        let failed = whole["total_err"].as_u64().unwrap();
        assert_eq!(number(&whole["write"]["total_ios"]), 16 - failed);
        assert_eq!(number(&whole["read"]["total_ios"]), 16 - failed, "{fault}");
    }
    // Other damage is still found.
    let fault = "kind = 'eio'\non = 'write'\nnth = 3\n\n[[faults]]\nkind = 'corrupt'\non = 'write'\nnth = 9";
    let torn = job(fault, line, 1);
    assert_eq!(errors(&torn), (84, Some(1), Some(5)));
}

#[test]
fn jobs_can_continue_after_bad_blocks() {
    let bench = Bench::new();
    let line = "--name=job --ioengine=psync --bs=4k --size=64k --filename=data --verify=crc32c";
    bench.fio(&format!("{line} --rw=write --do_verify=0")).exits_with(0);
    let file = std::fs::File::options().write(true).open(bench.work().join("data")).unwrap();
    [10_000, 20_000, 60_000].into_iter().for_each(|at| file.write_all_at(b"spoiled", at).unwrap());
    let check = |options: &str, status: i32| {
        let outcome =
            bench.fio(&format!("{line} --rw=read --output-format=json {options}")).exits_with(status);
        job_of(&outcome)
    };
    let counted = check("", 1);
    assert_eq!(errors(&counted), (84, None, None));
    for word in ["verify", "all"] {
        let whole = check(&format!("--continue_on_error={word}"), 0);
        assert_eq!(errors(&whole), (84, Some(3), Some(84)), "{word}");
        assert_eq!(number(&whole["read"]["total_ios"]), 16, "the blocks were read");
    }
    assert_eq!(errors(&check("--continue_on_error=read", 1)), (84, Some(0), Some(0)));
    assert_eq!(errors(&check("--ignore_error=,,EILSEQ", 0)), (84, Some(3), Some(84)));
    // Other errors are fatal.
    let ended = check("--continue_on_error=verify --verify_fatal=1", 1);
    assert_eq!(number(&ended["error"]), 84);
    assert!(number(&ended["read"]["total_ios"]) < 16);
}

#[test]
fn a_truncated_file_fails_at_its_end() {
    for engine in ["psync", "libaio", "io_uring", "vsync"] {
        let read = |options: &str, status: i32| {
            let bench = Bench::new();
            let job = "[job]\nbs=4k\nsize=64k\nfilename=data\nrw=read\nexec_prerun=truncate -s 30k data";
            bench.file("jobs.fio", &format!("{job}\nioengine={engine}\n{options}\n"));
            job_of(&bench.fio("--output-format=json jobs.fio").exits_with(status))
        };
        let ended = read("", 1);
        // Half of the eighth block is there.
        assert_eq!(errors(&ended), (5, None, None), "{engine}");
        assert_eq!(
            (number(&ended["read"]["total_ios"]), number(&ended["read"]["short_ios"])),
            (8, 1),
            "{engine}"
        );
        let went_on = read("continue_on_error=read", 0);
        assert_eq!(errors(&went_on), (5, Some(8), Some(5)), "{engine}");
        assert_eq!(number(&went_on["read"]["io_bytes"]), 30 << 10, "{engine}");
    }
}

#[test]
fn fio_option_ignore_error() {
    let full = "kind = 'no_space'\non = 'write'\nnth = 5\ntimes = 2";
    // continue_on_error does not cover a full drive.
    for options in ["--continue_on_error=write", "--continue_on_error=all", "--ignore_error=,EIO"] {
        let ended = job(full, &format!("--rw=write {options}"), 1);
        assert_eq!(errors(&ended), (28, Some(1), Some(28)), "{options}");
    }
    for options in [
        "--ignore_error=,ENOSPC",
        "--ignore_error=,28",
        "--ignore_error=EIO,EIO:ENOSPC,EILSEQ",
        "--continue_on_error=read --ignore_error=,ENOSPC",
        "--ignore_error=,ENOSPC --continue_on_error=write",
    ] {
        let whole = job(full, &format!("--rw=write {options}"), 0);
        assert_eq!(errors(&whole), (28, Some(2), Some(28)), "{options}");
        assert_eq!(number(&whole["write"]["total_ios"]), 14, "{options}");
    }
    for options in [
        "--ignore_error=ENOSPC",
        "--ignore_error=,,ENOSPC",
        "--ignore_error=,ENOSPC --continue_on_error=none",
    ] {
        assert_eq!(errors(&job(full, &format!("--rw=write {options}"), 1)).0, 28, "{options}");
    }
    for (value, words) in [
        ("EFOO", "@jobs-value.unknown-errno"),
        ("EIO,EIO,EIO,EIO", "@jobs-value.too-many"),
        ("0", "@jobs-value.out-of-range"),
        (",", "@jobs-value.empty"),
    ] {
        refuses(&format!("--rw=read --size=4k --ignore_error={value}"), &["ignore_error", words]);
    }
}

#[test]
fn jobs_can_continue_on_a_full_file_system() {
    let Ok(mount) = LoopMount::new(&["mkfs.ext4", "-q"], 8 << 20, "") else {
        return skip("continuing on a full file system", "no loop mounts");
    };
    let bench = Bench::new();
    let line = format!(
        "--name=job --ioengine=psync --rw=write --bs=64k --size=32M --fallocate=none --filename={} --output-format=json",
        mount.path().join("file").display()
    );
    let whole = job_of(&bench.fio(&format!("{line} --ignore_error=,ENOSPC")).exits_with(0));
    let (failed, written) = (number(&whole["total_err"]), number(&whole["write"]["total_ios"]));
    assert_eq!((number(&whole["first_error"]), failed + written), (28, 512));
    assert!(failed > 384 && number(&whole["write"]["io_bytes"]) < 8 << 20, "{whole}");
}

#[test]
fn fio_option_error_dump() {
    let bench = Bench::new();
    let options = "--rw=read --continue_on_error=read";
    let quiet = run(&bench, BAD_SPOT, options).exits_with(0);
    let loud = run(&bench, BAD_SPOT, &format!("{options} --error_dump=1")).exits_with(0);
    for offset_bytes in [16_384, 20_480, 24_576, 28_672] {
        let error = format!("Input/output error: read offset={offset_bytes}, buflen=4096");
        assert_eq!(loud.stderr.matches(&error).count(), 1, "{}", loud.stderr);
        assert!(!quiet.stderr.contains(&error), "{}", quiet.stderr);
    }
}
