//! Real applications on a drive: what to run, and the results in the units of their users.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::JsonSchema;
use crate::NS_PER_S;
use crate::direction::Direction;
use crate::estimate::Estimate;
use crate::histogram::Latency;
use crate::pause::Pause;
use crate::series::{Interval, Series, WINDOWS_MAX};

/// An application that a step runs, as data. What it writes at most and how long it takes stand in its
/// Step.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AppSpec {
    /// The load, as `sqlite-wal`.
    pub load: String,
    /// Its parameters by name, as `cameras`. What is not there is as the load has it.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub parameters: BTreeMap<String, u64>,
}

impl AppSpec {
    /// A load as it is.
    pub fn new(load: &str) -> Self {
        Self { load: load.to_string(), parameters: BTreeMap::new() }
    }

    /// The same with another parameter.
    #[must_use]
    pub fn set(mut self, name: &str, value: u64) -> Self {
        self.parameters.insert(name.to_string(), value);
        self
    }

    /// A parameter.
    pub fn parameter(&self, name: &str) -> Option<u64> {
        self.parameters.get(name).copied()
    }
}

/// Whether a drive kept up with cameras that record at once.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum CamerasOutcome {
    /// Each second of video was durable before the deadline.
    InTime,
    /// A second was durable later than a camera's buffer lasts.
    Late,
    /// None was late yet, but too few were recorded when the time was over.
    Behind {
        /// The share of what was due that was recorded.
        share: f64,
    },
}

impl CamerasOutcome {
    /// So much of what was due must be recorded when the time is over: the rest was not late yet.
    pub const SHARE_MIN: f64 = 0.9;

    /// What became of the video of so many cameras in so many nanoseconds. The last second is not due: it was not over
    /// before the time was.
    pub fn new(cameras: u64, time_ns: u64, recorded: &AppPart) -> Self {
        let due = cameras * (time_ns / NS_PER_S).saturating_sub(1);
        let share = recorded.operations as f64 / due.max(1) as f64;
        match recorded.late {
            0 if share >= Self::SHARE_MIN => CamerasOutcome::InTime,
            0 => CamerasOutcome::Behind { share },
            _ => CamerasOutcome::Late,
        }
    }
}

/// What an application does over and over, and its users count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Operation {
    /// A transaction of a database, durable.
    Commit,
    /// A file, whole.
    File,
    /// A line of a log, durable.
    Line,
    /// A photo, whole.
    Photo,
    /// A second of a video, durable.
    Second,
}

impl Operation {
    /// Its name for one.
    pub fn name(self) -> String {
        crate::text::word_of(&self)
    }
}

/// What an application did on a drive.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AppResult {
    /// The library that did it, with its version, as `SQLite 3.51.0`; `None` where it was the kernel alone.
    pub library: Option<String>,
    /// What was measured, one after the other. What prepares and checks is not in it.
    pub parts: Vec<AppPart>,
    /// Times in which this program did not run; figures across them are not the drive's.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pauses: Vec<Pause>,
}

impl AppResult {
    /// The part of that name.
    pub fn part(&self, id: &str) -> Option<&AppPart> {
        self.parts.iter().find(|part| part.id == id)
    }

    /// Bytes of the user's that went in a direction.
    pub fn bytes(&self, direction: Direction) -> u64 {
        self.parts
            .iter()
            .filter(|part| part.direction == direction)
            .map(|part| part.bytes)
            .fold(0, u64::saturating_add)
    }
}

/// One part of what an application did: the same operation, over and over.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AppPart {
    /// Its id, as `unpack`.
    pub id: String,
    /// What is counted.
    pub operation: Operation,
    /// Whether the user's bytes are written or read.
    pub direction: Direction,
    /// Operations that were done.
    pub operations: u64,
    /// Bytes of the user's that they moved: rows, lines, files. Journals and indexes come on top.
    pub bytes: u64,
    /// How long it took, in nanoseconds.
    pub duration_ns: u64,
    /// How long each operation took. Where operations have their time, as a second of video has, it counts from then.
    pub latency: Latency,
    /// The longest time in which no operation was done, in nanoseconds.
    pub longest_pause_ns: u64,
    /// Operations after their deadline; 0 without a deadline.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub late: u64,
    /// Operations and bytes by window, in the direction.
    pub series: Series,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl AppPart {
    /// Operations a second.
    pub fn operations_per_s(&self) -> Estimate {
        Estimate::rate(self.per_second(self.operations), &self.series.iops(self.direction))
    }

    /// Bytes of the user's a second.
    pub fn bandwidth_bytes_per_s(&self) -> Estimate {
        Estimate::rate(self.per_second(self.bytes), &self.series.bandwidth_bytes_per_s(self.direction))
    }

    /// The longest time in which nothing was done. A maximum has no interval: a longer run finds a longer pause.
    pub fn longest_pause(&self) -> Estimate {
        Estimate::bare(self.longest_pause_ns as f64, self.operations)
    }

    fn per_second(&self, count: u64) -> f64 {
        count as f64 * 1e9 / self.duration_ns.max(1) as f64
    }
}

/// Writes down what an application does in a part. Times are nanoseconds since the part began.
#[derive(Debug, Clone)]
pub struct PartRecorder {
    part: AppPart,
    last_done_ns: u64,
}

impl PartRecorder {
    /// A part that begins, with windows of `window_ns`.
    pub fn new(id: &str, operation: Operation, direction: Direction, window_ns: u64) -> Self {
        let part = AppPart {
            id: id.to_string(),
            operation,
            direction,
            operations: 0,
            bytes: 0,
            duration_ns: 0,
            latency: Latency::default(),
            longest_pause_ns: 0,
            late: 0,
            series: Series { window_ns: window_ns.max(1), ..Series::default() },
        };
        Self { part, last_done_ns: 0 }
    }

    /// An operation that took `took_ns` was done at `done_ns`. Operations of several threads may come a little out of order.
    pub fn done(&mut self, done_ns: u64, took_ns: u64, bytes: u64) {
        let part = &mut self.part;
        part.operations += 1;
        part.bytes += bytes;
        part.latency.record(took_ns);
        part.longest_pause_ns = part.longest_pause_ns.max(done_ns.saturating_sub(self.last_done_ns));
        self.last_done_ns = self.last_done_ns.max(done_ns);
        part.duration_ns = self.last_done_ns;
        while done_ns / part.series.window_ns >= WINDOWS_MAX as u64 {
            part.series = part.series.coarser(2);
        }
        let rows = &mut part.series.rows[part.direction];
        let window = (done_ns / part.series.window_ns) as usize;
        if window >= rows.len() {
            rows.resize(window + 1, Interval::default());
        }
        rows[window].merge(&Interval { ios: 1, bytes, latency_ns_sum: took_ns, latency_ns_max: took_ns });
    }

    /// The same of an operation that came later than it may.
    pub fn done_late(&mut self, done_ns: u64, took_ns: u64, bytes: u64) {
        self.done(done_ns, took_ns, bytes);
        self.part.late += 1;
    }

    /// Operations so far, and bytes.
    pub fn so_far(&self) -> (u64, u64) {
        (self.part.operations, self.part.bytes)
    }

    /// The part ended at `end_ns`.
    pub fn end(&mut self, end_ns: u64) {
        let part = &mut self.part;
        part.duration_ns = end_ns.max(self.last_done_ns);
        part.longest_pause_ns = part.longest_pause_ns.max(end_ns.saturating_sub(self.last_done_ns));
        part.series.duration_ns = part.duration_ns;
        while part.duration_ns / part.series.window_ns >= WINDOWS_MAX as u64 {
            part.series = part.series.coarser(2);
        }
        let windows = part.duration_ns.div_ceil(part.series.window_ns) as usize;
        let rows = &mut part.series.rows[part.direction];
        rows.resize(windows.max(rows.len()), Interval::default());
    }

    /// What was written down.
    pub fn into_part(self) -> AppPart {
        self.part
    }

    /// What is written down so far.
    pub fn part(&self) -> &AppPart {
        &self.part
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NS_PER_MS;

    #[test]
    fn windows_pauses_and_rates_are_those_of_the_operations() {
        let mut recorder = PartRecorder::new("commits", Operation::Commit, Direction::Write, 100 * NS_PER_MS);
        // Ten a window for a second, then nothing for 380 ms, and one more.
        for done in 1..=100 {
            recorder.done(done * 10 * NS_PER_MS - 1, 9 * NS_PER_MS, 50);
        }
        recorder.done(1_380 * NS_PER_MS, 380 * NS_PER_MS, 50);
        recorder.end(1_450 * NS_PER_MS);
        let part = recorder.into_part();
        assert_eq!((part.operations, part.bytes, part.late), (101, 5_050, 0));
        assert_eq!(part.longest_pause_ns, 380 * NS_PER_MS + 1);
        assert_eq!(part.latency.max_ns(), 380 * NS_PER_MS);
        let ios: Vec<u64> = part.series.rows.write.iter().map(|row| row.ios).collect();
        assert_eq!(ios, [10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 0, 0, 0, 1, 0]);
        let rate = part.operations_per_s();
        assert!((rate.value - 101.0 / 1.45).abs() < 1e-9 && rate.low.is_some(), "{rate:?}");
        assert_eq!(part.longest_pause().high, None);
    }

    #[test]
    fn the_time_before_the_first_and_behind_the_last_are_pauses() {
        let recorder = || PartRecorder::new("lines", Operation::Line, Direction::Write, NS_PER_MS);
        let mut late = recorder();
        late.done_late(7 * NS_PER_MS, NS_PER_MS, 1);
        late.end(8 * NS_PER_MS);
        assert_eq!((late.part().longest_pause_ns, late.part().late), (7 * NS_PER_MS, 1));
        let mut none = recorder();
        none.end(9 * NS_PER_MS);
        let part = none.into_part();
        assert_eq!((part.longest_pause_ns, part.operations_per_s().value), (9 * NS_PER_MS, 0.0));
        assert_eq!(part.series.rows.write.len(), 9);
    }
}
