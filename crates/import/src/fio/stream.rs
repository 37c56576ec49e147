//! Makes windows from snapshots of a job (`--status-interval`).

use cardiograph_core::NS_PER_MS;
use cardiograph_core::direction::{Direction, PerDirection};
use cardiograph_core::series::{Interval, Series};

/// Maximum number of windows before the first snapshot.
const WAITED_WINDOWS_MAX: u64 = 10_000;

/// The work done up to a time.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Snapshot {
    /// Milliseconds since the job began.
    pub(super) time_ms: u64,
    pub(super) done: PerDirection<Done>,
    /// The sum of directions that fio does not separate (`unified_rw_reporting=mixed`).
    pub(super) mixed: Done,
}

/// The work in a direction.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Done {
    pub(super) ios: u64,
    pub(super) bytes: u64,
    /// Sum of latencies in nanoseconds; 0 if unknown.
    pub(super) latency_ns_sum: u64,
}

impl Snapshot {
    /// Whether `later` can be of the same job: counts do not decrease, and time has passed.
    pub(super) fn can_precede(&self, later: &Self) -> bool {
        let grows = |mine: Done, theirs: Done| mine.ios <= theirs.ios && mine.bytes <= theirs.bytes;
        self.time_ms < later.time_ms
            && grows(self.mixed, later.mixed)
            && Direction::DATA.into_iter().all(|of| grows(self.done[of], later.done[of]))
    }
}

/// Makes windows as long as the distance of the snapshots. Work between snapshots is distributed evenly, because they
/// do not coincide with the borders of windows. The slowest I/O of a window is unknown and stays 0.
pub(super) fn series(snapshots: &[Snapshot]) -> Option<Series> {
    let first = *snapshots.first()?;
    let last = *snapshots.last()?;
    // Windows are per direction, and these are combined.
    if Direction::DATA.into_iter().all(|of| last.done[of] == Done::default()) {
        return None;
    }
    let mut apart: Vec<u64> = snapshots.windows(2).map(|pair| pair[1].time_ms - pair[0].time_ms).collect();
    // The last snapshot is at the job's end.
    if apart.len() > 1 {
        apart.pop();
    }
    apart.sort_unstable();
    let window_ms = rounded_interval_ms(*apart.get(apart.len() / 2)?).max(1);
    let points: Vec<Snapshot> =
        std::iter::once(Snapshot::default()).chain(snapshots.iter().copied()).collect();
    let mut rows: PerDirection<Vec<Interval>> = PerDirection::default();
    let count = last.time_ms.div_ceil(window_ms);
    // A snapshot covers at least a window: with more windows it is not a stream.
    if first.time_ms / window_ms > WAITED_WINDOWS_MAX
        || count > 4 * (snapshots.len() as u64 + WAITED_WINDOWS_MAX)
    {
        return None;
    }
    let mut segment = 0;
    let mut before = Snapshot::default();
    for window in 1..=count {
        let time_ms = window.saturating_mul(window_ms).min(last.time_ms);
        while points[segment + 1].time_ms < time_ms {
            segment += 1;
        }
        let now = interpolated(&points[segment], &points[segment + 1], time_ms);
        for direction in Direction::DATA {
            let (now, before): (Done, Done) = (now.done[direction], before.done[direction]);
            rows[direction].push(Interval {
                ios: now.ios.saturating_sub(before.ios),
                bytes: now.bytes.saturating_sub(before.bytes),
                latency_ns_sum: now.latency_ns_sum.saturating_sub(before.latency_ns_sum),
                latency_ns_max: 0,
            });
        }
        before = now;
    }
    for direction in Direction::DATA {
        if last.done[direction].ios == 0 && last.done[direction].bytes == 0 {
            rows[direction].clear();
        }
    }
    Some(Series {
        window_ns: window_ms.checked_mul(NS_PER_MS)?,
        duration_ns: last.time_ms.checked_mul(NS_PER_MS)?,
        rows,
        ..Series::default()
    })
}

fn interpolated(early: &Snapshot, late: &Snapshot, time_ms: u64) -> Snapshot {
    let whole = u128::from((late.time_ms - early.time_ms).max(1));
    let part = u128::from(time_ms.saturating_sub(early.time_ms)).min(whole);
    let count =
        |early: u64, late: u64| early + (u128::from(late.saturating_sub(early)) * part / whole) as u64;
    let done = PerDirection::from_fn(|direction| {
        let (early, late): (Done, Done) = (early.done[direction], late.done[direction]);
        Done {
            ios: count(early.ios, late.ios),
            bytes: count(early.bytes, late.bytes),
            latency_ns_sum: count(early.latency_ns_sum, late.latency_ns_sum),
        }
    });
    Snapshot { time_ms, done, mixed: Done::default() }
}

/// Rounds to the interval that was requested: fio is a few milliseconds late.
pub(super) fn rounded_interval_ms(ms: u64) -> u64 {
    [1_000, 500, 100, 10]
        .into_iter()
        .map(|step| ms.saturating_add(step / 2) / step * step)
        .find(|&rounded| rounded > 0 && rounded.abs_diff(ms) * 20 <= ms)
        .unwrap_or(ms)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn snapshot(time_ms: u64, ios: u64) -> Snapshot {
        let mut snapshot = Snapshot { time_ms, ..Snapshot::default() };
        snapshot.done.read = Done { ios, bytes: ios * 4_096, latency_ns_sum: ios * 100 };
        snapshot
    }

    #[test]
    fn windows_add_up_to_the_totals() {
        let snapshots =
            [snapshot(862, 862), snapshot(1_869, 1_869), snapshot(2_869, 1_869), snapshot(3_004, 2_500)];
        let series = series(&snapshots).unwrap();
        assert_eq!((series.window_ns, series.duration_ns), (1_000_000_000, 3_004_000_000));
        let ios: Vec<u64> = series.rows.read.iter().map(|row| row.ios).collect();
        assert_eq!(ios, [1_000, 869, 612, 19]);
        assert_eq!(series.rows.read.iter().map(|row| row.bytes).sum::<u64>(), 2_500 * 4_096);
        assert!(series.rows.write.is_empty());
    }

    #[test]
    fn decreasing_counts_are_another_job() {
        assert!(snapshot(1, 5).can_precede(&snapshot(2, 5)));
        assert!(!snapshot(1, 5).can_precede(&snapshot(2, 4)) && !snapshot(2, 5).can_precede(&snapshot(2, 6)));
        assert_eq!(series(&[]), None);
        assert_eq!(series(&[snapshot(5, 5)]), None);
        assert_eq!(series(&[snapshot(u64::MAX - 1, 5), snapshot(u64::MAX, 6)]), None);
        assert_eq!(series(&[snapshot(1, 5), snapshot(u64::MAX, 6)]), None);
    }
}
