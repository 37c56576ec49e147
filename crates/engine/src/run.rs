//! Runs a Plan: checks it, makes the workers, and drives them in real or in simulated time.

use std::sync::Arc;

use cardiograph_core::plan::FileUse;
use cardiograph_core::result::{EngineNote, RunOutcome, RunResult};
use cardiograph_core::workload::{Order, Trims};
use cardiograph_core::{Message, Plan, PlannedJob, Workload};

use crate::clock::Clock;
use crate::commands::Commands;
use crate::control::Control;
use crate::error::RunError;
use crate::gate::WritePermit;
use crate::log::LogSink;
use crate::observer::Observer;
use crate::replay::Replays;
use crate::target::Target;

mod blueprint;
mod check;
mod course;
mod errand;
mod forecast;
mod line;
mod look;
mod meter;
mod precision;
mod seat;
mod silence;
mod simulated;
mod steady;
mod threads;
mod watch;

use course::Course;

/// What a run needs.
pub struct RunRequest<'a> {
    /// What to do.
    pub plan: &'a Plan,
    /// What to do it on: the Plan's targets, opened, in its order.
    pub targets: &'a [Arc<Target>],
    /// Leave to write. A Plan that writes does not run without it; whether it writes is derived from its Workloads.
    pub permit: Option<&'a WritePermit>,
    /// Seed of what is written. Runs of the same Plan and seed write the same content; a drive must not be given the
    /// same twice.
    pub seed: u64,
    /// How it is told to stop.
    pub control: &'a Control,
    /// Who is told how it goes.
    pub observer: &'a dyn Observer,
    /// Who does for the jobs what the engine does not.
    pub helpers: Helpers<'a>,
}

/// Who does for the jobs of a Plan what the engine does not.
#[derive(Clone, Default)]
pub struct Helpers<'a> {
    /// Who takes what workers log. Without it nothing is logged.
    pub logs: Option<&'a dyn LogSink>,
    /// What jobs replay. A Plan that replays does not run without it.
    pub replays: Option<&'a dyn Replays>,
    /// Who looks up the lengths of files that have none when the run begins.
    pub lengths: Option<&'a dyn Lengths>,
    /// Who runs the commands that jobs want to have run. A Plan with commands does not run without it. Threads that hang
    /// keep it.
    pub commands: Option<Arc<dyn Commands>>,
}

/// Finds what a job does on files that the jobs before it make longer.
pub trait Lengths: Sync {
    /// The job, with its files as long as they are now.
    ///
    /// # Errors
    /// Why it cannot be done on them.
    fn look_up(&self, job: usize) -> Result<PlannedJob, Message>;
}

impl<'a> RunRequest<'a> {
    /// A run without helpers.
    pub fn new(
        plan: &'a Plan,
        targets: &'a [Arc<Target>],
        permit: Option<&'a WritePermit>,
        seed: u64,
        control: &'a Control,
        observer: &'a dyn Observer,
    ) -> Self {
        Self { plan, targets, permit, seed, control, observer, helpers: Helpers::default() }
    }
}

/// Runs a Plan to its end.
///
/// # Errors
/// When it cannot begin. I/O that fails later is part of the result, and so is an engine that fails or cannot be opened when
/// the turn of its job has come.
pub fn run(request: &RunRequest<'_>) -> Result<RunResult, RunError> {
    let mut notes = Vec::new();
    let engines = check::choose_engines(request.plan, &mut notes)?;
    check::check_plan(request)?;
    check::check_access(request)?;
    let result = if engines.first().is_some_and(|entry| entry.is_simulated) {
        let time = simulated::the_time(request)?;
        let course = Course::new(request, engines, Clock::simulated(time.clone()), notes);
        simulated::run(course, time)
    } else {
        check::allow_descriptors(request.plan);
        threads::run(Course::new(request, engines, Clock::machine(), notes))
    }?;
    note_filled(request, &result);
    Ok(result)
}

fn push_new(notes: &mut Vec<EngineNote>, note: EngineNote) {
    if !notes.contains(&note) {
        notes.push(note);
    }
}

/// Notes on each target how far writing from its filled part went: in sequence, or all over it at random, each block once.
fn note_filled(request: &RunRequest<'_>, result: &RunResult) {
    for worker in &result.workers {
        let job = &request.plan.jobs[worker.job];
        let (workload, files) = (&job.workload, &job.clones[worker.clone as usize]);
        let writes_all =
            workload.strided.is_none() && workload.read_percent == 0 && workload.file_action.is_none();
        let is_in_sequence = workload.order == Order::Sequential && workload.sequential_skip_bytes == 0;
        let is_fill = writes_all && (is_in_sequence || leaves_nothing_out(workload, files));
        let write = &worker.directions.write;
        // A write that was cancelled was issued, too: after a stop, only what arrived decides.
        let all_arrived = worker.outcome == RunOutcome::Completed
            || (worker.outcome == RunOutcome::Stopped && write.bytes == write.issued_bytes);
        let has_errors = worker.tolerated.as_ref().is_some_and(|errors| errors.total > 0);
        if !is_fill || !all_arrived || worker.failure.is_some() || has_errors || write.short_ios > 0 {
            continue;
        }
        // The ramp's writes are in the file, too, and came first. Of several files only whole ones are known.
        let wanted_bytes: u64 = files.iter().map(|file| file.region_len_bytes).sum();
        for file in files {
            let target = &request.targets[file.target];
            let written = write.issued_bytes.min(file.region_len_bytes);
            let is_single = files.len() == 1 && is_in_sequence;
            let is_known = is_single || write.issued_bytes >= wanted_bytes;
            if is_known && file.offset_bytes <= target.filled_bytes() {
                target.mark_filled(file.offset_bytes + written);
            }
        }
    }
}

/// Whether random writes of as many bytes as the files have hit every byte of them once.
fn leaves_nothing_out(workload: &Workload, files: &[FileUse]) -> bool {
    let len = &workload.block_len.write;
    workload.order == Order::RandomUnique
        && workload.random_percent.write == 100
        && workload.trims == Trims::None
        && len.min_bytes() == len.max_bytes()
        && files.iter().all(|file| file.region_len_bytes.is_multiple_of(len.max_bytes()))
}
