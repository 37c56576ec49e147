//! The contents of a fio command line: program options and jobs.

use cardiograph_core::schemars;
use cardiograph_core::{JobSpec, Message, NS_PER_S, Origin};
use serde::{Deserialize, Serialize};

use super::output::terse::TerseVersion;
use super::syntax::Located;

/// The contents of a fio command line and its job files.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Invocation {
    /// Everything except jobs.
    pub program: ProgramOptions,
    /// The jobs in the order in which they run: first those of the command line, then those of the job files.
    pub jobs: Vec<FioJob>,
    /// Settings accepted with a remark.
    pub notes: Vec<Located>,
    /// Included files.
    pub includes: Vec<Include>,
}

/// An included file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Include {
    /// The file.
    pub path: String,
    /// Where it is first included.
    pub origin: Origin,
}

/// A job of a command line or a job file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct FioJob {
    /// All its settings: inherited ones first, so that its own win. Its name is the section's or its own last `name=`;
    /// a `name` in a global section does not count.
    pub spec: JobSpec,
    /// The number of settings from global sections. The others are its own.
    pub own_from: usize,
    /// Whether it is the first job of a second or later job file. Such a job waits for all jobs before it, as with
    /// `stonewall`.
    pub starts_group: bool,
}

/// A rejected command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rejection {
    /// All errors in the order in which they were found. Never empty.
    pub errors: Vec<Located>,
    /// Settings accepted with a remark.
    pub notes: Vec<Located>,
    /// The jobs as far as they were understood, for further diagnostics.
    pub jobs: Vec<FioJob>,
    /// Included files.
    pub includes: Vec<Include>,
}

/// When to show the progress line (`--eta`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum EtaWhen {
    /// On a terminal with normal output.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// The requested outputs (`--output-format`, `--minimal`, `--append-terse`). Several can be on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OutputFormats {
    /// Text for people.
    pub normal: bool,
    /// Fields separated by semicolons.
    pub terse: bool,
    /// JSON.
    pub json: bool,
    /// JSON with histograms. If `json` is on as well, fio writes only this document.
    pub json_plus: bool,
}

impl OutputFormats {
    /// No output.
    pub const NONE: Self = Self { normal: false, terse: false, json: false, json_plus: false };
}

impl Default for OutputFormats {
    fn default() -> Self {
        Self { normal: true, ..Self::NONE }
    }
}

/// The program's options, in contrast to those of jobs.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ProgramOptions {
    /// The output file; standard output if unset.
    pub output: Option<String>,
    /// The outputs.
    pub formats: OutputFormats,
    /// Version of the terse output.
    pub terse_version: TerseVersion,
    /// When to show the progress line.
    pub eta: EtaWhen,
    /// Start a new progress line at this interval, in nanoseconds.
    pub eta_newline_ns: Option<u64>,
    /// Update the progress line at this interval, in nanoseconds; every second if unset.
    pub eta_interval_ns: Option<u64>,
    /// Show the statistics so far at this interval, in nanoseconds.
    pub status_interval_ns: Option<u64>,
    /// Refuse jobs that write or trim.
    pub readonly: bool,
    /// Parse the jobs and stop.
    pub parse_only: bool,
    /// Print job files as command lines and stop (see [`showcmd`](super::showcmd::showcmd)).
    pub showcmd: bool,
    /// Print the version and stop.
    pub version: bool,
    /// Print a summary of the options and stop.
    pub help: bool,
    /// Explain this job option and stop; `all` stands for all of them.
    pub cmdhelp: Option<String>,
    /// Explain this engine, or with a comma one option of it, and stop; empty to list the engines.
    pub enghelp: Option<String>,
    /// The sections to run; all when empty.
    pub sections: Vec<String>,
    /// Treat fio's warnings as errors.
    pub warnings_fatal: bool,
    /// Also print notes to standard error.
    pub notes: bool,
    /// Ids of devices approved for erasing.
    pub allow_erase: Vec<String>,
}

impl ProgramOptions {
    /// The update interval of the progress line in nanoseconds.
    pub fn eta_interval_ns(&self) -> u64 {
        self.eta_interval_ns.unwrap_or(NS_PER_S)
    }

    /// Whether only information about the program is requested, so that job files are not read.
    pub fn asks_for_information(&self) -> bool {
        self.version || self.help || self.cmdhelp.is_some() || self.enghelp.is_some()
    }
}

/// The values of `$pagesize`, `$mb_memory` and `$ncpus` in job files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MachineFacts {
    /// Length of a memory page in bytes.
    pub page_len_bytes: u64,
    /// Main memory in MiB.
    pub memory_mib: u64,
    /// Online CPUs.
    pub cpus: u64,
}

/// A parser's access to the outside world.
pub trait Loader {
    /// The content of the job file `path`, as named on a command line or by `include`; `-` is standard input. The
    /// parser refuses files longer than [`FILE_LEN_BYTES_MAX`](super::jobfile::FILE_LEN_BYTES_MAX), so reading one byte
    /// beyond that is enough.
    ///
    /// # Errors
    /// A phrase that says why it cannot be read.
    fn load(&mut self, path: &str) -> Result<Vec<u8>, Message>;

    /// The environment variable of this name.
    fn variable(&self, name: &str) -> Option<String>;

    /// The machine.
    fn machine(&self) -> MachineFacts;
}
