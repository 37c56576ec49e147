//! The drive's own work that requests have to wait for.

use cardiograph_core::Direction;
use cardiograph_core::rng::Rng;

use super::model::{Interruption, Wearing};
use super::paths::normal_ns;

/// Intervals deviate from the mean by up to this share.
const JITTER: f64 = 0.1;

/// An [`Interruption`], and the work done since the last one.
#[derive(Debug)]
pub(super) struct Chore {
    interruption: Interruption,
    worked_ns: u64,
    due_ns: u64,
    counted_until_ns: u64,
    rng: Rng,
}

impl Chore {
    pub fn new(interruption: Interruption, rng: Rng) -> Self {
        let mut chore = Self { interruption, worked_ns: 0, due_ns: 0, counted_until_ns: 0, rng };
        chore.due_ns = chore.distance_ns();
        chore
    }

    /// Records a request, and returns how long it must wait because the chore became due, in nanoseconds.
    /// Time when several requests were served counts once.
    pub fn work_ns(&mut self, direction: Direction, begin_ns: u64, end_ns: u64) -> u64 {
        if !self.counts(direction) {
            return 0;
        }
        let fresh_ns = end_ns.saturating_sub(begin_ns.max(self.counted_until_ns));
        self.worked_ns = self.worked_ns.saturating_add(fresh_ns);
        self.counted_until_ns = self.counted_until_ns.max(end_ns);
        if self.worked_ns < self.due_ns {
            return 0;
        }
        self.worked_ns = 0;
        self.due_ns = self.distance_ns();
        normal_ns(self.interruption.mean_ns, self.interruption.deviation_ns, &mut self.rng) as u64
    }

    fn counts(&self, direction: Direction) -> bool {
        match self.interruption.after {
            Wearing::Reads => direction == Direction::Read,
            Wearing::Writes => direction != Direction::Read,
            Wearing::AnyWork => true,
        }
    }

    fn distance_ns(&mut self) -> u64 {
        let factor = 1.0 + JITTER * (2.0 * self.rng.unit() - 1.0);
        (self.interruption.every_ns as f64 * factor) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chore_is_due_after_its_amount_of_work() {
        let interruption =
            Interruption { after: Wearing::Writes, every_ns: 1_000_000, mean_ns: 77, deviation_ns: 0 };
        let mut chore = Chore::new(interruption, Rng::new(1));
        let mut waits = 0;
        for i in 0..100_000u64 {
            assert_eq!(chore.work_ns(Direction::Read, i * 1_000, i * 1_000 + 1_000), 0);
            // Two that overlap: 1,000 ns together.
            for (direction, begin, end) in [(Direction::Write, 0, 800), (Direction::Sync, 200, 1_000)] {
                waits += chore.work_ns(direction, i * 1_000 + begin, i * 1_000 + end) / 77;
            }
        }
        assert!((98..=101).contains(&waits), "{waits} in 100 ms of writing, one a millisecond");
    }
}
