//! Rates and queue depths of a job.

use cardiograph_core::NS_PER_MS;
use cardiograph_core::direction::PerDirection;
use cardiograph_core::message;
use cardiograph_core::workload::{Batching, Precision, Rate, SteadyMetric, SteadyState};

use super::Problem;
use super::reader::Reader;
use crate::value::{ValueError, parse_bytes_in, parse_count, parse_share, parse_steady};

pub(super) fn rates(reader: &mut Reader<'_>) -> PerDirection<Option<Rate>> {
    let kb_base = reader.kb_base;
    let written = |option: &str| reader.find(option).is_some();
    if (written("rate") || written("rate_min")) && (written("rate_iops") || written("rate_iops_min")) {
        let option = if written("rate_iops") { "rate_iops" } else { "rate_iops_min" };
        reader.report(option, Problem::Contradicts { other: "rate" });
        return PerDirection::default();
    }
    let bytes = reader.triple("rate", |text| parse_bytes_in(text, kb_base)).unwrap_or_default();
    let bytes_min = reader.triple("rate_min", |text| parse_bytes_in(text, kb_base)).unwrap_or_default();
    let ios = reader.triple("rate_iops", parse_count).unwrap_or_default();
    let ios_min = reader.triple("rate_iops_min", parse_count).unwrap_or_default();
    PerDirection::from_fn(|direction| {
        let some = |value: Option<u64>| value.unwrap_or(0);
        let (bytes, bytes_min) = (some(bytes[direction]), some(bytes_min[direction]));
        let (ios, ios_min) = (some(ios[direction]), some(ios_min[direction]));
        for (option, limit, min) in [("rate_min", bytes, bytes_min), ("rate_iops_min", ios, ios_min)] {
            if limit > 0 && min > limit {
                reader.report(option, Problem::BadValue(ValueError::OutOfRange { min: 0, max: limit }));
            }
        }
        if bytes > 0 || bytes_min > 0 {
            Some(Rate::Bytes { per_second: bytes, min_per_second: bytes_min })
        } else if ios > 0 || ios_min > 0 {
            Some(Rate::Ios { per_second: ios, min_per_second: ios_min })
        } else {
            None
        }
    })
}

pub(super) fn steady_state(reader: &mut Reader<'_>) -> Option<SteadyState> {
    // A window without a criterion selects the default.
    let written = reader.read("steadystate", parse_steady)?;
    let window_ns = reader.duration_ns("steadystate_duration").unwrap_or(0);
    if window_ns == 0 {
        // Without a window there is no steady state, as in fio.
        reader.remark("steadystate", message!("jobs-remark.needs-steadystate-duration"));
        return None;
    }
    let metric = match written.metric {
        "iops" => SteadyMetric::Iops,
        "bw" => SteadyMetric::Bandwidth,
        _ => SteadyMetric::Latency,
    };
    if metric == SteadyMetric::Latency {
        if reader.switch("gtod_reduce") {
            reader.report("steadystate", Problem::Contradicts { other: "gtod_reduce" });
        } else if reader.switch("disable_lat") && reader.switch("disable_clat") {
            reader.report("steadystate", Problem::Contradicts { other: "disable_clat" });
        }
    }
    Some(SteadyState {
        metric,
        by_slope: written.by_slope,
        limit: written.limit,
        limit_is_percent: written.is_percent,
        window_ns,
        ramp_ns: reader.duration_ns("steadystate_ramp_time").unwrap_or(0),
        interval_ns: reader
            .duration_ns("steadystate_check_interval")
            .unwrap_or(1_000 * NS_PER_MS)
            .max(NS_PER_MS),
    })
}

pub(super) fn wanted_precision(reader: &mut Reader<'_>) -> Option<Precision> {
    let ios_min = reader.count("precision_ios");
    let Some(half_width) = reader.read("precision", parse_share) else {
        if ios_min > 0 {
            reader.report("precision_ios", Problem::Needs { other: "precision=2%" });
        }
        return None;
    };
    // Each of these ends or restarts based on its own observations.
    for other in ["steadystate_duration", "latency_target"] {
        if reader.duration_ns(other).is_some_and(|ns| ns > 0) {
            reader.report("precision", Problem::Contradicts { other });
        }
    }
    Some(Precision { half_width, ios_min })
}

pub(super) fn batching(reader: &mut Reader<'_>, depth: u32) -> Batching {
    let count = |reader: &mut Reader<'_>, option: &str| {
        reader.find(option).is_some().then(|| reader.count(option).min(u64::from(depth)) as u32)
    };
    let complete_min = count(reader, "iodepth_batch_complete_min").unwrap_or(1);
    let complete_max = count(reader, "iodepth_batch_complete_max").filter(|&max| max > 0);
    Batching {
        submit: count(reader, "iodepth_batch").map(|submit| if submit == 0 { depth } else { submit }),
        complete_min,
        complete_max: complete_max.map(|max| max.max(complete_min)),
        low: count(reader, "iodepth_low").filter(|&low| low > 0).unwrap_or(depth),
    }
}
