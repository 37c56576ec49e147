//! The worker's side of the recorder.

use std::sync::Arc;

use cardiograph_core::histogram::BUCKETS;
use cardiograph_core::result::DepthCounts;
use cardiograph_core::series::WINDOWS_MAX;
use cardiograph_core::series::over_time::{self, LatencyRow};
use cardiograph_core::workload::Logged;
use cardiograph_core::{Direction, PerDirection};

use super::logger::Logger;
use super::{Recorder, Stage};
use crate::clock::Clock;
use crate::log::{IoRecord, LogPen};

/// The moments of one I/O, in ticks.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Moments {
    /// When a rate limit allowed it; equal to `started_at` without a limit.
    pub due_at: u64,
    /// When the worker decided on it.
    pub started_at: u64,
    /// When the engine had submitted it to the kernel.
    pub submitted_at: u64,
    /// When it completed.
    pub completed_at: u64,
}

/// The bytes of one I/O.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Transfer {
    pub direction: Direction,
    pub offset_bytes: u64,
    /// Requested length, in bytes.
    pub len_bytes: u32,
    /// Bytes moved.
    pub bytes: u64,
}

/// The only writer of a recorder.
#[derive(Debug)]
pub(crate) struct Writer {
    recorder: Arc<Recorder>,
    clock: Clock,
    logger: Option<Box<Logger>>,
    /// Used to create the logger once the requested logs are known.
    pen: Option<LogPen>,
    /// The logger, set aside during the ramp.
    resting: Option<Box<Logger>>,
    count_from: u64,
    /// Origin of log times, in ticks: the first `count_from`.
    log_from: u64,
    /// Origin of runtimes, in ticks: `count_from`, or later if a second phase of the job resumes the runtime
    /// of a direction.
    runtime_from: u64,
    window_ticks: u64,
    window: u64,
    window_end: u64,
    second_ticks: u64,
    second: u64,
    second_end: u64,
    /// End of the current window or second, whichever is earlier.
    turn_at: u64,
    /// Latency counts at the start of the second, by direction; empty for unused directions.
    counts_before: PerDirection<Vec<u64>>,
    last_completion_at: u64,
    /// Time of the last failure that counts, in ticks; 0 before the first.
    last_failure_at: u64,
}

impl Writer {
    /// A writer for a recorder, and with a `pen` for a log as well.
    pub fn new(recorder: Arc<Recorder>, clock: Clock, pen: Option<LogPen>) -> Self {
        let counts = |direction| vec![0; if recorder.uses(direction) { BUCKETS } else { 0 }];
        let counts_before = PerDirection::from_fn(counts);
        Self {
            recorder,
            clock,
            logger: None,
            pen,
            resting: None,
            count_from: 0,
            log_from: 0,
            runtime_from: 0,
            window_ticks: 1,
            window: 0,
            window_end: 0,
            second_ticks: 1,
            second: 0,
            second_end: 0,
            turn_at: 0,
            counts_before,
            last_completion_at: 0,
            last_failure_at: 0,
        }
    }

    /// Sets which logs to write.
    pub fn log(&mut self, logged: Logged) {
        self.logger = self.pen.take().map(|pen| Box::new(Logger::new(pen, logged, &self.recorder)));
    }

    /// Sets the time from which I/Os count, where the grid of windows starts.
    pub fn count_from(&mut self, at: u64) {
        self.count_from = at;
        self.log_from = at;
        self.begin_at(at);
    }

    /// Resets all counters and counts from `at` (ticks). Logs are kept and continue.
    pub fn start_over(&mut self, at: u64) {
        if let Some(logger) = &mut self.logger {
            logger.start_over(self.clock.ns_between(self.log_from, at), &self.recorder);
        }
        self.recorder.start_over();
        self.count_from = at;
        self.begin_at(at);
    }

    /// Records the ramp, which begins at `at` (ticks), in case the job ends in it. It is not logged.
    pub fn begin_ramp(&mut self, at: u64) {
        self.resting = self.logger.take();
        let count_from = self.recorder.count_from();
        self.count_from = at;
        self.begin_at(at);
        self.recorder.count_from.set(count_from);
        self.recorder.in_ramp.set(1);
    }

    /// Whether the ramp is being recorded.
    pub fn is_in_ramp(&self) -> bool {
        self.recorder.is_in_ramp()
    }

    /// Discards the ramp and counts from `at` (ticks).
    pub fn end_ramp(&mut self, at: u64) {
        self.start_over(at);
        self.logger = self.resting.take();
        self.recorder.in_ramp.set(0);
    }

    /// Counts the ramp, because the job ends in it.
    pub fn keep_ramp(&self) {
        self.recorder.count_from.set(self.count_from.max(1));
        self.recorder.in_ramp.set(0);
    }

    fn begin_at(&mut self, at: u64) {
        self.runtime_from = at;
        self.window_ticks = self.clock.ticks(self.recorder.window_ns).max(1);
        self.second_ticks = self.clock.ticks(over_time::ROW_NS).max(1);
        self.window = 0;
        self.window_end = at.saturating_add(self.window_ticks);
        self.second = 0;
        self.second_end = at.saturating_add(self.second_ticks);
        self.turn_at = self.window_end.min(self.second_end);
        for direction in Direction::ALL {
            self.counts_before[direction].fill(0);
        }
        self.last_completion_at = at;
        self.last_failure_at = 0;
        self.recorder.count_from.set(at.max(1));
        if let Some(logger) = &self.logger {
            logger.begins_in(self.clock.ns_between(self.clock.now().min(at), at));
        }
    }

    pub fn issued(&self, direction: Direction, bytes: u64) {
        self.recorder.directions[direction.index()].issued_bytes.add(bytes);
    }

    /// Records a call that submitted `n` requests with `before` in flight.
    pub fn handed_over(&self, before: u32, n: u32) {
        if let Some(depths) = &self.recorder.depths {
            depths.handed_over(before, n);
        }
    }

    /// Records a call that reaped `n` requests.
    pub fn taken(&self, n: u32) {
        if let Some(depths) = &self.recorder.depths {
            depths.taken(n);
        }
    }

    /// Sets the worker's stage.
    pub fn enter(&self, stage: Stage) {
        self.recorder.enter(stage);
    }

    /// I/Os and bytes of a direction so far.
    pub fn totals(&self, direction: Direction) -> (u64, u64) {
        self.recorder.totals(direction)
    }

    /// Bytes of a direction that were issued, including the ramp's.
    pub fn issued_bytes(&self, direction: Direction) -> u64 {
        self.recorder.directions[direction.index()].issued_bytes.get()
    }

    /// Queue depths so far.
    pub fn depths(&self) -> DepthCounts {
        self.recorder.depths()
    }

    /// Records a completion that does not count, to show that the drive responds.
    pub fn completed_uncounted(&self) {
        self.recorder.completions.add(1);
    }

    /// From `at` (ticks) on only some directions do I/O. Their runtime resumes where it ended, without the
    /// time in between.
    pub fn resume(&mut self, is_own: impl Fn(Direction) -> bool, at: u64) {
        let own = Direction::ALL.into_iter().filter(|&direction| is_own(direction));
        let spent_ns =
            own.map(|direction| self.recorder.directions[direction.index()].runtime_ns.get()).max();
        self.runtime_from = at.saturating_sub(self.clock.ticks(spent_ns.unwrap_or(0)));
    }

    /// Records a completed sync at the end: its time counts as write time.
    pub fn flushed(&mut self, completed_at: u64) {
        let writes = &self.recorder.directions[Direction::Write.index()];
        writes.runtime_ns.set(self.clock.ns_between(self.runtime_from, completed_at));
        self.recorder.completions.add(1);
        self.move_on(completed_at);
    }

    /// Records a completion.
    #[inline]
    pub fn completed(&mut self, transfer: &Transfer, moments: &Moments) {
        let Moments { due_at, started_at, submitted_at, completed_at } = *moments;
        let Transfer { direction, bytes, .. } = *transfer;
        let completion_ns = self.clock.ns_between(submitted_at, completed_at);
        let total_ns = if submitted_at == started_at {
            completion_ns
        } else {
            self.clock.ns_between(started_at, completed_at)
        };
        if self.logger.is_some() {
            self.log_io(transfer, moments);
        }
        // Must come first: everything recorded before belongs to the previous window and second.
        self.move_on(completed_at);
        let to = &self.recorder.directions[direction.index()];
        if let Some(completion) = &to.completion {
            completion.record(completion_ns);
        }
        if let Some(total) = &to.total {
            total.record(total_ns);
        }
        if let Some(submission) = &to.submission {
            submission.record(self.clock.ns_between(started_at, submitted_at));
        }
        if let Some(intended) = &to.intended {
            intended.record(self.clock.ns_between(due_at, completed_at));
        }
        to.ios.add(1);
        to.bytes.add(bytes);
        if bytes < u64::from(transfer.len_bytes) {
            to.short_ios.add(1);
        }
        to.runtime_ns.set(self.clock.ns_between(self.runtime_from, completed_at));
        self.recorder.completions.add(1);
        if let Some(column) = self.recorder.series.columns[direction.index()]
            && let Some(cell) = self.recorder.series.cell(self.window, column)
        {
            cell.ios.add(1);
            cell.bytes.add(bytes);
            cell.latency_ns_sum.add(total_ns);
            cell.latency_ns_max.raise_to(total_ns);
        }
    }

    /// Records a failed I/O that counts. Its time counts as runtime; it moved nothing, so a stall continues.
    #[cold]
    pub fn failed(&mut self, direction: Direction, completed_at: u64) {
        let to = &self.recorder.directions[direction.index()];
        to.runtime_ns.set(self.clock.ns_between(self.runtime_from, completed_at));
        self.recorder.completions.add(1);
        self.last_failure_at = completed_at;
    }

    /// Logs a completion before it is recorded.
    #[cold]
    fn log_io(&mut self, transfer: &Transfer, moments: &Moments) {
        let Some(logger) = &mut self.logger else { return };
        let Moments { started_at, submitted_at, completed_at, .. } = *moments;
        let Transfer { direction, offset_bytes, len_bytes, bytes } = *transfer;
        let record = IoRecord {
            completed_ns: self.clock.ns_between(self.log_from, completed_at),
            direction,
            offset_bytes,
            len_bytes,
            submission_ns: self.clock.ns_between(started_at, submitted_at),
            completion_ns: self.clock.ns_between(submitted_at, completed_at),
            total_ns: self.clock.ns_between(started_at, completed_at),
        };
        logger.turn(record.completed_ns, &self.recorder);
        logger.io(&record, bytes);
    }

    /// Advances to the time of a completion.
    #[inline]
    fn move_on(&mut self, completed_at: u64) {
        let gap_ns = self.clock.ns_between(self.last_completion_at, completed_at);
        self.recorder.gap_ns_max.raise_to(gap_ns);
        self.last_completion_at = completed_at;
        self.recorder.last_completion_at.set(completed_at);
        if completed_at > self.turn_at {
            self.turn(completed_at);
        }
    }

    /// Advances to the window and second of `at`, which lies after the current ones. A completion exactly at
    /// an end belongs to the ending window, so that the last completion of a run lies in its last window.
    /// Windows in between stay zero. At [`WINDOWS_MAX`] they double in length.
    #[cold]
    fn turn(&mut self, at: u64) {
        let since = at - self.count_from - 1;
        while since / self.window_ticks >= WINDOWS_MAX as u64 {
            self.recorder.series.double_windows();
            self.window_ticks *= 2;
        }
        self.window = since / self.window_ticks;
        self.window_end = self.count_from + (self.window + 1) * self.window_ticks;
        if at > self.second_end {
            self.end_second();
            while since / self.second_ticks >= WINDOWS_MAX as u64 {
                self.recorder.series.double_rows();
                self.second_ticks *= 2;
            }
            self.second = since / self.second_ticks;
            self.second_end = self.count_from + (self.second + 1) * self.second_ticks;
            self.recorder.second.set(self.second);
        }
        self.turn_at = self.window_end.min(self.second_end);
    }

    /// Stores the latencies of the ending second: the counts since the previous one. So latency over time
    /// costs nothing per I/O.
    fn end_second(&mut self) {
        for direction in Direction::ALL {
            let before = &mut self.counts_before[direction];
            let Some(latencies) = self.recorder.latencies(direction).filter(|_| !before.is_empty()) else {
                continue;
            };
            let row = LatencyRow::from_histogram(&latencies.since(before));
            self.recorder.series.add_second(direction, self.second, row);
        }
    }

    /// Time of the last counted completion or failure, in ticks; the start of counting before the first.
    pub fn last_completion_at(&self) -> u64 {
        self.last_completion_at.max(self.last_failure_at)
    }

    /// Hands over the rest of the log.
    pub fn finish(&mut self) {
        let ended_ns = self.clock.ns_between(self.log_from, self.last_completion_at());
        if let Some(logger) = &mut self.logger {
            logger.finish(ended_ns, &self.recorder);
        }
    }
}
