//! hdparm, dd and iozone under their own names: their arguments and their outputs, on cardiograph's engine.

use std::ffi::OsString;
use std::io;
use std::sync::Arc;

use cardiograph_checkup::consent::Stake;
use cardiograph_checkup::machine::fresh_seed;
use cardiograph_checkup::machine::resolved;
use cardiograph_checkup::presence::Presence;
use cardiograph_checkup::run::{OnProgress, Ran, ReadyJobs};
use cardiograph_checkup::session::WINDOW_NS;
use cardiograph_checkup::signals::Signals;
use cardiograph_checkup::{messages, prepare_messages, targets};
use cardiograph_core::report::StepOutcome;
use cardiograph_core::text::shown;
use cardiograph_core::{JobSpec, Plan};
use cardiograph_engine::files::{PrepareError, Prepared};
use cardiograph_engine::gate::WritePermit;
use cardiograph_engine::observer::Silent;
use cardiograph_engine::target::Access;
use cardiograph_engine::{Control, Progress, Target};
use cardiograph_jobs::resolve::{ResolveContext, Surroundings};

use crate::consent::with_consent;
use crate::exit::Failure;
use crate::stdout;

pub mod dd;
pub mod hdparm;
pub mod iozone;

/// A tool at work.
struct Tool {
    name: &'static str,
    signals: Signals,
    control: Control,
}

impl Tool {
    fn begin(name: &'static str) -> Result<Self, Failure> {
        Ok(Self { name, signals: Signals::listen()?, control: Control::default() })
    }

    /// Says what a reader of the figures should know. It goes to standard error, before the figures: scripts read the
    /// last lines.
    fn note(&self, text: &str) {
        crate::screen::complain_as(&format!("cardiograph {}", self.name), &format!("note: {text}"));
    }

    /// Opens what the jobs name, and makes what is missing. A device is written to with consent alone: of the words, the
    /// environment or whoever sits at the terminal.
    fn prepare(&self, plan: &Plan, consents: &[String]) -> Result<Prepared, Failure> {
        // No tool lays anything out.
        let prepared = with_consent(consents, |consents| {
            targets::open(consents, plan, &self.control, &Silent).map_err(|error| match &error {
                PrepareError::Misaligned { path, value_bytes, align_bytes, .. } => Failure::usage(format!(
                    "direct I/O on {} needs multiples of {align_bytes} bytes, and {value_bytes} is none: change it, or \
                     leave direct out",
                    path.display()
                )),
                error => prepare_messages::failure(error, plan, Stake::Lost),
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
    ) -> Result<Ran, Failure> {
        let jobs = ReadyJobs {
            presence: Presence::of_targets(targets),
            ..ReadyJobs::new(plan, targets, permit, fresh_seed())
        };
        let observer = OnProgress { progress: tell, wants_latency: false, looks: None };
        jobs.run(&self.control, &|| self.signals.received().is_some(), &observer)
    }

    /// Why a run did not come to its end, if it did not: a signal is no reason.
    fn failure(ran: &Ran) -> Option<Failure> {
        match ran.outcome() {
            StepOutcome::Done | StepOutcome::Interrupted => None,
            StepOutcome::Failed { message } => Some(Failure::io(message)),
            StepOutcome::Hung => {
                Some(Failure::io(messages::hung(messages::held_threads(&ran.result), "shown", false)))
            }
        }
    }
}

/// What the jobs come to, with what is known of the files that they name.
fn planned(jobs: &[JobSpec], surroundings: &dyn Surroundings) -> Result<Plan, Failure> {
    resolved(jobs, &ResolveContext { run_seed: fresh_seed(), window_ns: WINDOW_NS, surroundings })
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
        stdout::write(help.as_bytes())?;
    }
    Ok(asks)
}
