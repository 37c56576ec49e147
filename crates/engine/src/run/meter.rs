//! Live figures: the activity of all workers since the last reading.

use cardiograph_core::histogram::BUCKETS;
use cardiograph_core::{Direction, LatencyHistogram, PerDirection};

use crate::clock::Clock;
use crate::observer::{Done, Progress};
use crate::recorder::Recorder;

/// I/Os and bytes of a worker so far, by direction, without syncs.
pub(super) fn done(recorder: &Recorder) -> PerDirection<Done> {
    let mut done = PerDirection::<Done>::default();
    for direction in Direction::DATA {
        let (ios, bytes) = recorder.totals(direction);
        done[direction] = Done { ios, bytes };
    }
    done
}

/// All directions together.
pub(super) fn sum(done: &PerDirection<Done>) -> Done {
    let mut sum = Done::default();
    done.iter().for_each(|(_, done)| sum.add(*done));
    sum
}

/// Sums over workers at one moment.
#[derive(Clone, Default)]
struct Reading {
    done: PerDirection<Done>,
    /// Counts by bucket; `None` before the first reading, and if not wanted.
    latency: Option<Box<[u64; BUCKETS]>>,
}

impl Reading {
    fn add(&mut self, recorder: &Recorder, has_latency: bool) {
        let done = done(recorder);
        for direction in Direction::DATA {
            self.done[direction].add(done[direction]);
            if has_latency && done[direction].ios > 0 {
                let latency = self.latency.get_or_insert_with(|| Box::new([0; BUCKETS]));
                recorder.add_latency_counts(direction, latency);
            }
        }
    }
}

/// Reads the workers' recorders periodically and returns the differences.
#[derive(Default)]
pub(super) struct Meter {
    last: Reading,
    last_at: u64,
    /// Total of ended workers.
    ended: Reading,
    has_latency: bool,
}

impl Meter {
    /// A meter with or without latencies.
    pub fn new(has_latency: bool) -> Self {
        Self { has_latency, ..Self::default() }
    }

    /// Notes that the run began at `at` (ticks).
    pub fn begin(&mut self, at: u64) {
        self.last_at = at;
    }

    /// Adds the final figures of a worker, whose recorder will not be read again.
    pub fn retire(&mut self, recorder: &Recorder) {
        self.ended.add(recorder, self.has_latency);
    }

    /// Figures since the last call, of a run that began at `start`; both in ticks. Does not involve the
    /// workers.
    pub fn read<'a>(
        &mut self,
        recorders: impl Iterator<Item = &'a Recorder>,
        clock: &Clock,
        start: u64,
        now: u64,
    ) -> Progress {
        let mut reading = self.ended.clone();
        recorders.for_each(|recorder| reading.add(recorder, self.has_latency));
        let done =
            PerDirection::from_fn(|direction| reading.done[direction].since(self.last.done[direction]));
        let ios = sum(&done).ios;
        let busiest = if done.read.ios >= done.write.ios { Direction::Read } else { Direction::Write };
        let progress = Progress {
            elapsed_ns: clock.ns_between(start, now),
            interval_ns: clock.ns_between(self.last_at, now),
            read_bytes: done.read.bytes,
            write_bytes: done.write.bytes,
            ios,
            latency_p99_ns: percentile_99(reading.latency.as_deref(), self.last.latency.as_deref()),
            busiest: (ios > 0).then_some(busiest),
            done,
            total: reading.done,
            ..Progress::default()
        };
        self.last = reading;
        self.last_at = now;
        progress
    }
}

/// 99th percentile of the counts since `before`, in nanoseconds.
fn percentile_99(now: Option<&[u64; BUCKETS]>, before: Option<&[u64; BUCKETS]>) -> Option<u64> {
    let mut since = LatencyHistogram::default();
    for (bucket, now) in now?.iter().enumerate() {
        let before = before.map_or(0, |before| before[bucket]);
        since.add(bucket, now.saturating_sub(before));
    }
    since.at_rank((since.len() * 99).div_ceil(100))
}
