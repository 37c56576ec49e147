//! One run of jobs: the only place where the engine is started.

use cardiograph_core::schemars;
use std::sync::Arc;

use cardiograph_core::drive::{ConditionsOfStep, DeviceCounters, Drive};
use cardiograph_core::figures::StepFigures;
use cardiograph_core::ran_job::RanJob;
use cardiograph_core::report::{Step, StepOutcome, StepResult};
use cardiograph_core::result::{RunResult, WorkerResult};
use cardiograph_core::{Plan, PlannedJob, counters};
use cardiograph_engine::gate::WritePermit;
use cardiograph_engine::observer::SoFar;
use cardiograph_engine::{Control, Event, Helpers, Observer, Progress, RunRequest, Target};
use cardiograph_fio::fio_command;
use serde::{Deserialize, Serialize};

use crate::checkup_target::CheckupTarget;
use crate::failure::Failure;
use crate::gauges::Gauges;
use crate::messages;
use crate::outcome::step_outcome;
use crate::presence::Presence;
use crate::sink::Sink;

/// Jobs ready to run.
pub struct ReadyJobs<'a> {
    /// The jobs.
    pub plan: &'a Plan,
    /// Their targets, in the order of the Plan.
    pub targets: &'a [Arc<Target>],
    /// Permit to write to them.
    pub permit: Option<&'a WritePermit>,
    /// Seed of the written data.
    pub seed: u64,
    /// Helpers of the run.
    pub helpers: Helpers<'a>,
    /// Where the kernel's counters and the conditions are read, if at all.
    pub on: Option<(&'a CheckupTarget, &'a Drive)>,
    /// The drives before the run: a disappeared one explains a failure.
    pub presence: Presence,
}

/// Results of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Ran {
    /// The engine's result.
    pub result: RunResult,
    /// The kernel's counters for the same time.
    pub counted: Option<DeviceCounters>,
    /// Temperature and voltage before and after.
    pub conditions: Option<ConditionsOfStep>,
    /// The drives as they were before.
    pub presence: Presence,
}

impl<'a> ReadyJobs<'a> {
    /// Jobs without helpers, whose drive is not read.
    pub fn new(
        plan: &'a Plan,
        targets: &'a [Arc<Target>],
        permit: Option<&'a WritePermit>,
        seed: u64,
    ) -> Self {
        Self {
            plan,
            targets,
            permit,
            seed,
            helpers: Helpers::default(),
            on: None,
            presence: Presence::default(),
        }
    }

    /// Runs them. They are asked to stop when `should_stop` returns true, which is checked with each progress
    /// event.
    ///
    /// # Errors
    /// When they could not begin.
    pub fn run(
        &self,
        control: &Control,
        should_stop: &dyn Fn() -> bool,
        observer: &dyn Observer,
    ) -> Result<Ran, Failure> {
        let follower = Follower { on: self.on, control, should_stop, observer, gauges: Gauges::default() };
        let request = RunRequest {
            plan: self.plan,
            targets: self.targets,
            permit: self.permit,
            seed: self.seed,
            control,
            observer: &follower,
            helpers: self.helpers.clone(),
        };
        let result = cardiograph_engine::run(&request).map_err(|error| messages::run_error(&error))?;
        let Follower { gauges, .. } = follower;
        let presence = self.presence.clone();
        Ok(Ran { result, counted: gauges.counted(), conditions: gauges.conditions(), presence })
    }
}

/// From this number of workers on, figures take megabytes in transit.
const LARGE_WORKERS: usize = 16;

/// Whether a result has so many workers that the memory used for its transfer is worth releasing.
pub fn is_large(result: &RunResult) -> bool {
    result.workers.len() >= LARGE_WORKERS
}

impl Ran {
    /// For a lost run, of which only the result so far is known.
    pub fn from_lost(result: RunResult) -> Self {
        Self { result, counted: None, conditions: None, presence: Presence::default() }
    }

    /// How it ended.
    pub fn outcome(&self) -> StepOutcome {
        step_outcome(&self.result, &self.presence)
    }

    /// The part of one of its jobs. The kernel's counters include the other jobs: they are used only if it
    /// `ran_alone`.
    pub fn result_of_job(&self, job: usize, ran_alone: bool) -> Self {
        let mut result = self.result.clone();
        result.workers.retain(|worker| worker.job == job);
        // It is the only one of its step.
        result.workers.iter_mut().for_each(|worker| worker.job = 0);
        Self {
            result,
            counted: self.counted.filter(|_| ran_alone),
            conditions: self.conditions.clone(),
            presence: self.presence.clone(),
        }
    }

    /// The result of a step with these `jobs`. For sequential jobs (`in_turn`) there are no figures: sums
    /// would be a mixture.
    pub fn step_result(self, step: Step, jobs: Vec<RanJob>, in_turn: bool) -> StepResult {
        let outcome = self.outcome();
        let checks = self.counted.iter().flat_map(|counted| counters::check_run(&self.result, counted));
        StepResult {
            fio_commands: step.jobs().iter().map(fio_command::command_line).collect(),
            jobs,
            figures: (!in_turn).then(|| StepFigures::from_result(&self.result)),
            counter_checks: checks.collect(),
            conditions: self.conditions,
            device_counters: self.counted,
            result: Some(self.result),
            ..StepResult::new(step, outcome)
        }
    }
}

/// Follows a run: reads the kernel's counters at its start and end, and forwards stop requests.
struct Follower<'a> {
    on: Option<(&'a CheckupTarget, &'a Drive)>,
    control: &'a Control,
    should_stop: &'a dyn Fn() -> bool,
    observer: &'a dyn Observer,
    gauges: Gauges,
}

impl Observer for Follower<'_> {
    fn event(&self, event: &Event) {
        if let Some((target, drive)) = self.on {
            self.gauges.follow(event, target, drive);
        }
        if matches!(event, Event::Progress(_)) && (self.should_stop)() {
            self.control.stop();
        }
        self.observer.event(event);
    }

    fn wants_latency(&self) -> bool {
        self.observer.wants_latency()
    }

    fn start_at_ns(&self) -> Option<u64> {
        let at_ns = self.observer.start_at_ns();
        // It may have waited for long.
        if (self.should_stop)() {
            self.control.stop();
        }
        at_ns
    }

    fn look(&self, elapsed_ns: u64, run: &dyn SoFar) {
        self.observer.look(elapsed_ns, run);
    }

    fn wants_snapshot(&self, elapsed_ns: u64) -> bool {
        self.observer.wants_snapshot(elapsed_ns)
    }

    fn snapshot(&self, result: &RunResult) {
        self.observer.snapshot(result);
    }
}

/// The result of a run before its first I/O: all workers, at zero.
pub fn nothing_yet(plan: &Plan) -> RunResult {
    let worker = |job: usize, clone: u32| WorkerResult {
        job,
        clone,
        engine: plan.jobs[job].workload.engine.clone(),
        ..WorkerResult::default()
    };
    let result_of_job = |(job, planned): (usize, &PlannedJob)| {
        (0..planned.clones.len() as u32).map(move |clone| (job, clone)).collect::<Vec<_>>()
    };
    let workers = plan.jobs.iter().enumerate().flat_map(result_of_job).map(|(job, clone)| worker(job, clone));
    RunResult { workers: workers.collect(), ..RunResult::default() }
}

/// Forwards progress.
pub struct OnProgress<'a> {
    /// The receiver of progress events.
    pub progress: &'a dyn Fn(&Progress),
    /// Whether it needs latency percentiles.
    pub wants_latency: bool,
    /// Receives incremental results.
    pub looks: Option<&'a dyn Sink>,
}

impl Observer for OnProgress<'_> {
    fn event(&self, event: &Event) {
        if let Event::Progress(progress) = event {
            (self.progress)(progress);
        }
    }

    fn start_at_ns(&self) -> Option<u64> {
        self.looks.and_then(Sink::start_at_ns)
    }

    fn look(&self, elapsed_ns: u64, run: &dyn SoFar) {
        self.looks.iter().for_each(|sink| sink.look(elapsed_ns, run));
    }

    fn wants_latency(&self) -> bool {
        self.wants_latency
    }
}
