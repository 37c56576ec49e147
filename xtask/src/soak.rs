//! `cargo xtask soak`: the long versions of checks; CI runs short ones.

use std::fs::{self, File};
use std::process::{ExitCode, Stdio};
use std::time::Instant;

use crate::workspace;

/// Exit code of a check that is not available here.
const SKIPPED: i32 = workspace::NOT_RUN as i32;

/// Made by `cargo xtask dist`.
const RELEASED_ARM64: &str = "target/dist/build/aarch64-unknown-linux-musl/release/cardiograph";

/// A long check: its name, its purpose, and its command.
struct Check {
    name: &'static str,
    what: &'static str,
    words: &'static [&'static str],
    variables: &'static [(&'static str, &'static str)],
}

const CHECKS: [Check; 17] = [
    Check {
        name: "tests",
        what: "all tests, each in full",
        words: &["test", "--workspace"],
        variables: &[("CARDIOGRAPH_TEST_ALL", "1")],
    },
    Check {
        name: "simulation",
        what: "100,000 seeds of several processes on a failing file system: nothing acknowledged is lost",
        words: &["test", "--release", "--package", "cardiograph-simulation"],
        variables: &[("CARDIOGRAPH_SEEDS", "100000")],
    },
    Check {
        name: "fuzz",
        what: "five minutes for each fuzz target, an hour in total",
        words: &["xtask", "fuzz", "--seconds", "300"],
        variables: &[],
    },
    Check {
        name: "differ",
        what: "2,000 random jobs by the program and by fio: all differences belong to a class",
        words: &["xtask", "differ"],
        variables: &[],
    },
    Check {
        name: "faults",
        what: "a short checkup with each system call and allocation failing once",
        words: &["xtask", "faults"],
        variables: &[],
    },
    Check {
        name: "deaths",
        what: "300 runs with one or both processes killed at random times: nothing is lost or left behind",
        words: &["xtask", "deaths"],
        variables: &[],
    },
    Check {
        name: "kills",
        what: "the server killed 200 times under 20 senders, its PostgreSQL restarted: what it accepted is there, once",
        words: &["xtask", "kills"],
        variables: &[],
    },
    Check {
        name: "sanitize",
        what: "tests of engine, drive, apps and files under AddressSanitizer and ThreadSanitizer",
        words: &["xtask", "sanitize"],
        variables: &[],
    },
    Check {
        name: "calibrate",
        what: "how often intervals contain the true value",
        words: &["xtask", "calibrate"],
        variables: &[],
    },
    Check {
        name: "rig",
        what: "the emulated machine, with the checks of debug builds",
        words: &["xtask", "rig"],
        variables: &[],
    },
    Check {
        name: "rig-arm64",
        what: "the same with an ARM processor",
        words: &["xtask", "rig", "--arch", "arm64"],
        variables: &[],
    },
    Check { name: "dist", what: "a release for all processors", words: &["xtask", "dist"], variables: &[] },
    Check {
        name: "prove",
        what: "that release run as people would, and its packages in three Debians",
        words: &["xtask", "prove", "--roots"],
        variables: &[],
    },
    Check {
        name: "rig-11",
        what: "the program of a release on ARM with the oldest kernel that is promised, Debian 11's: after dist",
        words: &[
            "xtask",
            "rig",
            "--arch",
            "arm64",
            "--kernel",
            "bullseye",
            "--program",
            RELEASED_ARM64,
            "card",
            "nvme",
        ],
        variables: &[],
    },
    Check {
        name: "twice",
        what: "a release made in two directories: the same bytes",
        words: &["xtask", "dist", "--twice", "amd64"],
        variables: &[],
    },
    Check {
        name: "publish",
        what: "each crate builds from the package that crates.io would have",
        words: &["publish", "--workspace", "--dry-run", "--locked"],
        variables: &[],
    },
    Check {
        name: "versus",
        what: "speed and size against peers",
        words: &["xtask", "versus"],
        variables: &[],
    },
];

/// Runs all checks or the named ones, one after the other.
pub fn run(words: &[&str]) -> Result<ExitCode, String> {
    if words == ["--list"] {
        CHECKS.iter().for_each(|check| println!("{:<12}{}", check.name, check.what));
        return Ok(ExitCode::SUCCESS);
    }
    if let Some(unknown) = words.iter().find(|word| CHECKS.iter().all(|check| check.name != **word)) {
        return Err(format!("unknown check '{unknown}'; cargo xtask soak --list shows the checks"));
    }
    let wanted = CHECKS.iter().filter(|check| words.is_empty() || words.contains(&check.name));
    let directory = workspace::target_directory()?.join("soak");
    fs::create_dir_all(&directory).map_err(|error| format!("{}: {error}", directory.display()))?;
    let mut has_failed = false;
    for check in wanted {
        let log = directory.join(format!("{}.log", check.name));
        let unwritable = |error: std::io::Error| format!("{}: {error}", log.display());
        let file = File::create(&log).map_err(unwritable)?;
        let began = Instant::now();
        let status = workspace::cargo()
            .args(check.words)
            .envs(check.variables.iter().copied())
            .stdin(Stdio::null())
            .stdout(file.try_clone().map_err(unwritable)?)
            .stderr(file)
            .status()
            .map_err(|error| format!("cargo: {error}"))?;
        let outcome = match status.code() {
            Some(0) => "passed",
            Some(SKIPPED) => "not available here",
            _ => "FAILED",
        };
        has_failed |= outcome == "FAILED";
        println!("{:<12}{outcome} in {} s; {}", check.name, began.elapsed().as_secs(), log.display());
    }
    Ok(if has_failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}
