//! What does jobs that name their own files: fio's, and those of other tools.

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
use crate::runner::{Caller, Opened, PlaceSpec, Runner};

/// Does jobs on files and devices. What they come to is found out in its [`Surroundings`]: it alone looks at their files.
pub trait JobRunner: Surroundings {
    /// Says why what the [`Surroundings`] told is not to be used.
    ///
    /// # Errors
    /// That the drive does not answer, or that whoever looked at it has died.
    fn check(&self) -> Result<(), Failure>;

    /// Room on the file system of a path, in bytes; `None` where it does not tell.
    ///
    /// # Errors
    /// As [`check`](Self::check).
    fn free_bytes(&self, path: &Path) -> Result<Option<u64>, Failure>;

    /// What stands under a path, or on the whole machine; `inquires` asks the drives themselves, too.
    ///
    /// # Errors
    /// Where it cannot be told, and as [`check`](Self::check).
    fn passport(&self, path: Option<&Path>, inquires: bool, caller: Caller<'_>) -> Result<Passport, Failure>;

    /// Opens the place on whose drive the jobs of a Plan run, which its runs then read the counters of.
    ///
    /// # Errors
    /// Where that cannot be used, and as [`check`](Self::check).
    fn watch(&self, plan: &Plan, caller: Caller<'_>) -> Result<(Box<dyn Runner>, Opened), Failure>;

    /// Opens what jobs name, and makes what is missing.
    ///
    /// # Errors
    /// When something is not there, not allowed, or too small, and as [`check`](Self::check). Nothing of ours is left behind then.
    fn prepare(&self, jobs: JobsSpec, caller: Caller<'_>) -> Result<PreparedJobs, Failure>;

    /// Makes a file that all jobs of a Plan use, in a directory, or none for engines that do no I/O.
    ///
    /// # Errors
    /// As [`prepare`](Self::prepare).
    fn make_file(&self, file: OwnFile, caller: Caller<'_>) -> Result<PreparedJobs, Failure>;

    /// Runs jobs that are prepared. A drive that stopped answering, and the death of whoever did the I/O, are in what it gives.
    ///
    /// # Errors
    /// Where they could not begin.
    fn run(&self, run: RunSpec, observer: &dyn Observer, caller: Caller<'_>) -> Result<Ran, Failure>;

    /// Ends what jobs wrote beside their I/O.
    ///
    /// # Errors
    /// Why it is not whole.
    fn end_logs(&self, set: usize, caller: Caller<'_>) -> Result<(), Failure>;

    /// Removes what is to be removed of their files. Returns what could not be.
    ///
    /// # Errors
    /// As [`check`](Self::check).
    fn finish(&self, set: usize, caller: Caller<'_>) -> Result<Vec<Message>, Failure>;
}

/// The directory of the first file that a Plan uses, as a place: what lies under it is the drive.
pub(crate) fn place_of(plan: &Plan, surroundings: &dyn Surroundings) -> PlaceSpec {
    let does_io = |job: &&PlannedJob| options::engine(&job.workload.engine).does_io;
    let first = plan.jobs.iter().filter(does_io).flat_map(PlannedJob::files).next();
    let path = first.and_then(|file| plan.targets.get(file.target)).map(Path::new);
    let is_there = |directory: &&Path| {
        directory.to_str().is_some_and(|name| !name.is_empty() && surroundings.is_directory(name))
    };
    let directory = path.and_then(Path::parent).filter(is_there).unwrap_or(Path::new("."));
    PlaceSpec {
        path: directory.to_path_buf(),
        suite: "job file".to_string(),
        traits: SuiteTraits::default(),
        consents: Vec::new(),
        is_dry: false,
    }
}

/// Jobs that are to be prepared.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct JobsSpec {
    /// What they come to.
    pub plan: Plan,
    /// How they are shown, and what they log.
    pub displays: Vec<JobDisplay>,
    /// As they were written, for those that are looked up when they start; empty where none is.
    pub jobs: Vec<FioJob>,
    /// Ids of the devices whose content may be destroyed.
    pub consents: Vec<String>,
    /// Whether they are those of another tool than fio: what it cannot read is refused before it begins.
    pub of_tool: bool,
}

/// A file that is made for jobs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct OwnFile {
    /// Where; `None` for engines that do no I/O.
    pub directory: Option<PathBuf>,
    /// Its length in bytes.
    pub len_bytes: u64,
}

/// Jobs that can run.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct PreparedJobs {
    /// By which they are named.
    pub set: usize,
    /// Time that laying out took for each job, in nanoseconds.
    pub layout_ns: Vec<u64>,
    /// What a reader of the results should know.
    pub notes: Vec<Message>,
    /// The devices below their files, by number.
    pub devices: Vec<(u32, u32)>,
}

/// Which jobs are run, and how.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct RunSpec {
    /// Those that were [prepared](PreparedJobs::set).
    pub set: usize,
    /// What is run on their files instead of what was prepared.
    pub plan: Option<Plan>,
    /// Only the jobs with these indices; `None`: all.
    pub only: Option<Vec<usize>>,
    /// Time between two looks at how far it is, in nanoseconds.
    pub tick_ns: u64,
    /// Time after which all figures so far are told, with latencies, again and again, in nanoseconds; `None`: when asked for.
    pub tell_every_ns: Option<u64>,
    /// Whether its progress is wanted.
    pub wants_progress: bool,
    /// Whether that is wanted with percentiles of latencies.
    pub wants_latency: bool,
    /// Whether the kernel's counters and the conditions of the drive that was opened are read.
    pub reads_drive: bool,
    /// Whether a drive that is gone afterwards is looked for.
    pub misses_drives: bool,
}

/// All jobs of the first set, as they were prepared, with nothing told but what they come to.
impl Default for RunSpec {
    fn default() -> Self {
        Self {
            set: 0,
            plan: None,
            only: None,
            tick_ns: Control::default().tick_ns,
            tell_every_ns: None,
            wants_progress: false,
            wants_latency: false,
            reads_drive: false,
            misses_drives: false,
        }
    }
}
