//! `cargo xtask soak`: the long proofs, of which CI runs a part.

use std::fs::{self, File};
use std::process::{ExitCode, Stdio};
use std::time::Instant;

use crate::workspace;

/// How a proof says that it cannot be had here.
const SKIPPED: i32 = 77;

/// A long proof: how it is called, what it shows, and what runs it.
struct Proof {
    name: &'static str,
    what: &'static str,
    words: &'static [&'static str],
    variables: &'static [(&'static str, &'static str)],
}

const PROOFS: [Proof; 11] = [
    Proof {
        name: "tests",
        what: "all tests, each in full",
        words: &["test", "--workspace"],
        variables: &[("CARDIOGRAPH_TEST_ALL", "1")],
    },
    Proof {
        name: "simulation",
        what: "100,000 seeds of several processes on a file system that fails: nothing acknowledged is lost",
        words: &["test", "--release", "--package", "cardiograph-simulation"],
        variables: &[("CARDIOGRAPH_SEEDS", "100000")],
    },
    Proof {
        name: "fuzz",
        what: "five minutes for each fuzz target, an hour in all",
        words: &["xtask", "fuzz", "--seconds", "300"],
        variables: &[],
    },
    Proof {
        name: "differ",
        what: "2,000 random jobs by the program and by fio: what differs belongs to a class",
        words: &["xtask", "differ"],
        variables: &[],
    },
    Proof {
        name: "faults",
        what: "a short checkup once for each of its system calls and allocations, which fails",
        words: &["xtask", "faults"],
        variables: &[],
    },
    Proof {
        name: "deaths",
        what: "300 runs, of which one process or both are killed at random moments: nothing is lost or left",
        words: &["xtask", "deaths"],
        variables: &[],
    },
    Proof {
        name: "sanitize",
        what: "tests of engine, drive, apps and files under AddressSanitizer and ThreadSanitizer",
        words: &["xtask", "sanitize"],
        variables: &[],
    },
    Proof {
        name: "calibrate",
        what: "how often intervals hold",
        words: &["xtask", "calibrate"],
        variables: &[],
    },
    Proof {
        name: "rig",
        what: "the emulated machine, with the checks of debug builds",
        words: &["xtask", "rig"],
        variables: &[],
    },
    Proof {
        name: "rig-arm64",
        what: "the same with an ARM processor",
        words: &["xtask", "rig", "--arch", "arm64"],
        variables: &[],
    },
    Proof {
        name: "versus",
        what: "speed and size against peers",
        words: &["xtask", "versus"],
        variables: &[],
    },
];

/// Runs all proofs, or those that are named, one after the other.
pub fn run(words: &[&str]) -> Result<ExitCode, String> {
    if words == ["--list"] {
        PROOFS.iter().for_each(|proof| println!("{:<12}{}", proof.name, proof.what));
        return Ok(ExitCode::SUCCESS);
    }
    if let Some(unknown) = words.iter().find(|word| PROOFS.iter().all(|proof| proof.name != **word)) {
        return Err(format!("there is no proof '{unknown}'; cargo xtask soak --list names them"));
    }
    let wanted = PROOFS.iter().filter(|proof| words.is_empty() || words.contains(&proof.name));
    let directory = workspace::target_directory()?.join("soak");
    fs::create_dir_all(&directory).map_err(|error| format!("{}: {error}", directory.display()))?;
    let mut has_failed = false;
    for proof in wanted {
        let log = directory.join(format!("{}.log", proof.name));
        let unwritable = |error: std::io::Error| format!("{}: {error}", log.display());
        let file = File::create(&log).map_err(unwritable)?;
        let began = Instant::now();
        let status = workspace::cargo()
            .args(proof.words)
            .envs(proof.variables.iter().copied())
            .stdin(Stdio::null())
            .stdout(file.try_clone().map_err(unwritable)?)
            .stderr(file)
            .status()
            .map_err(|error| format!("cargo: {error}"))?;
        let outcome = match status.code() {
            Some(0) => "passed",
            Some(SKIPPED) => "cannot be had here",
            _ => "FAILED",
        };
        has_failed |= outcome == "FAILED";
        println!("{:<12}{outcome} in {} s; {}", proof.name, began.elapsed().as_secs(), log.display());
    }
    Ok(if has_failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}
