//! The Runner in this process: makes the files, runs the jobs, and restores what was overwritten.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;

use cardiograph_core::drive::{Drive, DriveHealth};
use cardiograph_core::plan::StartAfter;
use cardiograph_core::ran_job::RanJob;
use cardiograph_core::report::{Step, StepOutcome, StepResult, Work};
use cardiograph_core::result::{EngineNote, RunOutcome};
use cardiograph_core::rng::derive_seed;
use cardiograph_core::{Plan, PlannedJob};
use cardiograph_engine::{Control, Progress, Target, gate};
use cardiograph_jobs::resolve::{FileFacts, ResolveContext, Resolved, Surroundings};
use cardiograph_suites::{NextStep, Sequence, SuiteTraits};

use crate::extra_directories::ExtraDirectories;
use crate::failure::Failure;
use crate::machine::resolved_all;
use crate::place::Place;
use crate::presence::Presence;
use crate::run::{OnProgress, Ran, ReadyJobs};
use crate::runner::{DriveLeft, RunEnd, Runner, StepRun, is_over, without_result};
use crate::scheduler::Schedulers;
use crate::signals::Signals;
use crate::sink::{Activity, Event, Sink};
use crate::trim;

mod app;
mod originals;

/// Runs the steps of a checkup in this process.
pub struct LocalRunner<'a> {
    /// Where it takes place.
    pub place: &'a Place,
    /// What stands there.
    pub drive: Drive,
    /// Name of the suite.
    pub suite: &'static str,
    /// What the suite is like.
    pub traits: SuiteTraits,
    /// Whether it measures past the page cache.
    pub direct: bool,
    /// How long it may take, in nanoseconds.
    pub max_time_ns: Option<u64>,
    /// Seed of the Report.
    pub seed: u64,
    /// Seed of the sequence that steps write together, where the suite has one.
    pub sequence_seed: u64,
    /// Other directories in which steps measure.
    pub extra_directories: ExtraDirectories,
    /// The schedulers of the drives, where steps are to run under others.
    pub schedulers: RefCell<Schedulers>,
    /// Who receives what happens.
    pub sink: &'a dyn Sink,
    /// What may end it.
    pub signals: &'a Signals,
    /// What lasts from step to step.
    pub underway: Underway,
}

/// The test files of the steps so far, and when the checkup began.
pub struct Underway {
    files: RefCell<HashMap<String, Arc<Target>>>,
    control: Control,
    began: Instant,
    began_simulated_ns: u64,
}

impl Underway {
    /// From now on.
    pub fn begin(place: &Place) -> Self {
        Self {
            files: RefCell::default(),
            control: Control::default(),
            began: Instant::now(),
            began_simulated_ns: place.simulated_now_ns().unwrap_or(0),
        }
    }
}

impl Runner for LocalRunner<'_> {
    fn elapsed_ns(&self) -> u64 {
        match self.place.simulated_now_ns() {
            Some(now_ns) => now_ns - self.underway.began_simulated_ns,
            None => u64::try_from(self.underway.began.elapsed().as_nanos()).unwrap_or(u64::MAX),
        }
    }

    fn run_step(&mut self, nth: u64, next: NextStep) -> Result<StepRun, Failure> {
        match next.step.work.app() {
            Some(app) => self.run_app(nth, next.step.clone(), app),
            None => self.run_jobs_of(nth, next).map(|result| StepRun { result, note: None }),
        }
    }

    fn leave_drive(&mut self, end: RunEnd) -> DriveLeft {
        let mut left = self.leave_device(end);
        let mut files = self.underway.files.borrow_mut();
        if end.is_interrupted {
            // What was written need not be written again.
            for target in files.values().filter(|target| target.keep_part()) {
                left.parts.files += 1;
                left.parts.len_bytes += target.len_bytes();
            }
        }
        if end.is_hung {
            // Removing them could wait for the drive. The kernel does it when the process has ended, or a later run.
            std::mem::forget(std::mem::take(&mut *files));
        }
        left
    }

    fn read_health(&self) -> Vec<DriveHealth> {
        self.place.health(&self.drive)
    }
}

impl LocalRunner<'_> {
    fn should_stop(&self) -> bool {
        is_over(self.max_time_ns, self.elapsed_ns(), self.signals)
    }

    /// Makes the files of a step, and runs its jobs on them.
    fn run_jobs_of(
        &self,
        nth: u64,
        NextStep { mut step, scheduler, trims, sequence }: NextStep,
    ) -> Result<StepResult, Failure> {
        if !self.direct {
            step.work = through_the_cache(step.work);
        }
        self.schedulers.borrow_mut().set(scheduler.as_deref())?;
        let (place, drive) = self.extra_directories.of(&step).unwrap_or((self.place, &self.drive));
        if trims {
            self.sink.event(Event::Doing(Activity::Trimming(&step)));
            place.trim(trim::free_space)?;
        }
        self.make_room(&step, sequence, place)?;
        let (mut plan, jobs) = self.plan(&step, sequence)?;
        if !self.save_originals(&step, &mut plan)? {
            return Ok(without_result(step, StepOutcome::Interrupted));
        }
        let in_turn = plan.jobs.iter().any(|job| job.start.after != StartAfter::Nothing);
        // What a step writes must be new to the drive: neither another step nor another checkup wrote it.
        let content_seed = match sequence {
            Some(_) => self.sequence_seed,
            None => derive_seed(self.place.content_seed(self.seed), nth),
        };
        let mut ran = self.run_jobs(&step, &plan, content_seed, (place, drive))?;
        if sequence.is_some() {
            // Blocks that are not what was written are what is looked for, and no errors beside it.
            ran.result.notes.retain(|note| !matches!(note, EngineNote::WentOn { .. }));
        }
        let mut files = self.underway.files.borrow_mut();
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
    fn make_room(&self, step: &Step, sequence: Option<Sequence>, place: &Place) -> Result<(), Failure> {
        let mut files = self.underway.files.borrow_mut();
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

    /// What a step's jobs come to here, and how they are displayed.
    fn plan(&self, step: &Step, sequence: Option<Sequence>) -> Result<(Plan, Vec<RanJob>), Failure> {
        let files = self.underway.files.borrow();
        let there = FilesThere(&files);
        let mut context = ResolveContext::new(self.seed, self.traits.window_ns);
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
        seed: u64,
        (place, drive): (&Place, &Drive),
    ) -> Result<Ran, Failure> {
        let files = self.underway.files.borrow();
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
        jobs.run(&self.underway.control, &|| self.should_stop(), &observer)
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
