//! Reproducible facts of a job.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

/// How a job ended: 0, 1 or a signal.
pub const EXIT: &str = "exit";
/// The end of a program that crashes or hangs.
pub const BROKEN: &str = "broken";
/// The error message of a job that failed.
pub const SAID: &str = "said";

/// The results of a job, by name of the fact.
pub type Facts = BTreeMap<String, String>;

/// Runs a program for at most ten seconds, and writes the kernel's counters to a file.
const RUN: &str = r#"timeout -k 1 10 "$@"; status=$?; grep ^read_bytes: /proc/$$/io >drive; exit $status"#;

/// Reproducible properties of a job.
#[derive(Debug, Clone, Copy)]
pub struct Kind {
    /// Whether the number of I/Os is the same each time.
    pub is_counted: bool,
    /// Whether its I/Os have a fixed order.
    pub is_ordered: bool,
    /// Whether reads and writes are mixed at random.
    pub is_mixed: bool,
    /// Whether its writes are read back: fio sometimes reads them from memory.
    pub is_checked: bool,
}

/// Runs a job with a program in an empty directory, and collects the results.
///
/// # Errors
/// When the program cannot be started, or the directory cannot be read.
pub fn collect(program: &[&str], words: &[String], kind: Kind) -> Result<Facts, String> {
    let directory = tempfile::tempdir().map_err(|error| format!("no temporary directory: {error}"))?;
    let mut command = Command::new("sh");
    command.args(["-c", RUN, "run"]).args(program).args([
        "--name=job",
        "--thread=1",
        "--output-format=json,terse",
    ]);
    command.args(["--write_lat_log=ios", "--log_offset=1"]).args(words);
    command.current_dir(directory.path()).stdin(Stdio::null());
    let output = command.output().map_err(|error| format!("sh cannot be started: {error}"))?;
    let mut facts = Facts::new();
    let exit = match output.status.code() {
        Some(code @ 0..=1) => code.to_string(),
        // From `timeout`: it or a signal ended the program.
        _ => BROKEN.to_string(),
    };
    let is_refused = exit != "0";
    facts.insert(EXIT.to_string(), exit);
    if is_refused {
        let said = String::from_utf8_lossy(&output.stderr);
        facts.insert(
            SAID.to_string(),
            said.lines().rfind(|line| !line.trim().is_empty()).unwrap_or_default().to_string(),
        );
    }
    let text = String::from_utf8_lossy(&output.stdout);
    if output.status.success() {
        results(&text, kind, &mut facts);
        collect_ios(directory.path(), kind, &mut facts);
    }
    Ok(facts)
}

/// The counts, and the existing keys and fields.
fn results(text: &str, kind: Kind, facts: &mut Facts) {
    let terse = text.lines().find(|line| line.starts_with("3;"));
    facts.insert("terse".to_string(), terse.map_or(0, |line| line.split(';').count()).to_string());
    let json = text.find("{\n").map(|from| {
        let to = text.rfind("\n}").map_or(text.len(), |at| at + 2);
        serde_json::from_str::<Value>(&text[from..to])
    });
    let Some(Ok(json)) = json else {
        facts.insert("json".to_string(), "none".to_string());
        return;
    };
    for (number, job) in json["jobs"].as_array().into_iter().flatten().enumerate() {
        facts.insert(format!("error.{number}"), job["error"].to_string());
        if !kind.is_counted {
            continue;
        }
        let figure = |direction: &str, key: &str| job[direction][key].as_u64().unwrap_or(0);
        let counted =
            |name: &str, count: &dyn Fn(&str) -> u64| (format!("{name}.{number}"), count(name).to_string());
        if kind.is_mixed {
            let sum = |key| figure("read", key) + figure("write", key) + figure("mixed", key);
            facts.extend([counted("ios", &|_| sum("total_ios")), counted("bytes", &|_| sum("io_bytes"))]);
        } else {
            let both = ["read", "write", "trim", "mixed"];
            facts.extend(both.map(|name| counted(name, &|name| figure(name, "total_ios"))));
            facts.extend(
                both.map(|name| (format!("{name} bytes.{number}"), figure(name, "io_bytes").to_string())),
            );
        }
        facts.extend([counted("sync", &|name| figure(name, "total_ios"))]);
    }
    let mut keys = BTreeSet::new();
    collect_keys(&json, "", &mut keys);
    // A direction without I/O by chance has no figures.
    keys.retain(|key| (kind.is_counted && !kind.is_mixed) || !key.contains("/percentile"));
    for key in keys {
        facts.insert(format!("key {key}"), "there".to_string());
    }
}

/// The keys of all objects, without our own and without measured values.
fn collect_keys(value: &Value, path: &str, keys: &mut BTreeSet<String>) {
    match value {
        Value::Object(entries) => {
            // fio has `job_start` since 3.36.
            let is_compared = |key: &String| !["cardiograph", "job_start"].contains(&key.as_str());
            for (key, value) in entries.iter().filter(|(key, _)| is_compared(key)) {
                let is_value = path.ends_with("disk_util") || path.ends_with("bins");
                let path = format!("{path}/{}", if is_value { "*" } else { key });
                collect_keys(value, &path, keys);
                keys.insert(path);
            }
        }
        Value::Array(entries) => entries.iter().for_each(|value| collect_keys(value, path, keys)),
        _ => {}
    }
}

/// The I/Os, in order or sorted, and the remaining files.
fn collect_ios(directory: &Path, kind: Kind, facts: &mut Facts) {
    let mut clones = Vec::new();
    let mut files = BTreeMap::new();
    for entry in std::fs::read_dir(directory).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if name == "drive" {
            // The page cache and readahead change the number of reads.
            let is_exact = kind.is_counted && kind.is_ordered && !kind.is_checked;
            let bytes = std::fs::read_to_string(entry.path()).unwrap_or_default();
            facts.extend(is_exact.then(|| ("drive".to_string(), bytes.trim().to_string())));
        } else if name.starts_with("ios_lat.") {
            let text = std::fs::read_to_string(entry.path()).unwrap_or_default();
            let io = |line: &str| line.split(", ").skip(2).take(3).collect::<Vec<_>>().join(" ");
            let ios: Vec<String> = text.lines().map(io).collect();
            clones.push(match kind {
                Kind { is_counted: false, .. } => Vec::new(),
                Kind { is_ordered: true, .. } => ios,
                _ => vec![ios.len().to_string()],
            });
        } else if !name.starts_with("ios_") && !name.ends_with("-verify.state") {
            files.insert(name, entry.metadata().map_or(0, |metadata| metadata.len()));
        }
    }
    clones.retain(|ios| !ios.is_empty());
    clones.sort();
    facts.insert("offsets".to_string(), format!("{clones:?}"));
    if kind.is_counted {
        facts.insert("files".to_string(), format!("{files:?}"));
    }
}
