//! The Runner in this process: creates the files, runs the jobs, and restores overwritten data.

use std::cell::RefCell;
use std::collections::HashMap;
use std::os::unix::fs::FileTypeExt;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use cardiograph_core::drive::{Drive, DriveHealth};
use cardiograph_core::plan::StartAfter;
use cardiograph_core::ran_job::RanJob;
use cardiograph_core::report::{Step, StepOutcome, StepResult, Work};
use cardiograph_core::result::{EngineNote, RunOutcome};
use cardiograph_core::rng::derive_seed;
use cardiograph_core::{Plan, PlannedJob, message};
use cardiograph_engine::fill_files::{FillSet, Found};
use cardiograph_engine::{Control, Progress, Target, gate};
use cardiograph_jobs::resolve::{FileFacts, ResolveContext, Resolved, Surroundings};
use cardiograph_suites::{Need, NextStep, OnDevice, Sequence, SuiteTraits};

use crate::checkup_target::CheckupTarget;
use crate::cleaned::Cleaned;
use crate::consent::Stake;
use crate::extra_directories::ExtraDirectories;
use crate::failure::Failure;
use crate::machine::resolved_all;
use crate::presence::Presence;
use crate::run::{OnProgress, Ran, ReadyJobs, nothing_yet};
use crate::runner::{
    Begun, Caller, DriveLeft, Kept, Looked, Opened, RunEnd, Runner, StepRun, TargetSpec, Terms, Wanted,
    is_over, without_result,
};
use crate::scheduler::Schedulers;
use crate::signals::Signals;
use crate::sink::{Activity, Began, Event};
use crate::{calibration, leftovers, messages, trim};

mod app;
mod originals;

/// Runs a checkup's steps on the drive in this process.
pub struct LocalRunner {
    target: CheckupTarget,
    /// The stack under the target.
    drive: Drive,
    suite: String,
    traits: SuiteTraits,
    terms: Terms,
    /// Leftovers of interrupted checkups.
    found: Vec<Found>,
    /// Seed of the write sequence shared by steps, if the suite has one.
    sequence_seed: u64,
    extra_directories: ExtraDirectories,
    /// Schedulers of the drives, if steps need others.
    schedulers: RefCell<Schedulers>,
    underway: Underway,
}

/// Test files of the steps so far, and the start of the checkup.
struct Underway {
    files: RefCell<HashMap<String, Arc<Target>>>,
    control: Control,
    began: Instant,
    began_simulated_ns: u64,
}

impl Underway {
    /// From now on.
    fn begin(target: &CheckupTarget) -> Self {
        Self {
            files: RefCell::default(),
            control: Control::default(),
            began: Instant::now(),
            began_simulated_ns: target.simulated_now_ns().unwrap_or(0),
        }
    }
}

impl Drop for Underway {
    fn drop(&mut self) {
        self.files.get_mut().values().for_each(|target| target.remove());
    }
}

impl LocalRunner {
    /// Opens a target on a real drive. Nothing is written yet.
    ///
    /// # Errors
    /// When the target cannot be used, or consent is missing.
    pub fn open(spec: &TargetSpec, caller: Caller<'_>) -> Result<(Self, Opened), Failure> {
        let path = &spec.path;
        let is_device = std::fs::metadata(path).is_ok_and(|metadata| metadata.file_type().is_block_device());
        if !is_device {
            return Self::with_target(CheckupTarget::directory(path)?, &spec.suite, spec.traits);
        }
        let writes = match spec.traits.on_device {
            OnDevice::Never => return Err(messages::not_for_devices(path, &spec.suite)),
            OnDevice::Reads => None,
            OnDevice::Writes if spec.traits.puts_back => Some(Stake::Restored),
            OnDevice::Writes => Some(Stake::Lost),
        };
        let target = match CheckupTarget::device(path, writes, &spec.consents, caller) {
            // A dry run destroys nothing.
            Err(Failure { needs: Some(_), message, .. }) if spec.is_dry => {
                caller.sink.event(Event::Note(message!("check-would-ask", why = message)));
                CheckupTarget::device(path, None, &[], caller)?
            }
            opened => opened?,
        };
        Self::with_target(target, &spec.suite, spec.traits)
    }

    /// For an open target.
    ///
    /// # Errors
    /// When its drive cannot be identified.
    pub fn with_target(
        target: CheckupTarget,
        suite: &str,
        traits: SuiteTraits,
    ) -> Result<(Self, Opened), Failure> {
        let opened = target.opened()?;
        let runner = Self {
            drive: opened.drive.clone(),
            suite: suite.to_string(),
            traits,
            terms: Terms { direct: true, max_time_ns: None, seed: 0, resumed: None },
            found: Vec::new(),
            sequence_seed: 0,
            extra_directories: ExtraDirectories::default(),
            schedulers: RefCell::default(),
            underway: Underway::begin(&target),
            target,
        };
        Ok((runner, opened))
    }
}

impl Runner for LocalRunner {
    fn look(&mut self, caller: Caller<'_>) -> Result<Looked, Failure> {
        self.found = self.target.parts_found();
        caller.sink.event(Event::Doing(Activity::Inquiring));
        self.target.inquire(&mut self.drive);
        Ok(Looked { drive: self.drive.clone(), found: self.found.clone() })
    }

    fn make_ready(&mut self, wanted: &Wanted, _: Caller<'_>) -> Result<(), Failure> {
        let Wanted { needs, file_bytes_max, is_dry } = wanted;
        let mut schedulers = Vec::new();
        for need in needs {
            match need {
                Need::Directory { path, file_bytes } => {
                    self.extra_directories.add(path, *file_bytes, *is_dry)?;
                }
                Need::Scheduler { name } => schedulers.push(name.clone()),
                Need::Trim { path } => {
                    let probe = if *is_dry { trim::look } else { trim::probe };
                    match path {
                        Some(path) => probe(Path::new(path))?,
                        None => self.target.trim(probe)?,
                    }
                }
            }
        }
        self.schedulers = RefCell::new(Schedulers::for_drive(&self.drive, &schedulers)?);
        self.target.probe(*is_dry)?;
        self.target.check_space(*file_bytes_max)
    }

    fn begin(&mut self, terms: Terms, caller: Caller<'_>) -> Result<Begun, Failure> {
        let resumed = terms.resumed;
        let mut notes = Vec::new();
        if self.traits.on_device == OnDevice::Writes {
            let recovers = (self.traits.puts_back, resumed.is_some());
            notes.extend(leftovers::recover(&self.target, recovers, caller));
        }
        notes.extend(self.target.clean().notes());
        if !terms.direct {
            notes.push(message!("begin-note.buffered"));
        }
        if self.target.counters(&self.drive).is_none() {
            notes.push(message!("begin-note.no-counters"));
        }
        notes.extend(leftovers::parts_notes(&self.target, &self.found, resumed));
        self.sequence_seed = resumed.map_or_else(|| self.target.content_seed(terms.seed), |set| set.seed);
        self.terms = terms;
        let calibration = if self.target.is_simulated() { None } else { calibration::calibrate() };
        self.underway = Underway::begin(&self.target);
        Ok(Begun { notes, calibration })
    }

    fn elapsed_ns(&self) -> u64 {
        match self.target.simulated_now_ns() {
            Some(now_ns) => now_ns - self.underway.began_simulated_ns,
            None => u64::try_from(self.underway.began.elapsed().as_nanos()).unwrap_or(u64::MAX),
        }
    }

    fn run_step(&mut self, nth: u64, next: NextStep, caller: Caller<'_>) -> Result<StepRun, Failure> {
        match next.step.work.app() {
            Some(app) => self.run_app(nth, next.step.clone(), app, caller),
            None => self.prepare_and_run(nth, next, caller).map(|result| StepRun { result, note: None }),
        }
    }

    fn leave_drive(&mut self, end: RunEnd, caller: Caller<'_>) -> DriveLeft {
        let mut left = self.leave_device(end, caller);
        if end.is_interrupted {
            let Kept { files, len_bytes } = self.keep_parts();
            left.parts.files += files;
            left.parts.len_bytes += len_bytes;
        }
        left
    }

    fn read_health(&mut self, _: Caller<'_>) -> Vec<DriveHealth> {
        self.target.health(&self.drive)
    }

    fn clean(&mut self, unneeded: Option<FillSet>, _: Caller<'_>) -> Cleaned {
        // Release its files before removing the rest.
        self.underway.files.borrow_mut().drain().for_each(|(_, target)| target.remove());
        if let Some(set) = unneeded {
            // Unused parts, because less space was requested.
            self.target.remove_set(set);
        }
        let mut cleaned = self.target.clean();
        self.extra_directories.clean().into_iter().for_each(|more| cleaned.stays.extend(more.stays));
        cleaned
    }

    fn remove_leftovers(&mut self, is_dry: bool, caller: Caller<'_>) -> Result<bool, Failure> {
        Ok(leftovers::remove(&self.target, is_dry, caller))
    }
}

impl LocalRunner {
    /// Target and drive where jobs outside of steps are monitored; `None` on a whole device.
    pub fn watched(&self) -> Option<(CheckupTarget, Drive)> {
        Some((self.target.reopen()?, self.drive.clone()))
    }

    /// Keeps parts that a later checkup can resume after, so that they need not be written again.
    pub(crate) fn keep_parts(&self) -> Kept {
        let mut kept = Kept::default();
        for target in self.underway.files.borrow().values().filter(|target| target.keep_part()) {
            kept.files += 1;
            kept.len_bytes += target.len_bytes();
        }
        kept
    }

    fn should_stop(&self, signals: &Signals) -> bool {
        is_over(self.terms.max_time_ns, self.elapsed_ns(), signals)
    }

    /// Creates the files of a step, and runs its jobs on them.
    fn prepare_and_run(
        &self,
        nth: u64,
        NextStep { mut step, scheduler, trims, sequence }: NextStep,
        caller: Caller<'_>,
    ) -> Result<StepResult, Failure> {
        if !self.terms.direct {
            step.work = through_the_cache(step.work);
        }
        self.schedulers.borrow_mut().set(scheduler.as_deref())?;
        let (target, drive) = self.extra_directories.find(&step).unwrap_or((&self.target, &self.drive));
        if trims {
            caller.sink.event(Event::Doing(Activity::Trimming { title: step.title.clone() }));
            target.trim(trim::free_space)?;
        }
        self.make_room(&step, sequence, target, caller)?;
        let (mut plan, jobs) = self.plan(&step, sequence)?;
        if !self.save_originals(&step, &mut plan, caller)? {
            return Ok(without_result(step, StepOutcome::Interrupted));
        }
        let in_turn = plan.jobs.iter().any(|job| job.start.after != StartAfter::Nothing);
        // A step's data must be new to the drive: not written by any other step or checkup.
        let content_seed = match sequence {
            Some(_) => self.sequence_seed,
            None => derive_seed(self.target.content_seed(self.terms.seed), nth),
        };
        caller.sink.began(Began { jobs: jobs.clone(), in_turn, result: nothing_yet(&plan) });
        let mut ran = self.run_jobs(&step, &plan, content_seed, (target, drive), caller)?;
        if sequence.is_some() {
            // Bad blocks are the expected finding, and not errors in addition.
            ran.result.notes.retain(|note| !matches!(note, EngineNote::WentOn { .. }));
        }
        let mut files = self.underway.files.borrow_mut();
        if ran.result.outcome == RunOutcome::Completed && plan.is_modifying() {
            // A part that cannot be marked complete is rewritten by the next checkup.
            let ended = step.files.iter().filter_map(|file| files.get(&file.name));
            ended.for_each(|target| drop(target.end_part()));
            self.note_device_part(&step, sequence, caller);
        }
        // Files that no later step uses.
        let unlinking = plan.jobs.iter().filter(|job| job.workload.files.unlink);
        unlinking.flat_map(PlannedJob::files).for_each(|file| drop(files.remove(&plan.targets[file.target])));
        Ok(ran.step_result(step, jobs, in_turn))
    }

    /// Creates missing files of a step.
    fn make_room(
        &self,
        step: &Step,
        sequence: Option<Sequence>,
        target: &CheckupTarget,
        caller: Caller<'_>,
    ) -> Result<(), Failure> {
        let mut files = self.underway.files.borrow_mut();
        for file in &step.files {
            if files.contains_key(&file.name) {
                continue;
            }
            caller.sink.event(Event::Doing(Activity::MakingRoom { title: step.title.clone() }));
            let target = match sequence {
                None => target.create_file(file.len_bytes),
                Some(Sequence { part: None, .. }) => target.create_file_with_room(file.len_bytes),
                Some(Sequence { part: Some(part), .. }) => {
                    target.part(self.sequence_seed, part, file.len_bytes)
                }
            };
            files.insert(file.name.clone(), target?);
        }
        Ok(())
    }

    /// The resolved jobs of a step, and their display.
    fn plan(&self, step: &Step, sequence: Option<Sequence>) -> Result<(Plan, Vec<RanJob>), Failure> {
        let files = self.underway.files.borrow();
        let there = FilesThere(&files);
        let mut context = ResolveContext::new(self.terms.seed, self.traits.window_ns);
        if sequence.is_some() {
            // The file to verify exists.
            context.surroundings = &there;
        }
        let Resolved { mut plan, displays, .. } = resolved_all(step.jobs(), &context)?;
        let jobs = plan.jobs.iter().zip(displays).map(|(job, display)| RanJob::new(job, display)).collect();
        self.target.adapt(&mut plan);
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
        (target, drive): (&CheckupTarget, &Drive),
        caller: Caller<'_>,
    ) -> Result<Ran, Failure> {
        let files = self.underway.files.borrow();
        let targets: Option<Vec<Arc<Target>>> =
            plan.targets.iter().map(|name| files.get(name).cloned()).collect();
        let targets = targets.ok_or_else(|| Failure::usage(message!("step-file-unknown")))?;
        let permit = match plan.is_modifying() {
            true => Some(gate::permit(&targets).map_err(Failure::usage)?),
            false => None,
        };
        let wants_latency = caller.sink.wants_latency();
        // Simulated time passes in moments, and nobody hears of them.
        let is_shown = wants_latency || !self.target.is_simulated();
        let is_paced = plan.jobs.iter().any(|job| job.workload.is_paced());
        let thermometer = if wants_latency { target.thermometer(drive) } else { None };
        let progress = |progress: &Progress| {
            thermometer.iter().for_each(|thermometer| thermometer.report(caller.sink));
            if is_shown {
                let (title, time_ns_max) = (step.title.clone(), step.time_ns_max);
                let progress = Box::new(progress.clone());
                caller.sink.event(Event::Doing(Activity::Jobs { title, time_ns_max, is_paced, progress }));
            }
        };
        let observer = OnProgress { progress: &progress, wants_latency, looks: Some(caller.sink) };
        let jobs = ReadyJobs {
            on: Some((target, drive)),
            presence: Presence::from_drives([drive]),
            ..ReadyJobs::new(plan, &targets, permit.as_ref(), seed)
        };
        jobs.run(&self.underway.control, &|| self.should_stop(caller.signals), &observer)
    }
}

/// The test files of a checkup, for jobs that verify what an earlier step wrote.
struct FilesThere<'a>(&'a HashMap<String, Arc<Target>>);

impl Surroundings for FilesThere<'_> {
    fn file(&self, name: &str) -> FileFacts {
        self.0
            .get(name)
            .map_or(FileFacts::Missing, |target| FileFacts::File { len_bytes: target.len_bytes() })
    }
}

/// Buffered means buffered: pages that an earlier step left in the cache stay.
fn through_the_cache(work: Work) -> Work {
    match work {
        Work::Jobs(jobs) => Work::Jobs(jobs.into_iter().map(|job| job.set("invalidate", 0)).collect()),
        Work::App(_) | Work::Imported(_) => work,
    }
}
