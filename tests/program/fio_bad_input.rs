//! What cannot be followed: exactly these messages, exit status 1, nothing on standard output, nothing done on the disk.
//!
//! The cases are files in `tests/bad_input`: job files (`*.fio`) with what they bring to standard error (`*.stderr`), and
//! command lines with the same in `commands.txt`. With `UPDATE_GOLDEN=1` in the environment the expected texts are
//! written anew: look at the difference before you commit it.

use std::ffi::OsString;
use std::fs::{self, File};
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};

use cardiograph_core::{JobSpec, Origin};
use cardiograph_fio::diagnostics;
use cardiograph_jobs::options::{self, ENGINES, OPTIONS, OptionDef, OptionKind, Status};
use cardiograph_jobs::resolve::{Diagnostic, Problem, ResolveContext, resolve};
use cardiograph_render::lang::Lang;

use crate::common::{Bench, Outcome, PROGRAM, entries, run};

fn cases() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/program/bad_input")
}

fn is_updating() -> bool {
    std::env::var_os("UPDATE_GOLDEN").is_some()
}

/// A place with all job files of the cases, and a directory `directory`.
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

/// Names and lengths of all files of a place.
fn contents(bench: &Bench) -> Vec<(String, u64)> {
    let below = |directory: &str| {
        let directory = bench.work().join(directory);
        let len = |name: &String| fs::symlink_metadata(directory.join(name)).unwrap().len();
        entries(&directory).into_iter().map(|name| (name.clone(), len(&name))).collect::<Vec<_>>()
    };
    [below("."), below("directory"), below("deeper")].concat()
}

/// What a command line says, which must be refused without a trace.
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

/// What a job file of this content says.
#[track_caller]
fn refused_file(content: &[u8]) -> String {
    let bench = Bench::new();
    fs::write(bench.work().join("t.fio"), content).unwrap();
    refused(&bench, &["t.fio".into()])
}

#[test]
fn job_files_that_cannot_be_followed() {
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
fn command_lines_that_cannot_be_followed() {
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
fn bytes_that_are_no_job_file() {
    let no_text = "not UTF-8 text, in which options and names are written";
    let zero = "a zero byte, which options cannot contain";
    let too_long = "this line is longer than 65,536 bytes; is this a job file?";
    let two_mb = |before: &str| [before.as_bytes(), &vec![b'x'; 2_000_000], b"\n"].concat();
    let cases: Vec<(Vec<u8>, String)> = vec![
        (b"[a]\nsize=1M\nfile\0name=x\n".to_vec(), format!("t.fio:3:5: {zero}")),
        (b"[a\0b]\nsize=1M\n".to_vec(), format!("t.fio:1:3: {zero}")),
        (vec![0; 4_096], format!("t.fio:1:1: {zero}")),
        (b"[a]\nsize=1M\ndescription=\xc3\xa9\xff\n".to_vec(), format!("t.fio:3:14: {no_text}")),
        (two_mb("[a]\nsize=1M\ndescription="), format!("t.fio:3:1: {too_long}")),
        (two_mb("["), format!("t.fio:1:1: {too_long}")),
        (two_mb(""), format!("t.fio:1:1: {too_long}")),
    ];
    for (content, expected) in cases {
        assert_eq!(refused_file(&content), format!("fio: {expected}\n"));
    }
    // A long comment is none of this.
    let bench = Bench::new();
    fs::write(bench.work().join("t.fio"), two_mb("[a]\nsize=1M\nioengine=null\n# ")).unwrap();
    run(bench.command(PROGRAM, ["fio", "t.fio"])).exits_with(0);
}

#[test]
fn files_without_end() {
    let bench = Bench::new();
    File::create(bench.work().join("t.fio")).unwrap().set_len(100 << 20).unwrap();
    let said = refused(&bench, &["t.fio".into()]);
    let expected = |path| {
        format!(
            "fio: word 1 of the command line: cannot read the job file '{path}': longer than 2 MiB, the limit for job files\n"
        )
    };
    assert_eq!(said, expected("t.fio"));
    let said = refused(&bench, &["/dev/zero".into()]);
    assert_eq!(said, expected("/dev/zero"));
    // Each file includes the next.
    for file in 0..40 {
        bench.file(&format!("i{file}"), &format!("include i{}\n", file + 1));
    }
    bench.file("deep.fio", "[a]\ninclude i0\n");
    let said = refused(&bench, &["deep.fio".into()]);
    let start = "fio: i31:1:1: more than 32 files include each other in a chain; does one include itself? (included at \
                 i30:1:1, i29:1:1, ";
    assert!(
        said.starts_with(start)
            && said.ends_with(", i0:1:1 and deep.fio:2:1)\n")
            && said.lines().count() == 1,
        "{said}"
    );
    bench.file("one", "bs=4k\n");
    bench.file("many.fio", &format!("[a]\n{}", "include one\n".repeat(1_500)));
    assert_eq!(refused(&bench, &["many.fio".into()]), "fio: many.fio:1002:1: more than 1,000 includes\n");
}

#[test]
fn errors_without_end_are_cut_off() {
    let said = refused_file(format!("[a]\nsize=1M\n{}", "nosuch=1\n".repeat(1_500)).as_bytes());
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines.len(), 1_001);
    assert_eq!(lines[999], "fio: t.fio:1002:1: unknown option 'nosuch'");
    assert_eq!(lines[1_000], "fio: t.fio:1003:1: more than 1,000 errors; the rest are not shown");
    let said = refused_file("[a]\nsize=1M\niodepth=0\n".repeat(1_500).as_bytes());
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines.len(), 1_001);
    assert_eq!(lines[999], "fio: t.fio:3000:1: job 'a': 'iodepth=0': must be between 1 and 32,768");
    assert_eq!(lines[1_000], "fio: there may be more errors; only these 1,000 are shown");
}

#[test]
fn a_job_file_on_standard_input_is_called_so() {
    let bench = Bench::new();
    let path = bench.file("t.fio", "[a]\nsize=1M\nblocksise=4k\nbs=4_000\n");
    let mut command = bench.command(PROGRAM, ["fio", "-"]);
    command.stdin(File::open(path).unwrap());
    let outcome = run(command).exits_with(1);
    assert_eq!(
        outcome.stderr,
        "fio: <stdin>:3:1: unknown option 'blocksise'; did you mean 'blocksize'?\nfio: <stdin>:4:1: job 'a': \
         'bs=4_000': unknown unit '_000'; try a size such as 4k, or two such as 4k,64k for reads and writes\n"
    );
}

/// An error in a file that several sections include is said once.
#[test]
fn an_error_in_a_file_that_is_included_twice_is_one() {
    let bench = Bench::new();
    bench.file("common", "nosuch=1\nbs=4_000\n");
    bench.file("t.fio", "[a]\ninclude common\n[b]\ninclude common\n");
    let said = refused(&bench, &["t.fio".into()]);
    assert_eq!(
        said,
        "fio: common:1:1: unknown option 'nosuch' (included at t.fio:2:1)\nfio: common:2:1: job 'a': 'bs=4_000': \
         unknown unit '_000'; try a size such as 4k, or two such as 4k,64k for reads and writes (included at t.fio:2:1)\n"
    );
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
            let expected = |align| {
                format!(
                    "fio: job 'a': direct I/O on {name} needs multiples of {align}, but {part} is {value}B: change \
                     it, or set direct=0\n"
                )
            };
            assert!(["512B", "4K"].map(expected).contains(&said), "{said}");
            assert_eq!(fs::read_to_string(&path).unwrap(), "x".repeat(4_000), "{words}");
        }
    }
}

/// Scripts ask in this way whether an engine is there.
#[test]
fn only_parsed_a_job_may_name_what_io_cannot_be_done_on() {
    let bench = Bench::new();
    let line = "--parse-only --name=check --ioengine=libaio --filename=/dev/null --size=4096";
    let outcome = bench.fio(line).exits_with(0);
    assert_eq!((outcome.stdout.as_str(), outcome.stderr.as_str()), ("", ""));
    bench.fio(&line.replace("libaio", "libaoi")).exits_with(1);
}

/// A value that an option takes, which asks for something and fares so.
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

/// What becomes of a job with this option.
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
                // It has one word, with which nothing is asked for.
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
