//! Agents that the kernel holds, written down in this user's data directory, so that later runs can name them.

use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use cardiograph_store::data_dir;
use serde::{Deserialize, Serialize};

/// Where they lie in the data directory.
const DIRECTORY: &str = "held";

/// An Agent that the kernel held when it was left.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Held {
    /// Its process.
    pub process: u32,
    /// What it worked on.
    pub path: PathBuf,
    /// When it was left, in milliseconds since 1970.
    pub since_unix_ms: u64,
}

/// What is written down of one.
#[derive(Debug, Serialize, Deserialize)]
struct Record {
    #[serde(flatten)]
    held: Held,
    /// When its process began, in ticks since the machine was started: another one may have the number later.
    began_ticks: u64,
}

/// Writes down that an Agent is left to the kernel. Where that is not possible, later runs do not name it.
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

/// The Agents that are still held. Those that have ended are forgotten.
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

/// When a process began (field 22 of proc_pid_stat(5)); `None` where there is none, or where it has ended and nobody has asked
/// how.
fn began_ticks(process: u32) -> Option<u64> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name before may hold anything, parentheses included.
    let (_, fields) = stat.rsplit_once(')')?;
    let mut fields = fields.split_whitespace();
    let has_ended = fields.next()? == "Z";
    // The first thread of a process whose others are held has ended, too.
    let others = || std::fs::read_dir(format!("/proc/{process}/task")).is_ok_and(|tasks| tasks.count() > 1);
    (!has_ended || others()).then_some(fields.nth(18)?.parse().ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_is_known_by_when_it_began() {
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
