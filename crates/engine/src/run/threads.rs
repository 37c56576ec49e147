//! Each worker on a thread of its own, in real time; this thread coordinates, reports, and gives up what hangs.
//!
//! A worker's thread is made when its job starts, and its buffers and engine with it: jobs that wait for others hold
//! nothing. The coordinator sleeps until a worker has something to say, the run is to stop, or a moment has come: the
//! next event of progress, the next look at workers that may hang, the start of a job, a sample of the speed.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel, sync_channel};
use std::thread::Thread;
use std::time::Duration;

use cardiograph_core::result::{EngineNote, RunOutcome, RunResult};
use cardiograph_core::{NS_PER_MS, NS_PER_S};

use super::blueprint::Blueprint;
use super::course::Course;
use super::line::{Place, StartLine};
use super::seat;
use super::silence::Silence;
use super::{errand, look};
use crate::clock::Clock;
use crate::error::RunError;
use crate::heartbeat::Heartbeat;
use crate::log::{LogWay, PARCELS, deliver_all};
use crate::observer::Event;
use crate::worker::{Wait, Worker, WorkerEnd};

/// How often hanging workers are looked for, in nanoseconds.
const LOOK_NS: u64 = 250 * NS_PER_MS;
/// A look that comes later than this says nothing of the workers, in nanoseconds.
const AWAY_NS_MIN: u64 = NS_PER_S;
/// A worker needs little stack: its state is on the heap.
const STACK_BYTES: usize = 128 << 10;
/// How long the threads of a run that cannot begin may take to let go of its targets, in nanoseconds.
const PARTING_NS: u64 = NS_PER_S;

/// Where nothing is logged, nothing is delivered.
static NOT_BUSY: AtomicBool = AtomicBool::new(false);

/// What a worker's thread tells the coordinator.
enum Message {
    /// Its files are open.
    Ready(Vec<EngineNote>),
    /// It has begun, and somebody wants to know.
    Began,
    /// Something that readers of the result should know.
    Note(EngineNote),
    /// It could not begin, or its engine broke.
    Broken(usize, RunError),
    Ended(usize, Box<WorkerEnd>),
}

/// The way from a worker's thread to the coordinator.
#[derive(Clone)]
struct Mouth {
    sender: Sender<Message>,
    coordinator: Thread,
}

impl Mouth {
    fn tell(&self, message: Message) {
        // A coordinator that is gone has given this worker up; nobody is left to tell.
        let _ = self.sender.send(message);
        self.coordinator.unpark();
    }
}

/// Runs what was checked. Where workers log, a thread of its own takes the lines to the sink.
pub(super) fn run(course: Course<'_>) -> Result<RunResult, RunError> {
    let Some(sink) = course.request.helpers.logs else {
        return Coordinator::new(course, None, &NOT_BUSY).run();
    };
    let (sender, receiver) = sync_channel(PARCELS);
    let is_delivering = &AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(move || deliver_all(&receiver, sink, is_delivering));
        let way = LogWay::Channel(sender.clone());
        let result = Coordinator::new(course, Some(way), is_delivering).run();
        // It is gone already only if the sink panicked, and that goes on from the scope's end.
        let _ = sender.send(None);
        result
    })
}

/// What a thread needs beside its blueprint.
struct Errand {
    worker: usize,
    place: Place,
    clock: Clock,
    mouth: Mouth,
    way: Option<LogWay>,
}

/// The life of a worker's thread. It lets go of the targets before it tells that it has ended: whoever was told may end
/// the program, and then nobody else removes the files.
fn work(blueprint: Arc<Blueprint>, errand: Errand) {
    let (worker, mouth) = (errand.worker, errand.mouth.clone());
    let message = match catch_unwind(AssertUnwindSafe(|| live(&blueprint, errand))) {
        Ok(Ok(end)) => Message::Ended(worker, Box::new(end)),
        Ok(Err(error)) => Message::Broken(worker, error),
        Err(_) => Message::Broken(worker, RunError::WorkerLost { worker }),
    };
    drop(blueprint);
    mouth.tell(message);
}

/// Makes the worker, waits for those that start with it, and does its work.
fn live(blueprint: &Blueprint, errand: Errand) -> Result<WorkerEnd, RunError> {
    let Errand { worker, place, clock, mouth, way } = errand;
    if let Some(reason) = &blueprint.refused {
        return Ok(blueprint.end_by_command(reason.clone(), clock.now()));
    }
    let mut notes = seat::take(&blueprint.workload, blueprint.clone)?;
    let mut built = blueprint.build(&clock, way.as_ref())?;
    notes.extend(built.note);
    mouth.tell(Message::Ready(notes));
    let opened_at = place.cross();
    if let Err(reason) = errand::before(blueprint) {
        return Ok(blueprint.end_by_command(reason, clock.now()));
    }
    // What the command took is not the worker's time.
    let began_at = if blueprint.workload.commands.before.is_some() { clock.now() } else { opened_at };
    built.worker.release(began_at.saturating_add(clock.ticks(blueprint.late_ns)));
    if blueprint.workload.steady_state.is_some() || blueprint.workload.precision.is_some() {
        mouth.tell(Message::Began);
    }
    drive(&mut built.worker, &clock).map_err(|source| blueprint.broke(worker, source))?;
    let mut end = built.worker.end();
    end.result.phases.open_ns = built.open_ns;
    drop(built.worker);
    if let Some(note) = errand::after(blueprint) {
        mouth.tell(Message::Note(note));
    }
    Ok(end)
}

fn drive(worker: &mut Worker, clock: &Clock) -> std::io::Result<()> {
    loop {
        match worker.step()? {
            // Waiting for completions happens inside the engine.
            Wait::Ready | Wait::Completion | Wait::CompletionOr(_) => {}
            // The coordinator wakes it when it is to end.
            Wait::Until(at) => {
                let left_ns = clock.ns_between(clock.now(), at);
                std::thread::park_timeout(Duration::from_nanos(left_ns));
            }
            Wait::Ended => return Ok(()),
        }
    }
}

/// What the coordinator knows of a thread.
struct Runner {
    thread: Thread,
    line: Arc<StartLine>,
}

struct Coordinator<'a> {
    course: Course<'a>,
    clock: Clock,
    /// By worker; `None` where it has not been started.
    runners: Vec<Option<Runner>>,
    receiver: Receiver<Message>,
    mouth: Mouth,
    way: Option<LogWay>,
    /// Whether the sink of logs is at it.
    is_delivering: &'a AtomicBool,
    silence: Silence,
    next_tick: u64,
    next_look: u64,
}

impl<'a> Coordinator<'a> {
    fn new(course: Course<'a>, way: Option<LogWay>, is_delivering: &'a AtomicBool) -> Self {
        let (sender, receiver) = channel();
        Self {
            clock: course.clock.clone(),
            runners: (0..course.request.plan.workers()).map(|_| None).collect(),
            silence: Silence::new(course.request.plan.workers()),
            course,
            receiver,
            mouth: Mouth { sender, coordinator: std::thread::current() },
            way,
            is_delivering,
            next_tick: 0,
            next_look: 0,
        }
    }

    fn run(mut self) -> Result<RunResult, RunError> {
        let control = self.course.request.control;
        let _guard = control.wake_me();
        let first = self.course.start_first();
        // The coordinator is expected at the line as well: it opens it when all is ready.
        let line = StartLine::new(self.clock.clone(), first.len() + 1);
        let began = self.start_threads(&first, &line).and_then(|()| self.wait_until_ready(first.len()));
        let began = began.and_then(|()| Heartbeat::begin(&self.clock).map_err(RunError::Heartbeat));
        let heartbeat = match began {
            Ok(heartbeat) => heartbeat,
            Err(error) => {
                self.part(&line);
                return Err(error);
            }
        };
        let mark = self.clock.mark();
        let start = self.clock.now();
        self.course.begin(start);
        let start = self.clock.now();
        line.open(start);
        self.supervise(start, &heartbeat);
        self.course.pauses = heartbeat.end();
        self.course.tell(Event::Ended);
        // What was given up is to end should the drive answer after all, and workers that wait for one which hangs while it
        // opens its files need not wait any longer.
        self.course.at_work().for_each(|(_, blueprint)| blueprint.stop.ask());
        self.runners.iter().flatten().for_each(|runner| runner.line.open(start));
        Ok(self.course.result(self.clock.now(), &mark))
    }

    fn start_threads(&mut self, workers: &[usize], line: &Arc<StartLine>) -> Result<(), RunError> {
        workers.iter().try_for_each(|&worker| self.start_thread(worker, line))
    }

    fn start_thread(&mut self, worker: usize, line: &Arc<StartLine>) -> Result<(), RunError> {
        let Some(blueprint) = self.course.blueprint(worker).cloned() else { return Ok(()) };
        let errand = Errand {
            worker,
            place: line.place(),
            clock: self.clock.clone(),
            mouth: self.mouth.clone(),
            way: self.way.clone(),
        };
        let handle = std::thread::Builder::new()
            .name(format!("worker-{worker}"))
            .stack_size(STACK_BYTES)
            .spawn(move || work(blueprint, errand))
            .map_err(|source| RunError::Thread { worker, source })?;
        self.silence.begin(worker, self.clock.now());
        self.runners[worker] = Some(Runner { thread: handle.thread().clone(), line: line.clone() });
        Ok(())
    }

    /// Waits until all threads have their files open, or the run is to stop before that.
    fn wait_until_ready(&mut self, mut missing: usize) -> Result<(), RunError> {
        while missing > 0 && !self.course.request.control.is_stopping() {
            match self.receiver.try_recv() {
                Ok(Message::Ready(notes)) => {
                    notes.into_iter().for_each(|note| self.course.note(note));
                    missing -= 1;
                }
                Ok(Message::Broken(_, error)) => return Err(error),
                // No worker ends before it may begin.
                Ok(Message::Ended(worker, _)) => return Err(RunError::WorkerLost { worker }),
                Ok(Message::Began | Message::Note(_)) => {}
                Err(_) => std::thread::park(),
            }
        }
        Ok(())
    }

    /// Lets the threads of a run that cannot begin come to their end.
    fn part(&self, line: &StartLine) {
        let started = self.runners.iter().flatten().count();
        self.course.at_work().for_each(|(_, blueprint)| blueprint.stop.ask());
        line.open(self.clock.now());
        let until = self.clock.now().saturating_add(self.clock.ticks(PARTING_NS));
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

    /// Sees the run through until all workers have ended or been given up. An engine that breaks ends the run; what was
    /// recorded until then is kept.
    fn supervise(&mut self, start: u64, heartbeat: &Heartbeat) {
        let tick_ticks = self.clock.ticks(self.course.request.control.tick_ns());
        let look_ticks = self.clock.ticks(LOOK_NS);
        (self.next_tick, self.next_look) = (start + tick_ticks, start + look_ticks);
        loop {
            self.take_messages();
            let now = self.clock.now();
            if self.course.request.control.is_stopping() && self.course.stopped_at.is_none() {
                self.stop(now);
            }
            self.start_due(now);
            let settled = self.course.sample(now);
            self.wake(&settled);
            if self.course.working == 0 && self.course.next_due_at().is_none() {
                return;
            }
            if now >= self.next_tick {
                self.next_tick = now + tick_ticks;
                self.course.pauses = heartbeat.pauses();
                self.course.tick(now);
                look::offer(&self.course, now);
            }
            if now >= self.next_look {
                // Where this thread did not run, the workers may not have run either.
                let was_away = self.clock.ns_between(self.next_look, now) > AWAY_NS_MIN;
                self.next_look = now + look_ticks;
                // A worker that logs may be waiting for the sink.
                let may_wait = was_away || self.is_delivering.load(Ordering::Relaxed);
                if self.silence.all_are_hanging(&self.course, now, may_wait) {
                    return;
                }
            }
            let moments = [self.course.next_due_at(), self.course.next_sample_at()];
            let next = moments.into_iter().flatten().fold(self.next_tick.min(self.next_look), u64::min);
            std::thread::park_timeout(Duration::from_nanos(self.ns_until(next)));
        }
    }

    fn take_messages(&mut self) {
        while let Ok(message) = self.receiver.try_recv() {
            match message {
                Message::Ended(worker, end) => self.ended(worker, *end),
                Message::Broken(worker, error) => self.broken(worker, &error),
                Message::Ready(notes) => notes.into_iter().for_each(|note| self.course.note(note)),
                Message::Note(note) => self.course.note(note),
                Message::Began => {}
            }
        }
    }

    fn ended(&mut self, worker: usize, end: WorkerEnd) {
        self.runners[worker] = None;
        let told = self.course.ended(worker, end);
        self.wake(&told);
    }

    /// A worker could not begin, or its engine broke: the run ends.
    fn broken(&mut self, worker: usize, error: &RunError) {
        let Some(blueprint) = self.course.blueprint(worker).cloned() else { return };
        let (now, engine) = (self.clock.now(), blueprint.entry.name.to_string());
        self.course.note(EngineNote::Broke { engine, reason: error.message() });
        self.stop(now);
        self.ended(worker, blueprint.end_so_far(RunOutcome::Failed, now));
    }

    fn stop(&mut self, now: u64) {
        self.course.stop(now);
        self.runners.iter().flatten().for_each(|runner| runner.thread.unpark());
    }

    fn wake(&self, workers: &[usize]) {
        for runner in workers.iter().filter_map(|&worker| self.runners[worker].as_ref()) {
            runner.thread.unpark();
        }
    }

    fn start_due(&mut self, now: u64) {
        let due = self.course.start_due(now);
        if due.is_empty() {
            return;
        }
        let line = StartLine::new(self.clock.clone(), due.len());
        for &worker in &due {
            if let Err(error) = self.start_thread(worker, &line) {
                self.broken(worker, &error);
            }
        }
    }
}
