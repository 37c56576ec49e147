//! A root directory in which a program runs as somebody.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::Release;
use crate::dist::Target;
use crate::workspace::stdout_of;

/// Who runs a program.
#[derive(Debug, Clone, Copy)]
pub struct User {
    pub name: &'static str,
    /// User and group, as chroot and images have them.
    pub id: &'static str,
}

pub const ROOT: User = User { name: "root", id: "0:0" };
pub const NOBODY: User = User { name: "nobody", id: "65534:65534" };

/// The directory of each place in which everything is written.
pub const WORK: &str = "/work";
/// What containers have of the system.
const SYSTEM: [&str; 3] = ["proc", "sys", "dev"];

/// A root directory with a program.
pub struct Place {
    pub root: PathBuf,
    pub user: User,
    /// The program, in the root directory.
    pub program: &'static str,
    mounted: Vec<PathBuf>,
}

impl Drop for Place {
    fn drop(&mut self) {
        for path in self.mounted.iter().rev() {
            let _ = Command::new("umount").arg("--lazy").arg(path).status();
        }
    }
}

impl Place {
    /// A root directory with nothing but the program of an archive, for a user.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn empty(release: &Release, target: &Target, user: User) -> Result<Self, String> {
        let root = release.work.join(format!("{}-{}", target.debian, user.name));
        remove(&root)?;
        make(&root, 0o755)?;
        let mut unpack = Command::new("tar");
        unpack
            .args(["--extract", "--gunzip", "--strip-components=1", "--directory"])
            .arg(&root)
            .arg("--file");
        stdout_of(unpack.arg(release.file(&target.archive())).arg(format!("{}/bin", target.name())))?;
        make(&root.join("usr"), 0o755)?;
        fs::rename(root.join("bin"), root.join("usr/bin"))
            .map_err(|error| format!("{}: {error}", root.display()))?;
        Self::at(root, user)
    }

    /// An existing root directory in which the program is or will be installed.
    ///
    /// # Errors
    /// When the system cannot be mounted into it.
    pub fn at(root: PathBuf, user: User) -> Result<Self, String> {
        let mut place = Self { root, user, program: "/usr/bin/cardiograph", mounted: Vec::new() };
        remove(&place.path(WORK))?;
        make(&place.path(WORK), 0o1777)?;
        // As in a container, the root directory is the root of a mount, by which the drive below it is found.
        stdout_of(Command::new("mount").arg("--bind").arg(&place.root).arg(&place.root))?;
        place.mounted.push(place.root.clone());
        for name in SYSTEM {
            let path = place.path(name);
            make(&path, 0o755)?;
            stdout_of(Command::new("mount").arg("--rbind").arg(Path::new("/").join(name)).arg(&path))?;
            stdout_of(Command::new("mount").arg("--make-rslave").arg(&path))?;
            place.mounted.push(path);
        }
        Ok(place)
    }

    /// Where a path of the place is on this machine.
    pub fn path(&self, path: &str) -> PathBuf {
        self.root.join(path.trim_start_matches('/'))
    }

    /// The store of its steps, on this machine.
    pub fn store(&self) -> PathBuf {
        self.path(&format!("{WORK}/data/cardiograph/cardiograph.db"))
    }

    /// A command in the place.
    pub fn command(&self, program: &str, words: &[&str]) -> Command {
        let mut command = Command::new("chroot");
        command.arg(format!("--userspec={}", self.user.id)).arg(&self.root).arg(program).args(words);
        command.env_clear().envs([
            ("HOME", WORK),
            ("PATH", "/usr/sbin:/usr/bin:/sbin:/bin"),
            ("LC_ALL", "C"),
        ]);
        command.env("XDG_DATA_HOME", format!("{WORK}/data"));
        command
    }

    /// The standard output of the program with these words.
    ///
    /// # Errors
    /// When it fails.
    pub fn run(&self, words: &[&str]) -> Result<String, String> {
        stdout_of(&mut self.command(self.program, words))
    }
}

fn make(path: &Path, mode: u32) -> Result<(), String> {
    let made =
        fs::create_dir_all(path).and_then(|()| fs::set_permissions(path, Permissions::from_mode(mode)));
    made.map_err(|error| format!("{}: {error}", path.display()))
}

/// Removes a directory in which nothing is mounted.
pub fn remove(path: &Path) -> Result<(), String> {
    if !path.exists() {
        return Ok(());
    }
    stdout_of(Command::new("rm").args(["--recursive", "--force", "--one-file-system"]).arg(path)).map(drop)
}
