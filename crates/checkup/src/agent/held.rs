//! Agents stuck in the kernel, recorded in this user's data directory, so that later runs can list them.

use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use cardiograph_store::data_dir;
use serde::{Deserialize, Serialize};

/// Subdirectory of the data directory.
const DIRECTORY: &str = "held";

/// An Agent that was left stuck.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Held {
    /// Its process.
    pub process: u32,
    /// The path it worked on.
    pub path: PathBuf,
    /// When it was left, in milliseconds since 1970.
    pub since_unix_ms: u64,
}

/// Stored record.
#[derive(Debug, Serialize, Deserialize)]
struct Record {
    #[serde(flatten)]
    held: Held,
    /// Start time of its process, in ticks since boot: process ids are reused.
    began_ticks: u64,
}

/// Records an abandoned Agent. If that fails, later runs do not list it.
pub(super) fn note(process: u32, path: &Path) {
    let Some(began_ticks) = began_ticks(process) else { return };
    let since_unix_ms =
        SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as u64);
    let held = Held { process, path: path.to_path_buf(), since_unix_ms };
    let (Some(directory), Ok(json)) = (directory(), serde_json::to_vec(&Record { held, began_ticks })) else {
        return;
    };
    let _ = std::fs::create_dir_all(&directory);
    let _ = std::fs::write(directory.join(format!("{process}.json")), json);
}

/// Agents that are still stuck. Records of ended ones are removed.
pub fn held() -> Vec<Held> {
    let entries = directory().and_then(|directory| std::fs::read_dir(directory).ok()).into_iter().flatten();
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let still = |path: PathBuf| {
        let Record { held, began_ticks: began } = serde_json::from_slice(&std::fs::read(&path).ok()?).ok()?;
        let is_there = began_ticks(held.process) == Some(began);
        if !is_there {
            let _ = std::fs::remove_file(&path);
        }
        is_there.then_some(held)
    };
    let mut held: Vec<Held> = paths.filter_map(still).collect();
    held.sort_by_key(|held| held.since_unix_ms);
    held
}

fn directory() -> Option<PathBuf> {
    Some(data_dir(|name| std::env::var_os(name)).ok()?.join(DIRECTORY))
}

/// Start time of a process (field 22 of proc_pid_stat(5)); `None` if there is none, or only a zombie.
fn began_ticks(process: u32) -> Option<u64> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name before may contain anything, including parentheses.
    let (_, fields) = stat.rsplit_once(')')?;
    let mut fields = fields.split_whitespace();
    let has_ended = fields.next()? == "Z";
    // The main thread of a process whose other threads are stuck has ended, too.
    let others = || std::fs::read_dir(format!("/proc/{process}/task")).is_ok_and(|tasks| tasks.count() > 1);
    (!has_ended || others()).then_some(fields.nth(18)?.parse().ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_is_identified_by_its_start_time() {
        let mut child = std::process::Command::new("sleep").arg("60").spawn().unwrap();
        let (own, its) = (began_ticks(std::process::id()).unwrap(), began_ticks(child.id()).unwrap());
        assert!(own > 0 && its >= own, "{own} {its}");
        child.kill().unwrap();
        while began_ticks(child.id()).is_some() {
            std::thread::yield_now();
        }
        child.wait().unwrap();
    }
}
