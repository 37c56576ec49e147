//! Limits on a job's pace.

use cardiograph_core::direction::PerDirection;
use cardiograph_core::message;
use cardiograph_core::workload::{Arrivals, FlowWeight, LatencyTarget, Think};

use super::reader::Reader;
use crate::value::{parse_decimal_between, parse_duration_ns};

pub(super) fn arrivals(reader: &mut Reader<'_>) -> Arrivals {
    match reader.word("rate_process", &["linear", "poisson"]) {
        "poisson" => Arrivals::Poisson,
        _ => Arrivals::Even,
    }
}

/// The pauses of a job; `None` without `thinktime`, as in fio.
pub(super) fn think(reader: &mut Reader<'_>) -> Option<Think> {
    let pause_ns = reader.duration_ns("thinktime").unwrap_or(0);
    let cycles = reader.count("thinkcycles");
    let spin_ns = reader.duration_ns("thinktime_spin").unwrap_or(0);
    let every_ns = reader.duration_ns("thinktime_iotime").filter(|&every_ns| every_ns > 0);
    let every_ios = reader.count("thinktime_blocks").max(1);
    let counts_issued = reader.word("thinktime_blocks_type", &["complete", "issue"]) == "issue";
    let stops_rate = reader.switch("rate_ignore_thinktime");
    if pause_ns == 0 {
        reader.remark_each(
            &["thinktime_spin", "thinktime_iotime", "thinktime_blocks", "thinktime_blocks_type"],
            &message!("jobs-remark.needs-thinktime"),
        );
        return (cycles > 0).then(|| Think { cycles, ..Think::default() });
    }
    // If time decides, the number of I/Os has an effect only if it was set.
    let by_count = every_ns.is_none() || reader.find("thinktime_blocks").is_some();
    Some(Think {
        pause_ns,
        spin_ns,
        every_ios: by_count.then_some(every_ios),
        counts_issued,
        every_ns,
        stops_rate,
        cycles,
    })
}

pub(super) fn latency_max_ns(reader: &mut Reader<'_>) -> PerDirection<Option<u64>> {
    let written = reader.triple("max_latency", |text| parse_duration_ns(text, 1_000)).unwrap_or_default();
    PerDirection::from_fn(|direction| written[direction].filter(|&ns| ns > 0))
}

pub(super) fn latency_target(reader: &mut Reader<'_>) -> Option<LatencyTarget> {
    let target_ns = reader.duration_ns("latency_target").unwrap_or(0);
    let target = LatencyTarget {
        target_ns,
        window_ns: reader.duration_ns("latency_window").unwrap_or(0),
        percentile: reader
            .read("latency_percentile", |text| parse_decimal_between(text, 0, 100))
            .unwrap_or(100.0),
        goes_on: reader.switch("latency_run"),
    };
    if target_ns == 0 {
        reader.remark_each(
            &["latency_window", "latency_percentile", "latency_run"],
            &message!("jobs-remark.needs-latency-target"),
        );
    }
    (target_ns > 0).then_some(target)
}

/// A job's weight in a flow; without one it is not part of a flow, as in fio.
pub(super) fn flow(reader: &mut Reader<'_>) -> Option<FlowWeight> {
    let weight = reader.count("flow");
    let (flow, sleep_ns) = (reader.count("flow_id"), reader.duration_ns("flow_sleep").unwrap_or(0));
    if weight == 0 {
        reader.remark_each(&["flow_id", "flow_sleep"], &message!("jobs-remark.needs-flow"));
    }
    (weight > 0).then_some(FlowWeight { flow, weight, sleep_ns })
}
