//! The fields that we read from fio's JSON.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

/// fio's document at the end of a run, or at each status interval.
#[derive(Debug, Deserialize)]
pub(super) struct Document {
    /// Whether the text ends before its end.
    #[serde(skip)]
    pub(super) is_cut: bool,
    #[serde(rename = "fio version")]
    pub(super) version: String,
    #[serde(default)]
    pub(super) timestamp: u64,
    #[serde(default)]
    pub(super) timestamp_ms: u64,
    #[serde(default, rename = "global options")]
    pub(super) global: BTreeMap<String, Value>,
    #[serde(default)]
    pub(super) jobs: Vec<Job>,
    #[serde(default)]
    pub(super) client_stats: Vec<Job>,
    #[serde(default)]
    pub(super) disk_util: Vec<Disk>,
}

/// A job, or all jobs of a group.
#[derive(Debug, Deserialize)]
pub(super) struct Job {
    pub(super) jobname: String,
    #[serde(default)]
    pub(super) groupid: u64,
    /// In milliseconds since 1970; since version 3.36.
    pub(super) job_start: Option<u64>,
    #[serde(default)]
    pub(super) error: i64,
    #[serde(default, rename = "job options")]
    pub(super) options: BTreeMap<String, Value>,
    pub(super) read: Option<Box<Data>>,
    pub(super) write: Option<Box<Data>>,
    pub(super) trim: Option<Box<Data>>,
    pub(super) mixed: Option<Box<Data>>,
    pub(super) sync: Option<Box<Sync>>,
    pub(super) usr_cpu: Option<f64>,
    pub(super) sys_cpu: Option<f64>,
    pub(super) ctx: Option<u64>,
    pub(super) hostname: Option<String>,
}

/// Figures of a direction.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Data {
    /// Bytes; KiB before version 3, which lacks `io_kbytes`.
    pub(super) io_bytes: u64,
    pub(super) io_kbytes: Option<u64>,
    pub(super) bw_bytes: Option<u64>,
    /// KiB/s.
    pub(super) bw: f64,
    pub(super) iops: f64,
    /// Milliseconds.
    pub(super) runtime: u64,
    pub(super) total_ios: Option<u64>,
    pub(super) slat_ns: Option<Box<Times>>,
    pub(super) clat_ns: Option<Box<Times>>,
    pub(super) lat_ns: Option<Box<Times>>,
    /// Microseconds, before version 3.
    pub(super) slat: Option<Box<Times>>,
    pub(super) clat: Option<Box<Times>>,
    pub(super) lat: Option<Box<Times>>,
    pub(super) bw_min: f64,
    pub(super) bw_max: f64,
    pub(super) bw_mean: f64,
    pub(super) bw_dev: f64,
    pub(super) bw_samples: Option<u64>,
    pub(super) iops_min: f64,
    pub(super) iops_max: f64,
    pub(super) iops_mean: f64,
    pub(super) iops_stddev: f64,
    pub(super) iops_samples: Option<u64>,
}

/// Figures of syncs.
#[derive(Debug, Deserialize)]
pub(super) struct Sync {
    #[serde(default)]
    pub(super) total_ios: u64,
    pub(super) lat_ns: Option<Box<Times>>,
}

/// Latencies.
#[derive(Debug, Deserialize)]
pub(super) struct Times {
    pub(super) min: f64,
    pub(super) max: f64,
    pub(super) mean: Option<f64>,
    pub(super) stddev: Option<f64>,
    #[serde(rename = "N")]
    pub(super) n: Option<u64>,
    #[serde(default)]
    pub(super) percentile: BTreeMap<String, f64>,
    #[serde(default)]
    pub(super) bins: BTreeMap<String, u64>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Disk {
    pub(super) name: String,
    /// Present only for a drive stacked on others.
    pub(super) aggr_read_ios: Option<u64>,
}
