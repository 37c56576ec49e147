//! Files and directories left by killed runs: how they are recognised, and the result of removing them.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::PathBuf;

use cardiograph_core::message;
use cardiograph_core::system_error::explained;

use crate::{Directory, Facts, Kind, Open, OwnFile, if_there};

/// Names that only this program makes: they contain a random part and its check value.
#[derive(Debug, Clone, Copy)]
pub struct OwnNames {
    /// The kind of object with these names.
    pub what: &'static str,
    /// Suffix.
    pub ending: &'static str,
}

impl OwnNames {
    /// Makes the name with this random part.
    pub fn name_of(&self, random: u64) -> String {
        let check = hash(format!("cardiograph {} {random:016x}", self.what).as_bytes()) as u32;
        format!(".cardiograph-{random:016x}-{check:08x}.{}", self.ending)
    }

    /// Whether this is one of the names.
    pub fn contains(&self, name: &OsStr) -> bool {
        let random = name.to_str().and_then(|name| name.strip_prefix(".cardiograph-")?.get(..16));
        let random = random.and_then(|hex| u64::from_str_radix(hex, 16).ok());
        random.is_some_and(|random| *name == *self.name_of(random))
    }
}

pub(crate) fn hash(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// Opens and locks a file whose name only this program makes. `None` if it is not an abandoned file of this user: a
/// regular file with one name and no living owner that holds its lock. Fails if it is ours and cannot be opened or
/// locked.
pub fn lock_abandoned(dir: &dyn Directory, name: &OsStr, user: u32) -> io::Result<Option<Box<dyn OwnFile>>> {
    let is_ours = |facts: &Facts| facts.kind == Kind::File && facts.links == 1 && facts.user == user;
    let lock = || -> io::Result<Option<_>> {
        // Checked first: a file of another user must not be opened.
        if !is_ours(&dir.facts_of(name)?) {
            return Ok(None);
        }
        let file = dir.open(name, Open::Write)?;
        let is_free = file.try_lock()?;
        // Checked under the lock: the name may refer to another file now.
        let facts = file.facts()?;
        let is_named = dir.facts_of(name)?.identity == facts.identity;
        Ok((is_free && is_ours(&facts) && is_named).then_some(file))
    };
    if_there(lock()).map(Option::flatten)
}

/// The result of removing leftovers from a directory.
#[derive(Debug, Default)]
pub struct Cleaned {
    /// Names that were removed.
    pub removed: Vec<OsString>,
    /// Entries that could not be removed although their names are ours and no other process holds them.
    pub stays: Vec<NotRemoved>,
}

impl Cleaned {
    /// Removes the leftovers with these names by `remove`, which returns whether it removed one. Fails if the directory
    /// cannot be listed.
    pub fn remove_all(
        directory: &dyn Directory,
        names: OwnNames,
        remove: impl Fn(&OsStr) -> Result<bool, NotRemoved>,
    ) -> io::Result<Self> {
        let mut cleaned = Self::default();
        for name in directory.names()?.into_iter().filter(|name| names.contains(name)) {
            match remove(&name) {
                Ok(true) => cleaned.removed.push(name),
                Ok(false) => {}
                Err(stays) => cleaned.stays.push(stays),
            }
        }
        Ok(cleaned)
    }
}

/// A leftover that could not be removed.
#[derive(Debug)]
pub struct NotRemoved {
    /// Relative to the directory that was cleaned.
    pub path: PathBuf,
    /// The reason.
    pub reason: io::Error,
}

impl NotRemoved {
    /// A leftover at a path for which a call failed.
    pub fn new(path: impl Into<PathBuf>, error: io::Error) -> Self {
        let reason = match error.kind() {
            io::ErrorKind::CrossesDevices | io::ErrorKind::ResourceBusy => {
                explained(io::ErrorKind::Other, message!("tree.mounted"))
            }
            _ => error,
        };
        Self { path: path.into(), reason }
    }
}
