//! The package for Debian and what descends from it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::tree::{TEXTS, Tree};
use super::{Release, Target, debian_version};
use crate::workspace::{self, stdout_of};

/// Whom users of a package write to, as Debian's tools read it.
const MAINTAINER: [(&str, &str); 2] =
    [("DEBFULLNAME", "The cardiograph authors"), ("DEBEMAIL", "maintainers@cardiograph.invalid")];

/// Writes the package with what is in `tree`, to which it adds what only such a package has.
pub fn write(release: &Release, target: &Target, tree: &Tree) -> Result<PathBuf, String> {
    let version = format!("{}-1", debian_version());
    let packaging = |file: &str| {
        let path = workspace::root().join("packaging/deb").join(file);
        fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))
    };
    let maintainer = MAINTAINER.map(|(name, otherwise)| std::env::var(name).unwrap_or(otherwise.to_string()));
    let [name, address] = maintainer;
    let date =
        stdout_of(Command::new("date").args(["--utc", "-R", "-d"]).arg(format!("@{}", release.unix_s)))?;
    let changes = format!(
        "cardiograph ({version}) unstable; urgency=medium\n\n  * changelog.gz says what is new.\n\n -- {name} <{address}>  {date}"
    );
    // Only the package has these: what is made from the tree after it does not see them.
    let own = Tree { root: release.work.join("deb").join(target.debian) };
    let io = |error: std::io::Error| format!("{}: {error}", own.root.display());
    workspace::empty_directory(&own.root)?;
    stdout_of(Command::new("cp").arg("-r").arg(tree.root.join("usr")).arg(&own.root))?;
    own.write(&format!("{TEXTS}/copyright"), packaging("copyright")?.as_bytes())?;
    own.write_compressed(&format!("{TEXTS}/changelog.Debian"), changes.as_bytes())?;
    own.write("usr/share/lintian/overrides/cardiograph", packaging("lintian-overrides")?.as_bytes())?;
    // What the copyright file says of both, Debian does not want twice; texts on paper are compressed.
    for file in ["LICENSE-APACHE", "LICENSE-MIT"] {
        fs::remove_file(own.root.join(TEXTS).join(file)).map_err(io)?;
    }
    let texts = own.root.join(TEXTS);
    fs::rename(texts.join("CHANGELOG.md"), texts.join("changelog")).map_err(io)?;
    for file in ["changelog", "LICENSES-OF-LIBRARIES.txt", "cardiograph.cdx.json"] {
        stdout_of(Command::new("gzip").arg("-9nf").arg(texts.join(file)))?;
    }
    let (len_kb, digests) = contents(&own.root)?;
    let mut control = packaging("control")?;
    for (word, value) in [
        ("{version}", version.as_str()),
        ("{architecture}", target.debian),
        ("{maintainer}", &format!("{name} <{address}>")),
        ("{kilobytes}", &len_kb),
    ] {
        control = control.replace(word, value);
    }
    own.write("DEBIAN/control", control.as_bytes())?;
    own.write("DEBIAN/md5sums", digests.as_bytes())?;
    for script in ["postinst", "postrm"] {
        own.write(&format!("DEBIAN/{script}"), packaging(script)?.as_bytes())?;
        stdout_of(Command::new("chmod").arg("755").arg(own.root.join("DEBIAN").join(script)))?;
    }
    let package = release.to.join(target.deb());
    // Debian 11 reads no zstd.
    let mut pack = release.command("dpkg-deb");
    stdout_of(pack.args(["--root-owner-group", "-Zxz", "--build"]).arg(&own.root).arg(&package))?;
    Ok(package)
}

/// Kilobytes of all files, and their MD5 sums as dpkg has them.
fn contents(root: &Path) -> Result<(String, String), String> {
    let shell = |script| stdout_of(Command::new("sh").args(["-c", script]).current_dir(root));
    let len_kb = shell("du --summarize --apparent-size --block-size=1K usr | cut -f1")?;
    let digests = shell("find usr -type f -print0 | sort -z | xargs -0 md5sum")?;
    Ok((len_kb.trim().to_string(), digests))
}
