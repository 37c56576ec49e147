//! Replaying recorded I/O: what is done instead of drawing it.

use serde::{Deserialize, Serialize};

use crate::direction::{Direction, OpKind, PerDirection};
use crate::histogram::Latency;
use crate::{JsonSchema, Message};

/// One I/O of a recording.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReplayStep {
    /// How long after the one before it is due, in nanoseconds.
    pub gap_ns: u64,
    /// How long after the start of the replay it is due at the earliest, in milliseconds.
    pub not_before_ms: u32,
    /// What it does.
    pub action: OpKind,
    /// Index of its file among those of the recording.
    pub file: u32,
    /// Where it starts, in bytes.
    pub offset_bytes: u64,
    /// How long it is, in bytes.
    pub len_bytes: u32,
}

/// What is done otherwise than recorded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ReplayRules {
    /// Whether nothing waits for its time.
    pub no_stall: bool,
    /// Speed in percent of the recorded one; at least 1.
    pub speed_percent: u64,
    /// What offsets are divided by; at least 1.
    pub scale: u64,
    /// The grid to which offsets are brought down, in bytes: a power of two, or 0 for none.
    pub align_bytes: u64,
    /// Directions that are left out.
    pub skip: PerDirection<bool>,
    /// The file or device onto which everything goes; `None` is those of the recording.
    pub redirect: Option<String>,
}

impl Default for ReplayRules {
    fn default() -> Self {
        let skip = PerDirection::default();
        Self { no_stall: false, speed_percent: 100, scale: 1, align_bytes: 0, skip, redirect: None }
    }
}

impl ReplayRules {
    /// A time between two I/Os as it is replayed, in nanoseconds.
    pub fn gap_ns(&self, recorded_ns: u64) -> u64 {
        if self.no_stall {
            return 0;
        }
        let scaled_ns = u128::from(recorded_ns) * 100 / u128::from(self.speed_percent.max(1));
        u64::try_from(scaled_ns).unwrap_or(u64::MAX)
    }

    /// An offset as it is replayed, in bytes.
    pub fn offset_bytes(&self, recorded_bytes: u64) -> u64 {
        let scaled_bytes = recorded_bytes / self.scale.max(1);
        if self.align_bytes > 1 { scaled_bytes & !(self.align_bytes - 1) } else { scaled_bytes }
    }
}

/// What was recorded of one direction, as far as it is replayed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RecordedDirection {
    /// I/Os.
    pub ios: u64,
    /// Bytes that they were to move.
    pub bytes: u64,
    /// The shortest in bytes.
    pub len_bytes_min: u64,
    /// The longest in bytes.
    pub len_bytes_max: u64,
    /// From decision to completion; empty if not recorded.
    pub latency: Latency,
}

/// What a recording holds, as far as it is replayed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Recorded {
    /// From the first I/O to the end of the last, in nanoseconds at the recorded speed; 0 if not recorded.
    pub duration_ns: u64,
    /// By direction.
    pub directions: PerDirection<RecordedDirection>,
}

impl Recorded {
    /// Adds another recording that was made at the same time.
    pub fn merge(&mut self, other: &Recorded) {
        self.duration_ns = self.duration_ns.max(other.duration_ns);
        for direction in Direction::ALL {
            let (mine, theirs) = (&mut self.directions[direction], &other.directions[direction]);
            let len_bytes_min = match (mine.ios, theirs.ios) {
                (_, 0) => mine.len_bytes_min,
                (0, _) => theirs.len_bytes_min,
                _ => mine.len_bytes_min.min(theirs.len_bytes_min),
            };
            mine.len_bytes_min = len_bytes_min;
            mine.len_bytes_max = mine.len_bytes_max.max(theirs.len_bytes_max);
            mine.ios += theirs.ios;
            mine.bytes = mine.bytes.saturating_add(theirs.bytes);
            mine.latency.merge(&theirs.latency);
        }
    }
}

/// A file of a recording.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RecordedFile {
    /// Its name.
    pub name: String,
    /// Where its furthest I/O ends, in bytes.
    pub end_bytes: u64,
    /// Whether it is written to or trimmed.
    pub is_modified: bool,
    /// Whether it is trimmed.
    pub is_trimmed: bool,
}

/// Summary of a recording.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Recording {
    /// The files that have I/O, in the order in which it comes.
    pub files: Vec<RecordedFile>,
    /// What it holds.
    pub recorded: Recorded,
}

impl Recording {
    /// Takes in a step, and how long it took where that was recorded.
    pub fn add(&mut self, step: &ReplayStep, name: &str, took_ns: Option<u64>) {
        let index = step.file as usize;
        if index >= self.files.len() {
            self.files.resize_with(index + 1, RecordedFile::default);
            self.files[index].name = name.to_string();
        }
        let (direction, len_bytes) = (step.action.direction(), u64::from(step.len_bytes));
        let file = &mut self.files[index];
        if direction != Direction::Sync {
            file.end_bytes = file.end_bytes.max(step.offset_bytes.saturating_add(len_bytes));
        }
        file.is_modified |= direction.is_modifying();
        file.is_trimmed |= direction == Direction::Trim;
        let to = &mut self.recorded.directions[direction];
        to.len_bytes_min = if to.ios == 0 { len_bytes } else { to.len_bytes_min.min(len_bytes) };
        to.len_bytes_max = to.len_bytes_max.max(len_bytes);
        to.ios += 1;
        to.bytes = to.bytes.saturating_add(len_bytes);
        if let Some(ns) = took_ns {
            to.latency.record(ns);
        }
    }
}

/// What is wrong with a recording.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RecordingProblem {
    /// The line, from 1; `None` when the file as a whole is meant.
    pub line: Option<u64>,
    /// What is wrong, and what to do, in a phrase.
    pub what: Message,
}

/// The recordings that the clones of a job replay.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Replay {
    /// Path of each recording and what it holds. Clone `i` replays number `i` modulo their count.
    pub recordings: Vec<(String, Recorded)>,
    /// What is done otherwise than recorded.
    pub rules: ReplayRules,
    /// Whether recordings are read while they are replayed, and not before.
    pub is_chunked: bool,
}

impl Replay {
    /// The recording of a clone: its path and what it holds.
    pub fn for_clone(&self, clone: u32) -> Option<&(String, Recorded)> {
        self.recordings.get(clone as usize % self.recordings.len().max(1))
    }

    /// Whether any recording has I/O of this direction.
    pub fn uses(&self, direction: Direction) -> bool {
        self.recordings.iter().any(|(_, recorded)| recorded.directions[direction].ios > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_change_times_and_places() {
        let rules = ReplayRules { speed_percent: 50, scale: 3, align_bytes: 4_096, ..Default::default() };
        assert_eq!((rules.gap_ns(1_000), rules.offset_bytes(30_000)), (2_000, 8_192));
        assert_eq!(ReplayRules { no_stall: true, ..rules.clone() }.gap_ns(1_000), 0);
        assert_eq!(ReplayRules { speed_percent: 1, ..rules }.gap_ns(u64::MAX), u64::MAX);
        let plain = ReplayRules::default();
        assert_eq!((plain.gap_ns(7), plain.offset_bytes(4_097)), (7, 4_097));
    }

    #[test]
    fn a_recording_knows_its_files_and_lengths() {
        let mut recording = Recording::default();
        let step = |action, file, offset_bytes, len_bytes| ReplayStep {
            gap_ns: 0,
            not_before_ms: 0,
            action,
            file,
            offset_bytes,
            len_bytes,
        };
        recording.add(&step(OpKind::Read, 0, 4_096, 512), "a", Some(10));
        recording.add(&step(OpKind::Read, 0, 0, 4_096), "a", None);
        recording.add(&step(OpKind::Write, 1, 0, 1_024), "b", None);
        recording.add(&step(OpKind::Fsync, 1, 9_999, 0), "b", None);
        let ends: Vec<_> =
            recording.files.iter().map(|f| (&f.name[..], f.end_bytes, f.is_modified)).collect();
        assert_eq!(ends, [("a", 4_608, false), ("b", 1_024, true)]);
        let read = &recording.recorded.directions.read;
        assert_eq!((read.ios, read.bytes, read.len_bytes_min, read.len_bytes_max), (2, 4_608, 512, 4_096));
        assert_eq!(read.latency.n(), 1);
        let mut both = recording.recorded.clone();
        both.merge(&recording.recorded);
        assert_eq!((both.directions.read.ios, both.directions.sync.ios), (4, 2));
        assert_eq!(both.directions.trim, RecordedDirection::default());
    }
}
