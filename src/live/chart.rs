//! The scrolling chart: speed in bars, stalls and the fall-off on its axis, latency in a strip below.

use std::collections::VecDeque;

use cardiograph_catalogue::Language;
use cardiograph_core::falloff::{self, FallOff};
use cardiograph_core::figures::STALL_NS;
use cardiograph_core::series::{Interval, Series};
use cardiograph_core::{Message, Parameter, PerDirection, message, units};
use cardiograph_engine::observer::{State, WorkerState};
use cardiograph_render::text::width;
use ratatui_core::style::{Style, Stylize};
use ratatui_core::text::{Line, Span};

/// Samples kept: enough for the widest terminal, and for the search for a fall-off in minutes.
const SAMPLES_MAX: usize = 1_024;
/// New samples after which a fall-off is searched again.
const SEARCH_EVERY: usize = 8;
/// Columns of the scale.
const SCALE_COLUMNS: usize = 8;
/// Eighths of a row.
const BARS: [&str; 9] = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];
/// Latencies from which the strip is higher, in nanoseconds; the last is shown in red.
const LATENCIES_NS: [u64; 7] = [100_000, 300_000, 1_000_000, 3_000_000, 10_000_000, 30_000_000, 100_000_000];
/// Ends of a scale, in powers of ten.
const ENDS: [f64; 10] = [1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0];

/// What happened between two progress events.
#[derive(Debug, Clone, Copy, Default)]
pub struct Sample {
    pub interval_ns: u64,
    pub operations: u64,
    pub bytes: u64,
    pub latency_ns: Option<u64>,
    /// Whether nothing completed, though the drive was asked for it.
    pub is_silent: bool,
}

/// The samples of a step.
#[derive(Debug, Default)]
pub struct Chart {
    samples: VecDeque<Sample>,
    /// Number of all samples of the step.
    count: usize,
    /// Whether it shows bytes instead of operations.
    pub is_bandwidth: bool,
    /// Whether the step writes, so that it may have a fall-off.
    pub writes: bool,
    /// The fall-off, and its sample.
    fall: Option<(usize, FallOff)>,
    /// Number of samples at the last search.
    searched: usize,
}

impl Chart {
    pub fn push(&mut self, sample: Sample) {
        if self.samples.len() == SAMPLES_MAX {
            self.samples.pop_front();
        }
        self.samples.push_back(sample);
        self.count += 1;
    }

    fn rate(&self, sample: &Sample) -> f64 {
        let count = if self.is_bandwidth { sample.bytes } else { sample.operations };
        count as f64 * 1e9 / sample.interval_ns.max(1) as f64
    }

    /// The current rate, in bytes or operations per second.
    pub fn rate_now(&self) -> Option<f64> {
        self.samples.back().map(|sample| self.rate(sample))
    }

    /// Searches for a fall-off in the same way as the result does.
    fn search(&mut self) {
        if !self.writes || self.count < self.searched + SEARCH_EVERY {
            return;
        }
        self.searched = self.count;
        let first = self.count - self.samples.len();
        let window = |sample: &Sample| Interval { bytes: sample.bytes, ..Interval::default() };
        let time_ns: u64 = self.samples.iter().map(|sample| sample.interval_ns).sum();
        let window_ns = time_ns / self.samples.len() as u64;
        let rows = PerDirection {
            write: self.samples.iter().map(window).collect(),
            ..PerDirection::<Vec<Interval>>::default()
        };
        let series = Series { window_ns, duration_ns: time_ns, rows, ..Series::default() };
        let found = falloff::search(&series).found.map(|fall| {
            let mut left_bytes = fall.after_bytes;
            let before = self.samples.iter().take_while(|sample| {
                let is_before = sample.bytes <= left_bytes;
                left_bytes = left_bytes.saturating_sub(sample.bytes);
                is_before
            });
            (first + before.count(), fall)
        });
        // One that has left the samples stays known.
        if found.is_some() || self.fall.as_ref().is_some_and(|(at, _)| *at >= first) {
            self.fall = found;
        }
    }

    /// The chart with bars of `height` rows.
    pub fn lines(&mut self, columns: usize, height: usize, lang: Language) -> Vec<Line<'static>> {
        self.search();
        let bars = columns.saturating_sub(SCALE_COLUMNS);
        let shown: Vec<Sample> =
            self.samples.iter().skip(self.samples.len().saturating_sub(bars)).copied().collect();
        let rates: Vec<f64> = shown.iter().map(|sample| self.rate(sample)).collect();
        let unit = if self.is_bandwidth { lang.units.table_unit().1 } else { 1.0 };
        let end = scale_end(rates.iter().fold(0.0, |most: f64, rate| most.max(*rate)) / unit) * unit;
        let mut lines: Vec<Line<'static>> = (0..height)
            .map(|row| {
                let above = (height - 1 - row) * 8;
                let bar = |rate: &f64| {
                    let eighths = (rate / end * height as f64 * 8.0).round() as usize;
                    let eighths = eighths.max(usize::from(*rate > 0.0));
                    BARS[eighths.saturating_sub(above).min(8)]
                };
                let is_labelled = row == 0 || height > 3;
                let value = end / unit * (height - row) as f64 / height as f64;
                let label = if is_labelled && !rates.is_empty() { number(value) } else { String::new() };
                let bars: String = rates.iter().map(bar).collect();
                Line::from(format!("{label:>6} ┤{bars}"))
            })
            .collect();
        lines.push(self.axis(&shown, bars, lang));
        lines.extend(latency_strip(&shown));
        lines
    }

    /// The axis, with stalls and the fall-off.
    fn axis(&self, shown: &[Sample], columns: usize, lang: Language) -> Line<'static> {
        let mut axis =
            Axis { cells: vec![("─".to_string(), Style::new()); columns], taken: vec![false; columns] };
        let first = self.count - shown.len();
        if let Some((at, fall)) = &self.fall
            && let Some(at) = at.checked_sub(first)
        {
            let speed = |bytes_per_s| Parameter::bytes_per_s(bytes_per_s);
            let (before, after) = (speed(fall.before_bytes_per_s), speed(fall.after_bytes_per_s));
            let label = lang.text(&message!("live-fall-off", before, after));
            let style = Style::new().yellow();
            axis.mark(at..at + 1, "▼", style);
            axis.label(at..at + 1, &label, style);
        }
        let stalls = stalls(shown);
        let style = Style::new().red();
        stalls.iter().for_each(|(columns, _)| axis.mark(columns.clone(), "━", style));
        // The newest first: labels of older ones may find no room.
        for (columns, silent_ns) in stalls.into_iter().rev() {
            let label = lang.text(&message!("live-stall", time = seconds(silent_ns)));
            axis.label(columns, &label, style);
        }
        let begin = Span::from(format!("{:>6} └", 0));
        let cells = axis.cells.into_iter().map(|(letter, style)| Span::styled(letter, style));
        Line::from_iter(std::iter::once(begin).chain(cells))
    }
}

/// A row of cells, some of which are taken.
struct Axis {
    cells: Vec<(String, Style)>,
    taken: Vec<bool>,
}

impl Axis {
    fn mark(&mut self, columns: std::ops::Range<usize>, sign: &str, style: Style) {
        for column in columns {
            self.cells[column] = (sign.to_string(), style);
            self.taken[column] = true;
        }
    }

    /// Writes words after `columns`, or before them, where there is room.
    fn label(&mut self, columns: std::ops::Range<usize>, words: &str, style: Style) {
        let needed = width(words) + 2;
        let is_free = |start: &usize| {
            let room = self.taken.get(*start..start + needed);
            room.is_some_and(|taken| taken.iter().all(|taken| !taken))
        };
        let before = columns.start.checked_sub(needed);
        let Some(start) = [Some(columns.end), before].into_iter().flatten().find(is_free) else { return };
        // Words of double width are one cell of text, and cells without.
        self.cells[start..start + needed].fill((String::new(), style));
        self.cells[start].0 = format!(" {words} ");
        self.taken[start..start + needed].fill(true);
    }
}

/// Whether any worker does I/O.
pub fn is_at_work(workers: &[WorkerState]) -> bool {
    workers.iter().any(|worker| matches!(worker.state, State::Ramp | State::Running | State::Verifying))
}

/// Stalls among samples, and their duration in nanoseconds.
fn stalls(shown: &[Sample]) -> Vec<(std::ops::Range<usize>, u64)> {
    let mut stalls = Vec::new();
    let mut start = 0;
    for run in shown.chunk_by(|one, next| one.is_silent == next.is_silent) {
        let silent_ns: u64 = run.iter().map(|sample| sample.interval_ns).sum();
        if run[0].is_silent && silent_ns >= STALL_NS {
            stalls.push((start..start + run.len(), silent_ns));
        }
        start += run.len();
    }
    stalls
}

/// One letter for each sample; `None` if no latencies are known.
fn latency_strip(shown: &[Sample]) -> Option<Line<'static>> {
    shown.iter().find_map(|sample| sample.latency_ns)?;
    let level = |ns: u64| 1 + LATENCIES_NS.iter().filter(|&&limit_ns| ns >= limit_ns).count();
    let letter = |sample: &Sample| match sample.latency_ns.map(level) {
        Some(level) if level == BARS.len() - 1 => Span::from(BARS[level]).red(),
        Some(level) => Span::from(BARS[level]),
        None => Span::from(" "),
    };
    Some(Line::from_iter(std::iter::once(Span::from("   p99  ")).chain(shown.iter().map(letter))))
}

/// The end of a scale that shows `most`.
fn scale_end(most: f64) -> f64 {
    if most <= 0.0 {
        return 1.0;
    }
    let power = 10_f64.powf(most.log10().floor());
    let end = ENDS.iter().map(|end| end * power).find(|end| *end >= most);
    end.unwrap_or(10.0 * power)
}

/// A number in at most six columns.
pub fn number(value: f64) -> String {
    match value {
        _ if value >= 1e6 => format!("{:.1}M", value / 1e6),
        _ if value >= 1e4 => format!("{:.0}k", value / 1e3),
        _ if value >= 100.0 || value.fract() == 0.0 => units::count(value.round() as u64),
        _ => format!("{value:.1}"),
    }
}

fn seconds(ns: u64) -> Message {
    Message::quantity(Parameter::latency_ns(ns as f64))
}
