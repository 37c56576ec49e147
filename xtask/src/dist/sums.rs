//! The sums by which a download is checked, and who says so.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use sha2::{Digest, Sha256};

/// The file with the sums.
const NAME: &str = "SHA256SUMS";
/// What the files with its signatures end with: of ssh-keygen and minisign.
const SIGNATURES: [&str; 2] = ["sig", "minisig"];

/// Writes the sums of all files in `directory`, as `sha256sum --check` reads them.
pub fn write(directory: &Path) -> Result<PathBuf, String> {
    let io = |error: std::io::Error| format!("{}: {error}", directory.display());
    let entries = fs::read_dir(directory).map_err(io)?;
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    let is_own =
        |file: &PathBuf| file.file_name().is_some_and(|name| name.to_string_lossy().starts_with(NAME));
    files.retain(|file| file.is_file() && !is_own(file));
    files.sort();
    let mut sums = String::new();
    for file in &files {
        let content = fs::read(file).map_err(io)?;
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let _ = writeln!(sums, "{}  {name}", hex(&Sha256::digest(&content)));
    }
    let path = directory.join(NAME);
    if fs::read_to_string(&path).is_ok_and(|before| before != sums) {
        // A signature of other sums must not be uploaded with these.
        for kind in SIGNATURES {
            drop(fs::remove_file(directory.join(format!("{NAME}.{kind}"))));
        }
    }
    fs::write(&path, sums).map_err(io)?;
    Ok(path)
}

/// Hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Signs the sums by a key of OpenSSH. Asks for its passphrase, if it has one.
pub fn sign(directory: &Path, key: &Path) -> Result<PathBuf, String> {
    let mut sign = Command::new("ssh-keygen");
    sign.args(["-Y", "sign", "-n", "cardiograph", "-f"]).arg(key).arg(directory.join(NAME));
    let signature = directory.join(format!("{NAME}.sig"));
    // It asks before it writes over one.
    drop(fs::remove_file(&signature));
    let status = sign.stderr(Stdio::inherit()).status();
    match status.map_err(|error| format!("ssh-keygen cannot be started: {error}"))?.success() {
        true => Ok(signature),
        false => Err(format!("{} could not be signed by {}", directory.join(NAME).display(), key.display())),
    }
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    #[test]
    fn sums_are_those_of_sha256sum() {
        let directory = tempfile::tempdir().unwrap();
        fs::write(directory.path().join("b.deb"), b"two").unwrap();
        fs::write(directory.path().join("a.tar.gz"), b"one").unwrap();
        let first = fs::read_to_string(write(directory.path()).unwrap()).unwrap();
        assert_eq!(fs::read_to_string(write(directory.path()).unwrap()).unwrap(), first, "not of itself");
        assert_eq!(first.lines().count(), 2);
        let mut check = Command::new("sha256sum");
        assert!(check.args(["--check", "--quiet", NAME]).current_dir(&directory).status().unwrap().success());
        // A signature stays as long as what it signs.
        for (content, is_kept) in [("one", true), ("three", false)] {
            let signed = SIGNATURES.map(|kind| directory.path().join(format!("{NAME}.{kind}")));
            signed.iter().for_each(|file| fs::write(file, b"signed").unwrap());
            fs::write(directory.path().join("a.tar.gz"), content).unwrap();
            write(directory.path()).unwrap();
            assert_eq!(signed.map(|file| file.exists()), [is_kept; 2], "{content}");
        }
    }
}
