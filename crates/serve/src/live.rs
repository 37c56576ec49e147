//! Checkups that are running on this host: started, watched, stopped.
//!
//! A checkup runs on a thread of its own, as on the command line; [`log`] keeps its events for who watches it.

mod log;

use std::path::PathBuf;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::JoinHandle;

use axum::http::StatusCode;
use cardiograph_checkup::agent::AgentJobs;
use cardiograph_checkup::checkup::{Checkup, Task};
use cardiograph_checkup::failure::Failure;
use cardiograph_checkup::job_runner::JobRunner as _;
use cardiograph_checkup::keeper::{self, Keeper};
use cardiograph_checkup::runner::Caller;
use cardiograph_checkup::signals::Signals;
use cardiograph_core::drive::Drive;
use cardiograph_core::{Message, Report, message};
use cardiograph_store::Store;
use cardiograph_suites::Outline;
use rustix::process::Signal;

pub use self::log::{Log, Sent};
use crate::feed::Feed;
use crate::problem::Problem;

/// Checkups that ended and are still known: who watches one is led to its Report.
const ENDED_MAX: usize = 20;

/// The checkups that are running, or ended a while ago.
pub struct Live {
    store: Arc<dyn Store>,
    feed: Arc<Feed>,
    all: Mutex<Vec<Arc<Running>>>,
    /// One at a time: two would measure each other.
    turn: Arc<Mutex<()>>,
    threads: Mutex<Vec<JoinHandle<()>>>,
}

/// A checkup that is running.
pub struct Running {
    /// The id of its Report; known once it could begin.
    id: OnceLock<String>,
    /// What happened so far.
    pub log: Log,
    signals: Signals,
}

/// What somebody asks for.
#[derive(Debug, Clone, Default, serde::Deserialize)]
#[serde(deny_unknown_fields, default)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Wish {
    /// The checkup.
    pub task: Task,
    /// Whether it may write much of the drive.
    pub may_write_much: bool,
}

/// What a checkup would do.
pub struct Planned {
    /// The Report before its first step.
    pub report: Report,
    /// Its steps.
    pub outline: Outline,
    /// What it would have to be asked, as a phrase.
    pub much: Option<Message>,
}

impl Running {
    /// The id of its Report.
    pub fn id(&self) -> &str {
        self.id.get().map_or("", String::as_str)
    }

    fn stop(&self) {
        self.signals.note(Signal::TERM.as_raw());
    }
}

impl Live {
    /// None is running yet. They are kept in `store`, of which `feed` tells.
    pub fn new(store: Arc<dyn Store>, feed: Arc<Feed>) -> Self {
        Self { store, feed, all: Mutex::default(), turn: Arc::default(), threads: Mutex::default() }
    }

    /// The checkups that are running, or ended a while ago; the newest last.
    pub fn list(&self) -> Vec<Arc<Running>> {
        lock(&self.all).clone()
    }

    /// The one with this id.
    ///
    /// # Errors
    /// When none has it.
    pub fn find(&self, id: &str) -> Result<Arc<Running>, Problem> {
        let found = lock(&self.all).iter().find(|running| running.id() == id).cloned();
        found.ok_or_else(|| Problem::not_found(message!("serve-not-running", id)))
    }

    /// The one with this id, unless it has ended.
    pub fn find_running(&self, id: &str) -> Option<Arc<Running>> {
        self.find(id).ok().filter(|running| !running.log.is_ended())
    }

    /// Asks a checkup to end: what it has is kept.
    ///
    /// # Errors
    /// When none has this id.
    pub fn stop(&self, id: &str) -> Result<(), Problem> {
        self.find(id).map(|running| running.stop())
    }

    /// Ends all, and waits for their ends.
    pub fn stop_all(&self) {
        self.list().iter().for_each(|running| running.stop());
        for thread in std::mem::take(&mut *lock(&self.threads)) {
            // A panic there was reported by the thread.
            let _ = thread.join();
        }
    }

    /// The drives of this host.
    ///
    /// # Errors
    /// When they cannot be listed.
    pub fn drives(&self) -> Result<Vec<Drive>, Problem> {
        let (log, signals) = (Log::default(), Signals::default());
        let caller = Caller { sink: &log, signals: &signals };
        let runner = AgentJobs::start(PathBuf::from("/dev"), &signals)?;
        Ok(runner.passport(None, false, caller)?.drives)
    }

    /// What a checkup would do. Nothing is written.
    ///
    /// # Errors
    /// What would refuse the checkup.
    pub fn plan(&self, task: Task) -> Result<Planned, Problem> {
        let log = Log::default();
        let signals = Signals::default();
        let caller = Caller { sink: &log, signals: &signals };
        let (checkup, outline) = ready(Task { is_dry: true, ..task }, self.store.as_ref(), caller)?;
        let much = checkup.writes_much(&outline);
        Ok(Planned { report: checkup.report, outline, much })
    }

    /// Starts a checkup; returns when its first step may begin.
    ///
    /// # Errors
    /// Why it cannot begin.
    pub fn start(&self, wish: Wish) -> Result<Arc<Running>, Problem> {
        let running =
            Arc::new(Running { id: OnceLock::new(), log: Log::default(), signals: Signals::default() });
        let (sender, answer) = channel();
        let keeper = Arc::new(InStore { store: self.store.clone(), feed: self.feed.clone() });
        let (doing, turn) = (running.clone(), self.turn.clone());
        let thread = std::thread::Builder::new().name("checkup".to_string()).spawn(move || {
            let Ok(_turn) = turn.try_lock() else {
                let busy = Problem::new(StatusCode::CONFLICT, message!("serve-busy"));
                return drop(sender.send(Err(busy)));
            };
            doing.run(wish, &keeper, &sender);
        });
        let thread = thread.map_err(|error| Problem::internal(&error))?;
        lock(&self.threads).retain(|thread| !thread.is_finished());
        lock(&self.threads).push(thread);
        // Without an answer, the thread has panicked.
        answer.recv().unwrap_or_else(|lost| Err(Problem::internal(&lost)))?;
        let mut all = lock(&self.all);
        all.push(running.clone());
        let ended = all.iter().filter(|running| running.log.is_ended()).count();
        if ended > ENDED_MAX
            && let Some(oldest) = all.iter().position(|running| running.log.is_ended())
        {
            all.remove(oldest);
        }
        Ok(running)
    }
}

/// Opens the target of a task, and asks the suite for its outline.
fn ready(task: Task, store: &dyn Store, caller: Caller<'_>) -> Result<(Checkup, Outline), Problem> {
    let mut checkup = Checkup::open(task, caller)?;
    let outline = checkup.outline(caller)?;
    if !checkup.task.is_dry {
        store.try_save(&checkup.report)?;
    }
    checkup.make_ready(&outline, Some(store), caller)?;
    Ok((checkup, outline))
}

impl Running {
    /// Runs a checkup to its end; answers once it can begin, or why it cannot.
    fn run(&self, wish: Wish, keeper: &Arc<InStore>, answer: &Sender<Result<(), Problem>>) {
        let caller = Caller { sink: &self.log, signals: &self.signals };
        let begun = ready(wish.task, keeper.store.as_ref(), caller).and_then(|(checkup, outline)| {
            match checkup.writes_much(&outline).filter(|_| !wish.may_write_much) {
                Some(much) => Err(Problem::new(
                    StatusCode::PRECONDITION_REQUIRED,
                    message!("check-much-question", much),
                )),
                None => Ok(checkup),
            }
        });
        let mut checkup = match begun {
            Ok(checkup) => checkup,
            Err(problem) => return drop(answer.send(Err(problem))),
        };
        let _ = self.id.set(checkup.report.id.clone());
        let _ = answer.send(Ok(()));
        match checkup.run(keeper, caller) {
            Ok(ending) => {
                ending.messages.iter().chain(&ending.not_kept).for_each(|message| self.log.trouble(message));
                if !ending.is_hung {
                    let cleaned = checkup.clean(caller);
                    self.log.note(&cleaned.sentence());
                }
            }
            Err(failure) => failure.lines().for_each(|message| self.log.trouble(message)),
        }
        self.log.end(&checkup.report);
    }
}

/// Saves a checkup in the server's store.
struct InStore {
    store: Arc<dyn Store>,
    feed: Arc<Feed>,
}

impl Keeper for InStore {
    fn begin(&self, _: &Report) -> Result<(), Failure> {
        Ok(())
    }

    fn save(&self, report: &Report) -> Result<(), Failure> {
        keeper::save_or_set_aside(self.store.as_ref(), report)?;
        if let Ok(Some(drive)) = self.store.drive_of(&report.id) {
            self.feed.saved(&report.id, &drive);
        }
        Ok(())
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
