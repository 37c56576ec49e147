//! Each worker on its own thread, in real time; this thread coordinates, reports, and gives up hanging
//! workers.
//!
//! A worker's thread, buffers and engine are created when its job starts, so waiting jobs use no resources.
//! The coordinator sleeps until a worker sends a message, the run is stopped, or something is due: a progress
//! event, a check for hanging workers, the start of a job, a sample of the rate.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel, sync_channel};
use std::thread::Thread;
use std::time::Duration;

use cardiograph_core::result::{EngineNote, RunOutcome, RunResult};
use cardiograph_core::{NS_PER_MS, NS_PER_S, message};

use super::barrier::{BarrierSlot, StartBarrier};
use super::blueprint::Blueprint;
use super::placement;
use super::run_state::RunState;
use super::silence::Silence;
use super::{hooks, look};
use crate::clock::Clock;
use crate::error::RunError;
use crate::heartbeat::Heartbeat;
use crate::log::{LogRoute, PARCELS, deliver_all};
use crate::observer::Event;
use crate::worker::{Wait, Worker, WorkerEnd};

/// Interval of checks for hanging workers, in nanoseconds.
const LOOK_NS: u64 = 250 * NS_PER_MS;
/// After a delay longer than this, a check proves nothing about the workers, in nanoseconds.
const DELAY_NS_MIN: u64 = NS_PER_S;
/// A worker needs little stack: its state is on the heap.
const STACK_BYTES: usize = 128 << 10;
/// How long threads of a run that cannot begin may take to release its targets, in nanoseconds.
const JOIN_NS: u64 = NS_PER_S;

/// Without logs nothing is delivered.
static NOT_BUSY: AtomicBool = AtomicBool::new(false);

/// Messages from a worker's thread to the coordinator.
enum Message {
    /// The worker's files are open.
    Ready(Vec<EngineNote>),
    /// The worker has begun; sent only if the coordinator needs to know.
    Began,
    /// A note for the report.
    Note(EngineNote),
    /// The worker could not begin, or its engine broke.
    Broken(usize, RunError),
    Ended(usize, Box<WorkerEnd>),
}

/// A thread's sender to the coordinator.
#[derive(Clone)]
struct ToCoordinator {
    sender: Sender<Message>,
    coordinator: Thread,
}

impl ToCoordinator {
    fn send(&self, message: Message) {
        // If the coordinator is gone, it has given up this worker.
        let _ = self.sender.send(message);
        self.coordinator.unpark();
    }
}

/// Runs a checked plan. With logs, a separate thread passes them to the sink.
pub(super) fn run(state: RunState<'_>) -> Result<RunResult, RunError> {
    let Some(sink) = state.request.helpers.logs else {
        return Coordinator::new(state, None, &NOT_BUSY).run();
    };
    let (sender, receiver) = sync_channel(PARCELS);
    let is_delivering = &AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(move || deliver_all(&receiver, sink, is_delivering));
        let log_route = LogRoute::Channel(sender.clone());
        let result = Coordinator::new(state, Some(log_route), is_delivering).run();
        // Fails only if the sink panicked, which propagates at the end of the scope.
        let _ = sender.send(None);
        result
    })
}

/// Everything that a thread needs besides its blueprint.
struct ThreadSetup {
    worker: usize,
    slot: BarrierSlot,
    clock: Clock,
    coordinator_sender: ToCoordinator,
    log_route: Option<LogRoute>,
}

/// Main function of a worker's thread. It releases the targets before it reports its end: the receiver may
/// end the program, and nobody would then remove the files.
fn work(blueprint: Arc<Blueprint>, setup: ThreadSetup) {
    let (worker, coordinator_sender) = (setup.worker, setup.coordinator_sender.clone());
    let message = match catch_unwind(AssertUnwindSafe(|| live(&blueprint, setup))) {
        Ok(Ok(end)) => Message::Ended(worker, end),
        Ok(Err(error)) => Message::Broken(worker, error),
        Err(_) => Message::Broken(worker, RunError::lost(worker)),
    };
    drop(blueprint);
    coordinator_sender.send(message);
}

/// Creates the worker, waits for the others that start with it, and runs it.
fn live(blueprint: &Blueprint, setup: ThreadSetup) -> Result<Box<WorkerEnd>, RunError> {
    let ThreadSetup { worker, slot, clock, coordinator_sender, log_route } = setup;
    if let Some(reason) = &blueprint.refused {
        return Ok(Box::new(blueprint.end_by_command(reason.clone(), clock.now())));
    }
    let mut notes = placement::apply(&blueprint.workload, blueprint.clone)?;
    let mut built = blueprint.build(&clock, log_route.as_ref())?;
    notes.extend(built.note);
    coordinator_sender.send(Message::Ready(notes));
    let opened_at = slot.cross();
    if let Err(reason) = hooks::before(blueprint) {
        return Ok(Box::new(blueprint.end_by_command(reason, clock.now())));
    }
    // The command's time does not count as the worker's.
    let began_at = if blueprint.workload.commands.before.is_some() { clock.now() } else { opened_at };
    built.worker.release(began_at.saturating_add(clock.ticks(blueprint.late_ns)));
    if blueprint.workload.steady_state.is_some() || blueprint.workload.precision.is_some() {
        coordinator_sender.send(Message::Began);
    }
    drive(&mut built.worker, &clock).map_err(|source| blueprint.broke(worker, source))?;
    let mut end = Box::new(built.worker.end());
    end.result.phases.open_ns = built.open_ns;
    drop(built.worker);
    if let Some(note) = hooks::after(blueprint) {
        coordinator_sender.send(Message::Note(note));
    }
    Ok(end)
}

fn drive(worker: &mut Worker, clock: &Clock) -> std::io::Result<()> {
    loop {
        match worker.step()? {
            // Waiting for completions happens inside the engine.
            Wait::Ready | Wait::Completion | Wait::CompletionOr(_) => {}
            // The coordinator wakes it when it has to end.
            Wait::Until(at) => {
                let left_ns = clock.ns_between(clock.now(), at);
                std::thread::park_timeout(Duration::from_nanos(left_ns));
            }
            Wait::Ended => return Ok(()),
        }
    }
}

/// The coordinator's data about a thread.
struct Runner {
    thread: Thread,
    barrier: Arc<StartBarrier>,
}

struct Coordinator<'a> {
    state: RunState<'a>,
    clock: Clock,
    /// Indexed by worker; `None` if not started.
    runners: Vec<Option<Runner>>,
    receiver: Receiver<Message>,
    coordinator_sender: ToCoordinator,
    log_route: Option<LogRoute>,
    /// Whether the log sink is working.
    is_delivering: &'a AtomicBool,
    silence: Silence,
    next_tick: u64,
    next_look: u64,
}

impl<'a> Coordinator<'a> {
    fn new(state: RunState<'a>, log_route: Option<LogRoute>, is_delivering: &'a AtomicBool) -> Self {
        let (sender, receiver) = channel();
        Self {
            clock: state.clock.clone(),
            runners: (0..state.request.plan.workers()).map(|_| None).collect(),
            silence: Silence::new(state.request.plan.workers()),
            state,
            receiver,
            coordinator_sender: ToCoordinator { sender, coordinator: std::thread::current() },
            log_route,
            is_delivering,
            next_tick: 0,
            next_look: 0,
        }
    }

    fn run(mut self) -> Result<RunResult, RunError> {
        let control = self.state.request.control;
        let _guard = control.wake_me();
        let first = self.state.start_first();
        // The coordinator takes part in the barrier, so it opens when all is ready.
        let barrier = StartBarrier::new(self.clock.clone(), first.len() + 1);
        let began = self.start_threads(&first, &barrier).and_then(|()| self.wait_until_ready(first.len()));
        let began = began.and_then(|()| Heartbeat::begin(&self.clock));
        let heartbeat = match began {
            Ok(heartbeat) => heartbeat,
            Err(error) => {
                self.join_unstarted(&barrier);
                return Err(error);
            }
        };
        let agreed_ns = self.state.request.observer.start_at_ns();
        let mark = self.clock.mark();
        // Its receivers read the kernel's counters: before the moment that hosts have agreed on.
        self.state.emit(Event::Started);
        if let Some(agreed_ns) = agreed_ns {
            self.clock.wait_until(agreed_ns, &|| control.is_stopping());
        }
        let start = self.clock.now();
        self.state.begin(start);
        barrier.open(start);
        self.state.started_monotonic_ns = agreed_ns.map(|_| self.clock.monotonic_ns_at(start));
        self.supervise(start, &heartbeat);
        self.state.pauses = heartbeat.end();
        self.state.emit(Event::Ended);
        // Given-up workers should end if the drive responds after all, and workers waiting for one that hangs
        // while opening its files need not wait any longer.
        self.state.at_work().for_each(|(_, blueprint)| blueprint.stop.ask());
        self.runners.iter().flatten().for_each(|runner| runner.barrier.open(start));
        Ok(self.state.result(self.clock.now(), &mark))
    }

    fn start_threads(&mut self, workers: &[usize], barrier: &Arc<StartBarrier>) -> Result<(), RunError> {
        workers.iter().try_for_each(|&worker| self.start_thread(worker, barrier))
    }

    fn start_thread(&mut self, worker: usize, barrier: &Arc<StartBarrier>) -> Result<(), RunError> {
        let Some(blueprint) = self.state.blueprint(worker).cloned() else { return Ok(()) };
        let setup = ThreadSetup {
            worker,
            slot: barrier.slot(),
            clock: self.clock.clone(),
            coordinator_sender: self.coordinator_sender.clone(),
            log_route: self.log_route.clone(),
        };
        let handle = std::thread::Builder::new()
            .name(format!("worker-{worker}"))
            .stack_size(STACK_BYTES)
            .spawn(move || work(blueprint, setup))
            .map_err(|error| RunError::Failed(message!("run-worker-not-started", worker, error)))?;
        self.silence.begin(worker, self.clock.now());
        self.runners[worker] = Some(Runner { thread: handle.thread().clone(), barrier: barrier.clone() });
        Ok(())
    }

    /// Waits until all threads have opened their files, or the run is stopped earlier.
    fn wait_until_ready(&mut self, mut missing: usize) -> Result<(), RunError> {
        while missing > 0 && !self.state.request.control.is_stopping() {
            match self.receiver.try_recv() {
                Ok(Message::Ready(notes)) => {
                    notes.into_iter().for_each(|note| self.state.note(note));
                    missing -= 1;
                }
                Ok(Message::Broken(_, error)) => return Err(error),
                // No worker ends before it may begin.
                Ok(Message::Ended(worker, _)) => return Err(RunError::lost(worker)),
                Ok(Message::Began | Message::Note(_)) => {}
                Err(_) => std::thread::park(),
            }
        }
        Ok(())
    }

    /// Lets the threads of a run that cannot begin end.
    fn join_unstarted(&self, barrier: &StartBarrier) {
        let started = self.runners.iter().flatten().count();
        self.state.at_work().for_each(|(_, blueprint)| blueprint.stop.ask());
        barrier.open(self.clock.now());
        let until = self.clock.now().saturating_add(self.clock.ticks(JOIN_NS));
        let mut parted = 0;
        while parted < started && self.clock.now() < until {
            match self.receiver.try_recv() {
                Ok(Message::Ended(..) | Message::Broken(..)) => parted += 1,
                Ok(_) => {}
                Err(_) => std::thread::park_timeout(Duration::from_nanos(self.ns_until(until))),
            }
        }
    }

    fn ns_until(&self, at: u64) -> u64 {
        self.clock.ns_between(self.clock.now(), at)
    }

    /// Supervises the run until all workers have ended or been given up. A broken engine ends the run;
    /// everything recorded until then is kept.
    fn supervise(&mut self, start: u64, heartbeat: &Heartbeat) {
        let tick_ticks = self.clock.ticks(self.state.request.control.tick_ns());
        let look_ticks = self.clock.ticks(LOOK_NS);
        (self.next_tick, self.next_look) = (start + tick_ticks, start + look_ticks);
        loop {
            self.take_messages();
            let now = self.clock.now();
            if self.state.request.control.is_stopping() && self.state.stopped_at.is_none() {
                self.stop(now);
            }
            self.start_due(now);
            let settled = self.state.sample(now);
            self.wake(&settled);
            if self.state.working == 0 && self.state.next_due_at().is_none() {
                return;
            }
            if now >= self.next_tick {
                self.next_tick = now + tick_ticks;
                self.state.pauses = heartbeat.pauses();
                self.state.tick(now);
                look::offer(&self.state, now);
            }
            if now >= self.next_look {
                // If this thread did not run, the workers may not have run either.
                let was_delayed = self.clock.ns_between(self.next_look, now) > DELAY_NS_MIN;
                self.next_look = now + look_ticks;
                // A worker that logs may be waiting for the sink.
                let may_wait = was_delayed || self.is_delivering.load(Ordering::Relaxed);
                if self.silence.all_are_hanging(&self.state, now, may_wait) {
                    return;
                }
            }
            let moments = [self.state.next_due_at(), self.state.next_sample_at()];
            let next = moments.into_iter().flatten().fold(self.next_tick.min(self.next_look), u64::min);
            std::thread::park_timeout(Duration::from_nanos(self.ns_until(next)));
        }
    }

    fn take_messages(&mut self) {
        while let Ok(message) = self.receiver.try_recv() {
            match message {
                Message::Ended(worker, end) => self.ended(worker, *end),
                Message::Broken(worker, error) => self.broken(worker, &error),
                Message::Ready(notes) => notes.into_iter().for_each(|note| self.state.note(note)),
                Message::Note(note) => self.state.note(note),
                Message::Began => {}
            }
        }
    }

    fn ended(&mut self, worker: usize, end: WorkerEnd) {
        self.runners[worker] = None;
        let to_wake = self.state.ended(worker, end);
        self.wake(&to_wake);
    }

    /// Ends the run because a worker could not begin, or its engine broke.
    fn broken(&mut self, worker: usize, error: &RunError) {
        let Some(blueprint) = self.state.blueprint(worker).cloned() else { return };
        let (now, engine) = (self.clock.now(), blueprint.entry.name.to_string());
        self.state.note(EngineNote::Broke { engine, reason: error.message() });
        self.stop(now);
        self.ended(worker, blueprint.end_so_far(RunOutcome::Failed, now));
    }

    fn stop(&mut self, now: u64) {
        self.state.stop(now);
        self.runners.iter().flatten().for_each(|runner| runner.thread.unpark());
    }

    fn wake(&self, workers: &[usize]) {
        for runner in workers.iter().filter_map(|&worker| self.runners[worker].as_ref()) {
            runner.thread.unpark();
        }
    }

    fn start_due(&mut self, now: u64) {
        let due = self.state.start_due(now);
        if due.is_empty() {
            return;
        }
        let barrier = StartBarrier::new(self.clock.clone(), due.len());
        for &worker in &due {
            if let Err(error) = self.start_thread(worker, &barrier) {
                self.broken(worker, &error);
            }
        }
    }
}
