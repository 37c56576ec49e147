//! What a fio command line asks for: how to run and show, and the jobs.

use cardiograph_core::schemars;
use cardiograph_core::{JobSpec, Message, NS_PER_S, Origin};
use serde::{Deserialize, Serialize};

use super::output::terse::TerseVersion;
use super::syntax::Located;

/// What a fio command line asks for, its job files included.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Invocation {
    /// Everything that is not a job.
    pub program: ProgramOptions,
    /// The jobs in the order in which they run: those of the command line, then those of the job files.
    pub jobs: Vec<FioJob>,
    /// What was accepted with a remark.
    pub notes: Vec<Located>,
    /// The files that others include.
    pub includes: Vec<Include>,
}

/// A file that another includes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Include {
    /// The file.
    pub path: String,
    /// Where it is included for the first time.
    pub origin: Origin,
}

/// A job of a command line or a job file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct FioJob {
    /// All its settings: those of the global sections before it, then its own, so that its own win. Its name is the
    /// section's, or that of its own last `name=`; a `name` that a global section sets does not count.
    pub spec: JobSpec,
    /// How many of the settings come from global sections. The others are its own.
    pub own_from: usize,
    /// The first job of a second or later job file. It waits for all jobs before it, as if it had `stonewall`.
    pub starts_group: bool,
}

/// A command line that cannot be followed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rejection {
    /// All that is wrong, in the order in which it was read. Never empty.
    pub errors: Vec<Located>,
    /// What was accepted with a remark all the same.
    pub notes: Vec<Located>,
    /// The jobs as far as they were understood, so that more can be said of them.
    pub jobs: Vec<FioJob>,
    /// The files that others include.
    pub includes: Vec<Include>,
}

/// When the line with the time that is left is shown (`--eta`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum EtaWhen {
    /// On a terminal that shows the normal output.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// The outputs that are asked for (`--output-format`, `--minimal`, `--append-terse`). Several can be on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OutputFormats {
    /// Text for people.
    pub normal: bool,
    /// Fields separated by semicolons.
    pub terse: bool,
    /// JSON.
    pub json: bool,
    /// JSON with histograms. fio writes one JSON document when this and `json` are on: this one.
    pub json_plus: bool,
}

impl OutputFormats {
    /// None of them.
    pub const NONE: Self = Self { normal: false, terse: false, json: false, json_plus: false };
}

impl Default for OutputFormats {
    fn default() -> Self {
        Self { normal: true, ..Self::NONE }
    }
}

/// The options of the program, as against those of jobs.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ProgramOptions {
    /// The file that the output goes to; standard output if not set.
    pub output: Option<String>,
    /// The outputs.
    pub formats: OutputFormats,
    /// Version of the terse output.
    pub terse_version: TerseVersion,
    /// When the line with the time that is left is shown.
    pub eta: EtaWhen,
    /// Start a new line for the time that is left after so many nanoseconds.
    pub eta_newline_ns: Option<u64>,
    /// Renew the line with the time that is left after so many nanoseconds; after a second if not set.
    pub eta_interval_ns: Option<u64>,
    /// Show the statistics so far after so many nanoseconds.
    pub status_interval_ns: Option<u64>,
    /// Refuse jobs that write or trim.
    pub readonly: bool,
    /// Read the jobs and stop.
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
    /// Treat what fio warns of as an error.
    pub warnings_fatal: bool,
    /// Print notes on standard error, too.
    pub notes: bool,
    /// Ids of the devices whose content may be destroyed.
    pub allow_destroy: Vec<String>,
}

impl ProgramOptions {
    /// After how many nanoseconds the line with the time that is left is renewed.
    pub fn eta_interval_ns(&self) -> u64 {
        self.eta_interval_ns.unwrap_or(NS_PER_S)
    }

    /// Whether only a text about the program is asked for, so that job files are not read.
    pub fn asks_for_information(&self) -> bool {
        self.version || self.help || self.cmdhelp.is_some() || self.enghelp.is_some()
    }
}

/// What `$pagesize`, `$mb_memory` and `$ncpus` in a job file stand for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MachineFacts {
    /// Length of a memory page in bytes.
    pub page_len_bytes: u64,
    /// Main memory in MiB.
    pub memory_mib: u64,
    /// CPUs that are online.
    pub cpus: u64,
}

/// How a parser gets at what is outside of it.
pub trait Loader {
    /// The content of the job file `path`, as written on a command line or behind `include`; `-` is standard input.
    /// A file that is longer than [`FILE_LEN_BYTES_MAX`](super::jobfile::FILE_LEN_BYTES_MAX) is refused by the
    /// parser: there is no need to read more than one byte beyond that.
    ///
    /// # Errors
    /// Why it cannot be read, a phrase.
    fn load(&mut self, path: &str) -> Result<Vec<u8>, Message>;

    /// The environment variable of this name.
    fn variable(&self, name: &str) -> Option<String>;

    /// The machine.
    fn machine(&self) -> MachineFacts;
}
