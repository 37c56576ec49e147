//! Processes that take turns on one disk, and injected faults.
//!
//! Each process is a thread, but only one runs at a time: at each call the world draws the next one from its
//! seed, so that the seed determines the order of all calls. A killed process stops in the middle of a call,
//! its locks are released at once, and it sees no later event: it waits until all processes have ended, and
//! then every call fails.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use cardiograph_core::rng::Rng;
use rustix::io::Errno;

use crate::disk::{Answer, Disk, Number};
use crate::locks::{Locks, Process, Shared};

/// Faults of a world, by the number of the call where they occur.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Faults {
    /// The process that makes this call is killed.
    pub kills_at: Vec<u64>,
    /// Power is cut at this call.
    pub cuts_at: Option<u64>,
    /// These calls fail with EIO; counted among calls that change something.
    pub fails_at: Vec<u64>,
    /// From this call on, counted among calls that change something, the disk has only this much space left.
    pub full_from: Option<(u64, usize)>,
}

/// Whether a call changes the disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// It reads, locks or closes: it does not fail randomly.
    None,
    /// It changes something, or makes it durable.
    Change,
}

/// A disk and its users.
#[derive(Debug)]
pub struct World {
    state: Mutex<State>,
    turned: Condvar,
}

/// State shared by all processes.
#[derive(Debug)]
pub struct State {
    /// The disk.
    pub disk: Disk,
    /// Locks of files and directories, as flock(2) and SQLite take them.
    pub locks: Locks,
    /// Shared memory of SQLite's connections for a log.
    pub shared: BTreeMap<Number, Shared>,
    rng: Rng,
    faults: Faults,
    calls: u64,
    changes: u64,
    processes: Vec<Life>,
    /// Whose turn it is.
    turn: Option<Process>,
    is_over: bool,
    was_cut: bool,
    /// Hash of all calls in order.
    trace: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Life {
    Alive,
    /// It waits until all processes have ended.
    Killed,
    Ended,
}

thread_local! {
    static CURRENT: RefCell<Option<(Arc<World>, Process)>> = const { RefCell::new(None) };
}

/// The world of this thread, and its process in it.
///
/// # Panics
/// Outside of [`World::run`].
pub fn current() -> (Arc<World>, Process) {
    CURRENT.with_borrow(|current| current.clone()).expect("a process of a world makes this call")
}

impl World {
    /// A world around a disk.
    pub fn new(disk: Disk, seed: u64, faults: Faults) -> Arc<Self> {
        let state = State {
            disk,
            locks: Locks::default(),
            shared: BTreeMap::new(),
            rng: Rng::new(seed),
            faults,
            calls: 0,
            changes: 0,
            processes: Vec::new(),
            turn: None,
            is_over: false,
            was_cut: false,
            trace: 0,
        };
        Arc::new(Self { state: Mutex::new(state), turned: Condvar::new() })
    }

    /// Runs processes until all have ended, were killed, or power was cut. Returns the disk, and statistics.
    ///
    /// # Panics
    /// When one of them does.
    pub fn run(self: Arc<Self>, processes: Vec<Box<dyn FnOnce() + Send>>) -> (Disk, WorldStats) {
        {
            let mut state = self.state();
            state.processes = vec![Life::Alive; processes.len()];
            state.draw_next();
        }
        let panics: Vec<_> = std::thread::scope(|scope| {
            let threads: Vec<_> = processes
                .into_iter()
                .enumerate()
                .map(|(number, process)| {
                    let world = self.clone();
                    scope.spawn(move || {
                        CURRENT.set(Some((world.clone(), number)));
                        world.begin(number);
                        let ended = std::panic::catch_unwind(std::panic::AssertUnwindSafe(process));
                        world.end(number);
                        CURRENT.set(None);
                        ended
                    })
                })
                .collect();
            threads.into_iter().filter_map(|thread| thread.join().expect("it catches panics").err()).collect()
        });
        if let Some(panic) = panics.into_iter().next() {
            std::panic::resume_unwind(panic);
        }
        let mut state = self.state();
        let State { disk, rng, was_cut, .. } = &mut *state;
        if *was_cut {
            disk.cut_power(rng);
        }
        let stats = WorldStats { calls: state.calls, was_cut: state.was_cut, trace: state.trace };
        (std::mem::take(&mut state.disk), stats)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes a call of the current process when it is its turn. `words` describe it in the trace.
    ///
    /// # Errors
    /// Errors of `call`, injected faults, and [`Errno::IO`] for a dead process.
    pub fn call<T>(
        &self,
        process: Process,
        words: &str,
        effect: Effect,
        call: impl FnOnce(&mut State) -> Answer<T>,
    ) -> Answer<T> {
        let mut state = self.state();
        // Usually a process continues for a while. Its work between two calls is part of its turn.
        if !state.is_over && state.rng.below(8) == 0 {
            state = self.take_turns(state, process);
        }
        if state.is_over {
            return Err(Errno::IO);
        }
        state.calls += 1;
        state.disk.now_ns += 10_000;
        let calls = state.calls;
        for byte in words.bytes().chain([process as u8]) {
            state.trace = (state.trace ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
        if state.faults.cuts_at == Some(calls) {
            state.was_cut = true;
            state.is_over = true;
            self.turned.notify_all();
            return Err(Errno::IO);
        }
        if state.faults.kills_at.contains(&calls) {
            state.kill(process);
            drop(self.take_turns(state, process));
            return Err(Errno::IO);
        }
        if effect == Effect::Change {
            state.changes += 1;
            let changes = state.changes;
            if let Some((_, room_bytes)) = state.faults.full_from.filter(|(from, _)| *from == changes) {
                state.disk.room_bytes = state.disk.used_bytes() + room_bytes;
            }
            if state.faults.fails_at.contains(&changes) {
                return Err(Errno::IO);
            }
        }
        call(&mut state)
    }

    /// Lets others run for a while: simulated time passes.
    pub fn wait(&self, process: Process, ns: i128) {
        let mut state = self.state();
        state.disk.now_ns += ns;
        drop(self.take_turns(state, process));
    }

    /// Lets the chosen process continue, and waits for the turn of `process`, or until everything is over.
    fn take_turns<'s>(&'s self, mut state: MutexGuard<'s, State>, process: Process) -> MutexGuard<'s, State> {
        state.draw_next();
        self.turned.notify_all();
        while !state.is_over && state.turn != Some(process) {
            state = self.turned.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state
    }

    fn begin(&self, process: Process) {
        let mut state = self.state();
        while !state.is_over && state.turn != Some(process) {
            state = self.turned.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn end(&self, process: Process) {
        let mut state = self.state();
        if state.processes[process] == Life::Alive {
            state.processes[process] = Life::Ended;
            state.free(process);
            state.draw_next();
            self.turned.notify_all();
        }
    }
}

impl State {
    /// A random number from this world's seed.
    pub fn random(&mut self) -> u64 {
        self.rng.next_u64()
    }

    /// Chooses the next process; the world ends if none is left.
    fn draw_next(&mut self) {
        let alive = self.processes.iter().enumerate().filter(|(_, life)| **life == Life::Alive);
        let alive: Vec<Process> = alive.map(|(number, _)| number).collect();
        self.turn = alive.get(self.rng.below(alive.len() as u64) as usize).copied();
        self.is_over |= self.turn.is_none();
    }

    fn kill(&mut self, process: Process) {
        self.processes[process] = Life::Killed;
        self.free(process);
    }

    /// Frees resources of a process, as the kernel does.
    fn free(&mut self, process: Process) {
        self.locks.free(process);
        self.shared.values_mut().for_each(|shared| shared.leave(|_, owner| owner == process));
    }
}

/// Statistics of a world.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WorldStats {
    /// Number of calls.
    pub calls: u64,
    /// Whether power was cut.
    pub was_cut: bool,
    /// Hash of all calls in order: the same seed gives the same one.
    pub trace: u64,
}
