//! What cannot be followed: exactly these messages, exit status 1, nothing on standard output, nothing done on the disk.
//!
//! The cases are files in `tests/bad_input`: job files (`*.fio`) with what they bring to standard error (`*.stderr`), and
//! command lines with the same in `commands.txt`. With `UPDATE_GOLDEN=1` in the environment the expected texts are
//! written anew: look at the difference before you commit it.

mod common;

use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};

use common::{Bench, Outcome, PROGRAM, entries, run};

fn cases() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bad_input")
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
