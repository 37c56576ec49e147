//! Debian packages, downloaded with apt and unpacked into a directory. Nothing is installed.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::workspace::{self, stdout_of};

/// Where packages of other releases are.
pub const MIRROR: &str = "http://deb.debian.org/debian";

/// Packages of a release.
#[derive(Default)]
pub struct Debian {
    /// For apt, if it is another release than this machine's.
    options: Vec<String>,
}

impl Debian {
    /// Another release, for an architecture. Its lists are kept in `directory`.
    ///
    /// # Errors
    /// A write error, or apt's message.
    pub fn release(name: &str, architecture: &str, directory: &Path) -> Result<Self, String> {
        let io = |error: std::io::Error| format!("{}: {error}", directory.display());
        fs::create_dir_all(directory.join("lists/partial")).map_err(io)?;
        let sources = directory.join("sources.list");
        fs::write(&sources, format!("deb {MIRROR} {name} main\n")).map_err(io)?;
        let options = [
            format!("Dir::Etc::SourceList={}", sources.display()),
            "Dir::Etc::SourceParts=/dev/null".to_string(),
            format!("Dir::State::Lists={}", directory.join("lists").display()),
            format!("Dir::Cache={}", directory.display()),
            format!("APT::Architectures={architecture}"),
        ];
        let other =
            Self { options: options.iter().flat_map(|option| ["-o".to_string(), option.clone()]).collect() };
        stdout_of(other.apt("apt-get").args(["--quiet", "update"]))?;
        Ok(other)
    }

    fn apt(&self, program: &str) -> Command {
        let mut apt = Command::new(program);
        apt.args(&self.options);
        apt
    }

    /// Downloads `packages` and unpacks them into `root`, which is created when all are complete. `directory` holds
    /// unfinished files.
    ///
    /// # Errors
    /// A write error, or the message of apt or dpkg.
    pub fn unpack(&self, packages: &[String], directory: &Path, root: &Path) -> Result<(), String> {
        let io = |error: std::io::Error| format!("{}: {error}", directory.display());
        let (downloads, partial) = (directory.join("packages"), directory.join("unpacking"));
        for path in [&downloads, &partial] {
            workspace::empty_directory(path)?;
        }
        stdout_of(self.apt("apt-get").arg("download").args(packages).current_dir(&downloads))?;
        for entry in fs::read_dir(&downloads).map_err(io)? {
            let package = entry.map_err(io)?.path();
            stdout_of(Command::new("dpkg-deb").arg("--extract").arg(&package).arg(&partial))?;
        }
        fs::remove_dir_all(&downloads).map_err(io)?;
        fs::rename(&partial, root).map_err(io)
    }

    /// The dependency of `package` whose name begins with `prefix`.
    ///
    /// # Errors
    /// When there is none, or apt's message.
    pub fn dependency(&self, package: &str, prefix: &str) -> Result<String, String> {
        let text = stdout_of(self.apt("apt-cache").args(["depends", package]))?;
        first_dependency(&text, prefix).ok_or_else(|| {
            format!(
                "apt finds no dependency of {package} that begins with {prefix} (is `apt-get update` due?)"
            )
        })
    }
}

fn first_dependency(apt_cache_depends: &str, prefix: &str) -> Option<String> {
    let mut names = apt_cache_depends.lines().filter_map(|line| line.trim().strip_prefix("Depends: "));
    names.find(|name| name.starts_with(prefix)).map(str::to_string)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_are_found_among_dependencies() {
        let text = "libstd-rust-web-1.96\n  Depends: libc6\n  Depends: libllvm22\n  Conflicts: <rustup>\n    libllvm9\n";
        assert_eq!(first_dependency(text, "libllvm"), Some("libllvm22".to_string()));
        assert_eq!(first_dependency(text, "libstd"), None);
        assert_eq!(first_dependency(text, "<rustup"), None);
    }
}
