//! The figures of fio's outputs, from the engine's results.

use cardiograph_checkup::messages;
use cardiograph_core::display::{JobDisplay, Unified};
use cardiograph_core::errno::words;
use cardiograph_core::result::{
    IoFailure, RunOutcome, RunResult, SlowIo, SteadyOutcome, ToleratedErrors, WorkerResult,
};
use cardiograph_core::workload::FileAction;
use cardiograph_core::{Direction, Message, NS_PER_MS, NS_PER_S, PerDirection, Workload, message};
use cardiograph_fio::invocation::FioJob;
use cardiograph_fio::output::merge::reported;
use cardiograph_fio::output::run::{
    CpuFigures, DirectionFigures, ErrorTally, Extra, JobEntry, JobError, LatencyTarget, Samples, SteadyState,
    Style, coarser,
};
use cardiograph_jobs::options;
use cardiograph_jobs::resolve::Resolved;
use rustix::io::Errno;

use crate::screen::english;

/// Facts about a run that its result lacks.
pub struct Facts<'a> {
    /// The jobs as written.
    pub jobs: &'a [FioJob],
    /// The jobs as resolved.
    pub resolved: &'a Resolved,
    /// When the run started, in milliseconds since 1970.
    pub started_unix_ms: u64,
    /// Time since the program started, in nanoseconds.
    pub elapsed_ns: u64,
    /// Estimated time left, in nanoseconds.
    pub eta_ns: Option<u64>,
    /// Time to lay out the files of each job, in nanoseconds.
    pub layout_ns: &'a [u64],
    pub notes: &'a [String],
}

/// The entries of the output, in the order of the jobs. With `group_reporting` a group is one entry.
pub fn entries(result: &RunResult, facts: &Facts<'_>) -> Vec<JobEntry> {
    let shows_mixed = facts.resolved.displays.iter().any(|display| display.unified != Unified::No);
    let shown = result
        .workers
        .iter()
        .filter(|worker| facts.resolved.displays.get(worker.job).is_some_and(|display| display.has_stats));
    let entry = |worker| {
        let entry = entry(result, worker, facts);
        let mixed = shows_mixed.then(|| mixed_figures(&entry, worker, facts));
        JobEntry { mixed, ..entry }
    };
    reported(shown.map(entry).collect())
}

/// The number of workers that ended with an error: fio's exit status.
pub fn errors(result: &RunResult) -> usize {
    result.workers.iter().filter(|worker| error_of(worker).is_some()).count()
}

fn entry(result: &RunResult, worker: &WorkerResult, facts: &Facts<'_>) -> JobEntry {
    let planned = &facts.resolved.plan.jobs[worker.job];
    let display = &facts.resolved.displays[worker.job];
    let job = facts.jobs.get(worker.job);
    let options = job.map(|job| written(&job.spec.settings[job.own_from..])).unwrap_or_default();
    JobEntry {
        name: planned.workload.name.clone(),
        group: planned.group,
        jobs: 1,
        error: error_of(worker).or_else(|| last_tolerated(worker)),
        tolerated_errors: worker.tolerated.as_ref().map(error_tally),
        pid: std::process::id(),
        started_unix_ms: facts.started_unix_ms + worker.start_ns / NS_PER_MS,
        options,
        elapsed_s: facts.elapsed_ns.div_ceil(NS_PER_S),
        eta_s: facts.eta_ns.map(|ns| ns.div_ceil(NS_PER_S)),
        directions: PerDirection::from_fn(|direction| direction_figures(worker, direction, display, facts)),
        mixed: None,
        cpu: cpu(worker),
        depths: worker.depths,
        latency_target: latency_target(&planned.workload, worker),
        steady_state: steady_state(result, worker, facts),
        style: Style(display.clone()),
        extra: Some(extra(result, worker, facts, display)),
    }
}

/// Requested and reached `latency_target`; without it, the requested depth.
fn latency_target(workload: &Workload, worker: &WorkerResult) -> LatencyTarget {
    let depth = worker.found_depth.map_or(workload.depth, |found| found.depth);
    let without = LatencyTarget { depth, ..LatencyTarget::default() };
    workload.latency_target.map_or(without, |wanted| LatencyTarget {
        depth,
        target_ns: wanted.target_ns,
        window_us: wanted.window_ns / 1_000,
        percentile: wanted.percentile,
    })
}

/// Options as written, for JSON.
pub fn written(settings: &[cardiograph_core::Setting]) -> Vec<(String, String)> {
    settings.iter().map(|setting| (setting.option.clone(), setting.value.clone())).collect()
}

/// The error that a worker ended with.
pub fn error_of(worker: &WorkerResult) -> Option<JobError> {
    let error = |errno: Errno, text: String| Some(JobError { errno: errno.raw_os_error(), text });
    if let Some(failure) = worker.failure {
        return Some(request_error(worker, failure));
    }
    if let Some(reason) = &worker.failed_command {
        return error(Errno::CANCELED, english(reason));
    }
    if let Some(missed) = worker.missed_rate {
        let unit = if missed.counts_ios { "iops" } else { "B/s" };
        return error(
            Errno::IO,
            format!(
                "{} below its minimum: wanted={}{unit}, got={}{unit}",
                missed.direction.name(),
                missed.wanted_per_second,
                missed.reached_per_second
            ),
        );
    }
    if let Some(slow) = &worker.slow_io {
        let SlowIo { target, direction, offset_bytes, len_bytes, latency_ns, limit_ns } = slow;
        return error(
            Errno::TIMEDOUT,
            format!(
                "latency of {latency_ns} nsec exceeds specified max ({limit_ns} nsec): {target} {} \
                 {offset_bytes} {len_bytes}, error={}",
                direction.name(),
                words(Errno::TIMEDOUT.raw_os_error())
            ),
        );
    }
    match worker.outcome {
        RunOutcome::Hung => error(Errno::TIMEDOUT, english(&message!("fio-job-error.hung"))),
        RunOutcome::Failed => error(Errno::IO, english(&message!("fio-job-error.engine"))),
        RunOutcome::Completed | RunOutcome::Stopped => None,
    }
}

/// A request that failed.
fn request_error(worker: &WorkerResult, failure: IoFailure) -> JobError {
    let call = options::engine(&worker.engine).file_action.and_then(whole_file_call);
    let errno = failure.errno;
    let file_error = |call| JobError { errno, text: format!("{}, error={}", english(&call), words(errno)) };
    call.map_or_else(|| io_error(worker, failure), file_error)
}

/// A failed I/O. For a read of bad content, the diagnosis of the block.
fn io_error(worker: &WorkerResult, failure: IoFailure) -> JobError {
    let IoFailure { direction, offset_bytes, errno, .. } = failure;
    let text = match worker.verified.as_ref().filter(|verified| verified.bad_blocks > 0) {
        Some(verified) if errno == Errno::ILSEQ.raw_os_error() => {
            english(&messages::verify_failure(verified))
        }
        _ => format!("{} at {offset_bytes}, error={}", direction.name(), words(errno)),
    };
    JobError { errno, text }
}

/// The call of an action on a whole file; `None` for calls at an offset, whose error shows it.
fn whole_file_call(action: FileAction) -> Option<Message> {
    match action {
        FileAction::Create => Some(message!("fio-job-error.create")),
        FileAction::Stat => Some(message!("fio-job-error.stat")),
        FileAction::Delete => Some(message!("fio-job-error.delete")),
        FileAction::CreateDirectory => Some(message!("fio-job-error.create-directory")),
        FileAction::StatDirectory => Some(message!("fio-job-error.stat-directory")),
        FileAction::DeleteDirectory => Some(message!("fio-job-error.delete-directory")),
        FileAction::Truncate | FileAction::Allocate => None,
    }
}

/// The last tolerated error of a worker: fio shows it as the job's, too, and still exits with success.
fn last_tolerated(worker: &WorkerResult) -> Option<JobError> {
    let last = worker.tolerated.as_ref()?.last?;
    Some(request_error(worker, last))
}

fn error_tally(errors: &ToleratedErrors) -> ErrorTally {
    let first_errno = errors.first.map_or(0, |failure| failure.errno);
    ErrorTally { total: errors.total, first_errno, first_text: words(first_errno) }
}

fn direction_figures(
    worker: &WorkerResult,
    direction: Direction,
    display: &JobDisplay,
    facts: &Facts<'_>,
) -> DirectionFigures {
    let result = &worker.directions[direction];
    let mut figures = DirectionFigures::from_result(result);
    if figures.ios > 0 && direction != Direction::Sync {
        figures.runtime_ms = figures.runtime_ms.max(runtime_ns(worker, facts).div_ceil(NS_PER_MS));
    }
    let measured = facts.resolved.plan.jobs[worker.job].workload.measured;
    if direction != Direction::Sync {
        if !measured.total {
            figures.total = Default::default();
        }
        if !measured.completion {
            figures.completion = Default::default();
        }
    }
    if display.has_samples && direction != Direction::Sync {
        (figures.bandwidth, figures.iops) = samples(worker, &[direction], display);
    }
    figures
}

/// Samples of the bandwidth and IOPS of several directions together.
fn samples(worker: &WorkerResult, directions: &[Direction], display: &JobDisplay) -> (Samples, Samples) {
    let samples = |window_ns| Samples::from_series(&worker.series, directions, window_ns, display.kb_base);
    (samples(display.bandwidth_window_ns).0, samples(display.iops_window_ns).1)
}

/// Reads, writes and trims of a worker together. Verifying reads follow the writes; otherwise all run at once.
fn mixed_figures(entry: &JobEntry, worker: &WorkerResult, facts: &Facts<'_>) -> DirectionFigures {
    let data = Direction::DATA;
    let mut mixed = DirectionFigures::together(data.iter().map(|&direction| &entry.directions[direction]));
    if facts.resolved.plan.jobs[worker.job].workload.verify.is_some() {
        mixed.runtime_ms = data.iter().map(|&direction| entry.directions[direction].runtime_ms).sum();
    }
    let display = &facts.resolved.displays[worker.job];
    if display.has_samples {
        (mixed.bandwidth, mixed.iops) = samples(worker, &data, display);
    }
    mixed
}

/// Duration of a worker's I/O, in nanoseconds: fio's runtime, which is the same for reads and writes. A job that ends by time
/// runs until then, even if a rate limit left it idle at the end. Verifying reads have a separate runtime.
fn runtime_ns(worker: &WorkerResult, facts: &Facts<'_>) -> u64 {
    let workload = &facts.resolved.plan.jobs[worker.job].workload;
    if workload.verify.is_some() {
        return 0;
    }
    let data = Direction::DATA;
    let last_ns = data.iter().map(|&direction| worker.directions[direction].runtime_ns).max().unwrap_or(0);
    let is_by_time = workload.stop.bytes.is_none() && workload.stop.ios.is_none();
    let ran_to_its_end = worker.outcome == RunOutcome::Completed && worker.missed_rate.is_none();
    let ended_others = facts.resolved.plan.jobs.iter().any(|job| job.end.others.is_some());
    match workload.stop.time_ns {
        Some(time_ns) if is_by_time && workload.is_paced() && ran_to_its_end && !ended_others => {
            last_ns.max(time_ns)
        }
        _ => last_ns,
    }
}

fn cpu(worker: &WorkerResult) -> CpuFigures {
    let cpu = worker.cpu.unwrap_or_default();
    CpuFigures {
        run_ms: (worker.end_ns.saturating_sub(worker.start_ns)).div_ceil(NS_PER_MS),
        user_ms: cpu.user_ns / NS_PER_MS,
        system_ms: cpu.system_ns / NS_PER_MS,
        context_switches: cpu.context_switches,
        major_faults: cpu.major_faults,
        minor_faults: cpu.minor_faults,
    }
}

fn steady_state(result: &RunResult, worker: &WorkerResult, facts: &Facts<'_>) -> Option<SteadyState> {
    let planned = &facts.resolved.plan.jobs[worker.job];
    let wanted = planned.workload.steady_state?;
    let found = find_group(&result.steady, |found| found.job, worker, facts);
    let none = SteadyOutcome { job: worker.job, ..SteadyOutcome::default() };
    Some(SteadyState { wanted, outcome: found.cloned().unwrap_or(none) })
}

/// The result for the group of a worker's job, among those of all groups.
fn find_group<'a, T>(
    found: &'a [T],
    job: impl Fn(&T) -> usize,
    worker: &WorkerResult,
    facts: &Facts<'_>,
) -> Option<&'a T> {
    let jobs = &facts.resolved.plan.jobs;
    let group = jobs[worker.job].group;
    found.iter().find(|found| jobs.get(job(found)).is_some_and(|job| job.group == group))
}

fn extra(result: &RunResult, worker: &WorkerResult, facts: &Facts<'_>, display: &JobDisplay) -> Extra {
    let workload = &facts.resolved.plan.jobs[worker.job].workload;
    let coarse = coarser(&worker.series, display.bandwidth_window_ns);
    let has_intended = worker.directions.iter().any(|(_, figures)| figures.intended.is_some());
    let notes = result
        .notes
        .iter()
        .map(|note| english(&cardiograph_core::words::engine::engine_note(note)))
        .chain(facts.notes.iter().cloned());
    let notes = notes.chain(messages::undetected_by_pattern(workload).map(|note| english(&note))).collect();
    Extra {
        engine: worker.engine.clone(),
        clock: result.clock.clone(),
        seed: workload.seed,
        window_ms: coarse.window_ns / NS_PER_MS,
        zero_windows: Samples::zero_windows(&coarse, coarse.window_ns),
        longest_stall_ns: worker.longest_gap_ns,
        layout_ns: if worker.clone == 0 { facts.layout_ns.get(worker.job).copied().unwrap_or(0) } else { 0 },
        phases: worker.phases,
        intended: has_intended
            .then(|| worker.directions.map(|figures| figures.intended.clone().unwrap_or_default())),
        precision: workload
            .precision
            .and_then(|_| find_group(&result.precision, |outcome| outcome.job, worker, facts).copied()),
        verified: worker.verified.clone(),
        recorded: workload.replay.as_ref().and_then(|replay| Some(replay.for_clone(worker.clone)?.1.clone())),
        replayed_ns: if workload.replay.is_some() {
            worker.end_ns - worker.start_ns.min(worker.end_ns)
        } else {
            0
        },
        pauses: result
            .pauses
            .iter()
            .filter(|pause| pause.is_within(worker.start_ns, worker.end_ns))
            .copied()
            .collect(),
        notes,
    }
}
