//! Resources of processes on files: locks, and shared memory of connections.

use std::collections::BTreeMap;

use crate::disk::Number;

/// A process of the world, by its number.
pub type Process = usize;

/// Holders of locks. A lock belongs to an opened file, identified by its handle's number.
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

/// A held level of SQLite's five.
#[derive(Debug, Clone, Copy)]
pub struct Level {
    /// Its number.
    pub level: i32,
    /// Whether it went through `RESERVED`, as writers do. A process that only rolls back a journal goes from
    /// `SHARED` to `EXCLUSIVE`, and others must not take the journal as in use because of it.
    pub is_reserved: bool,
    /// Its holder.
    pub process: Process,
}

impl Locks {
    /// A new handle number.
    pub fn handle(&mut self) -> usize {
        self.next += 1;
        self.next
    }

    pub(crate) fn free(&mut self, process: Process) {
        self.whole.retain(|_, (_, owner)| *owner != process);
        self.levels.retain(|_, level| level.process != process);
        self.slots.retain(|_, (_, owner)| *owner != process);
    }
}

/// Memory shared by connections, in regions.
#[derive(Debug, Default)]
pub struct Shared {
    pub(crate) regions: Vec<Box<[u8]>>,
    /// Earlier regions: killed processes still have their addresses.
    pub(crate) former: Vec<Box<[u8]>>,
    pub(crate) users: Vec<(usize, Process)>,
}

impl Shared {
    /// Removes the sharers for which `leaves` is true, by handle and process.
    pub fn leave(&mut self, leaves: impl Fn(usize, Process) -> bool) {
        self.users.retain(|&(handle, process)| !leaves(handle, process));
        if self.users.is_empty() {
            self.former.append(&mut self.regions);
        }
    }
}
