//! JSON for programs, with or without the bins of the histograms (`json+`).
//!
//! fio's keys, units and layout, with two improvements: control characters are escaped, and no key appears twice.
//! Figures that fio has no key for are in each job's `cardiograph` object.

use cardiograph_catalogue::english;
use cardiograph_core::display::Unified;
use cardiograph_core::result::{PrecisionOutcome, Verified};
use cardiograph_core::text::word_of;
use cardiograph_core::{Direction, Latency, NS_PER_S};

use super::distributions::{
    BATCHES, CLASSES_BELOW_MS, CLASSES_MS, DEPTHS, LatencyClasses, batch_shares, bins, depth_shares,
    percentile_values_ns,
};
use super::group::{self, GroupFigures};
use super::json_writer::Object;
use super::numbers::finite;
use super::run::{
    DirectionFigures, DiskEntry, DiskFigures, Extra, FioRun, JobEntry, SteadyState, Style, last_of_each,
};
use super::shown::Way;

/// What fio writes for an unknown time.
const UNKNOWN_ETA_S: u64 = i32::MAX as u64;

/// How much of the histograms to write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bins {
    /// Percentiles only: `json`.
    No,
    /// Every nonempty bucket: `json+`.
    Yes,
}

/// `run` as one JSON document. Its first line is `{` and its last `}`.
pub fn json(run: &FioRun, bins: Bins) -> String {
    let groups = run.groups();
    Object::new(|json| {
        json.set("fio version", run.version.as_str());
        json.set("timestamp", run.timestamp_unix_ms / 1_000);
        json.set("timestamp_ms", run.timestamp_unix_ms);
        json.set("time", run.time_text.as_str());
        if !run.global_options.is_empty() {
            options(json, "global options", &run.global_options);
        }
        json.objects("jobs", &run.jobs, |json, entry| {
            let group = group::find(&groups, entry.group);
            let figures = |way| group.map_or_else(Default::default, |group| *group.figures(way));
            job(json, entry, figures, bins);
        });
        if !run.disks.is_empty() {
            json.objects("disk_util", &run.disks, disk);
        }
    })
    .document()
}

fn options(json: &mut Object<'_>, key: &str, options: &[(String, String)]) {
    json.object(key, |json| {
        last_of_each(options).into_iter().for_each(|(name, value)| json.set(name, value.as_str()));
    });
}

fn job<'a>(json: &mut Object<'a>, job: &'a JobEntry, group: impl Fn(Way) -> GroupFigures, bins: Bins) {
    json.set("jobname", job.name.as_str());
    json.set("groupid", job.group);
    json.set("job_start", job.started_unix_ms);
    json.set("error", job.error.as_ref().map_or(0, |error| error.errno));
    json.set("eta", job.eta_s.unwrap_or(UNKNOWN_ETA_S));
    json.set("elapsed", job.elapsed_s);
    options(json, "job options", &job.options);
    for (way, figures) in job.shown() {
        // Syncs follow the separate directions; without any, fio has no place for them.
        if way == Way::Mixed && job.style.unified == Unified::Both {
            syncs(json, job, bins);
        }
        json.object(way.name(), |json| direction(json, figures, &group(way), &job.style, bins));
    }
    if job.style.unified == Unified::No {
        syncs(json, job, bins);
    }
    json.set("job_runtime", job.cpu.run_ms);
    json.set("usr_cpu", job.cpu.user_percent());
    json.set("sys_cpu", job.cpu.system_percent());
    json.set("ctx", job.cpu.context_switches);
    json.set("majf", job.cpu.major_faults);
    json.set("minf", job.cpu.minor_faults);
    shares(json, "iodepth_level", &DEPTHS, &depth_shares(job));
    shares(json, "iodepth_submit", &BATCHES, &batch_shares(&job.depths.submitted));
    shares(json, "iodepth_complete", &BATCHES, &batch_shares(&job.depths.completed));
    let latencies = LatencyClasses::from_job(job);
    shares(json, "latency_ns", &CLASSES_BELOW_MS, &latencies.shares(&latencies.ns));
    shares(json, "latency_us", &CLASSES_BELOW_MS, &latencies.shares(&latencies.us));
    shares(json, "latency_ms", &CLASSES_MS, &latencies.shares(&latencies.ms));
    if let Some(tally) = &job.tolerated_errors {
        json.set("total_err", tally.total);
        json.set("first_error", tally.first_errno);
    }
    let target = &job.latency_target;
    if target.depth > 0 {
        json.set("latency_depth", target.depth);
        json.set("latency_target", target.target_ns);
        json.set("latency_percentile", target.percentile);
        json.set("latency_window", target.window_us);
    }
    if let Some(description) = job.description() {
        json.set("desc", description);
    }
    if let Some(steady) = &job.steady_state {
        json.object("steadystate", |json| steady_state(json, steady));
    }
    if let Some(more) = &job.extra {
        json.object("cardiograph", |json| extra(json, more, job));
    }
}

fn syncs(json: &mut Object<'_>, job: &JobEntry, bins: Bins) {
    json.object("sync", |json| {
        let syncs = &job.directions.sync;
        json.set("total_ios", syncs.ios);
        let with_percentiles = job.style.clat_percentiles || job.style.lat_percentiles;
        latency(json, "lat_ns", &syncs.completion, with_percentiles, &job.style, bins);
    });
}

fn shares(json: &mut Object<'_>, key: &str, labels: &[&str], shares: &[f64]) {
    json.object(key, |json| {
        labels.iter().zip(shares).for_each(|(label, &share)| json.set(label, share));
    });
}

fn direction(
    json: &mut Object<'_>,
    figures: &DirectionFigures,
    group: &GroupFigures,
    style: &Style,
    bins: Bins,
) {
    let bytes_per_s = figures.bytes_per_s();
    json.set("io_bytes", figures.bytes);
    json.set("io_kbytes", figures.bytes / 1_024);
    json.set("bw_bytes", bytes_per_s);
    json.set("bw", bytes_per_s / 1_024);
    json.set("iops", figures.iops());
    json.set("runtime", figures.runtime_ms);
    json.set("total_ios", figures.ios);
    json.set("short_ios", figures.short_ios);
    json.set("drop_ios", figures.dropped_ios);
    latency(json, "slat_ns", &figures.submission, style.slat_percentiles, style, bins);
    latency(json, "clat_ns", &figures.completion, style.clat_percentiles, style, bins);
    latency(json, "lat_ns", &figures.total, style.lat_percentiles, style, bins);
    let samples = &figures.bandwidth;
    json.set("bw_min", samples.min);
    json.set("bw_max", samples.max);
    json.set("bw_agg", group.percent(samples));
    json.set("bw_mean", samples.mean);
    json.set("bw_dev", samples.stdev());
    json.set("bw_samples", samples.n);
    let samples = &figures.iops;
    json.set("iops_min", samples.min);
    json.set("iops_max", samples.max);
    json.set("iops_mean", samples.mean);
    json.set("iops_stddev", samples.stdev());
    json.set("iops_samples", samples.n);
}

fn latency(
    json: &mut Object<'_>,
    key: &str,
    latency: &Latency,
    with_percentiles: bool,
    style: &Style,
    with_bins: Bins,
) {
    json.object(key, |json| {
        figures_of(json, latency);
        if !with_percentiles || latency.n() == 0 {
            return;
        }
        let percentiles = style.sorted_percentiles();
        let values = percentile_values_ns(latency, &percentiles);
        percentile_object(json, percentiles.into_iter().zip(values));
        if with_bins == Bins::Yes {
            json.object("bins", |json| {
                bins(latency).iter().for_each(|&(ns, count)| json.set(&ns.to_string(), count));
            });
        }
    });
}

fn steady_state(json: &mut Object<'_>, steady: &SteadyState) {
    let SteadyState { wanted, outcome } = steady;
    let unit = if wanted.limit_is_percent { "%" } else { "" };
    let kind = if wanted.by_slope { "_slope" } else { "" };
    json.set("ss", format!("{}{kind}:{:.6}{unit}", steady.metric(), finite(wanted.limit)));
    json.set("duration", wanted.window_ns / NS_PER_S);
    json.set("attained", u8::from(outcome.attained));
    json.set("criterion", format!("{:.6}{unit}", finite(outcome.criterion)));
    json.set("max_deviation", steady.max_deviation());
    json.set("slope", outcome.slope);
    json.object("data", |json| {
        json.set("bw_mean", steady.bandwidth_mean_bytes_per_s());
        json.set("iops_mean", steady.iops_mean());
        if let Some(mean_ns) = steady.latency_mean_ns() {
            json.set("lat_mean", mean_ns);
        }
        json.set("iops", outcome.iops.as_slice());
        json.set("bw", outcome.bandwidth_bytes_per_s.as_slice());
        if steady.latency_mean_ns().is_some() {
            json.set("lat_ns", outcome.latency_ns.as_slice());
        }
    });
}

fn extra<'a>(json: &mut Object<'a>, extra: &'a Extra, job: &JobEntry) {
    json.set("engine", extra.engine.as_str());
    json.object("clock", |json| {
        json.set("source", word_of(&extra.clock.source));
        json.set("resolution_ns", extra.clock.resolution_ns);
        json.set("read_cost_ns", extra.clock.read_cost_ns);
    });
    json.set("seed", extra.seed);
    json.set("window_ms", extra.window_ms);
    json.set("zero_windows", extra.zero_windows);
    json.set("longest_stall_ns", extra.longest_stall_ns);
    json.set("ios_over_17_s", job.ios_over_17_s());
    json.object("phases", |json| {
        json.set("layout_ns", extra.layout_ns);
        json.set("open_ns", extra.phases.open_ns);
        json.set("drain_ns", extra.phases.drain_ns);
        json.set("flush_ns", extra.phases.flush_ns);
        json.set("verify_ns", extra.phases.verify_ns);
    });
    if let Some(outcome) = &extra.precision {
        json.object("precision", |json| precision(json, outcome));
    }
    if let Some(verified) = &extra.verified {
        json.object("verify", |json| verification(json, verified));
    }
    let own =
        |json: &mut Object<'_>, at: Direction, of: &Latency| own_latency(json, at.name(), of, &job.style);
    if let Some(intended) = &extra.intended {
        json.object_if_any("intended_lat_ns", |json| {
            intended.iter().filter(|(_, of)| of.n() > 0).for_each(|(at, of)| own(json, at, of));
        });
    }
    if let Some(recorded) = &extra.recorded {
        json.object("replay", |json| {
            json.set("recorded_ns", recorded.duration_ns);
            json.set("replayed_ns", extra.replayed_ns);
            json.object_if_any("recorded_lat_ns", |json| {
                let known = recorded.directions.iter().map(|(at, recorded)| (at, &recorded.latency));
                known.filter(|(_, of)| of.n() > 0).for_each(|(at, of)| own(json, at, of));
            });
        });
    }
    // These percentiles continue beyond the end of fio's.
    if job.ios_over_17_s() > 0 {
        json.object_if_any("clat_ns", |json| {
            let used = job.directions.iter().map(|(at, figures)| (at, &figures.completion));
            used.filter(|(_, of)| of.n() > 0).for_each(|(at, of)| own(json, at, of));
        });
    }
    if !extra.pauses.is_empty() {
        json.objects("pauses", &extra.pauses, |json, pause| {
            json.set("begin_ns", pause.begin_ns);
            json.set("duration_ns", pause.duration_ns);
            json.set("cause", pause.cause.name().as_str());
        });
    }
    if !extra.notes.is_empty() {
        json.set("notes", extra.notes.as_slice());
    }
}

/// The outcome of a requested precision, which fio does not have.
fn precision(json: &mut Object<'_>, outcome: &PrecisionOutcome) {
    json.set("end", word_of(&outcome.end));
    json.set("wanted", outcome.wanted);
    if let Some(half_width) = outcome.half_width {
        json.set("half_width", half_width);
    }
    json.set("look", outcome.look);
    json.set("from_ns", outcome.from_ns);
    json.set("until_ns", outcome.until_ns);
}

/// The result of verification. The first bad block is reported in full; all are counted by diagnosis.
fn verification(json: &mut Object<'_>, verified: &Verified) {
    json.set("blocks", verified.blocks);
    json.set("bad_blocks", verified.bad_blocks);
    if verified.bad_blocks > 0 {
        json.object("kinds", |json| {
            verified.kinds.iter().for_each(|(kind, &blocks)| json.set(&kind.name(), blocks));
        });
    }
    if let Some(first) = &verified.first {
        json.object("first", |json| {
            json.set("file", first.target.as_str());
            json.set("offset", first.offset_bytes);
            json.set("length", first.len_bytes);
            json.set("kind", first.kind.name().as_str());
            json.set("expected", english(&first.expected).as_str());
            json.set("found", english(&first.found).as_str());
        });
    }
}

/// A latency with percentiles, clamped to minimum and maximum.
fn own_latency(json: &mut Object<'_>, key: &str, latency: &Latency, style: &Style) {
    json.object(key, |json| {
        figures_of(json, latency);
        let values =
            style.sorted_percentiles().into_iter().map(|p| (p, latency.percentile_ns(p).unwrap_or(0)));
        percentile_object(json, values);
    });
}

fn figures_of(json: &mut Object<'_>, latency: &Latency) {
    json.set("min", latency.min_ns());
    json.set("max", latency.max_ns());
    json.set("mean", latency.mean_ns());
    json.set("stddev", latency.stdev_ns());
    json.set("N", latency.n());
}

fn percentile_object(json: &mut Object<'_>, values: impl IntoIterator<Item = (f64, u64)>) {
    json.object_if_any("percentile", |json| {
        let mut last_key = String::new();
        for (percentile, ns) in values {
            // Percentiles that agree in six decimals would repeat a key.
            let key = format!("{percentile:.6}");
            if key != last_key {
                json.set(&key, ns);
            }
            last_key = key;
        }
    });
}

fn disk(json: &mut Object<'_>, disk: &DiskEntry) {
    json.set("name", disk.name.as_str());
    counters(json, &disk.figures, "", "write_merges");
    if let Some(aggregate) = disk.aggregate() {
        // The one key without its s is fio's, and consumers rely on it.
        counters(json, &aggregate, "aggr_", "write_merge");
    }
}

fn counters(json: &mut Object<'_>, disk: &DiskFigures, prefix: &str, write_merges: &str) {
    let DiskFigures { read_ios, write_ios, read_sectors, write_sectors, .. } = *disk;
    for (name, counter) in [
        ("read_ios", read_ios),
        ("write_ios", write_ios),
        ("read_sectors", read_sectors),
        ("write_sectors", write_sectors),
        ("read_merges", disk.read_merges),
        (write_merges, disk.write_merges),
        ("read_ticks", disk.read_ms),
        ("write_ticks", disk.write_ms),
        ("in_queue", disk.queue_ms),
    ] {
        json.set(&format!("{prefix}{name}"), counter);
    }
    json.set(&format!("{prefix}util"), disk.util_percent);
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::output::samples;
    /// Names that appear twice in one object, which a parser would hide.
    fn keys_that_come_twice(text: &str) -> Vec<String> {
        let mut open: Vec<Vec<String>> = Vec::new();
        let mut twice = Vec::new();
        for line in text.lines().map(str::trim) {
            if line.starts_with('}') || line.starts_with(']') {
                open.pop();
            }
            if let Some((key, _)) = line.split_once("\" : ") {
                let keys = open.last_mut().unwrap();
                if keys.iter().any(|other| other == key) {
                    twice.push(key.to_string());
                }
                keys.push(key.to_string());
            }
            if line.ends_with('{') || line.ends_with('[') {
                open.push(Vec::new());
            }
        }
        twice
    }

    #[test]
    fn figures_without_a_fio_key_are_in_one_object() {
        let mut job = samples::job();
        let mut extra = Extra { zero_windows: 3, notes: vec!["a \"note\"".to_string()], ..samples::extra() };
        let read = samples::latency(&[1_000, 20_000_000_000]);
        extra.intended = Some(cardiograph_core::PerDirection { read, ..Default::default() });
        job.directions.write.completion.record(18_000_000_000);
        job.extra = Some(extra);
        let text = json(&samples::run(vec![job]), Bins::Yes);
        cardiograph_testing::check_golden!("fio/ours/extra.json", &text);
        let mut value: Value = serde_json::from_str(&text).unwrap();
        let job = value["jobs"][0].as_object_mut().unwrap();
        assert_eq!(job["cardiograph"]["ios_over_17_s"], 1);
        assert_eq!(job["write"]["clat_ns"]["percentile"]["99.000000"], 17_112_760_320_u64);
        assert_eq!(job["cardiograph"]["clat_ns"]["write"]["percentile"]["99.000000"], 18_000_000_000_u64);
        assert_eq!(job.remove("cardiograph").unwrap()["zero_windows"], 3);
        let plain: Value =
            serde_json::from_str(&json(&samples::run(vec![samples::job()]), Bins::Yes)).unwrap();
        let plain = plain["jobs"][0].as_object().unwrap();
        assert!(job.keys().eq(plain.keys()), "nothing else is added");
    }

    #[test]
    fn any_input_gives_valid_json_with_unique_keys() {
        let odd = "\u{1}\"\\\n\t\u{7f}é".to_string();
        let mut job = samples::job();
        job.name.clone_from(&odd);
        job.style.0.description = Some(odd.clone());
        job.options = vec![(odd.clone(), odd.clone()), ("a".into(), "1".into()), ("a".into(), "2".into())];
        job.style.0.percentiles = vec![f64::NAN, f64::INFINITY, 50.0, 50.0, 50.000_000_01, -1.0, 0.0];
        job.directions.read.bandwidth.mean = f64::NAN;
        job.directions.read.iops.squares = -1.0;
        job.latency_target.percentile = f64::NEG_INFINITY;
        job.directions.write.ios = u64::MAX / 4;
        let mut run = samples::run(vec![job]);
        run.global_options = vec![("b".into(), "1".into()), ("b".into(), "2".into())];
        run.disks[0].figures.util_percent = f64::NAN;
        for bins in [Bins::No, Bins::Yes] {
            let text = json(&run, bins);
            let value: Value = serde_json::from_str(&text).unwrap();
            assert_eq!(value["jobs"][0]["desc"], odd);
            assert_eq!(value["jobs"][0]["job options"]["a"], "2");
            assert_eq!(value["jobs"][0]["read"]["bw_mean"], 0.0);
            assert_eq!(keys_that_come_twice(&text), [""; 0]);
            assert_eq!((text.lines().next(), text.lines().last()), (Some("{"), Some("}")));
        }
    }

    #[test]
    fn only_json_plus_has_bins() {
        let run = samples::run(vec![samples::job()]);
        let (short, long) = (json(&run, Bins::No), json(&run, Bins::Yes));
        assert!(!short.contains("\"bins\""));
        let long: Value = serde_json::from_str(&long).unwrap();
        let bins = long["jobs"][0]["read"]["clat_ns"]["bins"].as_object().unwrap();
        assert_eq!(bins.values().filter_map(Value::as_u64).sum::<u64>(), 4);
        assert!(long["jobs"][0]["trim"]["clat_ns"].get("percentile").is_none());
    }

    #[test]
    fn unknown_times_are_fios_placeholder() {
        let mut job = samples::job();
        let eta = |job: &JobEntry| {
            let text = json(&samples::run(vec![job.clone()]), Bins::No);
            serde_json::from_str::<Value>(&text).unwrap()["jobs"][0]["eta"].as_u64()
        };
        assert_eq!(eta(&job), Some(2_147_483_647));
        job.eta_s = Some(12);
        assert_eq!(eta(&job), Some(12));
    }
}
