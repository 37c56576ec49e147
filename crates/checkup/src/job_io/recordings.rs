//! Recordings that jobs replay: scanned before a run, and read during it.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::sync::Arc;

use cardiograph_core::replay::{Recording, RecordingProblem, ReplayRules, ReplayStep};
use cardiograph_core::system_error::cause;
use cardiograph_core::system_error::explained;
use cardiograph_core::{Direction, Message, Plan, message};
use cardiograph_engine::replay::{ReplaySteps, Replays};
use cardiograph_fio::iolog::{IologReader, LINE_LEN_BYTES_MAX, RecordedStep};

use crate::failure::Failure;

/// Maximum number of I/Os kept in memory: 64 MiB. A longer recording is read while it is replayed.
const STEPS_MAX: u64 = 1 << 21;

const _: () = assert!(size_of::<ReplayStep>() <= 32);

/// Summary of a recording replayed with these rules.
///
/// # Errors
/// The problem with it.
pub fn scan(path: &str, rules: &ReplayRules) -> Result<Recording, RecordingProblem> {
    let mut recording = Recording::default();
    let mut span_ns: Option<(u64, u64)> = None;
    let mut lines = Lines::open(path, rules)?;
    while let Some(RecordedStep { step, took_ns, at_ns }) = lines.next()? {
        recording.add(&step, lines.reader.name(step.file), took_ns);
        let (begin_ns, end_ns) = span_ns.unwrap_or((at_ns, at_ns));
        span_ns = Some((begin_ns, end_ns.max(at_ns.saturating_add(took_ns.unwrap_or(0)))));
    }
    recording.recorded.duration_ns = span_ns.map_or(0, |(begin_ns, end_ns)| end_ns - begin_ns);
    Ok(recording)
}

/// The steps of a recording, line by line.
struct Lines {
    file: BufReader<File>,
    reader: IologReader,
    line: Vec<u8>,
}

impl Lines {
    fn open(path: &str, rules: &ReplayRules) -> Result<Self, RecordingProblem> {
        let whole = |what: Message| RecordingProblem { line: None, what };
        let file = File::open(path).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => whole(message!("recording-missing")),
            _ => whole(cause(&error)),
        })?;
        if !file.metadata().is_ok_and(|found| found.is_file()) {
            return Err(whole(message!("recording-not-regular")));
        }
        let reader = IologReader::new(rules.clone());
        Ok(Self { file: BufReader::with_capacity(1 << 16, file), reader, line: Vec::new() })
    }

    fn next(&mut self) -> Result<Option<RecordedStep>, RecordingProblem> {
        loop {
            self.line.clear();
            // One byte more than the maximum, to detect lines that are too long.
            let mut limited = (&mut self.file).take(LINE_LEN_BYTES_MAX as u64 + 2);
            let read = limited.read_until(b'\n', &mut self.line);
            if read.map_err(|error| RecordingProblem { line: None, what: cause(&error) })? == 0 {
                self.reader.end()?;
                return Ok(None);
            }
            if self.line.last() == Some(&b'\n') {
                self.line.pop();
            }
            if let Some(step) = self.reader.line(&self.line)? {
                return Ok(Some(step));
            }
        }
    }
}

impl ReplaySteps for Lines {
    fn next(&mut self) -> io::Result<Option<ReplayStep>> {
        let step =
            Lines::next(self).map_err(|problem| explained(io::ErrorKind::Other, with_line(problem)))?;
        Ok(step.map(|step| step.step))
    }
}

/// An error, with its line if any.
fn with_line(RecordingProblem { line, what }: RecordingProblem) -> Message {
    match line {
        Some(line) => message!("recording-line", line = line.to_string(), problem = what),
        None => what,
    }
}

/// Steps in memory.
struct Held {
    steps: Arc<Vec<ReplayStep>>,
    next: usize,
}

impl ReplaySteps for Held {
    fn next(&mut self) -> io::Result<Option<ReplayStep>> {
        let step = self.steps.get(self.next).copied();
        self.next += 1;
        Ok(step)
    }
}

/// Source of the steps of one recording.
enum Source {
    Memory(Arc<Vec<ReplayStep>>),
    File { path: String, rules: ReplayRules },
}

/// The recordings of a Plan.
pub struct Recordings {
    /// Those of each job.
    by_job: Vec<Vec<Source>>,
}

impl Recordings {
    /// Reads the recordings of a Plan; `None` if there are none.
    ///
    /// # Errors
    /// When a recording has changed and can no longer be read.
    pub fn read(plan: &Plan) -> Result<Option<Self>, Failure> {
        let mut by_job = Vec::with_capacity(plan.jobs.len());
        for job in &plan.jobs {
            let mut sources = Vec::new();
            if let Some(replay) = &job.workload.replay {
                for (path, recorded) in &replay.recordings {
                    let rules = &replay.rules;
                    let steps: u64 =
                        Direction::ALL.map(|direction| recorded.directions[direction].ios).iter().sum();
                    sources.push(match replay.is_chunked || steps > STEPS_MAX {
                        true => Source::File { path: path.clone(), rules: rules.clone() },
                        false => Source::Memory(held(path, rules).map_err(|problem| {
                            let problem = with_line(problem);
                            Failure::usage(message!("recording-unusable", path, problem))
                        })?),
                    });
                }
            }
            by_job.push(sources);
        }
        Ok(by_job.iter().any(|sources| !sources.is_empty()).then_some(Self { by_job }))
    }
}

fn held(path: &str, rules: &ReplayRules) -> Result<Arc<Vec<ReplayStep>>, RecordingProblem> {
    let mut lines = Lines::open(path, rules)?;
    let mut steps = Vec::new();
    while let Some(step) = lines.next()? {
        steps.push(step.step);
    }
    Ok(Arc::new(steps))
}

impl Replays for Recordings {
    fn open(&self, job: usize, clone: u32) -> io::Result<Box<dyn ReplaySteps>> {
        let sources = self.by_job.get(job).filter(|sources| !sources.is_empty());
        let sources =
            sources.ok_or_else(|| explained(io::ErrorKind::Other, message!("engine-nothing-to-replay")))?;
        match &sources[clone as usize % sources.len()] {
            Source::Memory(steps) => Ok(Box::new(Held { steps: steps.clone(), next: 0 })),
            Source::File { path, rules } => {
                let lines = Lines::open(path, rules);
                Ok(Box::new(lines.map_err(|problem| {
                    let problem = with_line(problem);
                    explained(io::ErrorKind::Other, message!("recording-problem", path, problem))
                })?))
            }
        }
    }
}
