//! The kernel's counters compared with the requested I/O.
//!
//! O_DIRECT can be ignored, a hole can be read without accessing a drive, a file system can compress: in each
//! case the drive moves fewer bytes than the program requested, and the figure is not the drive's. More bytes
//! than requested belong to another program or, for writes, to journal and metadata.

use serde::{Deserialize, Serialize};

use crate::JsonSchema;
use crate::direction::Direction;
use crate::drive::DeviceCounters;
use crate::result::RunResult;

/// Below this ratio of counted to requested bytes, the figure contradicts the kernel.
pub const SHARE_MIN: f64 = 0.98;
/// Above this ratio, other programs used the drive.
pub const SHARE_MAX: f64 = 1.05;

/// Result of the comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CounterOutcome {
    /// The kernel counted the requested bytes.
    Agrees,
    /// The drive moved less: a cache, a hole or compression answered instead.
    Contradicts,
    /// The drive read more: another program was reading.
    OtherLoad,
    /// The drive wrote more: journal, metadata, or another program writing.
    Amplified,
}

/// One direction of a step: requested and counted bytes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CounterCheck {
    /// Read or write.
    pub direction: Direction,
    /// Bytes issued.
    pub asked_bytes: u64,
    /// Bytes counted by the kernel on the drives during that time.
    pub counted_bytes: u64,
    /// Counted over requested.
    pub share: f64,
    /// The conclusion.
    pub outcome: CounterOutcome,
}

/// Compares all requested I/O of a run with the kernel's counts for that time, by direction.
pub fn check_run(result: &RunResult, counted: &DeviceCounters) -> Vec<CounterCheck> {
    let directions = [Direction::Read, Direction::Write].into_iter();
    directions.filter_map(|direction| check(direction, result.issued_bytes(direction), counted)).collect()
}

/// Compares the requested I/O in `direction` with the kernel's count. `None` if there was none.
pub fn check(direction: Direction, asked_bytes: u64, counted: &DeviceCounters) -> Option<CounterCheck> {
    let counted_bytes = match direction {
        Direction::Read => counted.read_bytes,
        Direction::Write => counted.write_bytes,
        Direction::Trim | Direction::Sync => return None,
    };
    if asked_bytes == 0 {
        return None;
    }
    let share = counted_bytes as f64 / asked_bytes as f64;
    let outcome = match direction {
        _ if share < SHARE_MIN => CounterOutcome::Contradicts,
        _ if share <= SHARE_MAX => CounterOutcome::Agrees,
        Direction::Read => CounterOutcome::OtherLoad,
        _ => CounterOutcome::Amplified,
    };
    Some(CounterCheck { direction, asked_bytes, counted_bytes, share, outcome })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seed_000_fsync_was_amplified_seven_and_ten_times() {
        // Seed 000, experiment 3: sectors=0/278528 for 4,983 writes on the card, 0/430200 for 5,363 on the SSD.
        for (sectors, writes, factor) in [(278_528, 4_983, 7.0), (430_200, 5_363, 10.0)] {
            let counted = DeviceCounters { write_bytes: sectors * 512, ..Default::default() };
            let check = check(Direction::Write, writes * 4_096, &counted).unwrap();
            assert_eq!(check.outcome, CounterOutcome::Amplified);
            assert!((check.share - factor).abs() < 0.1, "{}", check.share);
        }
    }

    #[test]
    fn fewer_bytes_contradict_and_more_are_other_load() {
        let outcome = |read_bytes| {
            let counted = DeviceCounters { read_bytes, ..Default::default() };
            check(Direction::Read, 1_000, &counted).unwrap().outcome
        };
        assert_eq!(outcome(979), CounterOutcome::Contradicts);
        assert_eq!(outcome(980), CounterOutcome::Agrees);
        assert_eq!(outcome(1_050), CounterOutcome::Agrees);
        assert_eq!(outcome(1_051), CounterOutcome::OtherLoad);
        assert_eq!(check(Direction::Read, 0, &DeviceCounters::default()), None);
        assert_eq!(check(Direction::Sync, 10, &DeviceCounters::default()), None);
    }
}
