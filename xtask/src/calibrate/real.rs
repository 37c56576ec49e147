//! Pairs of groups of checkups of one real drive: comparisons of equal drives without a model.
//!
//! The checkups of a pair take turns, so that the machine's drift affects both. Each pair compares a drive
//! with itself; one in twenty may find a difference.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::workspace::{build_program, stdout_of};

/// Number of pairs.
const PAIRS: u64 = 10;
/// Checkups of each side of a pair.
const CHECKUPS: u64 = 3;
/// Duration of each (`--max-time`).
const TIME: &str = "8s";
/// Maximum number of false alarms: with one in twenty, ten pairs exceed it in 1.2 % of cases.
const ALARMS_MAX: usize = 2;

/// Description of this check.
pub const WHAT: &str =
    "ten pairs of checkups of the drive under a directory: at most two are called different";

/// Measures and compares the pairs, and returns whether they agree.
pub fn run(directory: &Path) -> Result<bool, String> {
    let program = build_program()?;
    let store = tempfile::tempdir().map_err(|error| format!("a temporary directory: {error}"))?;
    let bench = Bench { program, directory: directory.to_path_buf(), store: store.path().join("pairs.db") };
    println!("\n{WHAT}\n");
    let mut alarms = 0;
    for pair in 0..PAIRS {
        let (judged, found) = bench.differences(pair)?;
        alarms += usize::from(!found.is_empty());
        let summary = if found.is_empty() { "no difference".to_string() } else { found.join("; ") };
        println!(
            "pair {:<2}  {CHECKUPS} and {CHECKUPS} checkups, {judged} figures judged  {summary}",
            pair + 1
        );
    }
    println!("\n{alarms} of {PAIRS} called different");
    Ok(alarms <= ALARMS_MAX)
}

struct Bench {
    program: PathBuf,
    directory: PathBuf,
    store: PathBuf,
}

impl Bench {
    /// Measures a pair in turns. Returns the number of figures judged by a comparison, and those it calls
    /// different, with their ratios.
    fn differences(&self, pair: u64) -> Result<(u64, Vec<String>), String> {
        let labels = ["a", "b"].map(|side| format!("{side}{pair}"));
        for _ in 0..CHECKUPS {
            for label in &labels {
                let directory = self.directory.to_string_lossy();
                self.answer(&["check", &directory, "--max-time", TIME, "--label", label])?;
            }
        }
        let json = self.answer(&["compare", &labels[0], &labels[1], "--json"])?;
        let comparison: Value =
            serde_json::from_str(&json).map_err(|error| format!("compare --json: {error}"))?;
        let tests = comparison["tests"].as_array().ok_or("compare --json has no tests")?;
        let judged = comparison["judged_together"].as_u64().ok_or("compare --json lacks judged_together")?;
        if tests.is_empty() || judged == 0 {
            return Err(
                "the checkups of a pair are too short to judge any figure: give them more time".to_string()
            );
        }
        let differing = |test: &Value| {
            let metrics = test["metrics"].as_array().cloned().unwrap_or_default();
            let name = test["test"].as_str().unwrap_or_default().to_string();
            metrics.into_iter().filter_map(move |metric| call_different(&name, &metric)).collect::<Vec<_>>()
        };
        Ok((judged, tests.iter().flat_map(differing).collect()))
    }

    fn answer(&self, words: &[&str]) -> Result<String, String> {
        stdout_of(Command::new(&self.program).args(words).arg("--store").arg(&self.store))
    }
}

/// A short description of a figure that is called different.
fn call_different(test: &str, metric: &Value) -> Option<String> {
    let against = &metric["against"][1];
    let is_different = matches!(against["judgement"].as_str(), Some("better" | "worse"));
    let (direction, quantity) = (metric["direction"].as_str().unwrap_or(""), metric["quantity"].as_str()?);
    is_different
        .then(|| format!("{test} {direction} {quantity} x{:.2}", against["ratio"].as_f64().unwrap_or(0.0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_judged_differences_are_reported() {
        let metric = |judgement: &str| {
            serde_json::json!({"direction": "read", "quantity": "iops",
                "against": [null, {"judgement": judgement, "ratio": 1.234}]})
        };
        assert_eq!(call_different("a", &metric("worse")).as_deref(), Some("a read iops x1.23"));
        assert_eq!(call_different("a", &metric("better")).as_deref(), Some("a read iops x1.23"));
        assert_eq!(call_different("a", &metric("no_difference")), None);
        assert_eq!(call_different("a", &metric("cannot_tell")), None);
    }
}
