//! What processes hold of files: locks, and memory that connections share.

use std::collections::BTreeMap;

use crate::disk::Number;

/// A process of the world, by its number.
pub type Process = usize;

/// Who holds which lock. A lock belongs to an opened file, which is known by its handle's number.
#[derive(Debug, Default)]
pub struct Locks {
    /// flock(2): the handle and its process.
    pub whole: BTreeMap<Number, (usize, Process)>,
    /// SQLite's levels, by file and handle.
    pub levels: BTreeMap<(Number, usize), Level>,
    /// SQLite's slots in shared memory, by file, slot and handle: whether exclusive.
    pub slots: BTreeMap<(Number, u8, usize), (bool, Process)>,
    next: usize,
}

/// Of SQLite's five levels the one that somebody holds.
#[derive(Debug, Clone, Copy)]
pub struct Level {
    /// Its number.
    pub level: i32,
    /// Whether it went through `RESERVED`, as one who writes does. One who only rolls back a journal goes from `SHARED` to
    /// `EXCLUSIVE`, and is no reason for others to take the journal for one in use.
    pub is_reserved: bool,
    /// Who holds it.
    pub process: Process,
}

impl Locks {
    /// A number for an opened file.
    pub fn handle(&mut self) -> usize {
        self.next += 1;
        self.next
    }

    pub(crate) fn free(&mut self, process: Process) {
        self.whole.retain(|_, (_, of)| *of != process);
        self.levels.retain(|_, level| level.process != process);
        self.slots.retain(|_, (_, of)| *of != process);
    }
}

/// Memory that connections share, in regions.
#[derive(Debug, Default)]
pub struct Shared {
    pub(crate) regions: Vec<Box<[u8]>>,
    /// Regions of earlier times: processes that were killed still have their addresses.
    pub(crate) former: Vec<Box<[u8]>>,
    pub(crate) users: Vec<(usize, Process)>,
}

impl Shared {
    /// Those of whom `leaves` is true, by handle and process, no longer share it.
    pub fn leave(&mut self, leaves: impl Fn(usize, Process) -> bool) {
        self.users.retain(|&(handle, process)| !leaves(handle, process));
        if self.users.is_empty() {
            self.former.append(&mut self.regions);
        }
    }
}
