//! hdparm, dd and iozone under their own names: their arguments and their outputs, on cardiograph's engine.

use std::ffi::OsString;

use cardiograph_catalogue::Language;
use cardiograph_checkup::agent::AgentJobs;
use cardiograph_checkup::job_runner::{JobRunner as _, JobsSpec, RunSpec};
use cardiograph_checkup::machine::{fresh_seed, resolved};
use cardiograph_checkup::messages::{self, Fate};
use cardiograph_checkup::run::{OnProgress, Ran};
use cardiograph_checkup::runner::Caller;
use cardiograph_checkup::session::WINDOW_NS;
use cardiograph_checkup::signals::Signals;
use cardiograph_checkup::sink::{Event, Sink};
use cardiograph_core::display::JobDisplay;
use cardiograph_core::report::StepOutcome;
use cardiograph_core::text::shown;
use cardiograph_core::{JobSpec, Message, Plan, message};
use cardiograph_engine::Progress;
use cardiograph_jobs::resolve::{FileFacts, ResolveContext, Surroundings as _};

use crate::consent::with_consent;
use crate::exit::Failure;
use crate::screen::english;
use crate::stdout;

pub mod dd;
pub mod hdparm;
pub mod iozone;

/// A tool at work.
struct Tool {
    name: &'static str,
    signals: Signals,
    runner: AgentJobs,
}

/// Does not show a tool's preparation; reports errors.
impl Sink for Tool {
    fn event(&self, event: Event) {
        if let Event::Trouble(line) = event {
            self.say(&line);
        }
    }
}

impl Tool {
    /// Begins to work on what stands under a path.
    fn begin(name: &'static str, path: &str) -> Result<Self, Failure> {
        let signals = Signals::listen()?;
        let runner = AgentJobs::start(path.into(), &signals)?;
        Ok(Self { name, signals, runner })
    }

    fn caller(&self) -> Caller<'_> {
        Caller { sink: self, signals: &self.signals }
    }

    /// Says what a reader of the figures should know. It goes to standard error, before the figures: scripts read the
    /// last lines.
    fn note(&self, note: Message) {
        self.say(&message!("tool-note", note = note));
    }

    fn say(&self, message: &Message) {
        crate::screen::complain_as(&format!("cardiograph {}", self.name), &english(message));
    }

    /// What stands under a name.
    fn file(&self, path: &str) -> Result<FileFacts, Failure> {
        let found = self.runner.file(path);
        self.runner.check().map(|()| found)
    }

    /// What the jobs come to, with what is known of the files that they name.
    fn planned(&self, jobs: &[JobSpec]) -> Result<Plan, Failure> {
        let surroundings = &self.runner;
        let context = ResolveContext { run_seed: fresh_seed(), window_ns: WINDOW_NS, surroundings };
        let plan = resolved(jobs, &context);
        self.runner.check()?;
        plan
    }

    /// Opens what the jobs name, and makes what is missing. A device is written to with consent alone: of the words, the
    /// environment or whoever sits at the terminal. Returns how they are named.
    fn prepare(&self, plan: &Plan, consents: &[String]) -> Result<usize, Failure> {
        // No tool lays anything out.
        let prepared = with_consent(consents, Language::EN, |consents| {
            let (plan, consents) = (plan.clone(), consents.to_vec());
            let displays = vec![JobDisplay::default(); plan.jobs.len()];
            let spec = JobsSpec { plan, displays, jobs: Vec::new(), consents, of_tool: true };
            self.runner.prepare(spec, self.caller())
        })?;
        prepared.notes.into_iter().for_each(|note| self.note(note));
        Ok(prepared.set)
    }

    /// Runs what was prepared as a set, or another Plan on its files; how it ended is for the caller to look at.
    fn execute(&self, set: usize, plan: Option<Plan>, progress: &dyn Fn(&Progress)) -> Result<Ran, Failure> {
        let spec = RunSpec { set, plan, wants_progress: true, misses_drives: true, ..RunSpec::default() };
        let observer = OnProgress { progress, wants_latency: false, looks: None };
        self.runner.run(spec, &observer, self.caller())
    }

    /// Why a run did not come to its end, if it did not: a signal is no reason.
    fn failure(ran: &Ran) -> Option<Failure> {
        match ran.outcome() {
            StepOutcome::Done | StepOutcome::Interrupted => None,
            StepOutcome::Failed { message } => Some(Failure::io(message)),
            StepOutcome::Hung => {
                Some(Failure::io(messages::hung(messages::held_threads(&ran.result), Fate::Shown, false)))
            }
        }
    }
}

/// The words of a tool as text.
fn texts(words: &[OsString]) -> Result<Vec<String>, Failure> {
    let text = |word: &OsString| {
        let unreadable = || message!("tool-not-utf-8", word = shown(&word.to_string_lossy()));
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
