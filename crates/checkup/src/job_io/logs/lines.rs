//! The lines of log files.

use cardiograph_core::display::{LogFiles, LogValue};
use cardiograph_core::histogram::FIO_BUCKETS;
use cardiograph_core::workload::{IoClass, IoPriority};
use cardiograph_core::{Direction, LatencyHistogram, NS_PER_MS, NS_PER_S, PlannedJob};
use cardiograph_engine::find_engine;
use cardiograph_engine::log::{HistogramRecord, IoRecord, LogChunk, Span, WindowRecord};

use super::Kind;

/// Line format of one worker.
#[derive(Debug, Clone)]
pub(super) struct Shape {
    asked: LogFiles,
    window_ns: u64,
    /// I/O priority of the job, if set.
    priority: Option<IoPriority>,
    /// Whether submission takes time: only with asynchronous engines.
    has_submission: bool,
    /// The job's block size, by direction.
    len_bytes: [u64; 4],
}

/// What a line holds.
struct Line {
    at_ns: u64,
    value: u64,
    max: u64,
    direction: Direction,
    len_bytes: u64,
    offset_bytes: u64,
    /// `None` for windows.
    issued_ns: Option<u64>,
}

impl Shape {
    /// The format requested by a job.
    pub fn for_job(job: &PlannedJob, asked: &LogFiles) -> Self {
        let len_bytes = Direction::ALL.map(|direction| job.workload.block_len[direction].min_bytes());
        Self {
            asked: asked.clone(),
            window_ns: job.workload.logged.window_ns,
            priority: job.workload.io_priority,
            has_submission: find_engine(&job.workload.engine).is_some_and(|entry| entry.is_queueing),
            len_bytes,
        }
    }

    /// Appends the lines of a chunk for one kind of file to `text`; times count from `epoch_ns`. Syncs have
    /// no lines, as in fio.
    pub fn write(&self, kind: Kind, chunk: &LogChunk, epoch_ns: u64, text: &mut Vec<u8>) {
        if kind == Kind::Submission && !self.has_submission {
            return;
        }
        let mut pen = Pen { text, digits: itoa::Buffer::new(), epoch_ns };
        match chunk {
            LogChunk::Ios(records) if kind != Kind::Histogram => {
                let moving = records.iter().filter(|record| record.direction != Direction::Sync);
                moving.for_each(|record| self.line(&io_line(kind, record), &mut pen));
            }
            LogChunk::Windows(records) if kind != Kind::Histogram => {
                let shown = |record: &&WindowRecord| {
                    record.direction != Direction::Sync && self.shows_window(kind, record)
                };
                let shown = records.iter().filter(shown);
                shown.for_each(|record| self.line(&self.window_line(kind, record), &mut pen));
            }
            LogChunk::Histograms(records) if kind == Kind::Histogram => {
                let moving = records.iter().filter(|record| record.direction != Direction::Sync);
                moving.for_each(|record| self.histogram_line(record, &mut pen));
            }
            _ => {}
        }
    }

    /// Windows without I/O have no line, as in fio, unless requested. The rate over the short last window of
    /// a job would be misleading.
    fn shows_window(&self, kind: Kind, record: &WindowRecord) -> bool {
        let is_speed = matches!(kind, Kind::Bandwidth | Kind::Iops);
        let is_first = record.end_ns <= self.window_ns;
        let is_scrap = record.len_ns < self.window_ns / 2 && !is_first;
        (record.ios > 0 || self.asked.with_empty_windows) && !(is_speed && is_scrap)
    }

    fn window_line(&self, kind: Kind, record: &WindowRecord) -> Line {
        let per_second =
            |count: u64| (u128::from(count) * u128::from(NS_PER_S) / u128::from(record.len_ns.max(1))) as u64;
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
        let at_ns = record.end_ns.next_multiple_of(NS_PER_MS);
        Line { at_ns, value, max, direction, len_bytes, offset_bytes: 0, issued_ns: None }
    }

    fn line(&self, line: &Line, pen: &mut Pen<'_>) {
        pen.number((pen.epoch_ns + line.at_ns) / NS_PER_MS);
        if self.asked.value != LogValue::Maximum {
            pen.next(line.value);
        }
        if self.asked.value != LogValue::Average {
            pen.next(line.max);
        }
        pen.next(line.direction.index() as u64);
        pen.next(line.len_bytes);
        if self.asked.with_offset {
            pen.next(line.offset_bytes);
        }
        self.priority(line, pen);
        if self.asked.with_issue_time {
            pen.next(line.issued_ns.map_or(0, |ns| pen.epoch_ns + ns));
        }
        pen.text.push(b'\n');
    }

    /// The priority in the kernel's format, or whether it is a high one. Windows have none, as in fio.
    fn priority(&self, line: &Line, pen: &mut Pen<'_>) {
        let priority = self.priority.filter(|_| line.issued_ns.is_some());
        match (self.asked.with_priority, priority) {
            (true, None) => pen.text.extend_from_slice(b", 0x0000"),
            (true, Some(priority)) => {
                pen.text.extend_from_slice(format!(", {:#06x}", priority.kernel_value()).as_bytes());
            }
            (false, priority) => {
                pen.next(u64::from(priority.is_some_and(|priority| priority.class == IoClass::Realtime)));
            }
        }
    }

    fn histogram_line(&self, record: &HistogramRecord, pen: &mut Pen<'_>) {
        pen.number((pen.epoch_ns + record.end_ns.next_multiple_of(NS_PER_MS)) / NS_PER_MS);
        pen.next(record.direction.index() as u64);
        pen.next(self.len_bytes[record.direction.index()]);
        fio_bins(&record.counts, self.asked.histogram_coarseness)
            .into_iter()
            .for_each(|count| pen.next(count));
        pen.text.push(b'\n');
    }
}

fn io_line(kind: Kind, record: &IoRecord) -> Line {
    let value = match kind {
        Kind::Bandwidth => u64::from(record.len_bytes) * 1_000_000 / record.completion_ns.max(1),
        Kind::Iops => 1,
        Kind::Submission => record.submission_ns,
        Kind::Completion => record.completion_ns,
        Kind::Total | Kind::Histogram => record.total_ns,
    };
    let at_ns = match kind {
        // Known as soon as it is submitted.
        Kind::Submission => record.completed_ns.saturating_sub(record.completion_ns),
        _ => record.completed_ns,
    };
    Line {
        at_ns,
        value,
        max: value,
        direction: record.direction,
        len_bytes: u64::from(record.len_bytes),
        offset_bytes: record.offset_bytes,
        issued_ns: Some(record.completed_ns.saturating_sub(record.total_ns)),
    }
}

/// Formats numbers, the main cost of a log of single I/Os.
struct Pen<'a> {
    text: &'a mut Vec<u8>,
    digits: itoa::Buffer,
    epoch_ns: u64,
}

impl Pen<'_> {
    #[inline]
    fn number(&mut self, number: u64) {
        self.text.extend_from_slice(self.digits.format(number).as_bytes());
    }

    #[inline]
    fn next(&mut self, number: u64) {
        self.text.extend_from_slice(b", ");
        self.number(number);
    }
}

/// The counts in fio's buckets, merged in groups of `2^coarseness`. Slower ones count in the last.
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
            asked: LogFiles { value, with_offset, ..LogFiles::default() },
            window_ns: 500_000_000,
            priority: None,
            has_submission: true,
            len_bytes: [4_096; 4],
        }
    }

    fn text(shape: &Shape, kind: Kind, chunk: &LogChunk) -> String {
        let mut text = Vec::new();
        shape.write(kind, chunk, 0, &mut text);
        String::from_utf8(text).unwrap()
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
            len_ns: 500_000_000,
            direction: Direction::Read,
            ios,
            bytes,
            submission: span(ios * 15, ios * 10),
            completion: span(ios * 301 / 2, ios * 100),
            total: span(ios * 331 / 2, ios * 110),
        };
        LogChunk::Windows(vec![record(2, 8_192), record(0, 0)])
    }

    #[test]
    fn a_line_for_each_io() {
        let lines = |kind, with_offset| text(&shape(LogValue::Average, with_offset), kind, &io());
        assert_eq!(lines(Kind::Completion, false), "12, 99300, 1, 4096, 0\n");
        assert_eq!(lines(Kind::Total, true), "12, 100000, 1, 4096, 8192, 0\n");
        assert_eq!(lines(Kind::Submission, false), "12, 700, 1, 4096, 0\n");
        // 4,096 bytes in the 99.3 µs after submission are 41,248 kB/s.
        assert_eq!(lines(Kind::Bandwidth, false), "12, 41248, 1, 4096, 0\n");
        assert_eq!(lines(Kind::Iops, false), "12, 1, 1, 4096, 0\n");
        assert_eq!(lines(Kind::Histogram, false), "");
        let at_once = Shape { has_submission: false, ..shape(LogValue::Average, false) };
        assert_eq!(text(&at_once, Kind::Submission, &io()), "");
    }

    #[test]
    fn a_line_for_each_window_with_io() {
        let lines = |kind, value| text(&shape(value, false), kind, &window());
        assert_eq!(lines(Kind::Completion, LogValue::Average), "500, 151, 0, 0, 0\n");
        assert_eq!(lines(Kind::Completion, LogValue::Maximum), "500, 200, 0, 0, 0\n");
        assert_eq!(lines(Kind::Total, LogValue::Both), "500, 166, 220, 0, 0, 0\n");
        assert_eq!(lines(Kind::Bandwidth, LogValue::Average), "500, 16, 0, 4096, 0\n");
        assert_eq!(lines(Kind::Iops, LogValue::Average), "500, 4, 0, 4096, 0\n");
    }

    #[test]
    fn a_short_last_window_has_the_speed_of_its_actual_length() {
        let cut = |end_ns, len_ns| {
            let LogChunk::Windows(mut records) = window() else { panic!() };
            (records[0].end_ns, records[0].len_ns) = (end_ns, len_ns);
            LogChunk::Windows(records)
        };
        let lines = |kind, chunk: &LogChunk| text(&shape(LogValue::Average, false), kind, chunk);
        // 8 KiB and two I/Os in 250 ms.
        let half = cut(749_999_001, 250_000_000);
        assert_eq!(lines(Kind::Bandwidth, &half), "750, 32, 0, 4096, 0\n");
        assert_eq!(lines(Kind::Iops, &half), "750, 8, 0, 4096, 0\n");
        let scrap = cut(500_010_000, 10_000);
        assert_eq!(lines(Kind::Bandwidth, &scrap) + &lines(Kind::Iops, &scrap), "");
        assert_eq!(lines(Kind::Completion, &scrap), "501, 151, 0, 0, 0\n");
        // A job shorter than a window has no other.
        assert_eq!(lines(Kind::Iops, &cut(1_000_000, 1_000_000)), "1, 2000, 0, 4096, 0\n");
    }

    #[test]
    fn windows_without_io_have_lines_on_request() {
        let mut shape = shape(LogValue::Both, false);
        shape.asked.with_empty_windows = true;
        assert_eq!(text(&shape, Kind::Total, &window()), "500, 166, 220, 0, 0, 0\n500, 0, 0, 0, 0, 0\n");
        assert_eq!(
            text(&shape, Kind::Bandwidth, &window()),
            "500, 16, 16, 0, 4096, 0\n500, 0, 0, 0, 4096, 0\n"
        );
    }

    #[test]
    fn priority_and_time_of_issue_come_last() {
        let mut shape = shape(LogValue::Average, true);
        (shape.asked.with_priority, shape.asked.with_issue_time) = (true, true);
        // It completed 12,999,999 ns after the start, and took 100,000 ns.
        assert_eq!(text(&shape, Kind::Total, &io()), "12, 100000, 1, 4096, 8192, 0x0000, 12899999\n");
        // It was submitted 99,300 ns before completion.
        assert_eq!(text(&shape, Kind::Submission, &io()), "12, 700, 1, 4096, 8192, 0x0000, 12899999\n");
        let mut text = Vec::new();
        shape.write(Kind::Total, &io(), 1_000_000_000_000_000_000, &mut text);
        let expected = "1000000000012, 100000, 1, 4096, 8192, 0x0000, 1000000000012899999\n";
        assert_eq!(String::from_utf8(text).unwrap(), expected);
    }

    #[test]
    fn a_line_has_the_priority_of_its_job() {
        let line = |with_priority, class, chunk: &LogChunk| {
            let mut shape = shape(LogValue::Average, false);
            shape.priority = Some(IoPriority { class, level: 5 });
            shape.asked.with_priority = with_priority;
            text(&shape, Kind::Completion, chunk)
        };
        assert_eq!(line(true, IoClass::Realtime, &io()), "12, 99300, 1, 4096, 0x2005\n");
        assert_eq!(line(true, IoClass::BestEffort, &io()), "12, 99300, 1, 4096, 0x4005\n");
        assert_eq!(line(true, IoClass::Idle, &io()), "12, 99300, 1, 4096, 0x6005\n");
        assert_eq!(line(false, IoClass::Realtime, &io()), "12, 99300, 1, 4096, 1\n");
        assert_eq!(line(false, IoClass::BestEffort, &io()), "12, 99300, 1, 4096, 0\n");
        assert_eq!(line(true, IoClass::Realtime, &window()), "500, 151, 0, 0, 0x0000\n");
        assert_eq!(line(false, IoClass::Realtime, &window()), "500, 151, 0, 0, 0\n");
    }

    #[test]
    fn histograms_have_the_bins_of_fio() {
        let mut counts = LatencyHistogram::default();
        [0, 1, 1, 130, 1 << 40].into_iter().for_each(|ns| counts.record(ns));
        let line = |coarseness| {
            let mut shape = shape(LogValue::Average, false);
            shape.asked.histogram_coarseness = coarseness;
            let record =
                HistogramRecord { end_ns: 1_000_000_000, direction: Direction::Read, counts: counts.clone() };
            text(&shape, Kind::Histogram, &LogChunk::Histograms(vec![record]))
        };
        let fine = line(0);
        assert!(fine.starts_with("1000, 0, 4096, 1, 2, 0, "), "{fine}");
        assert!(fine.ends_with(", 1\n"), "slower I/Os count in the last bucket");
        assert_eq!(fine.split(", ").count(), 3 + 1_856);
        let coarse = line(3);
        assert!(coarse.starts_with("1000, 0, 4096, 3, 0, "), "{coarse}");
        assert_eq!(coarse.split(", ").count(), 3 + 232);
    }
}
