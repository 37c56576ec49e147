//! The log files that a job asks for, in fio's columns.
//!
//! | column | latency | bandwidth | IOPS |
//! |---|---|---|---|
//! | time | ms since counting began, or since 1970 | the same | the same |
//! | value | ns | KiB/s | I/Os per second |
//! | the window's largest value, where both are asked for | ns | KiB/s | I/Os per second |
//! | direction | 0 read, 1 write, 2 trim | the same | the same |
//! | length of the I/O in bytes | 0 in windows | the job's in windows | the job's in windows |
//! | offset in bytes, where asked for | 0 in windows | 0 in windows | 0 in windows |
//! | priority | 0 | 0 | 0 |
//!
//! A line for a single I/O has its own speed as bandwidth, in units of 1000 bytes per second, and 1 as IOPS: that is
//! fio's meaning of them.

use std::fmt::Write as _;
use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use cardiograph_core::display::{JobDisplay, LogFiles, LogValue};
use cardiograph_core::histogram::FIO_BUCKETS;
use cardiograph_core::{Direction, LatencyHistogram, NS_PER_MS, Plan, PlannedJob};
use cardiograph_engine::engine;
use cardiograph_engine::log::{HistogramRecord, IoRecord, LogChunk, LogSink, Span, WindowRecord};

use crate::exit::Failure;
use crate::outfile::OutFile;

/// The kinds of files, in the order of a worker's writers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Bandwidth,
    Iops,
    Submission,
    Completion,
    Total,
    Histogram,
}

const KINDS: [(Kind, &str); 6] = [
    (Kind::Bandwidth, "bw"),
    (Kind::Iops, "iops"),
    (Kind::Submission, "slat"),
    (Kind::Completion, "clat"),
    (Kind::Total, "lat"),
    (Kind::Histogram, "clat_hist"),
];

/// All log files of a run.
pub struct Logs {
    workers: Vec<WorkerLogs>,
    /// First worker of each job.
    first_of_job: Vec<usize>,
    files: Vec<Mutex<LogFile>>,
}

struct LogFile {
    path: PathBuf,
    writer: BufWriter<OutFile>,
    /// The first failure: what follows it is lost, and that is said at the end.
    failure: Option<std::io::Error>,
}

/// The files of one worker, and how its lines look.
struct WorkerLogs {
    /// Index of the file for each kind.
    files: [Option<usize>; KINDS.len()],
    shape: Shape,
}

/// How lines look.
#[derive(Debug, Clone)]
struct Shape {
    value: LogValue,
    with_offset: bool,
    epoch_ms: u64,
    window_ns: u64,
    coarseness: u32,
    /// Whether I/Os are handed over and not executed at once: else there is no time until that was done.
    has_submission: bool,
    /// The job's length of an I/O, by direction.
    len_bytes: [u64; 4],
}

impl Logs {
    /// Makes the files that the jobs ask for; `None` when none does. Times since 1970 begin at `epoch_ms`.
    ///
    /// # Errors
    /// When a file cannot be made.
    pub fn create(plan: &Plan, displays: &[JobDisplay], epoch_ms: u64) -> Result<Option<Self>, Failure> {
        let mut logs = Self { workers: Vec::new(), first_of_job: Vec::new(), files: Vec::new() };
        let mut number = 0;
        for (job, display) in plan.jobs.iter().zip(displays) {
            logs.first_of_job.push(logs.workers.len());
            for clone in 0..job.clones.len() {
                number += 1;
                let is_shared = !display.logs.per_job && clone > 0;
                let files = match is_shared {
                    // All clones write to the files of the first.
                    true => logs.workers[logs.first_of_job[logs.first_of_job.len() - 1]].files,
                    false => logs.open_all(job, &display.logs, number)?,
                };
                let shape = Shape::of(job, &display.logs, epoch_ms);
                logs.workers.push(WorkerLogs { files, shape });
            }
        }
        Ok((!logs.files.is_empty()).then_some(logs))
    }

    /// Makes the files of a worker. What the job does not measure has none.
    fn open_all(
        &mut self,
        job: &PlannedJob,
        asked: &LogFiles,
        number: usize,
    ) -> Result<[Option<usize>; KINDS.len()], Failure> {
        let measured = job.workload.measured;
        let latency = |is_measured: bool| asked.latency.as_ref().filter(|_| is_measured);
        let mut files = [None; KINDS.len()];
        for (place, (kind, suffix)) in KINDS.into_iter().enumerate() {
            let prefix = match kind {
                Kind::Bandwidth => asked.bandwidth.as_ref(),
                Kind::Iops => asked.iops.as_ref(),
                Kind::Submission => latency(measured.submission),
                Kind::Completion => latency(measured.completion),
                Kind::Total => latency(measured.total),
                Kind::Histogram => asked.histogram.as_ref(),
            };
            if let Some(prefix) = prefix {
                let name = match asked.per_job {
                    true => format!("{prefix}_{suffix}.{number}.log"),
                    false => format!("{prefix}_{suffix}.log"),
                };
                files[place] = Some(self.open(PathBuf::from(name))?);
            }
        }
        Ok(files)
    }

    fn open(&mut self, path: PathBuf) -> Result<usize, Failure> {
        if let Some(known) = self.files.iter().position(|file| lock(file).path == path) {
            return Ok(known);
        }
        let file = OutFile::open(&path).map_err(|error| {
            Failure::usage(format!(
                "log file {}: {error}; name a place that you can write to, as write_bw_log=/tmp/card",
                path.display()
            ))
        })?;
        self.files.push(Mutex::new(LogFile { path, writer: BufWriter::new(file), failure: None }));
        Ok(self.files.len() - 1)
    }

    /// Brings everything into the files.
    ///
    /// # Errors
    /// The first line that could not be written.
    pub fn finish(self) -> Result<(), Failure> {
        for file in self.files {
            let mut file = file.into_inner().unwrap_or_else(PoisonError::into_inner);
            let flushed = file.writer.flush().and_then(|()| file.writer.get_mut().take_over());
            if let Some(error) = file.failure.or(flushed.err()) {
                return Err(Failure::io(format!(
                    "log file {}: {error}; its lines are not complete",
                    file.path.display()
                )));
            }
        }
        Ok(())
    }
}

fn lock(file: &Mutex<LogFile>) -> std::sync::MutexGuard<'_, LogFile> {
    file.lock().unwrap_or_else(PoisonError::into_inner)
}

impl LogSink for Logs {
    fn take(&self, job: usize, clone: u32, chunk: LogChunk) {
        let Some(worker) =
            self.first_of_job.get(job).and_then(|first| self.workers.get(first + clone as usize))
        else {
            return;
        };
        for (place, (kind, _)) in KINDS.into_iter().enumerate() {
            let Some(file) = worker.files[place] else { continue };
            let text = worker.shape.lines(kind, &chunk);
            let mut file = lock(&self.files[file]);
            if file.failure.is_none()
                && let Err(error) = file.writer.write_all(text.as_bytes())
            {
                file.failure = Some(error);
            }
        }
    }
}

impl Shape {
    fn of(job: &PlannedJob, asked: &LogFiles, epoch_ms: u64) -> Self {
        let len_bytes = Direction::ALL.map(|direction| job.workload.block_len[direction].min_bytes());
        Self {
            value: asked.value,
            with_offset: asked.with_offset,
            epoch_ms: if asked.unix_epoch { epoch_ms } else { 0 },
            window_ns: job.workload.logged.window_ns,
            coarseness: asked.histogram_coarseness,
            has_submission: engine::find(&job.workload.engine).is_some_and(|entry| entry.is_queueing),
            len_bytes,
        }
    }

    /// Syncs have no lines, as in fio.
    fn lines(&self, kind: Kind, chunk: &LogChunk) -> String {
        let mut text = String::new();
        if kind == Kind::Submission && !self.has_submission {
            return text;
        }
        match chunk {
            LogChunk::Ios(records) if kind != Kind::Histogram => {
                let moving = records.iter().filter(|record| record.direction != Direction::Sync);
                moving.for_each(|record| self.io_line(kind, record, &mut text));
            }
            // Windows without I/O have no line, as in fio.
            LogChunk::Windows(records) if kind != Kind::Histogram => {
                let busy =
                    records.iter().filter(|record| record.ios > 0 && record.direction != Direction::Sync);
                busy.for_each(|record| self.window_line(kind, record, &mut text));
            }
            LogChunk::Histograms(records) if kind == Kind::Histogram => {
                let moving = records.iter().filter(|record| record.direction != Direction::Sync);
                moving.for_each(|record| self.histogram_line(record, &mut text));
            }
            _ => {}
        }
        text
    }

    fn io_line(&self, kind: Kind, record: &IoRecord, text: &mut String) {
        let value = match kind {
            Kind::Bandwidth => u64::from(record.len_bytes) * 1_000_000 / record.completion_ns.max(1),
            Kind::Iops => 1,
            Kind::Submission => record.submission_ns,
            Kind::Completion => record.completion_ns,
            Kind::Total | Kind::Histogram => record.total_ns,
        };
        let line = Line {
            at_ns: record.completed_ns,
            value,
            max: value,
            direction: record.direction,
            len_bytes: u64::from(record.len_bytes),
            offset_bytes: record.offset_bytes,
        };
        self.line(&line, text);
    }

    fn window_line(&self, kind: Kind, record: &WindowRecord, text: &mut String) {
        let per_second =
            |count: u64| (u128::from(count) * 1_000_000_000 / u128::from(self.window_ns.max(1))) as u64;
        // Half a unit is rounded up.
        let mean = |span: &Span| (span.sum_ns + record.ios / 2) / record.ios.max(1);
        let len_bytes = self.len_bytes[record.direction.index()];
        let (value, max, len_bytes) = match kind {
            Kind::Bandwidth => {
                let kib = per_second(record.bytes) / 1_024;
                (kib, kib, len_bytes)
            }
            Kind::Iops => (per_second(record.ios), per_second(record.ios), len_bytes),
            Kind::Submission => (mean(&record.submission), record.submission.max_ns, 0),
            Kind::Completion => (mean(&record.completion), record.completion.max_ns, 0),
            Kind::Total | Kind::Histogram => (mean(&record.total), record.total.max_ns, 0),
        };
        let direction = record.direction;
        self.line(&Line { at_ns: record.end_ns, value, max, direction, len_bytes, offset_bytes: 0 }, text);
    }

    fn line(&self, line: &Line, text: &mut String) {
        let at_ms = self.epoch_ms + line.at_ns / NS_PER_MS;
        let direction = line.direction.index();
        // Writing to a String cannot fail.
        let _ = match self.value {
            LogValue::Average => write!(text, "{at_ms}, {}", line.value),
            LogValue::Maximum => write!(text, "{at_ms}, {}", line.max),
            LogValue::Both => write!(text, "{at_ms}, {}, {}", line.value, line.max),
        };
        let _ = write!(text, ", {direction}, {}", line.len_bytes);
        if self.with_offset {
            let _ = write!(text, ", {}", line.offset_bytes);
        }
        text.push_str(", 0\n");
    }

    fn histogram_line(&self, record: &HistogramRecord, text: &mut String) {
        let at_ms = self.epoch_ms + record.end_ns / NS_PER_MS;
        let direction = record.direction.index();
        let _ = write!(text, "{at_ms}, {direction}, {}", self.len_bytes[direction]);
        for count in fio_bins(&record.counts, self.coarseness) {
            let _ = write!(text, ", {count}");
        }
        text.push('\n');
    }
}

struct Line {
    at_ns: u64,
    value: u64,
    max: u64,
    direction: Direction,
    len_bytes: u64,
    offset_bytes: u64,
}

/// The counts in fio's buckets, of which `2^coarseness` become one. What is slower than its last is counted there.
fn fio_bins(counts: &LatencyHistogram, coarseness: u32) -> Vec<u64> {
    let mut bins = vec![0; FIO_BUCKETS >> coarseness.min(6)];
    for (bucket, count) in counts.buckets() {
        let bin = bucket.min(FIO_BUCKETS - 1) >> coarseness.min(6);
        bins[bin] += count;
    }
    bins
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(value: LogValue, with_offset: bool) -> Shape {
        Shape {
            value,
            with_offset,
            epoch_ms: 0,
            window_ns: 500_000_000,
            coarseness: 0,
            has_submission: true,
            len_bytes: [4_096; 4],
        }
    }

    fn io() -> LogChunk {
        LogChunk::Ios(vec![IoRecord {
            completed_ns: 12_999_999,
            direction: Direction::Write,
            offset_bytes: 8_192,
            len_bytes: 4_096,
            submission_ns: 700,
            completion_ns: 99_300,
            total_ns: 100_000,
        }])
    }

    fn window() -> LogChunk {
        let span = |sum_ns, max_ns| Span { sum_ns, max_ns };
        let record = |ios, bytes| WindowRecord {
            end_ns: 500_000_000,
            direction: Direction::Read,
            ios,
            bytes,
            submission: span(30, 20),
            completion: span(301, 200),
            total: span(331, 220),
        };
        LogChunk::Windows(vec![record(2, 8_192), record(0, 0)])
    }

    #[test]
    fn a_line_for_each_io() {
        let lines = |kind, with_offset| shape(LogValue::Average, with_offset).lines(kind, &io());
        assert_eq!(lines(Kind::Completion, false), "12, 99300, 1, 4096, 0\n");
        assert_eq!(lines(Kind::Total, true), "12, 100000, 1, 4096, 8192, 0\n");
        assert_eq!(lines(Kind::Submission, false), "12, 700, 1, 4096, 0\n");
        // 4,096 bytes in the 99.3 µs after they were handed over are 41,248 kB/s.
        assert_eq!(lines(Kind::Bandwidth, false), "12, 41248, 1, 4096, 0\n");
        assert_eq!(lines(Kind::Iops, false), "12, 1, 1, 4096, 0\n");
        assert_eq!(lines(Kind::Histogram, false), "");
        let at_once = Shape { has_submission: false, ..shape(LogValue::Average, false) };
        assert_eq!(at_once.lines(Kind::Submission, &io()), "");
    }

    #[test]
    fn a_line_for_each_window_with_io() {
        let lines = |kind, value| shape(value, false).lines(kind, &window());
        assert_eq!(lines(Kind::Completion, LogValue::Average), "500, 151, 0, 0, 0\n");
        assert_eq!(lines(Kind::Completion, LogValue::Maximum), "500, 200, 0, 0, 0\n");
        assert_eq!(lines(Kind::Total, LogValue::Both), "500, 166, 220, 0, 0, 0\n");
        assert_eq!(lines(Kind::Bandwidth, LogValue::Average), "500, 16, 0, 4096, 0\n");
        assert_eq!(lines(Kind::Iops, LogValue::Average), "500, 4, 0, 4096, 0\n");
    }

    #[test]
    fn histograms_have_fios_bins() {
        let mut counts = LatencyHistogram::default();
        [0, 1, 1, 130, 1 << 40].into_iter().for_each(|ns| counts.record(ns));
        let line = |coarseness| {
            let shape = Shape { coarseness, ..shape(LogValue::Average, false) };
            let record =
                HistogramRecord { end_ns: 1_000_000_000, direction: Direction::Read, counts: counts.clone() };
            shape.lines(Kind::Histogram, &LogChunk::Histograms(vec![record]))
        };
        let fine = line(0);
        assert!(fine.starts_with("1000, 0, 4096, 1, 2, 0, "), "{fine}");
        assert!(fine.ends_with(", 1\n"), "what is slower than the last bucket is in it");
        assert_eq!(fine.split(", ").count(), 3 + 1_856);
        let coarse = line(3);
        assert!(coarse.starts_with("1000, 0, 4096, 3, 0, "), "{coarse}");
        assert_eq!(coarse.split(", ").count(), 3 + 232);
    }
}
