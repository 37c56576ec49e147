//! Rate limits: when the next I/O is due, and whether a required minimum rate was reached.
//!
//! Due times depend only on the limit and are counted from a start: the n-th byte or I/O is due n times its
//! share of a second later. So a worker delayed by its drive catches up, and the time that an I/O waited for
//! its turn can be separated from its latency. With Poisson arrivals each share is multiplied by an
//! exponential number with mean 1, drawn from the job's seed, so that the average rate is the same.

use cardiograph_core::result::MissedRate;
use cardiograph_core::rng::{Rng, derive_seed};
use cardiograph_core::workload::{Arrivals, Rate};
use cardiograph_core::{Direction, NS_PER_S, Workload};

use crate::clock::Clock;

/// A time that never comes, in ticks.
pub(crate) const NEVER: u64 = u64::MAX;
/// Part of a job's seed for arrival intervals, one per direction.
const ARRIVALS_PART: u64 = 8;

/// The limit of one direction.
#[derive(Debug, Clone)]
struct Limit {
    counts_ios: bool,
    /// Ticks per byte or I/O, times 2^64, rounded up.
    step: u128,
    /// When the next I/O is due, in ticks times 2^64. Adding steps keeps it exact without division.
    due: u128,
    /// The step of the shortest I/O.
    least: u128,
    /// Source of random intervals; `None` for regular ones.
    rng: Option<Rng>,
}

impl Limit {
    /// Advances by the share of `units` bytes or I/Os.
    fn advance(&mut self, units: u64) {
        let share = self.step.saturating_mul(u128::from(units));
        let share = match &mut self.rng {
            None => share,
            Some(rng) => {
                // Keeps 32 bits of a tick's fraction: the product with up to 40 times 2^32 does not overflow.
                let factor = (rng.exponential(1.0) * (1u64 << 32) as f64) as u128;
                (share >> 32).saturating_mul(factor)
            }
        };
        self.due = self.due.saturating_add(share);
    }
}

/// Schedules I/Os by rate limits.
#[derive(Debug)]
pub(crate) struct Pacer {
    limits: [Option<Limit>; 3],
    /// Whether I/Os must be issued in the order they were drawn, even when not yet due.
    is_strict: bool,
}

impl Pacer {
    /// The limits of a workload; `None` if it has none.
    ///
    /// With `is_strict` the order of directions does not depend on time.
    pub fn new(workload: &Workload, clock: &Clock, seed: u64, is_strict: bool) -> Option<Self> {
        let ticks_per_s = u128::from(clock.ticks(NS_PER_S)) << 64;
        let limits = Direction::DATA.map(|direction| {
            let (counts_ios, per_second) =
                match workload.rate[direction].filter(|_| workload.uses(direction))? {
                    Rate::Bytes { per_second, .. } => (false, per_second),
                    Rate::Ios { per_second, .. } => (true, per_second),
                };
            let step = (per_second > 0).then(|| ticks_per_s.div_ceil(u128::from(per_second)))?;
            let least_units = if counts_ios { 1 } else { workload.block_len[direction].min_bytes() };
            let least = step.saturating_mul(u128::from(least_units));
            let rng = (workload.arrivals == Arrivals::Poisson)
                .then(|| Rng::new(derive_seed(seed, ARRIVALS_PART + direction.index() as u64)));
            Some(Limit { counts_ios, step, due: 0, least, rng })
        });
        let has_limit = limits.iter().any(Option::is_some);
        has_limit.then_some(Self { limits, is_strict })
    }

    /// Counts from `at` (ticks), dropping everything that was due earlier and not issued.
    pub fn start_at(&mut self, at: u64) {
        for limit in self.limits.iter_mut().flatten() {
            limit.due = u128::from(at) << 64;
        }
    }

    /// The direction of the next I/O, and when it is due. If the drawn direction is not due yet, the other
    /// one goes first if it is due earlier.
    pub fn choose(&self, drawn: Direction, now: u64, is_mixed: bool) -> (Direction, u64) {
        let due = self.due_at(drawn);
        if due <= now || self.is_strict || !is_mixed {
            return (drawn, due);
        }
        let other = if drawn == Direction::Read { Direction::Write } else { Direction::Read };
        let other_due = self.due_at(other);
        if other_due < due { (other, other_due) } else { (drawn, due) }
    }

    /// When the next I/O of a direction is due, in ticks; 0 without a limit.
    pub fn due_at(&self, direction: Direction) -> u64 {
        self.limits[direction.index()].as_ref().map_or(0, |limit| (limit.due >> 64) as u64)
    }

    /// Counts an issued I/O.
    pub fn issued(&mut self, direction: Direction, len_bytes: u64) {
        if let Some(limit) = &mut self.limits[direction.index()] {
            limit.advance(if limit.counts_ios { 1 } else { len_bytes });
        }
    }

    /// Pauses the limits for `ticks`. As in fio, the first I/O afterwards goes at once if it was due during
    /// the pause.
    pub fn stood_still(&mut self, ticks: u64) {
        let ticks = u128::from(ticks) << 64;
        for limit in self.limits.iter_mut().flatten() {
            let moves = if limit.least <= ticks { ticks - limit.least } else { ticks };
            limit.due = limit.due.saturating_add(moves);
        }
    }
}

/// The minimum rate of one direction.
#[derive(Debug, Clone, Copy)]
struct Demand {
    direction: Direction,
    counts_ios: bool,
    per_second: u64,
    /// The most that one I/O can count.
    unit_max: u64,
    units_before: u64,
}

/// Monitors the minimum rates of a workload.
#[derive(Debug)]
pub(crate) struct Watch {
    demands: Vec<Demand>,
    cycle_ticks: u64,
    checked_at: u64,
}

impl Watch {
    /// The minimum rates of a workload; `None` if it has none.
    pub fn new(workload: &Workload, clock: &Clock) -> Option<Self> {
        let demand = |direction: Direction| {
            let (counts_ios, per_second) =
                match workload.rate[direction].filter(|_| workload.uses(direction))? {
                    Rate::Bytes { min_per_second, .. } => (false, min_per_second),
                    Rate::Ios { min_per_second, .. } => (true, min_per_second),
                };
            let unit_max = if counts_ios { 1 } else { workload.block_len_bytes_max() };
            (per_second > 0).then_some(Demand {
                direction,
                counts_ios,
                per_second,
                unit_max,
                units_before: 0,
            })
        };
        let demands: Vec<Demand> = Direction::DATA.into_iter().filter_map(demand).collect();
        let cycle_ticks = clock.ticks(workload.rate_cycle_ns.max(1)).max(1);
        (!demands.is_empty()).then_some(Self { demands, cycle_ticks, checked_at: 0 })
    }

    /// Counts from `at` (ticks).
    pub fn start_at(&mut self, at: u64) {
        self.checked_at = at;
    }

    /// When the next check is due, in ticks.
    pub fn next_check_at(&self) -> u64 {
        self.checked_at.saturating_add(self.cycle_ticks)
    }

    /// Checks the rates since the last check. `totals` returns I/Os and bytes of a direction since counting
    /// began.
    pub fn check(
        &mut self,
        now: u64,
        clock: &Clock,
        totals: impl Fn(Direction) -> (u64, u64),
    ) -> Option<MissedRate> {
        let elapsed_ns = clock.ns_between(self.checked_at, now).max(1);
        self.checked_at = now;
        let mut missed = None;
        for demand in &mut self.demands {
            let (ios, bytes) = totals(demand.direction);
            let units = if demand.counts_ios { ios } else { bytes };
            let done = u128::from(units - demand.units_before) * u128::from(NS_PER_S);
            demand.units_before = units;
            // At a rate that just meets the minimum, one I/O is in flight at the end of a cycle.
            let under_way = u128::from(demand.unit_max) * u128::from(NS_PER_S);
            if done + under_way < u128::from(demand.per_second) * u128::from(elapsed_ns) {
                missed.get_or_insert(MissedRate {
                    direction: demand.direction,
                    counts_ios: demand.counts_ios,
                    wanted_per_second: demand.per_second,
                    reached_per_second: u64::try_from(done / u128::from(elapsed_ns)).unwrap_or(u64::MAX),
                });
            }
        }
        missed
    }
}
