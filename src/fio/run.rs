//! Runs the jobs of a fio command line, and writes the results as fio does.

use std::cell::Cell;
use std::time::Instant;

use cardiograph_catalogue::Language;
use cardiograph_checkup::checkup::unix_ms;
use cardiograph_checkup::deadline::try_with_timeout;
use cardiograph_checkup::job_runner::{JobRunner, JobsSpec, PreparedJobs, RunSpec};
use cardiograph_checkup::messages::{self, Fate};
use cardiograph_checkup::runner::Caller;
use cardiograph_checkup::signals::Signals;
use cardiograph_checkup::simulated;
use cardiograph_checkup::sink::{Activity, Event, Sink};
use cardiograph_core::display::JobDisplay;
use cardiograph_core::result::{EngineNote, RunOutcome, RunResult, WorkerResult};
use cardiograph_core::words::engine::engine_note;
use cardiograph_core::{Direction, Message, NS_PER_MS, Plan, PlannedJob, message};
use cardiograph_engine::{Control, find_engine};
use cardiograph_fio::invocation::{FioJob, ProgramOptions};
use cardiograph_fio::output::headline::{self, Announcement, rw_name};
use cardiograph_fio::output::run::{FioRun, Style};
use cardiograph_jobs::resolve::Resolved;
use cardiograph_jobs::settings::Settings as _;
use time::UtcOffset;

use super::disks::Disks;
use super::figures;
use super::notes::Notes;
use super::output::Output;
use super::run_view::RunView;
use super::watcher::Watcher;
use super::{FIO_VERSION, complain};
use crate::consent::with_consent;
use crate::exit::Failure;
use crate::fio::complain_message;
use crate::screen::english;

/// Error when the output files of a drive that hangs cannot be completed.
const LATE_OUTPUT: Message = message!("output-late");
/// fio's exit status when a signal ended it.
const SIGNALLED: u8 = 128;

/// Runs the jobs. Returns fio's exit status: the number of jobs that failed.
pub fn run(
    program: &ProgramOptions,
    jobs: &[FioJob],
    resolved: &Resolved,
    notes: &Notes,
    (runner, signals): (&dyn JobRunner, &Signals),
) -> Result<u8, Failure> {
    let began = Instant::now();
    // The time zone can be read only while there is a single thread.
    let offset = UtcOffset::current_local_offset().unwrap_or(UtcOffset::UTC);
    let output = Output::open(program)?;
    let plan = &resolved.plan;
    let announcer = Announcer::new(&output, announcement(resolved, jobs));
    let caller = Caller { sink: &announcer, signals };
    let ready = prepare((&program.allow_erase, Language::EN), jobs, resolved, runner, caller)?;
    notes.extend(ready.notes.iter().cloned());
    announcer.print("");
    let shows_disks = resolved.displays.iter().any(|display| display.disk_util);
    let view = RunView {
        jobs,
        resolved,
        program_began: began,
        started_unix_ms: unix_ms(),
        ready: &ready,
        notes,
        disks: shows_disks.then(|| Disks::begin(&ready.devices)),
        offset,
    };
    let ending = match signals.received() {
        Some(signal) => {
            complain(&format!("terminating on signal {signal}"));
            Ok(Ending { status: SIGNALLED, is_hung: false })
        }
        None => {
            print_capped_depths(&output, plan);
            let watcher = Watcher::new(program, &output, signals, &view);
            run_ready(program, &view, &output, &watcher, (runner, caller))
        }
    };
    let is_hung = ending.as_ref().is_ok_and(|ending| ending.is_hung);
    let logged = runner.end_logs(ready.set, caller);
    if !is_hung && runner.check().is_ok() {
        runner.finish(ready.set, caller)?.iter().for_each(complain_message);
    }
    let Ending { status, .. } = ending?;
    let written = match is_hung {
        true => try_with_timeout(LATE_OUTPUT, move || output.finish()),
        false => output.finish(),
    };
    logged.and(written)?;
    Ok(status)
}

/// Prepares the jobs, with consents from the command line, the environment or the user at the terminal.
pub fn prepare(
    (consents, language): (&[String], Language),
    jobs: &[FioJob],
    resolved: &Resolved,
    runner: &dyn JobRunner,
    caller: Caller<'_>,
) -> Result<PreparedJobs, Failure> {
    let is_late = |job: &PlannedJob| job.files().any(|file| file.region_len_bytes == 0);
    let late = if resolved.plan.jobs.iter().any(is_late) { jobs } else { &[] };
    with_consent(consents, language, |consents| {
        let spec = JobsSpec {
            plan: resolved.plan.clone(),
            displays: resolved.displays.clone(),
            jobs: late.to_vec(),
            consents: consents.to_vec(),
            of_tool: false,
        };
        runner.prepare(spec, caller)
    })
}

/// Announces the jobs before any other output about them; of refused jobs only the errors are printed.
struct Announcer<'a> {
    output: &'a Output,
    announcement: String,
    is_announced: Cell<bool>,
}

impl<'a> Announcer<'a> {
    fn new(output: &'a Output, announcement: String) -> Self {
        Self { output, announcement, is_announced: Cell::new(false) }
    }

    fn print(&self, text: &str) {
        if !self.is_announced.replace(true) {
            self.output.print(&self.announcement);
        }
        self.output.print(text);
    }
}

/// Reports the layout of files, and errors during it, where fio does.
impl Sink for Announcer<'_> {
    fn event(&self, event: Event) {
        match event {
            Event::Doing(Activity::LayingOut(words)) => self.print(&words),
            Event::Trouble(line) => complain_message(&line),
            _ => {}
        }
    }
}

/// How a run ended.
struct Ending {
    status: u8,
    /// Whether a drive stopped responding.
    is_hung: bool,
}

/// Runs the prepared jobs, and writes the results.
fn run_ready(
    program: &ProgramOptions,
    view: &RunView<'_>,
    output: &Output,
    watcher: &Watcher<'_>,
    (runner, caller): (&dyn JobRunner, Caller<'_>),
) -> Result<Ending, Failure> {
    let spec = RunSpec {
        set: view.ready.set,
        tick_ns: tick_ns(program),
        tell_every_ns: program.status_interval_ns,
        wants_progress: watcher.shows_progress(),
        ..RunSpec::default()
    };
    let result = runner.run(spec, watcher, caller)?.result;
    report_errors(&result, &view.resolved.plan, view.notes, watcher);
    // The text output has this note before the run.
    let is_printed = |note: &&EngineNote| output.has_text() && matches!(note, EngineNote::DepthCapped { .. });
    let engine_notes: Vec<Message> =
        result.notes.iter().filter(|note| !is_printed(note)).map(engine_note).collect();
    engine_notes.iter().for_each(|note| view.notes.show(note));
    let notes = view.notes.in_results().into_iter().chain(engine_notes.iter().map(english)).collect();
    watcher.make_room();
    output.results(&FioRun { notes, ..view.at_end(&result) });
    let status = match caller.signals.received() {
        Some(_) => SIGNALLED,
        None => u8::try_from(figures::errors(&result)).unwrap_or(u8::MAX),
    };
    Ok(Ending { status, is_hung: result.outcome == RunOutcome::Hung })
}

/// The watcher's interval: the shortest one of what it shows.
fn tick_ns(program: &ProgramOptions) -> u64 {
    let shown = [program.status_interval_ns, Some(program.eta_interval_ns()), program.eta_newline_ns];
    let shortest_ns = shown.into_iter().flatten().min().unwrap_or(u64::MAX);
    shortest_ns.clamp(NS_PER_MS, Control::default().tick_ns)
}

/// The lines before the first I/O.
fn announcement(resolved: &Resolved, jobs: &[FioJob]) -> String {
    let mut text = String::new();
    // A mixed job is announced as mixed even with a share of 100 %.
    let mut mixed = jobs.iter().map(|job| {
        let rw = job.spec.last("rw").and_then(|rw| rw.split(':').next());
        rw.is_some_and(|rw| ["rw", "readwrite", "randrw"].contains(&rw))
    });
    for (job, display) in resolved.plan.jobs.iter().zip(&resolved.displays) {
        let workload = &job.workload;
        let is_mixed = mixed.next().unwrap_or(false);
        let used: Vec<Direction> = Direction::DATA
            .into_iter()
            .filter(|&direction| (is_mixed && direction != Direction::Trim) || workload.uses(direction))
            .collect();
        let range = |direction: Direction| {
            let len = &workload.block_len[direction];
            (len.min_bytes(), len.max_bytes())
        };
        let announcement = Announcement {
            name: workload.name.clone(),
            group: job.group,
            rw: rw_name(&used, workload.order.is_random()),
            block_len_bytes: [range(Direction::Read), range(Direction::Write), range(Direction::Trim)],
            engine: workload.engine.clone(),
            depth: workload.depth,
            clones: job.clones.len() as u32,
        };
        let kb_base = display.kb_base;
        text.push_str(&announcement.text(&Style(JobDisplay { kb_base, ..JobDisplay::default() })));
    }
    text.push_str(&format!("{FIO_VERSION}\n"));
    let is_thread = |job: &FioJob| job.spec.last("thread").is_some_and(|value| value.trim() != "0");
    let (mut threads, mut processes) = (0, 0);
    for (planned, job) in resolved.plan.jobs.iter().zip(jobs) {
        let count = if is_thread(job) { &mut threads } else { &mut processes };
        *count += planned.clones.len() as u32;
    }
    text.push_str(&headline::starting(threads, processes));
    text
}

/// Prints fio's note for each worker whose depth its engine caps.
fn print_capped_depths(output: &Output, plan: &Plan) {
    let is_capped = |job: &&PlannedJob| {
        let is_capped = find_engine(&job.workload.engine).is_some_and(|entry| entry.is_capped(&job.workload));
        is_capped && !job.workload.offload && !job.workload.files.create_only
    };
    for _ in plan.jobs.iter().filter(is_capped).flat_map(|job| &job.clones) {
        output.print(&format!("{}\n", headline::DEPTH_CAPPED_NOTE));
    }
}

/// Prints which jobs failed and why to standard error; notes which ones found no depth.
fn report_errors(result: &RunResult, plan: &Plan, notes: &Notes, watcher: &Watcher<'_>) {
    let mut errors = Vec::new();
    for worker in &result.workers {
        if let Some(error) = figures::error_of(worker) {
            let name = &plan.jobs[worker.job].workload.name;
            let (errno, text) = (error.errno.to_string(), error.text);
            errors.push(message!("fio-job-failed", job = name, clone = worker.clone, errno, error = text));
        }
    }
    let has_no_depth = |worker: &&WorkerResult| {
        plan.jobs[worker.job].workload.latency_target.is_some()
            && worker.slow_io.is_none()
            && worker.found_depth.is_some_and(|found| !found.is_found)
    };
    notes.extend(result.workers.iter().filter(has_no_depth).map(|worker| {
        let name = &plan.jobs[worker.job].workload.name;
        message!("fio-note.no-depth", job = name, clone = worker.clone)
    }));
    if result.outcome == RunOutcome::Hung {
        let is_simulated = plan.jobs.iter().any(simulated::is_simulated);
        errors.push(messages::hung(messages::held_threads(result), Fate::Shown, is_simulated));
    }
    errors.extend(result.notes.iter().filter_map(|note| match note {
        EngineNote::Broke { engine, reason } if engine.is_empty() => Some(reason.clone()),
        _ => None,
    }));
    if !errors.is_empty() {
        watcher.wipe();
    }
    errors.iter().for_each(complain_message);
}
