//! Files that are complete and not yet in their place.
//!
//! One that a kill left behind is recognized by the next write of the same file, and by nothing else: its name holds a hash of
//! the name that it was to get, it belongs to the same user, it is regular with one name, and no living writer holds its lock.

use std::ffi::{OsStr, OsString};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::sync::Arc;

use super::look::Place;
use crate::leftovers::{hash, lock_abandoned};
use crate::{Directory, Facts, FileSystem, Kind, Open, OwnFile, if_there};

/// What stands before the hash in its name.
const PREFIX: &str = ".cardiograph-output-";
/// What its name ends in.
const SUFFIX: &str = ".tmp";

/// A file that takes the place of another, or of none, when it is committed. Until then it is removed when it is dropped.
#[derive(Debug)]
pub(super) struct Temporary {
    /// Where it is to be.
    place: Place,
    /// Where it is.
    directory: Arc<dyn Directory>,
    name: OsString,
    pub file: Box<dyn OwnFile>,
    /// Whether it can take the place as it is. Else what is there is overwritten with its content.
    takes_place: bool,
    is_gone: bool,
}

impl Temporary {
    /// Makes one for a place, and removes what earlier writers there left. It has the mode and the owner of the `old` file, where
    /// that can be, and is at no time more readable; where there is none, `mode` less the process's mask.
    /// Fails when the old file cannot be written to, or a file can be made neither beside it nor, to overwrite it, in the
    /// directory for temporary files.
    pub fn create(files: &dyn FileSystem, place: Place, old: Option<&Facts>, mode: u32) -> io::Result<Self> {
        let directory = place.directory.clone();
        let Some(old) = old else { return Self::make(place, directory, mode) };
        let old_file = place.open(Open::Write)?;
        let beside = Self::make(place.clone(), directory, 0o600);
        let is_elsewhere = beside.as_ref().is_err_and(is_place_refused);
        let mut made = match is_elsewhere {
            true => Self::make(place, Arc::from(files.directory(&std::env::temp_dir())?), 0o600)?,
            false => beside?,
        };
        made.takes_place = !is_elsewhere
            && old.links == 1
            && !old_file.has_attributes().unwrap_or(true)
            && made.file.resemble(old).unwrap_or(false);
        Ok(made)
    }

    /// Makes an empty file whose lock is held, under a name that nobody uses.
    fn make(place: Place, directory: Arc<dyn Directory>, mode: u32) -> io::Result<Self> {
        let process = std::process::id();
        for attempt in 0u64.. {
            let name = OsString::from(format!("{}{process:x}-{attempt:x}{SUFFIX}", prefix(place.name())));
            let file = match directory.open(&name, Open::Create(mode)) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
                opened => opened?,
            };
            let (place, directory) = (place.clone(), directory.clone());
            let made = Self { place, directory, name, file, takes_place: true, is_gone: false };
            // Without locks nobody can tell that it is in use, and nobody takes it for left behind.
            let is_locked = made.file.try_lock().unwrap_or(true);
            let facts = made.file.facts()?;
            if !is_locked || facts.links == 0 {
                // Another writer took it for left behind before it was locked.
                continue;
            }
            remove_dead(&*made.directory, made.place.name(), facts.user);
            return Ok(made);
        }
        unreachable!("there are more names than files")
    }

    /// Leaves it as a kill does, and answers its name.
    #[cfg(test)]
    pub fn abandon(mut self) -> OsString {
        self.is_gone = true;
        self.name.clone()
    }

    /// Puts it into its place, durably. What was there stays where the system refuses, unless it had to be overwritten.
    pub fn commit(&mut self) -> io::Result<()> {
        let (directory, name) = (&self.place.directory, self.place.name());
        self.file.sync()?;
        let found = if_there(directory.facts_of(name))?;
        if found.is_some_and(|facts| facts.kind != Kind::File) {
            return Err(io::Error::other("something that is not a file took its name"));
        }
        let is_there = found.is_some();
        if self.takes_place {
            match directory.rename(&self.name, name) {
                Ok(()) => {
                    self.is_gone = true;
                    return directory.sync();
                }
                // A file that another is mounted on, or that is another's in a directory for all.
                Err(error) if is_there && is_place_refused(&error) => {}
                Err(error) => return Err(error),
            }
        }
        let old = directory.open(name, if is_there { Open::Write } else { Open::Create(0o600) })?;
        old.reserve(self.file.facts()?.len_bytes)?;
        old.copy_from(&*self.file).map_err(|error| {
            // Of the old content some is gone: all of the new stays.
            self.is_gone = true;
            let complete = self.name.display();
            io::Error::new(error.kind(), format!("{error}; all that was to be written is in {complete}"))
        })
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if !self.is_gone {
            // What stays is removed by the next write of the same file.
            let _ = self.directory.remove(&self.name);
        }
    }
}

/// Whether a directory does not let a file be made or replaced that can be written to as it stands.
fn is_place_refused(error: &io::Error) -> bool {
    use io::ErrorKind::{CrossesDevices, PermissionDenied, ReadOnlyFilesystem, ResourceBusy};
    matches!(error.kind(), CrossesDevices | PermissionDenied | ReadOnlyFilesystem | ResourceBusy)
}

/// How the names of all temporary files for a file begin.
fn prefix(target: &OsStr) -> String {
    // A name of any length fits, and that of another file is another.
    format!("{PREFIX}{:016x}-", hash(target.as_bytes()))
}

/// Removes the temporary files that writers of a file left when they were killed. One that cannot be looked at stays.
fn remove_dead(directory: &dyn Directory, target: &OsStr, user: u32) {
    let prefix = prefix(target);
    let is_expected = |name: &OsStr| {
        let rest = name.to_str().and_then(|name| name.strip_prefix(&prefix)?.strip_suffix(SUFFIX));
        let numbers = rest.and_then(|rest| rest.split_once('-'));
        let is_number = |text: &str| u64::from_str_radix(text, 16).is_ok_and(|n| format!("{n:x}") == text);
        numbers.is_some_and(|(process, attempt)| is_number(process) && is_number(attempt))
    };
    for name in directory.names().unwrap_or_default().iter().filter(|name| is_expected(name)) {
        // Its writer may have just put it into its place: so it is locked until it is gone.
        if let Ok(Some(_locked)) = lock_abandoned(directory, name, user) {
            let _ = directory.remove(name);
        }
    }
}
