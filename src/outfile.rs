//! Files that results are written to: what is in them stays until there is something to write, and none is a drive.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::FileTypeExt;
use std::path::PathBuf;

/// A file for results.
#[derive(Debug)]
pub struct OutFile {
    file: File,
    path: PathBuf,
    /// Whether there was no such file before.
    is_new: bool,
    /// Whether what was in it before is gone.
    is_ours: bool,
}

impl OutFile {
    /// Opens a file, and makes it where there is none. Pipes and terminals are as good. A run that is refused before it wrote
    /// anything leaves an old file as it was, and no new one.
    ///
    /// # Errors
    /// When it cannot be opened, or is a block device: those are written to by jobs alone, and with consent.
    pub fn open(path: impl Into<PathBuf>) -> io::Result<Self> {
        let path = path.into();
        let is_new = std::fs::metadata(&path).is_err_and(|error| error.kind() == io::ErrorKind::NotFound);
        let file = OpenOptions::new().write(true).create(true).truncate(false).open(&path)?;
        // The opened file is asked, not its name: nothing was written so far.
        if file.metadata()?.file_type().is_block_device() {
            return Err(io::Error::other("it is a block device, which only a job that names it writes to"));
        }
        Ok(Self { file, path, is_new, is_ours: false })
    }

    /// Takes the file over: what was in it before is gone. A file to which nothing was to be written is then empty.
    ///
    /// # Errors
    /// When it cannot be emptied.
    pub fn take_over(&mut self) -> io::Result<()> {
        if !std::mem::replace(&mut self.is_ours, true) && self.file.metadata()?.is_file() {
            self.file.set_len(0)?;
        }
        Ok(())
    }

    /// Another handle of the file, for a program that is started. What was in it before is gone.
    ///
    /// # Errors
    /// When it cannot be emptied, or there are too many handles.
    pub fn handle(&mut self) -> io::Result<File> {
        self.take_over()?;
        self.file.try_clone()
    }
}

impl Write for OutFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.take_over()?;
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for OutFile {
    fn drop(&mut self) {
        if self.is_new && !self.is_ours {
            // It was made for nothing. That it stays, empty, would do no harm.
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_content_stays_until_there_is_new() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("results");
        std::fs::write(&path, "precious").unwrap();
        drop(OutFile::open(&path).unwrap());
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "precious");
        OutFile::open(&path).unwrap().write_all(b"new").unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "new");
        OutFile::open(&path).unwrap().take_over().unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "");
        let other = directory.path().join("other");
        drop(OutFile::open(&other).unwrap());
        assert!(!other.exists(), "made for nothing");
    }

    #[test]
    fn what_is_no_file_takes_results_too() {
        OutFile::open("/dev/null").unwrap().write_all(b"x").unwrap();
        assert!(std::path::Path::new("/dev/null").exists());
    }
}
