//! How a job's results are shown: its options for reports and logs.

use serde::{Deserialize, Serialize};

use crate::JsonSchema;
use crate::{KIB, NS_PER_MS};

/// Percentiles that fio shows by default.
pub const PERCENTILES: [f64; 17] =
    [1.0, 5.0, 10.0, 20.0, 30.0, 40.0, 50.0, 60.0, 70.0, 80.0, 90.0, 95.0, 99.0, 99.5, 99.9, 99.95, 99.99];

/// Content of a windowed log.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LogValue {
    /// The mean of each window.
    #[default]
    Average,
    /// The maximum of each window.
    Maximum,
    /// Both.
    Both,
}

/// Whether all directions are combined.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Unified {
    /// Separate directions.
    #[default]
    No,
    /// Combined, instead of separate directions.
    Mixed,
    /// Separate directions, and combined.
    Both,
}

/// Which logs to write, and in what format. Each name is a prefix of file names.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LogFiles {
    /// Bandwidth.
    pub bandwidth: Option<String>,
    /// I/Os per second.
    pub iops: Option<String>,
    /// Latency.
    pub latency: Option<String>,
    /// Histograms of completion latency.
    pub histogram: Option<String>,
    /// Whether each worker has separate files.
    pub per_job: bool,
    /// Content of windows.
    pub value: LogValue,
    /// Whether lines include the offset.
    pub with_offset: bool,
    /// Whether lines include the priority itself, not only whether it is high.
    pub with_priority: bool,
    /// Whether lines include the time at which the I/O was decided on.
    pub with_issue_time: bool,
    /// Whether windows without I/O have lines.
    pub with_empty_windows: bool,
    /// The clock that times refer to, by Linux' number: 0 counts from 1970. `None` counts from the job's start.
    pub epoch_clock: Option<u32>,
    /// Each step of coarseness merges two buckets of the histogram.
    pub histogram_coarseness: u32,
}

/// How the results of a job are shown.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct JobDisplay {
    /// The job's description.
    pub description: Option<String>,
    /// Whether the jobs of a group are combined.
    pub group_reporting: bool,
    /// Whether reads, writes and trims are combined.
    pub unified: Unified,
    /// Percentiles to show, ascending.
    pub percentiles: Vec<f64>,
    /// Whether percentiles of completion latency are shown.
    pub clat_percentiles: bool,
    /// Whether percentiles of total latency are shown.
    pub lat_percentiles: bool,
    /// Whether percentiles of submission latency are shown.
    pub slat_percentiles: bool,
    /// A kilo in units of bytes: 1000 or 1024.
    pub kb_base: u64,
    /// Whether bandwidth is in bits (1) or bytes (8); 0 leaves it to the format.
    pub unit_base: u32,
    /// Significant digits of scaled numbers.
    pub significant_figures: u32,
    /// Window length for the spread of bandwidth, in nanoseconds.
    pub bandwidth_window_ns: u64,
    /// Window length for the spread of IOPS, in nanoseconds.
    pub iops_window_ns: u64,
    /// Whether spreads over windows are shown.
    pub has_samples: bool,
    /// Whether the job is shown.
    pub has_stats: bool,
    /// Whether the kernel's counters of the drive are shown.
    pub disk_util: bool,
    /// Logs to write.
    pub logs: LogFiles,
}

/// The default: as in fio.
impl Default for JobDisplay {
    fn default() -> Self {
        const WINDOW_NS: u64 = 500 * NS_PER_MS;
        Self {
            description: None,
            group_reporting: false,
            unified: Unified::No,
            percentiles: PERCENTILES.to_vec(),
            clat_percentiles: true,
            lat_percentiles: false,
            slat_percentiles: false,
            kb_base: KIB,
            unit_base: 0,
            significant_figures: 4,
            bandwidth_window_ns: WINDOW_NS,
            iops_window_ns: WINDOW_NS,
            has_samples: true,
            has_stats: true,
            disk_util: true,
            logs: LogFiles { per_job: true, ..LogFiles::default() },
        }
    }
}
