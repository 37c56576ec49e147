//! The archive with all that a program's users want: the program, manuals, completions, units and licences.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::Target;
use crate::workspace::{self, stdout_of};

/// Files and directories of the repository, and where they are in the archive.
const FILES: [(&str, &str); 7] = [
    ("README.md", "README.md"),
    ("CHANGELOG.md", "CHANGELOG.md"),
    ("LICENSE-APACHE", "LICENSE-APACHE"),
    ("LICENSE-MIT", "LICENSE-MIT"),
    ("SECURITY.md", "SECURITY.md"),
    ("docs/man", "man"),
    ("packaging/cardiograph-serve.service", "cardiograph-serve.service"),
];
/// Shells, and what their completions are called.
const COMPLETIONS: [(&str, &str); 3] =
    [("bash", "cardiograph.bash"), ("fish", "cardiograph.fish"), ("zsh", "_cardiograph")];

/// Writes the archive of `program` into `to`. `host` is a program that runs here. The same files give the same bytes.
pub fn write(target: &Target, program: &Path, host: &Path, to: &Path) -> Result<PathBuf, String> {
    let name = format!("cardiograph-{}-{}", env!("CARGO_PKG_VERSION"), target.triple);
    let stage = tempfile::tempdir_in(to).map_err(|error| format!("{}: {error}", to.display()))?;
    let root = stage.path().join(&name);
    let io = |path: &Path, error: std::io::Error| format!("{}: {error}", path.display());
    let completions = root.join("completions");
    fs::create_dir_all(&completions).map_err(|error| io(&completions, error))?;
    fs::copy(program, root.join("cardiograph")).map_err(|error| io(program, error))?;
    for (from, at) in FILES {
        let from = workspace::root().join(from);
        stdout_of(Command::new("cp").arg("-r").arg(&from).arg(root.join(at)))?;
    }
    for (shell, file) in COMPLETIONS {
        let script = stdout_of(Command::new(host).args(["completions", shell]))?;
        let file = completions.join(file);
        fs::write(&file, script).map_err(|error| io(&file, error))?;
    }
    let archive = to.join(format!("{name}.tar.gz"));
    let mut tar = Command::new("tar");
    tar.args(["--create", "--format=gnu", "--sort=name", "--owner=0", "--group=0", "--numeric-owner"]);
    tar.args(["--mode=u=rwX,go=rX", "--use-compress-program=gzip -9n"]);
    tar.arg(format!("--mtime=@{}", commit_unix_s()?));
    stdout_of(tar.arg("--file").arg(&archive).arg("--directory").arg(stage.path()).arg(&name))?;
    Ok(archive)
}

/// When the commit that is built was made, in seconds since 1970: the time of all files in a release.
fn commit_unix_s() -> Result<u64, String> {
    let mut git = Command::new("git");
    let text = stdout_of(git.args(["log", "-1", "--format=%ct"]).current_dir(workspace::root()))?;
    text.trim().parse().map_err(|error| format!("git log: '{}': {error}", text.trim()))
}
