//! fio's terse output, of versions 2 to 5: a line of fields for each job or group.
//!
//! The line lacks the method, which is known only if the text has a command line or a job file.

use cardiograph_core::{Message, message};
use std::collections::BTreeMap;
use std::rc::Rc;

use cardiograph_core::direction::{Direction, PerDirection};
use cardiograph_core::imported::Imported;
use cardiograph_core::quantity::{LatencyKind, Quantity, Statistic};
use cardiograph_core::text::shown;
use cardiograph_core::{JobSpec, KIB, NS_PER_MS};
use cardiograph_jobs::settings::Settings as _;

use super::super::lines::find_line;
use super::super::{
    ImportProblem, ImportProblems, ImportedTest, Importer, Named, Problems, Reading, Subject, Tests,
};
use super::commands::{Command, add_jobs, find_job_file};
use super::method::{Known, title};
use super::stream::{Done, Snapshot, series};
use super::units::{number, whole};
use super::{Figures, Summary, device, outcome, remove_sum};

pub(in super::super) const IMPORTER: Importer = Importer {
    name: "fio-terse",
    title: &message!("import-format.fio-terse"),
    origin: "fio/3.33-versions.terse",
    recognise: |text, _| find_line(text, |line| version(line).is_some() && line.matches(';').count() > 40),
    reading: Reading::Whole(read),
};

/// Fields of a direction; version 5 adds window counts and window IOPS.
const DIRECTION_FIELDS: usize = 41;
const DIRECTION_FIELDS_5: usize = 47;
/// Fields after the directions: CPU, depths, latency shares.
const TAIL_FIELDS: usize = 34;
/// Fields of a disk.
const DISK_FIELDS: usize = 9;
/// Range of the percentiles among a direction's fields.
const PERCENTILES: std::ops::Range<usize> = 12..32;
/// Longest line in bytes: the figures of a job and some disks.
const LINE_LEN_MAX: usize = 64 << 10;
/// Minimum number of a job's lines in a stream.
const STREAM_LINES_MIN: usize = 3;
const NS_PER_US: f64 = 1e3;

/// The version of a line; `None` for other text.
fn version(line: &str) -> Option<u8> {
    let (version, rest) = line.trim_start().split_once(';')?;
    let version: u8 = version.parse().ok().filter(|version| (2..=5).contains(version))?;
    (version == 2 || rest.starts_with("fio-")).then_some(version)
}

fn read(text: &str, _: &Named) -> Result<Vec<ImportedTest>, ImportProblems> {
    let lines: Vec<&str> = text.lines().collect();
    let mut problems = Problems::default();
    let (mut command, mut specs) = (None, Vec::new());
    let mut records: Vec<Line<'_>> = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let line_number = at as u64 + 1;
        if version(lines[at]).is_some() {
            let text = lines[at].trim();
            records.extend(problems.take(Record::parse(text, line_number)).map(|record| Line {
                text,
                number: line_number,
                name: record.name,
                group: record.group,
                snapshot: record.snapshot,
                command: command.clone(),
                specs: specs.len(),
            }));
        } else if let Some(found) = Command::parse(&lines[at..]) {
            at += found.lines;
            command = Some(Rc::new(found));
            continue;
        } else if let Some((text, used)) = find_job_file(&lines[at..]) {
            add_jobs(&mut specs, &text);
            at += used;
            continue;
        }
        at += 1;
    }
    let mut tests = Tests::default();
    for run in runs(&records) {
        let last = &records[run[run.len() - 1]];
        let snapshots: Vec<Snapshot> = run.iter().map(|&at| records[at].snapshot).collect();
        let record = problems.take(Record::parse(last.text, last.number));
        tests.extend(record.map(|record| test(&record, &last.context(&specs), &snapshots)));
    }
    problems.result(tests.0)
}

/// A compact line: a stream has many, and only its last one becomes a test.
#[derive(Debug, Clone)]
struct Line<'t> {
    text: &'t str,
    number: u64,
    name: String,
    group: u64,
    snapshot: Snapshot,
    command: Option<Rc<Command>>,
    /// Number of jobs from job files before it.
    specs: usize,
}

impl Line<'_> {
    fn context<'s>(&self, specs: &'s [JobSpec]) -> Context<'s> {
        Context { command: self.command.clone(), specs: &specs[..self.specs] }
    }
}

/// Facts from the text around the lines.
#[derive(Debug)]
struct Context<'s> {
    command: Option<Rc<Command>>,
    specs: &'s [JobSpec],
}

impl Context<'_> {
    fn known(&self, name: &str) -> Known {
        let commanded = self.command.iter().flat_map(|command| &command.jobs);
        Known::new(name, commanded.chain(self.specs), &[])
    }
}

/// A parsed line.
#[derive(Debug, Clone)]
struct Record {
    line: u64,
    name: String,
    group: u64,
    error: i64,
    fio_version: Option<String>,
    figures: Figures,
    snapshot: Snapshot,
    others: BTreeMap<String, String>,
    device: Option<String>,
}

impl Record {
    fn parse(line: &str, number: u64) -> Result<Self, ImportProblem> {
        if line.len() > LINE_LEN_MAX {
            return Err(ImportProblem::at_line(number, message!("import-fio.line-too-long")));
        }
        let fields: Vec<&str> = line.split(';').collect();
        let version = version(line).unwrap_or_default();
        let head = if version == 2 { 4 } else { 5 };
        let each = if version == 5 { DIRECTION_FIELDS_5 } else { DIRECTION_FIELDS };
        let directions = directions(&fields, head, each).ok_or_else(|| {
            let least = head + 2 * each + TAIL_FIELDS;
            let message = message!(
                "import-fio.too-few-fields",
                version = u32::from(version),
                least,
                count = fields.len()
            );
            ImportProblem::at_line(number, message)
        })?;
        let at = |message: Message| ImportProblem::at_line(number, message);
        let field = |message: Message, place: usize| {
            at(message!("import-at.field", field = place + 1, problem = message))
        };
        let mut record = Self {
            line: number,
            name: fields[head - 3].to_string(),
            group: whole(fields[head - 2]).map_err(|message| field(message, head - 2))?,
            error: fields[head - 1].parse().map_err(|_| {
                field(message!("import-value.not-an-error-number", text = shown(fields[head - 1])), head - 1)
            })?,
            fio_version: (version > 2).then(|| fields[1].trim_start_matches("fio-").to_string()),
            figures: Figures::default(),
            snapshot: Snapshot::default(),
            others: BTreeMap::new(),
            device: None,
        };
        for (place, &direction) in line_directions(version, directions).iter().enumerate() {
            let first = head + place * each;
            record
                .direction(direction, &fields[first..first + each])
                .map_err(|(place, message)| field(message, first + place))?;
        }
        remove_sum(&mut record.figures);
        let tail = head + directions * each;
        for (name, place) in [("cpu_user", 0), ("cpu_system", 1), ("context_switches", 2)] {
            parse_number(fields[tail + place]).map_err(|message| field(message, tail + place))?;
            record.others.insert(name.to_string(), fields[tail + place].to_string());
        }
        record.device = device(&bottom_drives(&fields[tail + TAIL_FIELDS..]));
        Ok(record)
    }

    /// Reads a direction's fields. The error has the index of the field.
    fn direction(&mut self, direction: Option<Direction>, fields: &[&str]) -> Result<(), (usize, Message)> {
        let at = |place: usize| parse_number(fields[place]).map_err(|message| (place, message));
        let count = |place: usize| whole(fields[place]).map_err(|message| (place, message));
        let summary = |min: usize, max: usize, mean: usize, stdev: usize| {
            Ok(Summary { min: at(min)?, max: at(max)?, mean: at(mean)?, stdev: at(stdev)? })
        };
        let (kib, kib_per_s, iops, runtime_ms) = (count(0)?, count(1)?, at(2)?, count(3)?);
        let latencies = [
            (LatencyKind::Submission, summary(4, 5, 6, 7)?),
            (LatencyKind::Completion, summary(8, 9, 10, 11)?),
            (LatencyKind::Total, summary(32, 33, 34, 35)?),
        ];
        let percentiles = percentiles(&fields[PERCENTILES])
            .map_err(|(place, message)| (PERCENTILES.start + place, message))?;
        let windows = summary(36, 37, 39, 40)?;
        if kib == 0 && iops == 0.0 {
            return Ok(());
        }
        let runtime_ns =
            runtime_ms.checked_mul(NS_PER_MS).ok_or((3, message!("import-fio.runtime-too-long")))?;
        let bytes = kib.checked_mul(KIB).ok_or((0, message!("import-fio.bytes-too-many")))?;
        self.figures.add(direction, Quantity::Bandwidth, kib_per_s as f64 * KIB as f64, 0);
        // fio truncates: 0 with data means less than one, and the exact rate is unknown.
        if iops > 0.0 {
            self.figures.add(direction, Quantity::Iops, iops, 0);
        }
        self.figures.add(direction, Quantity::Bytes, bytes as f64, 0);
        self.figures.add(direction, Quantity::Runtime, runtime_ns as f64, 0);
        // Without measured latencies (`gtod_reduce`) all are 0.
        let measured = latencies.into_iter().filter(|(_, of)| of.max > 0.0 || of.mean > 0.0);
        for (kind, of) in measured {
            self.figures.add_latencies(direction, kind, of.scaled(NS_PER_US), 0);
        }
        for (percent, us) in percentiles.into_iter().filter(|_| latencies[1].1.max > 0.0) {
            let quantity = Quantity::Latency(LatencyKind::Completion, Statistic::Percentile(percent));
            self.figures.add(direction, quantity, us * NS_PER_US, 0);
        }
        self.windows(direction, fields, windows)?;
        self.snapshot.time_ms = self.snapshot.time_ms.max(runtime_ms);
        // The number of I/Os is not printed, only the rate.
        let ios = (iops * runtime_ms as f64 / 1e3) as u64;
        let latency_ns_sum = (latencies[2].1.mean * NS_PER_US * ios as f64) as u64;
        let done = Done { ios, bytes, latency_ns_sum };
        match direction {
            Some(direction) => self.snapshot.done[direction] = done,
            None => self.snapshot.mixed = done,
        }
        Ok(())
    }

    fn windows(
        &mut self,
        direction: Option<Direction>,
        fields: &[&str],
        of: Summary,
    ) -> Result<(), (usize, Message)> {
        let count = |place: usize| whole(fields[place]).map_err(|message| (place, message));
        let n = if fields.len() == DIRECTION_FIELDS_5 { count(41)? } else { 0 };
        if of.max > 0.0 {
            let of = of.scaled(KIB as f64);
            self.figures.add_windows(direction, Quantity::WindowBandwidth, of, n);
        }
        if fields.len() == DIRECTION_FIELDS_5 {
            let at = |place: usize| parse_number(fields[place]).map_err(|message| (place, message));
            let of = Summary { min: at(42)?, max: at(43)?, mean: at(44)?, stdev: at(45)? };
            let n = count(46)?;
            if of.max > 0.0 {
                self.figures.add_windows(direction, Quantity::WindowIops, of, n);
            }
        }
        Ok(())
    }
}

/// The number of directions in a line. Old version 2 and version 3 have two, others three; `unified_rw_reporting` has
/// one, or one more. Directions are followed by CPU shares and depths, which are percentages.
fn directions(fields: &[&str], head: usize, each: usize) -> Option<usize> {
    let is_share = |place: usize| fields[place].ends_with('%');
    (1..=4).find(|count| {
        let tail = head + count * each;
        let is_long_enough = fields.len() >= tail + TAIL_FIELDS;
        is_long_enough && is_share(tail) && is_share(tail + 1) && (tail + 5..tail + TAIL_FIELDS).all(is_share)
    })
}

/// The directions of a line in order, `None` for fio's `mixed`, which is alone or last; version 3 has no trims.
fn line_directions(version: u8, count: usize) -> &'static [Option<Direction>] {
    const READ: Option<Direction> = Some(Direction::Read);
    const WRITE: Option<Direction> = Some(Direction::Write);
    const TRIM: Option<Direction> = Some(Direction::Trim);
    match (version, count) {
        (_, 1) => &[None],
        (_, 2) => &[READ, WRITE],
        (3, _) => &[READ, WRITE, None],
        (_, 3) => &[READ, WRITE, TRIM],
        _ => &[READ, WRITE, TRIM, None],
    }
}

/// Parses a number or a percentage.
fn parse_number(text: &str) -> Result<f64, Message> {
    number(text.strip_suffix('%').unwrap_or(text))
}

fn percentiles(fields: &[&str]) -> Result<Vec<(f64, f64)>, (usize, Message)> {
    let mut all = Vec::new();
    for (place, field) in fields.iter().enumerate() {
        let wrong = || (place, message!("import-value.not-a-percentile", text = shown(field)));
        let (percent, us) = field.split_once("%=").ok_or_else(wrong)?;
        let (percent, us) = (number(percent).map_err(|_| wrong())?, number(us).map_err(|_| wrong())?);
        if percent > 100.0 {
            return Err(wrong());
        }
        // Unused entries are named 0.
        if percent > 0.0 {
            all.push((percent, us));
        }
    }
    Ok(all)
}

/// The kernel's names of the bottom-level drives. A stacked drive has nine more fields, of which the first is the
/// number of its drives.
fn bottom_drives<'t>(mut fields: &[&'t str]) -> Vec<&'t str> {
    let mut names = Vec::new();
    while fields.len() >= DISK_FIELDS && fields[8].ends_with('%') {
        let stands_on_others =
            fields.len() >= 2 * DISK_FIELDS && fields[9].parse::<u64>().is_ok() && fields[17].ends_with('%');
        if !stands_on_others {
            names.push(fields[0]);
        }
        fields = &fields[if stands_on_others { 2 * DISK_FIELDS } else { DISK_FIELDS }..];
    }
    names
}

/// Groups lines by run: one line each, or several of a job that were printed while it ran (`--status-interval`).
fn runs(records: &[Line<'_>]) -> Vec<Vec<usize>> {
    let mut by_job: BTreeMap<(&str, u64), Vec<usize>> = BTreeMap::new();
    let mut order: Vec<(&str, u64)> = Vec::new();
    for (at, record) in records.iter().enumerate() {
        let key = (record.name.as_str(), record.group);
        let known = by_job.entry(key).or_default();
        if known.is_empty() {
            order.push(key);
        }
        known.push(at);
    }
    let mut runs: Vec<Vec<usize>> = Vec::new();
    for key in order {
        let lines = &by_job[&key];
        let snapshots: Vec<Snapshot> = lines.iter().map(|&at| records[at].snapshot).collect();
        match is_stream(&snapshots) {
            true => runs.push(lines.clone()),
            false => runs.extend(lines.iter().map(|&at| vec![at])),
        }
    }
    runs.sort();
    runs
}

/// Whether these are snapshots of one running job: each later by the same interval, from the start on. Repeated runs of
/// a job each take the same time instead.
fn is_stream(snapshots: &[Snapshot]) -> bool {
    let Some(first) = snapshots.first().filter(|_| snapshots.len() >= STREAM_LINES_MIN) else { return false };
    let steps: Vec<u64> =
        snapshots.windows(2).map(|pair| pair[1].time_ms.saturating_sub(pair[0].time_ms)).collect();
    let step_ms = steps[0];
    let is_same = |ms: &u64| ms.abs_diff(step_ms) * 4 <= step_ms;
    let (_, whole) = steps.split_last().expect("there are three");
    snapshots.windows(2).all(|pair| pair[0].can_precede(&pair[1]))
        && whole.iter().all(is_same)
        && steps.last() <= Some(&(step_ms + step_ms / 4))
        && first.time_ms * 4 <= step_ms * 5
}

/// Makes the test of a run from its last line.
fn test(record: &Record, context: &Context<'_>, snapshots: &[Snapshot]) -> ImportedTest {
    let known = context.known(&record.name);
    let mut figures = record.figures.clone();
    figures.set_window(known.window_ns());
    // `lat_percentiles` replaces completion percentiles by those of the total latency.
    let is_total =
        known.spec.as_ref().is_some_and(|spec| spec.last("lat_percentiles").is_some_and(|on| on != "0"));
    for figure in figures.0.iter_mut().filter(|_| is_total) {
        if let Quantity::Latency(LatencyKind::Completion, Statistic::Percentile(percent)) = figure.quantity {
            figure.quantity = Quantity::Latency(LatencyKind::Total, Statistic::Percentile(percent));
        }
    }
    let method = known.method(record.fio_version.as_deref(), None, 0);
    ImportedTest {
        command: context.command.as_ref().map(|command| command.text.clone()),
        outcome: outcome(record.error, None),
        line: Some(record.line),
        subject: Subject { device: record.device.clone(), ..Subject::default() },
        imported: Imported {
            figures: figures.0,
            series: series(snapshots).filter(|_| snapshots.len() > 1),
            others: record.others.clone(),
            latency: PerDirection::default(),
        },
        ..ImportedTest::new(&record.name, title(&record.name, &method), method)
    }
}

#[cfg(test)]
mod tests;
