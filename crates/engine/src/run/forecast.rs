//! Estimates the time left.

use cardiograph_core::workload::StopWhen;
use cardiograph_core::{NS_PER_S, Workload};

use crate::observer::Done;

/// Estimated time left for a worker, in nanoseconds, that has done `done` in `counted_ns` of counting, and
/// begins to count in `before_ns`. `None` if its end is unknown.
pub(super) fn running_ns(stop: &StopWhen, done: Done, counted_ns: u64, before_ns: u64) -> Option<u64> {
    let by_time = stop.time_ns.map(|time_ns| time_ns.saturating_sub(counted_ns));
    let at_this_speed = |wanted: u64, done: u64| {
        let left = u128::from(wanted.saturating_sub(done));
        let ns = (left * u128::from(counted_ns)).checked_div(u128::from(done))?;
        Some(u64::try_from(ns).unwrap_or(u64::MAX))
    };
    let by_bytes = stop.bytes.and_then(|bytes| at_this_speed(bytes, done.bytes));
    let by_ios = stop.ios.and_then(|ios| at_this_speed(ios, done.ios));
    let first = [by_time, by_bytes, by_ios].into_iter().flatten().min()?;
    Some(first.saturating_add(before_ns))
}

/// Estimated time for a job that has not begun, in nanoseconds, at the run's rate so far. `None` if unknown.
pub(super) fn waiting_ns(workload: &Workload, bytes_per_s: u64) -> Option<u64> {
    let by_bytes = workload.stop.bytes.and_then(|bytes| {
        let ns = (u128::from(bytes) * u128::from(NS_PER_S)).checked_div(u128::from(bytes_per_s))?;
        Some(u64::try_from(ns).unwrap_or(u64::MAX))
    });
    let first = [workload.stop.time_ns, by_bytes].into_iter().flatten().min()?;
    Some(first.saturating_add(workload.ramp_ns))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_earliest_limit_decides() {
        let stop = |bytes, time_s: Option<u64>, ios| StopWhen {
            bytes,
            time_ns: time_s.map(|time_s| time_s * NS_PER_S),
            ios,
        };
        let done = Done { ios: 100, bytes: 1_000 };
        for (stop, left_s) in [
            (stop(None, None, None), None),
            (stop(None, Some(10), None), Some(8)),
            (stop(Some(4_000), None, None), Some(6)),
            (stop(Some(4_000), Some(5), None), Some(3)),
            (stop(Some(4_000), Some(60), Some(150)), Some(1)),
            (stop(Some(1_000), None, None), Some(0)),
            (stop(None, Some(1), None), Some(0)),
        ] {
            let left = running_ns(&stop, done, 2 * NS_PER_S, 0);
            assert_eq!(left, left_s.map(|left_s| left_s * NS_PER_S), "{stop:?}");
        }
        // Before any I/O only time limits are known.
        assert_eq!(running_ns(&stop(Some(1), None, Some(1)), Done::default(), 0, 5), None);
        assert_eq!(running_ns(&stop(Some(1), Some(2), None), Done::default(), 0, 5), Some(2 * NS_PER_S + 5));
    }
}
