//! Each worker on a thread of its own, in real time; this thread coordinates, reports, and gives up what hangs.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use cardiograph_core::result::{EngineNote, RunResult};
use cardiograph_core::{Direction, NS_PER_MS, NS_PER_S};

use super::meter::Meter;
use super::{Blueprint, RunRequest, run_result, tell};
use crate::clock::Clock;
use crate::error::RunError;
use crate::observer::Event;
use crate::schedule::Schedule;
use crate::worker::{Wait, Worker, WorkerEnd};

/// How often the observer is told, and hanging workers are looked for, in nanoseconds.
const TICK_NS: u64 = 250 * NS_PER_MS;
/// The slowest drive for which a final sync is waited out, in bytes per second.
const SLOWEST_BYTES_PER_S: u64 = 1_000_000;
/// A worker needs little stack: its state is on the heap.
const STACK_BYTES: usize = 128 << 10;

/// What a worker's thread tells the coordinator.
enum Message {
    Ready(Option<EngineNote>),
    /// It could not begin, or its engine broke.
    Broken(usize, RunError),
    Ended(usize, WorkerEnd),
}

/// Where a thread waits until its job may start.
#[derive(Default)]
struct StartGate {
    /// Ticks at which to begin; `Some(None)` means not at all.
    begin_at: Mutex<Option<Option<u64>>>,
    changed: Condvar,
}

impl StartGate {
    fn open(&self, begin_at: Option<u64>) {
        let mut guard = self.begin_at.lock().unwrap_or_else(PoisonError::into_inner);
        guard.get_or_insert(begin_at);
        self.changed.notify_all();
    }

    fn wait(&self) -> Option<u64> {
        let guard = self.begin_at.lock().unwrap_or_else(PoisonError::into_inner);
        let guard = self.changed.wait_while(guard, |begin_at| begin_at.is_none());
        guard.unwrap_or_else(PoisonError::into_inner).flatten()
    }
}

pub(super) fn run(
    request: &RunRequest<'_>,
    blueprints: Vec<Blueprint>,
    notes: Vec<EngineNote>,
) -> Result<RunResult, RunError> {
    let clock = Clock::machine();
    let blueprints: Vec<Arc<Blueprint>> = blueprints.into_iter().map(Arc::new).collect();
    let gates: Vec<Arc<StartGate>> = request.plan.jobs.iter().map(|_| Arc::default()).collect();
    let (sender, receiver) = channel();
    let mut coordinator = Coordinator {
        request,
        clock: clock.clone(),
        ends: blueprints.iter().map(|_| None).collect(),
        schedule: Schedule::new(request.plan),
        blueprints: &blueprints,
        gates: &gates,
        receiver,
        notes,
        meter: Meter::default(),
        stopped_at: None,
    };
    let started = coordinator.start_threads(&sender);
    drop(sender);
    if let Err(error) = started.and_then(|()| coordinator.wait_until_ready()) {
        gates.iter().for_each(|gate| gate.open(None));
        return Err(error);
    }
    let mark = clock.mark();
    tell(request, Event::Started);
    let start = clock.now();
    coordinator.supervise(start);
    let now = clock.now();
    tell(request, Event::Ended);
    // Workers whose turn never came, because others hang, need not wait any longer.
    gates.iter().for_each(|gate| gate.open(None));
    let Coordinator { ends, notes, .. } = coordinator;
    let results = blueprints
        .iter()
        .zip(ends)
        .map(|(blueprint, end)| blueprint.result(&clock, start, now, end))
        .collect();
    Ok(run_result(results, &clock, &mark, notes))
}

/// The life of a worker's thread. It lets go of the target before it tells that it has ended: whoever was told may end the
/// program, and then nobody else removes the file.
fn work(index: usize, blueprint: Arc<Blueprint>, gate: &StartGate, clock: &Clock, sender: &Sender<Message>) {
    // A coordinator that is gone has given this worker up; nobody is left to tell.
    let message = match catch_unwind(AssertUnwindSafe(|| live(index, &blueprint, gate, clock, sender))) {
        Ok(Ok(Some(end))) => Message::Ended(index, end),
        Ok(Ok(None)) => return,
        Ok(Err(error)) => Message::Broken(index, error),
        Err(_) => Message::Broken(index, RunError::WorkerLost { worker: index }),
    };
    drop(blueprint);
    let _ = sender.send(message);
}

/// Builds the worker, waits for its turn, and does its work. `None` when its turn never came.
fn live(
    index: usize,
    blueprint: &Blueprint,
    gate: &StartGate,
    clock: &Clock,
    sender: &Sender<Message>,
) -> Result<Option<WorkerEnd>, RunError> {
    let mut built = blueprint.build(clock)?;
    let _ = sender.send(Message::Ready(built.note));
    let Some(begin_at) = gate.wait() else { return Ok(None) };
    built.worker.release(begin_at);
    drive(&mut built.worker, clock).map_err(|source| blueprint.broke(index, source))?;
    Ok(Some(built.worker.end()))
}

fn drive(worker: &mut Worker, clock: &Clock) -> std::io::Result<()> {
    loop {
        match worker.step()? {
            // Waiting for completions happens inside the engine.
            Wait::Ready | Wait::Completion => {}
            Wait::Until(at) => {
                let left_ns = clock.ns_between(clock.now(), at);
                std::thread::sleep(Duration::from_nanos(left_ns.min(50 * NS_PER_MS)));
            }
            Wait::Ended => return Ok(()),
        }
    }
}

/// A worker's last sign of life.
#[derive(Clone, Copy)]
struct Pulse {
    completions: u64,
    at: u64,
}

struct Coordinator<'a> {
    request: &'a RunRequest<'a>,
    clock: Clock,
    blueprints: &'a [Arc<Blueprint>],
    gates: &'a [Arc<StartGate>],
    ends: Vec<Option<WorkerEnd>>,
    schedule: Schedule,
    receiver: Receiver<Message>,
    notes: Vec<EngineNote>,
    meter: Meter,
    /// When the wish to stop was first seen (ticks).
    stopped_at: Option<u64>,
}

impl Coordinator<'_> {
    fn start_threads(&self, sender: &Sender<Message>) -> Result<(), RunError> {
        for (index, blueprint) in self.blueprints.iter().enumerate() {
            let (blueprint, gate) = (blueprint.clone(), self.gates[blueprint.job].clone());
            let (clock, sender) = (self.clock.clone(), sender.clone());
            std::thread::Builder::new()
                .name(format!("worker-{index}"))
                .stack_size(STACK_BYTES)
                .spawn(move || work(index, blueprint, &gate, &clock, &sender))
                .map_err(|source| RunError::Thread { worker: index, source })?;
        }
        Ok(())
    }

    fn wait_until_ready(&mut self) -> Result<(), RunError> {
        for _ in 0..self.blueprints.len() {
            match self.receiver.recv() {
                Ok(Message::Ready(note)) => self.notes.extend(note),
                Ok(Message::Broken(_, error)) => return Err(error),
                // No worker ends before it may begin, and each sends something.
                Ok(Message::Ended(worker, _)) => return Err(RunError::WorkerLost { worker }),
                Err(_) => return Err(RunError::WorkerLost { worker: 0 }),
            }
        }
        self.notes.dedup();
        Ok(())
    }

    /// Waits for the workers until all have ended or been given up. An engine that breaks ends the run; what was
    /// recorded until then is kept.
    fn supervise(&mut self, start: u64) {
        let mut pulses = vec![Pulse { completions: 0, at: start }; self.blueprints.len()];
        let mut next_tick = start + self.clock.ticks(TICK_NS);
        self.meter.begin(start);
        self.release(start);
        while self.ends.iter().any(Option::is_none) {
            let left_ns = self.clock.ns_between(self.clock.now(), next_tick);
            match self.receiver.recv_timeout(Duration::from_nanos(left_ns)) {
                Ok(Message::Ended(index, end)) => self.ended(index, end),
                Ok(Message::Broken(index, error)) => {
                    let engine = self.blueprints[index].entry.name.to_string();
                    self.notes.push(EngineNote::Broke { engine, reason: error.to_string() });
                    self.blueprints.iter().for_each(|blueprint| blueprint.stop.ask());
                    let ended_at = self.clock.now();
                    let outcome = cardiograph_core::result::RunOutcome::Failed;
                    self.ended(index, WorkerEnd { outcome, ended_at, cpu: None, failure: None });
                }
                Ok(Message::Ready(..)) => {}
                Err(RecvTimeoutError::Timeout) => {
                    next_tick = self.clock.now() + self.clock.ticks(TICK_NS);
                    self.tick(start, &mut pulses);
                    if self.all_left_are_hanging(&pulses) {
                        break;
                    }
                }
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
    }

    fn release(&mut self, now: u64) {
        for (job, delay_ns) in self.schedule.release() {
            self.gates[job].open(Some(now + self.clock.ticks(delay_ns)));
        }
    }

    fn ended(&mut self, index: usize, end: WorkerEnd) {
        let Blueprint { job, clone, .. } = *self.blueprints[index];
        self.ends[index] = Some(end);
        tell(self.request, Event::WorkerEnded { job, clone });
        for ending in self.schedule.worker_ended(job) {
            self.blueprints.iter().filter(|b| b.job == ending).for_each(|b| b.stop.end_as_planned());
        }
        self.release(self.clock.now());
    }

    fn tick(&mut self, start: u64, pulses: &mut [Pulse]) {
        let now = self.clock.now();
        if self.request.control.is_stopping() {
            self.stopped_at.get_or_insert(now);
            self.blueprints.iter().for_each(|blueprint| blueprint.stop.ask());
        }
        for (pulse, blueprint) in pulses.iter_mut().zip(self.blueprints) {
            let completions = blueprint.recorder.completions();
            // A worker that has not begun cannot hang.
            if completions != pulse.completions || now < blueprint.recorder.count_from().max(1) {
                *pulse = Pulse { completions, at: now };
            }
        }
        let progress = self.meter.read(self.blueprints.iter().map(|b| &*b.recorder), &self.clock, start, now);
        tell(self.request, Event::Progress(progress));
    }

    /// Whether no worker that is left has given a sign of life for longer than it may.
    fn all_left_are_hanging(&self, pulses: &[Pulse]) -> bool {
        let now = self.clock.now();
        let left = (0..self.blueprints.len()).filter(|&index| self.ends[index].is_none());
        let mut released = left.filter(|&index| self.blueprints[index].recorder.count_from() != 0).peekable();
        released.peek().is_some()
            && released.all(|index| {
                let (since, allowed_ns) = self.silence_allowed(&self.blueprints[index], now);
                self.clock.ns_between(pulses[index].at.max(since), now) > allowed_ns
            })
    }

    /// From when on silence counts (ticks), and how much of it is allowed (nanoseconds). A worker that should have
    /// ended gets the grace time from that moment on; a final sync gets time for what it has to bring to the drive.
    fn silence_allowed(&self, blueprint: &Blueprint, now: u64) -> (u64, u64) {
        let control = self.request.control;
        if blueprint.recorder.is_closing() {
            let (_, written_bytes) = blueprint.recorder.totals(Direction::Write);
            let sync_ns = (written_bytes / SLOWEST_BYTES_PER_S).saturating_mul(NS_PER_S);
            return (0, control.silence_ns_max.saturating_add(sync_ns));
        }
        let time_ns = blueprint.workload.stop.time_ns.unwrap_or(u64::MAX);
        let due_at = blueprint.recorder.count_from().saturating_add(self.clock.ticks(time_ns));
        match self.stopped_at {
            Some(stopped_at) => (stopped_at.min(due_at), control.grace_ns),
            None if now > due_at => (due_at, control.grace_ns),
            None => (0, control.silence_ns_max),
        }
    }
}
