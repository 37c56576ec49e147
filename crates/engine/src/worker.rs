//! One stream of I/O: generate, submit, reap, record.
//!
//! A worker is a state machine. [`Worker::step`] does what can be done now and returns what it waits for; its
//! caller decides how to wait. A thread calls again at once, because a real engine waits inside `reap`; the
//! simulator advances its time to the next event of any worker. So both share one loop, and tests in
//! simulated time cover the code that runs in real time.
//!
//! ```text
//!            begin_at            count_from              stop condition             nothing in flight
//! Delayed ───────────► Running (ramp) ───────► Running (counts) ───────► Draining ───────► Closing (sync of all written)
//!                                                                                                │
//!                                         Ended ◄─────── Verifying (reads back) ◄─────── Settling (sync of all written)
//! ```
//!
//! `Closing` is skipped without `end_fsync` or `fsync_on_close`; `Settling` and `Verifying` without `verify`.
//!
//! Timestamps. An engine that executes at once gets one request, stamped right before; the engine stamps its
//! completion right after: two readings for an I/O, the second of which is also "now" for the next. A
//! queueing engine gets a batch in parts: one stamp before the batch is built, one when `submit` returns from
//! each part (the kernel has it), one when completions are reaped.

use std::io;
use std::sync::Arc;

use cardiograph_core::result::CpuTime;
use cardiograph_core::rng::derive_seed;
use cardiograph_core::{Direction, FileUse, NS_PER_S, Workload};
use cardiograph_jobs::offsets::Requests;

use crate::buffers::Arena;
use crate::clock::Clock;
use crate::content::Filler;
use crate::engine::IoEngine;
use crate::offload::SubmitTimes;
use crate::pacer::{NEVER, Watch};
use crate::recorder::Writer;
use crate::verify::BlockForm;

mod checking;
mod checks;
mod complete;
mod depth_search;
mod end;
mod ending;
mod findings;
mod flowing;
mod issue;
mod latencies;
mod pace;
mod parts;
mod passes;
mod player;
mod queue;
mod queue_filling;
mod read_back;
mod remaining;
mod stop;
mod syncs;
mod thinking;
mod tolerance;
mod tracer;
mod usage;
mod wait;

use checking::Checking;
use depth_search::DepthSearch;
pub(crate) use end::WorkerEnd;
use findings::Findings;
use pace::Pace;
pub(crate) use parts::WorkerParts;
use passes::Passes;
pub(crate) use passes::Turn;
use player::Player;
use queue::{InFlight, Queue};
use queue_filling::QueueFilling;
use read_back::ReadBack;
pub use read_back::writes_again;
use remaining::Remaining;
pub(crate) use stop::StopFlag;
use syncs::Syncs;
use tolerance::Tolerated;
use tracer::Tracer;
pub(crate) use wait::Wait;

/// Maximum number of I/Os, or batches of them, per step.
const BURST: usize = 256;
/// How long a queueing engine waits in the kernel before the worker checks for a stop request, in
/// nanoseconds.
const WAIT_NS_MAX: u64 = NS_PER_S;
/// How long requests may stay in flight after a stop request before they are cancelled, in nanoseconds.
const CANCEL_AFTER_NS: u64 = 2 * NS_PER_S;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    Delayed,
    Running,
    Draining,
    Closing,
    /// Syncs between two passes.
    Turning,
    Settling,
    Verifying,
    Ended,
}

/// One stream of I/O.
pub(crate) struct Worker {
    workload: Arc<Workload>,
    files: Vec<FileUse>,
    file_names: Vec<String>,
    seed: u64,
    engine: Box<dyn IoEngine>,
    is_queueing: bool,
    depth: u32,
    buffers: Arc<Arena>,
    clock: Clock,
    writer: Writer,
    stop: Arc<StopFlag>,

    requests: Requests,
    filler: Filler,
    /// Whether slots used for reads are also used for writes, and must be refilled.
    is_mixed: bool,
    syncs: Syncs,
    /// Whether anything needs to know which files were written.
    tracks_writes: bool,
    queue_filling: QueueFilling,
    submit_times: Option<SubmitTimes>,
    checking: Checking,
    queue: Queue,
    pace: Pace,
    remaining: Remaining,
    /// Whether the next I/O depends on neither time nor remaining work.
    draws_freely: bool,

    /// Replays a recording instead of drawing I/Os.
    player: Option<Box<Player>>,
    tracer: Option<Box<Tracer>>,
    /// Whether completions are used for more than recording.
    is_followed: bool,
    watch: Option<Watch>,
    watch_at: u64,
    search: Option<Box<DepthSearch>>,
    /// Current maximum of requests in flight.
    depth_now: u32,
    passes: Option<Box<Passes>>,

    phase: Phase,
    begin_at: u64,
    count_from: u64,
    deadline: u64,
    /// Whether "now" is read from the clock for each batch; otherwise it is the last completion.
    reads_clock: bool,
    now: u64,
    wait_ticks: u64,
    phase_since: u64,
    is_cancelled: bool,
    /// Whether it has finished its own work, so that its writes can be read back.
    did_its_part: bool,
    cpu_at_start: Option<CpuTime>,
    found: Findings,
}

impl Worker {
    /// A worker that waits for [`Worker::release`].
    pub fn new(mut parts: WorkerParts) -> Self {
        let (workload, files, clock) = (&*parts.workload, &parts.files, &parts.clock);
        let (depth, is_queueing, run_seed) = (parts.depth, parts.is_queueing, parts.run_seed);
        parts.writer.log(workload.logged);
        let seed = derive_seed(workload.seed, u64::from(parts.clone));
        let writes = workload.uses(Direction::Write);
        let form = |verify: &_| BlockForm::new(workload, verify, files, run_seed, parts.number);
        let mut checking = Checking::new(workload, form, parts.shares_files, depth);
        let only_checks = workload.verify.as_ref().is_some_and(|verify| verify.only);
        checking.read_back =
            only_checks.then(|| Box::new(ReadBack::from_other_clone(workload, files, seed, parts.clone)));
        let remaining = Remaining::from_workload(workload);
        let pace = Pace::new(workload, clock, seed, depth, parts.share);
        let search = workload.latency_target.as_ref();
        let search = search.map(|target| Box::new(DepthSearch::new(target, depth, clock)));
        let is_held = pace.thinker.is_some() || pace.share.is_some() || search.is_some();
        let is_followed = pace.thinker.as_ref().is_some_and(|thinker| thinker.counts_completed())
            || search.is_some()
            || workload.latency_max_ns.iter().any(|(_, max_ns)| max_ns.is_some());
        let ends_with_sync = workload.end_sync || workload.close_sync;
        Self {
            requests: Requests::new(workload, files, seed),
            filler: checking.filler(workload, files, &parts.buffers, clock, (seed, run_seed, depth)),
            is_mixed: writes && (workload.uses(Direction::Read) || checking.backlog.is_some()),
            syncs: Syncs::new(workload.sync_every, files.len()),
            tracks_writes: workload.sync_every.is_some() || ends_with_sync || checking.checker.is_some(),
            queue_filling: QueueFilling::from_workload(workload, depth, is_queueing),
            submit_times: parts.submit_times,
            draws_freely: !remaining.cuts_last
                && pace.pacer.is_none()
                && checking.backlog.is_none()
                && !is_held,
            reads_clock: is_queueing || pace.pacer.is_some() || is_held,
            checking,
            queue: Queue::new(depth),
            pace,
            remaining,
            player: None,
            tracer: None,
            is_followed,
            watch: Watch::new(workload, clock),
            watch_at: NEVER,
            depth_now: search.as_ref().map_or(depth, |search| search.depth),
            search,
            passes: None,
            phase: Phase::Delayed,
            begin_at: 0,
            count_from: 0,
            deadline: NEVER,
            now: 0,
            wait_ticks: clock.ticks(WAIT_NS_MAX),
            phase_since: 0,
            is_cancelled: false,
            did_its_part: false,
            cpu_at_start: None,
            found: Findings { tolerated: Tolerated::new(&workload.tolerance), ..Findings::default() },
            seed,
            is_queueing,
            depth,
            workload: parts.workload,
            files: parts.files,
            file_names: parts.file_names,
            engine: parts.engine,
            buffers: parts.buffers,
            clock: parts.clock,
            writer: parts.writer,
            stop: parts.stop,
        }
    }

    /// Sets what to do before reading back, once everything is written and synced: reading cached data would
    /// not test the drive.
    pub fn before_read_back(&mut self, prepare: impl FnMut() -> io::Result<()> + 'static) {
        self.checking.before_read_back = Some(Box::new(prepare));
    }

    /// Lets the worker begin at `begin_at` (ticks).
    pub fn release(&mut self, begin_at: u64) {
        self.begin_at = begin_at;
        self.count_from = begin_at.saturating_add(self.clock.ticks(self.workload.ramp_ns));
        if let Some(time_ns) = self.workload.stop.time_ns {
            self.deadline = self.count_from.saturating_add(self.clock.ticks(time_ns));
        }
        self.pace.pacer.iter_mut().for_each(|pacer| pacer.start_at(begin_at));
        self.pace.thinker.iter_mut().for_each(|thinker| thinker.start_at(begin_at));
        self.pace.share.iter_mut().for_each(|share| share.join());
        self.search.iter_mut().for_each(|search| search.start_at(self.count_from));
        self.player.iter_mut().for_each(|player| player.start_at(begin_at));
        if let Some(watch) = &mut self.watch {
            watch.start_at(self.count_from);
            self.watch_at = watch.next_check_at();
        }
        self.writer.count_from(self.count_from);
        if begin_at < self.count_from {
            self.writer.begin_ramp(begin_at);
            self.watch_at = self.count_from;
        }
    }

    /// When the engine's next request completes, in simulated time.
    pub fn next_completion_at(&self) -> Option<u64> {
        self.engine.next_completion_at()
    }

    /// Does everything that can be done now.
    ///
    /// # Errors
    /// When the engine is broken, or the files cannot be prepared for reading back or for another pass.
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
                if self.workload.verify.as_ref().is_some_and(|verify| verify.only) {
                    self.begin_only_checking();
                }
                self.burst()
            }
            Phase::Ended => Ok(Wait::Ended),
            _ => self.burst(),
        }
    }

    fn burst(&mut self) -> io::Result<Wait> {
        for _ in 0..BURST {
            if self.reads_clock {
                self.now = self.clock.now();
            }
            if self.now >= self.watch_at {
                self.reach_moment();
            }
            self.fill_batch();
            if !self.queue.batch.is_empty() {
                self.submit()?;
            } else if self.queue.in_flight == 0 {
                if self.pace.due_at != NEVER {
                    return Ok(Wait::Until(self.pace.due_at.min(self.deadline).min(self.watch_at)));
                }
                // Nothing to issue or wait for: the phase is over.
                if self.close()? {
                    return Ok(Wait::Ended);
                }
                continue;
            }
            self.reap()?;
            if self.queue.done.is_empty() {
                return Ok(self.wait_in_flight());
            }
            self.complete_all();
        }
        Ok(Wait::Ready)
    }

    /// What to wait for with requests in flight.
    fn wait_in_flight(&self) -> Wait {
        if self.pace.due_at != NEVER && self.clock.is_simulated() {
            Wait::CompletionOr(self.pace.due_at.min(self.watch_at))
        } else {
            // A real engine has already waited for it.
            Wait::Completion
        }
    }

    /// Submits the batch, in parts of 1, 2, 4, ... requests unless configured otherwise. The kernel passes
    /// requests on to the drive when it has the whole part, about 3 µs for each: if the whole batch were one
    /// part, a drive whose requests completed together would be idle all that time. So the first part is one
    /// request, and each part is prepared while the previous ones keep the drive busy.
    fn submit(&mut self) -> io::Result<()> {
        if !self.is_queueing {
            // The request is executed in this call, so its time begins now, not when the batch was started.
            let started_at = self.clock.now();
            let slot = &mut self.queue.slots[self.queue.batch[0].slot as usize];
            (slot.started_at, slot.submitted_at) = (started_at, started_at);
        }
        let is_serial = self.engine.is_serial();
        let (mut accepted, mut part_len, mut begun_at) = (0, self.queue_filling.first_part, self.now);
        while accepted < self.queue.batch.len() {
            let part = &self.queue.batch[accepted..self.queue.batch.len().min(accepted + part_len)];
            let taken = self.engine.submit(part)?;
            assert!(taken <= part.len(), "an engine took more than it was given");
            if self.is_queueing {
                let submitted_at = self.clock.now();
                for op in &part[..taken] {
                    let slot = &mut self.queue.slots[op.slot as usize];
                    slot.submitted_at = submitted_at;
                    if is_serial {
                        slot.started_at = begun_at;
                    }
                }
                begun_at = submitted_at;
                if taken > 0 {
                    self.writer.handed_over(self.queue.in_flight + accepted as u32, taken as u32);
                }
            }
            accepted += taken;
            if taken < part.len() {
                break;
            }
            if self.queue_filling.doubles && !is_serial {
                part_len *= 2;
            }
        }
        self.queue.in_flight += accepted as u32;
        self.queue.batch.drain(..accepted);
        Ok(())
    }

    fn reap(&mut self) -> io::Result<()> {
        let until = self.now.saturating_add(self.wait_ticks).min(self.pace.due_at).min(self.watch_at);
        let until = self.is_queueing.then_some(until);
        let min = self.queue_filling.complete_min.min(self.queue.in_flight);
        self.engine.reap(min, self.queue_filling.complete_max, until, &mut self.queue.done)?;
        if self.queue.done.is_empty() && self.stop.is_set() {
            self.cancel_what_is_late()?;
        }
        Ok(())
    }

    #[cold]
    fn cancel_what_is_late(&mut self) -> io::Result<()> {
        if self.phase == Phase::Running {
            self.drain();
        }
        let waited_ns = self.clock.ns_between(self.phase_since, self.clock.now());
        if !self.is_cancelled && waited_ns > CANCEL_AFTER_NS {
            self.is_cancelled = true;
            self.engine.cancel()?;
        }
        Ok(())
    }

    /// Whether all bytes and I/Os that it may issue were issued.
    fn has_issued_its_part(&self) -> bool {
        self.remaining.bytes == 0 || self.remaining.ios == 0
    }

    /// Whether no more may be issued, at least before another pass.
    fn has_issued_all(&self) -> bool {
        self.remaining.bytes <= self.remaining.pass_end_bytes
            || self.remaining.ios == 0
            || self.now >= self.deadline
    }
}

#[cfg(test)]
mod tests;
