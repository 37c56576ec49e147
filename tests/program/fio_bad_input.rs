//! Wrong input: exactly these messages, exit status 1, nothing on standard output, nothing done on the disk.
//!
//! The cases are files in `bad_input`: job files (`*.fio`) with their standard error (`*.stderr`), and command lines with
//! theirs in `commands.txt`. With `UPDATE_GOLDEN=1` in the environment the expected texts are updated: look at the
//! difference before you commit it.

use std::ffi::OsString;
use std::fs::{self, File};
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};

use cardiograph_catalogue::english;
use cardiograph_core::{JobSpec, Origin, Parameter, message};
use cardiograph_fio::diagnostics;
use cardiograph_jobs::options::{self, ENGINES, OPTIONS, OptionDef, OptionKind, Status};
use cardiograph_jobs::resolve::{Diagnostic, Problem, ResolveContext, resolve};
use cardiograph_render::lang::Lang;

use crate::common::{Bench, Outcome, PROGRAM, entries, has_message, run};

fn cases() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/program/bad_input")
}

fn is_updating() -> bool {
    std::env::var_os("UPDATE_GOLDEN").is_some()
}

/// A bench with all job files of the cases, and a directory `directory`.
fn bench() -> Bench {
    let bench = Bench::new();
    fs::create_dir(bench.work().join("directory")).unwrap();
    fs::create_dir(bench.work().join("deeper")).unwrap();
    for name in entries(&cases()).into_iter().chain(["deeper/include".to_string()]) {
        let path = cases().join(&name);
        if path.is_file() && !name.ends_with(".stderr") && name != "commands.txt" {
            fs::copy(path, bench.work().join(name)).unwrap();
        }
    }
    bench
}

/// Names and lengths of all files of a bench.
fn contents(bench: &Bench) -> Vec<(String, u64)> {
    let below = |directory: &str| {
        let directory = bench.work().join(directory);
        let len = |name: &String| fs::symlink_metadata(directory.join(name)).unwrap().len();
        entries(&directory).into_iter().map(|name| (name.clone(), len(&name))).collect::<Vec<_>>()
    };
    [below("."), below("directory"), below("deeper")].concat()
}

/// The standard error of a command line, which must be refused without a trace.
#[track_caller]
fn refused(bench: &Bench, words: &[OsString]) -> String {
    let before = contents(bench);
    let words: Vec<OsString> = [OsString::from("fio")].into_iter().chain(words.iter().cloned()).collect();
    let outcome: Outcome = run(bench.command(PROGRAM, &words)).exits_with(1);
    assert_eq!(outcome.stdout, "", "{words:?}");
    assert_eq!(contents(bench), before, "{words:?} left something behind");
    assert!(outcome.stderr.lines().all(|line| line.starts_with("fio: ")), "{words:?}: {}", outcome.stderr);
    outcome.stderr
}

/// The standard error of a job file with this content, which must be refused.
#[track_caller]
fn refused_file(content: &[u8]) -> String {
    let bench = Bench::new();
    fs::write(bench.work().join("t.fio"), content).unwrap();
    refused(&bench, &["t.fio".into()])
}

#[test]
fn wrong_job_files_are_refused() {
    let bench = bench();
    let names: Vec<String> = entries(&cases()).into_iter().filter(|name| name.ends_with(".fio")).collect();
    assert!(names.len() > 10);
    for name in names.into_iter().filter(|name| name != "good.fio") {
        let said = refused(&bench, &[OsString::from(&name)]);
        let expected = cases().join(name.replace(".fio", ".stderr"));
        if is_updating() {
            fs::write(&expected, &said).unwrap();
        }
        assert_eq!(said, fs::read_to_string(&expected).unwrap_or_default(), "{name}");
    }
    run(bench.command(PROGRAM, ["fio", "good.fio"])).exits_with(0);
}

#[test]
fn wrong_command_lines_are_refused() {
    let bench = bench();
    let path = cases().join("commands.txt");
    let expected = fs::read_to_string(&path).unwrap();
    let mut found = String::new();
    let mut commands = 0;
    for line in expected.lines().filter(|line| !line.starts_with("fio: ")) {
        found.push_str(&format!("{line}\n"));
        if let Some(command) = line.strip_prefix('$') {
            found.push_str(&refused(&bench, &words(command)));
            commands += 1;
        }
    }
    assert!(commands > 80);
    if is_updating() {
        fs::write(&path, &found).unwrap();
        return;
    }
    for (found, expected) in found.lines().zip(expected.lines()) {
        assert_eq!(found, expected);
    }
    assert_eq!(found.lines().count(), expected.lines().count());
}

/// Words separated by blanks; `\ ` is a blank in a word, `\xff` the byte 255.
fn words(command: &str) -> Vec<OsString> {
    let blank = "\u{1}";
    let command = command.replace("\\ ", blank);
    let word = |word: &str| {
        let parts: Vec<Vec<u8>> =
            word.replace(blank, " ").split("\\xff").map(|part| part.as_bytes().to_vec()).collect();
        OsString::from_vec(parts.join(&0xff))
    };
    command.split_whitespace().map(word).collect()
}

#[test]
fn files_that_are_not_job_files_are_refused() {
    let [not_text, zero, too_long] = ["fio-file.not-text", "fio-file.zero-byte", "fio-file.line-too-long"];
    let two_mb = |before: &str| [before.as_bytes(), &vec![b'x'; 2_000_000], b"\n"].concat();
    let cases: [(Vec<u8>, &str, &str); 7] = [
        (b"[a]\nsize=1M\nfile\0name=x\n".to_vec(), "3:5", zero),
        (b"[a\0b]\nsize=1M\n".to_vec(), "1:3", zero),
        (vec![0; 4_096], "1:1", zero),
        (b"[a]\nsize=1M\ndescription=\xc3\xa9\xff\n".to_vec(), "3:14", not_text),
        (two_mb("[a]\nsize=1M\ndescription="), "3:1", too_long),
        (two_mb("["), "1:1", too_long),
        (two_mb(""), "1:1", too_long),
    ];
    for (content, place, problem) in cases {
        let said = refused_file(&content);
        let is_refused = said.starts_with(&format!("fio: t.fio:{place}: ")) && has_message(&said, problem);
        assert!(is_refused && said.lines().count() == 1, "{place} {problem}: {said}");
    }
    // A long comment is accepted.
    let bench = Bench::new();
    fs::write(bench.work().join("t.fio"), two_mb("[a]\nsize=1M\nioengine=null\n# ")).unwrap();
    run(bench.command(PROGRAM, ["fio", "t.fio"])).exits_with(0);
}

#[test]
fn endless_files_are_refused() {
    let bench = Bench::new();
    File::create(bench.work().join("t.fio")).unwrap().set_len(100 << 20).unwrap();
    for path in ["t.fio", "/dev/zero"] {
        let said = refused(&bench, &[path.into()]);
        let is_refused = has_message(&said, "fio-file.unreadable") && has_message(&said, "input-too-long");
        assert!(is_refused && said.contains(&format!("'{path}'")) && said.contains("2 MiB"), "{said}");
    }
    // Each file includes the next.
    for file in 0..40 {
        bench.file(&format!("i{file}"), &format!("include i{}\n", file + 1));
    }
    bench.file("deep.fio", "[a]\ninclude i0\n");
    let said = refused(&bench, &["deep.fio".into()]);
    assert!(
        said.starts_with("fio: i31:1:1: ")
            && has_message(&said, "fio-file.nested-too-deep")
            && said.contains(" i30:1:1, i29:1:1, ")
            && said.ends_with(", i0:1:1 and deep.fio:2:1)\n")
            && said.lines().count() == 1,
        "{said}"
    );
    bench.file("one", "bs=4k\n");
    bench.file("many.fio", &format!("[a]\n{}", "include one\n".repeat(1_500)));
    let said = refused(&bench, &["many.fio".into()]);
    assert!(said.starts_with("fio: many.fio:1002:1: "), "{said}");
    assert!(has_message(&said, "fio-file.too-many-includes") && said.contains("1,000"), "{said}");
}

#[test]
fn endless_errors_are_cut_off() {
    let said = refused_file(format!("[a]\nsize=1M\n{}", "nosuch=1\n".repeat(1_500)).as_bytes());
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines.len(), 1_001);
    assert!(lines[999].starts_with("fio: t.fio:1002:1: "), "{}", lines[999]);
    assert!(lines[1_000].starts_with("fio: t.fio:1003:1: "), "{}", lines[1_000]);
    assert!(has_message(lines[999], "jobs-problem.unknown-option"), "{}", lines[999]);
    assert!(has_message(lines[1_000], "fio-file.too-many-errors"), "{}", lines[1_000]);
    let said = refused_file("[a]\nsize=1M\niodepth=0\n".repeat(1_500).as_bytes());
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines.len(), 1_001);
    assert!(lines[999].starts_with("fio: t.fio:3000:1: job 'a': 'iodepth=0': "), "{}", lines[999]);
    assert!(has_message(lines[999], "jobs-value.out-of-range"), "{}", lines[999]);
    assert!(has_message(lines[1_000], "jobs-more-errors"), "{}", lines[1_000]);
}

#[test]
fn errors_in_a_job_file_on_standard_input_name_it() {
    let bench = Bench::new();
    let path = bench.file("t.fio", "[a]\nsize=1M\nblocksise=4k\nbs=4_000\n");
    let mut command = bench.command(PROGRAM, ["fio", "-"]);
    command.stdin(File::open(path).unwrap());
    let outcome = run(command).exits_with(1);
    let lines: Vec<&str> = outcome.stderr.lines().collect();
    assert!(lines[0].starts_with("fio: <stdin>:3:1: ") && lines[0].contains("'blocksise'"), "{lines:?}");
    assert!(lines[1].starts_with("fio: <stdin>:4:1: job 'a': 'bs=4_000': "), "{lines:?}");
    assert_eq!(lines.len(), 2, "{lines:?}");
}

/// An error in a file that several sections include is reported once.
#[test]
fn an_error_in_a_file_included_twice_is_reported_once() {
    let bench = Bench::new();
    bench.file("common", "nosuch=1\nbs=4_000\n");
    bench.file("t.fio", "[a]\ninclude common\n[b]\ninclude common\n");
    let said = refused(&bench, &["t.fio".into()]);
    let lines: Vec<&str> = said.lines().collect();
    assert!(lines[0].starts_with("fio: common:1:1: ") && lines[0].contains("'nosuch'"), "{said}");
    assert!(lines[1].starts_with("fio: common:2:1: job 'a': 'bs=4_000': "), "{said}");
    let are_included =
        lines.iter().all(|line| has_message(line, "fio-included") && line.ends_with(" t.fio:2:1)"));
    assert!(are_included && lines.len() == 2, "{said}");
}

#[test]
fn direct_io_of_odd_lengths_is_refused_before_anything_is_written() {
    let bench = Bench::new();
    let path = bench.file("old", &"x".repeat(4_000));
    for (options, part, value) in [
        ("--rw=read --bs=1000", "bs", "1000"),
        ("--rw=write --bs=1000", "bs", "1000"),
        ("--rw=randwrite --bs=64k --blockalign=1000", "blockalign", "1000"),
        ("--rw=write --bs=64k --offset=100", "offset", "100"),
    ] {
        for (file, name) in [("--filename=old", "old"), ("", "a.0.0")] {
            let words = format!("--name=a --size=640k --direct=1 {options} {file}");
            let probe = run(bench.command(PROGRAM, ["fio"].into_iter().chain(words.split_whitespace())));
            if probe.status.code() == Some(0) {
                return cardiograph_testing::skip(
                    "direct I/O of odd lengths",
                    "this file system does not refuse it",
                );
            }
            let said = refused(&bench, &words.split_whitespace().map(OsString::from).collect::<Vec<_>>());
            let expected = |align: u64| {
                let problem = message!(
                    "prepare-misaligned.direct",
                    job = "a",
                    path = name,
                    align = Parameter::BlockBytes(align),
                    part = part,
                    bytes = Parameter::BlockBytes(value.parse().unwrap())
                );
                said == format!("fio: {}\n", english(&problem))
            };
            assert!([512, 4_096].into_iter().any(expected), "{said}");
            assert_eq!(fs::read_to_string(&path).unwrap(), "x".repeat(4_000), "{words}");
        }
    }
}

/// Scripts check in this way whether an engine is available.
#[test]
fn parsing_accepts_targets_that_cannot_do_io() {
    let bench = Bench::new();
    let line = "--parse-only --name=check --ioengine=libaio --filename=/dev/null --size=4096";
    let outcome = bench.fio(line).exits_with(0);
    assert_eq!((outcome.stdout.as_str(), outcome.stderr.as_str()), ("", ""));
    bench.fio(&line.replace("libaio", "libaoi")).exits_with(1);
}

/// A value of an option that requests something and has this status.
fn value_of(def: &'static OptionDef, fares: Status) -> Option<&'static str> {
    const VALUES: [&str; 12] =
        ["1", "2", "3", "0", "100", "4k", "4k/50:8k/50", "1-2", "50:99", "1:2", "0.5", "text"];
    let words = match def.kind {
        OptionKind::Word(words) | OptionKind::WordWithArguments(words) => words,
        _ => &VALUES,
    };
    words.iter().copied().find(|value| {
        let is_value = def.kind.check(value, 1_024).is_ok();
        is_value && !options::asks_for_nothing(def, value) && options::status_of(def, value) == fares
    })
}

/// The problems of a job with this option.
fn resolved_with(def: &OptionDef, value: &str) -> Vec<Diagnostic> {
    let origin = Origin::CommandLine { word: 1 };
    let mut job = JobSpec::new("job", origin).set("size", "1M");
    if let Some(engine) = def.engines.first() {
        job = job.set("ioengine", engine);
    }
    job = job.set(def.name, value);
    resolve(&[job], &ResolveContext::new(1, 100_000_000)).err().unwrap_or_default()
}

#[test]
fn no_option_that_does_not_work_is_accepted() {
    let mut tried = 0;
    let mut check = |def: &'static OptionDef, status: Status, value: &str| {
        let Status::Refused { why } = status else { return };
        let found = resolved_with(def, value);
        let diagnostic = found
            .iter()
            .find(|found| found.setting.as_ref().is_some_and(|setting| setting.option == def.name));
        let diagnostic = diagnostic.unwrap_or_else(|| panic!("{}={value} is accepted: {found:?}", def.name));
        assert_eq!(diagnostic.problem, Problem::Refused { why }, "{}={value}", def.name);
        let message = Lang::EN.text(&diagnostics::message(diagnostic));
        assert!(message.contains(&format!("'{}={value}'", def.name)), "{message}");
        assert!(message.ends_with(&Lang::EN.text(why)), "{message}");
        tried += 1;
    };
    for def in OPTIONS.iter() {
        if !matches!(def.status, Status::Works { .. } | Status::Hint { .. }) {
            match (value_of(def, def.status), def.kind) {
                (Some(value), _) => check(def, def.status, value),
                // It has one word, which requests nothing.
                (None, OptionKind::Word([word])) => assert_eq!(*word, def.default, "{}", def.name),
                (None, _) => panic!("no value for {}", def.name),
            }
        }
        for own in def.words {
            own.words.iter().for_each(|word| check(def, own.status, word));
        }
    }
    let ioengine = options::find("ioengine").unwrap();
    ENGINES.iter().for_each(|engine| check(ioengine, engine.status, engine.name));
    assert!(tried > 190, "{tried}");
}
