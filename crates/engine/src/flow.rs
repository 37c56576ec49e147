//! Flows: jobs that keep their I/Os in proportion to each other.
//!
//! The workers of a flow count their I/Os together. A worker that has done more than its share waits for the
//! others: its part of the total count is limited to its part of the total weight. At least one of the active
//! workers is never ahead, so they cannot deadlock.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use cardiograph_core::NS_PER_S;

use crate::clock::Clock;

/// Default interval at which a waiting worker checks again, in nanoseconds.
const LOOK_NS: u64 = 10_000;
/// How long a waiting worker spins before it sleeps, in nanoseconds: about the time that waking up takes.
const SPIN_NS: u64 = 50_000;

/// State shared by the workers of a flow.
#[derive(Debug, Default)]
pub(crate) struct Flow {
    issued: AtomicU64,
    weight: AtomicU64,
}

/// A worker's share of a flow.
#[derive(Debug)]
pub(crate) struct FlowShare {
    flow: Arc<Flow>,
    weight: u64,
    /// I/Os issued, counted as if it had taken part from the beginning; `None` before it has joined.
    issued: Option<u64>,
    /// Interval between checks, in ticks.
    pub look_ticks: u64,
    /// How long it spins before sleeping, in ticks.
    pub spin_ticks: u64,
}

impl FlowShare {
    /// A share with a weight. A worker that is ahead checks again after `sleep_ns`, or immediately if that is
    /// 0.
    pub fn new(flow: Arc<Flow>, weight: u64, sleep_ns: u64, clock: &Clock) -> Self {
        let spin_ns = if sleep_ns == 0 { SPIN_NS } else { 0 };
        let look_ns = if sleep_ns == 0 { LOOK_NS } else { sleep_ns.min(3_600 * NS_PER_S) };
        Self {
            flow,
            weight,
            issued: None,
            look_ticks: clock.ticks(look_ns),
            spin_ticks: clock.ticks(spin_ns),
        }
    }

    /// Joins the flow. A latecomer starts level with the others, so nobody waits for it to catch up.
    pub fn join(&mut self) {
        let Flow { issued, weight } = &*self.flow;
        let (all_issued, all_weight) = (issued.load(Ordering::Relaxed), weight.load(Ordering::Relaxed));
        let credit = u128::from(all_issued) * u128::from(self.weight) / u128::from(all_weight.max(1));
        let credit = if all_weight == 0 { 0 } else { credit as u64 };
        self.issued = Some(credit);
        issued.fetch_add(credit, Ordering::Relaxed);
        weight.fetch_add(self.weight, Ordering::Relaxed);
    }

    /// Whether it may issue an I/O, because it is not ahead of its flow.
    pub fn may_go(&self) -> bool {
        let all_issued = u128::from(self.flow.issued.load(Ordering::Relaxed));
        let all_weight = u128::from(self.flow.weight.load(Ordering::Relaxed));
        u128::from(self.issued.unwrap_or(0)) * all_weight <= u128::from(self.weight) * all_issued
    }

    /// Counts an issued I/O.
    pub fn issued(&mut self) {
        if let Some(issued) = &mut self.issued {
            *issued += 1;
            self.flow.issued.fetch_add(1, Ordering::Relaxed);
        }
    }
}

/// Divides the total among the remaining workers.
impl Drop for FlowShare {
    fn drop(&mut self) {
        if let Some(issued) = self.issued {
            self.flow.issued.fetch_sub(issued, Ordering::Relaxed);
            self.flow.weight.fetch_sub(self.weight, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shares(flow: &Arc<Flow>, weights: &[u64]) -> Vec<FlowShare> {
        let clock = Clock::simulated(Arc::default());
        let share = |&weight: &u64| {
            let mut share = FlowShare::new(flow.clone(), weight, 0, &clock);
            share.join();
            share
        };
        weights.iter().map(share).collect()
    }

    /// Lets each worker in turn issue as many I/Os as it may.
    fn go(shares: &mut [FlowShare], ios: u64) -> Vec<u64> {
        let mut done = vec![0; shares.len()];
        while done.iter().sum::<u64>() < ios {
            let before: u64 = done.iter().sum();
            for (share, done) in shares.iter_mut().zip(&mut done) {
                while share.may_go() {
                    share.issued();
                    *done += 1;
                }
            }
            assert!(done.iter().sum::<u64>() > before, "all of them wait");
        }
        done
    }

    #[test]
    fn ios_are_in_proportion_to_weights() {
        for weights in [&[1, 1][..], &[8, 2], &[1, 2, 3], &[1_000, 1, 7]] {
            let flow = Arc::default();
            let all: u64 = weights.iter().sum();
            for (done, weight) in go(&mut shares(&flow, weights), 100 * all).iter().zip(weights) {
                assert!(done.abs_diff(100 * weight) <= 2 * weights.len() as u64, "{weights:?}: {done}");
            }
            assert_eq!(flow.issued.load(Ordering::Relaxed), 0, "they have left");
        }
        // A single worker never waits.
        let mut alone = shares(&Arc::default(), &[3]);
        assert!((0..1_000).all(|_| {
            alone[0].issued();
            alone[0].may_go()
        }));
    }

    #[test]
    fn joining_and_leaving_keeps_the_others_in_proportion() {
        let flow = Arc::default();
        let mut all = shares(&flow, &[1, 1]);
        go(&mut all, 1_000);
        all.extend(shares(&flow, &[2]));
        let done = go(&mut all, 400);
        for (done, expected) in done.iter().zip([100, 100, 200]) {
            assert!(done.abs_diff(expected) <= 6, "{done} instead of {expected}");
        }
        all.remove(0);
        let done = go(&mut all, 300);
        for (done, expected) in done.iter().zip([100, 200]) {
            assert!(done.abs_diff(expected) <= 6, "{done} instead of {expected}");
        }
    }
}
