//! Packages and the image, looked at by the tools that they are for.

use std::fs;
use std::process::Command;

use serde_json::Value;

use super::Release;
use super::place::{NOBODY, Place, remove};
use crate::dist::{self, Target};
use crate::workspace::stdout_of;

/// Maximum size of an image, compressed.
const IMAGE_LEN_BYTES_MAX: u64 = 25_000_000;

/// Debian's checker finds no error in a package.
pub fn lintian(release: &Release, target: &Target) -> Result<(), String> {
    let mut lintian = Command::new("lintian");
    let said = lintian.args(["--fail-on", "error", "--allow-root"]).arg(release.file(&target.deb())).output();
    let said = said.map_err(|error| format!("lintian: {error} (on Debian: apt-get install lintian)"))?;
    match said.status.success() {
        true => Ok(()),
        false => Err(String::from_utf8_lossy(&said.stdout).into_owned()),
    }
}

/// The image is what its readers expect, small, and runs as nobody without anything else.
pub fn image(release: &Release, target: &Target) -> Result<(), String> {
    let copy = release.work.join(format!("image-{}", target.debian));
    remove(&copy)?;
    let archive = release.file(&dist::image_file());
    let mut skopeo = Command::new("skopeo");
    skopeo.args(["--insecure-policy", "--override-os", "linux", "--override-arch", target.image.0]);
    skopeo.args(target.image.1.map(|variant| ["--override-variant", variant]).into_iter().flatten());
    skopeo.args(["copy", "--quiet"]).arg(format!("oci-archive:{}:{}", archive.display(), dist::image_name()));
    stdout_of(skopeo.arg(format!("dir:{}", copy.display())))
        .map_err(|error| format!("{error} (on Debian: apt-get install skopeo)"))?;
    let read = |name: &str| {
        let path = copy.join(name);
        fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))
    };
    let json =
        |content: Vec<u8>| serde_json::from_slice::<Value>(&content).map_err(|error| error.to_string());
    let blob = |value: &Value| {
        value["digest"].as_str().unwrap_or_default().trim_start_matches("sha256:").to_string()
    };
    let manifest = json(read("manifest.json")?)?;
    let config = json(read(&blob(&manifest["config"]))?)?;
    let layer = &manifest["layers"][0];
    if !(config["config"]["User"] == NOBODY.id && config["architecture"] == target.image.0) {
        return Err(format!("it is for somebody else: {config}"));
    }
    let len_bytes = layer["size"].as_u64().unwrap_or(u64::MAX);
    if len_bytes > IMAGE_LEN_BYTES_MAX {
        return Err(format!("it has {len_bytes} bytes, and {IMAGE_LEN_BYTES_MAX} are the most"));
    }
    let root = release.work.join(format!("{}-image", target.debian));
    remove(&root)?;
    fs::create_dir_all(&root).map_err(|error| format!("{}: {error}", root.display()))?;
    let mut unpack = Command::new("tar");
    unpack.args(["--extract", "--gunzip", "--same-permissions", "--directory"]).arg(&root);
    stdout_of(unpack.arg("--file").arg(copy.join(blob(layer))))?;
    let place = Place::at(root, NOBODY)?;
    let words = ["check", "--simulate", "sandisk-ultra-64", "--quiet"];
    stdout_of(place.command(place.program, &words).env("XDG_DATA_HOME", "/data")).map(drop)
}
