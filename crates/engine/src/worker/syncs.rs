//! Which files are to be synced, and when.

use cardiograph_core::workload::SyncEvery;

/// Some of a worker's files, each once.
#[derive(Debug)]
struct FileSet {
    holds: Box<[bool]>,
    list: Vec<u32>,
}

impl FileSet {
    fn new(files: usize) -> Self {
        Self { holds: vec![false; files].into(), list: Vec::with_capacity(files) }
    }

    #[inline]
    fn insert(&mut self, file: u32) {
        let holds = &mut self.holds[file as usize];
        if !*holds {
            *holds = true;
            self.list.push(file);
        }
    }

    fn move_to(&mut self, queue: &mut Vec<u32>) {
        self.list.iter().for_each(|&file| self.holds[file as usize] = false);
        // Taken from the back: the file that was written first is synced first.
        queue.extend(self.list.drain(..).rev());
    }
}

/// Keeps account of what was written and not yet synced.
#[derive(Debug)]
pub(super) struct Syncs {
    every: Option<SyncEvery>,
    writes_since: u64,
    /// Written since the last sync.
    unsynced: FileSet,
    /// Written since the last sync of all that was written.
    written: FileSet,
    /// To be synced now, the next one last.
    queue: Vec<u32>,
}

impl Syncs {
    pub fn new(every: Option<SyncEvery>, files: usize) -> Self {
        Self {
            every,
            writes_since: 0,
            unsynced: FileSet::new(files),
            written: FileSet::new(files),
            queue: Vec::with_capacity(files),
        }
    }

    /// Notes a write.
    #[inline]
    pub fn wrote(&mut self, file: u32) {
        self.written.insert(file);
        if self.every.is_some() {
            self.writes_since += 1;
            self.unsynced.insert(file);
        }
    }

    /// The file that is to be synced before the next I/O, if one is: after so many writes, those that they went to.
    #[inline]
    pub fn next_due(&mut self) -> Option<u32> {
        if self.writes_since >= self.every?.writes {
            self.writes_since = 0;
            self.unsynced.move_to(&mut self.queue);
        }
        self.queue.pop()
    }

    /// Asks for a sync of all that was written since the last such time. Returns whether there is any.
    pub fn begin_all(&mut self) -> bool {
        self.queue.clear();
        self.written.move_to(&mut self.queue);
        !self.queue.is_empty()
    }

    /// The next of them.
    pub fn next_of_all(&mut self) -> Option<u32> {
        self.queue.pop()
    }
}
