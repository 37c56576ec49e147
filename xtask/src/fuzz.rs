//! `cargo xtask fuzz`: fuzzes the parsers of fio's job files, command lines, patterns and recordings, of card
//! registers, of other programs' outputs and of Reports, on the stable toolchain.
//!
//! `libfuzzer-sys` builds libFuzzer, which needs a C++ compiler. Its edge counters come from a pass of LLVM
//! that stable options enable. Tracing comparisons is possible in the same way, but makes the program five
//! times slower, and a dictionary of the option tables finds more.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, ExitCode};
use std::sync::Mutex;

use cardiograph_jobs::options::{ENGINES, OPTIONS, OptionKind};
use target::Target;

use crate::workspace::{self, stdout_of};

mod target;

const SECONDS: u32 = 60;
/// Time limit for an input, in seconds.
const HANG_S: u32 = 20;
/// Memory limit for an input, in MiB.
const MEMORY_MIB: u32 = 1_024;
/// The variable that selects an importer in the shared fuzzing program.
const IMPORTER_VARIABLE: &str = "CARDIOGRAPH_FUZZ_PARSER";
/// Options that make rustc count edges for libFuzzer.
const COVERAGE: [&str; 6] = [
    "--cfg=fuzzing",
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Ccodegen-units=1",
];
/// Pieces of job files and command lines that are not in a table.
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

/// Fuzzes all targets or the named ones, as many at once as there are processors.
pub fn run(words: &[&str]) -> Result<ExitCode, String> {
    if let ["--help" | "-h"] = words {
        println!("{}", usage());
        return Ok(ExitCode::SUCCESS);
    }
    let asked = arguments(words)?;
    let fuzzer = Fuzzer { directory: workspace::target_directory()?.join("fuzz"), triple: host()? };
    fuzzer.build()?;
    let waiting = Mutex::new(asked.targets.iter());
    let failures = Mutex::new(Vec::new());
    let at_once = std::thread::available_parallelism().map_or(1, usize::from);
    let next = || waiting.lock().ok()?.next();
    std::thread::scope(|scope| {
        for _ in 0..at_once {
            scope.spawn(|| {
                while let Some(target) = next() {
                    match fuzzer.fuzz(target, &asked) {
                        Ok(summary) => println!("{}: {summary}", target.name()),
                        Err(failure) => {
                            failures.lock().unwrap_or_else(|poison| poison.into_inner()).push(failure)
                        }
                    }
                }
            });
        }
    });
    let failures = failures.into_inner().unwrap_or_else(|poison| poison.into_inner());
    if failures.is_empty() { Ok(ExitCode::SUCCESS) } else { Err(failures.join("\n\n")) }
}

/// The parsed arguments.
#[derive(Debug, PartialEq, Eq)]
struct Arguments {
    seconds: u32,
    /// The same seed tries the same inputs; `None` tries others each time.
    seed: Option<u32>,
    targets: Vec<Target>,
}

fn arguments(words: &[&str]) -> Result<Arguments, String> {
    let mut asked = Arguments { seconds: SECONDS, seed: None, targets: Vec::new() };
    let mut words = words.iter();
    // For libFuzzer, a seed of 0 means none, and a time of 0 no limit.
    let number = |word: Option<&&str>| word.and_then(|text| text.parse().ok()).filter(|&number| number > 0);
    while let Some(&word) = words.next() {
        match word {
            "--seconds" => asked.seconds = number(words.next()).ok_or_else(usage)?,
            "--seed" => asked.seed = Some(number(words.next()).ok_or_else(usage)?),
            name => match target::named(name) {
                none if none.is_empty() => return Err(usage()),
                targets => asked.targets.extend(targets),
            },
        }
    }
    if asked.targets.is_empty() {
        asked.targets = target::all();
    }
    Ok(asked)
}

fn usage() -> String {
    let names: Vec<String> = target::all().iter().map(Target::name).collect();
    format!(
        "Usage: cargo xtask fuzz [--seconds N] [--seed N] [TARGET...]\n\n\
         Targets run for {SECONDS} seconds by default, and each importer for a quarter of that.\n\
         Targets: {}; {} selects all importers.",
        names.join(", "),
        target::IMPORT
    )
}

/// The built fuzz targets.
struct Fuzzer {
    /// Directory below the target directory of the workspace.
    directory: PathBuf,
    /// The host's triple. Passing it to cargo keeps build scripts from being built for the fuzzer.
    triple: String,
}

impl Fuzzer {
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

    /// Runs a target on its corpus and fixtures, and returns a summary. New findings are saved below the
    /// target directory and used the next time.
    ///
    /// # Errors
    /// The failure.
    fn fuzz(&self, target: &Target, asked: &Arguments) -> Result<String, String> {
        let name = target.name();
        let failed = |what: String| format!("{name}: {what}");
        let error = |error: std::io::Error| failed(error.to_string());
        let below = |part: &str| self.directory.join(part).join(&name);
        let [found, artifacts, seeds] = ["found", "failed", "seeds"].map(below);
        for directory in [&found, &artifacts] {
            fs::create_dir_all(directory).map_err(error)?;
        }
        target.seed(&seeds).map_err(failed)?;
        let log = self.directory.join(format!("{name}.log"));
        let dictionary = self.dictionary(target).map_err(failed)?;
        let program = self.directory.join("build").join(&self.triple).join("release").join(target.program);
        let mut run = Command::new(program);
        run.arg(format!("-max_total_time={}", target.seconds(asked.seconds)))
            .args(asked.seed.map(|seed| format!("-seed={seed}")))
            .arg(format!("-timeout={HANG_S}"))
            .arg(format!("-rss_limit_mb={MEMORY_MIB}"))
            .arg(format!("-max_len={}", target.input_len_bytes_max()))
            .args(dictionary.map(|file| format!("-dict={}", file.display())))
            .arg(format!("-artifact_prefix={}/", artifacts.display()))
            .args(["-print_final_stats=1", "-verbosity=1"])
            .arg(found)
            .args(target.corpus())
            .arg(seeds)
            .env_remove(IMPORTER_VARIABLE)
            .envs(target.importer.map(|importer| (IMPORTER_VARIABLE, importer)))
            .stderr(fs::File::create(&log).map_err(error)?);
        let status = run.status().map_err(error)?;
        let said = fs::read_to_string(&log).unwrap_or_default();
        if status.success() {
            Ok(summary(&said))
        } else {
            Err(format!("{name} failed ({status}):\n{}", last_lines(&said)))
        }
    }

    /// The dictionary file of a target; `None` if it is empty, which libFuzzer refuses.
    fn dictionary(&self, target: &Target) -> Result<Option<PathBuf>, String> {
        let text = dictionary_text(target)?;
        if text.is_empty() {
            return Ok(None);
        }
        let file = self.directory.join(format!("{}.dict", target.name()));
        fs::write(&file, text).map_err(|error| format!("{}: {error}", file.display()))?;
        Ok(Some(file))
    }
}

/// The triple of this machine.
///
/// # Errors
/// rustc's message.
pub fn host() -> Result<String, String> {
    let mut rustc = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    let said = stdout_of(rustc.arg("-vV"))?;
    let host = said.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_string).ok_or_else(|| format!("rustc names no host: {said}"))
}

/// The dictionary of a target, each piece quoted and on a separate line: words of an importer's fixtures,
/// else names of options, their values and pieces.
fn dictionary_text(target: &Target) -> Result<String, String> {
    let pieces = if target.importer.is_some() { target.words()? } else { fio_pieces() };
    let quoted = |piece: &String| format!("\"{}\"\n", piece.replace("\\n", "\\x0a"));
    Ok(pieces.iter().filter(|piece| !piece.is_empty()).map(quoted).collect())
}

fn fio_pieces() -> BTreeSet<String> {
    let mut pieces: BTreeSet<String> = PIECES.map(str::to_string).into();
    for def in OPTIONS.iter() {
        pieces.extend(def.names().map(|name| format!("{name}=")));
        if let OptionKind::Word(words) | OptionKind::WordWithArguments(words) = def.kind {
            pieces.extend(words.iter().map(ToString::to_string));
        }
    }
    pieces.extend(ENGINES.iter().map(|engine| engine.name.to_string()));
    pieces
}

/// A summary of libFuzzer's output.
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

/// The last lines, in which libFuzzer reports the failure and the saved input.
fn last_lines(said: &str) -> String {
    let lines: Vec<&str> = said.lines().collect();
    lines[lines.len().saturating_sub(60)..].join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target(name: &str) -> Target {
        target::named(name).remove(0)
    }

    #[test]
    fn arguments_are_a_time_and_targets() {
        let asked = |seconds, seed, targets| Ok(Arguments { seconds, seed, targets });
        assert_eq!(arguments(&[]), asked(60, None, target::all()));
        assert_eq!(
            arguments(&["--seed", "7", "--seconds", "5", "cmdline", "import-dd"]),
            asked(5, Some(7), vec![target("cmdline"), target("import-dd")])
        );
        assert_eq!(arguments(&["import"]), asked(60, None, target::named("import")));
        for wrong in
            [&["--seconds"][..], &["--seconds", "0"], &["--seconds", "x"], &["--seed", "0"], &["jobfiles"]]
        {
            assert_eq!(arguments(wrong), Err(usage()), "{wrong:?}");
        }
        assert!(usage().contains("import-fio-json, "), "{}", usage());
    }

    #[test]
    fn importers_share_the_time() {
        assert_eq!([1, 3, 20, 60].map(|seconds| target("import-dd").seconds(seconds)), [1, 1, 5, 15]);
        assert_eq!(target("pattern").seconds(20), 20);
    }

    #[test]
    fn the_dictionary_is_one_of_libfuzzer() {
        let fio = dictionary_text(&target("jobfile")).unwrap();
        for piece in ["\"blocksize=\"\n", "\"randread\"\n", "\"\\x0a\"\n"] {
            assert!(fio.contains(piece), "{piece}");
        }
        for text in target::all().iter().map(|target| dictionary_text(target).unwrap()).chain([fio]) {
            for line in text.lines() {
                let piece = line.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
                assert!(piece.is_some_and(|piece| !piece.is_empty() && !piece.contains('"')), "{line}");
            }
        }
    }

    #[test]
    fn a_target_without_words_has_no_dictionary() {
        let home = tempfile::tempdir().unwrap();
        let directory = home.path().to_path_buf();
        let fuzzer = Fuzzer { directory: directory.clone(), triple: String::new() };
        let found = ["import-fio-log", "import-table"].map(|name| fuzzer.dictionary(&target(name)).unwrap());
        assert_eq!(found, [None, Some(directory.join("import-table.dict"))]);
    }

    #[test]
    fn output_of_libfuzzer_is_summed_up() {
        let said = "#2 INITED cov: 7 ft: 7\n#9 DONE   cov: 10 ft: 10 corp: 4/13b\nstat::number_of_executed_units: 43103783\n";
        assert_eq!(summary(said), "43103783 inputs, none of which failed; 10 edges of the program reached");
        assert!(summary("").starts_with("an unknown number"));
    }
}
