//! Search for the largest queue depth that keeps latencies below a target.

use cardiograph_core::workload::LatencyTarget;

use crate::clock::Clock;

/// Consecutive windows that must meet the target at the found depth before a larger one is tried.
const WINDOWS_BEFORE_MORE: u32 = 3;

/// Consequence of a completion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Turn {
    /// Nothing.
    None,
    /// Wait for requests in flight, because another depth or the last window begins with an empty queue.
    Empty,
    /// The depth was found, and its last window is over.
    Found,
    /// An I/O exceeds the target even at depth 1.
    Missed,
}

/// Doubles the depth while windows meet the target, then bisects between depths that do and do not.
#[derive(Debug, Default)]
pub(super) struct DepthSearch {
    /// The target in nanoseconds.
    pub target_ns: u64,
    window_ticks: u64,
    percentile: f64,
    is_continuous: bool,
    depth_max: u32,

    /// The current depth.
    pub depth: u32,
    /// The largest depth that met the target; 0 if none yet.
    low: u32,
    /// The smallest depth above `low` that missed it; above the maximum if none.
    high: u32,
    /// Start of the window, in ticks.
    since: u64,
    ios: u64,
    slow_ios: u64,
    /// Consecutive windows that met the target at the found depth.
    good_windows: u32,
    /// Whether it is waiting for an empty queue.
    pub is_emptying: bool,
    /// Whether this is the last window, at the found depth, which is the only one that counts.
    is_last: bool,
}

impl DepthSearch {
    /// A search among depths up to `depth_max`.
    pub fn new(target: &LatencyTarget, depth_max: u32, clock: &Clock) -> Self {
        Self {
            target_ns: target.target_ns,
            window_ticks: clock.ticks(target.window_ns),
            percentile: target.percentile,
            is_continuous: target.goes_on,
            depth_max,
            depth: 1,
            high: depth_max.saturating_add(1),
            ..Self::default()
        }
    }

    /// Counts from `at` (ticks).
    pub fn start_at(&mut self, at: u64) {
        self.since = at;
    }

    /// Whether the largest depth that meets the target is known. A continuous search tries a larger one now
    /// and then.
    pub fn is_found(&self) -> bool {
        self.low > 0 && self.high - self.low <= 1 + u32::from(self.is_continuous)
    }

    /// Handles an empty queue at `now` (ticks). Returns whether only the following I/Os count.
    pub fn emptied(&mut self, now: u64) -> bool {
        self.is_emptying = false;
        self.begin_window(now);
        self.is_last
    }

    /// Handles an I/O completed at `now` (ticks).
    pub fn completed(&mut self, latency_ns: u64, now: u64) -> Turn {
        if self.is_emptying {
            return Turn::None;
        }
        let is_slow = latency_ns > self.target_ns;
        self.ios += 1;
        self.slow_ios += u64::from(is_slow);
        if is_slow && self.percentile >= 100.0 {
            // No I/O may exceed the target, so there is no need to wait for the end of the window.
            return if self.depth == 1 { Turn::Missed } else { self.failed(now) };
        }
        if now.saturating_sub(self.since) < self.window_ticks {
            return Turn::None;
        }
        let kept_percent = 100.0 * (self.ios - self.slow_ios) as f64 / self.ios as f64;
        if kept_percent >= self.percentile { self.kept(now) } else { self.failed(now) }
    }

    fn begin_window(&mut self, now: u64) {
        (self.since, self.ios, self.slow_ios) = (now, 0, 0);
    }

    fn kept(&mut self, now: u64) -> Turn {
        self.low = self.depth;
        let has_limit = self.high <= self.depth_max;
        let next = if has_limit { self.depth.midpoint(self.high) } else { self.depth.saturating_mul(2) };
        let next = next.min(self.depth_max);
        if next != self.depth {
            self.depth = next;
            (self.good_windows, self.is_last) = (0, false);
            self.begin_window(now);
            return Turn::None;
        }
        self.begin_window(now);
        if self.is_continuous {
            self.good_windows += 1;
            if self.good_windows >= WINDOWS_BEFORE_MORE && has_limit {
                self.high += 1;
                self.good_windows = 0;
            }
            return Turn::None;
        }
        if self.is_last {
            return Turn::Found;
        }
        (self.is_last, self.is_emptying) = (true, true);
        Turn::Empty
    }

    fn failed(&mut self, now: u64) -> Turn {
        (self.good_windows, self.is_last) = (0, false);
        if self.depth == 1 {
            // There is no lower one: it continues, and reports the miss at the end.
            self.low = 0;
            self.begin_window(now);
            return Turn::None;
        }
        self.high = self.depth;
        self.low = self.low.min(self.depth - 1);
        self.depth = self.depth.midpoint(self.low).max(1);
        self.is_emptying = true;
        Turn::Empty
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::AtomicU64;

    use super::*;

    const WINDOW_NS: u64 = 1_000;

    fn search(percentile: f64, is_continuous: bool, depth_max: u32) -> DepthSearch {
        let target =
            LatencyTarget { target_ns: 100, window_ns: WINDOW_NS, percentile, goes_on: is_continuous };
        DepthSearch::new(&target, depth_max, &Clock::simulated(Arc::new(AtomicU64::new(0))))
    }

    /// The depths tried on a drive with the given latency at each depth, in up to `windows` windows, and how
    /// the search ended.
    fn depths(search: &mut DepthSearch, windows: u64, latency_ns: impl Fn(u32) -> u64) -> (Vec<u32>, Turn) {
        let mut tried = Vec::new();
        for _ in 0..windows {
            tried.push(search.depth);
            let now = search.since + WINDOW_NS;
            match search.completed(latency_ns(search.depth), now) {
                Turn::None => {}
                Turn::Empty => {
                    assert_eq!(
                        search.completed(u64::MAX, now),
                        Turn::None,
                        "what was in flight says nothing"
                    );
                    search.emptied(now);
                }
                turn => return (tried, turn),
            }
        }
        (tried, Turn::None)
    }

    #[test]
    fn every_possible_depth_is_found() {
        for depth_max in [1, 2, 3, 7, 8, 64, 100] {
            for best in 1..=depth_max {
                for percentile in [100.0, 99.0] {
                    let mut search = search(percentile, false, depth_max);
                    let (tried, turn) =
                        depths(&mut search, 100, |depth| if depth <= best { 100 } else { 101 });
                    assert_eq!((turn, search.depth, search.is_found()), (Turn::Found, best, true));
                    // Twice the logarithm, and the last window.
                    assert!(
                        tried.len() as u32 <= 2 * depth_max.ilog2() + 4,
                        "{best} of {depth_max}: {tried:?}"
                    );
                    assert!(tried.iter().all(|&depth| (1..=depth_max).contains(&depth)));
                }
            }
        }
        let (tried, _) = depths(&mut search(100.0, false, 64), 100, |depth| u64::from(depth) * 100 / 11);
        assert_eq!(tried, [1, 2, 4, 8, 16, 12, 10, 11, 11]);
    }

    #[test]
    fn a_target_below_the_latency_of_one_io_is_missed() {
        let mut all = search(100.0, false, 8);
        assert_eq!(depths(&mut all, 100, |_| 101), (vec![1], Turn::Missed));
        let mut most = search(99.0, false, 8);
        assert_eq!(depths(&mut most, 5, |_| 101), (vec![1; 5], Turn::None));
        assert!(!most.is_found());
    }

    #[test]
    fn a_share_of_ios_may_be_slow() {
        for (slow, of, kept) in [(0, 100, true), (1, 100, true), (2, 100, false)] {
            let mut search = search(99.0, false, 8);
            for io in 0..of {
                let now = if io + 1 == of { WINDOW_NS } else { 1 };
                search.completed(if io < slow { 1_000_000 } else { 1 }, now);
            }
            assert_eq!(search.depth, if kept { 2 } else { 1 }, "{slow} of {of}");
        }
    }

    #[test]
    fn a_continuous_search_follows_the_drive() {
        let mut search = search(99.0, true, 64);
        let until = |best: u32| move |depth| if depth <= best { 100 } else { 101 };
        let (_, turn) = depths(&mut search, 30, until(20));
        assert_eq!((turn, search.is_found()), (Turn::None, true));
        let (tried, _) = depths(&mut search, 40, until(20));
        assert!(tried.iter().all(|&depth| depth == 20 || depth == 21), "{tried:?}");
        // It becomes slower, then faster.
        let (tried, _) = depths(&mut search, 60, until(5));
        assert!(tried[40..].iter().all(|&depth| depth == 5 || depth == 6), "{tried:?}");
        let (tried, _) = depths(&mut search, 60, until(9));
        assert!(tried[40..].iter().all(|&depth| depth == 9 || depth == 10), "{tried:?}");
        depths(&mut search, 20, until(0));
        assert_eq!((search.depth, search.is_found()), (1, false));
    }
}
