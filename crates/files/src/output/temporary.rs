//! Complete files that are not in their final location yet.
//!
//! A file left by a killed writer is removed by the next write of the same file, and by nothing else. It is recognised
//! by a hash of the final name in its name, the same user, type and link count of a regular file with one name, and a
//! lock that no living writer holds.

use std::ffi::{OsStr, OsString};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::sync::Arc;

use cardiograph_core::message;
use cardiograph_core::system_error::explained;

use super::target::Location;
use crate::leftovers::{hash, lock_abandoned};
use crate::{Directory, Facts, FileSystem, Kind, Open, OwnFile, if_there};

/// Prefix of its name, before the hash.
const PREFIX: &str = ".cardiograph-output-";
/// Suffix of its name.
const SUFFIX: &str = ".tmp";

/// A file that replaces another one, or becomes a new one, when committed. Otherwise it is removed when dropped.
#[derive(Debug)]
pub(super) struct Temporary {
    /// Final location.
    location: Location,
    /// Current location.
    directory: Arc<dyn Directory>,
    name: OsString,
    pub file: Box<dyn OwnFile>,
    /// Whether it can replace the old file by renaming. Otherwise the old file is overwritten with its content.
    is_replacement: bool,
    is_gone: bool,
}

impl Temporary {
    /// Creates one for a location, and removes those left by earlier writers. It has mode and owner of the `old` file
    /// if possible, and is never more readable; without one it has `mode` reduced by the umask. Fails if the old file
    /// cannot be written, or no file can be created next to it nor, for overwriting, in the directory for temporary
    /// files.
    pub fn create(
        files: &dyn FileSystem,
        location: Location,
        old: Option<&Facts>,
        mode: u32,
    ) -> io::Result<Self> {
        let directory = location.directory.clone();
        let Some(old) = old else { return Self::make(location, directory, mode) };
        let old_file = location.open(Open::Write)?;
        let adjacent = Self::make(location.clone(), directory, 0o600);
        let needs_other_directory = adjacent.as_ref().is_err_and(is_location_refused);
        let mut temporary = match needs_other_directory {
            true => Self::make(location, Arc::from(files.directory(&std::env::temp_dir())?), 0o600)?,
            false => adjacent?,
        };
        temporary.is_replacement = !needs_other_directory
            && old.links == 1
            && !old_file.has_attributes().unwrap_or(true)
            && temporary.file.resemble(old).unwrap_or(false);
        Ok(temporary)
    }

    /// Creates and locks an empty file under an unused name.
    fn make(location: Location, directory: Arc<dyn Directory>, mode: u32) -> io::Result<Self> {
        let process = std::process::id();
        for attempt in 0u64.. {
            let name = OsString::from(format!("{}{process:x}-{attempt:x}{SUFFIX}", prefix(location.name())));
            let file = match directory.open(&name, Open::Create(mode)) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
                opened => opened?,
            };
            let (location, directory) = (location.clone(), directory.clone());
            let temporary = Self { location, directory, name, file, is_replacement: true, is_gone: false };
            // Without locks other processes cannot take it for abandoned either.
            let is_locked = temporary.file.try_lock().unwrap_or(true);
            let facts = temporary.file.facts()?;
            if !is_locked || facts.links == 0 {
                // Another writer took it for abandoned before it was locked.
                continue;
            }
            remove_abandoned(&*temporary.directory, temporary.location.name(), facts.user);
            return Ok(temporary);
        }
        unreachable!("there are more names than files")
    }

    /// Leaves it like a kill does, and returns its name.
    #[cfg(test)]
    pub fn abandon(mut self) -> OsString {
        self.is_gone = true;
        self.name.clone()
    }

    /// Moves it to its final location, durably. On failure the old file remains, unless it had to be overwritten.
    pub fn commit(&mut self) -> io::Result<()> {
        let (directory, name) = (&self.location.directory, self.location.name());
        self.file.sync()?;
        let found = if_there(directory.facts_of(name))?;
        if found.is_some_and(|facts| facts.kind != Kind::File) {
            return Err(explained(io::ErrorKind::AlreadyExists, message!("io-name-taken")));
        }
        let is_there = found.is_some();
        if self.is_replacement {
            match directory.rename(&self.name, name) {
                Ok(()) => {
                    self.is_gone = true;
                    return directory.sync();
                }
                // Another file is mounted on it, or it belongs to another user in a sticky directory.
                Err(error) if is_there && is_location_refused(&error) => {}
                Err(error) => return Err(error),
            }
        }
        let old = directory.open(name, if is_there { Open::Write } else { Open::Create(0o600) })?;
        old.reserve(self.file.facts()?.len_bytes)?;
        old.copy_from(&*self.file).map_err(|error| {
            // The old content is partly overwritten: keep all of the new content.
            self.is_gone = true;
            let reason = message!("io-saved-aside", error = &error, path = &*self.name.to_string_lossy());
            explained(error.kind(), reason)
        })
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if !self.is_gone {
            // The next write of the same file removes what remains.
            let _ = self.directory.remove(&self.name);
        }
    }
}

/// Whether a directory does not allow creating or replacing a file that can itself be written to.
fn is_location_refused(error: &io::Error) -> bool {
    use io::ErrorKind::{CrossesDevices, PermissionDenied, ReadOnlyFilesystem, ResourceBusy};
    matches!(error.kind(), CrossesDevices | PermissionDenied | ReadOnlyFilesystem | ResourceBusy)
}

/// The common prefix of the names of all temporary files for a file.
fn prefix(target: &OsStr) -> String {
    // Names of any length fit, and different files have different prefixes.
    format!("{PREFIX}{:016x}-", hash(target.as_bytes()))
}

/// Removes temporary files left by killed writers of a file. Those that cannot be accessed remain.
fn remove_abandoned(directory: &dyn Directory, target: &OsStr, user: u32) {
    let prefix = prefix(target);
    let is_expected = |name: &OsStr| {
        let rest = name.to_str().and_then(|name| name.strip_prefix(&prefix)?.strip_suffix(SUFFIX));
        let numbers = rest.and_then(|rest| rest.split_once('-'));
        let is_number = |text: &str| u64::from_str_radix(text, 16).is_ok_and(|n| format!("{n:x}") == text);
        numbers.is_some_and(|(process, attempt)| is_number(process) && is_number(attempt))
    };
    for name in directory.names().unwrap_or_default().iter().filter(|name| is_expected(name)) {
        // Its writer may just have renamed it, so it is removed under the lock.
        if let Ok(Some(_locked)) = lock_abandoned(directory, name, user) {
            let _ = directory.remove(name);
        }
    }
}
