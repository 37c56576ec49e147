//! Real applications on a drive: what to run, and results in their users' units.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::JsonSchema;
use crate::NS_PER_S;
use crate::direction::Direction;
use crate::estimate::Estimate;
use crate::histogram::Latency;
use crate::pause::Pause;
use crate::series::{Interval, Series, WINDOWS_MAX};

/// An application that a step runs, as data. Its maximum writes and duration are in its Step.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AppSpec {
    /// The load, such as `sqlite-wal`.
    pub load: String,
    /// Parameters by name, such as `cameras`. Missing ones have the load's defaults.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub parameters: BTreeMap<String, u64>,
}

impl AppSpec {
    /// A load with its defaults.
    pub fn new(load: &str) -> Self {
        Self { load: load.to_string(), parameters: BTreeMap::new() }
    }

    /// Adds a parameter.
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

/// Whether a drive kept up with cameras that record concurrently.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CamerasOutcome {
    /// Each second of video was durable before the deadline.
    InTime,
    /// A second was durable later than a camera's buffer lasts.
    Late,
    /// None was late yet, but too few were recorded by the end.
    Behind {
        /// The fraction of the due seconds that was recorded.
        share: f64,
    },
}

impl CamerasOutcome {
    /// Fraction of the due video that must be recorded by the end. What is missing is a backlog that grows: it fills a buffer
    /// of four seconds in two minutes.
    pub const SHARE_MIN: f64 = 0.97;

    /// Result for this many cameras and nanoseconds. The last second is not due: it ended with the recording.
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

/// A repeated operation of an application, as counted by its users.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Operation {
    /// A transaction of a database, durable.
    Commit,
    /// A complete file.
    File,
    /// A line of a log, durable.
    Line,
    /// A complete photo.
    Photo,
    /// A second of a video, durable.
    Second,
}

impl Operation {
    /// What a part of an application repeats, by the part's id.
    pub fn of_part(id: &str) -> Option<Self> {
        Some(match id {
            "commits" => Self::Commit,
            "unpack" | "read" => Self::File,
            "lines" => Self::Line,
            "import" | "view" => Self::Photo,
            "record" => Self::Second,
            _ => return None,
        })
    }

    /// Its singular name.
    pub fn name(self) -> String {
        crate::text::word_of(&self)
    }
}

/// Result of an application on a drive.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AppResult {
    /// The library used, with its version, such as `SQLite 3.51.0`; `None` if only the kernel.
    pub library: Option<String>,
    /// Measured parts in order, without preparation and checks.
    pub parts: Vec<AppPart>,
    /// Times when this program did not run; figures across them are not the drive's.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pauses: Vec<Pause>,
}

impl AppResult {
    /// The part with this name.
    pub fn part(&self, id: &str) -> Option<&AppPart> {
        self.parts.iter().find(|part| part.id == id)
    }

    /// User data in a direction, in bytes.
    pub fn bytes(&self, direction: Direction) -> u64 {
        self.parts
            .iter()
            .filter(|part| part.direction == direction)
            .map(|part| part.bytes)
            .fold(0, u64::saturating_add)
    }
}

/// A part of an application's work: one operation, repeated.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AppPart {
    /// Its id, such as `unpack`.
    pub id: String,
    /// The operation counted.
    pub operation: Operation,
    /// Whether user data is written or read.
    pub direction: Direction,
    /// Completed operations.
    pub operations: u64,
    /// User data moved, in bytes: rows, lines, files. Excludes journals and indexes.
    pub bytes: u64,
    /// Duration in nanoseconds.
    pub duration_ns: u64,
    /// Latency of each operation. Scheduled operations, such as a second of video, count from their due time.
    pub latency: Latency,
    /// The longest time without a completed operation, in nanoseconds.
    pub longest_pause_ns: u64,
    /// Operations after their deadline; 0 without one.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub late: u64,
    /// Operations and bytes by window, in the direction.
    pub series: Series,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl AppPart {
    /// Operations per second.
    pub fn operations_per_s(&self) -> Estimate {
        Estimate::rate(self.per_second(self.operations), &self.series.iops(self.direction))
    }

    /// User data in bytes per second.
    pub fn bandwidth_bytes_per_s(&self) -> Estimate {
        Estimate::rate(self.per_second(self.bytes), &self.series.bandwidth_bytes_per_s(self.direction))
    }

    /// The longest time without progress. A maximum has no interval: a longer run finds a longer pause.
    pub fn longest_pause(&self) -> Estimate {
        Estimate::bare(self.longest_pause_ns as f64, self.operations)
    }

    fn per_second(&self, count: u64) -> f64 {
        count as f64 * 1e9 / self.duration_ns.max(1) as f64
    }
}

/// Records the operations of a part. Times are in nanoseconds since its start.
#[derive(Debug, Clone)]
pub struct PartRecorder {
    part: AppPart,
    last_done_ns: u64,
}

impl PartRecorder {
    /// Starts a part, with windows of `window_ns`.
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

    /// Records an operation that took `took_ns` and completed at `done_ns`. Operations of several threads may be
    /// slightly out of order.
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

    /// Records an operation that missed its deadline.
    pub fn done_late(&mut self, done_ns: u64, took_ns: u64, bytes: u64) {
        self.done(done_ns, took_ns, bytes);
        self.part.late += 1;
    }

    /// Operations and bytes so far.
    pub fn so_far(&self) -> (u64, u64) {
        (self.part.operations, self.part.bytes)
    }

    /// Ends the part at `end_ns`.
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

    /// The finished part.
    pub fn into_part(self) -> AppPart {
        self.part
    }

    /// The part so far.
    pub fn part(&self) -> &AppPart {
        &self.part
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NS_PER_MS;

    #[test]
    fn windows_pauses_and_rates_follow_from_the_operations() {
        let mut recorder = PartRecorder::new("commits", Operation::Commit, Direction::Write, 100 * NS_PER_MS);
        // Ten per window for a second, then nothing for 380 ms, then one more.
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
    fn times_before_the_first_and_after_the_last_are_pauses() {
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
