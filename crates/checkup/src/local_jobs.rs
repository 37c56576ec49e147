//! Jobs on files and devices, run in this process.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::Path;
use std::sync::Arc;

use cardiograph_core::drive::{Drive, PASSPORT_VERSION, Passport};
use cardiograph_core::replay::{Recording, RecordingProblem, ReplayRules};
use cardiograph_core::workload::StopWhen;
use cardiograph_core::{Message, Plan, PlannedJob, message};
use cardiograph_drive::{IdentifyError, System};
use cardiograph_engine::target::Access;
use cardiograph_engine::{Control, Observer, Target, gate};
use cardiograph_jobs::options;
use cardiograph_jobs::resolve::{FileFacts, Surroundings};
use cardiograph_judge::trust::{self, Evidence};
use cardiograph_suites::SuiteTraits;

use crate::checkup::{PROGRAM, unix_ms};
use crate::checkup_target::{CheckupTarget, with_ids};
use crate::consent::Stake;
use crate::failure::Failure;
use crate::job_io::{JobIo, Notify, verify_states};
use crate::job_runner::{JobRunner, JobsSpec, OwnFile, PreparedJobs, RunSpec, target_spec};
use crate::local_runner::LocalRunner;
use crate::machine::{Machine, fresh_seed};
use crate::presence::Presence;
use crate::run::{Ran, ReadyJobs, nothing_yet};
use crate::runner::{Caller, Opened, Runner};
use crate::scheduler::JobSchedulers;
use crate::sink::Began;
use crate::targets::{self, Ready};
use crate::{messages, simulated};

/// Runs jobs in this process.
pub struct LocalJobs {
    /// Drive whose kernel counters and conditions are read.
    on: RefCell<Option<(CheckupTarget, Drive)>>,
    notify: Notify,
    sets: RefCell<Vec<Option<Set>>>,
}

/// Prepared jobs.
struct Set {
    plan: Plan,
    ready: Ready,
    /// Until it is finished.
    job_io: Option<JobIo>,
    schedulers: JobSchedulers,
    /// Verification state for the state files.
    states: Vec<(String, Vec<u8>)>,
}

impl LocalJobs {
    /// Without prepared jobs. Problems other than I/O errors go to `notify`.
    pub fn new(notify: Notify) -> Self {
        let (on, sets) = Default::default();
        Self { on, notify, sets }
    }

    /// Sets the drive whose counters and conditions runs read.
    pub fn set_watched(&self, on: Option<(CheckupTarget, Drive)>) {
        self.on.replace(on);
    }

    fn add(&self, set: Set, devices: Vec<(u32, u32)>) -> PreparedJobs {
        let (layout_ns, notes) = (set.ready.layout_ns.clone(), set.ready.notes.clone());
        let mut sets = self.sets.borrow_mut();
        sets.push(Some(set));
        PreparedJobs { set: sets.len() - 1, layout_ns, notes, devices }
    }
}

impl Set {
    fn finish(self) -> Vec<Message> {
        let Self { plan, ready, schedulers, .. } = self;
        drop(schedulers);
        targets::finish(ready, &plan)
    }
}

impl Drop for LocalJobs {
    /// Jobs that were not finished: the caller is gone, or the I/O is stuck.
    fn drop(&mut self) {
        self.sets.get_mut().drain(..).flatten().for_each(|set| {
            // Remove explicitly: a stuck thread may hold a reference forever.
            set.ready.targets.iter().for_each(|target| target.remove());
            drop(set.finish());
        });
    }
}

/// Error for an unknown set.
fn unknown(set: usize) -> Failure {
    Failure::usage(message!("agent-no-set", set))
}

impl JobRunner for LocalJobs {
    fn check(&self) -> Result<(), Failure> {
        Ok(())
    }

    fn free_bytes(&self, path: &Path) -> Result<Option<u64>, Failure> {
        let space = rustix::fs::statvfs(path).ok();
        Ok(space.map(|space| space.f_bavail.saturating_mul(space.f_frsize)))
    }

    fn passport(&self, path: Option<&Path>, inquires: bool, _: Caller<'_>) -> Result<Passport, Failure> {
        let system = System::local();
        let mut drives: Vec<Drive> = match path {
            Some(path) => {
                let found = system.identify_named(path);
                let unidentified = |IdentifyError(error)| message!("checkup-target-unidentified.list", error);
                vec![found.map_err(|error| Failure::usage(unidentified(error)))?]
            }
            None => system.drives(),
        };
        if inquires {
            system.inquire(drives.iter_mut().flat_map(|drive| &mut drive.leaves));
        }
        let mut passport = Passport {
            passport_version: PASSPORT_VERSION,
            program: PROGRAM.to_string(),
            made_unix_ms: unix_ms(),
            host: system.host(),
            environment: system.environment(),
            drives,
            ..Passport::default()
        };
        if let (Some(_), [drive]) = (path, passport.drives.as_slice()) {
            let (host, environment) = (&passport.host, &passport.environment);
            passport.traps =
                trust::panel(&Evidence { drive, host, environment, steps: &[], health_after: &[] });
        }
        passport.drives = passport.drives.into_iter().map(with_ids).collect();
        Ok(passport)
    }

    fn watch(&self, plan: &Plan, caller: Caller<'_>) -> Result<(Box<dyn Runner>, Opened), Failure> {
        let (runner, opened) = match simulated::find_target(plan)? {
            Some(target) => LocalRunner::with_target(target, "job file", SuiteTraits::default())?,
            None => LocalRunner::open(&target_spec(plan, self), caller)?,
        };
        self.set_watched(runner.watched());
        Ok((Box::new(runner), opened))
    }

    fn prepare(&self, jobs: JobsSpec, caller: Caller<'_>) -> Result<PreparedJobs, Failure> {
        let JobsSpec { plan, displays, jobs: written, consents, of_tool } = jobs;
        let mut io_plan = io_plan(&plan);
        verify_states::load(&mut io_plan)?;
        let watched = self.on.borrow().as_ref().and_then(|(target, _)| target.reopen());
        let simulated = match watched.filter(CheckupTarget::is_simulated) {
            Some(target) => Some(target),
            None => simulated::find_target(&plan)?,
        };
        let job_io = JobIo::create(written, &io_plan, &displays, &self.notify)?;
        let schedulers = JobSchedulers::for_plan(&plan)?;
        let control = Control::default();
        let ready = match simulated {
            Some(target) => simulated::prepare(&plan, &target, &control)?,
            None => targets::prepare(&consents, &plan, Stake::Lost, &control, of_tool, caller)?,
        };
        if of_tool {
            for target in &ready.targets {
                // Without permission to read a device the run would only report an engine failure.
                target
                    .open(Access::default())
                    .map_err(|error| messages::unreadable(target.name(), &error))?;
            }
        }
        let states = Vec::new();
        Ok(self.add(Set { plan: io_plan, ready, job_io: Some(job_io), schedulers, states }, devices(&plan)))
    }

    fn make_file(&self, file: OwnFile, _: Caller<'_>) -> Result<PreparedJobs, Failure> {
        let target = match &file.directory {
            Some(directory) => CheckupTarget::directory(directory)?.create_file(file.len_bytes)?,
            None => Target::without_storage(file.len_bytes),
        };
        let targets: Vec<Arc<Target>> = vec![target];
        let permit = gate::permit(&targets).map_err(Failure::usage)?;
        let (layout_ns, notes, prepared) = Default::default();
        let ready = Ready { targets, permit: Some(permit), layout_ns, notes, prepared };
        let plan = Plan::default();
        let (job_io, schedulers, states) = Default::default();
        Ok(self.add(Set { plan, ready, job_io, schedulers, states }, Vec::new()))
    }

    fn run(&self, run: RunSpec, observer: &dyn Observer, caller: Caller<'_>) -> Result<Ran, Failure> {
        let mut sets = self.sets.borrow_mut();
        let set = sets.get_mut(run.set).and_then(Option::as_mut).ok_or_else(|| unknown(run.set))?;
        let mut plan = run.plan.unwrap_or_else(|| set.plan.clone());
        if let Some(only) = &run.only {
            let others = plan.jobs.iter_mut().enumerate().filter(|(index, _)| !only.contains(index));
            others.for_each(|(_, job)| job.clones.clear());
        }
        for StopWhen { time_ns, .. } in plan.jobs.iter_mut().map(|job| &mut job.workload.stop) {
            *time_ns = [*time_ns, run.time_ns_max].into_iter().flatten().min();
        }
        set.schedulers.set()?;
        let mut control = Control::default();
        control.tick_ns = run.tick_ns;
        let on = self.on.borrow();
        let jobs = ReadyJobs {
            helpers: set.job_io.as_ref().map(JobIo::helpers).unwrap_or_default(),
            on: on.as_ref().filter(|_| run.reads_drive).map(|(target, drive)| (target, drive)),
            presence: match run.misses_drives {
                true => Presence::from_targets(&set.ready.targets),
                false => Presence::default(),
            },
            ..ReadyJobs::new(&plan, &set.ready.targets, set.ready.permit.as_ref(), fresh_seed())
        };
        caller.sink.began(Began { result: nothing_yet(&plan), ..Began::default() });
        let watched = on.as_ref().filter(|_| run.reads_drive && run.wants_latency);
        let thermometer = watched.and_then(|(target, drive)| target.thermometer(drive));
        let should_stop = || {
            thermometer.iter().for_each(|thermometer| thermometer.report(caller.sink));
            caller.signals.received().is_some()
        };
        let ran = jobs.run(&control, &should_stop, observer)?;
        set.states = verify_states::from_run(&plan, &ran.result);
        Ok(ran)
    }

    fn end_logs(&self, set: usize, _: Caller<'_>) -> Result<(), Failure> {
        let mut sets = self.sets.borrow_mut();
        let set = sets.get_mut(set).and_then(Option::as_mut).ok_or_else(|| unknown(set))?;
        let written = set.job_io.take().map_or(Ok(()), JobIo::finish);
        written.and(verify_states::save(&std::mem::take(&mut set.states)))
    }

    fn finish(&self, set: usize, _: Caller<'_>) -> Result<Vec<Message>, Failure> {
        let set = self.sets.borrow_mut().get_mut(set).and_then(Option::take).ok_or_else(|| unknown(set))?;
        Ok(set.finish())
    }
}

impl Surroundings for LocalJobs {
    fn file(&self, path: &str) -> FileFacts {
        Machine::default().file(path)
    }

    fn is_directory(&self, path: &str) -> bool {
        Machine::default().is_directory(path)
    }

    fn pattern_file(&self, path: &str) -> Result<Vec<u8>, Message> {
        Machine::default().pattern_file(path)
    }

    fn recording(&self, path: &str, rules: &ReplayRules) -> Result<Recording, RecordingProblem> {
        Machine::default().recording(path, rules)
    }
}

/// The Plan in which layout-only jobs do no I/O: they end as soon as they start.
fn io_plan(plan: &Plan) -> Plan {
    let mut plan = plan.clone();
    for job in plan.jobs.iter_mut().filter(|job| job.workload.files.create_only) {
        let workload = &mut job.workload;
        workload.stop = StopWhen { bytes: None, time_ns: None, ios: Some(0) };
        workload.ramp_ns = 0;
        workload.end_sync = false;
        workload.close_sync = false;
        workload.verify = None;
    }
    plan
}

/// Devices of a Plan's files, by number, each once; the directory's device if the job creates the file.
fn devices(plan: &Plan) -> Vec<(u32, u32)> {
    let with_files = plan.jobs.iter().filter(|job| options::engine(&job.workload.engine).is_on_files());
    let targets: BTreeSet<usize> = with_files.flat_map(PlannedJob::files).map(|file| file.target).collect();
    let mut devices = Vec::new();
    for path in targets.into_iter().map(|target| &plan.targets[target]) {
        let Ok(found) = std::fs::metadata(path).or_else(|_| directory_of(path).metadata()) else { continue };
        let raw = if found.file_type().is_block_device() { found.rdev() } else { found.dev() };
        let number = (rustix::fs::major(raw), rustix::fs::minor(raw));
        if !devices.contains(&number) {
            devices.push(number);
        }
    }
    devices
}

/// The directory of a file, existing or not.
pub fn directory_of(path: &str) -> &Path {
    let parent = Path::new(path).parent().filter(|parent| !parent.as_os_str().is_empty());
    parent.unwrap_or(Path::new("."))
}
