//! fio's logs of bandwidth, IOPS, latencies and histograms (`write_bw_log` etc.), one file at a time. The file's name
//! gives its kind: `NAME_lat.1.log`.
//!
//! A log has a line for each I/O, or with `log_avg_msec` one for each window with I/O. The log does not say which: it
//! is detected from the first lines. Logs are read line by line into windows that grow with the log, so memory is
//! bounded.
//!
//! Reading order: [`read`] → [`Kind`] (from the name) → [`line`] → [`shape`] (I/Os or windows) → [`gather`] (windows,
//! and with [`seconds`] the latencies of each second).

mod gather;
mod grid;
mod line;
mod seconds;
mod shape;

use cardiograph_core::message;
use std::io::{BufRead, Read};

use cardiograph_core::quantity::LatencyKind;
use gather::Gatherer;
use line::Line;
use shape::Shape;

use super::super::{ImportProblem, ImportProblems, ImportedTest, Importer, Named, Problems, Reading};

pub(in super::super) const IMPORTER: Importer = Importer {
    name: "fio-log",
    title: &message!("import-format.fio-log"),
    origin: "fio/logs/avg_bw.1.log",
    recognise: |head, named| {
        let (kind, _) = Kind::from_file_name(named.file_name())?;
        let (number, first) = (1..).zip(head.lines()).find(|(_, line)| !line.trim().is_empty())?;
        Line::parse(first.trim().as_bytes(), kind).is_ok().then_some(number)
    },
    reading: Reading::Streamed(read),
};

/// Logs of single I/Os, for lines that do not show it.
pub(in super::super) const IMPORTER_OF_IOS: Importer = Importer {
    name: "fio-log-ios",
    title: &message!("import-format.fio-log-ios"),
    origin: "fio/logs/each_lat.1.log",
    recognise: |_, _| None,
    reading: Reading::Streamed(|lines, named| read_as(lines, named, |_, _| Ok(Shape::Ios))),
};

/// Logs of windows, for lines that do not show it.
pub(in super::super) const IMPORTER_OF_WINDOWS: Importer = Importer {
    name: "fio-log-windows",
    title: &message!("import-format.fio-log-windows"),
    origin: "fio/logs/avg_lat.1.log",
    recognise: |_, _| None,
    reading: Reading::Streamed(|lines, named| {
        read_as(lines, named, |_, lines| Ok(Shape::Windows(shape::window_ms(lines))))
    }),
};

/// Byte order mark, with which Windows editors start UTF-8 text.
const UTF_8_MARK: &[u8] = "\u{feff}".as_bytes();
/// Longest line, in bytes: 1,856 histogram counts.
const LINE_LEN_MAX: u64 = 64 << 10;
/// Number of lines used to detect the shape.
const FIRST_LINES: usize = 512;
/// Reading ends after this many problems.
const PROBLEMS_MAX: usize = 20;

/// The quantity in a log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Bandwidth,
    Iops,
    Latency(LatencyKind),
    /// Completion latencies, as histograms.
    Histogram,
}

impl Kind {
    /// Parses a file's name into the kind, and the name before that with the number of the job unless it is 1.
    fn from_file_name(file_name: &str) -> Option<(Self, String)> {
        let stem = file_name.strip_suffix(".log")?;
        let (stem, number) = match stem.rsplit_once('.') {
            Some((stem, number)) if number.parse::<u32>().is_ok() => (stem, Some(number)),
            _ => (stem, None),
        };
        const SUFFIXES: [(&str, Kind); 7] = [
            ("_clat_hist", Kind::Histogram),
            ("_hist", Kind::Histogram),
            ("_slat", Kind::Latency(LatencyKind::Submission)),
            ("_clat", Kind::Latency(LatencyKind::Completion)),
            ("_lat", Kind::Latency(LatencyKind::Total)),
            ("_bw", Kind::Bandwidth),
            ("_iops", Kind::Iops),
        ];
        let (name, kind) = SUFFIXES.iter().find_map(|(end, kind)| Some((stem.strip_suffix(end)?, *kind)))?;
        let number = number.filter(|number| *number != "1").map(|number| format!(".{number}"));
        Some((kind, format!("{name}{}", number.unwrap_or_default())))
    }
}

fn read(lines: &mut dyn BufRead, named: &Named) -> Result<Vec<ImportedTest>, ImportProblems> {
    read_as(lines, named, |kind, lines| {
        let unknown = || ImportProblem::whole_text(message!("import-log.shape-unknown"));
        Shape::detect(kind, lines).ok_or_else(unknown)
    })
}

/// Reads a log whose shape is detected by `shape_of` from its first lines.
fn read_as(
    lines: &mut dyn BufRead,
    named: &Named,
    shape_of: fn(Kind, &[&Line]) -> Result<Shape, ImportProblem>,
) -> Result<Vec<ImportedTest>, ImportProblems> {
    let name = named.file_name();
    let Some((kind, id)) = Kind::from_file_name(name) else {
        return Err(ImportProblem::whole_text(message!("import-log.name-unknown")).into());
    };
    let mut problems = Problems::default();
    let mut reader = Lines { lines, buffer: Vec::new(), number: 0 };
    let mut first: Vec<(u64, Line)> = Vec::new();
    while first.len() < FIRST_LINES && problems.len() < PROBLEMS_MAX {
        match reader.next(kind)? {
            Some(line) => first.extend(problems.take(line)),
            None => break,
        }
    }
    let Some((_, begin)) = first.first() else { return problems.result(Vec::new()) };
    let shape = shape_of(kind, &first.iter().map(|(_, line)| line).collect::<Vec<_>>());
    let Some(shape) = problems.take(shape) else { return problems.result(Vec::new()) };
    let mut gatherer = Gatherer::new(kind, shape, begin);
    for (number, line) in &first {
        problems.take(gatherer.take(line).map_err(|message| ImportProblem::at_line(*number, message)));
    }
    drop(first);
    while problems.len() < PROBLEMS_MAX {
        let Some(line) = reader.next(kind)? else { break };
        let Some((number, line)) = problems.take(line) else { continue };
        problems.take(gatherer.take(&line).map_err(|message| ImportProblem::at_line(number, message)));
    }
    problems.result(vec![gatherer.test(&id)])
}

/// A line with its number, or the problem with it.
type Numbered = Result<(u64, Line), ImportProblem>;

/// The lines of a log.
struct Lines<'r> {
    lines: &'r mut dyn BufRead,
    buffer: Vec<u8>,
    /// Number of the last line read.
    number: u64,
}

impl Lines<'_> {
    /// The next line that is not empty; `None` at the end.
    ///
    /// # Errors
    /// If reading failed.
    fn next(&mut self, kind: Kind) -> Result<Option<Numbered>, ImportProblems> {
        loop {
            self.buffer.clear();
            let mut limited = (&mut *self.lines).take(LINE_LEN_MAX);
            let read = limited.read_until(b'\n', &mut self.buffer);
            self.number += 1;
            let number = self.number;
            let len = read.map_err(|error| {
                ImportProblem::at_line(number, message!("import-text.unreadable", reason = &error))
            })?;
            if len == 0 {
                return Ok(None);
            }
            let is_whole = self.buffer.last() == Some(&b'\n');
            if !is_whole && len as u64 == LINE_LEN_MAX {
                return Err(ImportProblem::at_line(number, message!("import-log.line-too-long")).into());
            }
            // fio ends each line: this one was truncated.
            if !is_whole {
                return Ok(None);
            }
            let line = match number {
                1 => self.buffer.strip_prefix(UTF_8_MARK).unwrap_or(&self.buffer),
                _ => &self.buffer,
            };
            let line = line.trim_ascii();
            if !line.is_empty() {
                let read = Line::parse(line, kind).map(|line| (number, line));
                return Ok(Some(read.map_err(|message| ImportProblem::at_line(number, message))));
            }
        }
    }
}

#[cfg(test)]
mod tests;
