//! Recorded I/O of loads, replayed on simulated drives.
//!
//! A trace holds, for each operation, what the kernel had to hand to the drive: the pages that the load had changed when it made
//! them durable, the syncs, and the pages that it read. `cargo xtask traces` recorded them with strace on this program's own
//! loads, adding the page cache's part. The file system's own writes (journal, inodes) are missing: a simulated drive adds them
//! to each sync.
//!
//! The text has a line for each event, and pages are 4,096 bytes:
//!
//! ```text
//! # a comment
//! part commits commit write    a part begins: its id, what is counted, where the user's bytes go
//! w 1 20 3                     three pages of file 1 are written, from its page 20 on
//! r 0 7 1                      a page of file 0 is read
//! d 1                          file 1 is made durable (fdatasync)
//! s 0                          the same with its metadata (fsync)
//! o 140                        an operation is done; it moved 140 bytes of the user's
//! ```

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;

use cardiograph_core::app::{AppPart, AppResult, AppSpec, Operation, PartRecorder};
use cardiograph_core::{Direction, NS_PER_S, OpKind};

use crate::WINDOW_NS;

/// Length of a page, in bytes.
pub const PAGE_BYTES: u64 = 4_096;
/// Fraction of the time for writing if reading follows.
const WRITE_SHARE: f64 = 0.7;

/// A request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TraceIo {
    /// The action.
    pub action: OpKind,
    /// Offset in bytes from the start of the trace's space, in which its files follow each other.
    pub offset_bytes: u64,
    /// Length in bytes; 0 for a sync.
    pub len_bytes: u64,
}

/// An operation: its requests, and the user's bytes that it moved.
#[derive(Debug, Clone, PartialEq, Eq)]
struct TraceOperation {
    ios: Range<usize>,
    bytes: u64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct TracePart {
    id: String,
    operation: Operation,
    direction: Direction,
    operations: Vec<TraceOperation>,
}

/// The I/O of a load.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Trace {
    parts: Vec<TracePart>,
    ios: Vec<TraceIo>,
    len_bytes: u64,
}

const SHIPPED: &[(&str, &str)] = &[
    ("sqlite-wal", include_str!("../traces/sqlite-wal.trace")),
    ("sqlite-rollback", include_str!("../traces/sqlite-rollback.trace")),
    ("log-fsync", include_str!("../traces/log-fsync.trace")),
    ("unpack", include_str!("../traces/unpack.trace")),
    ("photos", include_str!("../traces/photos.trace")),
    ("cameras", include_str!("../traces/cameras.trace")),
];

/// The trace of a load; `None` for an unknown load.
pub fn shipped(load: &str) -> Option<Trace> {
    let (_, text) = SHIPPED.iter().find(|(name, _)| *name == load)?;
    Some(Trace::parse(text).expect("shipped traces are tested"))
}

impl Trace {
    /// Parses a trace.
    ///
    /// # Errors
    /// The invalid line, from 1, and the reason.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut trace = Self::default();
        // Requests with their files, until the length of each file is known.
        let mut files: Vec<u64> = Vec::new();
        let mut places: Vec<usize> = Vec::new();
        let mut first_io = 0;
        for (index, line) in text.lines().enumerate() {
            let wrong = |what: &str| format!("line {}: {what}: {line}", index + 1);
            let words: Vec<&str> = line.split_whitespace().collect();
            let number = |at: usize| {
                let number = words.get(at).and_then(|word| word.parse::<u64>().ok());
                number.filter(|&number| number < 1 << 40).ok_or_else(|| wrong("no number"))
            };
            match words.first().copied() {
                None => {}
                Some(comment) if comment.starts_with('#') => {}
                Some("part") => trace.parts.push(part(&words).ok_or_else(|| wrong("no part"))?),
                Some("o") => {
                    let part = trace.parts.last_mut().ok_or_else(|| wrong("before its part"))?;
                    let ios = first_io..trace.ios.len();
                    part.operations.push(TraceOperation { ios, bytes: number(1)? });
                    first_io = trace.ios.len();
                }
                Some(word) => {
                    let action = action(word).ok_or_else(|| wrong("no such action"))?;
                    let file = number(1)? as usize;
                    if file > 100_000 {
                        return Err(wrong("too many files"));
                    }
                    let is_sync = action.direction() == Direction::Sync;
                    let (page, pages) = if is_sync { (0, 0) } else { (number(2)?, number(3)?) };
                    files.resize(files.len().max(file + 1), 0);
                    files[file] = files[file].max(page + pages);
                    let (offset_bytes, len_bytes) = (page * PAGE_BYTES, pages * PAGE_BYTES);
                    trace.ios.push(TraceIo { action, offset_bytes, len_bytes });
                    places.push(file);
                }
            }
        }
        if trace.parts.is_empty() || trace.parts.iter().any(|part| part.operations.is_empty()) {
            return Err("a part without operations".to_string());
        }
        let mut starts = Vec::with_capacity(files.len());
        for pages in files {
            starts.push(trace.len_bytes);
            trace.len_bytes += pages * PAGE_BYTES;
        }
        trace.ios.iter_mut().zip(places).for_each(|(io, file)| io.offset_bytes += starts[file]);
        Ok(trace)
    }

    /// The space that the load of `spec` needs on a drive, in bytes.
    pub fn room_bytes(&self, spec: &AppSpec) -> u64 {
        Shape::new(spec).room_bytes(self).saturating_mul(spec.parameter("cameras").unwrap_or(1))
    }
}

fn part(words: &[&str]) -> Option<TracePart> {
    use Operation::{Commit, File, Line, Photo, Second};
    let [_, id, operation, direction] = words else { return None };
    Some(TracePart {
        id: id.to_string(),
        operation: [Commit, File, Line, Photo, Second].into_iter().find(|of| of.name() == *operation)?,
        direction: Direction::ALL.into_iter().find(|of| of.name() == *direction)?,
        operations: Vec::new(),
    })
}

fn action(word: &str) -> Option<OpKind> {
    Some(match word {
        "r" => OpKind::Read,
        "w" => OpKind::Write,
        "d" => OpKind::Fdatasync,
        "s" => OpKind::Fsync,
        _ => return None,
    })
}

/// Scales a recorded load to the requested one: video streams may have another bit rate.
#[derive(Debug, Clone, Copy)]
struct Shape {
    mbit_per_s: u64,
}

impl Shape {
    /// Bit rate of the recorded cameras.
    const RECORDED_MBIT_PER_S: u64 = 8;

    fn new(spec: &AppSpec) -> Self {
        Self { mbit_per_s: spec.parameter("mbit_per_s").unwrap_or(Self::RECORDED_MBIT_PER_S) }
    }

    fn bytes(self, recorded_bytes: u64) -> u64 {
        recorded_bytes.saturating_mul(self.mbit_per_s) / Self::RECORDED_MBIT_PER_S
    }

    /// Rounds up to whole pages.
    fn page_bytes(self, recorded_bytes: u64) -> u64 {
        self.bytes(recorded_bytes).next_multiple_of(PAGE_BYTES)
    }

    /// The space of one stream.
    fn room_bytes(self, trace: &Trace) -> u64 {
        self.page_bytes(trace.len_bytes).saturating_add(PAGE_BYTES)
    }

    fn io(self, io: &TraceIo, base_bytes: u64) -> TraceIo {
        TraceIo {
            action: io.action,
            offset_bytes: base_bytes + self.page_bytes(io.offset_bytes),
            len_bytes: self.page_bytes(io.len_bytes),
        }
    }
}

/// A drive on which a trace is replayed, in its own time.
pub trait TraceDrive {
    /// Does a request that arrives at `now_ns`. Returns when it completes.
    ///
    /// # Errors
    /// If it fails or never completes.
    fn serve(&mut self, now_ns: u64, io: &TraceIo) -> Result<u64, Unserved>;
}

/// Why a request did not complete.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unserved {
    /// It failed with this error number.
    Failed(i32),
    /// The drive hangs.
    Hung,
}

/// Bounds of a replay.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// Maximum bytes of pages to write.
    pub write_bytes_max: u64,
    /// Nanoseconds; `None` if limited by bytes only.
    pub time_ns_max: Option<u64>,
}

/// Replays the load of `spec` on `drive`, whose time is `now_ns`, repeatedly until a bound is reached. Returns the result, the
/// time at the end, and how it ended.
pub fn replay(
    trace: &Trace,
    drive: &mut dyn TraceDrive,
    now_ns: u64,
    bounds: Bounds,
    spec: &AppSpec,
) -> (AppResult, u64, Result<(), Unserved>) {
    let end_ns = bounds.time_ns_max.map_or(u64::MAX, |max_ns| now_ns.saturating_add(max_ns));
    let (shape, left_bytes) = (Shape::new(spec), bounds.write_bytes_max);
    let mut replay = Replay { trace, drive, shape, now_ns, end_ns, left_bytes, parts: Vec::new() };
    let is_paced = trace.parts.iter().any(|part| part.operation == Operation::Second);
    let end = if is_paced { replay.record_cameras(spec) } else { replay.work() };
    (AppResult { library: None, parts: replay.parts, pauses: Vec::new() }, replay.now_ns, end)
}

fn recorder(part: &TracePart) -> PartRecorder {
    PartRecorder::new(&part.id, part.operation, part.direction, WINDOW_NS)
}

/// A replay in progress.
struct Replay<'a> {
    trace: &'a Trace,
    drive: &'a mut dyn TraceDrive,
    shape: Shape,
    now_ns: u64,
    end_ns: u64,
    left_bytes: u64,
    parts: Vec<AppPart>,
}

impl Replay<'_> {
    /// Does one operation of a stream, if its pages may still be written. Returns whether it did.
    fn operation(&mut self, operation: &TraceOperation, stream: u64) -> Result<bool, Unserved> {
        let base_bytes = stream * self.shape.room_bytes(self.trace);
        let recorded = &self.trace.ios[operation.ios.clone()];
        let shape = self.shape;
        let ios = recorded.iter().map(|io| shape.io(io, base_bytes));
        let written = ios.clone().filter(|io| io.action == OpKind::Write).map(|io| io.len_bytes);
        let Some(left_bytes) = self.left_bytes.checked_sub(written.sum()) else { return Ok(false) };
        self.left_bytes = left_bytes;
        for io in ios {
            self.now_ns = self.drive.serve(self.now_ns, &io)?.max(self.now_ns);
        }
        Ok(true)
    }

    fn work(&mut self) -> Result<(), Unserved> {
        let trace = self.trace;
        let mut written = None;
        for (index, part) in trace.parts.iter().enumerate() {
            let mut recorder = recorder(part);
            let began_ns = self.now_ns;
            let is_last = index + 1 == trace.parts.len();
            let share = if is_last { 1.0 } else { WRITE_SHARE };
            let part_ns = (self.end_ns.saturating_sub(began_ns) as f64 * share) as u64;
            let end_ns = began_ns.saturating_add(part_ns);
            // Everything written is read once.
            let operations_max = written.filter(|_| part.direction == Direction::Read).unwrap_or(u64::MAX);
            let mut count = 0;
            let mut end = Ok(());
            for operation in part.operations.iter().cycle() {
                if count == operations_max || self.now_ns >= end_ns {
                    break;
                }
                let operation_ns = self.now_ns;
                match self.operation(operation, 0) {
                    Ok(true) => {}
                    Ok(false) => break,
                    Err(unserved) => {
                        end = Err(unserved);
                        break;
                    }
                }
                count += 1;
                recorder.done(self.now_ns - began_ns, self.now_ns - operation_ns, operation.bytes);
            }
            recorder.end(self.now_ns - began_ns);
            self.parts.push(recorder.into_part());
            end?;
            written = Some(count);
        }
        Ok(())
    }

    /// Replays cameras: each second of video is due at its time, and the drive serves them in order of arrival.
    fn record_cameras(&mut self, spec: &AppSpec) -> Result<(), Unserved> {
        let trace = self.trace;
        let part = &trace.parts[0];
        let mut recorder = recorder(part);
        let began_ns = self.now_ns;
        let cameras = spec.parameter("cameras").unwrap_or(1);
        let buffer_ns = spec.parameter("buffer_s").unwrap_or(4) * NS_PER_S;
        let offset_ns = |camera: u64| camera * NS_PER_S / cameras;
        let mut due: BinaryHeap<Reverse<(u64, u64, u64)>> =
            (0..cameras).map(|camera| Reverse((offset_ns(camera) + NS_PER_S, camera, 0))).collect();
        let end = loop {
            let Some(Reverse((due_ns, camera, second))) = due.pop() else { break Ok(()) };
            if began_ns.saturating_add(due_ns).max(self.now_ns) >= self.end_ns {
                break Ok(());
            }
            self.now_ns = self.now_ns.max(began_ns + due_ns);
            let operation = &part.operations[second as usize % part.operations.len()];
            match self.operation(operation, camera) {
                Ok(true) => {}
                Ok(false) => break Ok(()),
                Err(unserved) => break Err(unserved),
            }
            let done_ns = self.now_ns - began_ns;
            let (took_ns, bytes) = (done_ns - due_ns, self.shape.bytes(operation.bytes));
            if took_ns > buffer_ns {
                recorder.done_late(done_ns, took_ns, bytes);
                break Ok(());
            }
            recorder.done(done_ns, took_ns, bytes);
            due.push(Reverse((due_ns + NS_PER_S, camera, second + 1)));
        };
        recorder.end(self.now_ns - began_ns);
        self.parts.push(recorder.into_part());
        end
    }
}

#[cfg(test)]
mod tests;
