//! hdparm, dd and iozone under their own names: their arguments and their outputs, on cardiograph's engine.

use std::cell::RefCell;
use std::ffi::OsString;
use std::io;
use std::sync::Arc;

use cardiograph_core::report::StepOutcome;
use cardiograph_core::result::RunResult;
use cardiograph_core::text::shown;
use cardiograph_core::{JobSpec, Plan};
use cardiograph_engine::files::{PrepareError, Prepared};
use cardiograph_engine::gate::WritePermit;
use cardiograph_engine::observer::Silent;
use cardiograph_engine::target::Access;
use cardiograph_engine::{Control, Event, Observer, Progress, RunRequest, Target};
use cardiograph_fio::diagnostics;
use cardiograph_fio::invocation::ProgramOptions;
use cardiograph_jobs::resolve::{ResolveContext, Surroundings, resolve};

use crate::exit::Failure;
use crate::export;
use crate::fio::consent::{self, Stake};
use crate::fio::prepare_messages;
use crate::messages;
use crate::outcome::step_outcome;
use crate::place::fresh_seed;
use crate::presence::Presence;
use crate::session::WINDOW_NS;
use crate::signals::Signals;

pub mod dd;
pub mod hdparm;
pub mod iozone;

/// A tool at work.
struct Tool {
    name: &'static str,
    signals: Signals,
    control: Control,
    /// Of the drives of the run that was executed last.
    presence: RefCell<Presence>,
}

impl Tool {
    fn begin(name: &'static str) -> Result<Self, Failure> {
        Ok(Self {
            name,
            signals: Signals::listen()?,
            control: Control::default(),
            presence: RefCell::default(),
        })
    }

    /// Says what a reader of the figures should know. It goes to standard error, before the figures: scripts read the
    /// last lines.
    fn note(&self, text: &str) {
        crate::screen::complain_as(&format!("cardiograph {}", self.name), &format!("note: {text}"));
    }

    /// Opens what the jobs name, and makes what is missing. A device is written to with consent alone: of the words, the
    /// environment or whoever sits at the terminal.
    fn prepare(&self, plan: &Plan, consents: &[String]) -> Result<Prepared, Failure> {
        let options = ProgramOptions { allow_destroy: consents.to_vec(), ..ProgramOptions::default() };
        // No tool lays anything out.
        let prepared = consent::prepare(plan, &options, Stake::Lost, &self.control, &Silent);
        let prepared = prepared.map_err(|error| {
            Failure::usage(match &error {
                PrepareError::Misaligned { path, value_bytes, align_bytes, .. } => format!(
                    "direct I/O on {} needs multiples of {align_bytes} bytes, and {value_bytes} is none: change it, or \
                     leave direct out",
                    path.display()
                ),
                error => prepare_messages::prepare_error(error, plan, Stake::Lost),
            })
        })?;
        for target in &prepared.targets {
            // Without permission to read a device the run would only say that its engine failed.
            target.open(Access::default()).map_err(|error| unreadable(target.name(), &error))?;
        }
        prepare_messages::notes(&prepared.notes, plan).iter().for_each(|note| self.note(note));
        Ok(prepared)
    }

    /// Runs a Plan; how it ended is for the caller to look at.
    fn execute(
        &self,
        plan: &Plan,
        targets: &[Arc<Target>],
        permit: Option<&WritePermit>,
        tell: &dyn Fn(&Progress),
    ) -> Result<RunResult, Failure> {
        *self.presence.borrow_mut() = Presence::of_targets(targets);
        let follower = Follower { tool: self, tell };
        let request = RunRequest::new(plan, targets, permit, fresh_seed(), &self.control, &follower);
        cardiograph_engine::run(&request).map_err(|error| messages::run_error(&error))
    }

    /// Why a run did not come to its end, if it did not: a signal is no reason.
    fn failure(&self, result: &RunResult) -> Option<Failure> {
        match step_outcome(result, &self.presence.borrow()) {
            StepOutcome::Done | StepOutcome::Interrupted => None,
            StepOutcome::Failed { message } => Some(Failure::io(message)),
            StepOutcome::Hung => {
                Some(Failure::io(messages::hung(messages::held_threads(result), "shown", false)))
            }
        }
    }
}

/// What the jobs come to, with what is known of the files that they name.
fn planned(jobs: &[JobSpec], surroundings: &dyn Surroundings) -> Result<Plan, Failure> {
    let context = ResolveContext { run_seed: fresh_seed(), window_ns: WINDOW_NS, surroundings };
    resolve(jobs, &context).map_err(|found| {
        Failure::usage(found.iter().map(diagnostics::message).collect::<Vec<_>>().join("\n"))
    })
}

/// What a job names and cannot be opened.
fn unreadable(path: &str, error: &io::Error) -> Failure {
    let reason = messages::without_number(error);
    let advice = match error.kind() {
        io::ErrorKind::PermissionDenied => "become root, or a member of the group that it belongs to",
        _ => "name another",
    };
    Failure::usage(format!("{path} cannot be opened: {reason}; {advice}"))
}

/// Passes a signal on to the run, and tells how it goes.
struct Follower<'a> {
    tool: &'a Tool,
    tell: &'a dyn Fn(&Progress),
}

impl Observer for Follower<'_> {
    fn event(&self, event: &Event) {
        let Event::Progress(progress) = event else { return };
        if self.tool.signals.received().is_some() {
            self.tool.control.stop();
        }
        (self.tell)(progress);
    }
}

/// The words of a tool as text.
fn texts(words: &[OsString]) -> Result<Vec<String>, Failure> {
    let text = |word: &OsString| {
        let unreadable = || format!("{}: no UTF-8; rename what it names", shown(&word.to_string_lossy()));
        word.to_str().map(str::to_string).ok_or_else(|| Failure::usage(unreadable()))
    };
    words.iter().map(text).collect()
}

/// Prints a tool's own help where its words ask for it. Whether they do.
fn helps(words: &[String], asking: &[&str], help: &str) -> Result<bool, Failure> {
    let asks = words.iter().any(|word| asking.contains(&word.as_str()));
    if asks {
        export::to_stdout(help.as_bytes())?;
    }
    Ok(asks)
}
