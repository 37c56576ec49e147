//! Runs a suite: asks it for the next step, makes the files, runs the jobs, and keeps what came out after each step.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;

use cardiograph_core::drive::Drive;
use cardiograph_core::plan::StartAfter;
use cardiograph_core::ran_job::RanJob;
use cardiograph_core::report::{ReportState, Step, StepOutcome, StepResult, Work};
use cardiograph_core::result::{EngineNote, RunOutcome};
use cardiograph_core::rng::derive_seed;
use cardiograph_core::words::engine::engine_note;
use cardiograph_core::{NS_PER_MS, Plan, PlannedJob, Report};
use cardiograph_engine::{Control, Progress, Target, gate};
use cardiograph_fio::fio_command;
use cardiograph_jobs::resolve::{FileFacts, ResolveContext, Resolved, Surroundings};
use cardiograph_judge::standing::standings;
use cardiograph_judge::trust::{self, Evidence};
use cardiograph_judge::{doubt, purposes};
use cardiograph_suites::{Context, NextStep, Options, Sequence, Suite, SuiteTraits};

use crate::extra_directories::ExtraDirectories;
use crate::failure::Failure;
use crate::keeper::{Keeper, save_in_time};
use crate::machine::resolved_all;
use crate::messages;
use crate::place::Place;
use crate::presence::Presence;
use crate::run::{OnProgress, Ran, ReadyJobs};
use crate::scheduler::Schedulers;
use crate::signals::Signals;
use crate::sink::{Activity, Event, Sink};
use crate::trim;

mod app;
mod originals;

/// Length of the windows of all series, in nanoseconds: fine enough to place a fall-off, and a divisor of the windows
/// that are quoted.
pub const WINDOW_NS: u64 = 100 * NS_PER_MS;

/// What a checkup needs.
pub struct Session<'a> {
    /// Where it takes place.
    pub place: &'a Place,
    /// The suite.
    pub suite: &'static dyn Suite,
    /// What it is like.
    pub traits: SuiteTraits,
    /// What the user asked of it.
    pub options: Options,
    /// Who receives what happens.
    pub sink: &'a dyn Sink,
    /// What may end it.
    pub signals: &'a Signals,
    /// Where it is kept.
    pub keeper: Arc<dyn Keeper>,
    /// Seed of the sequence that steps write together, where the suite has one.
    pub sequence_seed: u64,
    /// Other directories in which steps measure.
    pub extra_directories: ExtraDirectories,
    /// The schedulers of the drives, where steps are to run under others.
    pub schedulers: RefCell<Schedulers>,
}

/// What stays for the next checkup.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Kept {
    /// How many files; none where it lies on a whole device.
    pub files: u64,
    /// How long it is, in bytes.
    pub len_bytes: u64,
}

/// How a checkup ended, beside its Report.
#[derive(Debug, Default)]
pub struct Ending {
    /// Why it ended early, for the user.
    pub message: Option<String>,
    /// Whether workers are still held by the kernel.
    pub is_hung: bool,
    /// Why the Report could not be kept.
    pub not_kept: Option<String>,
    /// What stays on the drive for the next checkup.
    pub parts: Kept,
    /// Whether a device does not hold what it held, though nothing says that it cannot.
    pub is_not_put_back: bool,
}

impl Session<'_> {
    /// Runs the suite to its end, and fills the Report.
    ///
    /// # Errors
    /// When not even the first step could begin.
    pub fn run(&self, report: &mut Report) -> Result<Ending, Failure> {
        let mut ending = Ending::default();
        let mut files: HashMap<String, Arc<Target>> = HashMap::new();
        let clock = SessionClock::start(self.place);
        let control = Control::default();
        self.keeper.begin(report)?;
        while let Some(next) = self.next_step(report) {
            if self.should_stop(&clock) {
                report.state = ReportState::Interrupted;
                break;
            }
            let ran = match next.step.work.app() {
                Some(app) => self.run_app(next.step.clone(), app, report, &clock),
                None => self.run_step(next.clone(), report, &mut files, &control, &clock),
            };
            let mut result = match ran {
                Ok(result) => result,
                Err(failure) if report.steps.is_empty() => {
                    self.leave_device(report, &mut ending);
                    ending.message.iter().for_each(|message| self.sink.event(Event::Trouble(message)));
                    self.leave_no_beginning(report);
                    return Err(failure);
                }
                Err(failure) => {
                    ending.message = Some(failure.message.clone());
                    without_result(next.step, StepOutcome::Failed { message: failure.message })
                }
            };
            result.standings = standings(&result, &report.drive, &report.environment);
            doubt::settle(&mut result, &report.drive, !self.options.direct);
            self.take_in(result, report, &mut ending);
            self.keep(report, &mut ending);
        }
        if report.state == ReportState::Running {
            report.state = ReportState::Finished;
        }
        self.leave_device(report, &mut ending);
        if !ending.is_hung {
            ask_again(self.place, self.signals, report);
        }
        self.judge(report);
        self.keep(report, &mut ending);
        if report.state == ReportState::Interrupted {
            // What was written need not be written again.
            for target in files.values().filter(|target| target.keep_part()) {
                ending.parts.files += 1;
                ending.parts.len_bytes += target.len_bytes();
            }
        }
        if ending.is_hung {
            // Removing them could wait for the drive. The kernel does it when the process has ended, or a later run.
            std::mem::forget(files);
        }
        Ok(ending)
    }

    /// What was exported before a first step that could not begin must not look as if the checkup still ran.
    fn leave_no_beginning(&self, report: &mut Report) {
        report.state = ReportState::Failed;
        // There is already an error to report.
        let _ = self.keeper.begin(report);
    }

    fn context<'b>(&'b self, report: &'b Report) -> Context<'b> {
        Context { drive: &report.drive, environment: &report.environment, options: &self.options }
    }

    fn next_step(&self, report: &Report) -> Option<NextStep> {
        self.suite.next(&self.context(report), &report.steps)
    }

    fn judge(&self, report: &mut Report) {
        look_for_traps(report);
        let measurements = self.suite.measure(&self.context(report), &report.steps);
        report.verdicts = self.suite.judge(&self.context(report), &measurements);
        report.not_judged = purposes::left_out(&report.verdicts, &measurements);
        report.claims = self.suite.claims(&self.context(report), &report.steps);
        report.tables = self.suite.tables(&self.context(report), &report.steps);
        report.measurements = measurements;
    }

    fn should_stop(&self, clock: &SessionClock<'_>) -> bool {
        let is_late = self.options.max_time_ns.is_some_and(|max_ns| clock.elapsed_ns() >= max_ns);
        is_late || self.signals.received().is_some()
    }

    /// Adds a step's result to the Report, and says how it went.
    fn take_in(&self, result: StepResult, report: &mut Report, ending: &mut Ending) {
        match &result.outcome {
            StepOutcome::Done | StepOutcome::Interrupted => {}
            StepOutcome::Failed { message } => {
                ending.message.get_or_insert_with(|| format!("{}: {message}", result.step.title));
            }
            StepOutcome::Hung => {
                ending.is_hung = true;
                let is_simulated = self.place.is_simulated();
                let threads = result.result.as_ref().map_or(1, messages::held_threads);
                ending.message = Some(messages::hung(threads, "kept", is_simulated));
            }
        }
        self.sink.event(Event::StepEnded(&result));
        take_in(result, report);
        self.judge(report);
    }

    fn keep(&self, report: &Report, ending: &mut Ending) {
        let kept = if ending.is_hung { save_in_time(&self.keeper, report) } else { self.keeper.save(report) };
        ending.not_kept = kept.err().map(|failure| failure.message);
    }

    fn run_step(
        &self,
        NextStep { mut step, scheduler, trims, sequence }: NextStep,
        report: &Report,
        files: &mut HashMap<String, Arc<Target>>,
        control: &Control,
        clock: &SessionClock<'_>,
    ) -> Result<StepResult, Failure> {
        if !self.options.direct {
            step.work = through_the_cache(step.work);
        }
        self.schedulers.borrow_mut().set(scheduler.as_deref())?;
        let (place, drive) = self.extra_directories.of(&step).unwrap_or((self.place, &report.drive));
        if trims {
            self.sink.event(Event::Doing(Activity::Trimming(&step)));
            place.trim(trim::free_space)?;
        }
        self.make_room(&step, sequence, place, files)?;
        let (mut plan, jobs) = self.plan(&step, sequence, report.seed, files)?;
        if !self.save_originals(&step, &mut plan, clock)? {
            return Ok(without_result(step, StepOutcome::Interrupted));
        }
        let in_turn = plan.jobs.iter().any(|job| job.start.after != StartAfter::Nothing);
        // What a step writes must be new to the drive: neither another step nor another checkup wrote it.
        let content_seed = match sequence {
            Some(_) => self.sequence_seed,
            None => derive_seed(self.place.content_seed(report.seed), report.steps.len() as u64),
        };
        let mut ran = self.run_jobs(&step, &plan, files, content_seed, (place, drive), (control, clock))?;
        if sequence.is_some() {
            // Blocks that are not what was written are what is looked for, and no errors beside it.
            ran.result.notes.retain(|note| !matches!(note, EngineNote::WentOn { .. }));
        }
        if ran.result.outcome == RunOutcome::Completed && plan.is_modifying() {
            // A part that cannot be called whole is written once more by the next checkup.
            let ended = step.files.iter().filter_map(|file| files.get(&file.name));
            ended.for_each(|target| drop(target.end_part()));
            self.note_device_part(&step, sequence);
        }
        // What no later step uses.
        let unlinking = plan.jobs.iter().filter(|job| job.workload.files.unlink);
        unlinking.flat_map(PlannedJob::files).for_each(|file| drop(files.remove(&plan.targets[file.target])));
        Ok(ran.step_result(step, jobs, in_turn))
    }

    /// Makes the files of a step that are not there.
    fn make_room(
        &self,
        step: &Step,
        sequence: Option<Sequence>,
        place: &Place,
        files: &mut HashMap<String, Arc<Target>>,
    ) -> Result<(), Failure> {
        for file in &step.files {
            if files.contains_key(&file.name) {
                continue;
            }
            self.sink.event(Event::Doing(Activity::MakingRoom(step)));
            let target = match sequence {
                None => place.create_file(file.len_bytes),
                Some(Sequence { part: None, .. }) => place.create_file_with_room(file.len_bytes),
                Some(Sequence { part: Some(part), .. }) => {
                    place.part(self.sequence_seed, part, file.len_bytes)
                }
            };
            files.insert(file.name.clone(), target?);
        }
        Ok(())
    }

    /// What a step's jobs come to here, and how they are told of.
    fn plan(
        &self,
        step: &Step,
        sequence: Option<Sequence>,
        seed: u64,
        files: &HashMap<String, Arc<Target>>,
    ) -> Result<(Plan, Vec<RanJob>), Failure> {
        let there = FilesThere(files);
        let mut context = ResolveContext::new(seed, self.traits.window_ns);
        if sequence.is_some() {
            // What is checked is there.
            context.surroundings = &there;
        }
        let Resolved { mut plan, displays, .. } = resolved_all(step.jobs(), &context)?;
        let jobs = plan.jobs.iter().zip(displays).map(|(job, display)| RanJob::new(job, display)).collect();
        self.place.adapt(&mut plan);
        if let Some(sequence) = sequence {
            let jobs = plan.jobs.iter_mut();
            let checked = jobs.filter_map(|job| job.workload.verify.as_mut());
            checked.for_each(|verify| verify.first_write = Some(sequence.first_write));
        }
        Ok((plan, jobs))
    }

    fn run_jobs(
        &self,
        step: &Step,
        plan: &Plan,
        files: &HashMap<String, Arc<Target>>,
        seed: u64,
        (place, drive): (&Place, &Drive),
        (control, clock): (&Control, &SessionClock<'_>),
    ) -> Result<Ran, Failure> {
        let targets: Option<Vec<Arc<Target>>> =
            plan.targets.iter().map(|name| files.get(name).cloned()).collect();
        let targets = targets.ok_or_else(|| Failure::usage("a step names a file that it did not ask for"))?;
        let permit = match plan.is_modifying() {
            true => Some(gate::permit(&targets).map_err(|refused| Failure::usage(refused.to_string()))?),
            false => None,
        };
        let is_shown = !self.place.is_simulated();
        let progress = |progress: &Progress| {
            if is_shown {
                let (title, time_ns_max) = (step.title.as_str(), step.time_ns_max);
                self.sink.event(Event::Doing(Activity::Jobs { title, time_ns_max, progress }));
            }
        };
        let observer =
            OnProgress { progress: &progress, wants_latency: is_shown && self.sink.wants_latency() };
        let jobs = ReadyJobs {
            on: Some((place, drive)),
            presence: Presence::of([drive]),
            ..ReadyJobs::new(plan, &targets, permit.as_ref(), seed)
        };
        jobs.run(control, &|| self.should_stop(clock), &observer)
    }
}

/// The test files of a checkup, for jobs that check what an earlier step wrote.
struct FilesThere<'a>(&'a HashMap<String, Arc<Target>>);

impl Surroundings for FilesThere<'_> {
    fn file(&self, name: &str) -> FileFacts {
        self.0
            .get(name)
            .map_or(FileFacts::Missing, |target| FileFacts::File { len_bytes: target.len_bytes() })
    }
}

/// Through the cache means through the cache: what an earlier step left in it stays.
fn through_the_cache(work: Work) -> Work {
    match work {
        Work::Jobs(jobs) => Work::Jobs(jobs.into_iter().map(|job| job.set("invalidate", 0)).collect()),
        Work::App(_) | Work::Imported(_) => work,
    }
}

/// A step of which nothing is known but how it ended.
fn without_result(step: Step, outcome: StepOutcome) -> StepResult {
    StepResult {
        fio_commands: step.jobs().iter().map(fio_command::command_line).collect(),
        ..StepResult::new(step, outcome)
    }
}

/// Asks the drives once more how they are. Who ended the checkup by a signal is not kept waiting.
pub fn ask_again(place: &Place, signals: &Signals, report: &mut Report) {
    if signals.received().is_none() {
        report.health_after = place.health(&report.drive);
    }
}

/// Looks for all traps in what is known so far.
pub fn look_for_traps(report: &mut Report) {
    report.traps = trust::panel(&Evidence {
        drive: &report.drive,
        host: &report.host,
        environment: &report.environment,
        steps: &report.steps,
        health_after: &report.health_after,
    });
}

/// Adds a step's result to the Report, with what the engine noted in it, each note once for the whole Report, and what its end
/// means for that of the Report.
pub fn take_in(result: StepResult, report: &mut Report) {
    match &result.outcome {
        StepOutcome::Done => {}
        StepOutcome::Interrupted => report.state = ReportState::Interrupted,
        StepOutcome::Failed { .. } | StepOutcome::Hung => report.state = ReportState::Failed,
    }
    for note in result.result.iter().flat_map(|result| &result.notes) {
        let note = engine_note(note);
        if !report.notes.contains(&note) {
            report.notes.push(note);
        }
    }
    report.steps.push(result);
}

/// Time since a checkup began, real or simulated.
struct SessionClock<'a> {
    place: &'a Place,
    began: Instant,
    began_simulated_ns: u64,
}

impl<'a> SessionClock<'a> {
    fn start(place: &'a Place) -> Self {
        Self { place, began: Instant::now(), began_simulated_ns: place.simulated_now_ns().unwrap_or(0) }
    }

    fn elapsed_ns(&self) -> u64 {
        match self.place.simulated_now_ns() {
            Some(now_ns) => now_ns - self.began_simulated_ns,
            None => u64::try_from(self.began.elapsed().as_nanos()).unwrap_or(u64::MAX),
        }
    }
}

#[cfg(test)]
mod tests;
