//! The environment of a load: its directory, bounds, and records.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use cardiograph_core::Direction;
use cardiograph_core::app::{AppResult, AppSpec, Operation, PartRecorder};

use crate::WINDOW_NS;

/// Events for a recorder of a load's I/O.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark<'a> {
    /// A part begins.
    Begin {
        /// Its id.
        id: &'a str,
        /// What is counted.
        operation: Operation,
        /// Whether the user's data is written or read.
        direction: Direction,
    },
    /// An operation was completed.
    Done {
        /// The user's bytes that it moved.
        bytes: u64,
    },
    /// The part ends.
    End,
}

/// State shared between a load and its watcher.
#[derive(Debug, Default)]
pub(crate) struct Shared {
    stop: AtomicBool,
    /// Changes with every sign of life.
    beats: AtomicU64,
    records: Mutex<Records>,
}

#[derive(Debug, Default)]
struct Records {
    library: Option<String>,
    ended: Vec<PartRecorder>,
    open: Option<(PartRecorder, Instant)>,
}

impl Shared {
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    pub fn is_stopping(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    pub fn beats(&self) -> u64 {
        self.beats.load(Ordering::Relaxed)
    }

    fn beat(&self) {
        self.beats.fetch_add(1, Ordering::Relaxed);
    }

    /// A thread that panicked leaves it consistent: each call does.
    fn records(&self) -> MutexGuard<'_, Records> {
        self.records.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is counted now, and the operations and bytes of all parts so far.
    pub fn so_far(&self) -> (Option<Operation>, u64, u64) {
        let records = self.records();
        let open = records.open.as_ref().map(|(recorder, _)| recorder);
        let all = records.ended.iter().chain(open).map(PartRecorder::so_far);
        let (operations, bytes) = all.fold((0, 0), |sum, part| (sum.0 + part.0, sum.1 + part.1));
        (open.map(|recorder| recorder.part().operation), operations, bytes)
    }

    /// Bytes that all parts have written so far.
    pub fn written_bytes(&self) -> u64 {
        let records = self.records();
        let all = records.ended.iter().chain(records.open.as_ref().map(|(recorder, _)| recorder));
        all.map(PartRecorder::part)
            .filter(|part| part.direction == Direction::Write)
            .map(|part| part.bytes)
            .fold(0, u64::saturating_add)
    }

    /// The records so far. An open part ends now.
    pub fn result(&self) -> AppResult {
        let records = self.records();
        let mut parts = records.ended.clone();
        if let Some((recorder, began)) = &records.open {
            let mut recorder = recorder.clone();
            recorder.end(nanoseconds(*began));
            parts.push(recorder);
        }
        let parts = parts.into_iter().map(PartRecorder::into_part).collect();
        AppResult { library: records.library.clone(), parts, pauses: Vec::new() }
    }
}

fn nanoseconds(since: Instant) -> u64 {
    u64::try_from(since.elapsed().as_nanos()).unwrap_or(u64::MAX)
}

/// The environment of a load.
pub struct Stage {
    /// Its directory, empty at the start.
    pub(crate) directory: PathBuf,
    /// The load and its parameters.
    pub(crate) spec: AppSpec,
    /// Seed of sizes and order: the same seed does the same.
    pub(crate) seed: u64,
    /// Seed of the content: new in each run, so that the drive has not seen it.
    pub(crate) content_seed: u64,
    /// Maximum number of bytes to write.
    pub(crate) write_bytes_max: u64,
    /// Maximum time in nanoseconds.
    pub(crate) time_ns_max: Option<u64>,
    /// When the load began.
    pub(crate) began: Instant,
    pub(crate) mark: Option<fn(&Mark<'_>)>,
    pub(crate) shared: std::sync::Arc<Shared>,
}

impl Stage {
    /// Path of a file of this name.
    pub fn path(&self, name: &str) -> PathBuf {
        self.directory.join(name)
    }

    /// A parameter, or the load's default.
    pub fn parameter(&self, name: &str, otherwise: u64) -> u64 {
        self.spec.parameter(name).unwrap_or(otherwise)
    }

    /// Whether the load was asked to stop.
    pub fn is_stopping(&self) -> bool {
        self.shared.is_stopping()
    }

    /// A sign of life, for calls that may take long between operations.
    pub fn beat(&self) {
        self.shared.beat();
    }

    /// Records the library that does the work.
    pub fn library(&self, name: String) {
        self.shared.records().library = Some(name);
    }

    /// Begins a part that may take `share` of the remaining time.
    pub fn begin(&self, id: &str, operation: Operation, direction: Direction, share: f64) -> Part<'_> {
        let left_ns = self.time_ns_max.map(|max_ns| max_ns.saturating_sub(nanoseconds(self.began)));
        if let Some(mark) = self.mark {
            mark(&Mark::Begin { id, operation, direction });
        }
        let began = Instant::now();
        let recorder = PartRecorder::new(id, operation, direction, WINDOW_NS);
        self.shared.records().open = Some((recorder, began));
        self.beat();
        let time_ns_max = left_ns.map(|left_ns| (left_ns as f64 * share) as u64);
        Part { stage: self, began, time_ns_max, has_done: AtomicBool::new(false) }
    }
}

/// A part in progress. Times are nanoseconds since it began.
pub struct Part<'a> {
    stage: &'a Stage,
    began: Instant,
    time_ns_max: Option<u64>,
    /// Whether an operation was completed.
    has_done: AtomicBool,
}

impl Part<'_> {
    /// The time.
    pub fn now_ns(&self) -> u64 {
        nanoseconds(self.began)
    }

    /// Whether it should end, by time or on request. What came before may have taken all the time, so time ends a part only
    /// after its first operation: one slow operation says more than none.
    pub fn is_over(&self) -> bool {
        let is_late = || self.time_ns_max.is_some_and(|max_ns| self.now_ns() >= max_ns);
        self.stage.is_stopping() || (self.has_done.load(Ordering::Relaxed) && is_late())
    }

    /// Records an operation that began at `began_ns` and is completed now.
    pub fn done(&self, began_ns: u64, bytes: u64) {
        let now_ns = self.now_ns();
        self.note(bytes, |recorder| recorder.done(now_ns, now_ns.saturating_sub(began_ns), bytes));
    }

    /// Records an operation completed now, of which only `took_ns` count.
    pub fn done_in(&self, took_ns: u64, bytes: u64) {
        let now_ns = self.now_ns();
        self.note(bytes, |recorder| recorder.done(now_ns, took_ns, bytes));
    }

    /// Records an operation that was due at `due_ns` and is completed now, too late.
    pub fn done_late(&self, due_ns: u64, bytes: u64) {
        let now_ns = self.now_ns();
        self.note(bytes, |recorder| recorder.done_late(now_ns, now_ns.saturating_sub(due_ns), bytes));
    }

    fn note(&self, bytes: u64, take: impl FnOnce(&mut PartRecorder)) {
        if let Some((recorder, _)) = &mut self.stage.shared.records().open {
            take(recorder);
        }
        self.has_done.store(true, Ordering::Relaxed);
        self.stage.beat();
        if let Some(mark) = self.stage.mark {
            mark(&Mark::Done { bytes });
        }
    }

    /// Ends it.
    pub fn end(self) {
        let now_ns = self.now_ns();
        let mut records = self.stage.shared.records();
        if let Some((mut recorder, _)) = records.open.take() {
            recorder.end(now_ns);
            records.ended.push(recorder);
        }
        drop(records);
        if let Some(mark) = self.stage.mark {
            mark(&Mark::End);
        }
    }
}
