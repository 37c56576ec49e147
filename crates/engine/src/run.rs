//! Runs a Plan: checks it, makes the workers, and drives them in real or in simulated time.

use std::sync::Arc;

use cardiograph_core::result::{EngineNote, RunOutcome, RunResult, WorkerResult};
use cardiograph_core::{Direction, Plan};

use crate::buffers::Arena;
use crate::clock::{Clock, ClockMark};
use crate::control::Control;
use crate::engine::{self, EngineContext, EngineEntry};
use crate::error::RunError;
use crate::gate::WritePermit;
use crate::observer::{Event, Observer};
use crate::recorder::{Recorder, Writer};
use crate::target::Target;
use crate::worker::{StopFlag, Worker, WorkerEnd, WorkerParts};

mod meter;
mod simulated;
mod threads;

/// What a run needs.
pub struct RunRequest<'a> {
    /// What to do.
    pub plan: &'a Plan,
    /// What to do it on: the Plan's targets, opened, in its order.
    pub targets: &'a [Arc<Target>],
    /// Leave to write. A Plan that writes does not run without it; whether it writes is derived from its Workloads.
    pub permit: Option<&'a WritePermit>,
    /// Seed of what is written. Runs of the same Plan and seed write the same content; a drive must not be given the
    /// same twice.
    pub seed: u64,
    /// How it is told to stop.
    pub control: &'a Control,
    /// Who is told how it goes.
    pub observer: &'a dyn Observer,
}

/// Runs a Plan to its end.
///
/// # Errors
/// When it cannot begin. I/O that fails later is part of the result.
pub fn run(request: &RunRequest<'_>) -> Result<RunResult, RunError> {
    let mut notes = Vec::new();
    let engines = choose_engines(request.plan, &mut notes)?;
    check_targets(request)?;
    let is_simulated = engines.first().is_some_and(|entry| entry.is_simulated);
    let blueprints = blueprints(request, &engines);
    let result = if is_simulated {
        simulated::run(request, blueprints, notes)
    } else {
        threads::run(request, blueprints, notes)
    }?;
    note_filled(request, &result);
    Ok(result)
}

/// The engine of each job, or the one that takes its place here.
fn choose_engines(plan: &Plan, notes: &mut Vec<EngineNote>) -> Result<Vec<&'static EngineEntry>, RunError> {
    let mut chosen: Vec<&'static EngineEntry> = Vec::new();
    for job in &plan.jobs {
        let name = &job.workload.engine;
        let asked = engine::find(name).ok_or_else(|| RunError::NoSuchEngine { name: name.clone() })?;
        let entry = match (asked.probe)() {
            Ok(()) => asked,
            Err(unavailable) => {
                let unusable =
                    || RunError::EngineUnavailable { name: name.clone(), reason: unavailable.reason.clone() };
                let other = asked.fallback.and_then(engine::find).ok_or_else(unusable)?;
                (other.probe)().map_err(|_| unusable())?;
                let (from, to) = (name.clone(), other.name.to_string());
                push_new(notes, EngineNote::FellBack { from, to, reason: unavailable.reason });
                other
            }
        };
        if !entry.is_queueing && job.workload.depth > 1 {
            let depth = job.workload.depth;
            push_new(notes, EngineNote::DepthCapped { engine: entry.name.to_string(), depth });
        }
        chosen.push(entry);
    }
    let find = |simulated| chosen.iter().find(|entry| entry.is_simulated == simulated);
    match (find(true), find(false)) {
        (Some(simulated), Some(real)) => {
            Err(RunError::MixedTime { simulated: simulated.name.to_string(), real: real.name.to_string() })
        }
        _ => Ok(chosen),
    }
}

fn push_new(notes: &mut Vec<EngineNote>, note: EngineNote) {
    if !notes.contains(&note) {
        notes.push(note);
    }
}

/// Refuses what must not be: writes without a permit, regions outside the target, reads of what was never written.
fn check_targets(request: &RunRequest<'_>) -> Result<(), RunError> {
    // What earlier jobs of the same Plan write does not count: they may run at the same time.
    for job in &request.plan.jobs {
        let workload = &job.workload;
        let job = || workload.name.clone();
        let target =
            request.targets.get(workload.target).ok_or_else(|| RunError::TargetMissing { job: job() })?;
        let end_bytes = workload.offset_bytes.saturating_add(workload.region_len_bytes);
        if end_bytes > target.len_bytes() {
            return Err(RunError::OutsideTarget { job: job(), end_bytes, len_bytes: target.len_bytes() });
        }
        if workload.is_modifying() && !request.permit.is_some_and(|permit| permit.covers(target)) {
            let target = request.plan.targets.get(workload.target).cloned().unwrap_or_default();
            return Err(RunError::NotPermitted { job: job(), target });
        }
        let filled_bytes = target.filled_bytes();
        if target.has_storage() && workload.uses(Direction::Read) && end_bytes > filled_bytes {
            return Err(RunError::ReadsUnwritten { job: job(), end_bytes, filled_bytes });
        }
    }
    Ok(())
}

/// All that is known of a worker before it runs. Engine and buffers are made on its own thread.
struct Blueprint {
    job: usize,
    clone: u32,
    entry: &'static EngineEntry,
    workload: cardiograph_core::Workload,
    run_seed: u64,
    depth: u32,
    target: Arc<Target>,
    recorder: Arc<Recorder>,
    stop: Arc<StopFlag>,
}

fn blueprints(request: &RunRequest<'_>, engines: &[&'static EngineEntry]) -> Vec<Blueprint> {
    let mut blueprints = Vec::with_capacity(request.plan.workers());
    for (index, (job, entry)) in request.plan.jobs.iter().zip(engines).enumerate() {
        let workload = &job.workload;
        let stop = Arc::new(StopFlag::default());
        for clone in 0..job.clones {
            let uses = |direction| workload.uses(direction);
            let recorder = Arc::new(Recorder::new(uses, entry.is_queueing, workload.window_ns));
            blueprints.push(Blueprint {
                job: index,
                clone,
                entry,
                workload: workload.clone(),
                run_seed: request.seed,
                depth: if entry.is_queueing { workload.depth } else { 1 },
                target: request.targets[workload.target].clone(),
                recorder,
                stop: stop.clone(),
            });
        }
    }
    blueprints
}

/// A worker, and what its engine could not do as asked.
struct Built {
    worker: Worker,
    note: Option<EngineNote>,
}

impl Blueprint {
    /// Makes the worker. Called on the thread that will run it.
    fn build(&self, clock: &Clock) -> Result<Built, RunError> {
        let workload = &self.workload;
        let slot_len_bytes = usize::try_from(workload.block_len_bytes_max()).unwrap_or(usize::MAX);
        let buffers =
            Arena::new(self.depth as usize, slot_len_bytes).map_err(|source| RunError::Buffers {
                job: workload.name.clone(),
                len_bytes: u64::from(self.depth).saturating_mul(workload.block_len_bytes_max()),
                source,
            })?;
        let context = EngineContext {
            target: self.target.clone(),
            direct: workload.direct,
            depth: self.depth,
            buffers: buffers.clone(),
            clock: clock.clone(),
        };
        self.check_direct()?;
        let opened = (self.entry.open)(&context).map_err(|source| self.open_error(source))?;
        let note = opened
            .buffers_not_registered
            .map(|reason| EngineNote::BuffersNotRegistered { engine: self.entry.name.to_string(), reason });
        let worker = Worker::new(WorkerParts {
            workload: workload.clone(),
            clone: self.clone,
            run_seed: self.run_seed,
            engine: opened.engine,
            is_queueing: self.entry.is_queueing,
            depth: self.depth,
            buffers,
            clock: clock.clone(),
            writer: Writer::new(self.recorder.clone(), clock.clone()),
            stop: self.stop.clone(),
        });
        Ok(Built { worker, note })
    }

    /// Finds out whether the file takes direct I/O, apart from all else that opening an engine can fail by.
    fn check_direct(&self) -> Result<(), RunError> {
        if self.target.test_file().is_none() || !self.workload.direct {
            return Ok(());
        }
        self.target.fd(true).map(drop).map_err(|source| match source.raw_os_error() {
            Some(libc::EINVAL) => RunError::DirectRefused { source },
            _ => RunError::Open { engine: self.entry.name.to_string(), source },
        })
    }

    fn open_error(&self, source: std::io::Error) -> RunError {
        let engine = self.entry.name.to_string();
        if source.kind() == std::io::ErrorKind::Unsupported {
            return RunError::WrongTarget { engine, job: self.workload.name.clone() };
        }
        RunError::Open { engine, source }
    }

    /// Its engine failed while the worker, number `worker`, was at it.
    fn broke(&self, worker: usize, source: std::io::Error) -> RunError {
        RunError::Broke { worker, engine: self.entry.name.to_string(), source }
    }

    /// The worker's result. Without an `end` it is still held by the kernel: what it recorded so far is all there is.
    fn result(&self, clock: &Clock, run_start: u64, now: u64, end: Option<WorkerEnd>) -> WorkerResult {
        let count_from = self.recorder.count_from();
        let (outcome, ended_at, cpu, failure) = match end {
            Some(end) => (end.outcome, end.ended_at, end.cpu, end.failure),
            None => (RunOutcome::Hung, now, None, None),
        };
        let began = count_from != 0 && ended_at >= count_from;
        let duration_ns = if began { clock.ns_between(count_from, ended_at) } else { 0 };
        WorkerResult {
            job: self.job,
            clone: self.clone,
            engine: self.entry.name.to_string(),
            outcome,
            start_ns: clock.ns_between(run_start, count_from),
            end_ns: clock.ns_between(run_start, ended_at),
            directions: self.recorder.directions(),
            series: self.recorder.series(duration_ns),
            longest_gap_ns: if began { self.recorder.longest_gap_ns(clock, ended_at) } else { 0 },
            cpu,
            failure,
        }
    }
}

/// Puts the workers' results together.
fn run_result(
    workers: Vec<WorkerResult>,
    clock: &Clock,
    mark: &ClockMark,
    mut notes: Vec<EngineNote>,
) -> RunResult {
    notes.dedup();
    let severity = |outcome: &RunOutcome| match outcome {
        RunOutcome::Completed => 0,
        RunOutcome::Stopped => 1,
        RunOutcome::Failed => 2,
        RunOutcome::Hung => 3,
    };
    let outcome = workers.iter().map(|worker| worker.outcome).max_by_key(severity);
    RunResult {
        outcome: outcome.unwrap_or(RunOutcome::Completed),
        duration_ns: workers.iter().map(|worker| worker.end_ns).max().unwrap_or(0),
        clock: clock.info(mark),
        workers,
        notes,
    }
}

/// Notes on each target how far sequential writing from its filled part went.
fn note_filled(request: &RunRequest<'_>, result: &RunResult) {
    for (index, job) in request.plan.jobs.iter().enumerate() {
        let workload = &job.workload;
        let target = &request.targets[workload.target];
        let is_fill = workload.order == cardiograph_core::workload::Order::Sequential
            && workload.read_percent == 0
            && workload.offset_bytes <= target.filled_bytes();
        for worker in result.workers.iter().filter(|worker| is_fill && worker.job == index) {
            let write = &worker.directions.write;
            // A write that was cancelled was issued, too: after a stop, only what arrived decides.
            let all_arrived = worker.outcome == RunOutcome::Completed
                || (worker.outcome == RunOutcome::Stopped && write.bytes == write.issued_bytes);
            let is_whole = all_arrived && worker.failure.is_none() && write.short_ios == 0;
            // The ramp's writes are in the file, too, and came first.
            let written = write.issued_bytes.min(workload.region_len_bytes);
            if is_whole {
                target.mark_filled(workload.offset_bytes + written);
            }
        }
    }
}

/// Tells the observer.
fn tell(request: &RunRequest<'_>, event: Event) {
    request.observer.event(&event);
}
