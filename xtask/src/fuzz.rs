//! `cargo xtask fuzz`: fuzzes what reads fio's job files, command lines, patterns and recordings, and the registers of
//! cards, on the stable toolchain.
//!
//! libFuzzer is built by `libfuzzer-sys`, which needs a C++ compiler. What it asks of rustc, counters on each edge, is a
//! pass of LLVM that stable options switch on. A look at comparisons could be had in the same way; it makes the program
//! five times as slow, and a dictionary made of the option tables finds more.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode};

use cardiograph_core::options::{ENGINES, OPTIONS, OptionKind};

use crate::workspace::{self, stdout_of};

const USAGE: &str = "Usage: cargo xtask fuzz [--seconds N] [--seed N] [TARGET...]; targets are: jobfile, cmdline, pattern, iolog, registers, import";
/// The targets: programs of the package `fuzz`, each with a corpus of its name.
const TARGETS: [&str; 6] = ["jobfile", "cmdline", "pattern", "iolog", "registers", "import"];
const SECONDS: u32 = 60;
/// An input that takes longer hangs, in seconds.
const HANG_S: u32 = 20;
/// An input that takes more memory fails, in MiB.
const MEMORY_MIB: u32 = 1_024;
/// Inputs are no longer than this, in bytes.
const INPUT_LEN_BYTES_MAX: u32 = 4_096;
/// What makes rustc count edges for libFuzzer.
const COVERAGE: [&str; 6] = [
    "--cfg=fuzzing",
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Ccodegen-units=1",
];
/// Pieces of job files and command lines that are in no table.
const PIECES: [&str; 49] = [
    "[global]",
    "[a]",
    "include ",
    "${X}",
    "${",
    "$ncpus",
    "$pagesize",
    "$mb_memory",
    "(1g/4)",
    "^2",
    "0x",
    "4kk",
    "4kib",
    "%",
    "-1",
    "1e4",
    "99999999999999999999",
    "18446744073709551615",
    "9223372036854775807",
    ":",
    ",8k,",
    "1k-4k",
    "4k/60:64k/40",
    "old:empty",
    "/dev/sdx",
    "inc",
    "one.fio",
    "two.fio",
    "--",
    "--name=",
    "--section=",
    "\\n",
    "=",
    "500ms",
    "fio version 2 iolog\\n",
    "fio version 3 iolog\\n",
    " add\\n",
    " open\\n",
    " datasync ",
    " wait ",
    "cid=",
    "csd=",
    "scr=",
    "ssr=",
    "rev=",
    "life_time=",
    "pre_eol_info=",
    "cmdq_en=",
    "0x0b ",
];

/// Fuzzes all targets, or those that are named, at once.
pub fn run(words: &[&str]) -> Result<ExitCode, String> {
    let Arguments { seconds, seed, targets } = arguments(words)?;
    let place = Place { directory: workspace::target_directory()?.join("fuzz"), triple: host()? };
    place.build()?;
    let dictionary = place.directory.join("dictionary");
    fs::create_dir_all(&place.directory)
        .and_then(|()| fs::write(&dictionary, dictionary_text()))
        .map_err(|error| format!("{}: {error}", dictionary.display()))?;
    let mut runs = Vec::new();
    for target in targets {
        runs.push((target, place.start(target, seconds, seed, &dictionary)?));
    }
    let mut failures = Vec::new();
    for (target, mut child) in runs {
        let status = child.wait().map_err(|error| format!("{target}: {error}"))?;
        let said = fs::read_to_string(place.log(target)).unwrap_or_default();
        if status.success() {
            println!("{target}: {}", summary(&said));
        } else {
            failures.push(format!("{target} failed ({status}):\n{}", end_of(&said)));
        }
    }
    if failures.is_empty() { Ok(ExitCode::SUCCESS) } else { Err(failures.join("\n\n")) }
}

/// What was asked for.
#[derive(Debug, PartialEq, Eq)]
struct Arguments<'w> {
    seconds: u32,
    /// The same seed tries the same inputs; `None` tries others each time.
    seed: Option<u32>,
    targets: Vec<&'w str>,
}

fn arguments<'w>(words: &[&'w str]) -> Result<Arguments<'w>, String> {
    let mut asked = Arguments { seconds: SECONDS, seed: None, targets: Vec::new() };
    let mut words = words.iter();
    // To libFuzzer, a seed of 0 is none, and a time of 0 no end.
    let number = |word: Option<&&str>| word.and_then(|text| text.parse().ok()).filter(|&number| number > 0);
    while let Some(&word) = words.next() {
        match word {
            "--seconds" => asked.seconds = number(words.next()).ok_or(USAGE)?,
            "--seed" => asked.seed = Some(number(words.next()).ok_or(USAGE)?),
            target if TARGETS.contains(&target) => asked.targets.push(target),
            _ => return Err(USAGE.to_string()),
        }
    }
    if asked.targets.is_empty() {
        asked.targets = TARGETS.to_vec();
    }
    Ok(asked)
}

/// Where everything lies.
struct Place {
    /// Below the target directory of the workspace.
    directory: PathBuf,
    /// The machine's own target. It is named to cargo so that build scripts are not built for the fuzzer.
    triple: String,
}

impl Place {
    fn build(&self) -> Result<(), String> {
        let mut build = workspace::cargo();
        build.args([
            "build",
            "--release",
            "--locked",
            "--manifest-path",
            "fuzz/Cargo.toml",
            "--target",
            &self.triple,
        ]);
        build.arg("--target-dir").arg(self.directory.join("build"));
        build.env("CARGO_ENCODED_RUSTFLAGS", COVERAGE.join("\x1f")).env_remove("RUSTFLAGS");
        let status = build.status().map_err(|error| format!("cargo cannot be started: {error}"))?;
        let failure = "the fuzz targets cannot be built; they need a C++ compiler, as Debian's g++";
        if status.success() { Ok(()) } else { Err(failure.to_string()) }
    }

    /// Starts a target on its corpus. What it finds new goes below the target directory and is used the next time.
    fn start(
        &self,
        target: &str,
        seconds: u32,
        seed: Option<u32>,
        dictionary: &Path,
    ) -> Result<Child, String> {
        let error = |error: std::io::Error| format!("{target}: {error}");
        let (found, failed) =
            (self.directory.join("found").join(target), self.directory.join("failed").join(target));
        for directory in [&found, &failed] {
            fs::create_dir_all(directory).map_err(error)?;
        }
        let log = fs::File::create(self.log(target)).map_err(error)?;
        let program = self.directory.join("build").join(&self.triple).join("release").join(target);
        Command::new(program)
            .arg(format!("-max_total_time={seconds}"))
            .args(seed.map(|seed| format!("-seed={seed}")))
            .arg(format!("-timeout={HANG_S}"))
            .arg(format!("-rss_limit_mb={MEMORY_MIB}"))
            .arg(format!("-max_len={INPUT_LEN_BYTES_MAX}"))
            .arg(format!("-dict={}", dictionary.display()))
            .arg(format!("-artifact_prefix={}/", failed.display()))
            .args(["-print_final_stats=1", "-verbosity=1"])
            .arg(found)
            .arg(workspace::root().join("fuzz/corpus").join(target))
            .stderr(log)
            .spawn()
            .map_err(error)
    }

    fn log(&self, target: &str) -> PathBuf {
        self.directory.join(format!("{target}.log"))
    }
}

fn host() -> Result<String, String> {
    let mut rustc = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    let said = stdout_of(rustc.arg("-vV"))?;
    let host = said.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_string).ok_or_else(|| format!("rustc names no host: {said}"))
}

/// Names of options, words that they take and pieces, each in quotes and in a line of its own.
fn dictionary_text() -> String {
    let mut pieces: BTreeSet<String> = PIECES.map(str::to_string).into();
    for def in OPTIONS {
        pieces.extend(def.names().map(|name| format!("{name}=")));
        if let OptionKind::Word(words) | OptionKind::WordWithArguments(words) = def.kind {
            pieces.extend(words.iter().map(ToString::to_string));
        }
    }
    pieces.extend(ENGINES.iter().map(|engine| engine.name.to_string()));
    let quoted = |piece: &String| format!("\"{}\"\n", piece.replace("\\n", "\\x0a"));
    pieces.iter().filter(|piece| !piece.is_empty()).map(quoted).collect()
}

/// How much was tried.
fn summary(said: &str) -> String {
    let figure = |name: &str| {
        let line = said.lines().rev().find_map(|line| line.strip_prefix(name));
        line.map_or("an unknown number of", str::trim).to_string()
    };
    let last = said.lines().rev().find(|line| line.contains(" cov: "));
    let edges = last.and_then(|line| line.split(" cov: ").nth(1)?.split_whitespace().next());
    format!(
        "{} inputs, none of which failed; {} edges of the program reached",
        figure("stat::number_of_executed_units:"),
        edges.unwrap_or("an unknown number of")
    )
}

/// The last lines, in which libFuzzer tells what failed and where it saved the input.
fn end_of(said: &str) -> String {
    let lines: Vec<&str> = said.lines().collect();
    lines[lines.len().saturating_sub(60)..].join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_a_time_and_targets() {
        let asked = |seconds, seed, targets| Ok(Arguments { seconds, seed, targets });
        assert_eq!(arguments(&[]), asked(60, None, TARGETS.to_vec()));
        assert_eq!(
            arguments(&["--seed", "7", "--seconds", "5", "cmdline"]),
            asked(5, Some(7), vec!["cmdline"])
        );
        for wrong in
            [&["--seconds"][..], &["--seconds", "0"], &["--seconds", "x"], &["--seed", "0"], &["jobfiles"]]
        {
            assert_eq!(arguments(wrong), Err(USAGE.to_string()), "{wrong:?}");
        }
    }

    #[test]
    fn each_target_has_a_corpus_and_a_program() {
        let directory = workspace::root().join("fuzz");
        for target in TARGETS {
            assert!(directory.join("targets").join(format!("{target}.rs")).is_file(), "{target}");
            assert!(fs::read_dir(directory.join("corpus").join(target)).unwrap().count() > 5, "{target}");
        }
    }

    #[test]
    fn the_dictionary_is_one_of_libfuzzer() {
        let text = dictionary_text();
        assert!(
            text.contains("\"blocksize=\"\n")
                && text.contains("\"randread\"\n")
                && text.contains("\"\\x0a\"\n")
        );
        for line in text.lines() {
            let piece = line.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
            assert!(piece.is_some_and(|piece| !piece.is_empty() && !piece.contains('"')), "{line}");
        }
    }

    #[test]
    fn what_libfuzzer_says_is_summed_up() {
        let said = "#2 INITED cov: 7 ft: 7\n#9 DONE   cov: 10 ft: 10 corp: 4/13b\nstat::number_of_executed_units: 43103783\n";
        assert_eq!(summary(said), "43103783 inputs, none of which failed; 10 edges of the program reached");
        assert!(summary("").starts_with("an unknown number"));
    }
}
