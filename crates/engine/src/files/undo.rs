//! Undoes the changes of a preparation that did not complete.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::target::{Access, Identity, NamedFile, Target, canonical_path};

/// Changes to undo on drop.
#[derive(Debug, Default)]
pub(super) struct Undo {
    files: Vec<Step>,
    /// Created directories, outermost first.
    directories: Vec<PathBuf>,
}

#[derive(Debug)]
struct Step {
    path: PathBuf,
    identity: Identity,
    /// Length to truncate to; `None` removes the file.
    len_bytes: Option<u64>,
}

impl Undo {
    /// Notes that a directory was created.
    pub fn made_directory(&mut self, path: PathBuf) {
        self.directories.push(path);
    }

    /// Notes that a file was created.
    pub fn made(&mut self, path: PathBuf, identity: Identity) {
        self.files.push(Step { path, identity, len_bytes: None });
    }

    /// Notes that a file of `len_bytes` is about to be extended.
    pub fn continuing(&mut self, path: PathBuf, identity: Identity, len_bytes: u64) {
        self.files.push(Step { path, identity, len_bytes: Some(len_bytes) });
    }

    /// Keeps a file, which is complete.
    pub fn keep(&mut self, identity: Identity) {
        self.files.retain(|step| step.identity != identity);
    }

    /// Keeps everything.
    pub fn keep_all(&mut self) {
        self.files.clear();
        self.directories.clear();
    }
}

impl Drop for Undo {
    fn drop(&mut self) {
        // Something else already failed, so a further failure need not be reported.
        for step in self.files.drain(..) {
            let _ = match step.len_bytes {
                None => remove(&step.path, step.identity),
                Some(len_bytes) => cut(step.path, step.identity, len_bytes),
            };
        }
        for directory in self.directories.drain(..).rev() {
            // Removes it only if it is empty.
            let _ = fs::remove_dir(directory);
        }
    }
}

/// Removes a file if the path still refers to it. Follows symbolic links.
///
/// # Errors
/// When it is missing, is another file, or cannot be removed.
fn remove(path: &Path, expected: Identity) -> io::Result<()> {
    fs::remove_file(canonical_path(path, expected)?)
}

/// Truncates a file to its former length.
fn cut(path: PathBuf, expected: Identity, len_bytes: u64) -> io::Result<()> {
    let target = Target::named(NamedFile::found(path, expected), len_bytes, 0);
    let opened = target.open(Access { writes: true, ..Access::default() })?;
    Ok(rustix::fs::ftruncate(opened, len_bytes)?)
}
