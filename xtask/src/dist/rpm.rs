//! The package for Fedora, openSUSE and what descends from them.

use std::path::PathBuf;

use super::tree::Tree;
use super::{Release, Target, debian_version};
use crate::workspace::{self, stdout_of};

/// Writes the package with what is in `tree`.
pub fn write(release: &Release, target: &Target, tree: &Tree) -> Result<PathBuf, String> {
    let work = release.work.join("rpm").join(target.debian);
    let name = target.rpm_file();
    let mut build = release.command("rpmbuild");
    build.args(["--quiet", "-bb", "--target"]).arg(format!("{}-linux", target.rpm));
    for (key, value) in [
        ("_topdir", work.display().to_string()),
        ("_rpmdir", release.to.display().to_string()),
        ("_rpmfilename", name.clone()),
        ("tree", tree.root.display().to_string()),
        ("release_version", debian_version()),
    ] {
        build.args(["--define", &format!("{key} {value}")]);
    }
    stdout_of(build.arg(workspace::root().join("packaging/cardiograph.spec")))?;
    Ok(release.to.join(name))
}
