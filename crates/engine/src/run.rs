//! Runs a Plan: checks it, creates the workers, and drives them in real or simulated time.

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

mod barrier;
mod blueprint;
mod check;
mod forecast;
mod hooks;
mod look;
mod meter;
mod placement;
mod precision;
mod run_state;
mod silence;
mod simulated;
mod steady;
mod threads;
mod watch;

use run_state::RunState;

/// Input of a run.
pub struct RunRequest<'a> {
    /// The Plan to run.
    pub plan: &'a Plan,
    /// The Plan's targets, opened, in its order.
    pub targets: &'a [Arc<Target>],
    /// Permit to write. A Plan that writes does not run without it; whether it writes follows from its
    /// Workloads.
    pub permit: Option<&'a WritePermit>,
    /// Seed of the written data. Runs of the same Plan and seed write the same content; never use the same
    /// seed twice on a drive.
    pub seed: u64,
    /// To stop the run.
    pub control: &'a Control,
    /// Receives events.
    pub observer: &'a dyn Observer,
    /// Services outside the engine.
    pub helpers: Helpers<'a>,
}

/// Services for jobs that the engine does not provide itself.
#[derive(Clone, Default)]
pub struct Helpers<'a> {
    /// Receives the workers' logs. Without it nothing is logged.
    pub logs: Option<&'a dyn LogSink>,
    /// Recordings for jobs that replay. A Plan that replays does not run without it.
    pub replays: Option<&'a dyn Replays>,
    /// Looks up the lengths of files that are unknown when the run begins.
    pub lengths: Option<&'a dyn Lengths>,
    /// Runs the jobs' commands. A Plan with commands does not run without it. Hanging threads keep a
    /// reference.
    pub commands: Option<Arc<dyn Commands>>,
}

/// Looks up the work of a job on files that earlier jobs extend.
pub trait Lengths: Sync {
    /// The job, with its files' current lengths.
    ///
    /// # Errors
    /// Why it cannot run on them.
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
/// When it cannot begin. Later failures of I/Os or of an engine are part of the result, as is an engine that
/// cannot be opened when its job starts.
pub fn run(request: &RunRequest<'_>) -> Result<RunResult, RunError> {
    let mut notes = Vec::new();
    let engines = check::choose_engines(request.plan, &mut notes)?;
    check::check_plan(request)?;
    check::check_access(request)?;
    let result = if engines.first().is_some_and(|entry| entry.is_simulated) {
        let time = simulated::the_time(request)?;
        let state = RunState::new(request, engines, Clock::simulated(time.clone()), notes);
        simulated::run(state, time)
    } else {
        check::allow_descriptors(request.plan);
        threads::run(RunState::new(request, engines, Clock::machine(), notes))
    }?;
    note_filled(request, &result);
    Ok(result)
}

fn push_new(notes: &mut Vec<EngineNote>, note: EngineNote) {
    if !notes.contains(&note) {
        notes.push(note);
    }
}

/// Records on each target how far the job wrote past its filled part: sequentially, or randomly with each
/// block once.
fn note_filled(request: &RunRequest<'_>, result: &RunResult) {
    for worker in &result.workers {
        let job = &request.plan.jobs[worker.job];
        let (workload, files) = (&job.workload, &job.clones[worker.clone as usize]);
        let writes_all =
            workload.strided.is_none() && workload.read_percent == 0 && workload.file_action.is_none();
        let is_in_sequence = workload.order == Order::Sequential && workload.sequential_skip_bytes == 0;
        let is_fill = writes_all && (is_in_sequence || leaves_nothing_out(workload, files));
        let write = &worker.directions.write;
        // Cancelled writes were issued, too: after a stop, only completed ones count.
        let all_arrived = worker.outcome == RunOutcome::Completed
            || (worker.outcome == RunOutcome::Stopped && write.bytes == write.issued_bytes);
        let has_errors = worker.tolerated.as_ref().is_some_and(|errors| errors.total > 0);
        if !is_fill || !all_arrived || worker.failure.is_some() || has_errors || write.short_ios > 0 {
            continue;
        }
        // The ramp's writes came first and are in the file, too. Of several files only complete ones are
        // known.
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

/// Whether random writes that together are as long as the files cover every byte once.
fn leaves_nothing_out(workload: &Workload, files: &[FileUse]) -> bool {
    let len = &workload.block_len.write;
    workload.order == Order::RandomUnique
        && workload.random_percent.write == 100
        && workload.trims == Trims::None
        && len.min_bytes() == len.max_bytes()
        && files.iter().all(|file| file.region_len_bytes.is_multiple_of(len.max_bytes()))
}
