//! The lines of a job, or of all jobs of a group.

use cardiograph_core::{Message, Parameter, message};
use std::collections::BTreeMap;

use cardiograph_core::quantity::{LatencyKind, Quantity, Statistic};
use cardiograph_core::report::StepOutcome;
use cardiograph_core::text::shown;
use cardiograph_core::{Direction, NS_PER_MS, NS_PER_S};

use super::super::super::ImportProblem;
use super::super::super::moment::Moment;
use super::super::units::{
    UnitNames, bytes, bytes_per_s, msec, number, scaled, speed_unit, time_unit, whole,
};
use super::super::{Figures, Summary, outcome, remove_sum};
use super::field::field;

/// The figures of a job.
#[derive(Debug, Clone, Default)]
pub(super) struct Block {
    pub(super) name: String,
    pub(super) group: u64,
    /// Number of jobs that share the figures; 0 if unknown.
    pub(super) jobs: u64,
    /// Whether its first line is in the text.
    pub(super) is_begun: bool,
    pub(super) pid: Option<String>,
    pub(super) line: u64,
    /// The error number, 0 for success, and fio's description.
    pub(super) error: i64,
    error_words: Option<String>,
    /// When it was printed.
    pub(super) printed: Option<Moment>,
    /// Directions with I/O; `None` is fio's `mixed`.
    pub(super) directions: Vec<Option<Direction>>,
    pub(super) runtime_ms: u64,
    pub(super) figures: Figures,
    pub(super) others: BTreeMap<String, String>,
    /// Direction of the following lines.
    current: Option<Option<Direction>>,
    percentiles: Option<(Option<Direction>, LatencyKind, f64)>,
    /// Whether its lines are of version 2.
    is_version_2: bool,
    /// Number of I/Os issued, if printed.
    pub(super) issued: Option<[u64; 4]>,
}

impl Block {
    /// Whether a line starts the figures of a job.
    pub(super) fn begins(line: &str) -> bool {
        line.split_once(": (groupid=").is_some_and(|(_, rest)| rest.contains("): err="))
    }

    /// Whether a line has the rate of a direction.
    pub(super) fn begins_data(line: &str) -> bool {
        data_direction(line).is_some_and(|(_, rest)| {
            rest.contains("IOPS=") && rest.contains("BW=") && !rest.contains("BW=0 (")
                || rest.contains("bw=") && rest.contains("runt=")
        })
    }

    /// Whether the line with the rate of a direction belongs to this job: it has no rate of it yet.
    pub(super) fn lacks(&self, line: &str) -> bool {
        data_direction(line).is_some_and(|(direction, _)| !self.directions.contains(&direction))
    }

    /// A job whose first line is not in the text.
    pub(super) fn without_first_line(number: u64) -> Self {
        Self { line: number, ..Self::default() }
    }

    pub(super) fn new(line: &str, number: u64) -> Result<Self, ImportProblem> {
        let (name, rest) = line.split_once(": (groupid=").unwrap_or_default();
        let (numbers, state) = rest.split_once("): err=").unwrap_or_default();
        let (group, jobs) = numbers.split_once(", jobs=").unwrap_or((numbers, "1"));
        let at = |message: Message| ImportProblem::at_line(number, message);
        let code = state.trim_start().split(|c: char| !c.is_ascii_digit() && c != '-').next().unwrap_or("");
        let error =
            code.parse().map_err(|_| at(message!("import-value.not-an-error-number", text = shown(code))))?;
        let words = state.split_once("error=").and_then(|(_, rest)| rest.split_once(')'));
        let pid = state.split_once("pid=").map(|(_, rest)| rest);
        let printed = pid.and_then(|rest| rest.split_once(": ")).and_then(|(_, date)| Moment::parse(date));
        let pid = pid.map(|rest| rest.chars().take_while(char::is_ascii_digit).collect::<String>());
        Ok(Self {
            name: name.trim().to_string(),
            group: whole(group).map_err(at)?,
            jobs: whole(jobs).map_err(at)?,
            pid,
            is_begun: true,
            line: number,
            error,
            error_words: words.map(|(words, _)| words.to_string()),
            printed,
            ..Self::default()
        })
    }

    /// The job's outcome.
    pub(super) fn outcome(&self) -> StepOutcome {
        outcome(self.error, self.error_words.as_deref())
    }

    /// Reads a line. Lines without figures of interest are skipped.
    pub(super) fn line(&mut self, line: &str, number: u64, names: UnitNames) -> Result<(), ImportProblem> {
        let names = if self.is_version_2 { UnitNames::Version2 } else { names };
        self.read_line(line, names).map_err(|message| ImportProblem::at_line(number, message))
    }

    fn read_line(&mut self, line: &str, names: UnitNames) -> Result<(), Message> {
        if let Some(row) = line.strip_prefix('|') {
            return self.percentile_row(row);
        }
        if let Some((direction, rest)) = data_direction(line) {
            return self.data(direction, rest, names);
        }
        let (word, rest) = line.split_once(':').unwrap_or((line, ""));
        match word.trim_end() {
            "iops" => self.window_iops(rest),
            "cpu" => self.cpu(rest),
            "issued" | "issued rwt" | "issued rwts" => self.issued(rest),
            "errors" => self.keep("errors", rest),
            "steadystate" => self.keep("steady_state", rest),
            word if word.starts_with("fsync/fdatasync") => {
                self.current = Some(Some(Direction::Sync));
                Ok(())
            }
            word => self.read_line_with_unit(word, rest, names),
        }
    }

    /// Reads a line with a unit after its first word: `clat (usec): ...`.
    fn read_line_with_unit(&mut self, words: &str, rest: &str, names: UnitNames) -> Result<(), Message> {
        let Some((word, unit)) = words.split_once('(') else { return Ok(()) };
        let Some((unit, _)) = unit.split_once(')') else { return Ok(()) };
        let word = word.trim_end();
        // `lat (usec) : 250=31.66%, ...` has shares, not times.
        let has_figures = rest.contains("min=");
        let kind = match word.strip_suffix("percentiles").map_or(word, str::trim_end) {
            "slat" => LatencyKind::Submission,
            "clat" => LatencyKind::Completion,
            "lat" | "sync" => LatencyKind::Total,
            "bw" if has_figures => return self.window_bandwidth(unit, rest, names),
            _ => {
                // Percentiles of something else, such as I/Os of one priority.
                self.percentiles = None;
                return Ok(());
            }
        };
        let is_list = word.ends_with("percentiles");
        if !is_list && !has_figures {
            return Ok(());
        }
        let direction = if word.starts_with("sync") { Some(Some(Direction::Sync)) } else { self.current };
        let direction = direction.ok_or(message!("import-fio.latency-without-direction"))?;
        let factor = time_unit(unit)?;
        if is_list {
            self.percentiles = Some((direction, kind, factor));
            return Ok(());
        }
        if word.starts_with("sync") {
            self.current = Some(direction);
        }
        self.figures.add_latencies(direction, kind, summary(rest)?.scaled(factor), 0);
        Ok(())
    }

    /// Reads `IOPS=22, BW=22.7MiB/s (23.8MB/s)(99.0MiB/4353msec)`, or of version 2 `io=99MB, bw=23288KB/s, iops=22,
    /// runt= 4353msec`.
    fn data(&mut self, direction: Option<Direction>, rest: &str, names: UnitNames) -> Result<(), Message> {
        self.current = Some(direction);
        // With separate directions (`unified_rw_reporting=both`), fio prints `BW=0 (0)` for their sum, which is removed
        // later.
        if direction.is_none() && !self.directions.is_empty() {
            return Ok(());
        }
        self.is_version_2 |= rest.contains("runt=");
        let data = if rest.contains("runt=") { parse_data_2(rest)? } else { parse_data_3(rest, names)? };
        self.directions.push(direction);
        self.runtime_ms = self.runtime_ms.max(data.runtime_ms);
        let runtime_ns =
            data.runtime_ms.checked_mul(NS_PER_MS).ok_or(message!("import-fio.runtime-too-long"))?;
        self.figures.add(direction, Quantity::Bandwidth, data.bandwidth, 0);
        self.figures.add(direction, Quantity::Iops, data.iops, 0);
        self.figures.add(direction, Quantity::Bytes, data.moved, 0);
        self.figures.add(direction, Quantity::Runtime, runtime_ns as f64, 0);
        Ok(())
    }

    fn percentile_row(&mut self, row: &str) -> Result<(), Message> {
        let Some((direction, kind, factor)) = self.percentiles else { return Ok(()) };
        for entry in row.split("],").filter(|entry| !entry.trim().is_empty()) {
            let parts = entry.trim().split_once("th=[");
            let (percent, value) =
                parts.ok_or_else(|| message!("import-value.not-a-percentile", text = shown(entry)))?;
            let percent = number(percent)?;
            if percent > 100.0 {
                return Err(message!(
                    "import-value.no-such-percentile",
                    percent = Parameter::number(percent)
                ));
            }
            let value = number(value.trim_end_matches(']'))? * factor;
            let quantity = Quantity::Latency(kind, Statistic::Percentile(percent));
            self.figures.add(direction, quantity, value, 0);
        }
        Ok(())
    }

    fn window_bandwidth(&mut self, unit: &str, rest: &str, names: UnitNames) -> Result<(), Message> {
        let factor = speed_unit(unit, names)?;
        self.windows(Quantity::WindowBandwidth, rest, factor)
    }

    fn window_iops(&mut self, rest: &str) -> Result<(), Message> {
        self.windows(Quantity::WindowIops, rest, 1.0)
    }

    fn windows(&mut self, of: fn(Statistic) -> Quantity, rest: &str, factor: f64) -> Result<(), Message> {
        let direction = self.current.ok_or(message!("import-fio.windows-without-direction"))?;
        let samples = field(rest, "samples=").map_or(Ok(0), whole)?;
        self.figures.add_windows(direction, of, summary(rest)?.scaled(factor), samples);
        Ok(())
    }

    fn cpu(&mut self, rest: &str) -> Result<(), Message> {
        for (key, name) in [("usr=", "cpu_user"), ("sys=", "cpu_system"), ("ctx=", "context_switches")] {
            if let Some(value) = field(rest, key) {
                number(value.trim_end_matches('%'))?;
                self.others.insert(name.to_string(), value.to_string());
            }
        }
        Ok(())
    }

    /// Reads `total=99,101,0,0 short=...`, or of version 2 `total=r=99/w=101/d=0, short=...`.
    fn issued(&mut self, rest: &str) -> Result<(), Message> {
        self.issued = Some(counts(rest, "total=")?.ok_or(message!("import-fio.ios-missing"))?);
        Ok(())
    }

    fn keep(&mut self, name: &str, rest: &str) -> Result<(), Message> {
        self.others.insert(name.to_string(), rest.trim().to_string());
        Ok(())
    }

    /// Completes figures that depend on several lines: the number of I/Os is the sample count of each latency.
    pub(super) fn complete(&mut self, window_ns: Option<u64>) {
        remove_sum(&mut self.figures);
        self.figures.set_window(window_ns);
        let issued = self.issued.unwrap_or_default();
        let count = |direction: Option<Direction>| match direction {
            Some(direction) => issued[direction.index()],
            None => issued[..3].iter().sum(),
        };
        let runtimes = self.figures.0.iter().filter(|figure| figure.quantity == Quantity::Runtime);
        let runtimes_s: Vec<(Option<Direction>, f64)> = runtimes
            .map(|figure| (figure.direction, figure.estimate.value.max(NS_PER_MS as f64) / NS_PER_S as f64))
            .collect();
        for figure in &mut self.figures.0 {
            let ios = count(figure.direction);
            let runtime_s = runtimes_s.iter().find(|(direction, _)| *direction == figure.direction);
            match (figure.quantity, runtime_s) {
                (Quantity::Latency(..), _) => figure.estimate.n = ios,
                // fio truncates IOPS to whole numbers. If 0 is left, the rate follows from the I/Os issued.
                (Quantity::Iops, Some((_, runtime_s))) if figure.estimate.value == 0.0 => {
                    figure.estimate.value = ios as f64 / runtime_s;
                }
                _ => {}
            }
        }
        for direction in self.directions.clone().into_iter().filter(|_| self.issued.is_some()) {
            self.figures.add(direction, Quantity::Ios, count(direction) as f64, 0);
        }
    }
}

/// The counts of reads, writes, trims and syncs after `key`: `99,101,0,0`, or of version 2 `r=99/w=101/d=0,`.
fn counts(text: &str, key: &str) -> Result<Option<[u64; 4]>, Message> {
    let Some((_, rest)) = text.split_once(key) else { return Ok(None) };
    let text = rest.split_whitespace().next().unwrap_or("").trim_end_matches(',');
    let mut all = [0; 4];
    let counts = text.split([',', '/']).map(|count| count.trim_start_matches(['r', 'w', 'd', '=']));
    for (place, count) in all.iter_mut().zip(counts) {
        *place = whole(count)?;
    }
    Ok(Some(all))
}

/// The direction of a line `read: ...`, and the text after it; `None` in it is `mixed`.
fn data_direction(line: &str) -> Option<(Option<Direction>, &str)> {
    let (word, rest) = line.split_once(':')?;
    let direction = match word.trim_end() {
        "read" => Some(Direction::Read),
        "write" => Some(Direction::Write),
        "trim" => Some(Direction::Trim),
        "mixed" => None,
        _ => return None,
    };
    Some((direction, rest))
}

/// The figures in the first line of a direction.
struct Data {
    bandwidth: f64,
    iops: f64,
    moved: f64,
    runtime_ms: u64,
}

fn parse_data_3(rest: &str, names: UnitNames) -> Result<Data, Message> {
    const EXPECTED: Message = message!("import-fio.no-data-line");
    let iops = scaled(field(rest, "IOPS=").ok_or(EXPECTED)?)?;
    let (_, speeds) = rest.split_once("BW=").ok_or(EXPECTED)?;
    let (speed, rest) = speeds.split_once('(').ok_or(EXPECTED)?;
    let (_, rest) = rest.split_once(")(").ok_or(EXPECTED)?;
    let (moved, runtime) = rest.split_once(')').ok_or(EXPECTED)?.0.split_once('/').ok_or(EXPECTED)?;
    Ok(Data {
        bandwidth: bytes_per_s(speed, names)?,
        iops,
        moved: bytes(moved, names)?,
        runtime_ms: msec(runtime)?,
    })
}

fn parse_data_2(rest: &str) -> Result<Data, Message> {
    let get = |key: &str| field(rest, key).ok_or_else(|| message!("import-fio.key-missing", key));
    let speed = get("bw=")?;
    // Very old versions end a speed in bytes with `B/s`, and all others with `KB/s`.
    Ok(Data {
        bandwidth: bytes_per_s(speed, UnitNames::Version2)?,
        iops: scaled(get("iops=")?)?,
        moved: bytes(get("io=")?, UnitNames::Version2)?,
        runtime_ms: msec(get("runt=")?)?,
    })
}

fn summary(rest: &str) -> Result<Summary, Message> {
    let get = |key: &str| {
        let text = field(rest, key)
            .ok_or_else(|| message!("import-fio.key-missing", key = key.trim_end_matches('=')))?;
        scaled(text)
    };
    Ok(Summary { min: get("min=")?, max: get("max=")?, mean: get("avg=")?, stdev: get("stdev=")? })
}
