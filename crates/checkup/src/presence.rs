//! Whether the drives of a run are still there: what was on its way to one that was unplugged, or that its controller gave
//! up, fails as on a bad drive.

use cardiograph_core::schemars;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use cardiograph_core::drive::Drive;
use cardiograph_drive::System;
use cardiograph_engine::Target;
use serde::{Deserialize, Serialize};

/// Where the kernel shows the drives and their partitions.
const SHOWN: &str = "/sys/class/block";
/// A drive that is being removed is shown no longer than this, after it refused the first I/O.
const PATIENCE: Duration = Duration::from_secs(1);

/// The drives that were there when a run began.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Presence {
    shown: Vec<PathBuf>,
}

impl Presence {
    /// Of drives; those that the kernel does not show, as simulated ones, are left out.
    pub fn of<'a>(drives: impl IntoIterator<Item = &'a Drive>) -> Self {
        Self::among(Path::new(SHOWN), drives)
    }

    fn among<'a>(shown: &Path, drives: impl IntoIterator<Item = &'a Drive>) -> Self {
        let leaves = drives.into_iter().flat_map(|drive| &drive.leaves);
        let paths = leaves.map(|leaf| shown.join(leaf.name.replace('/', "!")));
        Self { shown: paths.filter(|path| path.symlink_metadata().is_ok()).collect() }
    }

    /// Of the drives below what a run uses.
    pub fn of_targets(targets: &[Arc<Target>]) -> Self {
        let on_drives = targets.iter().filter(|target| target.is_file() || target.is_device());
        let mut paths: Vec<PathBuf> = on_drives.map(|target| PathBuf::from(target.name())).collect();
        // Files of one directory lie on the same drives, and there may be thousands.
        for path in paths.iter_mut().filter(|path| path.is_file()) {
            path.pop();
            path.push(".");
        }
        paths.sort();
        paths.dedup();
        let system = System::local();
        let identified: Vec<Drive> =
            paths.iter().filter_map(|path| system.identify_named(path).ok()).collect();
        Self::of(&identified)
    }

    /// Whether the kernel does not know one of them any more, after an I/O on them failed: the kernel refuses what is on its way
    /// to a drive that is being removed before it forgets the drive.
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
    fn a_drive_that_was_shown_is_missed() {
        let shown = tempfile::tempdir().unwrap();
        for name in ["sda", "cciss!c0d0"] {
            std::fs::create_dir(shown.path().join(name)).unwrap();
        }
        let drive = |name: &str| Drive {
            leaves: vec![Leaf { name: name.to_string(), ..Leaf::default() }],
            ..Drive::default()
        };
        for (name, is_missed) in [("sda", true), ("cciss/c0d0", true), ("sdb", false), ("sim0", false)] {
            let presence = Presence::among(shown.path(), &[drive(name)]);
            assert!(!presence.is_lost_within(Duration::ZERO), "{name}");
            let entry = shown.path().join(name.replace('/', "!"));
            // It is refused first and forgotten then.
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
        let presence = Presence::of_targets(&[target.unwrap(), Target::without_storage(1)]);
        let drive = System::local().identify(directory.path()).unwrap();
        assert_eq!(presence.shown.len(), Presence::of(&[drive]).shown.len());
        assert!(!presence.is_lost_within(Duration::ZERO));
    }
}
