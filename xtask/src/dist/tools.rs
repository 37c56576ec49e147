//! What releases are made with, at fixed versions, unpacked below the target directory.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::workspace::stdout_of;

/// Packages of the Python package index.
const PACKAGES: [&str; 2] = ["cargo-zigbuild==0.24.1", "ziglang==0.17.1"];

/// Tools in a directory of their own.
pub struct Tools {
    programs: PathBuf,
}

impl Tools {
    /// Unpacks them into `directory`, unless they are there.
    ///
    /// # Errors
    /// The reason why they cannot be had.
    pub fn have(directory: &Path) -> Result<Self, String> {
        let root = directory.join("tools");
        let tools = Self { programs: root.join("bin") };
        // Written last, with what is there: other versions are fetched when they are asked for.
        let (mark, wanted) = (root.join("packages"), PACKAGES.join("\n"));
        if std::fs::read_to_string(&mark).is_ok_and(|there| there == wanted) {
            return Ok(tools);
        }
        let venv = |error| format!("{error} (on Debian: apt-get install python3-venv)");
        stdout_of(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&root)).map_err(venv)?;
        let mut pip = Command::new(tools.programs.join("pip"));
        stdout_of(
            pip.args(["install", "--quiet", "--no-deps", "--disable-pip-version-check"]).args(PACKAGES),
        )?;
        std::fs::write(&mark, wanted).map_err(|error| format!("{}: {error}", mark.display()))?;
        Ok(tools)
    }

    /// Where programs are looked for: here first.
    pub fn path(&self) -> OsString {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let all = std::iter::once(self.programs.clone()).chain(std::env::split_paths(&path));
        std::env::join_paths(all).unwrap_or(path.clone())
    }
}
