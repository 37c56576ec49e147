//! The files that packages install, as a directory: all packages are made from it.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{Release, Target, papers};
use crate::workspace::{self, stdout_of};

/// Where the texts are that come with the program.
pub const TEXTS: &str = "usr/share/doc/cardiograph";
/// Files of the repository, and where they are.
const FILES: [(&str, &str); 9] = [
    ("README.md", "usr/share/doc/cardiograph/README.md"),
    ("CHANGELOG.md", "usr/share/doc/cardiograph/CHANGELOG.md"),
    ("SECURITY.md", "usr/share/doc/cardiograph/SECURITY.md"),
    ("LICENSE-APACHE", "usr/share/doc/cardiograph/LICENSE-APACHE"),
    ("LICENSE-MIT", "usr/share/doc/cardiograph/LICENSE-MIT"),
    ("docs/grafana.json", "usr/share/cardiograph/grafana.json"),
    ("packaging/cardiograph-serve.service", "usr/lib/systemd/system/cardiograph-serve.service"),
    ("packaging/cardiograph-check.service", "usr/lib/systemd/system/cardiograph-check.service"),
    ("packaging/cardiograph-check.timer", "usr/lib/systemd/system/cardiograph-check.timer"),
];
/// The manual: a directory for each section, and one of those for each other language.
const MANUAL: (&str, &str) = ("docs/man", "usr/share/man");
/// Shells, and where their completions are.
const COMPLETIONS: [(&str, &str); 3] = [
    ("bash", "usr/share/bash-completion/completions/cardiograph"),
    ("fish", "usr/share/fish/vendor_completions.d/cardiograph.fish"),
    ("zsh", "usr/share/zsh/vendor-completions/_cardiograph"),
];
/// The script that installs an archive.
const INSTALLER: &str = "install.sh";

/// A directory with `usr` in it.
pub struct Tree {
    pub root: PathBuf,
}

/// Makes the tree of `program`. `host` is a program that runs here.
pub fn write(release: &Release, target: &Target, program: &Path, host: &Path) -> Result<Tree, String> {
    let tree = Tree { root: release.work.join("tree").join(target.debian) };
    workspace::empty_directory(&tree.root)?;
    tree.add("usr/bin/cardiograph", program)?;
    for (from, at) in FILES {
        tree.add(at, &workspace::root().join(from))?;
    }
    for (shell, at) in COMPLETIONS {
        let script = stdout_of(Command::new(host).args(["completions", shell]))?;
        tree.write(at, script.as_bytes())?;
    }
    tree.add_manual(&workspace::root().join(MANUAL.0), Path::new(MANUAL.1))?;
    tree.write(&format!("{TEXTS}/LICENSES-OF-LIBRARIES.txt"), release.licences.as_bytes())?;
    let parts = papers::parts(release, target)?;
    tree.write(&format!("{TEXTS}/cardiograph.cdx.json"), parts.as_bytes())?;
    fs::set_permissions(tree.root.join("usr/bin/cardiograph"), Permissions::from_mode(0o755))
        .map_err(|error| format!("{}: {error}", tree.root.display()))?;
    Ok(tree)
}

impl Tree {
    /// Writes a file with this content.
    pub fn write(&self, at: &str, content: &[u8]) -> Result<(), String> {
        let path = self.root.join(at);
        let written =
            path.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::write(&path, content));
        let written = written.and_then(|()| fs::set_permissions(&path, Permissions::from_mode(0o644)));
        written.map_err(|error| format!("{}: {error}", path.display()))
    }

    /// Writes a file, compressed.
    pub fn write_compressed(&self, at: &str, content: &[u8]) -> Result<(), String> {
        self.write(at, content)?;
        stdout_of(Command::new("gzip").args(["-9nf"]).arg(self.root.join(at))).map(drop)
    }

    fn add(&self, at: &str, from: &Path) -> Result<(), String> {
        let content = fs::read(from).map_err(|error| format!("{}: {error}", from.display()))?;
        self.write(at, &content)
    }

    fn add_manual(&self, from: &Path, at: &Path) -> Result<(), String> {
        let io = |error: std::io::Error| format!("{}: {error}", from.display());
        for entry in fs::read_dir(from).map_err(io)? {
            let entry = entry.map_err(io)?;
            let (path, at) = (entry.path(), at.join(entry.file_name()));
            if path.is_dir() {
                self.add_manual(&path, &at)?;
            } else {
                self.write_compressed(&at.to_string_lossy(), &fs::read(&path).map_err(io)?)?;
            }
        }
        Ok(())
    }

    /// Packs what is below `usr` under the name of the release: an archive for systems without a package.
    pub fn archive(&self, release: &Release, target: &Target) -> Result<PathBuf, String> {
        let name = target.name();
        let archive = release.to.join(target.archive());
        let mut tar = tar(release, "gzip -9n");
        tar.arg(format!("--transform=s,^usr,{name},")).arg("--file").arg(&archive);
        stdout_of(tar.arg("--directory").arg(&self.root).arg("usr"))?;
        Ok(archive)
    }
}

/// A command that packs the same files into the same bytes.
pub fn tar(release: &Release, compress: &str) -> Command {
    let mut tar = release.command("tar");
    tar.args(["--create", "--format=gnu", "--sort=name", "--owner=0", "--group=0", "--numeric-owner"]);
    tar.arg(format!("--use-compress-program={compress}")).arg(format!("--mtime=@{}", release.unix_s));
    tar
}

/// Adds the script that installs an archive.
pub fn installer(release: &Release) -> Result<PathBuf, String> {
    let (from, to) = (workspace::root().join("packaging").join(INSTALLER), release.to.join(INSTALLER));
    fs::copy(&from, &to).map_err(|error| format!("{}: {error}", from.display()))?;
    Ok(to)
}
