//! How the results of a job are shown: what its options ask of reports and logs.

use serde::{Deserialize, Serialize};

use crate::JsonSchema;
use crate::{KIB, NS_PER_MS};

/// The percentiles that fio shows when none are asked for.
pub const PERCENTILES: [f64; 17] =
    [1.0, 5.0, 10.0, 20.0, 30.0, 40.0, 50.0, 60.0, 70.0, 80.0, 90.0, 95.0, 99.0, 99.5, 99.9, 99.95, 99.99];

/// What a log of windows holds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LogValue {
    /// The mean of each window.
    #[default]
    Average,
    /// The largest value of each window.
    Maximum,
    /// Both.
    Both,
}

/// Whether all directions are shown as one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Unified {
    /// Each by itself.
    #[default]
    No,
    /// As one, which takes their place.
    Mixed,
    /// Each by itself, and as one.
    Both,
}

/// Which logs are written, and in what form. Each name is the beginning of the files' names.
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
    /// What windows hold.
    pub value: LogValue,
    /// Whether lines have the offset.
    pub with_offset: bool,
    /// Whether lines have the priority itself, and not only whether it is a high one.
    pub with_priority: bool,
    /// Whether lines have the time at which the I/O was decided on.
    pub with_issue_time: bool,
    /// Whether windows without I/O have lines.
    pub with_empty_windows: bool,
    /// The clock from whose beginning times count, by Linux' number: 0 counts from 1970. `None` counts from the job's
    /// start.
    pub epoch_clock: Option<u32>,
    /// Each step of coarseness puts two buckets of the histogram into one.
    pub histogram_coarseness: u32,
}

/// How the results of a job are shown.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct JobDisplay {
    /// A text about the job.
    pub description: Option<String>,
    /// Whether the jobs of a group are shown as one.
    pub group_reporting: bool,
    /// Whether reads, writes and trims are shown as one.
    pub unified: Unified,
    /// Percentiles to show, ascending.
    pub percentiles: Vec<f64>,
    /// Whether percentiles of completion latency are shown.
    pub clat_percentiles: bool,
    /// Whether percentiles of total latency are shown.
    pub lat_percentiles: bool,
    /// Whether percentiles of submission latency are shown.
    pub slat_percentiles: bool,
    /// What a kilo is in units of bytes: 1000 or 1024.
    pub kb_base: u64,
    /// Whether bandwidth is in bits (1) or bytes (8); 0 leaves it to the format.
    pub unit_base: u32,
    /// Digits of scaled numbers.
    pub significant_figures: u32,
    /// Windows of the bandwidth's spread, in nanoseconds.
    pub bandwidth_window_ns: u64,
    /// Windows of the IOPS' spread, in nanoseconds.
    pub iops_window_ns: u64,
    /// Whether spreads over windows are shown.
    pub has_samples: bool,
    /// Whether the job is shown at all.
    pub has_stats: bool,
    /// Whether the kernel's counters of the drive are shown.
    pub disk_util: bool,
    /// What is logged.
    pub logs: LogFiles,
}

/// How a job is shown of which nothing else is said: as fio does.
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
