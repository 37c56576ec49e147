//! What killed runs left: how it is recognized, and what became of it.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::PathBuf;

use cardiograph_core::message;
use cardiograph_core::system_error::explained;

use crate::{Directory, Facts, Kind, Open, OwnFile, if_there};

/// Names that only this program gives: they carry a check value of their own random part.
#[derive(Debug, Clone, Copy)]
pub struct OwnNames {
    /// What bears them.
    pub what: &'static str,
    /// What they end in.
    pub ending: &'static str,
}

impl OwnNames {
    /// The one with this random part.
    pub fn name_of(&self, random: u64) -> String {
        let check = hash(format!("cardiograph {} {random:016x}", self.what).as_bytes()) as u32;
        format!(".cardiograph-{random:016x}-{check:08x}.{}", self.ending)
    }

    /// Whether a name is one of them.
    pub fn contains(&self, name: &OsStr) -> bool {
        let random = name.to_str().and_then(|name| name.strip_prefix(".cardiograph-")?.get(..16));
        let random = random.and_then(|hex| u64::from_str_radix(hex, 16).ok());
        random.is_some_and(|random| *name == *self.name_of(random))
    }
}

/// FNV-1a.
pub(crate) fn hash(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// Opens and locks a file of which the name is one that only this program makes; `None` where it is not an abandoned one of
/// this user: a regular file with one name that no living owner holds.
/// Fails when it is ours and cannot be opened or locked.
pub fn lock_abandoned(dir: &dyn Directory, name: &OsStr, user: u32) -> io::Result<Option<Box<dyn OwnFile>>> {
    let is_ours = |facts: &Facts| facts.kind == Kind::File && facts.links == 1 && facts.user == user;
    let lock = || -> io::Result<Option<_>> {
        // Looked at first: another's may not be opened, and is not held for a moment.
        if !is_ours(&dir.facts_of(name)?) {
            return Ok(None);
        }
        let file = dir.open(name, Open::Write)?;
        let is_free = file.try_lock()?;
        // Looked at under the lock: the name may mean another file by now.
        let facts = file.facts()?;
        let is_named = dir.facts_of(name)?.identity == facts.identity;
        Ok((is_free && is_ours(&facts) && is_named).then_some(file))
    };
    if_there(lock()).map(Option::flatten)
}

/// What became of leftovers in a directory.
#[derive(Debug, Default)]
pub struct Cleaned {
    /// Names that were removed.
    pub removed: Vec<OsString>,
    /// What stays although its name says that it is ours, and that no other process holds.
    pub stays: Vec<Stays>,
}

impl Cleaned {
    /// Has `remove` remove what bears these names in a directory; it answers whether it did. Fails when the names in the
    /// directory cannot be read.
    pub fn of(
        directory: &dyn Directory,
        names: OwnNames,
        remove: impl Fn(&OsStr) -> Result<bool, Stays>,
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

/// Something that was not removed.
#[derive(Debug)]
pub struct Stays {
    /// From the directory that was cleaned.
    pub path: PathBuf,
    /// Why.
    pub reason: io::Error,
}

impl Stays {
    /// What stays at a path because a call failed.
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
