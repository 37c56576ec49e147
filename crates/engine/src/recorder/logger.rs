//! Logs of a worker, as requested: each I/O, windows, histograms.

use cardiograph_core::Direction;
use cardiograph_core::histogram::BUCKETS;
use cardiograph_core::workload::Logged;

use super::Recorder;
use crate::log::{HistogramRecord, IoRecord, LogPen, WindowRecord};

/// Turns I/Os into records.
#[derive(Debug)]
pub(super) struct Logger {
    pen: LogPen,
    single_ios: bool,
    windows: Option<Windows>,
    histograms: Option<Histograms>,
}

/// A window for each used direction.
#[derive(Debug)]
struct Windows {
    len_ns: u64,
    end_ns: u64,
    now: Vec<WindowRecord>,
}

/// The counts at the last record, for each used direction.
#[derive(Debug)]
struct Histograms {
    every_ns: u64,
    end_ns: u64,
    before: Vec<(Direction, Box<[u64]>)>,
}

impl Logger {
    /// A logger for the requested logs of a recorder's directions.
    pub fn new(pen: LogPen, logged: Logged, recorder: &Recorder) -> Self {
        let used = || Direction::ALL.into_iter().filter(|&direction| recorder.uses(direction));
        let windows = (logged.ios && logged.window_ns > 0).then(|| Windows {
            len_ns: logged.window_ns,
            end_ns: logged.window_ns,
            now: used().map(|direction| empty(direction, logged.window_ns, logged.window_ns)).collect(),
        });
        let histograms = (logged.histogram_every_ns > 0).then(|| Histograms {
            every_ns: logged.histogram_every_ns,
            end_ns: logged.histogram_every_ns,
            before: used().map(|direction| (direction, vec![0; BUCKETS].into())).collect(),
        });
        Self { pen, single_ios: logged.ios && logged.window_ns == 0, windows, histograms }
    }

    /// Announces that counting begins in `ns` nanoseconds.
    pub fn begins_in(&self, ns: u64) {
        self.pen.begins_in(ns);
    }

    /// Emits records that ended before an I/O completed at `completed_ns`. The I/O itself is not yet in the
    /// recorder.
    #[inline]
    pub fn turn(&mut self, completed_ns: u64, recorder: &Recorder) {
        // A completion exactly at the end belongs to the ending window.
        if let Some(windows) = &mut self.windows {
            while completed_ns > windows.end_ns {
                windows.turn(&mut self.pen);
            }
        }
        if let Some(histograms) = &mut self.histograms
            && completed_ns > histograms.end_ns
        {
            histograms.turn(completed_ns, &mut self.pen, recorder);
        }
    }

    /// Logs an I/O that moved `bytes`.
    #[inline]
    pub fn io(&mut self, record: &IoRecord, bytes: u64) {
        if self.single_ios {
            self.pen.io(record);
        }
        if let Some(windows) = &mut self.windows
            && let Some(window) = windows.now.iter_mut().find(|window| window.direction == record.direction)
        {
            window.ios += 1;
            window.bytes += bytes;
            window.submission.add(record.submission_ns);
            window.completion.add(record.completion_ns);
            window.total.add(record.total_ns);
        }
    }

    /// Prepares for the recorder to reset its counters at `now_ns`.
    pub fn start_over(&mut self, now_ns: u64, recorder: &Recorder) {
        self.turn(now_ns, recorder);
        if let Some(histograms) = &mut self.histograms {
            histograms.record(histograms.end_ns, &mut self.pen, recorder);
            histograms.before.iter_mut().for_each(|(_, before)| before.fill(0));
        }
    }

    /// Logs the unfinished records, and hands over everything.
    pub fn finish(&mut self, ended_ns: u64, recorder: &Recorder) {
        self.turn(ended_ns, recorder);
        if let Some(windows) = &mut self.windows
            && windows.now.iter().any(|window| window.ios > 0)
        {
            windows.cut(ended_ns);
            windows.turn(&mut self.pen);
        }
        if let Some(histograms) = &mut self.histograms {
            histograms.record(histograms.end_ns.min(ended_ns), &mut self.pen, recorder);
        }
        self.pen.finish();
    }
}

impl Windows {
    /// Advances to another window. Windows without I/O are records of zeros, so that gaps are visible.
    fn turn(&mut self, pen: &mut LogPen) {
        self.end_ns = self.end_ns.saturating_add(self.len_ns);
        for window in &mut self.now {
            pen.window(window);
            *window = empty(window.direction, self.end_ns, self.len_ns);
        }
    }

    /// Cuts the windows off at the end of the job.
    fn cut(&mut self, ended_ns: u64) {
        let begin_ns = self.end_ns.saturating_sub(self.len_ns);
        for window in &mut self.now {
            window.end_ns = window.end_ns.min(ended_ns);
            window.len_ns = window.end_ns.saturating_sub(begin_ns);
        }
    }
}

fn empty(direction: Direction, end_ns: u64, len_ns: u64) -> WindowRecord {
    let (submission, completion, total) = Default::default();
    WindowRecord { end_ns, len_ns, direction, ios: 0, bytes: 0, submission, completion, total }
}

impl Histograms {
    /// Advances to `completed_ns`. Times without I/O have no record.
    #[cold]
    fn turn(&mut self, completed_ns: u64, pen: &mut LogPen, recorder: &Recorder) {
        self.record(self.end_ns, pen, recorder);
        let passed = (completed_ns - self.end_ns - 1) / self.every_ns + 1;
        self.end_ns = self.end_ns.saturating_add(passed.saturating_mul(self.every_ns));
    }

    fn record(&mut self, end_ns: u64, pen: &mut LogPen, recorder: &Recorder) {
        for (direction, before) in &mut self.before {
            let counts = recorder.completions_since(*direction, before);
            if !counts.is_empty() {
                pen.histogram(HistogramRecord { end_ns, direction: *direction, counts });
            }
        }
    }
}
