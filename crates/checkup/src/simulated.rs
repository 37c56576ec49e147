//! The simulated drive of a run, and its files.

use std::sync::Arc;

use cardiograph_core::{Direction, JobSpec, Origin, Plan, PlannedJob, message};
use cardiograph_engine::observer::Silent;
use cardiograph_engine::sim::MODELS;
use cardiograph_engine::{Control, Target, find_engine, gate};
use cardiograph_jobs::resolve::ResolveContext;

use crate::checkup_target::CheckupTarget;
use crate::failure::Failure;
use crate::machine::fresh_seed;
use crate::machine::resolved;
use crate::run::ReadyJobs;
use crate::session::WINDOW_NS;
use crate::targets::Ready;

/// The minimum transfer of a drive.
const SECTOR_LEN_BYTES: u64 = 512;
/// The default simulated drive.
const SIM_MODEL: &str = "sandisk-ultra-64";

/// Names of the shipped simulated drives.
pub fn names() -> Vec<&'static str> {
    MODELS.iter().map(|(name, _)| *name).collect()
}

/// Whether a job runs on a simulated drive.
pub fn is_simulated(job: &PlannedJob) -> bool {
    find_engine(&job.workload.engine).is_some_and(|entry| entry.is_simulated)
}

/// The simulated drive of a Plan's jobs, if any. All jobs are on one drive, because they share a clock.
///
/// # Errors
/// When only some are simulated, or there is no such drive.
pub fn find_target(plan: &Plan) -> Result<Option<CheckupTarget>, Failure> {
    let Some(job) = plan.jobs.iter().find(|job| is_simulated(job)) else { return Ok(None) };
    if !plan.jobs.iter().all(is_simulated) {
        return Err(Failure::usage(message!("prepare-simulated", job = &job.workload.name)));
    }
    let written = |name: &str| {
        let mut options = plan.jobs.iter().flat_map(|job| &job.workload.engine_options);
        options.find(|(option, _)| option == name).map(|(_, value)| value.as_str())
    };
    let seed = written("sim_seed").and_then(|seed| seed.parse().ok()).unwrap_or(1);
    CheckupTarget::simulated(written("sim_model").unwrap_or(SIM_MODEL), seed).map(Some)
}

/// Creates the files, filled where jobs use them.
pub fn prepare(plan: &Plan, target: &CheckupTarget, control: &Control) -> Result<Ready, Failure> {
    let mut targets = Vec::with_capacity(plan.targets.len());
    for index in 0..plan.targets.len() {
        let uses = plan.jobs.iter().flat_map(PlannedJob::files).filter(|file| file.target == index);
        // In whole sectors, so that all of it can be filled.
        let len_bytes =
            uses.map(|file| file.end_bytes()).max().unwrap_or(0).next_multiple_of(SECTOR_LEN_BYTES);
        let file = target.create_file(len_bytes)?;
        if len_bytes > 0 {
            fill(&file, len_bytes, control)?;
        }
        targets.push(file);
    }
    let permit = gate::permit(&targets).map_err(Failure::usage)?;
    let layout_ns = vec![0; plan.jobs.len()];
    Ok(Ready { targets, permit: Some(permit), layout_ns, notes: Vec::new(), prepared: None })
}

fn fill(target: &Arc<Target>, len_bytes: u64, control: &Control) -> Result<(), Failure> {
    let job = JobSpec::new("layout", Origin::CommandLine { word: 1 })
        .set("rw", Direction::Write.name())
        .set("bs", 1_u64 << len_bytes.trailing_zeros().min(20))
        .set("size", len_bytes)
        .set("filename", "layout")
        .set("ioengine", "sim")
        .set("iodepth", 4);
    let plan = resolved(&[job], &ResolveContext::new(fresh_seed(), WINDOW_NS))?;
    let targets = [target.clone()];
    let permit = gate::permit(&targets).map_err(Failure::usage)?;
    ReadyJobs::new(&plan, &targets, Some(&permit), fresh_seed()).run(control, &|| false, &Silent).map(drop)
}
