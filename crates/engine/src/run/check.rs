//! Checks before a run begins, so that an impossible run does nothing.

use std::collections::HashSet;
use std::sync::Arc;

use cardiograph_core::plan::StartAfter;
use cardiograph_core::result::EngineNote;
use cardiograph_core::workload::FileAction;
use cardiograph_core::{Direction, FileUse, Plan, PlannedJob, message};

use super::blueprint::depth_of;
use super::{RunRequest, push_new};
use crate::engine::EngineEntry;
use crate::engines::{find_engine, find_substitute};
use crate::error::RunError;
use crate::target::{Access, Target};

/// Descriptors that a program needs besides those of its workers' files.
const OTHER_DESCRIPTORS: u64 = 64;

/// The engine of each job, or its fallback.
pub(super) fn choose_engines(
    plan: &Plan,
    notes: &mut Vec<EngineNote>,
) -> Result<Vec<&'static EngineEntry>, RunError> {
    let mut chosen: Vec<&'static EngineEntry> = Vec::new();
    for job in &plan.jobs {
        let name = &job.workload.engine;
        let asked = find_engine(name).ok_or_else(|| RunError::NoSuchEngine { name: name.clone() })?;
        let entry = match (asked.probe)() {
            Ok(()) => asked,
            Err(unavailable) => {
                let other = find_substitute(asked).ok_or_else(|| {
                    let reason = unavailable.clone();
                    RunError::Failed(message!("run-engine-unavailable", engine = name, reason))
                })?;
                let (from, to) = (name.clone(), other.name.to_string());
                push_new(notes, EngineNote::FellBack { from, to, reason: unavailable });
                other
            }
        };
        // Permissions were derived from the workload, so the engine must do exactly that.
        if entry.file_action != job.workload.file_action {
            let (job, engine) = (&job.workload.name, entry.name);
            return Err(RunError::Failed(message!("plan-wrong-engine", job, engine)));
        }
        if depth_of(&job.workload, entry) == 1 && job.workload.depth > 1 {
            let depth = job.workload.depth;
            push_new(notes, EngineNote::DepthCapped { engine: entry.name.to_string(), depth });
        }
        chosen.push(entry);
    }
    let find = |simulated| chosen.iter().find(|entry| entry.is_simulated == simulated);
    match (find(true), find(false)) {
        (Some(simulated), Some(real)) => {
            let (simulated, real) = (simulated.name, real.name);
            Err(RunError::Failed(message!("run-mixed-time", simulated, real)))
        }
        _ => Ok(chosen),
    }
}

/// Refuses writes without a permit, regions outside the target, reads of unwritten data, and Plans that would
/// never end.
pub(super) fn check_plan(request: &RunRequest<'_>) -> Result<(), RunError> {
    for (index, job) in request.plan.jobs.iter().enumerate() {
        let name = || job.workload.name.clone();
        if job.clones.iter().any(Vec::is_empty) {
            return Err(RunError::Failed(message!("plan-nothing-to-do", job = name())));
        }
        if request.helpers.commands.is_none() && !job.workload.commands.is_empty() {
            return Err(RunError::Failed(message!("run-no-commands", job = name())));
        }
        if let StartAfter::Job { job: other } = job.start.after
            && other >= index
        {
            return Err(RunError::Failed(message!("plan-waits-for-later", job = name())));
        }
        job.files().try_for_each(|file| check_file(request, job, file))?;
    }
    Ok(())
}

fn check_file(request: &RunRequest<'_>, job: &PlannedJob, file: &FileUse) -> Result<(), RunError> {
    // Writes by earlier jobs of the Plan do not count, because they may run at the same time.
    let workload = &job.workload;
    let name = || workload.name.clone();
    let target = request
        .targets
        .get(file.target)
        .ok_or_else(|| RunError::Failed(message!("plan-no-target", job = name())))?;
    let end_bytes = file.end_bytes();
    if end_bytes > target.len_bytes() {
        let problem =
            message!("plan-behind-the-end", job = name(), end = end_bytes, length = target.len_bytes());
        return Err(RunError::Failed(problem));
    }
    if workload.is_modifying() && !request.permit.is_some_and(|permit| permit.covers(target)) {
        let target = request.plan.targets.get(file.target).cloned().unwrap_or_default();
        return Err(RunError::NotPermitted { job: name(), target });
    }
    let filled_bytes = target.filled_bytes();
    let moves_data = workload.file_action.is_none();
    // A job that only reads what its own sequence wrote, and verifies all of it, cannot measure holes.
    let knows_what_is_there = workload.verify.as_ref().is_some_and(|of| of.only && of.first_write.is_some());
    if moves_data
        && !knows_what_is_there
        && target.has_storage()
        && workload.uses(Direction::Read)
        && end_bytes > filled_bytes
    {
        return Err(RunError::ReadsUnwritten { job: name(), end_bytes, filled_bytes });
    }
    Ok(())
}

/// Opens each file once in each way that jobs will use, to find files that cannot be opened now rather than
/// when their job starts.
pub(super) fn check_access(request: &RunRequest<'_>) -> Result<(), RunError> {
    let mut opened = HashSet::new();
    for job in &request.plan.jobs {
        let access = Access::for_workload(&job.workload);
        let way = (access.direct, access.writes);
        for file in job.files() {
            let target: &Arc<Target> = &request.targets[file.target];
            let is_openable = target.is_file() || target.is_device();
            // Engines for whole files do not open any in advance.
            let is_whole_file = job.workload.file_action.is_some_and(FileAction::is_whole_file);
            let is_there = !job.workload.files.create_on_open && !is_whole_file;
            let looks_later = file.region_len_bytes == 0;
            if !is_openable || !is_there || looks_later || !opened.insert((file.target, way)) {
                continue;
            }
            target.open(access).map_err(|source| match source.raw_os_error() {
                Some(libc::EINVAL) if access.direct => RunError::Failed(message!("run-direct-refused")),
                _ => RunError::OpenTarget { target: target.name().to_string(), source },
            })?;
        }
    }
    Ok(())
}

/// Raises the soft limit on descriptors as far as possible, so that all workers can have their files open. If
/// that is not enough, opening files will fail.
pub(super) fn allow_descriptors(plan: &Plan) {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    // Each worker has its files, and an engine may have its own descriptor; with submitting threads, each
    // thread has both.
    let descriptors = |job: &PlannedJob| {
        let engines = if job.workload.offload { u64::from(job.workload.depth) } else { 1 };
        job.clones.iter().map(|files| (files.len() as u64 + 1) * engines).sum::<u64>()
    };
    let needed = plan.jobs.iter().map(descriptors).sum::<u64>() + OTHER_DESCRIPTORS;
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    if current.is_some_and(|current| current < needed) {
        let _ = setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum });
    }
}
