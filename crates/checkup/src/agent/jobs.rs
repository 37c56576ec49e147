//! Jobs run by an Agent.

use std::cell::{Cell, RefCell};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::Instant;

use cardiograph_core::display::JobDisplay;
use cardiograph_core::drive::Passport;
use cardiograph_core::replay::{Recording, RecordingProblem, ReplayRules};
use cardiograph_core::result::{EngineNote, RunOutcome};
use cardiograph_core::{Message, Plan, PlannedJob, message};
use cardiograph_engine::{Event, Observer, process};
use cardiograph_jobs::resolve::{FileFacts, Surroundings};
use serde::de::DeserializeOwned;

use super::child::{CallError, Child, Heard, Loss};
use super::runner::AgentRunner;
use super::so_far::SoFar;
use crate::failure::Failure;
use crate::job_runner::{JobRunner, JobsSpec, OwnFile, PreparedJobs, RunSpec, target_spec};
use crate::messages;
use crate::run::{Ran, is_large};
use crate::runner::{Caller, Opened, Runner, TargetSpec};
use crate::signals::Signals;
use crate::sink::{Began, Nobody};
use crate::wire::Call;

/// Runs jobs in an Agent.
#[derive(Debug)]
pub struct AgentJobs {
    child: Rc<RefCell<Child>>,
    signals: Signals,
    /// Whether prepared jobs write logs or other files.
    writes_logs: Cell<bool>,
}

impl AgentJobs {
    /// Starts an Agent. The jobs' files are examined through it at once, and `signals` may stop that.
    ///
    /// # Errors
    /// When no process can be started.
    pub fn start(path: PathBuf, signals: &Signals) -> Result<Self, Failure> {
        let child = Rc::new(RefCell::new(Child::start(path)?));
        Ok(Self { child, signals: signals.clone(), writes_logs: Cell::default() })
    }

    /// Opens the target on which the jobs are monitored.
    ///
    /// # Errors
    /// When it cannot be used.
    pub fn open(&self, spec: &TargetSpec, caller: Caller<'_>) -> Result<(AgentRunner, Opened), Failure> {
        AgentRunner::open_by(self.child.clone(), spec, caller)
    }

    fn call<T: DeserializeOwned>(&self, call: Call, caller: Caller<'_>) -> Result<T, Failure> {
        Ok(self.child.borrow_mut().ask(call, caller)?)
    }

    /// A query while jobs are resolved. If there is no answer, [`check`](JobRunner::check) reports it.
    fn ask<T: DeserializeOwned>(&self, call: Call) -> Option<T> {
        self.call(call, Caller { sink: &Nobody, signals: &self.signals }).ok()
    }
}

impl Surroundings for AgentJobs {
    fn file(&self, path: &str) -> FileFacts {
        self.ask(Call::File(path.to_string())).unwrap_or(FileFacts::Missing)
    }

    fn is_directory(&self, path: &str) -> bool {
        self.ask(Call::IsDirectory(path.to_string())).unwrap_or(true)
    }

    fn pattern_file(&self, path: &str) -> Result<Vec<u8>, Message> {
        self.ask(Call::PatternFile(path.to_string())).unwrap_or_else(|| Err(messages::silent()))
    }

    fn recording(&self, path: &str, rules: &ReplayRules) -> Result<Recording, RecordingProblem> {
        let call = Call::Recording { path: path.to_string(), rules: rules.clone() };
        self.ask(call).unwrap_or_else(|| Err(RecordingProblem { line: None, what: messages::silent() }))
    }
}

impl JobRunner for AgentJobs {
    fn check(&self) -> Result<(), Failure> {
        match self.child.borrow().loss() {
            None => Ok(()),
            Some(loss) => Err(CallError::Lost(loss.clone()).into()),
        }
    }

    fn free_bytes(&self, path: &Path) -> Result<Option<u64>, Failure> {
        self.call(Call::FreeBytes(path.to_path_buf()), Caller { sink: &Nobody, signals: &self.signals })
    }

    fn passport(&self, path: Option<&Path>, inquires: bool, caller: Caller<'_>) -> Result<Passport, Failure> {
        let call = Call::Passport { path: path.map(Path::to_path_buf), inquires };
        match self.child.borrow_mut().ask(call, caller) {
            Err(CallError::Lost(Loss::Hung)) => Err(messages::silent_drive(path)),
            done => Ok(done?),
        }
    }

    fn watch(&self, plan: &Plan, caller: Caller<'_>) -> Result<(Box<dyn Runner>, Opened), Failure> {
        let (runner, opened) = self.open(&target_spec(plan, self), caller)?;
        Ok((Box::new(runner), opened))
    }

    fn prepare(&self, jobs: JobsSpec, caller: Caller<'_>) -> Result<PreparedJobs, Failure> {
        let is_logged = jobs.displays.iter().any(|JobDisplay { logs, .. }| {
            [&logs.bandwidth, &logs.iops, &logs.latency, &logs.histogram].into_iter().any(Option::is_some)
        });
        let is_beside = |PlannedJob { workload, .. }: &PlannedJob| {
            let commands = &workload.commands;
            workload.record.is_some() || commands.before.is_some() || commands.after.is_some()
        };
        if is_logged || jobs.plan.jobs.iter().any(is_beside) {
            self.writes_logs.set(true);
        }
        self.call(Call::Prepare(jobs), caller)
    }

    fn make_file(&self, file: OwnFile, caller: Caller<'_>) -> Result<PreparedJobs, Failure> {
        self.call(Call::MakeFile(file), caller)
    }

    fn run(&self, run: RunSpec, observer: &dyn Observer, caller: Caller<'_>) -> Result<Ran, Failure> {
        let (mut so_far, mut is_wanted) = (SoFar::default(), false);
        let mut began = Instant::now();
        let mut hear = |heard: Heard| {
            if let Heard::Run(event) = &heard {
                observer.event(event);
                if *event == Event::Started {
                    began = Instant::now();
                }
            }
            let elapsed_ns = match &heard {
                Heard::Run(Event::Progress(progress)) => Some(progress.elapsed_ns),
                Heard::Nothing => u64::try_from(began.elapsed().as_nanos()).ok(),
                _ => None,
            };
            if elapsed_ns.is_some_and(|elapsed_ns| observer.wants_snapshot(elapsed_ns)) {
                is_wanted = true;
                return true;
            }
            let is_part = matches!(heard, Heard::Part(_));
            so_far.hear(heard);
            if is_part
                && is_wanted
                && let Some(result) = so_far.snapshot()
            {
                is_wanted = false;
                observer.snapshot(result);
            }
            false
        };
        let ran = self.child.borrow_mut().call(Call::Run(run), caller, &mut hear);
        let loss = match ran {
            Ok(ran) => {
                let ran: Ran = ran;
                if ran.result.outcome == RunOutcome::Hung {
                    self.child.borrow_mut().hurry();
                }
                drop(so_far);
                if is_large(&ran.result) {
                    process::release_memory();
                }
                return Ok(ran);
            }
            Err(CallError::Failed(failure)) => return Err(failure),
            Err(CallError::Lost(loss)) => loss,
        };
        let (Began { mut result, .. }, ages) = so_far.lost(&loss);
        if let Loss::Died(how) = &loss {
            let reason = messages::died(how.clone(), ages);
            result.notes.push(EngineNote::Broke { engine: String::new(), reason });
        }
        Ok(Ran::from_lost(result))
    }

    fn end_logs(&self, set: usize, caller: Caller<'_>) -> Result<(), Failure> {
        match self.child.borrow_mut().ask(Call::EndLogs(set), caller) {
            Err(CallError::Lost(_)) if !self.writes_logs.get() => Ok(()),
            Err(CallError::Lost(Loss::Hung)) => Err(Failure::io(message!("logs-late"))),
            Err(CallError::Lost(Loss::Died(_))) => Err(Failure::io(message!("logs-lost"))),
            done => Ok(done?),
        }
    }

    fn finish(&self, set: usize, caller: Caller<'_>) -> Result<Vec<Message>, Failure> {
        self.call(Call::Finish(set), caller)
    }
}
