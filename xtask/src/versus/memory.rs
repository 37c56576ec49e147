//! Memory of a process and its children.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Sampling interval.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// Runs `work`, and samples the memory of the process `pid` and its children meanwhile. Returns the result of
/// `work` and the maximum in bytes of proportional set size: shared pages are divided among their processes,
/// so that the sum counts every page once.
pub fn peak_pss_bytes<T>(pid: u32, work: impl FnOnce() -> T) -> (T, u64) {
    let is_done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let looking = scope.spawn(|| {
            let mut peak_bytes = 0;
            while !is_done.load(Ordering::Relaxed) {
                peak_bytes = family_pss_bytes(pid).max(peak_bytes);
                std::thread::sleep(LOOK_EVERY);
            }
            peak_bytes
        });
        let done = work();
        is_done.store(true, Ordering::Relaxed);
        (done, looking.join().unwrap_or(0))
    })
}

/// CPU time of a process so far, in seconds, also of threads that have ended (proc_pid_stat(5): fields 14 and 15, in hundredths).
pub fn cpu_s(pid: u32) -> f64 {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let fields = stat.rsplit_once(')').map_or("", |(_, fields)| fields).split_whitespace();
    fields.skip(11).take(2).filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() / 100.0
}

/// Current memory of a process and all its descendants, in bytes. A process that ends meanwhile counts as
/// zero.
fn family_pss_bytes(pid: u32) -> u64 {
    let rollup = |pid: &u32| std::fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).ok();
    living_family(pid).iter().filter_map(rollup).filter_map(|text| pss_bytes(&text)).sum()
}

/// A process and all its current descendants.
pub fn living_family(pid: u32) -> Vec<u32> {
    family(pid, &parents())
}

/// The parent of each process.
fn parents() -> BTreeMap<u32, u32> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let with_parent = |pid| Some((pid, parent(&std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?)?));
    pids.filter_map(with_parent).collect()
}

/// `pid` and all its descendants.
fn family(pid: u32, parents: &BTreeMap<u32, u32>) -> Vec<u32> {
    let mut members = vec![pid];
    let mut next = 0;
    while let Some(&member) = members.get(next) {
        members.extend(parents.iter().filter(|&(_, parent)| *parent == member).map(|(child, _)| *child));
        next += 1;
    }
    members
}

/// The parent's process id, from `/proc/PID/stat`. The name in parentheses may itself have spaces and parentheses.
fn parent(stat: &str) -> Option<u32> {
    stat.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse().ok()
}

/// The proportional set size, from `/proc/PID/smaps_rollup`, in bytes.
fn pss_bytes(rollup: &str) -> Option<u64> {
    let line = rollup.lines().find_map(|line| line.strip_prefix("Pss:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib * 1_024)
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    #[test]
    fn rollups() {
        let text = "5581c9d0c000-7ffd2b5e8000 ---p 00000000 00:00 0    [rollup]\n\
                    Rss:                1560 kB\nPss:                 113 kB\nPss_Dirty:            92 kB\n";
        assert_eq!(pss_bytes(text), Some(113 * 1_024));
        assert_eq!(pss_bytes("Rss: 1 kB\nPss_Anon: 1 kB\n"), None);
        assert_eq!(pss_bytes(""), None);
    }

    #[test]
    fn parents_of_processes_with_strange_names() {
        assert_eq!(parent("12 (a) S 7) S 34 12 12 0 -1"), Some(34));
        assert_eq!(parent("12 (fio) S 1 12"), Some(1));
        assert_eq!(parent("12"), None);
    }

    #[test]
    fn a_family_has_grandchildren_and_no_neighbours() {
        let parents = BTreeMap::from([(2, 1), (3, 2), (4, 2), (5, 4), (9, 1), (10, 9)]);
        assert_eq!(family(2, &parents), [2, 3, 4, 5]);
        assert_eq!(family(7, &parents), [7]);
    }

    #[test]
    fn children_are_found() {
        let mut child = Command::new("sleep").arg("20").spawn().unwrap();
        let found = family(std::process::id(), &parents()).contains(&child.id());
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(found);
    }

    #[test]
    fn the_peak_is_noticed() {
        let len_bytes = 64 << 20;
        let (first, peak_bytes) = peak_pss_bytes(std::process::id(), || {
            let pages = vec![1u8; len_bytes];
            std::thread::sleep(LOOK_EVERY * 4);
            pages[0]
        });
        assert_eq!(first, 1);
        assert!(peak_bytes >= len_bytes as u64, "{peak_bytes}");
    }
}
