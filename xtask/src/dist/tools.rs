//! What releases are made with, at fixed versions, unpacked below the target directory.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::registry;
use crate::workspace::stdout_of;

/// Packages of the Python package index.
const PACKAGES: [&str; 2] = ["cargo-zigbuild==0.24.1", "ziglang==0.17.1"];
/// Programs from the registry of crates, and their features: licences, the list of crates in the program, and the same as a
/// file.
const CRATES: [(&str, &str); 3] =
    [("cargo-about@0.9.3", "cli"), ("cargo-auditable@0.7.7", ""), ("cargo-cyclonedx@0.5.9", "")];
/// Programs of the system, and their packages on Debian.
const PROGRAMS: [(&str, &str); 5] = [
    ("python3", "python3-venv"),
    ("dpkg-deb", "dpkg"),
    ("rpmbuild", "rpm"),
    ("gzip", "gzip"),
    ("tar", "tar"),
];

/// Tools in directories of their own.
pub struct Tools {
    programs: Vec<PathBuf>,
}

impl Tools {
    /// Unpacks them below `directory`, unless they are there.
    ///
    /// # Errors
    /// The reason why they cannot be had.
    pub fn have(directory: &Path) -> Result<Self, String> {
        for (program, package) in PROGRAMS {
            let version = stdout_of(Command::new(program).arg("--version"));
            version.map_err(|error| format!("{error} (on Debian: apt-get install {package})"))?;
        }
        let mut programs = vec![python(&directory.join("tools"))?];
        for (package, features) in CRATES {
            programs.push(registry::have(package, features)?);
        }
        Ok(Self { programs })
    }

    /// Where programs are looked for: here first.
    pub fn path(&self) -> OsString {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let all = self.programs.iter().cloned().chain(std::env::split_paths(&path));
        std::env::join_paths(all).unwrap_or(path.clone())
    }
}

/// The directory with the programs of Python packages below `root`.
fn python(root: &Path) -> Result<PathBuf, String> {
    let programs = root.join("bin");
    // Written last, with what is there: other versions are fetched when they are asked for.
    let (mark, wanted) = (root.join("packages"), PACKAGES.join("\n"));
    if std::fs::read_to_string(&mark).is_ok_and(|there| there == wanted) {
        return Ok(programs);
    }
    let venv = |error| format!("{error} (on Debian: apt-get install python3-venv)");
    stdout_of(Command::new("python3").args(["-m", "venv", "--clear"]).arg(root)).map_err(venv)?;
    let mut pip = Command::new(programs.join("pip"));
    stdout_of(pip.args(["install", "--quiet", "--no-deps", "--disable-pip-version-check"]).args(PACKAGES))?;
    std::fs::write(&mark, wanted).map_err(|error| format!("{}: {error}", mark.display()))?;
    Ok(programs)
}
