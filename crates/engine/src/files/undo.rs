//! Takes back what was made for a preparation that did not come to its end.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::target::{Access, Identity, NamedFile, Target, place_of};

/// What is taken back when it is dropped.
#[derive(Debug, Default)]
pub(super) struct Undo {
    files: Vec<Step>,
    /// Directories that were made, the outer ones first.
    directories: Vec<PathBuf>,
}

#[derive(Debug)]
struct Step {
    path: PathBuf,
    identity: Identity,
    /// The length to go back to; `None` removes the file.
    len_bytes: Option<u64>,
}

impl Undo {
    /// A directory was made.
    pub fn made_directory(&mut self, path: PathBuf) {
        self.directories.push(path);
    }

    /// A file was made.
    pub fn made(&mut self, path: PathBuf, identity: Identity) {
        self.files.push(Step { path, identity, len_bytes: None });
    }

    /// A file of `len_bytes` is about to be continued.
    pub fn continuing(&mut self, path: PathBuf, identity: Identity, len_bytes: u64) {
        self.files.push(Step { path, identity, len_bytes: Some(len_bytes) });
    }

    /// The file is complete, and stays.
    pub fn keep(&mut self, identity: Identity) {
        self.files.retain(|step| step.identity != identity);
    }

    /// All stays.
    pub fn keep_all(&mut self) {
        self.files.clear();
        self.directories.clear();
    }
}

impl Drop for Undo {
    fn drop(&mut self) {
        // This is what remains to be done when something else went wrong already: a failure here has nobody to tell.
        for step in self.files.drain(..) {
            let _ = match step.len_bytes {
                None => remove(&step.path, step.identity),
                Some(len_bytes) => cut(step.path, step.identity, len_bytes),
            };
        }
        for directory in self.directories.drain(..).rev() {
            // Only an empty one goes.
            let _ = fs::remove_dir(directory);
        }
    }
}

/// Removes a file, if the path still means it. Of a symbolic link, what it points to is removed.
///
/// # Errors
/// When there is nothing, or something else, or it cannot be removed.
fn remove(path: &Path, expected: Identity) -> io::Result<()> {
    fs::remove_file(place_of(path, expected)?)
}

/// Cuts a file to the length that it had.
fn cut(path: PathBuf, expected: Identity, len_bytes: u64) -> io::Result<()> {
    let target = Target::named(NamedFile::found(path, expected), len_bytes, 0);
    let opened = target.open(Access { writes: true, ..Access::default() })?;
    Ok(rustix::fs::ftruncate(opened, len_bytes)?)
}
