//! `cardiograph fio`: fio's command line, job files and outputs. Under the name `fio` the program is nothing else.

use std::borrow::{Borrow, Cow};
use std::ffi::OsString;

use cardiograph_checkup::machine::Machine;
use cardiograph_checkup::machine::fresh_seed;
use cardiograph_core::{JobSpec, NS_PER_MS, Plan, PlannedJob};
use cardiograph_engine::Lengths;
use cardiograph_fio::diagnostics;
use cardiograph_fio::invocation::{FioJob, Include, Invocation, Rejection};
use cardiograph_fio::{parse, showcmd};
use cardiograph_jobs::options;
use cardiograph_jobs::resolve::{
    DIAGNOSTICS_MAX, Diagnostic, FileFacts, Problem, ResolveContext, Resolved, Surroundings, resolve_all,
};
use cardiograph_jobs::settings::Settings as _;

use crate::exit::Failure;

pub mod again;
pub mod beside;
pub mod commands;
mod disks;
mod failures;
mod figures;
mod help;
pub mod logs;
pub mod notes;
mod output;
pub mod processors;
mod run;
mod teller;
pub mod verify_states;
mod watcher;

pub use disks::directory_of;
use notes::Notes;
pub use teller::local_time;

/// The version of fio whose outputs these are. Programs that read them look for it.
pub const FIO_VERSION: &str = "fio-3.39";
/// Permissions of files that are made for outputs and logs, less the process's mask: fio's.
const OUTPUT_MODE: u32 = 0o666;
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
            rejection.notes.iter().for_each(|note| notes::say(&note.message()));
            errors_of(&rejection).iter().for_each(|error| complain(error));
            return REFUSED;
        }
    };
    let notes = Notes::new(&invocation.program);
    match follow(called, &invocation, &notes) {
        Ok(status) => status,
        Err(failure) => {
            notes.say_unseen();
            failure.message.lines().for_each(complain);
            REFUSED
        }
    }
}

fn follow(called: Called, invocation: &Invocation, notes: &Notes) -> Result<u8, Failure> {
    let Invocation { program, jobs, .. } = invocation;
    notes.extend(invocation.notes.iter().map(|note| note.message()));
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
        return Err(Failure::usage(
            "No job(s) defined: name a job file, or describe a job as --name=a --size=1G",
        ));
    }
    let resolved = resolved(invocation)?;
    let warnings = notes::fio_warnings(jobs, &resolved);
    if program.warnings_fatal && !warnings.is_empty() {
        return Err(Failure::usage(format!("--warnings-fatal: {}", warnings.join("\n--warnings-fatal: "))));
    }
    notes.extend(resolved.remarks.iter().map(diagnostics::remark));
    processors::refuse_missing(&resolved)?;
    if program.readonly {
        refuse_writers(&resolved)?;
    }
    run::run(program, jobs, &resolved, notes)
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

/// What the jobs come to on this machine.
pub fn resolved(invocation: &Invocation) -> Result<Resolved, Failure> {
    let specs: Vec<_> = invocation.jobs.iter().map(spec).collect();
    resolved_specs(&specs, &context(&Machine::default()), &invocation.includes)
}

/// Looks jobs up when they start, of whose files the lengths are not known before (`create_serialize=0`).
pub struct LateJobs<'a>(pub &'a [FioJob]);

impl Lengths for LateJobs<'_> {
    fn look_up(&self, job: usize) -> Result<PlannedJob, String> {
        let mut alone = self.0[job].spec.clone();
        // The jobs before it have ended.
        alone.settings.retain(|setting| setting.option != "wait_for");
        let resolved = resolved_specs(&[alone], &context(&Machine::default()), &[]);
        resolved.map(|mut resolved| resolved.plan.jobs.remove(0)).map_err(|failure| {
            format!("{} (its files were looked up when it started: create_serialize=0)", failure.message)
        })
    }
}

/// A job of a second job file waits for those of the first.
fn spec(job: &FioJob) -> Cow<'_, JobSpec> {
    match job.starts_group {
        true => Cow::Owned(job.spec.clone().set("stonewall", 1)),
        false => Cow::Borrowed(&job.spec),
    }
}

/// The same for jobs that are not fio's.
fn resolved_specs<J: Borrow<JobSpec>>(
    specs: &[J],
    context: &ResolveContext<'_>,
    includes: &[Include],
) -> Result<Resolved, Failure> {
    resolve_all(specs, context).map_err(|found| refusal(&found, includes))
}

/// All that is wrong with jobs.
fn refusal(found: &[Diagnostic], includes: &[Include]) -> Failure {
    let line =
        |found: &Diagnostic| diagnostics::message(found) + &diagnostics::inclusion(&found.origin, includes);
    let mut lines: Vec<String> = found.iter().map(line).collect();
    if found.len() == DIAGNOSTICS_MAX {
        lines
            .push(format!("there may be more than these {DIAGNOSTICS_MAX} errors: the others are not shown"));
    }
    Failure::usage(lines.join("\n"))
}

/// Windows of a run, in nanoseconds, while it is not so long that they double: fio's own (500 ms, `bwavgtime`) are 2, 4 or 8 of
/// them then.
const WINDOW_NS: u64 = 125 * NS_PER_MS;

fn context(surroundings: &dyn Surroundings) -> ResolveContext<'_> {
    ResolveContext { run_seed: fresh_seed(), window_ns: WINDOW_NS, surroundings }
}

/// All that is wrong with a command line that cannot be followed, values of its jobs included.
pub fn errors_of(rejection: &Rejection) -> Vec<String> {
    let specs: Vec<_> = rejection.jobs.iter().map(spec).collect();
    let found = resolve_all(&specs, &context(&Machine::default())).err().unwrap_or_default();
    diagnostics::messages_of_rejection(rejection, &found)
}

fn refuse_writers(resolved: &Resolved) -> Result<(), Failure> {
    let writers = resolved.plan.jobs.iter().filter(|job| job.workload.is_modifying());
    refuse_writing(writers.map(|job| job.workload.name.as_str()))?;
    refuse_layouts(&resolved.plan)
}

/// Refuses the jobs with these names, if there are any.
fn refuse_writing<'j>(names: impl Iterator<Item = &'j str>) -> Result<(), Failure> {
    let names: Vec<String> = names.map(|name| format!("'{name}'")).collect();
    if names.is_empty() {
        return Ok(());
    }
    Err(Failure::usage(format!(
        "--readonly: job {} would write; leave --readonly out, or let it read with rw=read or rw=randread",
        names.join(", ")
    )))
}

/// A file that is not there, or too short, would have to be laid out before it can be read.
fn refuse_layouts(plan: &Plan) -> Result<(), Failure> {
    let machine = Machine::default();
    for job in plan.jobs.iter().filter(|job| options::engine(&job.workload.engine).is_on_files()) {
        for file in job.files() {
            let path = &plan.targets[file.target];
            let is_short = match machine.file(path) {
                FileFacts::Missing => true,
                FileFacts::File { len_bytes } => len_bytes < file.end_bytes(),
                _ => false,
            };
            if is_short {
                return Err(Failure::usage(format!(
                    "--readonly: job '{}' would lay out {path} before it reads it; leave --readonly out once, or \
                     name a file that is long enough",
                    job.workload.name
                )));
            }
        }
    }
    Ok(())
}

/// Says what went wrong, on standard error only: the outputs are for programs, too.
pub fn complain(line: &str) {
    crate::screen::complain_as("fio", line);
}
