//! Tests of the worker loop, with an engine that has a minimal drive.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashSet};
use std::rc::Rc;
use std::sync::atomic::{AtomicU64, Ordering};

use cardiograph_core::result::{DirectionResult, MissedRate, RunOutcome, Verified};
use cardiograph_core::workload::{
    Arrivals, Batching, BlockLen, Checksum, FileTurn, Order, Rate, StopWhen, SyncEvery, SyncMethod, Verify,
};
use cardiograph_core::{NS_PER_MS, PerDirection};

use super::*;
use crate::engine::OpKind;
use crate::io_op::{Completion, IoOp};
use crate::recorder::{Recorder, RecorderShape};

const KIB: u64 = 1_024;
/// Duration of a read or write.
const IO_NS: u64 = 100_000;
/// Duration of a sync.
const SYNC_NS: u64 = 1_000_000;

/// A fault of the drive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    /// The request with this number takes `ns` nanoseconds longer.
    Stall { request: usize, ns: u64 },
    /// The request with this number fails.
    Error { request: usize, errno: i32 },
    /// The write with this number does nothing.
    Lost { request: usize },
    /// The write with this number has a wrong byte.
    Flipped { request: usize },
}

/// Requests to a drive, and its content.
#[derive(Debug, Default)]
struct Drive {
    ops: Vec<IoOp>,
    /// Arrival times, in nanoseconds.
    came_at: Vec<u64>,
    /// Number of requests in each submit call.
    offered: Vec<usize>,
    content: BTreeMap<(u32, u64), Vec<u8>>,
    faults: Vec<Fault>,
}

impl Drive {
    fn kinds(&self) -> Vec<OpKind> {
        self.ops.iter().map(|op| op.kind).collect()
    }

    fn offsets(&self, kind: OpKind) -> Vec<(u32, u64)> {
        self.ops.iter().filter(|op| op.kind == kind).map(|op| (op.file, op.offset_bytes)).collect()
    }
}

/// Executes at once and advances the time, or keeps requests until they are due.
struct Fake {
    drive: Rc<RefCell<Drive>>,
    time: Arc<AtomicU64>,
    buffers: Arc<Arena>,
    is_queueing: bool,
    is_serial: bool,
    room: usize,
    held: Vec<Completion>,
}

impl Fake {
    fn serve(&mut self, op: &IoOp) -> Completion {
        let mut drive = self.drive.borrow_mut();
        let number = drive.ops.len();
        drive.ops.push(*op);
        drive.came_at.push(self.time.load(Ordering::Relaxed));
        let mut took_ns = if op.len_bytes == 0 { SYNC_NS } else { IO_NS };
        let mut result = op.len_bytes as i32;
        // SAFETY: the request was submitted, so its slot belongs to the engine.
        let bytes = unsafe { self.buffers.slot_bytes(op.slot, op.len_bytes as usize) };
        let mut is_stored = op.kind == OpKind::Write;
        for fault in drive.faults.clone() {
            match fault {
                Fault::Stall { request, ns } if request == number => took_ns += ns,
                Fault::Error { request, errno } if request == number => result = -errno,
                Fault::Lost { request } if request == number => is_stored = false,
                Fault::Flipped { request } if request == number => bytes[100] ^= 1,
                _ => {}
            }
        }
        // Pieces of the shortest length used in the tests.
        for (piece, at) in bytes.chunks_mut(512).zip((op.offset_bytes..).step_by(512)) {
            if is_stored {
                drive.content.insert((op.file, at), piece.to_vec());
            } else if op.kind == OpKind::Read
                && let Some(stored) = drive.content.get(&(op.file, at))
            {
                piece.copy_from_slice(stored);
            }
        }
        let completed_at = self.time.load(Ordering::Relaxed) + took_ns;
        Completion { slot: op.slot, result, completed_at }
    }
}

impl IoEngine for Fake {
    fn submit(&mut self, ops: &[IoOp]) -> io::Result<usize> {
        self.drive.borrow_mut().offered.push(ops.len());
        let taken = if self.is_queueing { ops.len().min(self.room - self.held.len()) } else { 1 };
        for op in &ops[..taken] {
            let completion = self.serve(op);
            if !self.is_queueing || self.is_serial {
                self.time.store(completion.completed_at, Ordering::Relaxed);
            }
            self.held.push(completion);
        }
        Ok(taken)
    }

    fn reap(&mut self, _: u32, max: u32, _: Option<u64>, done: &mut Vec<Completion>) -> io::Result<()> {
        let now = self.time.load(Ordering::Relaxed);
        self.held.sort_by_key(|completion| completion.completed_at);
        let ready = self.held.iter().filter(|completion| completion.completed_at <= now).count();
        done.extend(self.held.drain(..ready.min(max as usize)));
        Ok(())
    }

    fn cancel(&mut self) -> io::Result<()> {
        Ok(())
    }

    fn next_completion_at(&self) -> Option<u64> {
        self.held.iter().map(|completion| completion.completed_at).min()
    }

    fn is_serial(&self) -> bool {
        self.is_serial
    }
}

fn fixed(len_bytes: u64) -> BlockLen {
    BlockLen::Fixed { len_bytes }
}

/// A job of 4 KiB blocks at depth 1 that moves 64 KiB.
fn job(order: Order, read_percent: u32) -> Workload {
    Workload {
        engine: "fake".to_string(),
        read_percent,
        order,
        stop: StopWhen { bytes: Some(64 * KIB), time_ns: None, ios: None },
        seed: 5,
        ..Workload::default()
    }
}

fn deep(depth: u32, workload: Workload) -> Workload {
    Workload { depth, batching: Batching::free(depth), ..workload }
}

/// A stop request from outside.
type Ask = fn(&StopFlag);

/// A run of one worker.
struct Bench {
    is_queueing: bool,
    is_serial: bool,
    room: usize,
    files: Vec<FileUse>,
    faults: Vec<Fault>,
    run_seed: u64,
    /// The drive's content at the start.
    drive: Drive,
    stop_at: Option<(u64, Ask)>,
    /// Whether there is preparation between passes.
    turns: bool,
}

impl Default for Bench {
    fn default() -> Self {
        Self {
            is_queueing: false,
            is_serial: false,
            room: usize::MAX,
            files: vec![FileUse { target: 0, offset_bytes: 0, region_len_bytes: 64 * KIB }],
            faults: Vec::new(),
            run_seed: 1,
            drive: Drive::default(),
            stop_at: None,
            turns: false,
        }
    }
}

struct Run {
    end: WorkerEnd,
    drive: Drive,
    /// Requests so far at each turn between two passes.
    turns: Vec<usize>,
    recorder: Arc<Recorder>,
}

impl Run {
    fn result(&self, direction: Direction) -> DirectionResult {
        self.recorder.directions()[direction].clone()
    }

    fn ios(&self) -> (u64, u64, u64) {
        let ios = |direction| self.recorder.totals(direction).0;
        (ios(Direction::Read), ios(Direction::Write), ios(Direction::Sync))
    }
}

fn queueing() -> Bench {
    Bench { is_queueing: true, ..Bench::default() }
}

impl Bench {
    fn run(self, workload: Workload) -> Run {
        let depth = if self.is_queueing { workload.depth } else { 1 };
        let time = Arc::new(AtomicU64::new(0));
        let clock = Clock::simulated(time.clone());
        let used = |direction| workload.uses(direction) || (direction == Direction::Read && workload.reads());
        let shape = RecorderShape {
            is_queueing: self.is_queueing,
            window_ns: workload.window_ns,
            measured: workload.measured,
            has_rate: workload.rate.iter().any(|(_, rate)| rate.is_some()),
        };
        let recorder = Arc::new(Recorder::new(used, shape));
        let slot_len_bytes = workload.block_len_bytes_max() as usize;
        let buffers = Arena::new(depth as usize, slot_len_bytes).unwrap();
        let drive = Rc::new(RefCell::new(Drive { faults: self.faults, ..self.drive }));
        let stop = Arc::new(StopFlag::default());
        let engine = Fake {
            drive: drive.clone(),
            time: time.clone(),
            buffers: buffers.clone(),
            is_queueing: self.is_queueing,
            is_serial: self.is_serial,
            room: self.room,
            held: Vec::new(),
        };
        let mut worker = Worker::new(WorkerParts {
            workload: Arc::new(workload),
            file_names: (0..self.files.len()).map(|file| format!("file.{file}")).collect(),
            files: self.files,
            clone: 0,
            number: 0,
            shares_files: false,
            run_seed: self.run_seed,
            engine: Box::new(engine),
            is_queueing: self.is_queueing,
            depth,
            buffers,
            clock: clock.clone(),
            writer: Writer::new(recorder.clone(), clock, None),
            stop: stop.clone(),
            share: None,
            submit_times: None,
        });
        let turns = Rc::new(RefCell::new(Vec::new()));
        worker.turn_passes(self.turns.then(|| {
            let (turns, drive) = (turns.clone(), drive.clone());
            Turn::Kept(Box::new(move || {
                turns.borrow_mut().push(drive.borrow().ops.len());
                Ok(())
            }))
        }));
        worker.release(0);
        loop {
            let now = time.load(Ordering::Relaxed);
            if let Some((at, ask)) = self.stop_at
                && now >= at
            {
                ask(&stop);
            }
            let wait = worker.step().unwrap();
            let now = time.load(Ordering::Relaxed);
            let next = match wait {
                Wait::Ready => now,
                Wait::Until(at) => at,
                Wait::Completion => worker.next_completion_at().expect("it waits for something"),
                Wait::CompletionOr(at) => worker.next_completion_at().map_or(at, |next| next.min(at)),
                Wait::Ended => break,
            };
            time.store(next.max(now), Ordering::Relaxed);
        }
        let end = worker.end();
        drop(worker);
        let drive = Rc::try_unwrap(drive).expect("the worker is gone").into_inner();
        Run { end, drive, recorder, turns: turns.take() }
    }
}

/// Submit calls of a worker of depth 11 that does 22 I/Os, to an engine with `room` slots.
fn offers(room: usize, batching: Batching) -> Vec<usize> {
    let stop = StopWhen { bytes: Some(88 * KIB), time_ns: None, ios: None };
    let workload = Workload { depth: 11, batching, stop, ..job(Order::RandomUnique, 100) };
    let files = vec![FileUse { target: 0, offset_bytes: 0, region_len_bytes: 88 * KIB }];
    let run = Bench { room, files, ..queueing() }.run(workload);
    assert_eq!(run.end.result.outcome, RunOutcome::Completed);
    assert_eq!(run.recorder.totals(Direction::Read), (22, 88 << 10));
    run.drive.offered
}

#[test]
fn a_batch_is_submitted_in_parts_that_double() {
    assert_eq!(offers(11, Batching::free(11)), [1, 2, 4, 4, 1, 2, 4, 4]);
}

#[test]
fn a_full_engine_is_reaped_before_it_is_offered_more() {
    // It accepts 1, 2 and 2 of 4: five at a time, 22 in all. After each wait it is offered one that it has no
    // room for, because the completions are not yet reaped.
    assert_eq!(offers(5, Batching::free(11)), [1, 2, 4, 1, 1, 2, 4, 1, 1, 2, 4, 1, 1, 2, 4, 1, 1, 1]);
    // With a single slot it accepts none of the following ones; at the end only one is left to offer.
    let expected = [[1, 2, 1]; 20].concat().into_iter().chain([1; 4]).collect::<Vec<_>>();
    assert_eq!(offers(1, Batching::free(11)), expected);
}

#[test]
fn parts_have_the_requested_length() {
    assert_eq!(offers(11, Batching { submit: Some(4), ..Batching::free(11) }), [4, 4, 3, 4, 4, 3]);
    assert_eq!(offers(11, Batching { submit: Some(1), ..Batching::free(11) }), [1; 22]);
}

/// Each waits for the previous ones only if its completion does.
#[test]
fn an_engine_that_executes_in_submit_is_offered_one_at_a_time() {
    let stop = StopWhen { bytes: Some(88 * KIB), time_ns: None, ios: None };
    let workload = Workload { depth: 11, stop, ..job(Order::RandomUnique, 100) };
    let files = vec![FileUse { target: 0, offset_bytes: 0, region_len_bytes: 88 * KIB }];
    let run = Bench { is_serial: true, files, ..queueing() }.run(workload);
    assert_eq!(run.drive.offered, [1; 22]);
    let reads = run.result(Direction::Read);
    assert_eq!(reads.submission.as_ref().unwrap().max_ns(), IO_NS);
    assert_eq!(reads.total().max_ns(), IO_NS);
}

#[test]
fn completions_per_reap_and_the_low_mark_are_honoured() {
    // Completions come one at a time; the queue is filled again when 3 of 11 are left.
    let batching = Batching { submit: Some(32), complete_max: Some(1), low: 3, ..Batching::free(11) };
    assert_eq!(offers(11, batching), [11, 8, 3]);
    let batching = Batching { submit: Some(32), complete_max: Some(2), ..Batching::free(11) };
    assert_eq!(offers(11, batching), [11, 2, 2, 2, 2, 2, 1]);
}

#[test]
fn depths_are_counted() {
    let stop = StopWhen { bytes: Some(256 * KIB), time_ns: None, ios: None };
    let workload = deep(8, Workload { stop, ..job(Order::Sequential, 100) });
    // All eight complete together: 1, then 2, then 4, then the last one are submitted.
    let depths = queueing().run(workload.clone()).end.result.depths;
    assert_eq!(depths.in_flight, [8, 16, 32, 8, 0, 0, 0]);
    assert_eq!(depths.submitted, [0, 32, 0, 0, 0, 0, 0]);
    assert_eq!(depths.completed, [0, 0, 8, 0, 0, 0, 0]);
    let depths = Bench::default().run(workload).end.result.depths;
    assert_eq!((depths.in_flight[0], depths.submitted[1], depths.completed[1]), (64, 64, 64));
}

#[test]
fn a_sync_precedes_the_next_io_after_the_given_number_of_writes() {
    use OpKind::{Fdatasync, Fsync, Write};
    for (writes, method, kind, syncs) in [
        (1, SyncMethod::Fsync, Fsync, 15),
        (4, SyncMethod::Fdatasync, Fdatasync, 3),
        (16, SyncMethod::Fsync, Fsync, 0),
    ] {
        let workload =
            Workload { sync_every: Some(SyncEvery { writes, method }), ..job(Order::Sequential, 0) };
        let run = Bench::default().run(workload.clone());
        assert_eq!(run.ios(), (0, 16, syncs));
        // fio counts syncs among the depths.
        assert_eq!(run.end.result.depths.in_flight[0], 16 + syncs);
        let every = |n: u64| if n > 0 && n.is_multiple_of(writes) { vec![kind, Write] } else { vec![Write] };
        assert_eq!(run.drive.kinds(), (0..16).flat_map(every).collect::<Vec<_>>());
        assert_eq!(run.end.ended_at, 16 * IO_NS + syncs * SYNC_NS);
        assert_eq!(queueing().run(deep(8, workload)).ios(), (0, 16, syncs));
    }
}

#[test]
fn only_written_files_are_synced() {
    let files: Vec<FileUse> =
        (0..4).map(|target| FileUse { target, offset_bytes: 0, region_len_bytes: 16 * KIB }).collect();
    let sync_every = Some(SyncEvery { writes: 6, method: SyncMethod::Fsync });
    let workload = Workload {
        sync_every,
        end_sync: true,
        close_sync: true,
        file_turn: (FileTurn::RoundRobin, 3),
        ..job(Order::Sequential, 0)
    };
    let run = Bench { files, ..Bench::default() }.run(workload);
    let synced: Vec<u32> = run.drive.offsets(OpKind::Fsync).into_iter().map(|(file, _)| file).collect();
    // One sync after six writes, of the file that has waited longest; at the end each file once.
    assert_eq!(synced, [0, 1, 0, 1, 2, 3]);
    assert_eq!(run.ios(), (0, 16, 2));
}

#[test]
fn a_final_sync_counts_as_write_time() {
    for (end_sync, close_sync) in [(true, false), (false, true), (true, true)] {
        for bench in [Bench::default(), queueing()] {
            let depth = if bench.is_queueing { 4 } else { 1 };
            let run =
                bench.run(deep(depth, Workload { end_sync, close_sync, ..job(Order::RandomUnique, 0) }));
            assert_eq!(run.drive.offsets(OpKind::Fsync).len(), 1);
            assert_eq!(run.ios(), (0, 16, 0));
            let io_ns = 16 * IO_NS / u64::from(depth);
            assert_eq!(run.result(Direction::Write).runtime_ns, io_ns + SYNC_NS);
            assert_eq!((run.end.ended_at, run.end.result.phases.flush_ns), (io_ns + SYNC_NS, SYNC_NS));
        }
    }
    let reader = Bench::default().run(Workload { end_sync: true, ..job(Order::Sequential, 100) });
    assert_eq!((reader.drive.offsets(OpKind::Fsync).len(), reader.end.result.phases.flush_ns), (0, 0));
}

#[test]
fn a_job_ends_after_the_given_ios_bytes_or_time() {
    for (stop, ios) in [
        (StopWhen { bytes: None, time_ns: None, ios: Some(10) }, 10),
        (StopWhen { bytes: Some(20 * KIB), time_ns: None, ios: Some(10) }, 5),
        (StopWhen { bytes: Some(18 * KIB), time_ns: None, ios: None }, 5),
        (StopWhen { bytes: None, time_ns: Some(7 * IO_NS), ios: Some(10) }, 7),
    ] {
        let workload = Workload { stop, ..job(Order::Sequential, 50) };
        let run = Bench::default().run(workload.clone());
        assert_eq!((run.end.result.outcome, run.ios().0 + run.ios().1), (RunOutcome::Completed, ios));
        // Syncs are not I/Os.
        let sync_every = Some(SyncEvery { writes: 1, method: SyncMethod::Fsync });
        let synced = Bench::default().run(Workload { sync_every, ..workload });
        assert!(stop.time_ns.is_some() || synced.ios().0 + synced.ios().1 == ios);
    }
}

#[test]
fn the_ramp_counts_only_if_the_job_ends_in_it() {
    for bench in [Bench::default, queueing] {
        for (ramp_ns, ios) in [(5 * IO_NS / 2, 13), (17 * IO_NS, 16), (0, 16)] {
            let run = bench().run(Workload { ramp_ns, ..job(Order::Sequential, 0) });
            let write = run.result(Direction::Write);
            assert_eq!(
                (write.ios, write.completion.histogram().len(), write.issued_bytes),
                (ios, ios, 16 * 4 * KIB)
            );
            let count_from = if ios == 13 { ramp_ns } else { 1 };
            assert_eq!((run.recorder.count_from(), run.end.ended_at), (count_from, 16 * IO_NS));
        }
    }
}

#[test]
fn a_failed_io_ends_the_worker() {
    for bench in [Bench::default(), queueing()] {
        let faults = vec![Fault::Error { request: 5, errno: libc::EIO }];
        let workload = deep(2, Workload { end_sync: true, ..job(Order::Sequential, 0) });
        let run = Bench { faults, ..bench }.run(workload);
        assert_eq!(run.end.result.outcome, RunOutcome::Failed);
        let failure = run.end.result.failure.unwrap();
        assert_eq!((failure.offset_bytes, failure.errno), (5 * 4 * KIB, libc::EIO));
        assert!(run.ios().1 <= 6 && run.drive.offsets(OpKind::Fsync).is_empty());
    }
}

#[test]
fn a_stop_request_is_honoured() {
    let workload = deep(4, Workload { end_sync: true, ..job(Order::Sequential, 0) });
    let asked = Bench { stop_at: Some((2 * IO_NS, StopFlag::ask)), ..queueing() }.run(workload.clone());
    assert_eq!((asked.end.result.outcome, asked.ios().1), (RunOutcome::Stopped, 8));
    assert!(asked.drive.offsets(OpKind::Fsync).is_empty());
    let planned = Bench { stop_at: Some((2 * IO_NS, StopFlag::end_as_planned)), ..queueing() }.run(workload);
    assert_eq!((planned.end.result.outcome, planned.ios().1), (RunOutcome::Completed, 8));
    assert_eq!(planned.drive.offsets(OpKind::Fsync).len(), 1);
}

mod passes;
mod rates;
mod thinking;
mod tolerance;
mod verification;
