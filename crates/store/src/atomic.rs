//! Files that are there whole or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use crate::StoreError;

/// Puts `bytes` into the file at `path`: under another name first, made durable, then renamed into place. What stood
/// there stays if anything fails. A link is followed; something that is no file, such as `/dev/stdout`, is written to as
/// it stands. A new file gets the permissions `mode`, less the process's mask.
///
/// # Errors
/// [`StoreError::Io`] when the system refuses.
pub fn write_atomically(path: &Path, bytes: &[u8], mode: u32) -> Result<(), StoreError> {
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    if fs::metadata(&path).is_ok_and(|metadata| !metadata.is_file()) {
        let opened = OpenOptions::new().write(true).open(&path);
        return opened.and_then(|mut file| file.write_all(bytes)).map_err(|e| io_error("write", &path, e));
    }
    Temporary::write(&path, bytes, mode)?.rename(&path)?;
    let directory = parent_of(&path);
    sync_directory(directory).map_err(|source| io_error("sync", directory, source))
}

/// The directory that a file lies in.
pub(crate) fn parent_of(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// A file that is complete and not yet in its place. It is removed if it never gets there.
#[derive(Debug)]
pub(crate) struct Temporary {
    path: PathBuf,
    renamed: bool,
}

impl Temporary {
    /// Writes `bytes` durably beside `path`, under a name that nobody uses.
    pub fn write(path: &Path, bytes: &[u8], mode: u32) -> Result<Self, StoreError> {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true).mode(mode);
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let process = std::process::id();
        // A dead writer may have had the same process id: its file is left alone.
        for attempt in 0u64.. {
            let path = parent_of(path).join(format!(".{name}.{process}-{attempt}.tmp"));
            let mut file = match options.open(&path) {
                Ok(file) => file,
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
                Err(source) => return Err(StoreError::Io { action: "create", path, source }),
            };
            let temporary = Temporary { path, renamed: false };
            let written = file.write_all(bytes).and_then(|()| file.sync_all());
            written.map_err(|source| io_error("write", &temporary.path, source))?;
            return Ok(temporary);
        }
        unreachable!("there are more names than files")
    }

    /// Puts it into its place.
    pub fn rename(mut self, to: &Path) -> Result<(), StoreError> {
        fs::rename(&self.path, to).map_err(|source| io_error("create", to, source))?;
        self.renamed = true;
        Ok(())
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if !self.renamed {
            // There is already an error to report, and the next save is not disturbed by what is left.
            let _ = fs::remove_file(&self.path);
        }
    }
}

pub(crate) fn io_error(action: &'static str, path: &Path, source: io::Error) -> StoreError {
    StoreError::Io { action, path: path.to_path_buf(), source }
}

/// Makes a rename durable. Some network file systems cannot sync a directory and say so; for them the rename was all
/// there is.
pub(crate) fn sync_directory(directory: &Path) -> io::Result<()> {
    match File::open(directory)?.sync_all() {
        Err(error) if error.kind() == io::ErrorKind::InvalidInput => Ok(()),
        synced => synced,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_and_a_device_is_not() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("report.json");
        write_atomically(&path, b"one", 0o644).unwrap();
        write_atomically(&path, b"two", 0o644).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
        write_atomically(Path::new("/dev/null"), b"gone", 0o644).unwrap();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
    }

    #[test]
    fn a_link_stays_a_link() {
        let directory = tempfile::tempdir().unwrap();
        let (file, link) = (directory.path().join("file"), directory.path().join("link"));
        fs::write(&file, "old").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        write_atomically(&link, b"new", 0o644).unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&file).unwrap(), b"new");
    }

    #[test]
    fn a_failed_rename_leaves_no_temporary_file() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("report.json");
        fs::create_dir_all(path.join("full")).unwrap();
        let temporary = Temporary::write(&path, b"text", 0o644).unwrap();
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 2);
        assert!(temporary.rename(&path).is_err());
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
    }

    #[test]
    fn what_cannot_be_written_is_said() {
        let error = write_atomically(Path::new("/nonexistent/report.json"), b"", 0o644).unwrap_err();
        assert!(error.to_string().starts_with("cannot create /nonexistent/"), "{error}");
    }
}
