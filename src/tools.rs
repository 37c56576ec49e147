//! hdparm, dd and iozone with their arguments and outputs, on cardiograph's engine.

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

/// A running tool.
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
    /// Starts the Agent for a path.
    fn start(name: &'static str, path: &str) -> Result<Self, Failure> {
        let signals = Signals::listen()?;
        let runner = AgentJobs::start(path.into(), &signals)?;
        Ok(Self { name, signals, runner })
    }

    fn caller(&self) -> Caller<'_> {
        Caller { sink: self, signals: &self.signals }
    }

    /// Prints a note on the figures to standard error, before the figures: scripts read the last lines.
    fn note(&self, note: Message) {
        self.say(&message!("tool-note", note));
    }

    fn say(&self, message: &Message) {
        crate::screen::complain_as(&format!("cardiograph {}", self.name), &english(message));
    }

    fn file_facts(&self, path: &str) -> Result<FileFacts, Failure> {
        let found = self.runner.file(path);
        self.runner.check().map(|()| found)
    }

    /// Resolves the jobs with the facts of their files.
    fn plan(&self, jobs: &[JobSpec]) -> Result<Plan, Failure> {
        let surroundings = &self.runner;
        let context = ResolveContext { run_seed: fresh_seed(), window_ns: WINDOW_NS, surroundings };
        let plan = resolved(jobs, &context);
        self.runner.check()?;
        plan
    }

    /// Opens the files of the jobs, and creates missing ones. Writing to a device needs consent. Returns the set's number.
    fn prepare(&self, plan: &Plan, consents: &[String]) -> Result<usize, Failure> {
        // Without jobs, nothing is laid out.
        let prepared = with_consent(consents, Language::EN, |consents| {
            let (plan, consents) = (plan.clone(), consents.to_vec());
            let displays = vec![JobDisplay::default(); plan.jobs.len()];
            let spec = JobsSpec { plan, displays, jobs: Vec::new(), consents, of_tool: true };
            self.runner.prepare(spec, self.caller())
        })?;
        prepared.notes.into_iter().for_each(|note| self.note(note));
        Ok(prepared.set)
    }

    /// Runs a prepared set, or another Plan on its files. The caller checks how it ended.
    fn execute(&self, set: usize, plan: Option<Plan>, progress: &dyn Fn(&Progress)) -> Result<Ran, Failure> {
        let spec = RunSpec { set, plan, wants_progress: true, misses_drives: true, ..RunSpec::default() };
        let observer = OnProgress { progress, wants_latency: false, looks: None };
        self.runner.run(spec, &observer, self.caller())
    }

    /// Why a run failed; a signal is not a failure.
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

/// The words of the command line as text.
fn to_utf8(words: &[OsString]) -> Result<Vec<String>, Failure> {
    let text = |word: &OsString| {
        let unreadable = || message!("tool-not-utf-8", word = shown(&word.to_string_lossy()));
        word.to_str().map(str::to_string).ok_or_else(|| Failure::usage(unreadable()))
    };
    words.iter().map(text).collect()
}

/// Prints the help with this id if the words ask for it, and returns whether they do.
fn print_help_if_asked(
    words: &[String],
    asking: &[&str],
    language: Language,
    id: &str,
) -> Result<bool, Failure> {
    let asks = words.iter().any(|word| asking.contains(&word.as_str()));
    if asks {
        let help = language.text_of(id).expect("the catalogue has the help of each tool");
        stdout::write(format!("{help}\n").as_bytes())?;
    }
    Ok(asks)
}
