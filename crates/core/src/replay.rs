//! Replaying recorded I/O instead of generating it.

use serde::{Deserialize, Serialize};

use crate::direction::{Direction, OpKind, PerDirection};
use crate::histogram::Latency;
use crate::{JsonSchema, Message};

/// One I/O of a recording.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReplayStep {
    /// Due time after the previous one, in nanoseconds.
    pub gap_ns: u64,
    /// Earliest time after the start of the replay, in milliseconds.
    pub not_before_ms: u32,
    /// Its action.
    pub action: OpKind,
    /// Index of its file in the recording.
    pub file: u32,
    /// Offset in bytes.
    pub offset_bytes: u64,
    /// Length in bytes.
    pub len_bytes: u32,
}

/// Changes to the recording during a replay.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ReplayRules {
    /// Whether to ignore the timing.
    pub no_stall: bool,
    /// Speed in percent of the recorded one; at least 1.
    pub speed_percent: u64,
    /// Divisor for offsets; at least 1.
    pub scale: u64,
    /// Alignment to which offsets are rounded down, in bytes: a power of two, or 0 for none.
    pub align_bytes: u64,
    /// Directions to skip.
    pub skip: PerDirection<bool>,
    /// The file or device to replay everything on; `None`: those of the recording.
    pub redirect: Option<String>,
}

impl Default for ReplayRules {
    fn default() -> Self {
        let skip = PerDirection::default();
        Self { no_stall: false, speed_percent: 100, scale: 1, align_bytes: 0, skip, redirect: None }
    }
}

impl ReplayRules {
    /// The replayed interval between two I/Os, in nanoseconds.
    pub fn gap_ns(&self, recorded_ns: u64) -> u64 {
        if self.no_stall {
            return 0;
        }
        let scaled_ns = u128::from(recorded_ns) * 100 / u128::from(self.speed_percent.max(1));
        u64::try_from(scaled_ns).unwrap_or(u64::MAX)
    }

    /// The replayed offset, in bytes.
    pub fn offset_bytes(&self, recorded_bytes: u64) -> u64 {
        let scaled_bytes = recorded_bytes / self.scale.max(1);
        if self.align_bytes > 1 { scaled_bytes & !(self.align_bytes - 1) } else { scaled_bytes }
    }
}

/// Summary of the replayed part of one direction.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RecordedDirection {
    /// Number of I/Os.
    pub ios: u64,
    /// Requested bytes.
    pub bytes: u64,
    /// Minimum length in bytes.
    pub len_bytes_min: u64,
    /// Maximum length in bytes.
    pub len_bytes_max: u64,
    /// Latency from decision to completion; empty if not recorded.
    pub latency: Latency,
}

/// Summary of the replayed part of a recording.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Recorded {
    /// From the first I/O to the end of the last, in nanoseconds at the recorded speed; 0 if not recorded.
    pub duration_ns: u64,
    /// By direction.
    pub directions: PerDirection<RecordedDirection>,
}

impl Recorded {
    /// Adds another recording made at the same time.
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
    /// End of its furthest I/O, in bytes.
    pub end_bytes: u64,
    /// Whether it is written to or trimmed.
    pub is_modified: bool,
    /// Whether it is trimmed.
    pub is_trimmed: bool,
}

/// Summary of a recording.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Recording {
    /// The files with I/O, in order of first use.
    pub files: Vec<RecordedFile>,
    /// Its content.
    pub recorded: Recorded,
}

impl Recording {
    /// Adds an I/O, and its duration if recorded.
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

/// An error in a recording.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RecordingProblem {
    /// The line, from 1; `None` for the file as a whole.
    pub line: Option<u64>,
    /// A phrase: what is wrong, and what to do.
    pub what: Message,
}

/// The recordings that the clones of a job replay.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Replay {
    /// Path and content of each recording. Clone `i` replays number `i` modulo their count.
    pub recordings: Vec<(String, Recorded)>,
    /// Changes during the replay.
    pub rules: ReplayRules,
    /// Whether recordings are read during the replay, not before.
    pub is_chunked: bool,
}

impl Replay {
    /// The recording of a clone: its path and content.
    pub fn for_clone(&self, clone: u32) -> Option<&(String, Recorded)> {
        self.recordings.get(clone as usize % self.recordings.len().max(1))
    }

    /// Whether any recording has I/O in this direction.
    pub fn uses(&self, direction: Direction) -> bool {
        self.recordings.iter().any(|(_, recorded)| recorded.directions[direction].ios > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_change_times_and_offsets() {
        let rules = ReplayRules { speed_percent: 50, scale: 3, align_bytes: 4_096, ..Default::default() };
        assert_eq!((rules.gap_ns(1_000), rules.offset_bytes(30_000)), (2_000, 8_192));
        assert_eq!(ReplayRules { no_stall: true, ..rules.clone() }.gap_ns(1_000), 0);
        assert_eq!(ReplayRules { speed_percent: 1, ..rules }.gap_ns(u64::MAX), u64::MAX);
        let plain = ReplayRules::default();
        assert_eq!((plain.gap_ns(7), plain.offset_bytes(4_097)), (7, 4_097));
    }

    #[test]
    fn a_recording_lists_its_files_and_lengths() {
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
