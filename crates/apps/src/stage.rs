//! What a load is given: a directory, bounds, and where it writes down what it did.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use cardiograph_core::Direction;
use cardiograph_core::app::{AppResult, AppSpec, Operation, PartRecorder};

use crate::WINDOW_NS;

/// What is told to who records the I/O of a load.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark<'a> {
    /// A part begins.
    Begin {
        /// Its id.
        id: &'a str,
        /// What is counted.
        operation: Operation,
        /// Whether the user's bytes are written or read.
        direction: Direction,
    },
    /// An operation was done.
    Done {
        /// Bytes of the user's that it moved.
        bytes: u64,
    },
    /// The part ends.
    End,
}

/// What a load and who started it both see.
#[derive(Debug, Default)]
pub(crate) struct Shared {
    stop: AtomicBool,
    /// Changes with every sign of life.
    beats: AtomicU64,
    written: Mutex<Written>,
}

#[derive(Debug, Default)]
struct Written {
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

    /// What a thread that panicked left is whole: each call leaves it so.
    fn written(&self) -> MutexGuard<'_, Written> {
        self.written.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is counted now, and how many operations and bytes of all parts are done.
    pub fn so_far(&self) -> (Option<Operation>, u64, u64) {
        let written = self.written();
        let open = written.open.as_ref().map(|(recorder, _)| recorder);
        let all = written.ended.iter().chain(open).map(PartRecorder::so_far);
        let (operations, bytes) = all.fold((0, 0), |sum, part| (sum.0 + part.0, sum.1 + part.1));
        (open.map(|recorder| recorder.part().operation), operations, bytes)
    }

    /// What was written down. A part that is still open ends now.
    pub fn result(&self) -> AppResult {
        let written = self.written();
        let mut parts = written.ended.clone();
        if let Some((recorder, began)) = &written.open {
            let mut recorder = recorder.clone();
            recorder.end(nanoseconds(*began));
            parts.push(recorder);
        }
        let parts = parts.into_iter().map(PartRecorder::into_part).collect();
        AppResult { library: written.library.clone(), parts, pauses: Vec::new() }
    }
}

fn nanoseconds(since: Instant) -> u64 {
    u64::try_from(since.elapsed().as_nanos()).unwrap_or(u64::MAX)
}

/// What a load is given.
pub struct Stage {
    /// Its own directory, empty at the start.
    pub(crate) directory: PathBuf,
    /// The load and its parameters.
    pub(crate) spec: AppSpec,
    /// Seed of sizes and orders: the same seed does the same.
    pub(crate) seed: u64,
    /// Seed of what is written: new in each run, so that no drive has seen it.
    pub(crate) content_seed: u64,
    /// At most so many bytes may be written.
    pub(crate) write_bytes_max: u64,
    /// How long it may take, in nanoseconds.
    pub(crate) time_ns_max: Option<u64>,
    /// When the load began.
    pub(crate) began: Instant,
    pub(crate) mark: Option<fn(&Mark<'_>)>,
    pub(crate) shared: std::sync::Arc<Shared>,
}

impl Stage {
    /// A file of that name.
    pub fn path(&self, name: &str) -> PathBuf {
        self.directory.join(name)
    }

    /// A parameter, or what the load has in its place.
    pub fn parameter(&self, name: &str, otherwise: u64) -> u64 {
        self.spec.parameter(name).unwrap_or(otherwise)
    }

    /// Whether the load was asked to end.
    pub fn is_stopping(&self) -> bool {
        self.shared.is_stopping()
    }

    /// A sign of life beside that of an operation: before and between calls that may take long.
    pub fn beat(&self) {
        self.shared.beat();
    }

    /// Says which library does the work.
    pub fn library(&self, name: String) {
        self.shared.written().library = Some(name);
    }

    /// Begins a part that may take `share` of the time that is left.
    pub fn begin(&self, id: &str, operation: Operation, direction: Direction, share: f64) -> Part<'_> {
        let left_ns = self.time_ns_max.map(|max_ns| max_ns.saturating_sub(nanoseconds(self.began)));
        if let Some(mark) = self.mark {
            mark(&Mark::Begin { id, operation, direction });
        }
        let began = Instant::now();
        let recorder = PartRecorder::new(id, operation, direction, WINDOW_NS);
        self.shared.written().open = Some((recorder, began));
        self.beat();
        Part { stage: self, began, time_ns_max: left_ns.map(|left_ns| (left_ns as f64 * share) as u64) }
    }
}

/// A part that is at work. Times are nanoseconds since it began.
pub struct Part<'a> {
    stage: &'a Stage,
    began: Instant,
    time_ns_max: Option<u64>,
}

impl Part<'_> {
    /// The time.
    pub fn now_ns(&self) -> u64 {
        nanoseconds(self.began)
    }

    /// Whether it is to end, by its time or because the load was asked to.
    pub fn is_over(&self) -> bool {
        self.stage.is_stopping() || self.time_ns_max.is_some_and(|max_ns| self.now_ns() >= max_ns)
    }

    /// An operation that began at `began_ns` is done now.
    pub fn done(&self, began_ns: u64, bytes: u64) {
        let now_ns = self.now_ns();
        self.note(bytes, |recorder| recorder.done(now_ns, now_ns.saturating_sub(began_ns), bytes));
    }

    /// An operation of which only `took_ns` count is done now.
    pub fn done_in(&self, took_ns: u64, bytes: u64) {
        let now_ns = self.now_ns();
        self.note(bytes, |recorder| recorder.done(now_ns, took_ns, bytes));
    }

    /// An operation that was due at `due_ns` is done now, later than it may.
    pub fn done_late(&self, due_ns: u64, bytes: u64) {
        let now_ns = self.now_ns();
        self.note(bytes, |recorder| recorder.done_late(now_ns, now_ns.saturating_sub(due_ns), bytes));
    }

    fn note(&self, bytes: u64, take: impl FnOnce(&mut PartRecorder)) {
        if let Some((recorder, _)) = &mut self.stage.shared.written().open {
            take(recorder);
        }
        self.stage.beat();
        if let Some(mark) = self.stage.mark {
            mark(&Mark::Done { bytes });
        }
    }

    /// Ends it.
    pub fn end(self) {
        let now_ns = self.now_ns();
        let mut written = self.stage.shared.written();
        if let Some((mut recorder, _)) = written.open.take() {
            recorder.end(now_ns);
            written.ended.push(recorder);
        }
        drop(written);
        if let Some(mark) = self.stage.mark {
            mark(&Mark::End);
        }
    }
}
