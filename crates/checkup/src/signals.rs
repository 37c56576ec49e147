//! Signals that ask the program to end or, in fio mode, to show its status: recorded, and checked between
//! I/Os.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use cardiograph_core::message;
use signal_hook::SigId;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGUSR1, SIGXFSZ};

use crate::failure::{Failure, SIGNAL_BASE};

/// Received signals.
#[derive(Debug, Clone, Default)]
pub struct Signals {
    number: Arc<AtomicUsize>,
    /// Immediate exit on the second signal of each kind.
    ends: Arc<Mutex<Vec<End>>>,
    /// Whether a status report was requested.
    status: Arc<AtomicBool>,
}

/// The second signal of a kind ends the program: two actions, the first of which checks the flag set by the
/// second.
#[derive(Debug)]
struct End {
    signal: i32,
    actions: [SigId; 2],
}

impl End {
    fn register(signal: i32) -> std::io::Result<Self> {
        let again = Arc::new(AtomicBool::new(false));
        let code = i32::from(SIGNAL_BASE) + signal;
        // In this order: at the first signal the condition does not hold yet.
        let first = signal_hook::flag::register_conditional_shutdown(signal, code, again.clone())?;
        Ok(Self { signal, actions: [first, signal_hook::flag::register(signal, again)?] })
    }
}

/// Prevents signals from ending the program while something is being restored.
#[derive(Debug)]
pub struct Hold {
    ends: Arc<Mutex<Vec<End>>>,
    came: Arc<AtomicBool>,
    notes: Vec<SigId>,
}

impl Hold {
    /// Whether a signal has come since the last call.
    pub fn has_come(&self) -> bool {
        self.came.swap(false, Ordering::Relaxed)
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        for note in self.notes.drain(..) {
            signal_hook::low_level::unregister(note);
        }
        for end in self.ends.lock().unwrap_or_else(PoisonError::into_inner).iter_mut() {
            // Registration worked before, so it can again; otherwise only kill -9 ends a hanging program from
            // here on.
            if let Ok(again) = End::register(end.signal) {
                *end = again;
            }
        }
    }
}

impl Signals {
    /// Starts listening. The first signal asks for an orderly end; the second of the same kind ends the
    /// program at once. Signals that the caller ignored, as `nohup` does, stay ignored. Exceeding the file
    /// size limit becomes a write error instead of a signal that kills.
    pub fn listen() -> Result<Self, Failure> {
        Self::listen_unless(ignored())
    }

    /// The same in fio mode. Scripts' background jobs are started with Ctrl-C ignored; fio listens all the
    /// same, and scripts rely on it. Only hangups stay ignored. `SIGUSR1` requests a status report.
    pub fn listen_as_fio() -> Result<Self, Failure> {
        let signals = Self::listen_unless(ignored() & (1 << (SIGHUP - 1)))?;
        signal_hook::flag::register(SIGUSR1, signals.status.clone()).map_err(listen_failure)?;
        Ok(signals)
    }

    fn listen_unless(ignored: u64) -> Result<Self, Failure> {
        let signals = Self::default();
        let register = || -> std::io::Result<()> {
            let is_heard = |signal: &i32| ignored & (1 << (signal - 1)) == 0;
            for signal in [SIGINT, SIGTERM, SIGHUP].into_iter().filter(is_heard) {
                let end = End::register(signal)?;
                signals.ends.lock().unwrap_or_else(PoisonError::into_inner).push(end);
                signal_hook::flag::register_usize(signal, signals.number.clone(), signal as usize)?;
            }
            signal_hook::flag::register(SIGXFSZ, Arc::default())?;
            Ok(())
        };
        register().map_err(listen_failure)?;
        Ok(signals)
    }

    /// Whether a status report was requested since the last call.
    pub fn takes_status(&self) -> bool {
        self.status.swap(false, Ordering::Relaxed)
    }

    /// Records a signal received elsewhere.
    pub fn note(&self, signal: i32) {
        self.number.store(signal as usize, Ordering::Relaxed);
    }

    /// Prevents signals from ending the program while the guard lives: they are only recorded.
    pub fn hold(&self) -> Hold {
        let (came, mut notes) = (Arc::new(AtomicBool::new(false)), Vec::new());
        for end in self.ends.lock().unwrap_or_else(PoisonError::into_inner).iter() {
            notes.extend(signal_hook::flag::register(end.signal, came.clone()));
            for action in end.actions {
                signal_hook::low_level::unregister(action);
            }
        }
        Hold { ends: self.ends.clone(), came, notes }
    }

    /// The signal that asked for the end, if any.
    pub fn received(&self) -> Option<u8> {
        u8::try_from(self.number.load(Ordering::Relaxed)).ok().filter(|&number| number > 0)
    }
}

fn listen_failure(error: std::io::Error) -> Failure {
    Failure::usage(message!("signals-not-heard", error))
}

/// Whether a signal was ignored at startup.
pub fn is_ignored(signal: i32) -> bool {
    ignored() & (1 << (signal - 1)) != 0
}

/// Signals ignored at startup, a bit each; none if the system does not report it.
pub(crate) fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}
