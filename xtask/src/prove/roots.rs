//! Packages in Debian's last three releases: installed, upgraded, removed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::place::{NOBODY, Place, ROOT, WORK, remove};
use super::{Proof, Release};
use crate::debian::MIRROR;
use crate::dist::{self, Target};
use crate::workspace::stdout_of;

/// The releases, oldest first.
const RELEASES: [&str; 3] = ["bullseye", "bookworm", "trixie"];
/// Sorts before each version that is released.
const EARLIER: &str = "0.0.1-1";
/// Where the package is put in a root.
const PACKAGE: &str = "/package.deb";

/// Proves the packages of this machine's processor.
pub fn prove(release: &Release, proof: &mut Proof) -> Result<(), String> {
    let target = Target::here()?;
    let earlier = earlier(release, target)?;
    for name in RELEASES {
        let root = match have(release, name) {
            Ok(root) => root,
            Err(reason) => {
                println!("NOT PROVED: {name}: {reason}");
                continue;
            }
        };
        let place = Place::at(root.clone(), ROOT)?;
        proof.add(name, "installed", install(&place, &earlier));
        proof.steps(&format!("{name} root"), &place, false);
        proof.add(name, "upgraded", install(&place, &release.file(&target.deb())));
        proof.add(name, "nothing is enabled", nothing_enabled(&place));
        drop(place);
        let mut place = Place::at(root, NOBODY)?;
        proof.steps(&format!("{name} nobody"), &place, false);
        place.user = ROOT;
        proof.add(name, "removed", removed(&place));
        proof.add(name, "RPM installed and removed", rpm(release, target, &place));
    }
    Ok(())
}

/// The other kind of package, by this machine's rpm: these roots have none of their own, and a shell for its scripts.
fn rpm(release: &Release, target: &Target, place: &Place) -> Result<(), String> {
    let rpm = |words: &[&str]| {
        let mut rpm = Command::new("rpm");
        stdout_of(rpm.arg("--root").arg(&place.root).args(words))
            .map_err(|error| format!("{error} (on Debian: apt-get install rpm)"))
    };
    rpm(&["--install", "--nodeps", &release.file(&target.rpm_file()).display().to_string()])?;
    place.run(&["--version"])?;
    let said = rpm(&["--erase", "cardiograph"])?;
    remove(&place.path("/var/lib/rpm"))?;
    match said.contains("checkups stay") && !place.path(place.program).exists() {
        true => Ok(()),
        false => Err(format!("it is still there, or does not say where checkups are: {said}")),
    }
}

/// The package's tree with an earlier version.
fn earlier(release: &Release, target: &Target) -> Result<PathBuf, String> {
    let (tree, package) = (release.work.join("earlier"), release.work.join("earlier.deb"));
    remove(&tree)?;
    stdout_of(Command::new("dpkg-deb").arg("--raw-extract").arg(release.file(&target.deb())).arg(&tree))?;
    let control = tree.join("DEBIAN/control");
    let text = fs::read_to_string(&control).map_err(|error| format!("{}: {error}", control.display()))?;
    let text =
        text.replace(&format!("Version: {}-1", dist::debian_version()), &format!("Version: {EARLIER}"));
    fs::write(&control, text).map_err(|error| format!("{}: {error}", control.display()))?;
    let mut pack = Command::new("dpkg-deb");
    stdout_of(pack.args(["--root-owner-group", "-Znone", "--build"]).arg(&tree).arg(&package))?;
    Ok(package)
}

/// The root directory of a Debian, made once.
fn have(release: &Release, name: &str) -> Result<PathBuf, String> {
    let root = release.work.join("roots").join(name);
    // debootstrap removes its own directory last.
    if root.join("etc/debian_version").exists() && !root.join("debootstrap").exists() {
        return Ok(root);
    }
    remove(&root)?;
    let mut debootstrap = Command::new("debootstrap");
    stdout_of(debootstrap.args(["--variant=minbase", name]).arg(&root).arg(MIRROR))
        .map_err(|error| format!("{error} (on Debian: apt-get install debootstrap)"))?;
    Ok(root)
}

fn install(place: &Place, package: &Path) -> Result<(), String> {
    let to = place.path(PACKAGE);
    fs::copy(package, &to).map_err(|error| format!("{}: {error}", package.display()))?;
    stdout_of(&mut place.command("dpkg", &["--install", PACKAGE]))?;
    fs::remove_file(&to).map_err(|error| format!("{}: {error}", to.display()))?;
    place.run(&["--version"]).map(drop)
}

fn nothing_enabled(place: &Place) -> Result<(), String> {
    let wanted =
        Command::new("find").arg(place.path("/etc/systemd")).args(["-name", "*cardiograph*"]).output();
    let wanted = wanted.map_err(|error| error.to_string())?.stdout;
    if wanted.is_empty() { Ok(()) } else { Err(String::from_utf8_lossy(&wanted).into_owned()) }
}

/// After a removal and a purge, checkups are still there, and the package said where.
fn removed(place: &Place) -> Result<(), String> {
    let said = stdout_of(&mut place.command("dpkg", &["--purge", "cardiograph"]))?;
    if !said.contains("checkups stay") {
        return Err(format!("it does not say where checkups are: {said}"));
    }
    if !place.store().exists() {
        return Err("the store is gone".to_string());
    }
    let mut find = Command::new("find");
    let left = stdout_of(
        find.arg(&place.root)
            .args(["-xdev", "-name", "*cardiograph*", "-not", "-path"])
            .arg(place.path(&format!("{WORK}/*"))),
    )?;
    if left.is_empty() { Ok(()) } else { Err(format!("it left {left}")) }
}
