//! The log files requested by a job, in fio's columns.
//!
//! | column | latency | bandwidth | IOPS |
//! |---|---|---|---|
//! | time | ms since counting began, or since 1970 | the same | the same |
//! | value | ns | KiB/s | I/Os per second |
//! | the window's largest value, if both are requested | ns | KiB/s | I/Os per second |
//! | direction | 0 read, 1 write, 2 trim | the same | the same |
//! | length of the I/O in bytes | 0 in windows | the job's in windows | the job's in windows |
//! | offset in bytes, if requested | 0 in windows | 0 in windows | 0 in windows |
//! | priority | 0, or as the kernel writes it | the same | the same |
//! | time of issue in ns, if requested | 0 in windows | 0 in windows | 0 in windows |
//!
//! A line for a single I/O has that I/O's speed as bandwidth, in units of 1000 bytes per second, and 1 as
//! IOPS, as in fio.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use cardiograph_core::display::{JobDisplay, LogFiles};
use cardiograph_core::{NS_PER_MS, NS_PER_S, Plan, PlannedJob, message};
use cardiograph_engine::log::{LogChunk, LogSink};
use cardiograph_files::output::Writer;
use cardiograph_files::system;
use cardiograph_fio::iolog;
use rustix::time::{ClockId, DynamicClockId, clock_gettime_dynamic};

use super::failures::FailureReporter;
use super::{Notify, OUTPUT_MODE};
use crate::failure::Failure;

mod lines;
mod trace;

use lines::Shape;
use trace::Trace;

/// Lines are buffered up to this length, in bytes.
const TEXT_LEN_BYTES: usize = 64 << 10;

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

/// A log file with buffered lines.
pub(super) struct LogFile {
    file: Writer,
    pub(super) text: Vec<u8>,
    failure: Option<std::io::Error>,
}

/// The files of one worker, and the format of its lines.
struct WorkerLogs {
    /// Index of the file for each kind.
    files: [Option<usize>; KINDS.len()],
    shape: Shape,
    /// The clock whose epoch its times use; `None` counts from its own start.
    clock: Option<DynamicClockId<'static>>,
    /// Its I/O trace, if recorded.
    trace: Option<Mutex<Trace>>,
    /// Reports its failed requests, if the job tolerates them.
    failure_reporter: Option<FailureReporter>,
    /// Reading of that clock when the worker began to count, in nanoseconds.
    epoch_ns: AtomicU64,
}

impl Logs {
    /// Creates the files requested by the jobs; `None` if there are none, and no errors are to be reported.
    ///
    /// # Errors
    /// When a file cannot be created.
    pub fn create(plan: &Plan, displays: &[JobDisplay], notify: &Notify) -> Result<Option<Self>, Failure> {
        let mut logs = Self { workers: Vec::new(), first_of_job: Vec::new(), files: Vec::new() };
        let mut number = 0;
        for (job, display) in plan.jobs.iter().zip(displays) {
            logs.first_of_job.push(logs.workers.len());
            if let Some(number) = display.logs.epoch_clock
                && clock(number).and_then(read_clock_ns).is_none()
            {
                let name = &job.workload.name;
                let number = number.to_string();
                return Err(Failure::usage(message!("log-no-clock", job = name, number)));
            }
            for clone in 0..job.clones.len() {
                number += 1;
                let trace = logs.open_trace(plan, job, clone)?;
                let is_shared = !display.logs.per_job && clone > 0;
                let files = match is_shared {
                    // All clones write to the files of the first.
                    true => logs.workers[logs.first_of_job[logs.first_of_job.len() - 1]].files,
                    false => logs.open_all(job, &display.logs, number)?,
                };
                logs.workers.push(WorkerLogs {
                    files,
                    shape: Shape::for_job(job, &display.logs),
                    clock: display.logs.epoch_clock.and_then(clock),
                    trace: trace.map(Mutex::new),
                    failure_reporter: job
                        .workload
                        .tolerance
                        .is_told
                        .then(|| FailureReporter::new(plan, job, clone, notify)),
                    epoch_ns: AtomicU64::new(0),
                });
            }
        }
        let is_used =
            !logs.files.is_empty() || logs.workers.iter().any(|worker| worker.failure_reporter.is_some());
        Ok(is_used.then_some(logs))
    }

    /// Creates the files of a worker, for the latencies that the job measures.
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

    /// Starts the trace of a clone, if its job is recorded. Clones other than the first have their number
    /// appended to the name.
    fn open_trace(&mut self, plan: &Plan, job: &PlannedJob, clone: usize) -> Result<Option<Trace>, Failure> {
        let Some(name) = &job.workload.record else { return Ok(None) };
        let path = PathBuf::from(if clone == 0 { name.clone() } else { format!("{name}.{clone}") });
        if self.find(&path).is_some() {
            let name = &job.workload.name;
            return Err(Failure::usage(message!("log-trace-shared", job = name, path = &path)));
        }
        let names: Vec<String> =
            job.clones[clone].iter().filter_map(|file| plan.targets.get(file.target).cloned()).collect();
        if let Some((name, why)) = names.iter().find_map(|name| Some((name, iolog::unwritable(name)?))) {
            let job = &job.workload.name;
            return Err(Failure::usage(message!("log-trace-name", job, file = name, reason = why)));
        }
        let index = self.open(path)?;
        let trace = Trace::new(index, names, &mut lock(&self.files[index]).text);
        Ok(Some(trace))
    }

    fn find(&self, path: &Path) -> Option<usize> {
        self.files.iter().position(|file| lock(file).file.path() == path)
    }

    fn open(&mut self, path: PathBuf) -> Result<usize, Failure> {
        if let Some(known) = self.find(&path) {
            return Ok(known);
        }
        self.files.push(Mutex::new(LogFile::open(&path, "write_bw_log=/tmp/card")?));
        Ok(self.files.len() - 1)
    }

    fn worker(&self, job: usize, clone: u32) -> Option<&WorkerLogs> {
        self.workers.get(self.first_of_job.get(job)? + clone as usize)
    }

    /// Writes everything to the files.
    ///
    /// # Errors
    /// The first line that could not be written.
    pub fn finish(self) -> Result<(), Failure> {
        for trace in self.workers.into_iter().filter_map(|worker| worker.trace) {
            let mut trace = trace.into_inner().unwrap_or_else(PoisonError::into_inner);
            let mut file = lock(&self.files[trace.file]);
            trace.finish(&mut file.text);
        }
        for file in self.files {
            let mut file = file.into_inner().unwrap_or_else(PoisonError::into_inner);
            file.finish()?;
        }
        Ok(())
    }
}

fn lock(file: &Mutex<LogFile>) -> std::sync::MutexGuard<'_, LogFile> {
    file.lock().unwrap_or_else(PoisonError::into_inner)
}

impl LogFile {
    /// A new file; `example` shows how to write the option.
    ///
    /// # Errors
    /// When it cannot be created.
    pub(super) fn open(path: &Path, example: &str) -> Result<Self, Failure> {
        let file = Writer::open(system(), path, OUTPUT_MODE).map_err(|refused| {
            let refused = refused.message();
            Failure::usage(message!("log-refused", refused, example))
        })?;
        Ok(Self { file, text: Vec::new(), failure: None })
    }

    /// Writes all lines to the file.
    ///
    /// # Errors
    /// The first line that could not be written.
    pub(super) fn finish(&mut self) -> Result<(), Failure> {
        self.write_out();
        let finished = self.file.finish();
        self.failure.take().or(finished.err()).map_or(Ok(()), |error| {
            Err(Failure::io(message!("log-not-written", path = self.file.path(), error)))
        })
    }

    pub(super) fn write_out_if_long(&mut self) {
        if self.text.len() >= TEXT_LEN_BYTES {
            self.write_out();
        }
    }

    fn write_out(&mut self) {
        if self.failure.is_none() {
            self.failure = self.file.write_all(&self.text).err();
        }
        self.text.clear();
    }
}

impl LogSink for Logs {
    fn begins(&self, job: usize, clone: u32, at: Instant) {
        let Some(worker) = self.worker(job, clone) else { return };
        let Some(clock) = worker.clock else { return };
        // Some clocks do not exist on some machines: that was checked when the logs were created.
        let Some(now_ns) = read_clock_ns(clock) else { return };
        let now = Instant::now();
        let ahead_ns = u64::try_from(at.saturating_duration_since(now).as_nanos()).unwrap_or(0);
        let behind_ns = u64::try_from(now.saturating_duration_since(at).as_nanos()).unwrap_or(0);
        let epoch_ns = now_ns.saturating_add(ahead_ns).saturating_sub(behind_ns);
        // In whole milliseconds, so that the intervals of lines do not change.
        worker.epoch_ns.store(epoch_ns - epoch_ns % NS_PER_MS, Ordering::Relaxed);
    }

    fn take(&self, job: usize, clone: u32, chunk: LogChunk) {
        let Some(worker) = self.worker(job, clone) else { return };
        if let (LogChunk::Failures(records), Some(failure_reporter)) = (&chunk, &worker.failure_reporter) {
            return failure_reporter.report(records);
        }
        if let LogChunk::Trace(records) = &chunk {
            let Some(trace) = &worker.trace else { return };
            let mut trace = trace.lock().unwrap_or_else(PoisonError::into_inner);
            let mut file = lock(&self.files[trace.file]);
            trace.take(records, &mut file.text);
            return file.write_out_if_long();
        }
        let epoch_ns = worker.epoch_ns.load(Ordering::Relaxed);
        for (place, (kind, _)) in KINDS.into_iter().enumerate() {
            let Some(file) = worker.files[place] else { continue };
            let mut file = lock(&self.files[file]);
            worker.shape.write(kind, &chunk, epoch_ns, &mut file.text);
            file.write_out_if_long();
        }
    }
}

/// Linux' clock with a number.
fn clock(number: u32) -> Option<DynamicClockId<'static>> {
    Some(match number {
        0 => DynamicClockId::Known(ClockId::Realtime),
        1 => DynamicClockId::Known(ClockId::Monotonic),
        4 => DynamicClockId::Known(ClockId::MonotonicRaw),
        5 => DynamicClockId::Known(ClockId::RealtimeCoarse),
        6 => DynamicClockId::Known(ClockId::MonotonicCoarse),
        7 => DynamicClockId::Boottime,
        8 => DynamicClockId::RealtimeAlarm,
        9 => DynamicClockId::BoottimeAlarm,
        11 => DynamicClockId::Tai,
        _ => return None,
    })
}

/// Reading of a clock, in nanoseconds; `None` if the machine has no such clock.
fn read_clock_ns(clock: DynamicClockId<'static>) -> Option<u64> {
    let shown = clock_gettime_dynamic(clock).ok()?;
    Some(u64::try_from(shown.tv_sec).ok()?.saturating_mul(NS_PER_S) + u64::try_from(shown.tv_nsec).ok()?)
}
