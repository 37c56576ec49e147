//! Runs jobs that name their own files: fio's, and other tools'.

use cardiograph_core::{Message, schemars};
use std::path::{Path, PathBuf};

use cardiograph_core::display::JobDisplay;
use cardiograph_core::drive::Passport;
use cardiograph_core::{Plan, PlannedJob};
use cardiograph_engine::{Control, Observer};
use cardiograph_fio::invocation::FioJob;
use cardiograph_jobs::options;
use cardiograph_jobs::resolve::Surroundings;
use cardiograph_suites::SuiteTraits;
use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::run::Ran;
use crate::runner::{Caller, Opened, Runner, TargetSpec};

/// Runs jobs on files and devices. They are resolved in its [`Surroundings`], the only code that looks at
/// their files.
pub trait JobRunner: Surroundings {
    /// Fails if the answers of [`Surroundings`] must not be used.
    ///
    /// # Errors
    /// When the drive does not respond, or the Agent has died.
    fn check(&self) -> Result<(), Failure>;

    /// Free space on a path's file system, in bytes; `None` if not reported.
    ///
    /// # Errors
    /// As [`check`](Self::check).
    fn free_bytes(&self, path: &Path) -> Result<Option<u64>, Failure>;

    /// The passport of a path, or of the whole machine; `inquires` also queries the drives themselves.
    ///
    /// # Errors
    /// When it cannot be determined, and as [`check`](Self::check).
    fn passport(&self, path: Option<&Path>, inquires: bool, caller: Caller<'_>) -> Result<Passport, Failure>;

    /// Opens the target of a Plan's jobs, whose counters its runs then read.
    ///
    /// # Errors
    /// When it cannot be used, and as [`check`](Self::check).
    fn watch(&self, plan: &Plan, caller: Caller<'_>) -> Result<(Box<dyn Runner>, Opened), Failure>;

    /// Opens the files of jobs, and creates missing ones.
    ///
    /// # Errors
    /// When something is missing, not allowed, or too small, and as [`check`](Self::check). Nothing is left
    /// behind then.
    fn prepare(&self, jobs: JobsSpec, caller: Caller<'_>) -> Result<PreparedJobs, Failure>;

    /// Creates a file for all jobs of a Plan in a directory, or none for engines that do no I/O.
    ///
    /// # Errors
    /// As [`prepare`](Self::prepare).
    fn make_file(&self, file: OwnFile, caller: Caller<'_>) -> Result<PreparedJobs, Failure>;

    /// Runs prepared jobs. A drive that stopped responding, and the death of the Agent, are part of the
    /// result.
    ///
    /// # Errors
    /// When they could not begin.
    fn run(&self, run: RunSpec, observer: &dyn Observer, caller: Caller<'_>) -> Result<Ran, Failure>;

    /// Finishes logs and other outputs of the jobs.
    ///
    /// # Errors
    /// Why they are incomplete.
    fn end_logs(&self, set: usize, caller: Caller<'_>) -> Result<(), Failure>;

    /// Removes the jobs' files where requested. Returns those that could not be removed.
    ///
    /// # Errors
    /// As [`check`](Self::check).
    fn finish(&self, set: usize, caller: Caller<'_>) -> Result<Vec<Message>, Failure>;
}

/// The directory of the first file that a Plan uses, as a target.
pub(crate) fn target_spec(plan: &Plan, surroundings: &dyn Surroundings) -> TargetSpec {
    let does_io = |job: &&PlannedJob| options::engine(&job.workload.engine).does_io;
    let first = plan.jobs.iter().filter(does_io).flat_map(PlannedJob::files).next();
    let path = first.and_then(|file| plan.targets.get(file.target)).map(Path::new);
    let is_there = |directory: &&Path| {
        directory.to_str().is_some_and(|name| !name.is_empty() && surroundings.is_directory(name))
    };
    let directory = path.and_then(Path::parent).filter(is_there).unwrap_or(Path::new("."));
    TargetSpec {
        path: directory.to_path_buf(),
        suite: "job file".to_string(),
        traits: SuiteTraits::default(),
        consents: Vec::new(),
        is_dry: false,
    }
}

/// Jobs to prepare.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct JobsSpec {
    /// The resolved jobs.
    pub plan: Plan,
    /// Their display and logs.
    pub displays: Vec<JobDisplay>,
    /// Their source, for those that are looked up when they start; empty if there are none.
    pub jobs: Vec<FioJob>,
    /// Ids of the devices whose content may be destroyed.
    pub consents: Vec<String>,
    /// Whether they belong to a tool other than fio: unreadable files are refused in advance.
    pub of_tool: bool,
}

/// A file to create for jobs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct OwnFile {
    /// Where; `None` for engines that do no I/O.
    pub directory: Option<PathBuf>,
    /// Its length in bytes.
    pub len_bytes: u64,
}

/// Prepared jobs.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct PreparedJobs {
    /// Number that identifies them.
    pub set: usize,
    /// Layout time of each job, in nanoseconds.
    pub layout_ns: Vec<u64>,
    /// Remarks for the report.
    pub notes: Vec<Message>,
    /// The devices of their files, by number.
    pub devices: Vec<(u32, u32)>,
}

/// Which jobs to run, and how.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct RunSpec {
    /// Number of the [prepared](PreparedJobs::set) set.
    pub set: usize,
    /// A Plan to run on their files instead of the prepared one.
    pub plan: Option<Plan>,
    /// Only the jobs with these indices; `None`: all.
    pub only: Option<Vec<usize>>,
    /// Longer jobs end after this time, in nanoseconds.
    pub time_ns_max: Option<u64>,
    /// Interval of progress events, in nanoseconds.
    pub tick_ns: u64,
    /// Interval of complete results with latencies, in nanoseconds; `None`: on request only.
    pub tell_every_ns: Option<u64>,
    /// Whether progress events are wanted.
    pub wants_progress: bool,
    /// Whether they need latency percentiles.
    pub wants_latency: bool,
    /// Whether they start together with those of other hosts.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub starts_together: bool,
    /// Whether to read the kernel's counters and the conditions of the opened drive.
    pub reads_drive: bool,
    /// Whether to check afterwards for drives that disappeared.
    pub misses_drives: bool,
}

/// All jobs of the first set, as prepared, with results only at the end.
impl Default for RunSpec {
    fn default() -> Self {
        Self {
            set: 0,
            plan: None,
            only: None,
            time_ns_max: None,
            tick_ns: Control::default().tick_ns,
            tell_every_ns: None,
            wants_progress: false,
            wants_latency: false,
            starts_together: false,
            reads_drive: false,
            misses_drives: false,
        }
    }
}
