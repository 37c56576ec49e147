//! Runs a load on a separate thread, and abandons it if the drive hangs.

use cardiograph_core::{Action, schemars};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use cardiograph_core::app::{AppResult, AppSpec, Operation};
use cardiograph_core::{NS_PER_MS, NS_PER_S, Parameter, message};
use serde::{Deserialize, Serialize};

use crate::error::AppError;
use crate::load::AppLoad;
use crate::loads::{LOADS, find};
use crate::scratch::Scratch;
use crate::stage::{Mark, Shared, Stage};

/// Parameters of a run.
#[derive(Debug, Clone)]
pub struct AppRequest<'a> {
    /// The load and its parameters.
    pub spec: &'a AppSpec,
    /// A directory on the drive. A test directory is created in it.
    pub directory: &'a Path,
    /// Seed of sizes and order.
    pub seed: u64,
    /// Seed of the content, which must be new to the drive.
    pub content_seed: u64,
    /// Maximum number of bytes to write.
    pub write_bytes_max: u64,
    /// Maximum time in nanoseconds if the drive responds; `None` if limited by bytes only.
    pub time_ns_max: Option<u64>,
    /// How long to wait for a hanging drive.
    pub patience: Patience,
    /// Called where operations begin and end, to record the I/O in between.
    pub mark: Option<fn(&Mark<'_>)>,
}

/// If this thread was away for longer than this (nanoseconds), it learns nothing of the load.
const AWAY_NS_MIN: u64 = 2 * NS_PER_S;

/// How long to wait for a hanging drive, in nanoseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Patience {
    /// While the load works.
    pub silence_ns_max: u64,
    /// After it was asked to stop.
    pub grace_ns: u64,
    /// Polling interval.
    pub tick_ns: u64,
}

impl Default for Patience {
    /// 60 s of silence, as for jobs; 40 s at the end, in which a slow card takes in the cached photo. Polls four times a second.
    fn default() -> Self {
        Self { silence_ns_max: 60 * NS_PER_S, grace_ns: 40 * NS_PER_S, tick_ns: 250 * NS_PER_MS }
    }
}

/// Progress of a load.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Progress {
    /// Nanoseconds since the load began.
    pub elapsed_ns: u64,
    /// Nanoseconds since the previous poll.
    pub interval_ns: u64,
    /// What is counted now; `None` while the load prepares or checks.
    pub operation: Option<Operation>,
    /// Operations since the previous poll.
    pub operations: u64,
    /// The user's bytes since then.
    pub bytes: u64,
    /// The user's bytes written since the load began.
    pub written_bytes: u64,
}

/// How a load ended.
#[derive(Debug)]
pub enum AppEnd {
    /// At its bounds.
    Done,
    /// On request.
    Stopped,
    /// By an error.
    Failed(AppError),
    /// The drive hangs: the kernel holds the thread, and the test directory remains.
    Hung,
}

/// The result of a load.
#[derive(Debug)]
pub struct AppRun {
    /// What was measured.
    pub result: AppResult,
    /// How it ended.
    pub end: AppEnd,
    /// A test directory that could not be removed, and the reason.
    pub left_behind: Option<AppError>,
}

/// Runs a load. `watch` is called a few times a second, and stops it by breaking.
///
/// # Errors
/// If there is no such load, or a parameter is invalid.
pub fn run(
    request: &AppRequest<'_>,
    watch: &mut dyn FnMut(&Progress) -> ControlFlow<()>,
) -> Result<AppRun, AppError> {
    let load = find_checked(request.spec)?;
    let shared = Arc::new(Shared::default());
    let (sender, receiver) = channel();
    let began = Instant::now();
    let stage = Stage {
        directory: request.directory.to_path_buf(),
        spec: request.spec.clone(),
        seed: request.seed,
        content_seed: request.content_seed,
        write_bytes_max: request.write_bytes_max,
        time_ns_max: request.time_ns_max,
        began,
        mark: request.mark,
        shared: shared.clone(),
    };
    let thread = std::thread::Builder::new().name(load.name.to_string());
    let spawned = thread.spawn(move || drop(sender.send(work(load, stage))));
    spawned.map_err(|source| AppError::Io {
        action: Action::StartThread,
        path: request.directory.to_path_buf(),
        source,
    })?;
    let mut watcher = Watcher::new(&shared, began);
    let (end, left_behind) = loop {
        match receiver.recv_timeout(Duration::from_nanos(request.patience.tick_ns)) {
            Ok((Ok(()), left)) if shared.is_stopping() => break (AppEnd::Stopped, left),
            Ok((Ok(()), left)) => break (AppEnd::Done, left),
            Ok((Err(error), left)) => break (AppEnd::Failed(error), left),
            Err(RecvTimeoutError::Disconnected) => {
                break (AppEnd::Failed(AppError::Failed(message!("app-lost"))), None);
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
        if watch(&watcher.poll()).is_break() {
            shared.stop();
        }
        if watcher.is_hanging(request.patience) {
            break (AppEnd::Hung, None);
        }
    };
    Ok(AppRun { result: shared.result(), end, left_behind })
}

/// Finds the load and checks its parameters.
fn find_checked(spec: &AppSpec) -> Result<&'static AppLoad, AppError> {
    let unknown = || {
        let known = Parameter::all(LOADS.iter().map(|load| load.name));
        AppError::Failed(message!("app-no-such-load", load = &spec.load, loads = known))
    };
    let load = find(&spec.load).ok_or_else(unknown)?;
    let is_known = |name: &str, value: u64| {
        let known = load.parameters.iter().find(|parameter| parameter.0 == name);
        known.is_some_and(|&(_, least, most)| (least..=most).contains(&value))
    };
    match spec.parameters.iter().find(|&(name, &value)| !is_known(name, value)) {
        Some((name, &value)) => {
            let load = &spec.load;
            Err(AppError::Failed(message!("app-parameter", load, name, amount = value)))
        }
        None => Ok(load),
    }
}

/// Runs the load in a new directory, and removes that. Returns how the load ended, and why the directory remains, if it does.
fn work(load: &AppLoad, mut stage: Stage) -> (Result<(), AppError>, Option<AppError>) {
    let scratch = match Scratch::new(cardiograph_files::system(), &stage.directory) {
        Ok(scratch) => scratch,
        Err(error) => return (Err(error), None),
    };
    stage.directory = scratch.path().to_path_buf();
    stage.began = Instant::now();
    let end = (load.run)(&stage);
    stage.beat();
    (end, scratch.remove().err())
}

/// Polls a load.
struct Watcher<'a> {
    shared: &'a Shared,
    began: Instant,
    looked_ns: u64,
    so_far: (u64, u64),
    beats: u64,
    /// Time of the last sign of life.
    alive_ns: u64,
    /// When the request to stop was first seen.
    stopping_ns: Option<u64>,
}

impl<'a> Watcher<'a> {
    fn new(shared: &'a Shared, began: Instant) -> Self {
        Self { shared, began, looked_ns: 0, so_far: (0, 0), beats: 0, alive_ns: 0, stopping_ns: None }
    }

    fn poll(&mut self) -> Progress {
        let now_ns = u64::try_from(self.began.elapsed().as_nanos()).unwrap_or(u64::MAX);
        let (operation, operations, bytes) = self.shared.so_far();
        let progress = Progress {
            elapsed_ns: now_ns,
            interval_ns: now_ns - self.looked_ns,
            operation,
            operations: operations.saturating_sub(self.so_far.0),
            bytes: bytes.saturating_sub(self.so_far.1),
            written_bytes: self.shared.written_bytes(),
        };
        (self.looked_ns, self.so_far) = (now_ns, (operations, bytes));
        let beats = self.shared.beats();
        // If this thread did not run, the load may not have run either.
        if beats != self.beats || progress.interval_ns > AWAY_NS_MIN {
            (self.beats, self.alive_ns) = (beats, now_ns);
        }
        progress
    }

    fn is_hanging(&mut self, patience: Patience) -> bool {
        if self.shared.is_stopping() && self.stopping_ns.is_none() {
            self.stopping_ns = Some(self.looked_ns);
        }
        let (since_ns, allowed_ns) = match self.stopping_ns {
            Some(stopping_ns) => (stopping_ns.max(self.alive_ns), patience.grace_ns),
            None => (self.alive_ns, patience.silence_ns_max),
        };
        self.looked_ns - since_ns > allowed_ns
    }
}
