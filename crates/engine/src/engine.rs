//! The engine interface and the registry of engines.
//!
//! An engine executes [`IoOp`]s for one worker. It implements three calls, [`submit`](IoEngine::submit),
//! [`reap`](IoEngine::reap) and [`cancel`](IoEngine::cancel), and knows nothing about workloads, formats or
//! suites. To add one, copy `engines/skeleton.rs`, which explains each call, and add a line to the table of
//! engines (`options/engine_names.rs` in jobs); the conformance suite (`tests/conformance.rs`) then covers
//! it.

use std::io;
use std::ops::Deref;
use std::os::fd::OwnedFd;
use std::sync::Arc;

pub use cardiograph_core::OpKind;
use cardiograph_core::system_error::explained;
use cardiograph_core::{Message, message};
use cardiograph_jobs::options::{self, EngineDef};
use cardiograph_jobs::value::{ValueError, parse_count, parse_switch};

use crate::buffers::Arena;
use crate::clock::Clock;
pub use crate::io_op::{Completion, IoOp};
use crate::target::{Access, NamedFile, Target};

/// Executes the I/O of one worker. All calls come from the worker's thread.
pub trait IoEngine {
    /// Accepts requests, in order. Returns how many it accepted; fewer than offered, even 0, means that it is
    /// full and must be reaped first. A synchronous engine accepts one, completes it before returning, and is
    /// full until it is reaped.
    ///
    /// # Errors
    /// When the engine itself is broken. A failed request is a [`Completion`].
    fn submit(&mut self, ops: &[IoOp]) -> io::Result<usize>;

    /// Appends completions to `done`: all available ones, but at most `max`; with fewer than `min`, waits for
    /// more until the clock reaches `until`. May return with fewer than `min`, even none: the caller calls
    /// again. Does not wait when nothing is in flight. An engine in simulated time never waits.
    ///
    /// # Errors
    /// When the engine itself is broken.
    fn reap(&mut self, min: u32, max: u32, until: Option<u64>, done: &mut Vec<Completion>) -> io::Result<()>;

    /// Requests cancellation of everything in flight. Each request is still reaped, with its own result or
    /// `-ECANCELED`.
    ///
    /// # Errors
    /// When the engine itself is broken.
    fn cancel(&mut self) -> io::Result<()>;

    /// When the next request in flight completes in simulated time. `None` if none is in flight, or in real
    /// time.
    fn next_completion_at(&self) -> Option<u64> {
        None
    }

    /// Whether `submit` executes requests one after another before it returns, although the engine queues.
    /// Such an engine gets one request at a time, whose latency starts then.
    fn is_serial(&self) -> bool {
        false
    }
}

/// Everything an engine needs to open. It is opened on its worker's thread.
#[derive(Debug, Clone)]
pub struct EngineContext {
    /// Files and devices to read and write. [`IoOp::file`] is an index into this.
    pub targets: Vec<Arc<Target>>,
    /// How to open them.
    pub access: Access,
    /// Maximum number of requests in flight.
    pub depth: u32,
    /// The buffers: `depth` slots.
    pub buffers: Arc<Arena>,
    /// The clock for [`Completion::completed_at`].
    pub clock: Clock,
    /// The engine's own options, name and value, validated by the option table. A fallback engine gets the
    /// options of the engine it replaces, and ignores unknown ones.
    pub options: Vec<(String, String)>,
}

impl EngineContext {
    /// Opens each target; returns the engine's own descriptors in the order of the targets.
    ///
    /// # Errors
    /// As [`Target::open`].
    pub fn open_files(&self) -> io::Result<Vec<OwnedFd>> {
        self.targets.iter().map(|target| target.open(self.access)).collect()
    }

    /// The targets, if all of them are named files.
    ///
    /// # Errors
    /// `Unsupported` if one of them is not.
    pub(crate) fn named_files(&self) -> io::Result<Vec<&NamedFile>> {
        let named = self.targets.iter().map(|target| target.named_file());
        named.collect::<Option<_>>().ok_or_else(|| io::ErrorKind::Unsupported.into())
    }

    /// An integer option; `None` if not set.
    ///
    /// # Errors
    /// `InvalidInput` if it is not a number.
    pub fn count_option(&self, name: &str) -> io::Result<Option<u64>> {
        self.option(name, parse_count)
    }

    /// Whether an option is on.
    ///
    /// # Errors
    /// `InvalidInput` if it is neither on nor off.
    pub fn switch_option(&self, name: &str) -> io::Result<bool> {
        Ok(self.option(name, parse_switch)?.unwrap_or(false))
    }

    /// A word option; `None` if not set.
    pub fn word_option(&self, name: &str) -> Option<&str> {
        let set = self.options.iter().rev().find(|(option, _)| option == name);
        set.map(|(_, value)| value.as_str())
    }

    /// Parses an option; `None` if not set.
    fn option<T>(&self, name: &str, parse: impl Fn(&str) -> Result<T, ValueError>) -> io::Result<Option<T>> {
        self.word_option(name).map(parse).transpose().map_err(|error| {
            let problem = message!("report-problem.at", place = name, problem = error.message());
            explained(io::ErrorKind::InvalidInput, problem)
        })
    }
}

/// An opened engine, and which requested features it lacks.
pub struct Opened {
    /// The engine.
    pub engine: Box<dyn IoEngine>,
    /// Why the arena could not be registered with the kernel, if the engine tried to.
    pub buffers_not_registered: Option<Message>,
}

impl Opened {
    /// An engine that does everything as requested.
    pub fn new(engine: impl IoEngine + 'static) -> Self {
        Self { engine: Box::new(engine), buffers_not_registered: None }
    }
}

/// A registered engine: its row in the option table, whose fields it derefs to, and how to open it.
pub struct EngineEntry {
    /// Its row, which [`ENGINES`](crate::ENGINES) selects by the name of its file.
    pub(crate) def: &'static EngineDef,
    /// The engines to use when this one is unavailable, the best first. The last is available everywhere.
    pub fallbacks: &'static [&'static str],
    /// Whether it is available on this machine; otherwise the reason, as a phrase.
    pub probe: fn() -> Result<(), Message>,
    /// Opens it for a worker.
    pub open: fn(&EngineContext) -> io::Result<Opened>,
}

impl Deref for EngineEntry {
    type Target = EngineDef;

    fn deref(&self) -> &EngineDef {
        self.def
    }
}

impl EngineEntry {
    /// An engine that is available everywhere; set the other fields with struct update syntax.
    pub const fn new(open: fn(&EngineContext) -> io::Result<Opened>) -> Self {
        Self { def: &options::ENGINES[0], fallbacks: &[], probe: || Ok(()), open }
    }
}

/// Moves at most `max` completions from an engine's list to the worker's, oldest first.
#[inline]
pub(crate) fn hand_over(held: &mut Vec<Completion>, max: u32, done: &mut Vec<Completion>) {
    if held.len() <= max as usize {
        done.append(held);
    } else {
        done.extend(held.drain(..max as usize));
    }
}
