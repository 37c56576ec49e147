//! Standard output and standard error under fio's name. Clients merge the two, or stop at the first byte on standard error.

use crate::common::fio::{debian_fio_version, is_compared, json_of};
use crate::common::{Bench, Outcome, run};

/// Command lines that succeed, with the words of their notes, if any. fio prints nothing to standard error for any of
/// them.
const QUIET: [(&str, &[&str]); 11] = [
    ("--ioengine=psync --size=8k", &[]),
    ("--ioengine=psync --size=64k --iodepth=8 --rw=randread", &[]),
    ("--ioengine=null --size=64k --max-jobs=3", &["'--max-jobs'", "@fio-program.max-jobs"]),
    ("--ioengine=null --size=64k --alloc-size=1000", &["'--alloc-size'", "@fio-program.alloc-size"]),
    ("--ioengine=null --size=64k --thread", &["'thread'", "@jobs-hint.thread"]),
    ("--ioengine=null --size=64k --clocksource=clock_gettime", &["clocksource"]),
    ("--ioengine=null --size=64k --thinktime_blocks=10", &["'thinktime_blocks=10'"]),
    ("--ioengine=null --size=64k --filename=~/x", &["@fio-option.tilde", "'filename'"]),
    ("--ioengine=psync --size=64k --filename=short", &[EXTENDED, "9 B", "64 KiB"]),
    ("--ioengine=psync --size=64k --rw=write --verify=md5 --bsrange=4k-8k --norandommap", &[]),
    ("--ioengine=null --size=64k --thread --max-jobs=3", &["'thread'", "'--max-jobs'"]),
];

const EXTENDED: &str = "@prepare-note-continued";

/// Runs a line under the name fio.
fn called_fio(bench: &Bench, line: &str) -> Outcome {
    bench.file("short", "too short");
    run(bench.called_fio(line.split_whitespace()))
}

#[test]
fn standard_error_is_silent_on_success_and_notes_stand_in_the_results() {
    for (line, words) in QUIET {
        let bench = Bench::new();
        let line = format!("--name=job {line}");
        // In the text, after fio's own output.
        let outcome = called_fio(&bench, &line).exits_with(0);
        outcome.notes(words);
        let first = outcome.stdout.find("\ncardiograph: note: ");
        assert_eq!(first.is_some(), !words.is_empty(), "{line}\n{}", outcome.stdout);
        let behind = first.map_or("", |first| outcome.stdout[first..].trim());
        assert!(behind.lines().all(|line| line.starts_with("cardiograph: note: ")), "{behind}");
        // In the JSON, which has no blank lines, because some readers stop at one.
        for format in ["json", "json+"] {
            let outcome = called_fio(&bench, &format!("{line} --output-format={format}")).exits_with(0);
            if !words.contains(&EXTENDED) {
                outcome.notes(words);
            }
            assert!(!outcome.stdout.contains("\n\n"), "{line}\n{}", outcome.stdout);
            let own = &json_of(&outcome)["jobs"][0]["cardiograph"];
            assert!(own.get("notes").is_none_or(|notes| !notes.as_array().unwrap().is_empty()), "{own}");
        }
        // Terse output has no notes.
        let terse = called_fio(&bench, &format!("{line} --minimal")).exits_with(0);
        assert!(terse.stdout.lines().all(|line| line.starts_with("3;fio-")), "{}", terse.stdout);
        assert_eq!(terse.stderr, "");
    }
}

#[test]
fn fio_is_equally_silent() {
    if debian_fio_version().is_none() {
        return cardiograph_testing::skip("fio_streams: fio's own streams", "fio is not installed");
    }
    for (line, _) in QUIET {
        let bench = Bench::new();
        bench.file("short", "too short");
        let outcome = bench.debian_fio(&format!("--name=job {line}")).unwrap().exits_with(0);
        // It warns about this one.
        let is_warned = line.contains("--norandommap");
        assert_eq!(outcome.stderr.contains("norandommap"), is_warned, "{line}\n{}", outcome.stderr);
        assert!(is_warned || outcome.stderr.is_empty(), "{line}\n{}", outcome.stderr);
    }
    // With --warnings-fatal, exactly fio's warnings are fatal.
    let warned = [
        "--ioengine=null --size=64k --read_iolog=log --write_iolog=copy",
        "--ioengine=null --size=64k --time_based",
        "--ioengine=null --size=64k --rw=write --verify=md5 --numjobs=2 --filename=x",
        "--ioengine=null --size=64k --rw=read --verify=md5 --bssplit=4k/50:8k/50 --norandommap",
    ];
    let quiet = QUIET.iter().map(|(line, _)| *line);
    for line in quiet.chain(warned) {
        let line = format!("--warnings-fatal --name=job {line}");
        let in_place = |who: fn(&Bench, &str) -> Outcome| {
            let bench = Bench::new();
            bench.file("log", "fio version 2 iolog\na add\na open\na read 0 4096\na close\n");
            who(&bench, &line)
        };
        let ours = in_place(Bench::fio);
        let theirs = in_place(|bench, line| bench.debian_fio(line).unwrap());
        assert_eq!(ours.status.code(), theirs.status.code(), "{line}\n{}\n{}", ours.stderr, theirs.stdout);
    }
}

#[test]
fn notes_go_to_standard_error_where_somebody_asks() {
    let bench = Bench::new();
    let line = "--name=job --ioengine=null --size=64k --thread --max-jobs=3 --output-format=json";
    let by_option = bench.fio(&format!("{line} --notes")).exits_with(0);
    let mut command = bench.called_fio(line.split_whitespace());
    command.env("CARDIOGRAPH_NOTES", "stderr");
    let by_variable = run(command).exits_with(0);
    for outcome in [by_option, by_variable] {
        let json = json_of(&outcome);
        let notes = json["jobs"][0]["cardiograph"]["notes"].as_array().unwrap();
        let printed: Vec<String> =
            notes.iter().map(|note| format!("fio: note: {}", note.as_str().unwrap())).collect();
        assert_eq!(outcome.stderr.lines().collect::<Vec<_>>(), printed);
        assert_eq!(printed.len(), 2);
    }
}

#[test]
fn results_have_the_first_of_many_notes() {
    let bench = Bench::new();
    let jobs: String = (0..40).map(|job| format!("[j{job}]\nthread\n")).collect();
    bench.file("many.fio", &format!("[global]\nioengine=null\nsize=4k\n{jobs}"));
    let outcome = called_fio(&bench, "many.fio").exits_with(0);
    outcome.notes(&["many.fio:5:1: 'thread'", "24 ", "@fio-note.more"]);
    assert_eq!(outcome.stdout.matches("cardiograph: note: ").count(), 17);
    let outcome = called_fio(&bench, "many.fio --notes").exits_with(0);
    assert_eq!(outcome.stderr.lines().count(), 40);
}

#[test]
fn notes_follow_the_output_into_its_file() {
    let bench = Bench::new();
    let line = "--name=job --ioengine=null --size=64k --thread --output=out --output-format=json,normal";
    let outcome = called_fio(&bench, line).exits_with(0);
    assert_eq!(outcome.stdout + &outcome.stderr, "");
    let text = std::fs::read_to_string(bench.work().join("out")).unwrap();
    assert!(text.contains("        \"notes\" : [\n"), "{text}");
    assert!(text.lines().last().unwrap().starts_with("cardiograph: note: "), "{text}");
}

#[test]
fn a_failing_run_prints_its_notes_with_the_error() {
    let line = "--name=job --ioengine=null --size=64k --thread --cpus_allowed=8000";
    let outcome = called_fio(&Bench::new(), line).exits_with(1);
    outcome.complains(&["fio: note: ", "'thread'", "@fio-no-cpu"]);
}

/// Probes of clients (xfstests, blktests, ezfio and others) before they run anything, and fio's exit status.
const PROBES: [(&str, i32); 9] = [
    ("--version", 0),
    ("--warnings-fatal --showcmd probe.fio", 0),
    ("--warnings-fatal --parse-only probe.fio", 0),
    ("--parse-only --ioengine=libaio --name=x --filename=/dev/null --size=4096", 0),
    ("--showcmd", 0),
    ("--showcmd --name=x --size=4k --direct=7", 1),
    ("--showcmd --name=x --ioengine=rbd", 0),
    ("--warnings-fatal --showcmd --name=x --size=4k --verify=md5 --verify_async=1", 0),
    ("--warnings-fatal probe.fio", 1),
];

#[test]
fn probes_are_answered_in_silence() {
    for (line, status) in PROBES {
        let bench = Bench::new();
        bench.file("probe.fio", "[probe]\nioengine=null\nsize=4k\nthread\ntime_based\n");
        let ours = called_fio(&bench, line).exits_with(status);
        assert_eq!(ours.stderr.is_empty(), status == 0, "{line}\n{}", ours.stderr);
        if is_compared(line) {
            let theirs = run(bench.command("/usr/bin/fio", line.split_whitespace())).exits_with(status);
            assert_eq!(ours.stdout.lines().count(), theirs.stdout.lines().count(), "{line}\n{}", ours.stdout);
        }
    }
}

/// A client that probes before a test skips it rather than see it fail.
#[test]
fn a_probe_fails_where_the_job_cannot_run_here() {
    for words in ["--ioengine=rbd", "--zonemode=zbd", "--bsrange=4k-8k --bs_unaligned"] {
        let line = format!("--warnings-fatal --showcmd --name=x --size=64k {words}");
        called_fio(&Bench::new(), &line).exits_with(1).complains(&["@jobs-problem.refused"]);
    }
}
