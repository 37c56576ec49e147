//! Everything known about a worker before it runs, and its result.

use std::io::ErrorKind;
use std::sync::{Arc, Mutex, PoisonError};

use cardiograph_core::result::{EngineNote, RunOutcome, WorkerResult};
use cardiograph_core::system_error::explained;
use cardiograph_core::workload::StopWhen;
use cardiograph_core::{Direction, FileUse, Message, Parameter, PlannedJob, Workload, message};

use super::RunRequest;
use crate::buffers::Arena;
use crate::clock::Clock;
use crate::commands::Commands;
use crate::engine::{EngineContext, EngineEntry, Opened};
use crate::error::RunError;
use crate::files;
use crate::flow::{Flow, FlowShare};
use crate::log::{LogPen, LogRoute};
use crate::offload::{Offload, SubmitTimes};
use crate::recorder::{Recorder, RecorderShape, Writer};
use crate::replay::ReplaySteps;
use crate::target::{Access, NamedFile, Target};
use crate::worker::{StopFlag, Turn, Worker, WorkerEnd, WorkerParts};

/// Everything known about a worker before it runs. Engine and buffers are created on its own thread, when it
/// starts.
pub(super) struct Blueprint {
    pub job: usize,
    pub clone: u32,
    pub entry: &'static EngineEntry,
    pub workload: Arc<Workload>,
    pub targets: Vec<Arc<Target>>,
    pub recorder: Arc<Recorder>,
    pub stop: Arc<StopFlag>,
    pub commands: Option<Arc<dyn Commands>>,
    /// Delay after its job's start, in nanoseconds.
    pub late_ns: u64,
    /// Why its job cannot run on the current files; it then ends as if its earlier command had failed.
    pub refused: Option<Message>,
    pub files: Vec<FileUse>,
    number: u32,
    shares_files: bool,
    run_seed: u64,
    depth: u32,
    flow: Option<Arc<Flow>>,
    /// Its recording, until the worker is created; an error if it cannot be read.
    replay: Mutex<Option<std::io::Result<Box<dyn ReplaySteps>>>>,
}

/// A worker, the time taken to open its files, and which requested features its engine lacks.
pub(super) struct Built {
    /// Not on the stack: a thread keeps the pages of it that were used once.
    pub worker: Box<Worker>,
    pub open_ns: u64,
    pub note: Option<EngineNote>,
}

impl Blueprint {
    /// The workers of a job.
    pub fn from_job(
        request: &RunRequest<'_>,
        index: usize,
        entry: &'static EngineEntry,
        flow: Option<Arc<Flow>>,
    ) -> Vec<Arc<Blueprint>> {
        let job: &PlannedJob = &request.plan.jobs[index];
        let (stop, clones, refused) = match look_up(request, index, job) {
            Ok((stop, clones)) => (stop, clones, None),
            Err(reason) => (job.workload.stop, job.clones.clone(), Some(reason)),
        };
        let workload = Workload { stop, ..job.workload.clone() };
        let (workload, stop) = (Arc::new(workload), Arc::new(StopFlag::default()));
        let earlier: usize = request.plan.jobs[..index].iter().map(|job| job.clones.len()).sum();
        let blueprint = |(clone, files): (usize, &Vec<FileUse>)| Blueprint {
            job: index,
            clone: clone as u32,
            entry,
            workload: workload.clone(),
            targets: files.iter().map(|file| request.targets[file.target].clone()).collect(),
            recorder: Arc::new(recorder(&workload, entry)),
            stop: stop.clone(),
            commands: request.helpers.commands.clone(),
            late_ns: job.late_ns(clone as u32),
            refused: refused.clone(),
            files: files.iter().map(|file| workload.drawn_part(file)).collect(),
            number: (earlier + clone) as u32,
            shares_files: workload.verify.is_some() && request.plan.has_other_writers(index, clone),
            run_seed: request.seed,
            depth: depth_of(&workload, entry),
            flow: flow.clone(),
            replay: Mutex::new(workload.replay.as_ref().map(|_| match request.helpers.replays {
                Some(replays) => replays.open(index, clone as u32),
                None => Err(explained(ErrorKind::Other, message!("engine-nothing-to-replay"))),
            })),
        };
        clones.iter().enumerate().map(blueprint).map(Arc::new).collect()
    }

    /// Opens the files and creates the worker. Called on the thread that will run it.
    pub fn build(&self, clock: &Clock, route: Option<&LogRoute>) -> Result<Built, RunError> {
        let workload = &self.workload;
        let began = clock.now();
        make_ready(&self.targets, &self.files, workload).map_err(|source| self.open_error(source))?;
        let slot_len_bytes = usize::try_from(workload.block_len_bytes_max()).unwrap_or(usize::MAX);
        let buffers =
            Arena::with_memory(workload.memory, self.depth as usize, slot_len_bytes).map_err(|source| {
                let len_bytes = u64::from(self.depth).saturating_mul(workload.block_len_bytes_max());
                let (job, length) = (&workload.name, Parameter::Bytes(len_bytes));
                RunError::Failed(message!("run-no-buffers", job, length, error = source))
            })?;
        let context = EngineContext {
            targets: self.targets.clone(),
            access: Access::for_workload(workload),
            depth: self.depth,
            buffers: buffers.clone(),
            clock: clock.clone(),
            options: workload.engine_options.clone(),
        };
        let (opened, submit_times) =
            open(self.entry, workload, &context).map_err(|source| self.open_error(source))?;
        let note = opened
            .buffers_not_registered
            .map(|reason| EngineNote::BuffersNotRegistered { engine: self.entry.name.to_string(), reason });
        let pen = route.and_then(|route| self.pen(route));
        let mut worker = boxed(WorkerParts {
            workload: workload.clone(),
            files: self.files.clone(),
            file_names: self.targets.iter().map(|target| target.name().to_string()).collect(),
            clone: self.clone,
            number: self.number,
            shares_files: self.shares_files,
            run_seed: self.run_seed,
            engine: opened.engine,
            is_queueing: is_queueing(workload, self.entry),
            depth: self.depth,
            buffers,
            clock: clock.clone(),
            writer: Writer::new(self.recorder.clone(), clock.clone(), pen),
            stop: self.stop.clone(),
            share: self.share(clock),
            submit_times,
        });
        let replay = self.replay.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(steps) = replay {
            worker.replay(steps.map_err(|source| self.broke(0, source))?);
        }
        if let Some(route) = route.filter(|_| workload.record.is_some()) {
            worker.trace(LogPen::new(route.clone(), self.job, self.clone, false));
        }
        if let Some(route) = route.filter(|_| workload.tolerance.is_told) {
            worker.log_errors(LogPen::new(route.clone(), self.job, self.clone, false));
        }
        if workload.verify.as_ref().is_some_and(|verify| verify.read_back) {
            let mut uncached = (**workload).clone();
            (uncached.files.invalidate, uncached.files.pre_read) = (true, false);
            let (targets, files) = (self.targets.clone(), self.files.clone());
            worker.before_read_back(move || make_ready(&targets, &files, &uncached));
        }
        worker.turn_passes(self.turn(context));
        Ok(Built { worker, open_ns: clock.ns_between(began, clock.now()), note })
    }

    /// How to prepare files between two passes.
    fn turn(&self, context: EngineContext) -> Option<Turn> {
        let (entry, workload) = (self.entry, self.workload.clone());
        if workload.renew_every_bytes.is_some() {
            // Only the user's files are permanent.
            context.targets.iter().find_map(|target| target.named_file())?;
            return Some(Turn::Reopened(Box::new(move || {
                let files = context.targets.iter().filter_map(|target| target.named_file());
                files.into_iter().try_for_each(NamedFile::remove)?;
                open(entry, &workload, &context).map(|(opened, submit_times)| (opened.engine, submit_times))
            })));
        }
        let caches = context.targets.iter().any(|target| target.is_file() || target.is_device());
        if !caches || workload.direct || !workload.files.invalidate || workload.files.pre_read {
            return None;
        }
        let files = self.files.clone();
        Some(Turn::Kept(Box::new(move || files::between_passes(&context.targets, &files))))
    }

    fn share(&self, clock: &Clock) -> Option<FlowShare> {
        let (wanted, flow) = (self.workload.flow?, self.flow.clone()?);
        Some(FlowShare::new(flow, wanted.weight, wanted.sleep_ns, clock))
    }

    fn pen(&self, route: &LogRoute) -> Option<LogPen> {
        let logged = self.workload.logged;
        let logs_single_ios = logged.ios && logged.window_ns == 0;
        (logged.ios || logged.histogram_every_ns > 0)
            .then(|| LogPen::new(route.clone(), self.job, self.clone, logs_single_ios))
    }

    fn open_error(&self, source: std::io::Error) -> RunError {
        let engine = self.entry.name.to_string();
        if source.kind() == ErrorKind::Unsupported {
            return RunError::WrongTarget { engine, job: self.workload.name.clone() };
        }
        RunError::Failed(message!("run-engine-not-opened", engine, error = source))
    }

    /// Error for an engine that failed in worker number `worker`.
    pub fn broke(&self, worker: usize, source: std::io::Error) -> RunError {
        let engine = self.entry.name;
        RunError::Failed(message!("run-engine-broke", engine, worker, error = source))
    }

    /// Provisional end at `now` (ticks) of a worker that has not ended by itself.
    pub fn end_so_far(&self, outcome: RunOutcome, now: u64) -> WorkerEnd {
        let result = WorkerResult { outcome, depths: self.recorder.depths(), ..WorkerResult::default() };
        WorkerEnd { ended_at: now, result }
    }

    /// End of a worker that never began, because its earlier command failed at `now` (ticks).
    pub fn end_by_command(&self, reason: Message, now: u64) -> WorkerEnd {
        let mut end = self.end_so_far(RunOutcome::Failed, now);
        end.result.failed_command = Some(reason);
        end
    }

    /// The worker's result, in a run that began at `run_start` (ticks).
    pub fn result(&self, clock: &Clock, run_start: u64, end: WorkerEnd) -> WorkerResult {
        let figures = self.figures(clock, run_start, end);
        let (duration_ns, directions) = (figures.series.duration_ns, self.recorder.directions());
        WorkerResult { directions, series: self.recorder.series(duration_ns), ..figures }
    }

    /// Like [`result`](Self::result) without latencies, for frequent callers during the run.
    pub fn figures(&self, clock: &Clock, run_start: u64, end: WorkerEnd) -> WorkerResult {
        let (count_from, ended_at) = (self.recorder.count_from(), end.ended_at);
        let began = count_from != 0 && ended_at >= count_from;
        let duration_ns = if began { clock.ns_between(count_from, ended_at) } else { 0 };
        let end_ns = clock.ns_between(run_start, ended_at);
        WorkerResult {
            job: self.job,
            clone: self.clone,
            engine: self.entry.name.to_string(),
            // A worker that fails at once, or within its ramp time, counts nothing.
            start_ns: clock.ns_between(run_start, count_from).min(end_ns),
            end_ns,
            directions: self.recorder.figures(),
            series: self.recorder.windows(duration_ns),
            longest_gap_ns: if began { self.recorder.longest_gap_ns(clock, ended_at) } else { 0 },
            ..end.result
        }
    }
}

/// Looks up when a job stops and what its clones use, with current file lengths where the Plan has none.
fn look_up(
    request: &RunRequest<'_>,
    index: usize,
    job: &PlannedJob,
) -> Result<(StopWhen, Vec<Vec<FileUse>>), Message> {
    let mut clones = job.clones.clone();
    if job.files().all(|file| file.region_len_bytes > 0) {
        return Ok((job.workload.stop, clones));
    }
    let lengths = request.helpers.lengths.ok_or_else(|| message!("engine-no-lengths"))?;
    let found = lengths.look_up(index)?;
    for (file, now) in clones.iter_mut().flatten().zip(found.files()) {
        // The target was examined before anything was written.
        *file = FileUse { target: file.target, ..*now };
    }
    Ok((found.workload.stop, clones))
}

/// Opens an engine for a worker, with submitting threads if the workload asks for them.
fn open(
    entry: &EngineEntry,
    workload: &Workload,
    context: &EngineContext,
) -> std::io::Result<(Opened, Option<SubmitTimes>)> {
    if !offloads(workload, entry) {
        return Ok(((entry.open)(context)?, None));
    }
    let (opened, submit_times) = Offload::open(entry.open, entry.is_queueing, context)?;
    Ok((opened, Some(submit_times)))
}

/// Whether threads submit the requests. In simulated time submission takes no time and blocks nothing.
fn offloads(workload: &Workload, entry: &EngineEntry) -> bool {
    workload.offload && !entry.is_simulated
}

/// Whether several requests are in flight: in the engine itself, or by submitting threads.
fn is_queueing(workload: &Workload, entry: &EngineEntry) -> bool {
    entry.is_queueing || (entry.is_batching && workload.depth > 1) || offloads(workload, entry)
}

/// Maximum number of requests in flight.
pub(super) fn depth_of(workload: &Workload, entry: &EngineEntry) -> u32 {
    if offloads(workload, entry) { workload.depth } else { entry.depth_of(workload) }
}

/// Prepares a job's files before their first I/O.
fn make_ready(targets: &[Arc<Target>], files: &[FileUse], workload: &Workload) -> std::io::Result<()> {
    targets.iter().zip(files).try_for_each(|(target, file)| files::before_io(target, workload, file))
}

fn recorder(workload: &Workload, entry: &EngineEntry) -> Recorder {
    let used = |direction| match direction {
        // Reading back counts as reads.
        Direction::Read => workload.reads(),
        _ => workload.uses(direction),
    };
    let shape = RecorderShape {
        is_queueing: is_queueing(workload, entry),
        window_ns: workload.window_ns,
        measured: workload.measured,
        has_rate: workload.rate.iter().any(|(_, rate)| rate.is_some()),
    };
    Recorder::new(used, shape)
}

/// Creates a worker in memory of its own. Not inlined: the caller's stack has no copy of it.
#[inline(never)]
fn boxed(parts: WorkerParts) -> Box<Worker> {
    Box::new(Worker::new(parts))
}
