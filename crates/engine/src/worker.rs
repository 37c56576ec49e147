//! One stream of I/O: generate, submit, reap, record.
//!
//! A worker is a state machine. [`Worker::step`] does what can be done now and answers what it waits for; who calls it
//! decides what waiting is. A thread calls again at once, because a real engine waits inside `reap`; the simulator moves its time
//! to the next event of any worker. So there is one loop for both, and what is tested in simulated time is what runs.
//!
//! ```text
//!            begin_at            count_from              deadline or bytes done     nothing in flight
//! Delayed ───────────► Running (ramp) ───────► Running (counts) ───────► Draining ───────► Closing (end_fsync) ─► Ended
//! ```
//!
//! Moments. An engine that executes at once gets one request, stamped right before; the engine stamps its completion right
//! after: two readings for an I/O, the second of which is also "now" for the next. A queueing engine gets a batch in parts:
//! one stamp before the batch is built, one when `submit` returns from each part (the kernel has it), one when completions
//! are reaped.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use cardiograph_core::offsets::{BlockOrder, Mix};
use cardiograph_core::result::{CpuTime, IoFailure, RunOutcome};
use cardiograph_core::rng::derive_seed;
use cardiograph_core::workload::{Content, SyncMethod};
use cardiograph_core::{Direction, NS_PER_S, Workload};

use crate::buffers::{Arena, Stamper};
use crate::clock::Clock;
use crate::engine::{Completion, IoEngine, IoOp, OpKind};
use crate::recorder::{Moments, Writer};

/// I/Os, or batches of them, that a step does at most before it lets its caller look around.
const BURST: usize = 256;
/// How long a queueing engine waits in the kernel before the worker looks for a wish to stop, in nanoseconds.
const WAIT_NS_MAX: u64 = NS_PER_S;
/// How long requests may stay in flight after a wish to stop before they are cancelled, in nanoseconds.
const CANCEL_AFTER_NS: u64 = 2 * NS_PER_S;

/// What a worker waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wait {
    /// Nothing: step again.
    Ready,
    /// The completion of a request in flight.
    Completion,
    /// A moment, in ticks.
    Until(u64),
    /// Nothing more: it has ended.
    Ended,
}

/// A wish that a worker ends, as seen by all clones of a job.
#[derive(Debug, Default)]
pub(crate) struct StopFlag(AtomicU8);

impl StopFlag {
    const PLANNED: u8 = 1;
    const ASKED: u8 = 2;

    /// The job's end condition holds.
    pub fn end_as_planned(&self) {
        let _ = self.0.compare_exchange(0, Self::PLANNED, Ordering::Relaxed, Ordering::Relaxed);
    }

    /// The run is to stop early.
    pub fn ask(&self) {
        self.0.store(Self::ASKED, Ordering::Relaxed);
    }

    fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed) != 0
    }

    /// Whether the wish came from outside the Plan.
    pub fn was_asked(&self) -> bool {
        self.0.load(Ordering::Relaxed) == Self::ASKED
    }
}

/// What is known of a request in flight, by slot.
#[derive(Debug, Clone, Copy)]
struct InFlight {
    op: IoOp,
    started_at: u64,
    submitted_at: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    Delayed,
    Running,
    Draining,
    Closing,
    Ended,
}

/// How a worker ended.
#[derive(Debug)]
pub(crate) struct WorkerEnd {
    pub outcome: RunOutcome,
    /// When its last I/O was complete, in ticks.
    pub ended_at: u64,
    pub cpu: Option<CpuTime>,
    pub failure: Option<IoFailure>,
}

/// What a worker is made of.
pub(crate) struct WorkerParts {
    pub workload: Workload,
    pub clone: u32,
    pub run_seed: u64,
    pub engine: Box<dyn IoEngine>,
    pub is_queueing: bool,
    /// Requests in flight at most; 1 for an engine that executes at once.
    pub depth: u32,
    pub buffers: Arc<Arena>,
    pub clock: Clock,
    pub writer: Writer,
    pub stop: Arc<StopFlag>,
}

/// One stream of I/O.
pub(crate) struct Worker {
    workload: Workload,
    engine: Box<dyn IoEngine>,
    is_queueing: bool,
    depth: u32,
    buffers: Arc<Arena>,
    clock: Clock,
    writer: Writer,
    stop: Arc<StopFlag>,

    order: BlockOrder,
    mix: Mix,
    stamper: Stamper,
    stride_bytes: u64,

    phase: Phase,
    begin_at: u64,
    count_from: u64,
    deadline: u64,
    /// Bytes that may still be issued.
    bytes_left: u64,
    writes_since_sync: u64,
    has_written: bool,

    slots: Vec<InFlight>,
    free: Vec<u32>,
    batch: Vec<IoOp>,
    done: Vec<Completion>,
    in_flight: u32,
    now: u64,
    draining_since: u64,
    is_cancelled: bool,
    cpu_at_start: Option<CpuTime>,
    failure: Option<IoFailure>,
}

impl Worker {
    /// A worker that waits for [`Worker::release`].
    pub fn new(parts: WorkerParts) -> Self {
        let WorkerParts {
            workload,
            clone,
            run_seed,
            engine,
            is_queueing,
            depth,
            buffers,
            clock,
            writer,
            stop,
        } = parts;
        let seed = derive_seed(workload.seed, u64::from(clone));
        // Content follows the run's seed: what is written must differ between runs, even where offsets repeat.
        let content_seed = derive_seed(seed ^ run_seed, 2);
        let filled_slots = if workload.uses(Direction::Write) { depth as usize } else { 0 };
        let nothing = IoOp { slot: 0, kind: OpKind::Read, offset_bytes: 0, len_bytes: 0 };
        Self {
            order: BlockOrder::new(workload.order, workload.blocks().max(1), derive_seed(seed, 0)),
            mix: Mix::new(workload.read_percent, derive_seed(seed, 1)),
            stamper: Stamper::new(&buffers, content_seed, filled_slots),
            stride_bytes: workload.stride_bytes(),
            phase: Phase::Delayed,
            begin_at: 0,
            count_from: 0,
            deadline: u64::MAX,
            bytes_left: workload.stop.bytes.unwrap_or(u64::MAX),
            writes_since_sync: 0,
            has_written: false,
            slots: vec![InFlight { op: nothing, started_at: 0, submitted_at: 0 }; depth as usize],
            free: (0..depth).rev().collect(),
            batch: Vec::with_capacity(depth as usize),
            done: Vec::with_capacity(depth as usize),
            in_flight: 0,
            now: 0,
            draining_since: 0,
            is_cancelled: false,
            cpu_at_start: None,
            failure: None,
            workload,
            engine,
            is_queueing,
            depth,
            buffers,
            clock,
            writer,
            stop,
        }
    }

    /// Lets the worker begin at `begin_at` (ticks).
    pub fn release(&mut self, begin_at: u64) {
        self.begin_at = begin_at;
        self.count_from = begin_at.saturating_add(self.clock.ticks(self.workload.ramp_ns));
        if let Some(time_ns) = self.workload.stop.time_ns {
            self.deadline = self.count_from.saturating_add(self.clock.ticks(time_ns));
        }
        self.writer.count_from(self.count_from);
    }

    /// When the engine's next request will be complete, in simulated time.
    pub fn next_completion_at(&self) -> Option<u64> {
        self.engine.next_completion_at()
    }

    /// Does what can be done now.
    ///
    /// # Errors
    /// When the engine is broken.
    pub fn step(&mut self) -> io::Result<Wait> {
        match self.phase {
            Phase::Delayed => {
                self.now = self.clock.now();
                if self.stop.is_set() {
                    self.phase = Phase::Ended;
                    return Ok(Wait::Ended);
                }
                if self.now < self.begin_at {
                    return Ok(Wait::Until(self.begin_at));
                }
                self.phase = Phase::Running;
                self.burst()
            }
            Phase::Running | Phase::Draining | Phase::Closing => self.burst(),
            Phase::Ended => Ok(Wait::Ended),
        }
    }

    fn burst(&mut self) -> io::Result<Wait> {
        for _ in 0..BURST {
            if self.is_queueing {
                self.now = self.clock.now();
            }
            self.fill_batch();
            if !self.batch.is_empty() {
                self.submit()?;
            } else if self.in_flight == 0 {
                // Nothing to issue, nothing to wait for: a phase is over.
                if self.close() {
                    return Ok(Wait::Ended);
                }
                continue;
            }
            self.reap()?;
            if self.done.is_empty() {
                return Ok(Wait::Completion);
            }
            self.complete_all();
        }
        Ok(Wait::Ready)
    }

    /// Puts requests into the batch until as many are in flight as may be.
    fn fill_batch(&mut self) {
        while self.phase == Phase::Running && self.in_flight + (self.batch.len() as u32) < self.depth {
            let Some(op) = self.next_op() else { break };
            self.slots[op.slot as usize] = InFlight { op, started_at: self.now, submitted_at: self.now };
            self.batch.push(op);
        }
    }

    /// The next request; `None` when there is none now, or no more at all.
    fn next_op(&mut self) -> Option<IoOp> {
        if let Some(sync) = self.workload.sync_every
            && self.writes_since_sync >= sync.writes
        {
            // A sync covers the writes that are complete: it waits for all that came before.
            if self.in_flight + (self.batch.len() as u32) > 0 {
                return None;
            }
            self.writes_since_sync = 0;
            return self.sync_op(sync.method);
        }
        if self.now >= self.deadline || self.bytes_left == 0 || self.stop.is_set() || self.failure.is_some() {
            self.drain();
            return None;
        }
        let is_read = self.mix.next_is_read();
        let direction = if is_read { Direction::Read } else { Direction::Write };
        let slot = self.free.pop()?;
        let offset_bytes = self.workload.offset_bytes + self.order.next_block() * self.stride_bytes;
        let len_bytes = self.workload.block_len_bytes[direction];
        if self.now >= self.count_from {
            if self.cpu_at_start.is_none() {
                self.cpu_at_start = thread_cpu_time();
            }
            self.bytes_left = self.bytes_left.saturating_sub(len_bytes);
        }
        if !is_read {
            self.writes_since_sync += 1;
            self.has_written = true;
            self.write_content(slot, len_bytes as usize);
        }
        self.writer.issued(direction, len_bytes);
        let kind = if is_read { OpKind::Read } else { OpKind::Write };
        Some(IoOp { slot, kind, offset_bytes, len_bytes: len_bytes as u32 })
    }

    fn sync_op(&mut self, method: SyncMethod) -> Option<IoOp> {
        let kind = match method {
            SyncMethod::Fsync => OpKind::Fsync,
            SyncMethod::Fdatasync => OpKind::Fdatasync,
        };
        self.writer.issued(Direction::Sync, 0);
        self.free.pop().map(|slot| IoOp { slot, kind, offset_bytes: 0, len_bytes: 0 })
    }

    fn write_content(&mut self, slot: u32, len_bytes: usize) {
        // SAFETY: the slot was just taken from the free list and is not yet submitted.
        unsafe {
            match self.workload.content {
                Content::Stamped => self.stamper.stamp(&self.buffers, slot, len_bytes),
                Content::Refilled => self.stamper.refill(&self.buffers, slot, len_bytes),
            }
        }
    }

    fn drain(&mut self) {
        self.phase = Phase::Draining;
        self.draining_since = self.now;
    }

    /// Hands the batch over, in parts of 1, 2, 4, ... requests. The kernel passes requests on to the drive when it has
    /// all of a part, about 3 µs for each: were the whole batch one part, a drive whose requests came back together would
    /// stand idle for all of that time, each time. So it begins with the first request, and each part is prepared while
    /// those before keep it busy.
    fn submit(&mut self) -> io::Result<()> {
        if !self.is_queueing {
            // The request is executed in this call: its time begins now, not when the batch was begun.
            let started_at = self.clock.now();
            let slot = &mut self.slots[self.batch[0].slot as usize];
            (slot.started_at, slot.submitted_at) = (started_at, started_at);
        }
        let (mut accepted, mut part_len) = (0, 1);
        while accepted < self.batch.len() {
            let part = &self.batch[accepted..self.batch.len().min(accepted + part_len)];
            let taken = self.engine.submit(part)?;
            assert!(taken <= part.len(), "an engine took more than it was given");
            if self.is_queueing {
                let submitted_at = self.clock.now();
                for op in &part[..taken] {
                    self.slots[op.slot as usize].submitted_at = submitted_at;
                }
            }
            accepted += taken;
            part_len *= 2;
            if taken < part.len() {
                break;
            }
        }
        self.in_flight += accepted as u32;
        self.batch.drain(..accepted);
        Ok(())
    }

    fn reap(&mut self) -> io::Result<()> {
        let until = self.is_queueing.then(|| self.now.saturating_add(self.clock.ticks(WAIT_NS_MAX)));
        self.engine.reap(1, until, &mut self.done)?;
        if self.done.is_empty() && self.stop.is_set() {
            if self.phase == Phase::Running {
                self.drain();
            }
            let waited_ns = self.clock.ns_between(self.draining_since, self.clock.now());
            if !self.is_cancelled && waited_ns > CANCEL_AFTER_NS {
                self.is_cancelled = true;
                self.engine.cancel()?;
            }
        }
        Ok(())
    }

    fn complete_all(&mut self) {
        assert!(self.done.len() as u32 <= self.in_flight, "an engine completed what it was not given");
        self.in_flight -= self.done.len() as u32;
        for completion in self.done.drain(..) {
            let InFlight { op, started_at, submitted_at } = self.slots[completion.slot as usize];
            self.free.push(completion.slot);
            self.now = completion.completed_at;
            let direction = op.kind.direction();
            if completion.result < 0 {
                let was_cancelled = self.is_cancelled && completion.result == -libc::ECANCELED;
                if self.failure.is_none() && !was_cancelled {
                    self.failure = Some(IoFailure {
                        direction,
                        offset_bytes: op.offset_bytes,
                        len_bytes: u64::from(op.len_bytes),
                        errno: -completion.result,
                    });
                }
                continue;
            }
            if started_at < self.count_from {
                self.writer.completed_uncounted();
                continue;
            }
            let bytes = completion.result as u64;
            let is_short = bytes < u64::from(op.len_bytes);
            let moments = Moments { started_at, submitted_at, completed_at: completion.completed_at };
            self.writer.completed(direction, bytes, is_short, &moments);
        }
        if self.failure.is_some() && self.phase == Phase::Running {
            self.drain();
        }
    }

    /// Ends the phase in which nothing is left to do. Returns whether that was the last.
    fn close(&mut self) -> bool {
        let ends_with_sync = self.workload.end_sync && self.has_written && self.failure.is_none();
        if self.phase == Phase::Draining && ends_with_sync && !self.stop.was_asked() {
            self.phase = Phase::Closing;
            self.writer.closing();
            if let Some(op) = self.sync_op(SyncMethod::Fsync) {
                self.slots[op.slot as usize] = InFlight { op, started_at: self.now, submitted_at: self.now };
                self.batch.push(op);
            }
            return false;
        }
        if matches!(self.phase, Phase::Draining | Phase::Closing) {
            self.phase = Phase::Ended;
            return true;
        }
        false
    }

    /// How it ended. `self` has answered [`Wait::Ended`].
    ///
    /// Its time ends with its last completion: what the thread did after that is not I/O.
    pub fn end(&self) -> WorkerEnd {
        let outcome = match (self.failure, self.stop.was_asked()) {
            (Some(_), _) => RunOutcome::Failed,
            (None, true) if !self.is_complete() => RunOutcome::Stopped,
            (None, _) => RunOutcome::Completed,
        };
        let cpu = thread_cpu_time().zip(self.cpu_at_start).map(|(end, start)| CpuTime {
            user_ns: end.user_ns.saturating_sub(start.user_ns),
            system_ns: end.system_ns.saturating_sub(start.system_ns),
        });
        let cpu = cpu.filter(|_| !self.clock.is_simulated());
        WorkerEnd { outcome, ended_at: self.last_event_at(), cpu, failure: self.failure }
    }

    /// The last completion that counts, or the moment until which the worker came where counting did not begin.
    fn last_event_at(&self) -> u64 {
        if self.now < self.count_from { self.now } else { self.writer.last_completion_at() }
    }

    /// Whether it did all that it was asked to do before it ended.
    fn is_complete(&self) -> bool {
        self.bytes_left == 0 || self.now >= self.deadline
    }
}

/// CPU time of the calling thread so far; `None` where the system does not tell.
fn thread_cpu_time() -> Option<CpuTime> {
    // SAFETY: the struct is plain data that the call fills.
    let usage = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        (libc::getrusage(libc::RUSAGE_THREAD, &mut usage) == 0).then_some(usage)?
    };
    let ns = |time: libc::timeval| time.tv_sec as u64 * NS_PER_S + time.tv_usec as u64 * 1_000;
    Some(CpuTime { user_ns: ns(usage.ru_utime), system_ns: ns(usage.ru_stime) })
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::rc::Rc;
    use std::sync::atomic::AtomicU64;

    use cardiograph_core::resolve::{ResolveContext, resolve};
    use cardiograph_core::{JobSpec, Origin};

    use super::*;
    use crate::recorder::Recorder;

    /// Has room for so many requests, notes how many it was offered at once, and completes all when asked.
    struct Roomy {
        room: usize,
        held: Vec<IoOp>,
        offered: Rc<RefCell<Vec<usize>>>,
    }

    impl IoEngine for Roomy {
        fn submit(&mut self, ops: &[IoOp]) -> io::Result<usize> {
            self.offered.borrow_mut().push(ops.len());
            let taken = ops.len().min(self.room - self.held.len());
            self.held.extend(&ops[..taken]);
            Ok(taken)
        }

        fn reap(&mut self, _: u32, _: Option<u64>, done: &mut Vec<Completion>) -> io::Result<()> {
            let complete =
                |op: IoOp| Completion { slot: op.slot, result: op.len_bytes as i32, completed_at: 1 };
            done.extend(self.held.drain(..).map(complete));
            Ok(())
        }

        fn cancel(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// What an engine with so much room is offered by a worker of depth 11 that does 22 I/Os.
    fn offers(room: usize) -> Vec<usize> {
        let origin = Origin::CommandLine { word: 1 };
        let job = JobSpec::new("job", origin).set("rw", "randread").set("size", "88k").set("iodepth", 11);
        let plan = resolve(&[job], &ResolveContext { run_seed: 0, window_ns: NS_PER_S }).unwrap();
        let offered = Rc::new(RefCell::new(Vec::new()));
        let clock = Clock::simulated(Arc::new(AtomicU64::new(1)));
        let recorder = Arc::new(Recorder::new(|direction| direction == Direction::Read, true, NS_PER_S));
        let mut worker = Worker::new(WorkerParts {
            workload: plan.jobs[0].workload.clone(),
            clone: 0,
            run_seed: 0,
            engine: Box::new(Roomy { room, held: Vec::new(), offered: offered.clone() }),
            is_queueing: true,
            depth: 11,
            buffers: Arena::new(11, 4_096).unwrap(),
            clock: clock.clone(),
            writer: Writer::new(recorder.clone(), clock),
            stop: Arc::default(),
        });
        worker.release(1);
        assert_eq!(worker.step().unwrap(), Wait::Ended);
        assert_eq!(worker.end().outcome, RunOutcome::Completed);
        assert_eq!(recorder.totals(Direction::Read), (22, 88 << 10));
        offered.take()
    }

    #[test]
    fn a_batch_is_handed_over_in_parts_that_double() {
        assert_eq!(offers(11), [1, 2, 4, 4, 1, 2, 4, 4]);
    }

    #[test]
    fn an_engine_that_is_full_is_reaped_before_it_is_offered_more() {
        // It takes 1, 2 and 2 of 4: five at a time, of which 22 are made.
        assert_eq!(offers(5), [1, 2, 4, 1, 2, 4, 1, 2, 4, 1, 2, 4, 1, 1]);
        // A single place, then none for the two that follow; at the end only one is left to offer.
        assert_eq!(offers(1), [[1, 2]; 20].concat().into_iter().chain([1, 1, 1]).collect::<Vec<_>>());
    }
}
