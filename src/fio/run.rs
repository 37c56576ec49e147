//! Runs the jobs of a fio command line, and writes what came out as fio does.

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
use super::teller::Teller;
use super::watcher::Watcher;
use super::{FIO_VERSION, complain};
use crate::consent::with_consent;
use crate::exit::Failure;
use crate::fio::complain_message;
use crate::screen::english;

/// What is said when the output of a drive that hangs cannot be ended.
const LATE_OUTPUT: Message = message!("output-late");
/// fio's exit status when a signal ended it.
const SIGNALLED: u8 = 128;

/// Runs the jobs. Returns fio's exit status: how many of them ended with an error.
pub fn run(
    program: &ProgramOptions,
    jobs: &[FioJob],
    resolved: &Resolved,
    notes: &Notes,
    (runner, signals): (&dyn JobRunner, &Signals),
) -> Result<u8, Failure> {
    let began = Instant::now();
    // The system tells its zone only while there is one thread.
    let offset = UtcOffset::current_local_offset().unwrap_or(UtcOffset::UTC);
    let output = Output::open(program)?;
    let plan = &resolved.plan;
    let announcer = Announcer::new(&output, announcement(resolved, jobs));
    let caller = Caller { sink: &announcer, signals };
    let ready = prepare((&program.allow_destroy, Language::EN), jobs, resolved, runner, caller)?;
    notes.extend(ready.notes.iter().map(english));
    announcer.say("");
    let shows_disks = resolved.displays.iter().any(|display| display.disk_util);
    let teller = Teller {
        jobs,
        resolved,
        program_began: began,
        started_unix_ms: unix_ms(),
        ready: &ready,
        notes,
        disks: shows_disks.then(|| Disks::of(&ready.devices)),
        offset,
    };
    let ending = match signals.received() {
        Some(signal) => {
            complain(&format!("terminating on signal {signal}"));
            Ok(Ending { status: SIGNALLED, is_hung: false })
        }
        None => {
            tell_capped(&output, plan);
            let watcher = Watcher::new(program, &output, signals, &teller);
            run_ready(program, &teller, &output, &watcher, (runner, caller))
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

/// Has the jobs made ready, with the consents of the words, the environment or whoever sits at the terminal and reads a language.
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

/// Announces the jobs before the first word about them: nothing is said of jobs that are refused but why.
struct Announcer<'a> {
    output: &'a Output,
    announcement: String,
    is_announced: Cell<bool>,
}

impl<'a> Announcer<'a> {
    fn new(output: &'a Output, announcement: String) -> Self {
        Self { output, announcement, is_announced: Cell::new(false) }
    }

    fn say(&self, text: &str) {
        if !self.is_announced.replace(true) {
            self.output.say(&self.announcement);
        }
        self.output.say(text);
    }
}

/// Says that files are laid out, and what fails meanwhile, where fio does.
impl Sink for Announcer<'_> {
    fn event(&self, event: Event) {
        match event {
            Event::Doing(Activity::LayingOut(words)) => self.say(&words),
            Event::Trouble(line) => complain_message(&line),
            Event::Doing(_) | Event::Note(_) => {}
        }
    }
}

/// How a run ended.
struct Ending {
    status: u8,
    /// Whether a drive does not answer any more.
    is_hung: bool,
}

/// Runs what is ready, and writes what came out.
fn run_ready(
    program: &ProgramOptions,
    teller: &Teller<'_>,
    output: &Output,
    watcher: &Watcher<'_>,
    (runner, caller): (&dyn JobRunner, Caller<'_>),
) -> Result<Ending, Failure> {
    let spec = RunSpec {
        set: teller.ready.set,
        tick_ns: tick_ns(program),
        tell_every_ns: program.status_interval_ns,
        wants_progress: watcher.shows_progress(),
        ..RunSpec::default()
    };
    let result = runner.run(spec, watcher, caller)?.result;
    tell_errors(&result, &teller.resolved.plan, teller.notes, watcher);
    // The text has said so before the run.
    let is_said = |note: &&EngineNote| output.has_text() && matches!(note, EngineNote::DepthCapped { .. });
    let of_engine = result.notes.iter().filter(|note| !is_said(note)).map(engine_note);
    let of_engine: Vec<String> = of_engine.map(|note| english(&note)).collect();
    of_engine.iter().for_each(|note| teller.notes.show(note));
    let notes = [teller.notes.in_results(), of_engine].concat();
    watcher.make_room();
    output.results(&FioRun { notes, ..teller.tell(&result, None) });
    let status = match caller.signals.received() {
        Some(_) => SIGNALLED,
        None => u8::try_from(figures::errors(&result)).unwrap_or(u8::MAX),
    };
    Ok(Ending { status, is_hung: result.outcome == RunOutcome::Hung })
}

/// How often the watcher looks: as often as what it shows asks for.
fn tick_ns(program: &ProgramOptions) -> u64 {
    let shown = [program.status_interval_ns, Some(program.eta_interval_ns()), program.eta_newline_ns];
    let shortest_ns = shown.into_iter().flatten().min().unwrap_or(u64::MAX);
    shortest_ns.clamp(NS_PER_MS, Control::default().tick_ns)
}

/// The lines that stand before the first I/O.
fn announcement(resolved: &Resolved, jobs: &[FioJob]) -> String {
    let mut text = String::new();
    // A mix is one whatever the shares are.
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

/// Says of each worker whose depth its engine does not follow that it does not, where fio says it.
fn tell_capped(output: &Output, plan: &Plan) {
    let is_capped = |job: &&PlannedJob| {
        let is_capped = find_engine(&job.workload.engine).is_some_and(|entry| entry.is_capped(&job.workload));
        is_capped && !job.workload.offload && !job.workload.files.create_only
    };
    for _ in plan.jobs.iter().filter(is_capped).flat_map(|job| &job.clones) {
        output.say(&format!("{}\n", headline::DEPTH_CAPPED_NOTE));
    }
}

/// Says on standard error which jobs failed and how; notes which ones did not reach what they were to.
fn tell_errors(result: &RunResult, plan: &Plan, notes: &Notes, watcher: &Watcher<'_>) {
    let mut lines = Vec::new();
    for worker in &result.workers {
        if let Some(error) = figures::error_of(worker) {
            let name = &plan.jobs[worker.job].workload.name;
            lines.push(format!("job '{name}', clone {}: err={}: {}", worker.clone, error.errno, error.text));
        }
    }
    let has_no_depth = |worker: &&WorkerResult| {
        plan.jobs[worker.job].workload.latency_target.is_some()
            && worker.slow_io.is_none()
            && worker.found_depth.is_some_and(|found| !found.is_found)
    };
    notes.extend(result.workers.iter().filter(has_no_depth).map(|worker| {
        let name = &plan.jobs[worker.job].workload.name;
        format!("job '{name}', clone {}: no depth was found that keeps its latency_target", worker.clone)
    }));
    if result.outcome == RunOutcome::Hung {
        let is_simulated = plan.jobs.iter().any(simulated::is_simulated);
        lines.push(english(&messages::hung(messages::held_threads(result), Fate::Shown, is_simulated)));
    }
    lines.extend(result.notes.iter().filter_map(|note| match note {
        EngineNote::Broke { engine, reason } if engine.is_empty() => Some(english(reason)),
        _ => None,
    }));
    if !lines.is_empty() {
        watcher.wipe();
    }
    lines.iter().for_each(|line| complain(line));
}
