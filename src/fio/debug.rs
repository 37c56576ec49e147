//! What `--debug` prints, among the results as fio does: a topic, a job, and what there is to say.

use std::fmt::Write as _;
use std::io::Write as _;
use std::sync::{Arc, Mutex, PoisonError};

use cardiograph_checkup::messages::strerror;
use cardiograph_core::replay::ReplayAction;
use cardiograph_core::rng::derive_seed;
use cardiograph_core::text::plain;
use cardiograph_core::{Direction, FileUse, Plan, PlannedJob};
use cardiograph_engine::log::{FailureRecord, TraceRecord};
use cardiograph_files::output::Writer;
use cardiograph_fio::invocation::{DebugTopics, FioJob};
use cardiograph_fio::origin::describe_origin;
use cardiograph_jobs::resolve::Resolved;

/// What `--debug=help` shows.
pub const TOPICS: &str = "\
parse    What was written for each job and where, and what it came to
io       Each I/O when it was complete: what it did, when, how long it took, and what it moved
random   The seed of each clone, and the block that each I/O of a random job has
";

/// What is printed, and where.
#[derive(Debug, Clone, Default)]
pub struct Debug {
    /// The topics.
    pub topics: DebugTopics,
    /// The file of `--output`; standard output without.
    pub file: Option<Arc<Mutex<Writer>>>,
}

impl Debug {
    /// Prints lines. Whoever was to read them may be gone, and the file says at its end that it is not complete.
    fn tell(&self, text: &str) {
        let text = plain(text);
        let _ = match &self.file {
            Some(file) => file.lock().unwrap_or_else(PoisonError::into_inner).write_all(text.as_bytes()),
            None => std::io::stdout().lock().write_all(text.as_bytes()),
        };
    }
}

/// Tells what was read, and what random jobs begin with.
pub fn tell_plan(debug: &Debug, jobs: &[FioJob], resolved: &Resolved) {
    let topics = debug.topics;
    let mut text = String::new();
    for (index, planned) in resolved.plan.jobs.iter().enumerate() {
        if topics.parse {
            parsed(&mut text, jobs.get(index), planned, &resolved.plan);
        }
        if topics.random && planned.workload.order.is_random() {
            seeds(&mut text, planned);
        }
    }
    debug.tell(&text);
}

fn parsed(text: &mut String, job: Option<&FioJob>, planned: &PlannedJob, plan: &Plan) {
    let name = &planned.workload.name;
    for setting in job.iter().flat_map(|job| &job.spec.settings) {
        let place = describe_origin(&setting.origin);
        let (option, value) = (&setting.option, setting.value.escape_debug());
        let _ = writeln!(text, "parse    job '{name}': {option}={value} ({place})");
    }
    // A workload is a plain value: there is nothing in it that JSON could not hold.
    let workload = serde_json::to_string(&planned.workload).unwrap_or_default();
    let _ = writeln!(text, "parse    job '{name}' comes to {workload}");
    for (clone, files) in planned.clones.iter().enumerate() {
        for file in files {
            let FileUse { target, offset_bytes, .. } = *file;
            let end_bytes = file.end_bytes();
            let path = &plan.targets[target];
            let _ = writeln!(
                text,
                "parse    job '{name}', clone {clone}: {path}, bytes {offset_bytes} to {end_bytes}"
            );
        }
    }
}

fn seeds(text: &mut String, planned: &PlannedJob) {
    let workload = &planned.workload;
    for clone in 0..planned.clones.len() as u64 {
        let seed = derive_seed(workload.seed, clone);
        let _ = writeln!(
            text,
            "random   job '{}', clone {clone}: seed {seed}, {:?}, {:?}",
            workload.name, workload.order, workload.distribution
        );
    }
}

/// Tells of the requests of one worker.
#[derive(Debug)]
pub struct RequestTeller {
    debug: Debug,
    /// The job and the clone.
    who: String,
    is_random: bool,
    /// Name and part of each file.
    files: Vec<(String, FileUse)>,
    /// The grid of places in bytes, by direction.
    align_bytes: [u64; 4],
}

impl RequestTeller {
    /// A teller for a clone of a job.
    pub fn new(debug: Debug, plan: &Plan, job: &PlannedJob, clone: usize) -> Self {
        let workload = &job.workload;
        let named = |file: &FileUse| (plan.targets[file.target].clone(), *file);
        Self {
            debug,
            who: format!("job '{}', clone {clone}", workload.name),
            is_random: workload.order.is_random() && workload.replay.is_none(),
            files: job.clones[clone].iter().map(named).collect(),
            align_bytes: Direction::ALL.map(|direction| workload.align_bytes[direction].max(1)),
        }
    }

    /// Tells of requests that are complete.
    pub fn requests(&self, records: &[TraceRecord]) {
        if !self.debug.topics.follows_requests() {
            return;
        }
        let mut text = String::new();
        records.iter().for_each(|record| self.request(record, &mut text));
        self.debug.tell(&text);
    }

    fn request(&self, record: &TraceRecord, text: &mut String) {
        let TraceRecord { number, started_ns, took_ns, action, offset_bytes, len_bytes, result, .. } =
            *record;
        let (direction, what) = match action {
            ReplayAction::Read => (Direction::Read, "read"),
            ReplayAction::Write => (Direction::Write, "write"),
            ReplayAction::Trim => (Direction::Trim, "trim"),
            ReplayAction::Sync => (Direction::Sync, "fsync"),
            ReplayAction::Datasync => (Direction::Sync, "fdatasync"),
        };
        let (path, begin_bytes) = self.file(record.file);
        let who = &self.who;
        if self.debug.topics.random && self.is_random && direction != Direction::Sync {
            let block = offset_bytes.saturating_sub(begin_bytes) / self.align_bytes[direction.index()];
            let _ = writeln!(text, "random   {who}: request {number}: {what} of block {block} of {path}");
        }
        if !self.debug.topics.io {
            return;
        }
        let _ = write!(text, "io       {who}: request {number}: {what} of {path}");
        if direction != Direction::Sync {
            let _ = write!(text, ", {len_bytes} bytes at {offset_bytes}");
        }
        let (started_us, took_us) = (started_ns as f64 / 1e3, took_ns as f64 / 1e3);
        let _ = write!(text, ", after {started_us:.3} us, took {took_us:.3} us");
        let _ = match result {
            ..0 => writeln!(text, ", failed: {}", strerror(-result)),
            moved if direction != Direction::Sync && moved as u32 != len_bytes => {
                writeln!(text, ", moved {moved}")
            }
            _ => writeln!(text),
        };
    }

    /// Tells of errors that the job goes on after.
    pub fn failures(&self, records: &[FailureRecord]) {
        for FailureRecord { file, failure } in records {
            let (path, _) = self.file(*file);
            super::complain(&format!(
                "{}: {path}: {}: {} offset={}, buflen={}",
                self.who,
                strerror(failure.errno),
                failure.direction.name(),
                failure.offset_bytes,
                failure.len_bytes
            ));
        }
    }

    fn file(&self, index: u32) -> (&str, u64) {
        self.files.get(index as usize).map_or(("", 0), |(path, file)| (path, file.offset_bytes))
    }
}
