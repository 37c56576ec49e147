//! Reproduces eight runs of fio 3.39 on a Raspberry Pi 5 from their figures.
//!
//! The texts were published (Qiita, "Raspberry Pi: microSD vs SSD", November 2025): four experiments, each on a microSD
//! card and on a SATA SSD. The basic figures are taken from each text: number, size and time of I/Os, extremes, mean
//! and deviation of latencies, percentiles, samples, counters. Latencies are placed according to percentiles and
//! classes. Everything else must match the print, character by character.

use std::fs;
use std::path::Path;

use cardiograph_core::display::JobDisplay;
use cardiograph_core::histogram::{LatencyHistogram, LatencyParts, bucket_middle_ns, bucket_of};
use cardiograph_core::result::DepthCounts;
use cardiograph_core::{Direction, Latency, PerDirection};

use super::distributions::{CLASSES_BELOW_MS, CLASSES_MS, LatencyClasses};
use super::eta::{EtaLine, Progress};
use super::headline::{Announcement, DEPTH_CAPPED_NOTE, laying_out, starting};
use super::normal::normal;
use super::run::{
    CpuFigures, DirectionFigures, DiskEntry, DiskFigures, FioRun, JobEntry, LatencyTarget, Samples, Style,
};
use super::samples;

/// A printed text.
struct Printed<'a> {
    lines: Vec<&'a str>,
}

impl<'a> Printed<'a> {
    /// The line that contains `word`.
    fn line(&self, word: &str) -> &'a str {
        self.lines.iter().find(|line| line.contains(word)).unwrap_or_else(|| panic!("no line with {word}"))
    }

    /// The lines about a direction or about syncs.
    fn section(&self, head: &str) -> Option<Printed<'a>> {
        let start = self.lines.iter().position(|line| line.starts_with(head))?;
        let rest = &self.lines[start + 1..];
        // Lines of a section are indented more than its head, or aligned with the samples.
        let len = rest.iter().position(|line| !line.starts_with("   ")).unwrap_or(rest.len());
        Some(Printed { lines: self.lines[start..=start + len].to_vec() })
    }

    fn option(&self, name: &str) -> Option<&'a str> {
        let key = format!("--{name}=");
        self.lines[0].split_whitespace().find_map(|word| word.strip_prefix(key.as_str()))
    }

    fn block_len_bytes(&self) -> u64 {
        match self.option("bs") {
            Some("1M") => 1 << 20,
            Some("4k") => 4_096,
            other => panic!("unknown block size {other:?}"),
        }
    }
}

/// The number after `key` in `line`.
fn after(line: &str, key: &str) -> f64 {
    let (_, rest) = line.split_once(key).unwrap_or_else(|| panic!("no {key} in {line}"));
    let rest = rest.trim_start();
    let len = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
    rest[..len].parse().unwrap_or_else(|_| panic!("no number after {key} in {line}"))
}

/// Numbers after `key`, separated by other text.
fn all_after(line: &str, key: &str) -> Vec<u64> {
    let (_, rest) = line.split_once(key).unwrap();
    let len = rest.find(|c: char| !c.is_ascii_digit() && c != ',' && c != '/').unwrap_or(rest.len());
    rest[..len].split([',', '/']).filter_map(|number| number.parse().ok()).collect()
}

/// Nanoseconds in the unit in parentheses.
fn unit_ns(line: &str) -> u64 {
    match () {
        () if line.contains("(nsec)") => 1,
        () if line.contains("(usec)") => 1_000,
        () if line.contains("(msec)") => 1_000_000,
        () => panic!("no unit in {line}"),
    }
}

/// The class of a latency among the 32 that begin at `starts`, in nanoseconds.
fn class(ns: u64, starts: &[u64]) -> usize {
    starts.partition_point(|&start| start <= ns) - 1
}

fn class_starts() -> Vec<u64> {
    let ends = |unit: u64| CLASSES_BELOW_MS.iter().map(move |end| end.parse::<u64>().unwrap() * unit);
    let mut starts = vec![0];
    starts.extend(ends(1).chain(ends(1_000)));
    starts.extend(CLASSES_MS.iter().filter_map(|end| end.parse::<u64>().ok()).map(|end| end * 1_000_000));
    starts
}

/// The number of I/Os in each class, from the printed shares.
fn class_counts(printed: &Printed<'_>, ios: u64) -> Vec<u64> {
    let mut shares = vec![0.0_f64; 32];
    for line in printed.lines.iter().filter(|line| line.starts_with("  lat (")) {
        let (first, labels): (usize, &[&str]) = match unit_ns(line) {
            1 => (0, &CLASSES_BELOW_MS),
            1_000 => (10, &CLASSES_BELOW_MS),
            _ => (20, &CLASSES_MS),
        };
        for share in line.split_once(": ").unwrap().1.split(", ") {
            let (label, share) = share.split_once('=').unwrap();
            let at = first + labels.iter().position(|other| *other == label).unwrap();
            shares[at] = share.trim_end_matches('%').parse().unwrap();
        }
    }
    let largest = (0..32).max_by(|&a, &b| shares[a].total_cmp(&shares[b])).unwrap();
    // The smallest printed share stands for any count from 1 up; the rest must fit the largest class.
    let counts = |least: u64| -> Option<Vec<u64>> {
        let count = |&share: &f64| match share {
            0.01 => least,
            share => (share * ios as f64 / 100.0).round() as u64,
        };
        let mut counts: Vec<u64> = shares.iter().map(count).collect();
        counts[largest] = ios - (counts.iter().sum::<u64>() - counts[largest]);
        let shown = format!("{:.2}", counts[largest] as f64 * 100.0 / ios as f64);
        (shown == format!("{:.2}", shares[largest])).then_some(counts)
    };
    (1..=1 + ios * 15 / 100_000).find_map(counts).expect("the shares add up")
}

/// Printed percentiles: rank and the middle of a bucket printed this way.
fn percentiles(section: &Printed<'_>, kind: &str, n: u64) -> Vec<(u64, u64)> {
    let head = format!("    {kind} percentiles (");
    let Some(start) = section.lines.iter().position(|line| line.starts_with(&head)) else {
        return Vec::new();
    };
    let unit = unit_ns(section.lines[start]);
    let table = section.lines[start + 1..].iter().take_while(|line| line.starts_with("     |"));
    let mut found = Vec::new();
    for entry in table.flat_map(|line| line.trim_start_matches("     |").split("],")) {
        let Some((percentile, value)) = entry.split_once("th=[") else { continue };
        let percentile: f64 = percentile.trim().parse().unwrap();
        let value: u64 = value.trim_matches([' ', ']']).parse().unwrap();
        let near = bucket_of(value * unit - unit / 2);
        let bucket = (near - 2..=near + 2).find(|&bucket| bucket_middle_ns(bucket).div_ceil(unit) == value);
        let bucket = bucket.unwrap_or_else(|| panic!("{value} is no middle of a bucket"));
        found.push((((percentile / 100.0 * n as f64).ceil() as u64).max(1), bucket_middle_ns(bucket)));
    }
    found
}

/// A latency from its extremes, percentiles and, if given, class counts.
fn latency(section: &Printed<'_>, kind: &str, n: u64, classes: Option<&[u64]>) -> Latency {
    let line = section.line(&format!("{kind:>4} ("));
    let unit = unit_ns(line);
    let [min, max, mean, deviation] =
        ["min=", "max=", "avg=", "stdev="].map(|key| after(line, key) * unit as f64);
    let starts = class_starts();
    let ranks = percentiles(section, kind, n);
    let class_ends: Vec<u64> = classes
        .unwrap_or(&[])
        .iter()
        .scan(0, |sum, count| {
            *sum += count;
            Some(*sum)
        })
        .collect();
    let mut ends: Vec<u64> = ranks.iter().map(|&(rank, _)| rank).chain(class_ends.iter().copied()).collect();
    ends.push(n);
    ends.sort_unstable();
    ends.dedup();
    let mut histogram = LatencyHistogram::default();
    let (mut last, mut last_ns) = (0, 0);
    for end in ends.into_iter().filter(|&end| end > 0) {
        let known = ranks.iter().find(|&&(rank, _)| rank >= end).map_or(max as u64, |&(_, ns)| ns);
        let wanted = class_ends.iter().position(|&class_end| class_end >= end);
        // If the next percentile is in a later class, the values may be anywhere in the rest of this one.
        let ns = match wanted {
            Some(wanted) if class(known, &starts) != wanted => {
                starts[wanted].max(last_ns).midpoint(starts[wanted + 1])
            }
            _ => known,
        };
        histogram.add(bucket_of(ns), end - last);
        (last, last_ns) = (end, ns);
    }
    let sum = mean * n as f64;
    let squares = deviation * deviation * (n - 1) as f64 + sum * sum / n as f64;
    let parts = LatencyParts {
        min_ns: min as u64,
        max_ns: max as u64,
        sum_ns: sum as u128,
        sum_squares_ns2: squares as u128,
    };
    Latency::from_parts(histogram, parts)
}

fn samples_of(line: &str) -> Samples {
    let n = after(line, "samples=") as u64;
    let deviation = after(line, "stdev=");
    Samples {
        n,
        min: after(line, "min=") as u64,
        max: after(line, "max=") as u64,
        mean: after(line, "avg="),
        squares: deviation * deviation * (n - 1) as f64,
    }
}

fn directions(printed: &Printed<'_>) -> PerDirection<DirectionFigures> {
    let totals = all_after(printed.line("issued rwts"), "total=");
    let mut classes = class_counts(printed, totals[..3].iter().sum());
    let mut found = PerDirection::<DirectionFigures>::default();
    let used: Vec<(Direction, Printed<'_>)> = [(Direction::Read, "  read:"), (Direction::Write, "  write:")]
        .into_iter()
        .filter_map(|(direction, head)| Some((direction, printed.section(head)?)))
        .collect();
    for (index, (direction, section)) in used.iter().enumerate() {
        let ios = totals[direction.index()];
        let is_last = index + 1 == used.len();
        // Classes cover all directions: the last direction gets what the others leave.
        let completion = latency(section, "clat", ios, is_last.then_some(classes.as_slice()));
        let mut job = samples::job();
        job.directions = PerDirection::default();
        job.directions.read.completion = completion.clone();
        let taken = LatencyClasses::from_job(&job);
        let taken = taken.ns.iter().chain(&taken.us).chain(&taken.ms);
        classes.iter_mut().zip(taken).for_each(|(left, taken)| *left = left.saturating_sub(*taken));
        found[*direction] = DirectionFigures {
            ios,
            bytes: ios * printed.block_len_bytes(),
            runtime_ms: after(section.lines[0].rsplit_once('/').unwrap().1, "") as u64,
            completion,
            total: latency(section, "lat", ios, None),
            bandwidth: samples_of(section.line("   bw (")),
            iops: samples_of(section.line("   iops  ")),
            ..DirectionFigures::default()
        };
    }
    if let Some(syncs) = printed.section("  fsync/") {
        found.sync.ios = totals[3];
        found.sync.completion = latency(&syncs, "sync", totals[3], None);
    }
    found
}

fn cpu(printed: &Printed<'_>, runtime_ms: u64) -> CpuFigures {
    let line = printed.line("  cpu  ");
    let [user, system] = ["usr=", "sys="].map(|key| after(line, key));
    let figures = |run_ms: u64| CpuFigures {
        run_ms,
        user_ms: (user * run_ms as f64 / 100.0).round() as u64,
        system_ms: (system * run_ms as f64 / 100.0).round() as u64,
        context_switches: after(line, "ctx=") as u64,
        major_faults: after(line, "majf=") as u64,
        minor_faults: after(line, "minf=") as u64,
    };
    // The job's time is truncated to milliseconds, the direction's is rounded up.
    let fits = |cpu: &CpuFigures| {
        format!("{:.2} {:.2}", cpu.user_percent(), cpu.system_percent()) == format!("{user:.2} {system:.2}")
    };
    [runtime_ms - 1, runtime_ms].map(figures).into_iter().find(fits).expect("processor time fits")
}

fn disk(line: &str) -> DiskEntry {
    let two = |key| {
        let both = all_after(line, key);
        (both[0], both[1])
    };
    let ((read_ios, write_ios), (read_sectors, write_sectors)) = (two(" ios="), two("sectors="));
    let ((read_merges, write_merges), (read_ms, write_ms)) = (two("merge="), two("ticks="));
    let figures = DiskFigures {
        read_ios,
        write_ios,
        read_sectors,
        write_sectors,
        read_merges,
        write_merges,
        read_ms,
        write_ms,
        queue_ms: after(line, "in_queue=") as u64,
        util_percent: after(line, "util="),
    };
    DiskEntry { name: line.trim().split(':').next().unwrap().to_string(), figures, members: Vec::new() }
}

fn style(printed: &Printed<'_>) -> Style {
    let lat_percentiles = printed.option("lat_percentiles") == Some("1");
    let mut display = JobDisplay { lat_percentiles, ..JobDisplay::default() };
    if printed.option("percentile_list").is_some() {
        display.percentiles = vec![95.0, 99.0, 99.9];
    }
    Style(display)
}

fn run(printed: &Printed<'_>) -> FioRun {
    let header = printed.line(": (groupid=");
    let directions = directions(printed);
    let runtime_ms = directions.read.runtime_ms.max(directions.write.runtime_ms);
    let data_ios = directions.read.ios + directions.write.ios;
    let (_, time_text) = header.rsplit_once(": ").unwrap();
    let depths = DepthCounts {
        in_flight: [
            (after(printed.line("IO depths"), " 1=") * data_ios as f64 / 100.0) as u64,
            0,
            0,
            0,
            0,
            0,
            0,
        ],
        submitted: [0, data_ios, 0, 0, 0, 0, 0],
        completed: [0, data_ios, 0, 0, 0, 0, 0],
    };
    let depth = after(printed.line("     latency   "), "depth=") as u32;
    let job = JobEntry {
        name: printed.option("name").unwrap().to_string(),
        pid: after(header, ": pid=") as u32,
        cpu: cpu(printed, runtime_ms),
        depths,
        directions,
        latency_target: LatencyTarget { depth, ..LatencyTarget::default() },
        style: style(printed),
        ..samples::job()
    };
    FioRun {
        time_text: time_text.to_string(),
        disks: vec![disk(printed.lines.last().unwrap())],
        ..samples::run(vec![job])
    }
}

/// The lines before the results, in fio's order.
fn head(printed: &Printed<'_>, style: &Style) -> String {
    let len_bytes = match printed.option("size") {
        Some("200M") => 200 << 20,
        Some("256M") => 256 << 20,
        Some("1G") => 1 << 30,
        Some("3G") => 3 << 30,
        other => panic!("unknown size {other:?}"),
    };
    let name = printed.option("name").unwrap();
    let block_len_bytes = printed.block_len_bytes();
    let announcement = Announcement {
        name: name.to_string(),
        group: 0,
        rw: printed.option("rw").unwrap().replace("readwrite", "rw"),
        block_len_bytes: [(block_len_bytes, block_len_bytes); 3],
        engine: "psync".to_string(),
        depth: printed.option("iodepth").map_or(1, |depth| depth.parse().unwrap()),
        clones: 1,
    };
    let mut text =
        announcement.text(style) + "fio-3.39\n" + &starting(0, 1) + &laying_out(name, 1, len_bytes);
    if announcement.depth > 1 {
        text += &format!("{DEPTH_CAPPED_NOTE}\n");
    }
    text
}

/// The last progress line; empty if the run was too short.
fn progress(printed: &Printed<'_>, style: &Style) -> String {
    let Some(line) = printed.lines.iter().find(|line| line.starts_with("Jobs: ")) else {
        return String::new();
    };
    let (_, states) = line.split_once(": [").unwrap();
    let iops = |key: &str| {
        let (_, shown) = line.split_once("/s][").unwrap();
        if shown.contains(key) { after(shown, key) as u64 } else { 0 }
    };
    let iops = PerDirection { read: iops("r="), write: iops("w="), ..Default::default() };
    let progress = Progress {
        states: states[..1].to_string(),
        done_percent: Some(100.0),
        bytes_per_s: iops.map(|ios| ios * printed.block_len_bytes()),
        iops,
        eta_s: Some(0),
    };
    EtaLine { running: 1, open_files: 1, limit: None, progress: Some(progress) }.text(style)
}

#[test]
fn published_runs_are_reproduced_character_by_character() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/fio/raspberry-pi-5");
    for (experiment, drive) in
        ["sdtest", "latp", "fsync", "sustain"].iter().flat_map(|name| [(name, "card"), (name, "ssd")])
    {
        let name = format!("{experiment}-{drive}.txt");
        let text = fs::read_to_string(directory.join(&name)).unwrap();
        let printed = Printed { lines: text.lines().collect() };
        let run = run(&printed);
        let style = &run.jobs[0].style;
        // A terminal shows the blank line before the results at the end of the progress line.
        let progress = progress(&printed, style);
        let ours = format!("{}\n{}{progress}{}", printed.lines[0], head(&printed, style), normal(&run));
        for (our, fio) in ours.lines().zip(text.lines()) {
            assert_eq!(our, fio, "{name}");
        }
        assert_eq!(ours, text, "{name}");
    }
}
