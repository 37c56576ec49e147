//! Which files to sync, and when.

use std::collections::VecDeque;

use cardiograph_core::workload::SyncEvery;

/// A set of a worker's files, in insertion order.
#[derive(Debug)]
struct FileSet {
    holds: Box<[bool]>,
    queue: VecDeque<u32>,
}

impl FileSet {
    fn new(files: usize) -> Self {
        Self { holds: vec![false; files].into(), queue: VecDeque::with_capacity(files) }
    }

    #[inline]
    fn insert(&mut self, file: u32) {
        let holds = &mut self.holds[file as usize];
        if !*holds {
            *holds = true;
            self.queue.push_back(file);
        }
    }

    fn pop(&mut self) -> Option<u32> {
        let file = self.queue.pop_front()?;
        self.holds[file as usize] = false;
        Some(file)
    }
}

/// Tracks unsynced writes.
#[derive(Debug)]
pub(super) struct Syncs {
    every: Option<SyncEvery>,
    writes_since: u64,
    /// Written since the last sync.
    unsynced: FileSet,
    /// Written since the last sync of everything.
    written: FileSet,
}

impl Syncs {
    pub fn new(every: Option<SyncEvery>, files: usize) -> Self {
        Self { every, writes_since: 0, unsynced: FileSet::new(files), written: FileSet::new(files) }
    }

    /// Records a write.
    #[inline]
    pub fn wrote(&mut self, file: u32) {
        self.written.insert(file);
        if self.every.is_some() {
            self.writes_since += 1;
            self.unsynced.insert(file);
        }
    }

    /// The file to sync before the next I/O, if due: after the configured number of writes, as in fio, the
    /// file that has waited longest.
    #[inline]
    pub fn next_due(&mut self) -> Option<u32> {
        if self.writes_since < self.every?.writes {
            return None;
        }
        self.writes_since = 0;
        self.unsynced.pop()
    }

    /// Whether anything was written since the last sync of everything.
    pub fn has_written(&self) -> bool {
        !self.written.queue.is_empty()
    }

    /// The next of all written files, in order.
    pub fn next_of_all(&mut self) -> Option<u32> {
        self.written.pop()
    }
}
