//! Runs the jobs of a fio command line, and writes what came out as fio does.

use std::cell::Cell;
use std::time::Instant;

use cardiograph_checkup::checkup::unix_ms;
use cardiograph_checkup::deadline::done_in_time;
use cardiograph_checkup::machine::fresh_seed;
use cardiograph_checkup::messages;
use cardiograph_checkup::run::ReadyJobs;
use cardiograph_checkup::scheduler::JobSchedulers;
use cardiograph_checkup::signals::Signals;
use cardiograph_checkup::simulated;
use cardiograph_checkup::sink::{Activity, Event, Sink};
use cardiograph_checkup::targets;
use cardiograph_core::display::JobDisplay;
use cardiograph_core::result::{EngineNote, RunOutcome, RunResult, WorkerResult};
use cardiograph_core::words::engine::engine_note;
use cardiograph_core::workload::StopWhen;
use cardiograph_core::{Direction, NS_PER_MS, Plan, PlannedJob};
use cardiograph_engine::{Control, find_engine};
use cardiograph_fio::invocation::{FioJob, ProgramOptions};
use cardiograph_fio::output::headline::{self, Announcement, rw_name};
use cardiograph_fio::output::run::{FioRun, Style};
use cardiograph_jobs::resolve::Resolved;
use cardiograph_jobs::settings::Settings as _;
use time::UtcOffset;

use super::beside::Beside;
use super::disks::Disks;
use super::figures;
use super::notes::Notes;
use super::output::Output;
use super::teller::Teller;
use super::watcher::Watcher;
use super::{FIO_VERSION, complain, verify_states};
use crate::consent;
use crate::exit::Failure;
use crate::fio::logs::LATE;

/// What is said when the output of a drive that hangs cannot be ended.
const LATE_OUTPUT: &str = "the output could not be ended in time: it may be on the same drive";
/// fio's exit status when a signal ended it.
const SIGNALLED: u8 = 128;

/// Runs the jobs. Returns fio's exit status: how many of them ended with an error.
pub fn run(
    program: &ProgramOptions,
    jobs: &[FioJob],
    resolved: &Resolved,
    notes: &Notes,
) -> Result<u8, Failure> {
    let began = Instant::now();
    // The system tells its zone only while there is one thread.
    let offset = UtcOffset::current_local_offset().unwrap_or(UtcOffset::UTC);
    let signals = Signals::listen_as_fio()?;
    let output = Output::open(program)?;
    let plan = &resolved.plan;
    let announcer = Announcer::new(&output, announcement(resolved, jobs));
    let mut control = Control::default();
    control.tick_ns = tick_ns(program);
    let mut io_plan = io_plan(plan);
    verify_states::load(&mut io_plan)?;
    let simulated = simulated::place(plan)?;
    let beside = Beside::create(jobs, &io_plan, &resolved.displays)?;
    let mut schedulers = JobSchedulers::of(plan)?;
    let ready =
        consent::prepare(&program.allow_destroy, plan, simulated.as_ref(), &control, &signals, &announcer)?;
    notes.extend(ready.notes.iter().cloned());
    announcer.say("");
    let shows_disks = resolved.displays.iter().any(|display| display.disk_util);
    let disks = shows_disks.then(|| Disks::of(plan));
    let teller = Teller {
        jobs,
        resolved,
        program_began: began,
        started_unix_ms: unix_ms(),
        ready: &ready,
        notes,
        disks,
        offset,
    };
    let ending = match signals.received() {
        Some(signal) => {
            complain(&format!("terminating on signal {signal}"));
            Ok(Ending { status: SIGNALLED, is_hung: false, logged: Ok(()) })
        }
        None => {
            tell_capped(&output, plan);
            let watcher = Watcher::new(program, &output, &signals, &control, &teller);
            let run = |()| run_ready(&io_plan, &teller, beside, &output, watcher, (&signals, &control));
            schedulers.set().and_then(run)
        }
    };
    drop(schedulers);
    let is_hung = ending.as_ref().is_ok_and(|ending| ending.is_hung);
    targets::finish(ready, plan, is_hung).iter().for_each(|stays| complain(stays));
    let Ending { status, logged, .. } = ending?;
    let written = match is_hung {
        true => done_in_time(LATE_OUTPUT, move || output.finish()),
        false => output.finish(),
    };
    logged.and(written)?;
    Ok(status)
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

/// Says that files are laid out, where fio does.
impl Sink for Announcer<'_> {
    fn event(&self, event: Event) {
        if let Event::Doing(Activity::LayingOut(words)) = event {
            self.say(&words);
        }
    }
}

/// How a run ended.
struct Ending {
    status: u8,
    /// Whether a drive does not answer any more.
    is_hung: bool,
    /// Whether the logs are complete.
    logged: Result<(), Failure>,
}

/// Runs what is ready, and writes what came out.
fn run_ready(
    plan: &Plan,
    teller: &Teller<'_>,
    beside: Beside<'_>,
    output: &Output,
    watcher: Watcher<'_>,
    (signals, control): (&Signals, &Control),
) -> Result<Ending, Failure> {
    let jobs = ReadyJobs {
        helpers: beside.helpers(),
        ..ReadyJobs::new(plan, &teller.ready.targets, teller.ready.permit.as_ref(), fresh_seed())
    };
    // The watcher says which signal it was before it asks the run to stop.
    let result = jobs.run(control, &|| false, &watcher)?.result;
    let is_hung = result.outcome == RunOutcome::Hung;
    tell_errors(&result, plan, teller.notes, &watcher);
    // The text has said so before the run.
    let is_said = |note: &&EngineNote| output.has_text() && matches!(note, EngineNote::DepthCapped { .. });
    let of_engine: Vec<String> = result.notes.iter().filter(|note| !is_said(note)).map(engine_note).collect();
    of_engine.iter().for_each(|note| teller.notes.show(note));
    let notes = [teller.notes.in_results(), of_engine].concat();
    watcher.make_room();
    output.results(&FioRun { notes, ..teller.tell(&result, None) });
    let status = match signals.received() {
        Some(_) => SIGNALLED,
        None => u8::try_from(figures::errors(&result)).unwrap_or(u8::MAX),
    };
    let states = verify_states::of_run(plan, &result);
    let written = beside.written();
    let write = move || written.finish().and(verify_states::save(&states));
    let logged = if is_hung { done_in_time(LATE, write) } else { write() };
    Ok(Ending { status, is_hung, logged })
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

/// The Plan in which jobs that only lay out do no I/O: they end as soon as they start. Where each I/O is to be told, jobs log
/// them.
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
        lines.push(messages::hung(messages::held_threads(result), "shown", is_simulated));
    }
    if !lines.is_empty() {
        watcher.wipe();
    }
    lines.iter().for_each(|line| complain(line));
}
