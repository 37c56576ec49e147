//! Helpers that the tests of several groups share.

use serde_json::Value;

use crate::common::fio::PLAIN;
use crate::common::{Bench, Outcome};

/// A read of 4 KiB on the plain simulated drive, in nanoseconds.
pub const READ_NS: u64 = 100_000;
/// A write of 4 KiB on it, in nanoseconds.
pub const WRITE_NS: u64 = 200_000;

/// The JSON of a job on the plain simulated drive, or the engine that the line names.
pub fn job(bench: &Bench, line: &str) -> Value {
    bench.job(line)["jobs"][0].take()
}

/// Runs a job on the plain simulated drive, however it ends.
pub fn simulated(bench: &Bench, line: &str) -> Outcome {
    bench.file("plain.toml", PLAIN);
    bench.fio(&format!("--name=job --ioengine=sim --sim_model=plain.toml {line}"))
}

/// The normal output of a job on the plain simulated drive.
pub fn text(bench: &Bench, line: &str) -> String {
    simulated(bench, line).exits_with(0).stdout
}

/// Runs the sections of a job file on the plain simulated drive. Returns the JSON.
pub fn sections(bench: &Bench, text: &str) -> Value {
    bench.file("plain.toml", PLAIN);
    bench.file("sections.fio", &format!("[global]\nioengine=sim\nsim_model=plain.toml\n{text}"));
    let outcome = bench.fio("--output-format=json sections.fio").exits_with(0);
    serde_json::from_str(&outcome.stdout).unwrap()
}

/// A run, however it ends, and its first job in the JSON.
pub fn with_job(bench: &Bench, line: &str) -> (Outcome, Value) {
    let outcome = bench.fio(line);
    let json: Value =
        serde_json::from_str(&outcome.stdout).unwrap_or_else(|error| panic!("{error} {}", outcome.stderr));
    (outcome, json["jobs"][0].clone())
}

/// Checks that a job on the plain simulated drive is refused before anything is done, with a message that has `words`.
#[track_caller]
pub fn refuses(line: &str, words: &[&str]) {
    let bench = Bench::new();
    let outcome = simulated(&bench, line).exits_with(1);
    outcome.complains(words);
    assert!(!outcome.stdout.contains("groupid="), "{}", outcome.stdout);
}

/// A whole number in the JSON.
#[track_caller]
pub fn number(value: &Value) -> u64 {
    value.as_u64().unwrap_or_else(|| panic!("{value} is not a whole number"))
}

/// The line of the normal output that begins with `start`, without indentation.
#[track_caller]
pub fn line<'a>(text: &'a str, start: &str) -> &'a str {
    text.lines()
        .map(str::trim)
        .find(|line| line.starts_with(start))
        .unwrap_or_else(|| panic!("no {start} in\n{text}"))
}
