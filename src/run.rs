//! `cardiograph run`: runs fio's job files, and shows and saves the figures as a Report.

use std::ffi::OsString;
use std::sync::Arc;
use std::time::Instant;

use cardiograph_checkup::checkup::{Task, blank_report, default_seed, unix_ms};
use cardiograph_checkup::fio_jobs;
use cardiograph_checkup::job_runner::{JobRunner, RunSpec};
use cardiograph_checkup::keeper::{Keeper as _, save_with_timeout};
use cardiograph_checkup::machine::Machine;
use cardiograph_checkup::messages::{self, Fate};
use cardiograph_checkup::run::{OnProgress, Ran};
use cardiograph_checkup::runner::{Caller, Runner, Terms};
use cardiograph_checkup::session::{asked_again, look_for_traps, report_temperatures, settle, take_in};
use cardiograph_checkup::signals::Signals;
use cardiograph_checkup::sink::{Activity, Event, Sink, Stage, Subject, TimeLeft};
use cardiograph_core::message::Parameter;
use cardiograph_core::plan::{EndScope, StartAfter};
use cardiograph_core::ran_job::RanJob;
use cardiograph_core::replay::Recorded;
use cardiograph_core::report::{ReportState, Step, StepOutcome, StepResult, Work, step_ids};
use cardiograph_core::words::replay::replay;
use cardiograph_core::{Direction, Message, Plan, PlannedJob, Report, message};
use cardiograph_engine::{Progress, find_engine};
use cardiograph_fio::invocation::{FioJob, Invocation};
use cardiograph_jobs::resolve::Resolved;
use cardiograph_render::doc::Additions;
use cardiograph_render::text::{self, HeaderFacts, Writes};

use crate::check;
use crate::cli::RunArguments;
use crate::exit::{self, Failure};
use crate::export::{self, Exports};
use crate::fio;
use crate::help::joined_names;
use crate::keeper::Keeper;
use crate::records::{self, Records};
use crate::screen::Screen;
use crate::send::{self, Sender};

/// Runs job files. Returns the exit code.
pub fn run(arguments: &RunArguments, records: &Records, screen: &Screen) -> Result<u8, Failure> {
    let signals = Signals::listen()?;
    records::report_held_processes(screen);
    let caller = Caller { sink: screen, signals: &signals };
    screen.end_after(&signals);
    let invocation = parse(arguments)?;
    let Invocation { program, jobs, .. } = &invocation;
    let job_runner = fio::runner(jobs, &signals)?;
    let resolved = fio::resolve(&invocation, job_runner.as_ref())?;
    let (mut runner, mut report) = begin(arguments, &invocation, &resolved, (job_runner.as_ref(), caller))?;
    let files = arguments.data.files().into_iter().chain(arguments.pictures.files());
    let sender = Sender::of(&arguments.send, records, screen)?;
    let keeper = Keeper::open(records, arguments.no_keep, Exports::open(files)?)?;
    let keeper = Arc::new(keeper.for_server(sender.as_ref().map(Sender::server)));
    keeper.try_save(&report)?;
    sender.iter().for_each(|sender| sender.try_send(screen));
    let facts = header_facts(&resolved.plan, arguments.max_time);
    screen.mention(&text::header(&report, &facts, screen.language(), &screen.style()));
    fio::processors::refuse_missing(&resolved)?;
    let consents = (&program.allow_erase[..], screen.language());
    let ready = fio::run::prepare(consents, jobs, &resolved, job_runner.as_ref(), caller)?;
    ready.notes.iter().for_each(|note| screen.complain_message(&message!("fio-note", note = note.clone())));
    report.notes.extend(ready.notes.iter().cloned());
    let stages = Stages {
        time_ns_max: arguments.max_time,
        jobs,
        ids: step_ids(jobs.iter().map(|job| job.spec.name.as_str())),
        resolved: &resolved,
        set: ready.set,
        runner: job_runner.as_ref(),
    };
    let ran = stages.run(&mut report, &keeper, screen, caller);
    let logged = job_runner.end_logs(ready.set, caller);
    let ended = if is_hung(&report) || job_runner.check().is_err() {
        ran.and(logged)
    } else {
        job_runner.finish(ready.set, caller)?.iter().for_each(fio::complain_message);
        ran?;
        logged?;
        if report.state == ReportState::Running {
            report.state = ReportState::Finished;
        }
        report.health_after = asked_again(&signals, || runner.read_health(caller));
        look_for_traps(&mut report, screen);
        keeper.save(&report)
    };
    screen.say("");
    if arguments.verbose {
        screen.say(&text::report(&report, screen.language(), &screen.style()));
        screen.say(&text::details(&report, screen.language(), &screen.style()));
    } else {
        screen.say(&text::ending(&report, &Additions::default(), screen.language(), &screen.style()));
    }
    show_end(&report, &keeper, ended.is_ok(), screen);
    ended?;
    export::finish_report(&keeper.exports, &report, is_hung(&report), screen)?;
    let code = match signals.received() {
        Some(signal) => exit::SIGNAL_BASE + signal,
        None if report.state == ReportState::Failed => exit::IO_FAILED,
        None => exit::DONE,
    };
    Ok(send::saved(sender.as_ref(), &keeper, &report, !is_hung(&report), (code, screen)))
}

/// Starts to watch the drive of the jobs' files, and the Report without steps.
fn begin(
    arguments: &RunArguments,
    invocation: &Invocation,
    resolved: &Resolved,
    (job_runner, caller): (&dyn JobRunner, Caller<'_>),
) -> Result<(Box<dyn Runner>, Report), Failure> {
    let remarks = resolved.remarks.iter().map(cardiograph_fio::diagnostics::remark);
    let notes: Vec<Message> = invocation.notes.iter().map(|note| note.message()).chain(remarks).collect();
    let (mut runner, opened) = job_runner.watch(&resolved.plan, caller)?;
    let unix_ms = unix_ms();
    let seed = default_seed(&opened, unix_ms);
    let tags = arguments.tag.iter().cloned().collect();
    let task = Task { label: arguments.label.clone(), tags, ..Task::default() };
    let mut report = blank_report(&task, "job file", opened, seed, unix_ms, &resolved.plan);
    report.drive = runner.look(caller)?.drive;
    let begun = runner.begin(Terms { direct: true, max_time_ns: None, seed, resumed: None }, caller)?;
    report.notes = notes.into_iter().chain(begun.notes).collect();
    report.environment.calibration = begun.calibration;
    Ok((runner, report))
}

fn parse(arguments: &RunArguments) -> Result<Invocation, Failure> {
    let options = arguments.section.iter().map(|name| format!("--section={name}"));
    let consents = arguments.allow_erase.iter().map(|id| format!("--allow-erase={id}"));
    let words: Vec<OsString> =
        options.chain(consents).map(OsString::from).chain(arguments.files.iter().cloned()).collect();
    let invocation = cardiograph_fio::parse(&words, &mut Machine::default()).map_err(|mut rejection| {
        // These words are not those that the user wrote.
        rejection.errors.iter_mut().for_each(|error| error.has_place = false);
        Failure::usage_lines(fio_jobs::error_messages(&rejection))
    })?;
    if invocation.jobs.is_empty() {
        return Err(Failure::usage(message!("run-no-jobs")));
    }
    Ok(invocation)
}

fn header_facts(plan: &Plan, max_time_ns: Option<u64>) -> HeaderFacts {
    let mut engines: Vec<String> = plan.jobs.iter().map(|job| job.workload.engine.clone()).collect();
    engines.sort();
    engines.dedup();
    HeaderFacts {
        engines: engines.into_iter().map(Message::verbatim).collect(),
        clock: check::machine_clock(),
        writes: Writes::ToNamed(write_bytes_max(plan)),
        time_ns_max: [time_ns_max(plan, &stages(plan)), max_time_ns].into_iter().flatten().min(),
    }
}

/// The most that all jobs write; `None` when some job ends by time alone.
fn write_bytes_max(plan: &Plan) -> Option<u64> {
    let written = plan.jobs.iter().filter(|job| job.workload.is_modifying());
    let bytes_max = written.map(|job| {
        let clones = job.clones.len() as u64;
        job.workload.stop.bytes.map(|bytes| bytes.saturating_mul(clones))
    });
    bytes_max.sum()
}

/// The sum of the longest times of stages; `None` when some job ends by bytes alone.
fn time_ns_max(plan: &Plan, stages: &[Vec<usize>]) -> Option<u64> {
    let job_ns = |job: usize| {
        let job = &plan.jobs[job];
        Some(
            job.workload
                .stop
                .time_ns?
                .saturating_add(job.workload.ramp_ns)
                .saturating_add(job.start.delay_ns)
                .saturating_add(job.start.spread_ns),
        )
    };
    stages
        .iter()
        .map(|stage| stage.iter().map(|&job| job_ns(job)).try_fold(0, |max, ns| Some(u64::max(max, ns?))))
        .sum()
}

/// Jobs that run together, by index; the next stage begins when they have ended.
fn stages(plan: &Plan) -> Vec<Vec<usize>> {
    let mut stages: Vec<Vec<usize>> = Vec::new();
    for (index, job) in plan.jobs.iter().enumerate() {
        match stages.last_mut() {
            Some(stage) if job.start.after != StartAfter::AllBefore => stage.push(index),
            _ => stages.push(vec![index]),
        }
    }
    stages
}

/// Runs the jobs in stages.
struct Stages<'a> {
    /// Of all jobs together, in nanoseconds.
    time_ns_max: Option<u64>,
    jobs: &'a [FioJob],
    /// Ids of the jobs' steps.
    ids: Vec<String>,
    resolved: &'a Resolved,
    /// The prepared jobs.
    set: usize,
    runner: &'a dyn JobRunner,
}

impl Stages<'_> {
    /// Runs one stage after the other, and saves the Report after each.
    fn run(
        &self,
        report: &mut Report,
        keeper: &Arc<Keeper>,
        screen: &Screen,
        caller: Caller<'_>,
    ) -> Result<(), Failure> {
        self.announce(report, screen);
        let (began, stages) = (Instant::now(), stages(&self.resolved.plan));
        let mut used_ns: u64 = 0;
        for (index, stage) in stages.iter().enumerate() {
            if caller.signals.received().is_some() {
                report.state = ReportState::Interrupted;
                break;
            }
            let rest_ns = self.time_ns_max.map(|max| max.saturating_sub(used_ns));
            if rest_ns == Some(0) {
                report.notes.push(message!("run-left-out", jobs = self.names(stage)));
                continue;
            }
            let elapsed_ns = u64::try_from(began.elapsed().as_nanos()).unwrap_or(u64::MAX);
            let begun = Stage { elapsed_ns, ..self.stage(&stages, index, rest_ns, report) };
            screen.event(Event::Stage(Box::new(begun)));
            let results = self.run_stage(stage, rest_ns, screen, caller)?;
            let ran = results.iter().filter_map(|result| result.result.as_ref());
            let took_ns = ran.flat_map(|ran| &ran.workers).map(|worker| worker.end_ns).max();
            used_ns = used_ns.saturating_add(took_ns.unwrap_or(0));
            if rest_ns.is_some_and(|rest| took_ns >= Some(rest)) {
                report.notes.push(message!("run-cut", jobs = self.names(stage)));
            }
            let has_failed = |job: usize| {
                let failed = results.iter().filter(|result| !matches!(result.outcome, StepOutcome::Done));
                failed
                    .flat_map(|result| &result.result)
                    .flat_map(|result| &result.workers)
                    .any(|w| w.job == job)
            };
            // A job that ends all others also ends those of later stages.
            let ends_all = stage.iter().any(|&job| {
                let end = self.resolved.plan.jobs[job].end;
                end.others == Some(EndScope::All)
                    || (end.others_on_error == Some(EndScope::All) && has_failed(job))
            });
            let replays =
                stage.iter().filter_map(|&job| replay_notes(&self.resolved.plan.jobs[job], &results));
            report.notes.extend(replays.flatten());
            for mut result in results {
                settle(&mut result, report, false);
                screen.step_ended(&result);
                report_temperatures(&result, screen);
                take_in(result, report);
            }
            look_for_traps(report, screen);
            if is_hung(report) {
                // Later stages could not run, and saving may hang on the same drive.
                return save_with_timeout(keeper, report);
            }
            keeper.save(report)?;
            if ends_all {
                break;
            }
        }
        Ok(())
    }

    /// The names of a stage's jobs.
    fn names(&self, stage: &[usize]) -> Message {
        joined_names(stage.iter().map(|&job| self.resolved.plan.jobs[job].workload.name.as_str()))
    }

    /// Reports the subject, and problems that are known before the first job.
    fn announce(&self, report: &mut Report, screen: &Screen) {
        let subject = Subject {
            drive: report.drive.clone(),
            suite: report.suite.clone(),
            write_bytes_max: write_bytes_max(&self.resolved.plan),
        };
        screen.event(Event::Subject(Box::new(subject)));
        look_for_traps(report, screen);
    }

    /// Where the run is before a stage.
    fn stage(&self, stages: &[Vec<usize>], index: usize, rest_ns: Option<u64>, report: &Report) -> Stage {
        let planned_ns = time_ns_max(&self.resolved.plan, &stages[index..]);
        let left_ns = planned_ns.into_iter().chain(rest_ns).min();
        Stage {
            title: self.names(&stages[index]),
            number: index + 1,
            count: Some(stages.len()),
            left: left_ns.map_or(TimeLeft::Unknown, TimeLeft::AtMost),
            written_bytes: report.steps.iter().map(StepResult::written_bytes).sum(),
            ..Stage::default()
        }
    }

    /// Runs the jobs of the stage, for at most a time in nanoseconds; a result for each.
    fn run_stage(
        &self,
        stage: &[usize],
        time_ns_max: Option<u64>,
        screen: &Screen,
        caller: Caller<'_>,
    ) -> Result<Vec<StepResult>, Failure> {
        let jobs = &self.resolved.plan.jobs;
        let title = self.names(stage);
        let is_paced = stage.iter().any(|&job| jobs[job].workload.is_paced());
        let progress = |progress: &Progress| {
            let (title, progress) = (title.clone(), Box::new(progress.clone()));
            screen.event(Event::Doing(Activity::Jobs { title, time_ns_max: None, is_paced, progress }));
        };
        let wants_latency = screen.wants_latency();
        let observer = OnProgress { progress: &progress, wants_latency, looks: None };
        let does_io = |job: &&usize| !jobs[**job].workload.files.create_only;
        let spec = RunSpec {
            set: self.set,
            only: Some(stage.iter().filter(does_io).copied().collect()),
            time_ns_max,
            wants_progress: true,
            wants_latency,
            reads_drive: true,
            misses_drives: true,
            ..RunSpec::default()
        };
        let ran = self.runner.run(spec, &observer, caller)?;
        Ok(stage.iter().map(|&job| self.step_result(stage, job, &ran)).collect())
    }

    fn step_result(&self, stage: &[usize], job: usize, all: &Ran) -> StepResult {
        let planned = &self.resolved.plan.jobs[job];
        let spec = &self.jobs[job].spec;
        let step = Step {
            write_bytes_max: planned.workload.stop.bytes.unwrap_or(0),
            time_ns_max: planned.workload.stop.time_ns,
            ..Step::measuring(&self.ids[job], title(planned), Work::Jobs(vec![spec.clone()]))
        };
        let jobs = vec![RanJob::new(planned, self.resolved.displays[job].clone())];
        all.result_of_job(job, stage.len() == 1).step_result(step, jobs, false)
    }
}

/// `seqread: read 1M QD4`.
fn title(job: &PlannedJob) -> Message {
    let workload = &job.workload;
    let used: Vec<Direction> =
        Direction::DATA.into_iter().filter(|&direction| workload.uses(direction)).collect();
    let kind = cardiograph_fio::output::headline::rw_name(&used, workload.order.is_random());
    let block = Parameter::BlockBytes(workload.block_len_bytes_max());
    let depth = find_engine(&workload.engine).map_or(1, |entry| entry.depth_of(workload));
    let at_once = u64::from(depth) * job.clones.len() as u64;
    let job = &workload.name;
    match workload.block_len_bytes_min() < workload.block_len_bytes_max() {
        true => message!("step-job.up-to", job, kind, block, depth = at_once),
        false => message!("step-job.of", job, kind, block, depth = at_once),
    }
}

/// Compares a job's replay with its recording.
fn replay_notes(job: &PlannedJob, results: &[StepResult]) -> Option<Vec<Message>> {
    let (name, recording) = (&job.workload.name, job.workload.replay.as_ref()?);
    let result = results.iter().find(|result| result.step.id == *name)?.result.as_ref()?;
    let mut recorded = Recorded::default();
    let clones = (0..job.clones.len() as u32).filter_map(|clone| recording.for_clone(clone));
    clones.for_each(|(_, clone)| recorded.merge(clone));
    let here = result.merged(|_| true).map(|figures| figures.total().clone());
    let with_name = |fact| message!("replay-of-job", job = name, fact);
    let took_ns = result.workers.iter().map(|worker| worker.end_ns.saturating_sub(worker.start_ns)).max()?;
    Some(replay(&recorded, took_ns, &here).into_iter().map(with_name).collect())
}

/// Whether the drive stopped responding.
fn is_hung(report: &Report) -> bool {
    report.steps.iter().any(|result| result.outcome == StepOutcome::Hung)
}

fn show_end(report: &Report, keeper: &Keeper, is_saved: bool, screen: &Screen) {
    for result in &report.steps {
        let error = match (&result.outcome, &result.result) {
            (StepOutcome::Failed { message }, _) => message.clone(),
            (StepOutcome::Hung, Some(run)) => {
                messages::hung(messages::held_threads(run), Fate::Saved, report.drive.simulated)
            }
            _ => continue,
        };
        screen.complain_message(&message!("step-failed", step = result.step.title.clone(), error));
    }
    if is_saved || keeper.store.is_none() {
        check::show_saved(report, None, Vec::new(), keeper, screen);
    }
}
