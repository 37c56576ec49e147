//! Each worker on a thread of its own, in real time; this thread coordinates, reports, and gives up what hangs.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use cardiograph_core::NS_PER_MS;
use cardiograph_core::result::{EngineNote, RunResult};

use super::meter::Meter;
use super::{Blueprint, RunRequest, run_result, tell};
use crate::clock::Clock;
use crate::error::RunError;
use crate::observer::Event;
use crate::schedule::Schedule;
use crate::worker::{Wait, Worker, WorkerEnd};

/// How often the observer is told, and hanging workers are looked for, in nanoseconds.
const TICK_NS: u64 = 250 * NS_PER_MS;
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
    let broken = coordinator.supervise(start);
    let now = clock.now();
    tell(request, Event::Ended);
    // Workers whose turn never came, because others hang, need not wait any longer.
    gates.iter().for_each(|gate| gate.open(None));
    if let Some(error) = broken {
        return Err(error);
    }
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
    let mut worker = match blueprint.build(clock) {
        Ok(built) => {
            let _ = sender.send(Message::Ready(built.note));
            built.worker
        }
        Err(error) => {
            drop(blueprint);
            let _ = sender.send(Message::Broken(index, error));
            return;
        }
    };
    let Some(begin_at) = gate.wait() else { return };
    worker.release(begin_at);
    let message = match drive(&mut worker, clock) {
        Ok(()) => Message::Ended(index, worker.end()),
        Err(error) => Message::Broken(index, blueprint.open_error(error)),
    };
    drop((worker, blueprint));
    let _ = sender.send(message);
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
                Ok(Message::Ended(..)) | Err(_) => unreachable!("no worker ends before it may begin"),
            }
        }
        self.notes.dedup();
        Ok(())
    }

    /// Waits for the workers until all have ended or been given up. Returns the error of an engine that broke.
    fn supervise(&mut self, start: u64) -> Option<RunError> {
        let mut broken = None;
        let mut pulses = vec![Pulse { completions: 0, at: start }; self.blueprints.len()];
        let mut next_tick = start + self.clock.ticks(TICK_NS);
        self.meter.begin(start);
        self.release(start);
        while self.ends.iter().any(Option::is_none) {
            let left_ns = self.clock.ns_between(self.clock.now(), next_tick);
            match self.receiver.recv_timeout(Duration::from_nanos(left_ns)) {
                Ok(Message::Ended(index, end)) => self.ended(index, end),
                Ok(Message::Broken(index, error)) => {
                    broken.get_or_insert(error);
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
        broken
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
                let silent_ns = self.clock.ns_between(pulses[index].at, now);
                silent_ns > self.silence_ns_allowed(&self.blueprints[index], now)
            })
    }

    fn silence_ns_allowed(&self, blueprint: &Blueprint, now: u64) -> u64 {
        let control = self.request.control;
        let time_ns = blueprint.workload.stop.time_ns.unwrap_or(u64::MAX);
        let ran_ns = self.clock.ns_between(blueprint.recorder.count_from(), now);
        let should_have_ended = control.is_stopping() || ran_ns > time_ns;
        if should_have_ended { control.grace_ns } else { control.silence_ns_max }
    }
}
