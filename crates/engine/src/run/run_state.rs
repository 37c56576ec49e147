//! State of a run: the part shared by real and simulated time.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use cardiograph_core::pause::Pause;
use cardiograph_core::result::{
    EngineNote, RunOutcome, RunResult, SteadyOutcome, ToleratedErrors, WorkerResult,
};
use cardiograph_core::steady::Work;
use cardiograph_core::{Direction, NS_PER_S, Series};

use super::blueprint::Blueprint;
use super::meter::{self, Meter};
use super::precision::Narrowing;
use super::steady::Settling;
use super::watch::{Judging, Watch};
use super::{RunRequest, forecast, push_new};
use crate::clock::{Clock, ClockMark};
use crate::engine::EngineEntry;
use crate::flow::Flow;
use crate::observer::{Event, State, WorkerState};
use crate::recorder;
use crate::schedule::{Schedule, Stage};
use crate::worker::WorkerEnd;

/// State of a worker. Large data exists only while needed: of thousands of jobs, few run at a time.
#[derive(Clone)]
pub(super) enum Station {
    NotBegun,
    Working(Arc<Blueprint>),
    Done(Box<WorkerResult>),
}

/// State of a run.
pub(super) struct RunState<'a> {
    pub request: &'a RunRequest<'a>,
    pub clock: Clock,
    /// When the run began, in ticks.
    pub start: u64,
    engines: Vec<&'static EngineEntry>,
    /// One per worker, in the Plan's order.
    pub stations: Vec<Station>,
    /// Number of each job's first worker; the last entry is the number of workers.
    first_worker: Vec<usize>,
    schedule: Schedule,
    /// Workers that have started and not ended.
    pub working: usize,
    meter: Meter,
    settling: Vec<Watch<Settling>>,
    narrowing: Vec<Watch<Narrowing>>,
    /// Shared state of flows, by number.
    flows: HashMap<u64, Arc<Flow>>,
    pub notes: Vec<EngineNote>,
    /// When it began, on the kernel's monotonic clock in nanoseconds, if hosts have agreed on a moment.
    pub started_monotonic_ns: Option<u64>,
    /// When the run was stopped, in ticks.
    pub stopped_at: Option<u64>,
    /// Known times when the program did not run.
    pub pauses: Vec<Pause>,
}

impl<'a> RunState<'a> {
    pub fn new(
        request: &'a RunRequest<'a>,
        engines: Vec<&'static EngineEntry>,
        clock: Clock,
        notes: Vec<EngineNote>,
    ) -> Self {
        let mut first_worker = vec![0];
        for job in &request.plan.jobs {
            first_worker.push(first_worker[first_worker.len() - 1] + job.clones.len());
        }
        Self {
            request,
            start: clock.now(),
            engines,
            stations: (0..request.plan.workers()).map(|_| Station::NotBegun).collect(),
            first_worker,
            schedule: Schedule::new(request.plan),
            working: 0,
            meter: Meter::new(request.observer.wants_latency()),
            settling: Watch::all(request.plan, |workload| {
                workload.steady_state.as_ref().map(|wanted| Settling::new(wanted, &clock))
            }),
            narrowing: Watch::all(request.plan, |workload| Narrowing::from_workload(workload, &clock)),
            flows: HashMap::new(),
            notes,
            started_monotonic_ns: None,
            stopped_at: None,
            pauses: Vec::new(),
            clock,
        }
    }

    /// Sends an event to the observer.
    pub fn emit(&self, event: Event) {
        self.request.observer.event(&event);
    }

    /// Begins the run now (ticks).
    pub fn begin(&mut self, start: u64) {
        self.start = start;
        self.meter.begin(start);
    }

    pub fn note(&mut self, note: EngineNote) {
        push_new(&mut self.notes, note);
    }

    /// Age of the run at `now` (ticks), in nanoseconds.
    pub fn age_ns(&self, now: u64) -> u64 {
        self.clock.ns_between(self.start, now)
    }

    fn workers_of(&self, job: usize) -> Range<usize> {
        self.first_worker[job]..self.first_worker[job + 1]
    }

    /// Job and clone of each worker.
    fn all_workers(&self) -> impl Iterator<Item = (usize, usize)> {
        let jobs = self.request.plan.jobs.iter().enumerate();
        jobs.flat_map(|(job, planned)| (0..planned.clones.len()).map(move |clone| (job, clone)))
    }

    /// Starts the jobs that start with the run. Returns the numbers of their workers.
    pub fn start_first(&mut self) -> Vec<usize> {
        self.start_aged(0)
    }

    /// Starts the jobs that are due at `now` (ticks). Returns the numbers of their workers.
    pub fn start_due(&mut self, now: u64) -> Vec<usize> {
        self.start_aged(self.age_ns(now))
    }

    fn start_aged(&mut self, age_ns: u64) -> Vec<usize> {
        let mut started = Vec::new();
        for job in self.schedule.start(age_ns) {
            let workers = self.workers_of(job);
            let wanted = self.request.plan.jobs[job].workload.flow;
            let flow = wanted.map(|wanted| self.flows.entry(wanted.flow).or_default().clone());
            let blueprints = Blueprint::from_job(self.request, job, self.engines[job], flow);
            for (worker, blueprint) in workers.clone().zip(blueprints) {
                self.stations[worker] = Station::Working(blueprint);
            }
            self.working += workers.len();
            started.extend(workers);
        }
        started
    }

    /// When the next job starts that waits only for its delay, in ticks.
    pub fn next_due_at(&mut self) -> Option<u64> {
        let due_ns = self.schedule.next_due_ns()?;
        Some(self.start.saturating_add(self.clock.ticks(due_ns)))
    }

    /// The blueprint of a running worker.
    pub fn blueprint(&self, worker: usize) -> Option<&Arc<Blueprint>> {
        match &self.stations[worker] {
            Station::Working(blueprint) => Some(blueprint),
            _ => None,
        }
    }

    /// All running workers, with their numbers.
    pub fn at_work(&self) -> impl Iterator<Item = (usize, &Arc<Blueprint>)> {
        let numbered = 0..self.stations.len();
        numbered.filter_map(|worker| Some((worker, self.blueprint(worker)?)))
    }

    /// Handles the end of a worker. Returns the numbers of workers that were asked to end with it.
    pub fn ended(&mut self, worker: usize, end: WorkerEnd) -> Vec<usize> {
        let Some(blueprint) = self.blueprint(worker).cloned() else { return Vec::new() };
        let has_failed = end.result.outcome == RunOutcome::Failed;
        let result = blueprint.result(&self.clock, self.start, end);
        self.note_errors(&result);
        self.meter.retire(&blueprint.recorder);
        self.stations[worker] = Station::Done(Box::new(result));
        self.working -= 1;
        let (job, clone) = (blueprint.job, blueprint.clone);
        self.emit(Event::WorkerEnded { job, clone });
        let ending = self.schedule.worker_ended(job, has_failed);
        self.end_as_planned(&ending)
    }

    /// Adds a note about errors after which a worker continued.
    fn note_errors(&mut self, worker: &WorkerResult) {
        let Some(ToleratedErrors { total: errors, first: Some(first), last }) = worker.tolerated else {
            return;
        };
        // The error that ended it is reported as its failure.
        let errors = errors - u64::from(last == worker.failure);
        if errors > 0 {
            let job = self.request.plan.jobs[worker.job].workload.name.clone();
            self.note(EngineNote::WentOn { job, clone: worker.clone, errors, first });
        }
    }

    fn end_as_planned(&self, jobs: &[usize]) -> Vec<usize> {
        let mut stopped = Vec::new();
        for worker in jobs.iter().flat_map(|&job| self.workers_of(job)) {
            if let Some(blueprint) = self.blueprint(worker) {
                blueprint.stop.end_as_planned();
                stopped.push(worker);
            }
        }
        stopped
    }

    /// Stops the run early: asks running workers to end, and starts no others.
    pub fn stop(&mut self, now: u64) {
        if self.stopped_at.is_some() {
            return;
        }
        self.stopped_at = Some(now);
        self.at_work().for_each(|(_, blueprint)| blueprint.stop.ask());
        for job in 0..self.request.plan.jobs.len() {
            if matches!(self.schedule.stage(job), Stage::Waiting | Stage::Delayed) {
                let workers = self.workers_of(job);
                for (clone, worker) in workers.enumerate() {
                    let result = self.not_begun(job, clone, RunOutcome::Stopped);
                    self.stations[worker] = Station::Done(Box::new(result));
                }
            }
        }
        self.schedule.bar_all();
    }

    /// The result of a worker that never started.
    fn not_begun(&self, job: usize, clone: usize, outcome: RunOutcome) -> WorkerResult {
        let window_ns = self.request.plan.jobs[job].workload.window_ns;
        WorkerResult {
            job,
            clone: clone as u32,
            engine: self.engines[job].name.to_string(),
            outcome,
            series: Series { window_ns, ..Series::default() },
            ..WorkerResult::default()
        }
    }

    /// When the next sample of rates that can end jobs is due, in ticks.
    pub fn next_sample_at(&self) -> Option<u64> {
        let settling = self.settling.iter().filter_map(Watch::next_at);
        settling.chain(self.narrowing.iter().filter_map(Watch::next_at)).min()
    }

    /// Takes the samples due at `now` (ticks). Returns the numbers of workers that were asked to end because
    /// their rate is steady or precise enough.
    pub fn sample(&mut self, now: u64) -> Vec<usize> {
        let mut settling = std::mem::take(&mut self.settling);
        let look = |state: &Self, judging: &mut Settling, jobs: &[usize], late_ticks| {
            judging.look(&state.clock, now, late_ticks, state.done_by(jobs))
        };
        let mut ending = self.look_at(&mut settling, now, Self::first_count_from, look);
        self.settling = settling;
        let mut narrowing = std::mem::take(&mut self.narrowing);
        let look = |state: &Self, judging: &mut Narrowing, jobs: &[usize], _| {
            let duration_ns = judging.duration_ns();
            let workers = jobs.iter().flat_map(|&job| state.workers_of(job));
            judging.look(workers.filter_map(|worker| state.windows_of(worker, duration_ns)))
        };
        ending.extend(self.look_at(&mut narrowing, now, Self::last_count_from, look));
        self.narrowing = narrowing;
        ending
    }

    /// Takes the due samples of some watches and ends the jobs that they decide to end.
    fn look_at<J: Judging>(
        &mut self,
        watches: &mut [Watch<J>],
        now: u64,
        count_from: impl Fn(&Self, &[usize]) -> Option<u64>,
        look: impl Fn(&Self, &mut J, &[usize], u64) -> bool,
    ) -> Vec<usize> {
        let mut stopped = Vec::new();
        for watch in watches {
            watch.count_from = watch.count_from.or_else(|| count_from(self, &watch.jobs));
            watch.is_over |= self.have_ended(&watch.jobs);
            let late_ticks = watch.next_at().and_then(|at| now.checked_sub(at));
            if let Some(late_ticks) = late_ticks
                && look(self, &mut watch.judging, &watch.jobs, late_ticks)
            {
                watch.is_over = true;
                let ending = self.schedule.end_group(watch.group);
                stopped.extend(self.end_as_planned(&ending));
            }
        }
        stopped
    }

    fn have_ended(&self, jobs: &[usize]) -> bool {
        jobs.iter().all(|&job| matches!(self.schedule.stage(job), Stage::Ended | Stage::Barred))
    }

    /// When the last worker of some jobs begins to count, in ticks; `None` while unknown for one, or if none
    /// is running.
    fn last_count_from(&self, jobs: &[usize]) -> Option<u64> {
        let mut last = None;
        for worker in jobs.iter().flat_map(|&job| self.workers_of(job)) {
            match &self.stations[worker] {
                Station::NotBegun => return None,
                Station::Done(_) => {}
                Station::Working(blueprint) => match blueprint.recorder.count_from() {
                    0 => return None,
                    count_from => last = last.max(Some(count_from)),
                },
            }
        }
        last
    }

    /// The windows of a worker in its first `duration_ns`; `None` before it has begun.
    fn windows_of(&self, worker: usize, duration_ns: u64) -> Option<Series> {
        match &self.stations[worker] {
            Station::NotBegun => None,
            Station::Working(blueprint) => Some(blueprint.recorder.windows(duration_ns)),
            Station::Done(result) => Some(result.series.without_latency()),
        }
    }

    fn first_count_from(&self, jobs: &[usize]) -> Option<u64> {
        let workers = jobs.iter().flat_map(|&job| self.workers_of(job));
        let counting = workers.filter_map(|worker| Some(self.blueprint(worker)?.recorder.count_from()));
        counting.filter(|&count_from| count_from != 0).min()
    }

    fn done_by(&self, jobs: &[usize]) -> Work {
        let mut sum = Work::default();
        for worker in jobs.iter().flat_map(|&job| self.workers_of(job)) {
            match &self.stations[worker] {
                Station::NotBegun => {}
                Station::Working(blueprint) => {
                    for direction in Direction::DATA {
                        let (ios, bytes) = blueprint.recorder.totals(direction);
                        let latency_sum_ns = blueprint.recorder.latency_sum_ns(direction);
                        sum.add(Work { ios, bytes, latency_sum_ns });
                    }
                }
                Station::Done(result) => {
                    for direction in Direction::DATA {
                        let done = &result.directions[direction];
                        // The recorder counts in 64 bits, too.
                        let latency_sum_ns = done.total().sum_ns() as u64;
                        sum.add(Work { ios: done.ios, bytes: done.bytes, latency_sum_ns });
                    }
                }
            }
        }
        sum
    }

    /// Sends a progress event at `now` (ticks).
    pub fn tick(&mut self, now: u64) {
        let mut meter = std::mem::take(&mut self.meter);
        let recorders = self.at_work().map(|(_, blueprint)| &*blueprint.recorder);
        let mut progress = meter.read(recorders, &self.clock, self.start, now);
        self.meter = meter;
        progress.workers = self.states(now);
        progress.left_ns = self.left_ns(now, meter::sum(&progress.total).bytes);
        let elapsed_ns = progress.elapsed_ns;
        self.emit(Event::Progress(Box::new(progress)));
        if self.request.observer.wants_snapshot(elapsed_ns) {
            self.request.observer.snapshot(&self.snapshot(now));
        }
    }

    fn states(&self, now: u64) -> Vec<WorkerState> {
        self.all_workers()
            .zip(&self.stations)
            .map(|((job, clone), station)| {
                let state = match station {
                    Station::Done(_) => State::Ended,
                    Station::Working(blueprint) => working_state(blueprint, now),
                    Station::NotBegun => match self.schedule.stage(job) {
                        Stage::Delayed => State::Delayed,
                        Stage::Barred => State::Ended,
                        _ => State::NotStarted,
                    },
                };
                WorkerState { job, clone: clone as u32, state }
            })
            .collect()
    }

    /// Estimated time left, in nanoseconds, given the total bytes moved so far. The longest running job
    /// counts, unless the end of one ends the others; waiting jobs are added one after another.
    fn left_ns(&self, now: u64, bytes: u64) -> Option<u64> {
        let mut running = Vec::new();
        let mut shortest_ns = u64::MAX;
        for (_, blueprint) in self.at_work() {
            let recorder = &blueprint.recorder;
            let left_ns =
                if recorder.is_in(recorder::Stage::Closing) || recorder.is_in(recorder::Stage::Verifying) {
                    0
                } else {
                    let count_from = recorder.count_from();
                    let done = meter::sum(&meter::done(recorder));
                    let counted_ns = self.clock.ns_between(count_from.max(1), now);
                    let before_ns = self.clock.ns_between(now, count_from);
                    let counted_ns = if count_from == 0 { 0 } else { counted_ns };
                    forecast::running_ns(&blueprint.workload.stop, done, counted_ns, before_ns)?
                };
            if self.request.plan.jobs[blueprint.job].end.others.is_some() {
                shortest_ns = shortest_ns.min(left_ns);
            }
            running.push(left_ns);
        }
        let running_ns = running.into_iter().max().unwrap_or(0).min(shortest_ns);
        let bytes_per_s = u128::from(bytes) * u128::from(NS_PER_S) / u128::from(self.age_ns(now).max(1));
        let bytes_per_s = u64::try_from(bytes_per_s).unwrap_or(u64::MAX);
        let waits = |job: &usize| matches!(self.schedule.stage(*job), Stage::Waiting | Stage::Delayed);
        (0..self.request.plan.jobs.len()).filter(waits).try_fold(running_ns, |sum, job| {
            let workload = &self.request.plan.jobs[job].workload;
            Some(sum.saturating_add(forecast::waiting_ns(workload, bytes_per_s)?))
        })
    }

    /// State of the steady-state detection, by group.
    pub fn steady(&self) -> Vec<SteadyOutcome> {
        self.settling.iter().map(|watch| watch.judging.detector.outcome(watch.jobs[0])).collect()
    }

    fn snapshot(&self, now: u64) -> RunResult {
        let mark = self.clock.mark();
        self.put_together(self.stations.clone(), now, &mark, RunOutcome::Completed)
    }

    /// The result of the run. Workers that have not ended are stuck in the kernel.
    pub fn result(mut self, now: u64, mark: &ClockMark) -> RunResult {
        let stations = std::mem::take(&mut self.stations);
        self.put_together(stations, now, mark, RunOutcome::Hung)
    }

    /// The result, with the given outcome for running workers.
    fn put_together(
        &self,
        stations: Vec<Station>,
        now: u64,
        mark: &ClockMark,
        at_work: RunOutcome,
    ) -> RunResult {
        let workers: Vec<WorkerResult> = stations
            .into_iter()
            .zip(self.all_workers())
            .map(|(station, (job, clone))| match station {
                Station::Done(result) => *result,
                Station::Working(blueprint) => {
                    blueprint.result(&self.clock, self.start, blueprint.end_so_far(at_work, now))
                }
                // It did not start because others hang, the run was ending, or its time had not come.
                Station::NotBegun => {
                    let outcome = match (self.schedule.stage(job), at_work) {
                        (Stage::Waiting | Stage::Delayed, RunOutcome::Hung) => RunOutcome::Stopped,
                        _ => RunOutcome::Completed,
                    };
                    self.not_begun(job, clone, outcome)
                }
            })
            .collect();
        let outcome = workers.iter().map(|worker| worker.outcome).max();
        let precision =
            self.narrowing.iter().map(|watch| watch.judging.outcome(&watch.jobs, &workers)).collect();
        RunResult {
            outcome: outcome.unwrap_or(RunOutcome::Completed),
            duration_ns: workers.iter().map(|worker| worker.end_ns).max().unwrap_or(0),
            clock: self.clock.info(mark),
            started_monotonic_ns: self.started_monotonic_ns,
            workers,
            notes: self.notes.clone(),
            steady: self.steady(),
            precision,
            pauses: self.pauses.clone(),
        }
    }
}

fn working_state(blueprint: &Blueprint, now: u64) -> State {
    let recorder = &blueprint.recorder;
    match recorder.count_from() {
        0 => State::SettingUp,
        _ if recorder.is_in(recorder::Stage::Verifying) => State::Verifying,
        _ if recorder.is_in(recorder::Stage::Closing) => State::Closing,
        count_from if now < count_from => State::Ramp,
        _ => State::Running,
    }
}
