//! Display settings of a job.

use cardiograph_core::NS_PER_MS;
use cardiograph_core::display::{JobDisplay, LogFiles, LogValue, PERCENTILES, Unified};

use super::reader::Reader;
use crate::options::LOG_CLOCKS;
use crate::value::parse_percentiles;

pub(super) fn display(reader: &mut Reader<'_>) -> JobDisplay {
    let percentiles = reader.read("percentile_list", parse_percentiles);
    let log_window_ns = log_window_ns(reader);
    let log_decides = log_window_ns > 0 && reader.find("write_bw_log").is_some();
    let bandwidth_window_ns = match reader.find("bwavgtime") {
        None if log_decides => log_window_ns,
        _ => reader.duration_ns("bwavgtime").unwrap_or(0),
    };
    let iops_window_ns = match reader.find("iopsavgtime") {
        None if log_window_ns > 0 && reader.find("write_iops_log").is_some() => log_window_ns,
        _ => reader.duration_ns("iopsavgtime").unwrap_or(0),
    };
    let is_reduced = reader.switch("gtod_reduce");
    let [has_slat, has_clat, has_lat] =
        ["disable_slat", "disable_clat", "disable_lat"].map(|option| !is_reduced && !reader.switch(option));
    JobDisplay {
        description: reader.find("description").map(|setting| setting.value.clone()),
        group_reporting: reader.switch("group_reporting"),
        unified: match reader.word("unified_rw_reporting", &["none", "0", "mixed", "1", "both", "2"]) {
            "mixed" | "1" => Unified::Mixed,
            "both" | "2" => Unified::Both,
            _ => Unified::No,
        },
        percentiles: percentiles.unwrap_or_else(|| PERCENTILES.to_vec()),
        clat_percentiles: has_clat && reader.switch("clat_percentiles"),
        lat_percentiles: has_lat && reader.switch("lat_percentiles"),
        slat_percentiles: has_slat && reader.switch("slat_percentiles"),
        kb_base: reader.kb_base,
        unit_base: reader.count("unit_base") as u32,
        significant_figures: reader.count("significant_figures") as u32,
        bandwidth_window_ns: bandwidth_window_ns.max(NS_PER_MS),
        iops_window_ns: iops_window_ns.max(NS_PER_MS),
        has_samples: !is_reduced && !reader.switch("disable_bw_measurement"),
        has_stats: reader.switch("stats"),
        disk_util: reader.switch("disk_util"),
        logs: logs(reader),
    }
}

/// Length of the windows of logs in nanoseconds; 0 logs each I/O.
pub(super) fn log_window_ns(reader: &mut Reader<'_>) -> u64 {
    reader.duration_ns("log_avg_msec").unwrap_or(0)
}

fn logs(reader: &mut Reader<'_>) -> LogFiles {
    // Without a value, the files have the job's name.
    let prefix = |reader: &Reader<'_>, option: &str| {
        reader.find(option).map(|setting| match setting.value.as_str() {
            "" => reader.spec.name.clone(),
            prefix => prefix.to_string(),
        })
    };
    let value = match reader.word("log_window_value", &["avg", "0", "max", "1", "both"]) {
        "max" | "1" => LogValue::Maximum,
        "both" => LogValue::Both,
        _ => LogValue::Average,
    };
    let clock = reader.word("log_alternate_epoch_clock_id", LOG_CLOCKS).parse().ok();
    let has_epoch = reader.switch("log_alternate_epoch") || reader.switch("log_unix_epoch");
    let epoch_clock = clock.filter(|_| has_epoch);
    LogFiles {
        bandwidth: prefix(reader, "write_bw_log"),
        iops: prefix(reader, "write_iops_log"),
        latency: prefix(reader, "write_lat_log"),
        histogram: prefix(reader, "write_hist_log"),
        per_job: reader.switch("per_job_logs"),
        value,
        with_offset: reader.switch("log_offset"),
        with_priority: reader.switch("log_prio"),
        with_issue_time: reader.switch("log_issue_time"),
        with_empty_windows: reader.switch("log_empty_windows"),
        epoch_clock,
        histogram_coarseness: reader.count("log_hist_coarseness") as u32,
    }
}
