//! `cardiograph fio`: fio's command line, job files and outputs. The name `fio` runs only this.

use std::ffi::OsString;
use std::sync::Arc;

use cardiograph_checkup::agent::AgentJobs;
use cardiograph_checkup::fio_jobs::{self, context, error_messages, refusal, spec};
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

use crate::exit::Failure;
use crate::screen::english;

mod disks;
mod figures;
mod help;
pub mod notes;
mod output;
pub mod processors;
pub mod report_json;
pub mod run;
mod run_view;
mod watcher;

use notes::Notes;
pub use run_view::local_time;

/// The fio version of the outputs. Programs that parse them check it.
pub const FIO_VERSION: &str = "fio-3.39";
/// fio's exit status for an invalid command line or job.
const REFUSED: u8 = 1;

/// How the program was called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Called {
    /// As `fio`.
    Fio,
    /// As `cardiograph fio`.
    Subcommand,
}

/// Runs a fio command line, given without the program's name. Returns fio's exit status.
pub fn run(called: Called, words: &[OsString]) -> u8 {
    let invocation = match parse(words, &mut Machine::default()) {
        Ok(invocation) => invocation,
        Err(rejection) => {
            rejection.notes.iter().for_each(|note| notes::print(&note.message()));
            error_messages(&rejection).iter().for_each(complain_message);
            return REFUSED;
        }
    };
    let notes = Notes::new(&invocation.program);
    match execute(called, &invocation, &notes) {
        Ok(status) => status,
        Err(failure) => {
            notes.print_unseen();
            failure.lines().for_each(complain_message);
            REFUSED
        }
    }
}

fn execute(called: Called, invocation: &Invocation, notes: &Notes) -> Result<u8, Failure> {
    let Invocation { program, jobs, .. } = invocation;
    notes.extend(invocation.notes.iter().map(|note| note.message()));
    if program.asks_for_information() {
        return help::show(program, called);
    }
    if program.showcmd {
        help::print(&showcmd::showcmd(invocation))?;
        // The printed jobs may be for another machine or engine; --warnings-fatal checks that this one can run them.
        let passes = |problem: &Problem| !program.warnings_fatal && is_unsupported_here(problem);
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
    let resolved = resolve(invocation, runner.as_ref())?;
    let warnings = notes::fio_warnings(jobs, &resolved);
    if program.warnings_fatal && !warnings.is_empty() {
        let fatal = |warning| message!("fio-warning-fatal", warning);
        return Err(Failure::usage_lines(warnings.into_iter().map(fatal)));
    }
    notes.extend(resolved.remarks.iter().map(diagnostics::remark));
    processors::refuse_missing(&resolved)?;
    if program.readonly {
        refuse_writers(&resolved, runner.as_ref())?;
    }
    run::run(program, jobs, &resolved, notes, (runner.as_ref(), &signals))
}

/// Checks the jobs without looking at this machine, ignoring problems that pass. An empty list of jobs is correct.
fn check(invocation: &Invocation, notes: &Notes, passes: &dyn Fn(&Problem) -> bool) -> Result<u8, Failure> {
    let Invocation { program, jobs, includes, .. } = invocation;
    let specs: Vec<_> = jobs.iter().map(spec).collect();
    if program.readonly {
        refuse_writing(jobs.iter().filter(|job| has_writes(&job.spec)).map(|job| job.spec.name.as_str()))?;
    }
    match resolve_all(&specs, &context(&Machine { opens_nothing: true })) {
        Ok(resolved) => notes.extend(resolved.remarks.iter().map(diagnostics::remark)),
        Err(mut found) => {
            found.retain(|found| !depends_on_files(&found.problem) && !passes(&found.problem));
            if !found.is_empty() {
                return Err(refusal(&found, includes));
            }
        }
    }
    Ok(0)
}

/// Whether a problem depends on the files of this machine.
fn depends_on_files(problem: &Problem) -> bool {
    matches!(
        problem,
        Problem::SizeMissing
            | Problem::RegionTooSmall { .. }
            | Problem::BehindTheEnd { .. }
            | Problem::ZonesTooLong { .. }
            | Problem::FileMissing { .. }
            | Problem::NothingToVerify { .. }
            | Problem::OfFile(_)
            | Problem::NotAFile { .. }
            | Problem::TrimsFile { .. }
    )
}

/// Whether a problem is a missing engine or an unsupported option of this program.
fn is_unsupported_here(problem: &Problem) -> bool {
    matches!(problem, Problem::OtherEngine { .. } | Problem::Refused { .. } | Problem::NoSuchEngine { .. })
}

/// Whether the `rw` of a job has writes or trims.
fn has_writes(spec: &JobSpec) -> bool {
    let rw = spec.last("rw");
    rw.is_some_and(|rw| !matches!(rw.split(':').next(), Some("read" | "randread")))
}

/// Where the jobs run: in an Agent, unless all are on a simulated drive.
pub fn runner(jobs: &[FioJob], signals: &Signals) -> Result<Box<dyn JobRunner>, Failure> {
    let is_simulated = |job: &FioJob| job.spec.last("ioengine").is_some_and(|engine| engine.trim() == "sim");
    if jobs.iter().all(is_simulated) {
        return Ok(Box::new(LocalJobs::new(Arc::new(|line: Message| complain_message(&line)))));
    }
    let named = |option: &str| jobs.iter().find_map(|job| job.spec.last(option));
    let path = named("directory").or_else(|| named("filename")).unwrap_or(".");
    Ok(Box::new(AgentJobs::start(path.into(), signals)?))
}

/// Resolves the jobs where they are run.
pub fn resolve(invocation: &Invocation, runner: &dyn JobRunner) -> Result<Resolved, Failure> {
    let resolved = fio_jobs::resolved(&invocation.jobs, &invocation.includes, runner);
    // A dead Agent reports no files.
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

/// A missing or short file would have to be laid out before it can be read.
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
                return Err(Failure::usage(message!("fio-readonly-layout", job = name, path)));
            }
        }
    }
    Ok(())
}

/// Reports an error in English, as fio does.
pub fn complain_message(message: &Message) {
    complain(&english(message));
}

/// Reports an error on standard error only: programs parse the outputs.
pub fn complain(line: &str) {
    crate::screen::complain_as("fio", line);
}
