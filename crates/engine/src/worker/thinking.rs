//! Think time: pauses between I/Os.

use cardiograph_core::Workload;
use cardiograph_core::workload::Think;

use super::Worker;
use crate::clock::Clock;
use crate::pacer::NEVER;

/// A pause in progress, in ticks.
#[derive(Debug, Clone, Copy)]
struct Pause {
    began_at: u64,
    /// End of busy waiting.
    spins_until: u64,
    until: u64,
}

/// Decides when a worker pauses.
#[derive(Debug, Default)]
pub(super) struct Thinker {
    pause_ticks: u64,
    spin_ticks: u64,
    /// I/Os between pauses; [`NEVER`] if only time decides.
    every_ios: u64,
    counts_issued: bool,
    /// Ticks between pauses; [`NEVER`] if only the number of I/Os decides.
    every_ticks: u64,
    stops_rate: bool,
    /// Ticks of busy waiting after each I/O.
    cycle_ticks: u64,

    issued: u64,
    completed: u64,
    /// Counted I/Os at the last decision to pause. Those in flight then count for the next one, as in fio.
    counted_before: u64,
    /// I/Os issued at the end of the last pause: at least one must follow before the next.
    issued_before: u64,
    /// End of the last pause.
    pub last_at: u64,
    /// Whether a pause is due once the requests in flight complete.
    is_wanted: bool,
    pause: Option<Pause>,
    /// Whether busy waiting is due after the I/O just issued.
    burns_next: bool,
    burns_until: u64,
}

impl Thinker {
    /// The pauses of a workload.
    pub fn new(workload: &Workload, clock: &Clock) -> Option<Self> {
        let Think { pause_ns, spin_ns, every_ios, counts_issued, every_ns, stops_rate, cycles } =
            workload.think?;
        // The time stamp counter counts cycles. If it is not the clock, a cycle is a nanosecond.
        let cycle_ticks = cycles;
        let has_pauses = pause_ns > 0;
        Some(Self {
            pause_ticks: clock.ticks(pause_ns),
            spin_ticks: clock.ticks(spin_ns),
            every_ios: every_ios.filter(|_| has_pauses).unwrap_or(NEVER),
            counts_issued,
            every_ticks: every_ns.filter(|_| has_pauses).map_or(NEVER, |ns| clock.ticks(ns)),
            stops_rate,
            cycle_ticks,
            ..Self::default()
        })
    }

    /// Counts from `at` (ticks).
    pub fn start_at(&mut self, at: u64) {
        self.last_at = at;
    }

    /// Whether it needs completions.
    pub fn counts_completed(&self) -> bool {
        !self.counts_issued && self.every_ios != NEVER
    }

    /// Counts an issued I/O.
    pub fn issued(&mut self) {
        self.issued += 1;
        self.burns_next = self.cycle_ticks > 0;
    }

    /// Counts a completed I/O.
    pub fn completed(&mut self) {
        self.completed += 1;
    }

    fn counted(&self) -> u64 {
        if self.counts_issued { self.issued } else { self.completed }
    }

    /// Decides whether a pause is due at `now` (ticks).
    fn look(&mut self, now: u64) {
        let has_gone_on = self.issued > self.issued_before;
        let by_count = self.counted() - self.counted_before >= self.every_ios;
        let by_time = now.saturating_sub(self.last_at) >= self.every_ticks;
        if has_gone_on && !self.is_wanted && (by_count || by_time) {
            self.is_wanted = true;
            self.counted_before = self.counted();
        }
    }

    /// The pause that is due, started at `now` (ticks) if it has not started.
    fn begin(&mut self, now: u64) -> Pause {
        let spin_ticks = self.spin_ticks;
        let len_ticks = self.pause_ticks.max(spin_ticks);
        *self.pause.get_or_insert(Pause {
            began_at: now,
            spins_until: now.saturating_add(spin_ticks),
            until: now.saturating_add(len_ticks),
        })
    }

    /// Ends the pause at `now` (ticks). Returns how many ticks a rate limit was paused.
    fn end(&mut self, now: u64) -> u64 {
        let began_at = self.pause.take().map_or(now, |pause| pause.began_at);
        self.is_wanted = false;
        self.issued_before = self.issued;
        self.last_at = now;
        if self.stops_rate { now - began_at } else { 0 }
    }
}

impl Worker {
    /// Whether the job is thinking, and so issues nothing now.
    pub(super) fn thinks(&mut self) -> bool {
        let Some(mut thinker) = self.pace.thinker.take() else { return false };
        let waits = self.burns(&mut thinker) || self.pauses(&mut thinker);
        self.pace.thinker = Some(thinker);
        waits
    }

    /// Busy-waits after an I/O, once it has been submitted. Returns whether to continue.
    fn burns(&mut self, thinker: &mut Thinker) -> bool {
        if thinker.burns_next {
            if !self.queue.batch.is_empty() {
                self.pace.due_at = self.now;
                return true;
            }
            thinker.burns_next = false;
            thinker.burns_until = self.now.saturating_add(thinker.cycle_ticks);
        }
        self.spins_until(thinker.burns_until)
    }

    /// Pauses if due. Returns whether the pause continues.
    fn pauses(&mut self, thinker: &mut Thinker) -> bool {
        thinker.look(self.now);
        if !thinker.is_wanted {
            return false;
        }
        if self.queue.in_flight > 0 || !self.queue.batch.is_empty() {
            return true;
        }
        let pause = thinker.begin(self.now);
        if self.spins_until(pause.spins_until) {
            return true;
        }
        if self.now < pause.until {
            self.pace.due_at = pause.until;
            return true;
        }
        let stood_ticks = thinker.end(self.now);
        if let Some(pacer) = &mut self.pace.pacer
            && stood_ticks > 0
        {
            pacer.stood_still(stood_ticks);
        }
        false
    }

    /// Busy-waits until a time, or the job's end. In simulated time, returns whether the time is still in the
    /// future.
    fn spins_until(&mut self, until: u64) -> bool {
        let until = until.min(self.deadline);
        if self.now >= until {
            return false;
        }
        if self.clock.is_simulated() {
            self.pace.due_at = until;
            return true;
        }
        while self.now < until && !self.stop.is_set() {
            std::hint::spin_loop();
            self.now = self.clock.now();
        }
        false
    }
}
