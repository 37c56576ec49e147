//! The sums by which a download is checked.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

/// The file with the sums.
const NAME: &str = "SHA256SUMS";

/// Writes the sums of all files in `directory`, as `sha256sum --check` reads them.
pub fn write(directory: &Path) -> Result<PathBuf, String> {
    let io = |error: std::io::Error| format!("{}: {error}", directory.display());
    let entries = fs::read_dir(directory).map_err(io)?;
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|file| file.is_file() && file.file_name().is_some_and(|name| name != NAME));
    files.sort();
    let mut sums = String::new();
    for file in &files {
        let content = fs::read(file).map_err(io)?;
        for byte in Sha256::digest(&content) {
            let _ = write!(sums, "{byte:02x}");
        }
        let _ = writeln!(sums, "  {}", file.file_name().unwrap_or_default().to_string_lossy());
    }
    let path = directory.join(NAME);
    fs::write(&path, sums).map_err(io)?;
    Ok(path)
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
    }
}
