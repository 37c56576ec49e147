//! One measurement by several hosts: what each contributes to it.

use serde::{Deserialize, Serialize};

use crate::JsonSchema;
use crate::direction::Direction;
use crate::drive::{Drive, Host};
use crate::estimate::Estimate;
use crate::figures::LatencyFigures;
use crate::outcome::StepOutcome;
use crate::result::CpuTime;

pub mod join;

/// How far a host's monotonic clock is from that of rank 0.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ClockOffset {
    /// What to add to this host's clock to get rank 0's, in nanoseconds.
    pub offset_ns: i64,
    /// The true value is at most this far from it, in nanoseconds: half the time of the fastest question and answer.
    pub uncertainty_ns: u64,
}

impl ClockOffset {
    /// A moment of this host's clock on that of rank 0.
    pub const fn to_rank_0(self, own_ns: u64) -> u64 {
        own_ns.saturating_add_signed(self.offset_ns)
    }

    /// A moment of rank 0's clock on this host's.
    pub const fn from_rank_0(self, of_0_ns: u64) -> u64 {
        of_0_ns.saturating_add_signed(self.offset_ns.saturating_neg())
    }
}

/// The part of a Report in a measurement by several hosts.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Fleet {
    /// Id of the Report of all.
    pub id: String,
    /// Number of hosts.
    pub size: usize,
    /// The host that this Report is of; `None` in that of all.
    pub rank: Option<usize>,
    /// How far its clock was from rank 0's, when it joined.
    #[serde(default)]
    pub clock: ClockOffset,
    /// The hosts, by rank, in the Report of all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hosts: Vec<FleetHost>,
}

/// A host of a fleet.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FleetHost {
    /// Its rank.
    pub rank: usize,
    /// The machine.
    pub host: Host,
    /// The drive that it measured.
    pub drive: Drive,
    /// How far its clock was from rank 0's.
    pub clock: ClockOffset,
}

/// The hosts' shares of a step.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FleetStep {
    /// Time in which all hosts measured, in nanoseconds from the first host's start: rates of all are over whole windows
    /// in it. `None` if there was no such time.
    pub common: Option<CommonWindow>,
    /// One per host, by rank.
    pub hosts: Vec<HostStep>,
}

/// The time in which all hosts measured, in nanoseconds from the first host's start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CommonWindow {
    /// From here: the last host has started.
    pub begin_ns: u64,
    /// Up to here: the first host has ended.
    pub end_ns: u64,
}

/// One host's share of a step.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct HostStep {
    /// Its rank.
    pub rank: usize,
    /// How it ended.
    pub outcome: StepOutcome,
    /// How long after the first host it started, in nanoseconds.
    pub skew_ns: u64,
    /// The true skew is at most this far from it, in nanoseconds.
    pub skew_uncertainty_ns: u64,
    /// When it ended, in nanoseconds from the first host's start.
    pub end_ns: u64,
    /// Its figures by direction, for those used.
    pub directions: Vec<HostDirection>,
    /// CPU time of its workers; `None` if unknown.
    pub cpu: Option<CpuTime>,
}

/// One direction of a host's share.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct HostDirection {
    /// The direction.
    pub direction: Direction,
    /// Its completed I/Os.
    pub ios: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Bytes per second in the common window.
    pub bandwidth_bytes_per_s: Estimate,
    /// I/Os per second in the common window.
    pub iops: Estimate,
    /// Latencies of all its I/Os.
    pub latency: LatencyFigures,
    /// Length of a column of `columns_bytes`, in nanoseconds.
    pub column_ns: u64,
    /// Its bytes over time, from the first host's start.
    pub columns_bytes: Vec<u64>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_is_the_same_on_each_clock() {
        for offset_ns in [0, 17, -17, i64::MAX, i64::MIN + 1] {
            let clock = ClockOffset { offset_ns, uncertainty_ns: 0 };
            let own_ns = 1 << 62;
            let of_0_ns = clock.to_rank_0(own_ns);
            // Beyond the ends of time it stops.
            if of_0_ns > 0 {
                assert_eq!(clock.from_rank_0(of_0_ns), own_ns, "{offset_ns}");
            }
        }
    }
}
