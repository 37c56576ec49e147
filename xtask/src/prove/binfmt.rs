//! Programs of other processors: the kernel starts them by QEMU while they are registered.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::dist::Target;
use crate::workspace::stdout_of;

const KERNEL: &str = "/proc/sys/fs/binfmt_misc";

/// A registration, removed when dropped.
pub struct Registered(PathBuf);

impl Drop for Registered {
    fn drop(&mut self) {
        let _ = fs::write(&self.0, "-1");
    }
}

/// Registers QEMU for a processor, unless something is.
///
/// # Errors
/// What is missing.
pub fn register(target: &Target) -> Result<Option<Registered>, String> {
    let name = target.triple.split('-').next().unwrap_or_default();
    let name = if name.starts_with("armv") { "arm" } else { name };
    if !Path::new(KERNEL).join("register").exists() {
        stdout_of(Command::new("mount").args(["-t", "binfmt_misc", "binfmt_misc", KERNEL]))?;
    }
    let entry = Path::new(KERNEL).join(format!("qemu-{name}"));
    if entry.exists() {
        return Ok(None);
    }
    let line = format!("/usr/lib/binfmt.d/qemu-{name}.conf");
    let text = fs::read_to_string(&line)
        .map_err(|error| format!("{line}: {error} (on Debian: apt-get install qemu-user-static)"))?;
    let text = text.lines().find(|line| line.starts_with(':')).ok_or(format!("{line} registers nothing"))?;
    fs::write(Path::new(KERNEL).join("register"), text).map_err(|error| format!("{KERNEL}: {error}"))?;
    Ok(Some(Registered(entry)))
}
