//! One stream of I/O: generate, submit, reap, record.
//!
//! A worker is a state machine. [`Worker::step`] does what can be done now and answers what it waits for; who calls it
//! decides what waiting is. A thread calls again at once, because a real engine waits inside `reap`; the simulator moves its time
//! to the next event of any worker. So there is one loop for both, and what is tested in simulated time is what runs.
//!
//! ```text
//!            begin_at            count_from              stop condition             nothing in flight
//! Delayed ───────────► Running (ramp) ───────► Running (counts) ───────► Draining ───────► Closing (sync of all written)
//!                                                                                                │
//!                                         Ended ◄─────── Verifying (reads back) ◄─────── Settling (sync of all written)
//! ```
//!
//! `Closing` is left out without `end_fsync` or `fsync_on_close`; `Settling` and `Verifying` without `verify`.
//!
//! Moments. An engine that executes at once gets one request, stamped right before; the engine stamps its completion right
//! after: two readings for an I/O, the second of which is also "now" for the next. A queueing engine gets a batch in parts:
//! one stamp before the batch is built, one when `submit` returns from each part (the kernel has it), one when completions
//! are reaped.

use std::io;
use std::sync::Arc;

use cardiograph_core::result::{CpuTime, IoFailure, MissedRate, Phases, SlowIo};
use cardiograph_core::rng::derive_seed;
use cardiograph_core::workload::Content;
use cardiograph_core::{Direction, FileUse, NS_PER_S, Workload};
use cardiograph_jobs::offsets::Requests;

use crate::buffers::Arena;
use crate::clock::Clock;
use crate::content::{ContentSeeds, Filler};
use crate::engine::{Completion, IoEngine, IoOp, OpKind};
use crate::flow::FlowShare;
use crate::offload::HandOvers;
use crate::pacer::{NEVER, Pacer, Watch};
use crate::recorder::Writer;
use crate::verify::{BlockForm, Checker, Sealer, tag_of};

mod checks;
mod complete;
mod depth_search;
mod end;
mod ending;
mod flowing;
mod handing;
mod issue;
mod latencies;
mod parts;
mod passes;
mod player;
mod read_back;
mod stop;
mod syncs;
mod thinking;
mod tolerance;
mod tracer;
mod usage;
mod wait;

use checks::Checks;
use depth_search::DepthSearch;
pub(crate) use end::WorkerEnd;
use handing::Handing;
pub(crate) use parts::WorkerParts;
use passes::Passes;
pub(crate) use passes::Turn;
use player::Player;
use read_back::ReadBack;
pub use read_back::writes_again;
pub(crate) use stop::StopFlag;
use syncs::Syncs;
use thinking::Thinker;
use tolerance::Tolerated;
use tracer::Tracer;
pub(crate) use wait::Wait;

/// I/Os, or batches of them, that a step does at most before it lets its caller look around.
const BURST: usize = 256;
/// How long a queueing engine waits in the kernel before the worker looks for a wish to stop, in nanoseconds.
const WAIT_NS_MAX: u64 = NS_PER_S;
/// How long requests may stay in flight after a wish to stop before they are cancelled, in nanoseconds.
const CANCEL_AFTER_NS: u64 = 2 * NS_PER_S;

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
    before_read_back: Option<Box<dyn FnMut() -> io::Result<()>>>,

    requests: Requests,
    filler: Filler,
    /// Whether slots that were read into are written from: then they are filled anew.
    is_mixed: bool,
    syncs: Syncs,
    /// Whether anything asks which files were written.
    tracks_writes: bool,
    handing: Handing,
    sealer: Option<Box<Sealer>>,
    checker: Option<Checker>,
    /// Whether what is read is compared.
    is_checking: bool,
    read_back: Option<Box<ReadBack>>,
    /// What is checked between writes.
    backlog: Option<Box<Checks>>,
    /// The number of the write that a slot has, or reads back.
    numbers: Box<[u64]>,
    /// How many writes were at most issued from one write's own issue until it was complete, itself included.
    issued_meanwhile_max: u64,

    /// Replays a recording instead of drawing I/Os.
    player: Option<Box<Player>>,
    tracer: Option<Box<Tracer>>,
    pacer: Option<Box<Pacer>>,
    /// The direction that was drawn and was not due.
    drawn: Option<Direction>,
    /// When the next request is due, in ticks; [`NEVER`] when none waits for that.
    due_at: u64,
    /// When the request of a slot was due.
    dues: Box<[u64]>,
    thinker: Option<Box<Thinker>>,
    /// Whether completions are looked at beside being recorded.
    is_followed: bool,
    watch: Option<Watch>,
    watch_at: u64,
    missed_rate: Option<MissedRate>,
    slow_io: Option<SlowIo>,
    search: Option<Box<DepthSearch>>,
    share: Option<FlowShare>,
    hand_overs: Option<HandOvers>,
    passes: Option<Box<Passes>>,
    /// Requests in flight at most, for now.
    depth_now: u32,

    phase: Phase,
    begin_at: u64,
    count_from: u64,
    deadline: u64,
    /// Bytes that may still be issued.
    bytes_left: u64,
    /// What is left of them when a pass is over; 0 without passes.
    pass_end_left: u64,
    /// I/Os that may still be issued.
    ios_left: u64,
    /// Whether the last I/O is cut to the bytes that are left: only where lengths vary.
    cuts_last: bool,
    /// Whether the next I/O depends on neither time nor what is left.
    draws_freely: bool,
    /// Whether it has done its own part, so that what it wrote can be read back.
    did_its_part: bool,

    slots: Vec<InFlight>,
    free: Vec<u32>,
    batch: Vec<IoOp>,
    done: Vec<Completion>,
    in_flight: u32,
    /// Whether "now" is read from the clock for each batch; otherwise it is the last completion.
    reads_clock: bool,
    now: u64,
    wait_ticks: u64,
    phase_since: u64,
    is_cancelled: bool,
    cpu_at_start: Option<CpuTime>,
    failure: Option<IoFailure>,
    /// What it goes on after; `None` where any error ends it.
    tolerated: Option<Box<Tolerated>>,
    phases: Phases,
}

impl Worker {
    /// A worker that waits for [`Worker::release`].
    pub fn new(parts: WorkerParts) -> Self {
        let WorkerParts {
            workload,
            files,
            file_names,
            clone,
            number,
            shares_files,
            run_seed,
            engine,
            is_queueing,
            depth,
            buffers,
            clock,
            mut writer,
            stop,
            share,
            hand_overs,
        } = parts;
        writer.log(workload.logged);
        let seed = derive_seed(workload.seed, u64::from(clone));
        // Content follows the run's seed: what is written must differ between runs, even where offsets repeat.
        let content_seed = derive_seed(seed ^ run_seed, 2);
        let files_len_bytes = files.iter().map(|file| file.region_len_bytes).fold(0, u64::saturating_add);
        let writes = workload.uses(Direction::Write);
        let filled_slots = if writes { depth as usize } else { 0 };
        let slots = |is_wanted: bool| vec![0; if is_wanted { depth as usize } else { 0 }].into_boxed_slice();
        let form = |verify: &_| BlockForm::of(&workload, verify, &files, run_seed, number);
        let sealer = workload.verify.as_ref().filter(|_| writes);
        let sealer = sealer.map(|verify| Box::new(Sealer::new(form(verify))));
        let checker = workload.verify.as_ref().filter(|verify| !writes || verify.read_back);
        let checker = checker.map(|verify| Checker::new(form(verify), shares_files));
        let backlog = workload.verify.as_ref().and_then(|verify| verify.backlog);
        let backlog = backlog.filter(|_| sealer.is_some() && checker.is_some());
        // What is sealed follows from its header: stamps are the sealer's.
        let (content, content_seed) = match (&sealer, &workload.content) {
            (Some(_), Content::Stamped | Content::Repeated) => (&Content::Repeated, tag_of(run_seed)),
            // Of what is not checked a simulated drive keeps the stamps alone.
            (None, Content::Refilled) if clock.is_simulated() => (&Content::Stamped, content_seed),
            (_, content) => (content, content_seed),
        };
        let seeds = ContentSeeds { own: content_seed, shared: run_seed };
        // What is to be read back is found by drawing again: the order may not depend on time.
        let pacer = Pacer::new(&workload, &clock, seed, workload.verify.is_some()).map(Box::new);
        let watch = Watch::new(&workload, &clock);
        let cuts_last = Requests::cut_at_bytes(&workload).is_some();
        let thinker = Thinker::new(&workload, &clock).map(Box::new);
        let search = workload.latency_target.as_ref();
        let search = search.map(|target| Box::new(DepthSearch::new(target, depth, &clock)));
        let is_held = thinker.is_some() || search.is_some() || share.is_some();
        let is_followed = thinker.as_ref().is_some_and(|thinker| thinker.counts_completed())
            || search.is_some()
            || workload.latency_max_ns.iter().any(|(_, max_ns)| max_ns.is_some());
        let draws_freely = !cuts_last && pacer.is_none() && backlog.is_none() && !is_held;
        let keeps_stamps_alone = clock.is_simulated() && sealer.is_none();
        let mut filler =
            Filler::new(&buffers, content, seeds, filled_slots, files_len_bytes, keeps_stamps_alone);
        if sealer.is_some() && workload.verify.as_ref().is_some_and(|verify| verify.header_offset_bytes > 0) {
            // A header that changes places with a part of the pattern leaves itself behind in the slot.
            filler.refill_pattern();
        }
        let only_checks = workload.verify.as_ref().is_some_and(|verify| verify.only);
        let read_back = only_checks.then(|| Box::new(ReadBack::of_another(&workload, &files, seed, clone)));
        let nothing = IoOp { slot: 0, file: 0, kind: OpKind::Read, offset_bytes: 0, len_bytes: 0 };
        let ends_with_sync = workload.end_sync || workload.close_sync;
        Self {
            requests: Requests::new(&workload, &files, seed),
            filler,
            is_mixed: writes && (workload.uses(Direction::Read) || backlog.is_some()),
            syncs: Syncs::new(workload.sync_every, files.len()),
            tracks_writes: workload.sync_every.is_some() || ends_with_sync || checker.is_some(),
            handing: Handing::of(&workload, depth, is_queueing),
            is_checking: checker.is_some() && !writes,
            numbers: slots(checker.is_some()),
            issued_meanwhile_max: 0,
            sealer,
            checker,
            read_back,
            backlog: backlog.map(|backlog| Box::new(Checks::new(backlog))),
            dues: slots(pacer.is_some()),
            reads_clock: is_queueing || pacer.is_some() || is_held,
            is_followed,
            thinker,
            depth_now: search.as_ref().map_or(depth, |search| search.depth()),
            search,
            share,
            hand_overs,
            pacer,
            drawn: None,
            due_at: NEVER,
            watch,
            watch_at: NEVER,
            missed_rate: None,
            slow_io: None,
            phase: Phase::Delayed,
            begin_at: 0,
            count_from: 0,
            deadline: NEVER,
            bytes_left: workload.stop.bytes.unwrap_or(u64::MAX),
            ios_left: workload.stop.ios.unwrap_or(u64::MAX),
            cuts_last,
            draws_freely,
            did_its_part: false,
            slots: vec![InFlight { op: nothing, started_at: 0, submitted_at: 0 }; depth as usize],
            free: (0..depth).rev().collect(),
            batch: Vec::with_capacity(depth as usize),
            done: Vec::with_capacity(depth as usize),
            in_flight: 0,
            now: 0,
            wait_ticks: clock.ticks(WAIT_NS_MAX),
            phase_since: 0,
            is_cancelled: false,
            cpu_at_start: None,
            failure: None,
            tolerated: Tolerated::new(&workload.tolerance),
            phases: Phases::default(),
            before_read_back: None,
            passes: None,
            pass_end_left: 0,
            player: None,
            tracer: None,
            workload,
            files,
            file_names,
            seed,
            engine,
            is_queueing,
            depth,
            buffers,
            clock,
            writer,
            stop,
        }
    }

    /// What to do once all is written and synced, before the first of it is read back: what a cache holds says little
    /// about the drive.
    pub fn before_read_back(&mut self, prepare: impl FnMut() -> io::Result<()> + 'static) {
        self.before_read_back = Some(Box::new(prepare));
    }

    /// Lets the worker begin at `begin_at` (ticks).
    pub fn release(&mut self, begin_at: u64) {
        self.begin_at = begin_at;
        self.count_from = begin_at.saturating_add(self.clock.ticks(self.workload.ramp_ns));
        if let Some(time_ns) = self.workload.stop.time_ns {
            self.deadline = self.count_from.saturating_add(self.clock.ticks(time_ns));
        }
        if let Some(pacer) = &mut self.pacer {
            pacer.start_at(begin_at);
        }
        if let Some(thinker) = &mut self.thinker {
            thinker.start_at(begin_at);
        }
        if let Some(share) = &mut self.share {
            share.join();
        }
        if let Some(search) = &mut self.search {
            search.start_at(self.count_from);
        }
        if let Some(player) = &mut self.player {
            player.start_at(begin_at);
        }
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

    /// When the engine's next request will be complete, in simulated time.
    pub fn next_completion_at(&self) -> Option<u64> {
        self.engine.next_completion_at()
    }

    /// Does what can be done now.
    ///
    /// # Errors
    /// When the engine is broken, or the files cannot be made ready for reading back or for another pass.
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
            if !self.batch.is_empty() {
                self.submit()?;
            } else if self.in_flight == 0 {
                if self.due_at != NEVER {
                    return Ok(Wait::Until(self.due_at.min(self.deadline).min(self.watch_at)));
                }
                // Nothing to issue, nothing to wait for: a phase is over.
                if self.close()? {
                    return Ok(Wait::Ended);
                }
                continue;
            }
            self.reap()?;
            if self.done.is_empty() {
                return Ok(self.wait_in_flight());
            }
            self.complete_all();
        }
        Ok(Wait::Ready)
    }

    /// What to wait for with requests in flight.
    fn wait_in_flight(&self) -> Wait {
        if self.due_at != NEVER && self.clock.is_simulated() {
            Wait::CompletionOr(self.due_at.min(self.watch_at))
        } else {
            // A real engine has waited for it.
            Wait::Completion
        }
    }

    /// Hands the batch over, in parts of 1, 2, 4, ... requests unless it was asked for otherwise. The kernel passes
    /// requests on to the drive when it has all of a part, about 3 µs for each: were the whole batch one part, a drive whose
    /// requests came back together would stand idle for all of that time, each time. So it begins with the first request,
    /// and each part is prepared while those before keep it busy.
    fn submit(&mut self) -> io::Result<()> {
        if !self.is_queueing {
            // The request is executed in this call: its time begins now, not when the batch was begun.
            let started_at = self.clock.now();
            let slot = &mut self.slots[self.batch[0].slot as usize];
            (slot.started_at, slot.submitted_at) = (started_at, started_at);
        }
        let is_serial = self.engine.is_serial();
        let (mut accepted, mut part_len, mut begun_at) = (0, self.handing.first_part, self.now);
        while accepted < self.batch.len() {
            let part = &self.batch[accepted..self.batch.len().min(accepted + part_len)];
            let taken = self.engine.submit(part)?;
            assert!(taken <= part.len(), "an engine took more than it was given");
            if self.is_queueing {
                let submitted_at = self.clock.now();
                for op in &part[..taken] {
                    let slot = &mut self.slots[op.slot as usize];
                    slot.submitted_at = submitted_at;
                    if is_serial {
                        slot.started_at = begun_at;
                    }
                }
                begun_at = submitted_at;
                if taken > 0 {
                    self.writer.handed_over(self.in_flight + accepted as u32, taken as u32);
                }
            }
            accepted += taken;
            if taken < part.len() {
                break;
            }
            if self.handing.doubles && !is_serial {
                part_len *= 2;
            }
        }
        self.in_flight += accepted as u32;
        self.batch.drain(..accepted);
        Ok(())
    }

    fn reap(&mut self) -> io::Result<()> {
        let until = self.now.saturating_add(self.wait_ticks).min(self.due_at).min(self.watch_at);
        let until = self.is_queueing.then_some(until);
        let min = self.handing.complete_min.min(self.in_flight);
        self.engine.reap(min, self.handing.complete_max, until, &mut self.done)?;
        if self.done.is_empty() && self.stop.is_set() {
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
        self.bytes_left == 0 || self.ios_left == 0
    }

    /// Whether no more may be issued, or nothing before another pass.
    fn has_issued_all(&self) -> bool {
        self.bytes_left <= self.pass_end_left || self.ios_left == 0 || self.now >= self.deadline
    }
}

#[cfg(test)]
mod tests;
