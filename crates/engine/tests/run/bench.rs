//! Shared code of the tests of runs.

use std::cell::RefCell;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};

use cardiograph_core::result::{RunResult, WorkerResult};
use cardiograph_core::{JobSpec, NS_PER_MS, Origin, Plan};
use cardiograph_engine::log::{LogChunk, LogSink};
use cardiograph_engine::sim::{DriveModel, Fault, SimDrive};
use cardiograph_engine::{Control, Event, Helpers, Observer, RunError, RunRequest, Target, gate};
use cardiograph_jobs::resolve::{ResolveContext, resolve};
use cardiograph_testing::drives::PLAIN;

/// Duration of each request on a plain drive, in nanoseconds.
pub const READ_NS: u64 = 100_000;
pub const WRITE_NS: u64 = 200_000;
pub const SYNC_NS: u64 = 500_000;

/// A plain drive with `channels` channels, and faults. As on any machine, its clock does not begin at 0.
pub fn plain_drive(channels: u32, faults: Vec<Fault>) -> Arc<SimDrive> {
    let model =
        DriveModel::from_toml(&PLAIN.replace("channels = 8", &format!("channels = {channels}"))).unwrap();
    let drive = SimDrive::with_faults(model, 1, faults);
    drive.time().store(1_000, Ordering::Relaxed);
    drive
}

/// A file of `mib` on a simulated drive.
pub fn simulated(drive: &Arc<SimDrive>, mib: u64) -> Arc<Target> {
    Target::simulated(drive.create_file(mib << 20).unwrap())
}

/// A job from its options, such as `rw=randread bs=4k`. All jobs that name no other file use the same.
pub fn job(name: &str, options: &str) -> JobSpec {
    let spec = JobSpec::new(name, Origin::CommandLine { word: 1 });
    let spec = if options.contains("filename=") { spec } else { spec.set("filename", "f") };
    options.split_whitespace().fold(spec, |spec, option| {
        let (name, value) = option.split_once('=').unwrap_or((option, "1"));
        spec.set(name, value)
    })
}

/// The Plan of some jobs, with windows of 100 ms.
pub fn plan(jobs: &[JobSpec]) -> Plan {
    resolve(jobs, &ResolveContext::new(7, 100 * NS_PER_MS)).unwrap()
}

/// Keeps all events.
#[derive(Debug, Default)]
pub struct Events(pub RefCell<Vec<Event>>);

impl Observer for Events {
    fn wants_latency(&self) -> bool {
        true
    }

    fn event(&self, event: &Event) {
        self.0.borrow_mut().push(event.clone());
    }
}

/// Keeps all logs.
#[derive(Debug, Default)]
pub struct Lines(pub Mutex<Vec<(usize, u32, LogChunk)>>);

impl LogSink for Lines {
    fn take(&self, job: usize, clone: u32, chunk: LogChunk) {
        self.0.lock().unwrap().push((job, clone, chunk));
    }
}

/// Runs jobs on targets, with a permit to write.
pub fn try_run(jobs: &[JobSpec], targets: &[Arc<Target>], seed: u64) -> Result<RunResult, RunError> {
    run_with(jobs, targets, seed, &Control::default(), &Events::default())
}

/// Like [`try_run`], with a control and an observer.
pub fn run_with(
    jobs: &[JobSpec],
    targets: &[Arc<Target>],
    seed: u64,
    control: &Control,
    observer: &dyn Observer,
) -> Result<RunResult, RunError> {
    run_plan(&plan(jobs), targets, seed, control, observer, None)
}

/// Runs a Plan with all options of a run.
pub fn run_plan(
    plan: &Plan,
    targets: &[Arc<Target>],
    seed: u64,
    control: &Control,
    observer: &dyn Observer,
    logs: Option<&dyn LogSink>,
) -> Result<RunResult, RunError> {
    let permit = gate::permit(targets).unwrap();
    let permit = Some(&permit);
    cardiograph_engine::run(&RunRequest {
        helpers: Helpers { logs, ..Helpers::default() },
        ..RunRequest::new(plan, targets, permit, seed, control, observer)
    })
}

/// Runs one job on one target.
pub fn run_one(options: &str, target: &Arc<Target>) -> RunResult {
    try_run(&[job("job", options)], std::slice::from_ref(target), 7).unwrap()
}

/// Fills a target from its start.
pub fn fill(target: &Arc<Target>, engine: &str, seed: u64) -> RunResult {
    let options = format!("rw=write bs=1M size={} ioengine={engine} iodepth=8 direct=1", target.len_bytes());
    try_run(&[job("fill", &options)], std::slice::from_ref(target), seed).unwrap()
}

/// A filled file on a plain drive.
pub fn filled(channels: u32, mib: u64) -> (Arc<SimDrive>, Arc<Target>) {
    let drive = plain_drive(channels, Vec::new());
    let target = simulated(&drive, mib);
    fill(&target, "sim", 1);
    (drive, target)
}

/// The workers of a job.
pub fn workers(result: &RunResult, job: usize) -> Vec<&WorkerResult> {
    result.workers.iter().filter(|worker| worker.job == job).collect()
}
