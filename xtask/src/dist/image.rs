//! The image for containers: the program and nothing else, for all processors, as an archive of the OCI's layout.
//!
//! <https://github.com/opencontainers/image-spec>

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::{Release, Target, VERSION, image_file, image_name, sums, tree};
use crate::workspace::{self, stdout_of};

/// The user "nobody", without a name in an image without files.
const USER: &str = "65534:65534";
const INDEX: &str = "application/vnd.oci.image.index.v1+json";
const MANIFEST: &str = "application/vnd.oci.image.manifest.v1+json";
const CONFIG: &str = "application/vnd.oci.image.config.v1+json";
const LAYER: &str = "application/vnd.oci.image.layer.v1.tar+gzip";

/// Writes the image with these programs.
pub fn write(release: &Release, programs: &[(&Target, PathBuf)]) -> Result<PathBuf, String> {
    let root = release.work.join("image");
    let blobs = root.join("blobs/sha256");
    let io = |error: std::io::Error| format!("{}: {error}", root.display());
    workspace::empty_directory(&root)?;
    fs::create_dir_all(&blobs).map_err(io)?;
    let mut manifests = Vec::new();
    for (target, program) in programs {
        let (layer, id_of_layer) = layer(release, program, &root.join("root"))?;
        let platform = platform(target);
        let mut config = platform.clone();
        config["config"] = json!({
            "User": USER, "WorkingDir": "/drive", "Volumes": { "/data": {} },
            "Entrypoint": ["/usr/bin/cardiograph"], "Cmd": ["check"],
            "Env": ["PATH=/usr/bin", "HOME=/data", "XDG_DATA_HOME=/data"],
        });
        config["rootfs"] = json!({ "type": "layers", "diff_ids": [format!("sha256:{id_of_layer}")] });
        let config = blob(&blobs, CONFIG, config.to_string().as_bytes())?;
        let layer = blob(&blobs, LAYER, &layer)?;
        let manifest = json!({
            "schemaVersion": 2, "mediaType": MANIFEST, "config": config, "layers": [layer],
            "annotations": { "org.opencontainers.image.title": "cardiograph", "org.opencontainers.image.version": VERSION,
                "org.opencontainers.image.licenses": env!("CARGO_PKG_LICENSE") },
        });
        let mut entry = blob(&blobs, MANIFEST, manifest.to_string().as_bytes())?;
        entry["platform"] = platform;
        manifests.push(entry);
    }
    let index = |manifests: Value| json!({ "schemaVersion": 2, "mediaType": INDEX, "manifests": manifests });
    // One image for all processors, under the name by which tools find it in an archive.
    let mut all = blob(&blobs, INDEX, index(manifests.into()).to_string().as_bytes())?;
    let name = image_name();
    all["annotations"] = json!({
        "org.opencontainers.image.ref.name": name, "io.containerd.image.name": format!("docker.io/library/{name}"),
    });
    let index = index(json!([all]));
    fs::remove_dir_all(root.join("root")).map_err(io)?;
    fs::write(root.join("index.json"), index.to_string()).map_err(io)?;
    fs::write(root.join("oci-layout"), json!({ "imageLayoutVersion": "1.0.0" }).to_string()).map_err(io)?;
    let archive = release.to.join(image_file());
    let mut tar = tree::tar(release, "cat");
    tar.arg("--file").arg(&archive).arg("--directory").arg(&root);
    stdout_of(tar.args(["oci-layout", "index.json", "blobs"]))?;
    Ok(archive)
}

/// The compressed layer with the program, and the digest of what it holds.
fn layer(release: &Release, program: &Path, root: &Path) -> Result<(Vec<u8>, String), String> {
    let io = |error: std::io::Error| format!("{}: {error}", root.display());
    // Whoever the container runs as can write there.
    for (directory, mode) in [("usr/bin", 0o755), ("drive", 0o755), ("data", 0o1777), ("tmp", 0o1777)] {
        let path = root.join(directory);
        fs::create_dir_all(&path).map_err(io)?;
        fs::set_permissions(&path, Permissions::from_mode(mode)).map_err(io)?;
    }
    fs::copy(program, root.join("usr/bin/cardiograph")).map_err(io)?;
    let plain = root.with_extension("tar");
    let mut tar = tree::tar(release, "cat");
    stdout_of(tar.arg("--file").arg(&plain).arg("--directory").arg(root).arg("."))?;
    let digest = sums::hex(&Sha256::digest(fs::read(&plain).map_err(io)?));
    stdout_of(Command::new("gzip").arg("-9nf").arg(&plain))?;
    let compressed = plain.with_extension("tar.gz");
    let layer = fs::read(&compressed).map_err(io)?;
    fs::remove_file(&compressed).map_err(io)?;
    Ok((layer, digest))
}

fn platform(target: &Target) -> Value {
    let (architecture, variant) = target.image;
    let mut platform = json!({ "architecture": architecture, "os": "linux" });
    if let Some(variant) = variant {
        platform["variant"] = variant.into();
    }
    platform
}

/// Stores content under its digest. Returns its descriptor.
fn blob(blobs: &Path, media_type: &str, content: &[u8]) -> Result<Value, String> {
    let digest = sums::hex(&Sha256::digest(content));
    let path = blobs.join(&digest);
    fs::write(&path, content).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(json!({ "mediaType": media_type, "digest": format!("sha256:{digest}"), "size": content.len() }))
}
