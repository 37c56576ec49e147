//! Logs of single I/Os and of short windows.
//!
//! A worker writes into a pen: memory allocated before the start. When that is full, the whole chunk is
//! handed to a thread that passes it on to the [`LogSink`]. At most 16 chunks queue between the two; a worker
//! that finds the queue full waits, so that memory stays bounded and nothing is lost. So a run holds at most
//! 16 chunks and one per worker, of 4,096 I/Os (64 bytes at most) or half as many windows each: 4 MiB, and
//! 256 KiB per worker.
//!
//! In simulated time there is one thread: chunks are put into a basket, which is emptied after each step.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use cardiograph_core::result::IoFailure;
use cardiograph_core::{Direction, LatencyHistogram, OpKind};

/// Records that a worker collects before it hands them over.
const CHUNK_RECORDS: usize = 4_096;
/// Chunks that may be queued for the sink.
pub(crate) const PARCELS: usize = 16;

const _: () = assert!(size_of::<IoRecord>() <= 64 && size_of::<WindowRecord>() <= 128);
const _: () = assert!(size_of::<TraceRecord>() <= 64);

/// An I/O that counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IoRecord {
    /// Completion time, in nanoseconds since its worker began to count.
    pub completed_ns: u64,
    /// Its direction.
    pub direction: Direction,
    /// Offset in its target, in bytes.
    pub offset_bytes: u64,
    /// Requested length, in bytes.
    pub len_bytes: u32,
    /// From decision to submission, in nanoseconds.
    pub submission_ns: u64,
    /// From submission to completion, in nanoseconds.
    pub completion_ns: u64,
    /// From decision to completion, in nanoseconds.
    pub total_ns: u64,
}

/// Sum and maximum of the latencies of one kind in a window.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Span {
    /// Sum, in nanoseconds.
    pub sum_ns: u64,
    /// Maximum, in nanoseconds.
    pub max_ns: u64,
}

impl Span {
    /// Adds a latency.
    #[inline]
    pub fn add(&mut self, ns: u64) {
        self.sum_ns = self.sum_ns.saturating_add(ns);
        self.max_ns = self.max_ns.max(ns);
    }
}

/// Completions of one direction in one window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WindowRecord {
    /// End of the window, in nanoseconds since its worker began to count.
    pub end_ns: u64,
    /// Its length, in nanoseconds: shorter if the job ended within it.
    pub len_ns: u64,
    /// The direction.
    pub direction: Direction,
    /// I/Os.
    pub ios: u64,
    /// Bytes moved.
    pub bytes: u64,
    /// From decision to submission.
    pub submission: Span,
    /// From submission to completion.
    pub completion: Span,
    /// From decision to completion.
    pub total: Span,
}

/// Completion latencies of one direction since the previous record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HistogramRecord {
    /// End, in nanoseconds since its worker began to count.
    pub end_ns: u64,
    /// The direction.
    pub direction: Direction,
    /// The counts.
    pub counts: LatencyHistogram,
}

/// One request as issued, including those that do not count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TraceRecord {
    /// Number of requests that the worker issued earlier.
    pub number: u64,
    /// When the worker decided on it, in nanoseconds since the worker began.
    pub started_ns: u64,
    /// Time until completion, in nanoseconds.
    pub took_ns: u64,
    /// The operation.
    pub action: OpKind,
    /// Index of its file among the worker's files.
    pub file: u32,
    /// Offset, in bytes.
    pub offset_bytes: u64,
    /// Requested length, in bytes.
    pub len_bytes: u32,
}

/// An error after which the worker continued.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FailureRecord {
    /// Index of the file among the worker's files.
    pub file: u32,
    /// The request that failed.
    pub failure: IoFailure,
}

/// Records of one kind and one worker, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LogChunk {
    /// Single I/Os.
    Ios(Vec<IoRecord>),
    /// Windows.
    Windows(Vec<WindowRecord>),
    /// Histograms.
    Histograms(Vec<HistogramRecord>),
    /// All requests, in order of completion.
    Trace(Vec<TraceRecord>),
    /// Errors after which the worker continued.
    Failures(Vec<FailureRecord>),
}

/// Receives the workers' logs. Chunks of one worker come in order, chunks of several interleave; all have
/// arrived when the run returns, except from workers that were given up.
pub trait LogSink: Sync {
    /// A clone of a job begins to count; called before its first chunk. In simulated time `at` is the
    /// corresponding real time.
    fn begins(&self, job: usize, clone: u32, at: Instant) {
        let _ = (job, clone, at);
    }

    /// Receives a chunk of a clone of a job. It may block: I/O then waits, so that no line is lost.
    fn take(&self, job: usize, clone: u32, chunk: LogChunk);
}

/// Content for the sink, and its origin.
#[derive(Debug)]
pub(crate) struct Parcel {
    job: usize,
    clone: u32,
    content: Content,
}

#[derive(Debug)]
enum Content {
    Beginning(Instant),
    Chunk(LogChunk),
}

impl Parcel {
    fn deliver(self, sink: &dyn LogSink) {
        match self.content {
            Content::Beginning(at) => sink.begins(self.job, self.clone, at),
            Content::Chunk(chunk) => sink.take(self.job, self.clone, chunk),
        }
    }
}

/// Passes on parcels until `None` marks the end. Workers stuck in the kernel may never drop their ends of the
/// channel, so it cannot wait for closing. `is_busy` shows whether the sink is working: workers may then be
/// waiting for it and not for their drive.
pub(crate) fn deliver_all(receiver: &Receiver<Option<Parcel>>, sink: &dyn LogSink, is_busy: &AtomicBool) {
    while let Ok(Some(parcel)) = receiver.recv() {
        is_busy.store(true, Ordering::Relaxed);
        parcel.deliver(sink);
        is_busy.store(false, Ordering::Relaxed);
    }
}

/// Holds chunks in simulated time until the end of the step.
#[derive(Debug, Clone, Default)]
pub(crate) struct Basket(Arc<Mutex<Vec<Parcel>>>);

impl Basket {
    /// Passes on its content.
    pub fn deliver(&self, sink: &dyn LogSink) {
        let parcels = std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        parcels.into_iter().for_each(|parcel| parcel.deliver(sink));
    }
}

/// The route from a worker to the sink.
#[derive(Debug, Clone)]
pub(crate) enum LogRoute {
    /// To the delivering thread.
    Channel(SyncSender<Option<Parcel>>),
    /// To the worker's own thread, after the step.
    Basket(Basket),
}

/// A worker's log buffer. Hands over the rest on drop.
#[derive(Debug)]
pub(crate) struct LogPen {
    way: LogRoute,
    job: usize,
    clone: u32,
    ios: Vec<IoRecord>,
    windows: Vec<WindowRecord>,
    trace: Vec<TraceRecord>,
}

impl LogPen {
    /// A pen for a clone of a job, with memory for single I/Os or for windows.
    pub fn new(way: LogRoute, job: usize, clone: u32, logs_single_ios: bool) -> Self {
        let mut pen = Self { way, job, clone, ios: Vec::new(), windows: Vec::new(), trace: Vec::new() };
        if logs_single_ios {
            pen.ios.reserve_exact(CHUNK_RECORDS);
        }
        pen
    }

    /// Announces that counting begins in `ns` nanoseconds.
    pub fn begins_in(&self, ns: u64) {
        let now = Instant::now();
        self.send(Content::Beginning(now.checked_add(Duration::from_nanos(ns)).unwrap_or(now)));
    }

    /// Logs an I/O. Every `CHUNK_RECORDS` calls it hands over a chunk, and may then wait.
    #[inline]
    pub fn io(&mut self, record: &IoRecord) {
        self.ios.push(*record);
        if self.ios.len() >= CHUNK_RECORDS {
            let full = std::mem::replace(&mut self.ios, Vec::with_capacity(CHUNK_RECORDS));
            self.send(Content::Chunk(LogChunk::Ios(full)));
        }
    }

    /// Logs a request for later replay.
    pub fn request(&mut self, record: &TraceRecord) {
        self.trace.push(*record);
        if self.trace.len() >= CHUNK_RECORDS {
            let full = std::mem::replace(&mut self.trace, Vec::with_capacity(CHUNK_RECORDS));
            self.send(Content::Chunk(LogChunk::Trace(full)));
        }
    }

    /// Logs a window.
    pub fn window(&mut self, record: &WindowRecord) {
        self.windows.push(*record);
        if self.windows.len() >= CHUNK_RECORDS / 2 {
            let full = std::mem::take(&mut self.windows);
            self.send(Content::Chunk(LogChunk::Windows(full)));
        }
    }

    /// Logs a histogram. Handed over immediately, because it is large and rare.
    pub fn histogram(&mut self, record: HistogramRecord) {
        self.send(Content::Chunk(LogChunk::Histograms(vec![record])));
    }

    /// Logs an error. Handed over immediately, while somebody can still check the drive.
    pub fn failure(&mut self, record: FailureRecord) {
        self.send(Content::Chunk(LogChunk::Failures(vec![record])));
    }

    /// Hands over the rest.
    pub fn finish(&mut self) {
        let (ios, windows) = (std::mem::take(&mut self.ios), std::mem::take(&mut self.windows));
        let trace = std::mem::take(&mut self.trace);
        if !trace.is_empty() {
            self.send(Content::Chunk(LogChunk::Trace(trace)));
        }
        if !ios.is_empty() {
            self.send(Content::Chunk(LogChunk::Ios(ios)));
        }
        if !windows.is_empty() {
            self.send(Content::Chunk(LogChunk::Windows(windows)));
        }
    }

    #[cold]
    fn send(&self, content: Content) {
        let parcel = Parcel { job: self.job, clone: self.clone, content };
        match &self.way {
            // The receiver is gone only if the run has given up this worker.
            LogRoute::Channel(sender) => drop(sender.send(Some(parcel))),
            LogRoute::Basket(Basket(basket)) => {
                basket.lock().unwrap_or_else(PoisonError::into_inner).push(parcel);
            }
        }
    }
}

impl Drop for LogPen {
    fn drop(&mut self) {
        self.finish();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{TryRecvError, sync_channel};

    use super::*;

    fn record(number: u64) -> IoRecord {
        IoRecord {
            completed_ns: number,
            direction: Direction::Read,
            offset_bytes: 0,
            len_bytes: 4_096,
            submission_ns: 0,
            completion_ns: 0,
            total_ns: 0,
        }
    }

    #[test]
    fn full_chunks_are_sent_at_once_and_the_rest_on_drop() {
        let (sender, receiver) = sync_channel(PARCELS);
        let mut pen = LogPen::new(LogRoute::Channel(sender), 3, 5, true);
        let mut numbers = Vec::new();
        let mut take = || match receiver.try_recv() {
            Ok(Some(Parcel { job: 3, clone: 5, content: Content::Chunk(LogChunk::Ios(ios)) })) => {
                numbers.extend(ios.iter().map(|io| io.completed_ns));
                ios.len()
            }
            Err(TryRecvError::Empty | TryRecvError::Disconnected) => 0,
            other => panic!("{other:?}"),
        };
        for number in 0..5_000 {
            pen.io(&record(number));
        }
        assert_eq!((take(), take()), (4_096, 0));
        drop(pen);
        assert_eq!((take(), take()), (904, 0));
        assert!(numbers.into_iter().eq(0..5_000));
    }

    #[test]
    fn a_full_queue_makes_the_worker_wait() {
        let (sender, receiver) = sync_channel(PARCELS);
        let chunks = PARCELS as u64 * 3;
        let writer = std::thread::spawn(move || {
            let mut pen = LogPen::new(LogRoute::Channel(sender), 0, 0, true);
            (0..chunks * 4_096).for_each(|number| pen.io(&record(number)));
        });
        std::thread::sleep(std::time::Duration::from_millis(20));
        assert!(!writer.is_finished());
        assert_eq!(receiver.iter().count() as u64, chunks);
        writer.join().unwrap();
    }

    #[test]
    fn delivery_ends_on_none_even_with_live_senders() {
        struct Counts(Mutex<u64>);
        impl LogSink for Counts {
            fn take(&self, _: usize, _: u32, _: LogChunk) {
                *self.0.lock().unwrap() += 1;
            }
        }
        let (sender, receiver) = sync_channel(PARCELS);
        let mut pen = LogPen::new(LogRoute::Channel(sender.clone()), 0, 0, true);
        pen.io(&record(1));
        pen.finish();
        sender.send(None).unwrap();
        let counts = Counts(Mutex::new(0));
        let is_busy = AtomicBool::new(false);
        deliver_all(&receiver, &counts, &is_busy);
        assert!(!is_busy.into_inner());
        assert_eq!(counts.0.into_inner().unwrap(), 1);
    }
}
