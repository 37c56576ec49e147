//! `cardiograph fio`: fio's command line, job files and outputs. Under the name `fio` the program is nothing else.

use std::ffi::OsString;
use std::sync::Arc;

use cardiograph_checkup::agent::AgentJobs;
use cardiograph_checkup::fio_jobs::{self, context, errors_of, refusal, spec};
use cardiograph_checkup::job_runner::JobRunner;
use cardiograph_checkup::local_jobs::LocalJobs;
use cardiograph_checkup::machine::Machine;
use cardiograph_checkup::signals::Signals;
use cardiograph_core::{JobSpec, Message, Parameter, Plan, message};
use cardiograph_fio::diagnostics;
use cardiograph_fio::invocation::{FioJob, Invocation};
use cardiograph_fio::{parse, showcmd};
use cardiograph_jobs::options;
use cardiograph_jobs::resolve::{FileFacts, Problem, Resolved, Surroundings, resolve_all};
use cardiograph_jobs::settings::Settings as _;
use cardiograph_render::lang::Lang;

use crate::exit::Failure;
use crate::screen::english;

pub mod again;
mod disks;
mod figures;
mod help;
pub mod notes;
mod output;
pub mod processors;
pub mod run;
mod teller;
mod watcher;

use notes::Notes;
pub use teller::local_time;

/// The version of fio whose outputs these are. Programs that read them look for it.
pub const FIO_VERSION: &str = "fio-3.39";
/// fio's exit status when the command line or a job cannot be followed.
const REFUSED: u8 = 1;

/// How the program was called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Called {
    /// As `fio`.
    Fio,
    /// As `cardiograph fio`.
    Subcommand,
}

/// Does what the words of a fio command line, its name left out, ask for. Returns fio's exit status.
pub fn run(called: Called, words: &[OsString]) -> u8 {
    let invocation = match parse(words, &mut Machine::default()) {
        Ok(invocation) => invocation,
        Err(rejection) => {
            rejection.notes.iter().for_each(|note| notes::say(&Lang::EN.text(&note.message())));
            errors_of(&rejection).iter().for_each(complain_message);
            return REFUSED;
        }
    };
    let notes = Notes::new(&invocation.program);
    match follow(called, &invocation, &notes) {
        Ok(status) => status,
        Err(failure) => {
            notes.say_unseen();
            failure.lines().for_each(complain_message);
            REFUSED
        }
    }
}

fn follow(called: Called, invocation: &Invocation, notes: &Notes) -> Result<u8, Failure> {
    let Invocation { program, jobs, .. } = invocation;
    notes.extend(invocation.notes.iter().map(|note| Lang::EN.text(&note.message())));
    if program.asks_for_information() {
        return help::show(program, called);
    }
    if program.showcmd {
        help::print(&showcmd::showcmd(invocation))?;
        // Lines of jobs that another machine or engine can run are of use; --warnings-fatal asks whether this one can.
        let passes = |problem: &Problem| !program.warnings_fatal && is_of_here(problem);
        return check(invocation, notes, &passes);
    }
    if program.parse_only {
        return check(invocation, notes, &|_| false);
    }
    if jobs.is_empty() {
        help::print_usage_on_stderr();
        return Err(Failure::usage(message!("fio-no-jobs")));
    }
    let signals = Signals::listen_as_fio()?;
    let runner = runner(jobs, &signals)?;
    let resolved = resolved(invocation, runner.as_ref())?;
    let warnings = notes::fio_warnings(jobs, &resolved);
    if program.warnings_fatal && !warnings.is_empty() {
        let fatal = |warning| message!("fio-warning-fatal", warning = warning);
        return Err(Failure::usage_lines(warnings.into_iter().map(fatal)));
    }
    notes.extend(resolved.remarks.iter().map(|remark| Lang::EN.text(&diagnostics::remark(remark))));
    processors::refuse_missing(&resolved)?;
    if program.readonly {
        refuse_writers(&resolved, runner.as_ref())?;
    }
    run::run(program, jobs, &resolved, notes, (runner.as_ref(), &signals))
}

/// Says whether the jobs are written correctly but for problems that pass, whatever there is on this machine. No job is
/// correct, too.
fn check(invocation: &Invocation, notes: &Notes, passes: &dyn Fn(&Problem) -> bool) -> Result<u8, Failure> {
    let Invocation { program, jobs, includes, .. } = invocation;
    let specs: Vec<_> = jobs.iter().map(spec).collect();
    if program.readonly {
        refuse_writing(jobs.iter().filter(|job| says_write(&job.spec)).map(|job| job.spec.name.as_str()))?;
    }
    match resolve_all(&specs, &context(&Machine { opens_nothing: true })) {
        Ok(resolved) => {
            notes.extend(resolved.remarks.iter().map(|remark| Lang::EN.text(&diagnostics::remark(remark))))
        }
        Err(mut found) => {
            found.retain(|found| !depends_on_files(&found.problem) && !passes(&found.problem));
            if !found.is_empty() {
                return Err(refusal(&found, includes));
            }
        }
    }
    Ok(0)
}

/// Whether a problem could be none on another machine, or with another file.
fn depends_on_files(problem: &Problem) -> bool {
    matches!(
        problem,
        Problem::SizeMissing
            | Problem::RegionTooSmall { .. }
            | Problem::BehindTheEnd { .. }
            | Problem::ZonesTooLong { .. }
            | Problem::FileMissing { .. }
            | Problem::NothingToVerify { .. }
            | Problem::BadRecording { .. }
            | Problem::ReplayWrites { .. }
            | Problem::NotADirectory { .. }
            | Problem::NotAFile { .. }
            | Problem::TrimsFile { .. }
    )
}

/// Whether a problem is that this program lacks an engine, or does not do what is asked for.
fn is_of_here(problem: &Problem) -> bool {
    matches!(problem, Problem::OtherEngine { .. } | Problem::Refused { .. } | Problem::NoSuchEngine { .. })
}

/// Whether the `rw` of a job has writes or trims, whatever else it says.
fn says_write(spec: &JobSpec) -> bool {
    let rw = spec.last("rw");
    rw.is_some_and(|rw| !matches!(rw.split(':').next(), Some("read" | "randread")))
}

/// What does the jobs: an Agent, but where all of them are on a simulated drive.
pub fn runner(jobs: &[FioJob], signals: &Signals) -> Result<Box<dyn JobRunner>, Failure> {
    let is_simulated = |job: &FioJob| job.spec.last("ioengine").is_some_and(|engine| engine.trim() == "sim");
    if jobs.iter().all(is_simulated) {
        return Ok(Box::new(LocalJobs::new(Arc::new(|line: Message| complain_message(&line)))));
    }
    let named = |option: &str| jobs.iter().find_map(|job| job.spec.last(option));
    let path = named("directory").or_else(|| named("filename")).unwrap_or(".");
    Ok(Box::new(AgentJobs::start(path.into(), signals)?))
}

/// What the jobs come to where they are run.
pub fn resolved(invocation: &Invocation, runner: &dyn JobRunner) -> Result<Resolved, Failure> {
    let resolved = fio_jobs::resolved(&invocation.jobs, &invocation.includes, runner);
    // What was told of their files may be nothing.
    runner.check()?;
    resolved
}

fn refuse_writers(resolved: &Resolved, surroundings: &dyn Surroundings) -> Result<(), Failure> {
    let writers = resolved.plan.jobs.iter().filter(|job| job.workload.is_modifying());
    refuse_writing(writers.map(|job| job.workload.name.as_str()))?;
    refuse_layouts(&resolved.plan, surroundings)
}

/// Refuses the jobs with these names, if there are any.
fn refuse_writing<'j>(names: impl Iterator<Item = &'j str>) -> Result<(), Failure> {
    let names: Vec<Parameter> = names.map(|name| format!("'{name}'").into()).collect();
    if names.is_empty() {
        return Ok(());
    }
    Err(Failure::usage(message!("fio-readonly", count = names.len(), jobs = Parameter::All(names))))
}

/// A file that is not there, or too short, would have to be laid out before it can be read.
fn refuse_layouts(plan: &Plan, surroundings: &dyn Surroundings) -> Result<(), Failure> {
    for job in plan.jobs.iter().filter(|job| options::engine(&job.workload.engine).is_on_files()) {
        for file in job.files() {
            let path = &plan.targets[file.target];
            let is_short = match surroundings.file(path) {
                FileFacts::Missing => true,
                FileFacts::File { len_bytes } => len_bytes < file.end_bytes(),
                _ => false,
            };
            if is_short {
                let name = &job.workload.name;
                return Err(Failure::usage(message!("fio-readonly-layout", job = name, path = path)));
            }
        }
    }
    Ok(())
}

/// The same of a Message, in fio's language.
pub fn complain_message(message: &Message) {
    complain(&english(message));
}

/// Says what went wrong, on standard error only: the outputs are for programs, too.
pub fn complain(line: &str) {
    crate::screen::complain_as("fio", line);
}
