//! How a run goes: what all workers together did since the last look.

use cardiograph_core::histogram::BUCKETS;
use cardiograph_core::{Direction, LatencyHistogram};

use crate::clock::Clock;
use crate::observer::Progress;
use crate::recorder::Recorder;

/// Sums over all workers at one moment.
struct Reading {
    at: u64,
    ios: [u64; 2],
    bytes: [u64; 2],
    latency: Box<[u64; BUCKETS]>,
}

/// Reads the workers' recorders again and again, and tells what happened in between.
pub(super) struct Meter {
    last: Reading,
}

impl Default for Meter {
    fn default() -> Self {
        Self { last: Reading { at: 0, ios: [0; 2], bytes: [0; 2], latency: Box::new([0; BUCKETS]) } }
    }
}

impl Meter {
    /// Notes when the run began (ticks).
    pub fn begin(&mut self, at: u64) {
        self.last.at = at;
    }

    /// What happened since the last call, of a run that began at `start`; both in ticks.
    pub fn read<'a>(
        &mut self,
        recorders: impl Iterator<Item = &'a Recorder>,
        clock: &Clock,
        start: u64,
        now: u64,
    ) -> Progress {
        let mut reading = Reading { at: now, ios: [0; 2], bytes: [0; 2], latency: Box::new([0; BUCKETS]) };
        for recorder in recorders {
            for (place, direction) in [Direction::Read, Direction::Write].into_iter().enumerate() {
                let (ios, bytes) = recorder.totals(direction);
                reading.ios[place] += ios;
                reading.bytes[place] += bytes;
                recorder.add_latency_counts(direction, &mut reading.latency);
            }
        }
        let since = |now: [u64; 2], before: [u64; 2]| [now[0] - before[0], now[1] - before[1]];
        let [reads, writes] = since(reading.ios, self.last.ios);
        let [read_bytes, write_bytes] = since(reading.bytes, self.last.bytes);
        let busiest = if reads >= writes { Direction::Read } else { Direction::Write };
        let progress = Progress {
            elapsed_ns: clock.ns_between(start, now),
            interval_ns: clock.ns_between(self.last.at, now),
            read_bytes,
            write_bytes,
            ios: reads + writes,
            latency_p99_ns: percentile_99(&reading.latency, &self.last.latency),
            busiest: (reads + writes > 0).then_some(busiest),
        };
        self.last = reading;
        progress
    }
}

/// 99th percentile of the counts that came since `before`, in nanoseconds.
fn percentile_99(now: &[u64; BUCKETS], before: &[u64; BUCKETS]) -> Option<u64> {
    let mut since = LatencyHistogram::default();
    for (bucket, (now, before)) in now.iter().zip(before).enumerate() {
        since.add(bucket, now.saturating_sub(*before));
    }
    since.at_rank((since.len() * 99).div_ceil(100))
}
