//! Block devices in files.

use std::path::PathBuf;
use std::process::Command;

use super::Bench;

/// A loop device on a sparse file. It is detached when dropped.
pub struct LoopDevice {
    pub path: String,
    /// The file.
    pub backing: PathBuf,
}

impl LoopDevice {
    /// A device of 8 MiB; `None` without root or loop devices.
    pub fn new(bench: &Bench) -> Option<Self> {
        Self::with_mib(bench, 8)
    }

    /// A device of another length.
    pub fn with_mib(bench: &Bench, mib: u64) -> Option<Self> {
        let backing = bench.file("backing", "");
        std::fs::OpenOptions::new().write(true).open(&backing).unwrap().set_len(mib << 20).unwrap();
        let output = Command::new("losetup").args(["--find", "--show"]).arg(&backing).output().ok()?;
        let path = String::from_utf8(output.stdout).ok()?.trim().to_string();
        output.status.success().then_some(Self { path, backing })
    }

    /// The id that approves it for erasing.
    pub fn id(&self, bench: &Bench) -> String {
        let refused =
            bench.fio(&format!("--name=d --filename={} --rw=write --size=4k", self.path)).exits_with(1);
        let (_, rest) = refused.stderr.split_once("--allow-erase=").expect("it is asked for");
        rest.split_whitespace().next().unwrap_or_default().to_string()
    }
}

impl Drop for LoopDevice {
    fn drop(&mut self) {
        let _ = Command::new("losetup").args(["--detach", &self.path]).status();
    }
}
