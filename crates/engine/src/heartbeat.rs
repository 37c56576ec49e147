//! Detects times when the program did not run.
//!
//! A separate thread wakes every `PERIOD_NS` and does no I/O on a drive, so a hanging drive does not delay
//! it. When it wakes late, this thread's scheduler statistics show why: a ready thread waiting for a
//! processor is counted as waiting; a stopped or frozen one is not. A stop signal also causes one additional
//! wakeup.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use cardiograph_core::pause::{Pause, PauseCause};
use cardiograph_core::{NS_PER_MS, message};
use rustix::time::{ClockId, clock_gettime};

use crate::clock::Clock;
use crate::error::RunError;

/// Time between two beats, in nanoseconds.
const PERIOD_NS: u64 = 50 * NS_PER_MS;
/// Minimum length of a pause.
const PAUSE_NS_MIN: u64 = 100 * NS_PER_MS;
/// After a longer time without a processor, the figures are not the drive's.
const NO_PROCESSOR_NS_MIN: u64 = 500 * NS_PER_MS;
/// Pauses with the same cause that are closer than this are merged.
const APART_NS_MIN: u64 = 2 * PERIOD_NS;
/// Maximum number of pauses; the length of later ones is added to the last.
const PAUSES_MAX: usize = 1_000;
const STACK_BYTES: usize = 64 << 10;

/// A thread that beats until [`Heartbeat::end`] or drop.
#[derive(Debug)]
pub struct Heartbeat {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Debug, Default)]
struct Shared {
    is_ending: AtomicBool,
    pauses: Mutex<Vec<Pause>>,
}

impl Heartbeat {
    /// Starts beating. Pauses are timed from now. Fails when the thread cannot be started.
    pub fn begin(clock: &Clock) -> Result<Self, RunError> {
        let shared = Arc::new(Shared::default());
        let (its, clock, start) = (shared.clone(), clock.clone(), clock.now());
        let thread = std::thread::Builder::new().name("heartbeat".to_string()).stack_size(STACK_BYTES);
        let thread = thread.spawn(move || beat(&its, &clock, start));
        let thread = thread.map_err(|error| RunError::Failed(message!("run-no-heartbeat", error)))?;
        Ok(Self { shared, thread: Some(thread) })
    }

    /// The pauses so far.
    pub fn pauses(&self) -> Vec<Pause> {
        self.shared.pauses().clone()
    }

    /// Stops beating. Returns all pauses.
    pub fn end(self) -> Vec<Pause> {
        let shared = self.shared.clone();
        drop(self);
        std::mem::take(&mut *shared.pauses())
    }
}

impl Drop for Heartbeat {
    fn drop(&mut self) {
        self.shared.is_ending.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
            // The thread cannot panic.
            let _ = thread.join();
        }
    }
}

impl Shared {
    fn pauses(&self) -> MutexGuard<'_, Vec<Pause>> {
        self.pauses.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn beat(shared: &Shared, clock: &Clock, start: u64) {
    let statistics = File::open("/proc/thread-self/schedstat").ok();
    let read = || Reading {
        at_ns: clock.ns_between(start, clock.now()),
        suspended_ns: suspended_ns(),
        turns: statistics.as_ref().and_then(Turns::read),
    };
    let mut last = read();
    while !shared.is_ending.load(Ordering::Relaxed) {
        std::thread::park_timeout(Duration::from_nanos(PERIOD_NS));
        let now = read();
        if let Some(pause) = pause_between(&last, &now) {
            add(&mut shared.pauses(), pause);
        }
        last = now;
    }
}

/// Total time the machine was suspended since boot, in nanoseconds.
fn suspended_ns() -> u64 {
    let [awake, all] = [ClockId::Monotonic, ClockId::Boottime].map(|clock| {
        let time = clock_gettime(clock);
        time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
    });
    all.saturating_sub(awake)
}

/// The scheduler's counters of a thread.
#[derive(Debug, Clone, Copy)]
struct Turns {
    /// Time it was runnable without a processor, in nanoseconds.
    waited_ns: u64,
    /// How often it was scheduled.
    count: u64,
}

impl Turns {
    fn read(statistics: &File) -> Option<Self> {
        // On the stack, because a page fault may wait for a drive.
        let mut text = [0; 96];
        let len = statistics.read_at(&mut text, 0).ok()?;
        let mut numbers = std::str::from_utf8(&text[..len]).ok()?.split_ascii_whitespace().skip(1);
        let mut next = || numbers.next()?.parse().ok();
        Some(Self { waited_ns: next()?, count: next()? })
    }
}

/// State at a beat.
#[derive(Debug, Clone, Copy)]
struct Reading {
    /// Time since the first beat, in nanoseconds.
    at_ns: u64,
    suspended_ns: u64,
    /// `None` if the kernel has no such statistics.
    turns: Option<Turns>,
}

/// The pause between two beats, if there was one.
fn pause_between(last: &Reading, now: &Reading) -> Option<Pause> {
    let begin_ns = last.at_ns + PERIOD_NS;
    let suspended_ns = now.suspended_ns.saturating_sub(last.suspended_ns);
    let late_ns = now.at_ns.saturating_sub(begin_ns);
    let (duration_ns, cause) = match last.turns.zip(now.turns) {
        _ if suspended_ns >= PAUSE_NS_MIN => (suspended_ns, PauseCause::Suspended),
        None => (late_ns, PauseCause::Unknown),
        Some((before, turns)) => {
            let stood_ns = late_ns.saturating_sub(turns.waited_ns.saturating_sub(before.waited_ns));
            match stood_ns {
                PAUSE_NS_MIN.. if turns.count > before.count + 1 => (stood_ns, PauseCause::Stopped),
                PAUSE_NS_MIN.. => (stood_ns, PauseCause::Frozen),
                _ => (late_ns, PauseCause::NoProcessor),
            }
        }
    };
    // A busy machine delays every thread slightly.
    let is_delay = matches!(cause, PauseCause::Unknown | PauseCause::NoProcessor);
    let is_pause = !is_delay || duration_ns >= NO_PROCESSOR_NS_MIN;
    is_pause.then_some(Pause { begin_ns, duration_ns, cause })
}

fn add(pauses: &mut Vec<Pause>, pause: Pause) {
    let is_full = pauses.len() >= PAUSES_MAX;
    match pauses.last_mut() {
        Some(last) if last.cause == pause.cause && pause.begin_ns < last.end_ns() + APART_NS_MIN => {
            last.duration_ns = pause.end_ns() - last.begin_ns;
        }
        Some(last) if is_full => last.duration_ns += pause.duration_ns,
        _ => pauses.push(pause),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: u64 = NS_PER_MS;

    #[test]
    fn the_cause_of_a_late_beat_is_found() {
        use PauseCause::{Frozen, NoProcessor, Stopped, Suspended, Unknown};
        // Ms since the last beat, ms suspended, ms waited for a processor, turns; expected cause and length.
        for (after, suspended, turns, expected) in [
            (50, 0, Some((0, 1)), None),
            (149, 0, Some((0, 2)), None),
            (150, 0, Some((0, 2)), Some((Stopped, 100))),
            (6_050, 0, Some((0, 2)), Some((Stopped, 6_000))),
            (6_050, 0, Some((20, 9)), Some((Stopped, 5_980))),
            (6_050, 0, Some((0, 1)), Some((Frozen, 6_000))),
            (400, 0, Some((340, 3)), None),
            (600, 0, Some((540, 3)), Some((NoProcessor, 550))),
            (50, 9_000, Some((0, 1)), Some((Suspended, 9_000))),
            // The counter continued while the machine slept, or restarted.
            (9_050, 9_000, Some((0, 1)), Some((Suspended, 9_000))),
            (0, 9_000, None, Some((Suspended, 9_000))),
            (400, 0, None, None),
            (900, 0, None, Some((Unknown, 850))),
        ] {
            let turns_of =
                |(waited, count): (u64, u64)| Turns { waited_ns: (7 + waited) * MS, count: 3 + count };
            let reading = |after: u64, suspended: u64, turns: Option<(u64, u64)>| Reading {
                at_ns: (1_000 + after) * MS,
                suspended_ns: (5 + suspended) * MS,
                turns: turns.map(turns_of),
            };
            let found = pause_between(&reading(0, 0, Some((0, 0))), &reading(after, suspended, turns));
            let words = found.map(|pause| (pause.cause, pause.duration_ns / MS));
            assert_eq!(words, expected, "{after} {suspended} {turns:?}");
            assert!(found.is_none_or(|pause| pause.begin_ns == 1_050 * MS));
        }
    }

    #[test]
    fn consecutive_pauses_are_merged_and_their_number_is_bounded() {
        let pause = |begin_ms, cause| Pause { begin_ns: begin_ms * MS, duration_ns: 200 * MS, cause };
        let mut pauses = Vec::new();
        add(&mut pauses, pause(0, PauseCause::Stopped));
        add(&mut pauses, pause(250, PauseCause::Stopped));
        add(&mut pauses, pause(500, PauseCause::Frozen));
        add(&mut pauses, pause(1_000, PauseCause::Frozen));
        let found: Vec<u64> = pauses.iter().map(|pause| pause.duration_ns / MS).collect();
        assert_eq!(found, [450, 200, 200]);
        (2..3_000).for_each(|at| add(&mut pauses, pause(at * 1_000, PauseCause::Frozen)));
        assert_eq!(pauses.len(), PAUSES_MAX);
        assert_eq!(cardiograph_core::pause::total_ns(&pauses), (450 + 3_000 * 200) * MS);
    }

    #[test]
    fn a_running_thread_is_not_paused() {
        let heartbeat = Heartbeat::begin(&Clock::machine()).unwrap();
        assert_eq!(heartbeat.pauses().len(), 0);
        drop(heartbeat);
    }
}
