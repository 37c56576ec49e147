//! Detects drives that disappeared during a run: I/O to a drive that was unplugged, or given up by its
//! controller, fails as on a bad drive.

use cardiograph_core::schemars;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use cardiograph_core::drive::Drive;
use cardiograph_drive::System;
use cardiograph_engine::Target;
use serde::{Deserialize, Serialize};

/// Sysfs directory of drives and partitions.
const SHOWN: &str = "/sys/class/block";
/// How long a drive being removed may still be listed after it refused the first I/O, also on a busy machine.
const PATIENCE: Duration = Duration::from_secs(3);

/// The drives present when a run began.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Presence {
    shown: Vec<PathBuf>,
}

impl Presence {
    /// The drives that the kernel lists, which excludes simulated ones.
    pub fn from_drives<'a>(drives: impl IntoIterator<Item = &'a Drive>) -> Self {
        Self::from_sysfs(Path::new(SHOWN), drives)
    }

    fn from_sysfs<'a>(shown: &Path, drives: impl IntoIterator<Item = &'a Drive>) -> Self {
        let leaves = drives.into_iter().flat_map(|drive| &drive.leaves);
        let paths = leaves.map(|leaf| shown.join(leaf.name.replace('/', "!")));
        Self { shown: paths.filter(|path| path.symlink_metadata().is_ok()).collect() }
    }

    /// The drives of a run's targets.
    pub fn from_targets(targets: &[Arc<Target>]) -> Self {
        let on_drives = targets.iter().filter(|target| target.is_file() || target.is_device());
        let mut paths: Vec<PathBuf> = on_drives.map(|target| PathBuf::from(target.name())).collect();
        // Files of one directory are on the same drives, and there may be thousands.
        for path in paths.iter_mut().filter(|path| path.is_file()) {
            path.pop();
            path.push(".");
        }
        paths.sort();
        paths.dedup();
        let system = System::local();
        let identified: Vec<Drive> =
            paths.iter().filter_map(|path| system.identify_named(path).ok()).collect();
        Self::from_drives(&identified)
    }

    /// Whether one of them has disappeared, after an I/O on them failed: the kernel fails pending I/O to a
    /// drive being removed before it removes the drive.
    pub fn is_lost(&self) -> bool {
        self.is_lost_within(PATIENCE)
    }

    fn is_lost_within(&self, patience: Duration) -> bool {
        let is_gone = |path: &PathBuf| {
            path.symlink_metadata().is_err_and(|error| error.kind() == std::io::ErrorKind::NotFound)
        };
        let until = Instant::now() + patience;
        while !self.shown.iter().any(is_gone) {
            if self.shown.is_empty() || Instant::now() >= until {
                return false;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use cardiograph_core::drive::Leaf;

    use super::*;

    #[test]
    fn a_disappeared_drive_is_noticed() {
        let shown = tempfile::tempdir().unwrap();
        for name in ["sda", "cciss!c0d0"] {
            std::fs::create_dir(shown.path().join(name)).unwrap();
        }
        let drive = |name: &str| Drive {
            leaves: vec![Leaf { name: name.to_string(), ..Leaf::default() }],
            ..Drive::default()
        };
        for (name, is_missed) in [("sda", true), ("cciss/c0d0", true), ("sdb", false), ("sim0", false)] {
            let presence = Presence::from_sysfs(shown.path(), &[drive(name)]);
            assert!(!presence.is_lost_within(Duration::ZERO), "{name}");
            let entry = shown.path().join(name.replace('/', "!"));
            // I/O is refused first, then the drive disappears.
            let removed = std::thread::spawn({
                let entry = entry.clone();
                move || {
                    std::thread::sleep(Duration::from_millis(50));
                    let _ = std::fs::remove_dir(&entry);
                }
            });
            assert_eq!(presence.is_lost_within(Duration::from_secs(30)), is_missed, "{name}");
            removed.join().unwrap();
            if is_missed {
                std::fs::create_dir(entry).unwrap();
            }
        }
    }

    #[test]
    fn targets_lead_to_their_drives() {
        let directory = cardiograph_testing::disk_dir();
        let target = Target::create_file(directory.path(), 4_096, cardiograph_engine::target::Naming::Named);
        let presence = Presence::from_targets(&[target.unwrap(), Target::without_storage(1)]);
        let drive = System::local().identify(directory.path()).unwrap();
        assert_eq!(presence.shown.len(), Presence::from_drives(&[drive]).shown.len());
        assert!(!presence.is_lost_within(Duration::ZERO));
    }
}
