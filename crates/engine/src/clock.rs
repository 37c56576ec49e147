//! The time source.
//!
//! Each I/O takes two readings, so their cost matters: 9 ns for the processor's counter, 22 ns for the
//! kernel's clock through the vDSO. The counter is used where it is known to run at one speed on all
//! processors: on x86 when the processor declares its time stamp counter invariant *and* the kernel uses it
//! as its own clock source; on 64-bit ARM always, because the architecture guarantees it. Everywhere else the
//! kernel's monotonic clock is used.
//!
//! Hot code works in *ticks* and converts differences with [`Clock::ns`]. The x86 counter is calibrated
//! against the monotonic clock once per process, in 2 ms, to about 10 ppm; each run compares the two again
//! over its whole length and reports the drift.

use std::sync::Arc;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use cardiograph_core::NS_PER_MS;
use cardiograph_core::result::{ClockInfo, ClockSource};

/// How long before a moment a thread is awake, in nanoseconds: the kernel wakes it up to this late.
const AWAKE_NS: u64 = NS_PER_MS;

/// A source of time: the machine's, or a simulator's.
#[derive(Debug, Clone)]
pub struct Clock {
    kind: Kind,
}

#[derive(Debug, Clone)]
enum Kind {
    /// `ns = ticks * ns_per_tick_q32 / 2^32`.
    Counter {
        ns_per_tick_q32: u64,
    },
    Monotonic,
    Virtual(Arc<AtomicU64>),
}

/// Properties of the machine's clock; the same for the whole process.
#[derive(Debug, Clone, Copy)]
struct Machine {
    ns_per_tick_q32: Option<u64>,
    read_cost_ns: f64,
    resolution_ns: f64,
}

/// Simultaneous readings of both sources, to compute their drift later.
#[derive(Debug, Clone, Copy)]
pub struct ClockMark {
    ticks: u64,
    monotonic_ns: u64,
}

impl Clock {
    /// The machine's best clock.
    pub fn machine() -> Self {
        Self::with_tick(machine().ns_per_tick_q32)
    }

    fn with_tick(ns_per_tick_q32: Option<u64>) -> Self {
        let kind = ns_per_tick_q32.map(|ns_per_tick_q32| Kind::Counter { ns_per_tick_q32 });
        Self { kind: kind.unwrap_or(Kind::Monotonic) }
    }

    /// A clock that shows the value of `now_ns`.
    pub fn simulated(now_ns: Arc<AtomicU64>) -> Self {
        Self { kind: Kind::Virtual(now_ns) }
    }

    /// Whether time advances only when the simulator advances it.
    pub fn is_simulated(&self) -> bool {
        matches!(self.kind, Kind::Virtual(_))
    }

    /// Current time, in ticks since some point in the past.
    #[inline]
    pub fn now(&self) -> u64 {
        match &self.kind {
            Kind::Counter { .. } => counter::read(),
            Kind::Monotonic => monotonic_ns(),
            Kind::Virtual(now_ns) => now_ns.load(Ordering::Relaxed),
        }
    }

    /// Converts a difference of ticks to nanoseconds.
    #[inline]
    pub fn ns(&self, ticks: u64) -> u64 {
        match self.kind {
            Kind::Counter { ns_per_tick_q32 } => {
                ((u128::from(ticks) * u128::from(ns_per_tick_q32)) >> 32) as u64
            }
            _ => ticks,
        }
    }

    /// Nanoseconds between two readings; 0 when they are in the wrong order.
    #[inline]
    pub fn ns_between(&self, earlier: u64, later: u64) -> u64 {
        self.ns(later.saturating_sub(earlier))
    }

    /// Converts nanoseconds to ticks.
    pub fn ticks(&self, ns: u64) -> u64 {
        match self.kind {
            Kind::Counter { ns_per_tick_q32 } => {
                let ticks = (u128::from(ns) << 32) / u128::from(ns_per_tick_q32.max(1));
                u64::try_from(ticks).unwrap_or(u64::MAX)
            }
            _ => ns,
        }
    }

    /// A reading of this clock as the kernel's monotonic clock shows it, in nanoseconds; simulated time as it is.
    pub fn monotonic_ns_at(&self, at: u64) -> u64 {
        let Kind::Counter { .. } = self.kind else { return at };
        let mark = paired_reading();
        let (since_ns, until_ns) = (self.ns_between(mark.ticks, at), self.ns_between(at, mark.ticks));
        mark.monotonic_ns.saturating_add(since_ns).saturating_sub(until_ns)
    }

    /// Waits until the kernel's monotonic clock shows `at_ns`, or `should_end`: sleeps, and reads the clock again and again at
    /// the end, because the kernel wakes threads late.
    pub fn wait_until(&self, at_ns: u64, should_end: &dyn Fn() -> bool) {
        loop {
            let left_ns = at_ns.saturating_sub(monotonic_ns());
            if left_ns == 0 || should_end() {
                return;
            }
            match left_ns.checked_sub(AWAKE_NS) {
                Some(asleep_ns) => std::thread::park_timeout(Duration::from_nanos(asleep_ns)),
                None => std::hint::spin_loop(),
            }
        }
    }

    /// Takes a mark for [`Clock::info`].
    pub fn mark(&self) -> ClockMark {
        if let Kind::Counter { .. } = self.kind {
            paired_reading()
        } else {
            ClockMark { ticks: 0, monotonic_ns: 0 }
        }
    }

    /// Clock properties for the report, with the drift since `mark`.
    pub fn info(&self, since: &ClockMark) -> ClockInfo {
        if let Kind::Virtual(_) = self.kind {
            return ClockInfo::default();
        }
        let machine = machine();
        let drift_ppm = match self.kind {
            Kind::Counter { .. } => {
                let now = paired_reading();
                let by_counter = self.ns(now.ticks - since.ticks) as f64;
                let by_kernel = (now.monotonic_ns - since.monotonic_ns) as f64;
                // Both ends are known to some 20 ns: below 100 ms that alone is more than 0.4 ppm.
                (by_kernel >= 1e8).then(|| (by_counter / by_kernel - 1.0) * 1e6)
            }
            _ => None,
        };
        let source =
            if matches!(self.kind, Kind::Monotonic) { ClockSource::ClockGettime } else { counter::SOURCE };
        ClockInfo {
            source,
            resolution_ns: machine.resolution_ns,
            read_cost_ns: machine.read_cost_ns,
            drift_ppm,
        }
    }
}

/// The kernel's monotonic clock in nanoseconds.
pub fn monotonic_ns() -> u64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::Monotonic);
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

fn machine() -> Machine {
    static MACHINE: OnceLock<Machine> = OnceLock::new();
    *MACHINE.get_or_init(|| {
        let ns_per_tick_q32 = counter::is_trustworthy().then(counter::ns_per_tick_q32).flatten();
        let (read_cost_ns, resolution_ns) = measure(&Clock::with_tick(ns_per_tick_q32));
        Machine { ns_per_tick_q32, read_cost_ns, resolution_ns }
    })
}

/// Cost of a reading and the smallest difference between two distinct readings, in nanoseconds.
fn measure(clock: &Clock) -> (f64, f64) {
    const READINGS: u64 = 2_000;
    let first = clock.now();
    let (mut last, mut smallest) = (first, u64::MAX);
    for _ in 0..READINGS {
        let now = clock.now();
        if now > last {
            smallest = smallest.min(now - last);
        }
        last = now;
    }
    // The smallest step between back-to-back readings is the larger of the counter's step and a reading's
    // cost.
    let ns_of = |ticks: u64| match clock.kind {
        Kind::Counter { ns_per_tick_q32 } => ticks as f64 * ns_per_tick_q32 as f64 / (1u64 << 32) as f64,
        _ => ticks as f64,
    };
    (ns_of(last - first) / READINGS as f64, if smallest == u64::MAX { 0.0 } else { ns_of(smallest) })
}

/// Reads the counter and the monotonic clock as close together as a few tries allow.
fn paired_reading() -> ClockMark {
    let mut best = (u64::MAX, ClockMark { ticks: 0, monotonic_ns: 0 });
    for _ in 0..8 {
        let before = counter::read();
        let monotonic_ns = monotonic_ns();
        let after = counter::read();
        let width = after.wrapping_sub(before);
        if width < best.0 {
            best = (width, ClockMark { ticks: before + width / 2, monotonic_ns });
        }
    }
    best.1
}

#[cfg(target_arch = "x86_64")]
mod counter {
    use cardiograph_core::result::ClockSource;

    pub const SOURCE: ClockSource = ClockSource::Tsc;

    #[inline]
    pub fn read() -> u64 {
        // SAFETY: RDTSC has no preconditions in user mode. A kernel that forbids it does not use it as its
        // clock either, so `is_trustworthy` was false.
        unsafe { std::arch::x86_64::_rdtsc() }
    }

    /// The processor promises one speed in all states (CPUID 8000_0007, EDX bit 8), and the kernel relies on it.
    pub fn is_trustworthy() -> bool {
        let leaves = std::arch::x86_64::__cpuid(0x8000_0000).eax;
        let invariant = leaves >= 0x8000_0007 && std::arch::x86_64::__cpuid(0x8000_0007).edx & (1 << 8) != 0;
        let source =
            std::fs::read_to_string("/sys/devices/system/clocksource/clocksource0/current_clocksource");
        invariant && source.is_ok_and(|name| name.trim() == "tsc")
    }

    /// Compares counter and monotonic clock over 2 ms.
    pub fn ns_per_tick_q32() -> Option<u64> {
        let start = super::paired_reading();
        while super::monotonic_ns() - start.monotonic_ns < 2_000_000 {
            std::hint::spin_loop();
        }
        let end = super::paired_reading();
        let (ticks, ns) = (end.ticks.checked_sub(start.ticks)?, end.monotonic_ns - start.monotonic_ns);
        u64::try_from((u128::from(ns) << 32) / u128::from(ticks.max(1))).ok().filter(|&q32| q32 > 0)
    }
}

#[cfg(target_arch = "aarch64")]
mod counter {
    use cardiograph_core::result::ClockSource;

    pub const SOURCE: ClockSource = ClockSource::Cntvct;

    #[inline]
    pub fn read() -> u64 {
        let value: u64;
        // SAFETY: Linux lets user mode read the virtual counter, and reading it changes nothing.
        unsafe { std::arch::asm!("mrs {}, cntvct_el0", out(reg) value, options(nomem, nostack)) };
        value
    }

    pub fn is_trustworthy() -> bool {
        true
    }

    /// The architecture states the counter's frequency.
    pub fn ns_per_tick_q32() -> Option<u64> {
        let hertz: u64;
        // SAFETY: as for the counter itself.
        unsafe { std::arch::asm!("mrs {}, cntfrq_el0", out(reg) hertz, options(nomem, nostack)) };
        u64::try_from((1_000_000_000u128 << 32) / u128::from(hertz.max(1))).ok().filter(|_| hertz > 0)
    }
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
mod counter {
    use cardiograph_core::result::ClockSource;

    pub const SOURCE: ClockSource = ClockSource::ClockGettime;

    #[inline]
    pub fn read() -> u64 {
        super::monotonic_ns()
    }

    pub fn is_trustworthy() -> bool {
        false
    }

    pub fn ns_per_tick_q32() -> Option<u64> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_machine_clock_agrees_with_the_kernel() {
        let clock = Clock::machine();
        let mark = clock.mark();
        let (ticks, ns) = (clock.now(), monotonic_ns());
        std::thread::sleep(std::time::Duration::from_millis(120));
        let (by_clock, by_kernel) = (clock.ns_between(ticks, clock.now()), monotonic_ns() - ns);
        // The two readings at each end are not simultaneous: allow for a preemption between them.
        assert!(by_clock.abs_diff(by_kernel) < 5_000_000, "{by_clock} against {by_kernel}");
        let info = clock.info(&mark);
        assert!(info.drift_ppm.is_none_or(|ppm| ppm.abs() < 1_000.0), "{info:?}");
        assert!(info.read_cost_ns > 0.0 && info.read_cost_ns < 10_000.0, "{info:?}");
    }

    #[test]
    fn ticks_and_nanoseconds_are_inverse() {
        let clock = Clock { kind: Kind::Counter { ns_per_tick_q32: (1u64 << 32) * 10 / 26 } };
        for ns in [0, 1_000, 1_000_000_000, 86_400_000_000_000] {
            assert!(clock.ns(clock.ticks(ns)).abs_diff(ns) <= 1 + ns / 1_000_000_000, "{ns}");
        }
        assert_eq!(clock.ns_between(10, 5), 0);
    }

    #[test]
    fn simulated_time_advances_only_when_set() {
        let now_ns = Arc::new(AtomicU64::new(5));
        let clock = Clock::simulated(now_ns.clone());
        assert_eq!(clock.now(), 5);
        now_ns.store(9, Ordering::Relaxed);
        assert_eq!(clock.now(), 9);
        assert_eq!(clock.info(&clock.mark()).source, ClockSource::Virtual);
    }
}
