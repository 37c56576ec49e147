//! The normal output, for people, though scripts read it too.

use std::fmt::Write;

use cardiograph_catalogue::english;
use cardiograph_core::display::Unified;
use cardiograph_core::pause;
use cardiograph_core::text::plain_line;
use cardiograph_core::units;
use cardiograph_core::words::precision::precision;
use cardiograph_core::words::replay::replay;
use cardiograph_core::{Direction, Latency};

use super::distributions::{
    BATCHES, CLASSES_BELOW_MS, CLASSES_MS, DEPTHS, LatencyClasses, batch_shares, depth_shares,
    percentile_values_ns,
};
use super::group::{self, Group, GroupFigures};
use super::numbers::{LatencyUnit, Scale, extreme, finite, scaled_from};
use super::run::{
    DirectionFigures, DiskEntry, DiskFigures, Extra, FioRun, JobEntry, Samples, SteadyState, Style,
};
use super::shown::{WAYS, Way};

/// Width of a line of percentiles, without its indentation.
const PERCENTILES_WIDTH: usize = 80 - 7;
/// Most classes on a line of latencies.
const CLASSES_PER_LINE: usize = 5;

/// `run` as fio's normal output, from the blank line before the first job to the disks.
///
/// Nothing is added to fio's own lines; facts that fio does not report (windows without I/O, I/Os beyond its histogram)
/// follow on their own line, which starts with `  cardiograph  : `. Notes on the run are at the end, each on a line
/// that starts with `cardiograph: note: `.
pub fn normal(run: &FioRun) -> String {
    let mut out = Text(String::from("\n"));
    let groups = run.groups();
    for job in &run.jobs {
        if let Some(group) = group::find(&groups, job.group) {
            out.job(job, group, &run.time_text);
        }
    }
    for group in &groups {
        out.group(group);
    }
    if !run.disks.is_empty() {
        out.line(format_args!("\nDisk stats (read/write):"));
    }
    run.disks.iter().for_each(|disk| out.disk(disk));
    if !run.notes.is_empty() {
        out.line(format_args!(""));
    }
    run.notes.iter().for_each(|note| out.line(format_args!("cardiograph: note: {}", plain_line(note))));
    out.0
}

/// The output under construction.
struct Text(String);

impl Text {
    fn line(&mut self, line: std::fmt::Arguments<'_>) {
        writeln!(self.0, "{line}").expect("a String takes all");
    }

    fn job(&mut self, job: &JobEntry, group: &Group<'_>, time_text: &str) {
        // Like fio, skip jobs that only laid out their files.
        if job.error.is_none() && job.directions.iter().all(|(_, figures)| figures.ios == 0) {
            return;
        }
        let error = match &job.error {
            None => " 0".to_string(),
            Some(error) => format!("{:2} ({})", error.errno, error.text),
        };
        self.line(format_args!(
            "{}: (groupid={}, jobs={}): err={error}: pid={}: {time_text}",
            job.name, job.group, job.jobs, job.pid
        ));
        if let Some(description) = job.description() {
            self.line(format_args!("  Description  : [{description}]"));
        }
        for (way, figures) in job.shown().filter(|(_, figures)| figures.runtime_ms > 0) {
            self.direction(way, figures, group.figures(way), &job.style);
        }
        let classes = LatencyClasses::from_job(job);
        self.latency_classes("nsec", &CLASSES_BELOW_MS, &classes.shares(&classes.ns));
        self.latency_classes("usec", &CLASSES_BELOW_MS, &classes.shares(&classes.us));
        self.latency_classes("msec", &CLASSES_MS, &classes.shares(&classes.ms));
        let syncs = &job.directions.sync.completion;
        if syncs.n() > 0 {
            self.line(format_args!("  fsync/fdatasync/sync_file_range:"));
            self.latency("sync", syncs);
            self.percentiles("sync", syncs, &job.style);
        }
        self.processor_and_depths(job);
        if let Some(steady) = &job.steady_state {
            self.steady_state(steady, &job.style);
        }
        if let Some(extra) = &job.extra {
            self.extra(extra, job);
        }
    }

    fn direction(&mut self, way: Way, figures: &DirectionFigures, group: &GroupFigures, style: &Style) {
        let (bandwidth, other) = bandwidth_pair(figures.bytes_per_s(), style);
        self.line(format_args!(
            "  {}: IOPS={}, BW={bandwidth} ({other})({}/{}msec){}",
            way.name(),
            style.count(figures.iops() as u128),
            style.scaled(figures.bytes, style.is_binary(), "B"),
            figures.runtime_ms,
            if way == Way::One(Direction::Write) { "; 0 zone resets" } else { "" }
        ));
        let kinds = [
            ("slat", &figures.submission, style.slat_percentiles),
            ("clat", &figures.completion, style.clat_percentiles),
            ("lat", &figures.total, style.lat_percentiles),
        ];
        for (name, latency, _) in kinds.iter().filter(|(_, latency, _)| latency.n() > 0) {
            self.latency(name, latency);
        }
        for (name, latency, _) in kinds.iter().filter(|(_, latency, shown)| *shown && latency.n() > 0) {
            self.percentiles(name, latency, style);
        }
        if figures.bandwidth.n > 0 {
            self.bandwidth_samples(&figures.bandwidth, group.percent(&figures.bandwidth), style);
        }
        if figures.iops.n > 0 {
            let Samples { n, min, max, mean, .. } = figures.iops;
            let stdev = figures.iops.stdev();
            self.line(format_args!(
                "   iops        : min={min:5}, max={max:5}, avg={mean:5.2}, stdev={stdev:5.2}, samples={n}"
            ));
        }
    }

    fn bandwidth_samples(&mut self, samples: &Samples, percent: f64, style: &Style) {
        let base = style.kb_base.max(1);
        let squared = (base * base) as f64;
        // With kb_base=1000 fio calls 1,000 kB a MiB; number and label here agree with fio's.
        let (divisor, label) = match samples.mean > squared {
            true => (base, "MiB"),
            false if style.is_binary() => (1, "KiB"),
            false => (1, "kB"),
        };
        self.line(format_args!(
            "   bw ({label:>5}/s): min={:5}, max={:5}, per={percent:3.2}%, avg={:5.2}, stdev={:5.2}, samples={}",
            samples.min / divisor,
            samples.max / divisor,
            samples.mean / divisor as f64,
            samples.stdev() / divisor as f64,
            samples.n
        ));
    }

    fn latency(&mut self, name: &str, latency: &Latency) {
        let (min, max) = (latency.min_ns(), latency.max_ns());
        let unit = LatencyUnit::for_line(min, max, latency.stdev_ns());
        self.line(format_args!(
            "    {name:>4} ({}): min={}, max={}, avg={:5.2}, stdev={:5.2}",
            unit.label,
            extreme(min / unit.ns),
            extreme(max / unit.ns),
            latency.mean_ns() / unit.ns as f64,
            latency.stdev_ns() / unit.ns as f64
        ));
    }

    fn percentiles(&mut self, name: &str, latency: &Latency, style: &Style) {
        let percentiles = style.sorted_percentiles();
        let values = percentile_values_ns(latency, &percentiles);
        let (Some(&min), Some(&max)) = (values.first(), values.last()) else { return };
        let unit = LatencyUnit::for_range(min, max);
        let decimals = style.percentile_decimals();
        let label_width = decimals + 3;
        let value_width = (max / unit.ns).to_string().len().max(5);
        let per_line = (PERCENTILES_WIDTH / (decimals + 10 + value_width)).max(1);
        self.line(format_args!("    {name} percentiles ({}):", unit.label));
        let entries: Vec<String> = percentiles
            .iter()
            .zip(values)
            .map(|(percentile, ns)| {
                let value = ns.div_ceil(unit.ns);
                format!("{percentile:label_width$.decimals$}th=[{value:value_width$}]")
            })
            .collect();
        let lines: Vec<String> = entries.chunks(per_line).map(|line| line.join(", ")).collect();
        self.line(format_args!("     | {}", lines.join(",\n     | ")));
    }

    fn latency_classes(&mut self, unit: &str, labels: &[&str], shares: &[f64]) {
        let shown: Vec<String> = labels
            .iter()
            .zip(shares)
            .filter(|&(_, &share)| share > 0.0)
            .map(|(label, share)| format!("{label}={share:3.2}%"))
            .collect();
        for line in shown.chunks(CLASSES_PER_LINE) {
            self.line(format_args!("  lat ({unit})   : {}", line.join(", ")));
        }
    }

    fn processor_and_depths(&mut self, job: &JobEntry) {
        let cpu = &job.cpu;
        self.line(format_args!(
            "  cpu          : usr={:3.2}%, sys={:3.2}%, ctx={}, majf={}, minf={}",
            cpu.user_percent(),
            cpu.system_percent(),
            cpu.context_switches,
            cpu.major_faults,
            cpu.minor_faults
        ));
        let classes = |labels: [&str; 7], shares: [f64; 7]| {
            let shown: Vec<String> =
                labels.iter().zip(shares).map(|(label, share)| format!("{label}={share:3.1}%")).collect();
            shown.join(", ")
        };
        self.line(format_args!("  IO depths    : {}", classes(DEPTHS, depth_shares(job))));
        self.line(format_args!("     submit    : {}", classes(BATCHES, batch_shares(&job.depths.submitted))));
        self.line(format_args!("     complete  : {}", classes(BATCHES, batch_shares(&job.depths.completed))));
        let counts = |count: fn(&DirectionFigures) -> u64| {
            let of = |direction| count(&job.directions[direction]);
            let [read, write, trim, sync] = Direction::ALL.map(of);
            match job.style.unified {
                // As in fio, the sum takes the place of reads.
                Unified::Mixed => format!("{},0,0,{sync}", read + write + trim),
                _ => format!("{read},{write},{trim},{sync}"),
            }
        };
        self.line(format_args!(
            "     issued rwts: total={} short={} dropped={}",
            counts(|figures| figures.ios),
            counts(|figures| figures.short_ios),
            counts(|figures| figures.dropped_ios)
        ));
        if let Some(tally) = &job.tolerated_errors {
            self.line(format_args!(
                "     errors    : total={}, first_error={}/<{}>",
                tally.total, tally.first_errno, tally.first_text
            ));
        }
        let target = &job.latency_target;
        if target.depth > 0 {
            self.line(format_args!(
                "     latency   : target={}, window={}, percentile={:.2}%, depth={}",
                target.target_ns,
                target.window_us,
                finite(target.percentile),
                target.depth
            ));
        }
    }

    fn steady_state(&mut self, steady: &SteadyState, style: &Style) {
        // fio scales KiB/s by 1,000 in the second figure of this line; kept as in fio.
        let kilobytes = u128::from(steady.bandwidth_mean_bytes_per_s() / style.kb_base.max(1));
        let (factor, unit) = style.bandwidth_unit();
        let [bandwidth, other] = [style.is_binary(), !style.is_binary()].map(|binary| {
            let scale = Scale { significant_figures: style.significant_figures, binary, unit };
            scaled_from(kilobytes * factor, 1, scale)
        });
        let latency =
            steady.latency_mean_ns().map_or(String::new(), |ns| format!(", lat={:.2}usec", ns / 1_000.0));
        self.line(format_args!(
            "  steadystate  : attained={}, bw={bandwidth} ({other}), iops={}{latency}, {} {}={:3.3}{}",
            if steady.outcome.attained { "yes" } else { "no" },
            style.count(steady.iops_mean()),
            steady.metric(),
            if steady.wanted.by_slope { "slope" } else { "mean dev" },
            finite(steady.outcome.criterion),
            if steady.wanted.limit_is_percent { "%" } else { "" }
        ));
    }

    fn extra(&mut self, extra: &Extra, job: &JobEntry) {
        let ios_over_17_s = job.ios_over_17_s();
        let mut remarks = Vec::new();
        if let Some(recorded) = &extra.recorded {
            let here = job.directions.map(|figures| match figures.total.n() {
                0 => figures.completion.clone(),
                _ => figures.total.clone(),
            });
            remarks.extend(replay(recorded, extra.replayed_ns, &here).iter().map(english));
        }
        remarks.extend(
            extra.precision.as_ref().map(|outcome| format!("precision {}", english(&precision(outcome)))),
        );
        remarks.extend(pause::message(&extra.pauses).map(|paused| english(&paused)));
        if extra.zero_windows > 0 {
            remarks.push(format!(
                "windows of {} ms without I/O: {}, longest stall: {}",
                extra.window_ms,
                units::count(extra.zero_windows),
                units::duration(extra.longest_stall_ns)
            ));
        }
        if ios_over_17_s > 0 {
            let shown = units::count(ios_over_17_s);
            remarks.push(format!("I/Os over 17.1 s: {shown}, in percentiles as 17.1 s"));
        }
        if !remarks.is_empty() {
            self.line(format_args!("  cardiograph  : {}", remarks.join("; ")));
        }
    }

    fn group(&mut self, group: &Group<'_>) {
        self.line(format_args!("\nRun status group {} (all jobs):", group.id));
        for way in WAYS {
            let figures = group.figures(way);
            if figures.runtime_ms_max == 0 {
                continue;
            }
            let pair = |bytes_per_s| bandwidth_pair(bytes_per_s, group.style);
            let (all, other_all) = pair(figures.bytes_per_s());
            let (min, other_min) = pair(figures.bytes_per_s_min);
            let (max, other_max) = pair(figures.bytes_per_s_max);
            let io = |binary| group.style.scaled(figures.bytes, binary, "B");
            self.line(format_args!(
                "{:>7}: bw={all} ({other_all}), {min}-{max} ({other_min}-{other_max}), io={} ({}), run={}-{}msec",
                way.name().to_uppercase(),
                io(group.style.is_binary()),
                io(!group.style.is_binary()),
                figures.runtime_ms_min,
                figures.runtime_ms_max
            ));
        }
    }

    /// Omits fio's line on its unit of work, which does not apply here.
    fn disk(&mut self, disk: &DiskEntry) {
        let aggregate = disk.aggregate();
        let indent = if aggregate.is_some() { "    " } else { "  " };
        let more = aggregate.map_or(String::new(), |aggregate| format!(", {}", counters(&aggregate, "aggr")));
        self.line(format_args!("{indent}{}: {}{more}", disk.name, counters(&disk.figures, "")));
    }
}

/// Counters of a disk, with `prefix` before each name. For sectors, fio writes `agg` instead of `aggr`.
fn counters(disk: &DiskFigures, prefix: &str) -> String {
    format!(
        "{prefix}ios={}/{}, {}sectors={}/{}, {prefix}merge={}/{}, {prefix}ticks={}/{}, {prefix}in_queue={}, \
         {prefix}util={:3.2}%",
        disk.read_ios,
        disk.write_ios,
        prefix.trim_end_matches('r'),
        disk.read_sectors,
        disk.write_sectors,
        disk.read_merges,
        disk.write_merges,
        disk.read_ms,
        disk.write_ms,
        disk.queue_ms,
        finite(disk.util_percent)
    )
}

/// A bandwidth with the prefixes that `kb_base` puts first, and with the others.
fn bandwidth_pair(bytes_per_s: u64, style: &Style) -> (String, String) {
    let shown = |binary| style.bandwidth(bytes_per_s, binary);
    (shown(style.is_binary()), shown(!style.is_binary()))
}

#[cfg(test)]
mod tests {
    use cardiograph_core::display::JobDisplay;

    use super::*;
    use crate::output::run::JobError;
    use crate::output::samples;
    #[test]
    fn rare_lines_are_written() {
        let mut failed = JobEntry { name: "failed".to_string(), group: 1, ..samples::job() };
        failed.error =
            Some(JobError { errno: 5, text: "read at 4096, error=Input/output error".to_string() });
        failed.directions = Default::default();
        failed.style.0.description = Some("a card that stalls".to_string());
        let mut stalled = JobEntry { jobs: 2, ..samples::job() };
        stalled.directions.trim = stalled.directions.write.clone();
        stalled.directions.read.completion.record(20_000_000_000);
        stalled.directions.read.total = stalled.directions.read.completion.clone();
        stalled.extra =
            Some(Extra { zero_windows: 1_003, longest_stall_ns: 19_700_000_000, ..samples::extra() });
        let mut run = samples::run(vec![stalled, failed]);
        let member = DiskFigures { read_ios: 9, util_percent: 12.5, ..DiskFigures::default() };
        run.disks
            .insert(0, DiskEntry { name: "md0".to_string(), figures: member, members: vec![member, member] });
        cardiograph_testing::check_golden!("fio/ours/rare.normal", &normal(&run));
    }

    #[test]
    fn member_disks_are_indented() {
        // Printed by fio for a device mapper device on one disk.
        let expected = "    dm-1: ios=3/50255, sectors=24/430144, merge=0/0, ticks=0/94740, in_queue=94740, \
                        util=97.46%, aggrios=3/33377, aggsectors=24/430816, aggrmerge=0/17008, \
                        aggrticks=1/63005, aggrin_queue=81082, aggrutil=97.32%\n";
        let figures = DiskFigures {
            read_ios: 3,
            write_ios: 50_255,
            read_sectors: 24,
            write_sectors: 430_144,
            write_ms: 94_740,
            queue_ms: 94_740,
            util_percent: 97.46,
            ..DiskFigures::default()
        };
        let member = DiskFigures {
            write_ios: 33_377,
            write_sectors: 430_816,
            write_merges: 17_008,
            read_ms: 1,
            write_ms: 63_005,
            queue_ms: 81_082,
            util_percent: 97.32,
            ..figures
        };
        let mut text = Text(String::new());
        text.disk(&DiskEntry { name: "dm-1".to_string(), figures, members: vec![member] });
        assert_eq!(text.0, expected);
    }

    #[test]
    fn jobs_without_io_are_left_out_unless_they_failed() {
        let idle = JobEntry { directions: Default::default(), ..samples::job() };
        let mut failed = idle.clone();
        failed.error = Some(JobError { errno: 5, text: "read at 0".to_string() });
        let text = |job: JobEntry| normal(&samples::run(vec![job]));
        assert!(!text(idle).contains("groupid="));
        assert!(text(failed).contains("err= 5 (read at 0)"));
    }

    #[test]
    fn nothing_is_added_without_remarks() {
        let plain = samples::run(vec![samples::job()]);
        let mut with_extra = plain.clone();
        with_extra.jobs[0].extra = Some(samples::extra());
        assert_eq!(normal(&plain), normal(&with_extra));
        assert!(normal(&plain).starts_with("\njob: (groupid=0, jobs=1): err= 0: pid=7: "));
        assert_eq!(normal(&samples::run(Vec::new())).lines().nth(1), Some(""));
    }

    #[test]
    fn long_labels_and_values_make_rows_shorter() {
        let mut text = Text(String::new());
        let style = Style(JobDisplay { percentiles: vec![50.0, 99.123_456_789], ..JobDisplay::default() });
        text.percentiles("clat", &samples::latency(&[1, 2, 300_000_000]), &style);
        let expected = "    clat percentiles (nsec):\n     | 50.000000000th=[        2], \
                        99.123456789th=[299892736]\n";
        assert_eq!(text.0, expected);
        let style = Style(JobDisplay { percentiles: vec![50.0, 100.0], ..JobDisplay::default() });
        text.0.clear();
        text.percentiles("lat", &samples::latency(&[3]), &style);
        assert_eq!(text.0, "    lat percentiles (nsec):\n     |  50th=[    3], 100th=[    3]\n");
        text.0.clear();
        text.percentiles(
            "lat",
            &samples::latency(&[3]),
            &Style(JobDisplay { percentiles: Vec::new(), ..style.0 }),
        );
        assert_eq!(text.0, "");
    }
}
