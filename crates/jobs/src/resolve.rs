//! Resolves JobSpecs into a [`Plan`].
//!
//! All problems of a job are found here, at once and before anything is touched: unknown options, invalid values,
//! contradictions, missing settings. Options have fio's meaning.

use cardiograph_core::schemars;
use std::borrow::Borrow;

use cardiograph_core::display::JobDisplay;
use cardiograph_core::plan::{Plan, PlannedJob};
use cardiograph_core::replay::{Recording, RecordingProblem, ReplayRules};
use cardiograph_core::spec::{JobSpec, Origin, Setting};
use cardiograph_core::{Message, message};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};

use crate::value::ValueError;

mod content;
mod display;
mod engine;
mod errors;
mod file_action;
mod file_names;
mod files;
mod handling;
mod motion;
mod pace;
mod process;
mod rates;
mod reader;
mod replay;
mod stop;
mod targets;
mod timing;
mod verify;
mod workload;

use reader::Reader;

/// The longest single I/O in bytes: Linux moves at most 2 GiB minus a page per call.
const BLOCK_LEN_BYTES_MAX: u64 = 1 << 30;
/// Maximum end of a file in bytes: offsets are signed.
const FILE_LEN_BYTES_MAX: u64 = i64::MAX as u64;

/// Maximum number of files used by the clones of all jobs of a Plan.
const FILES_MAX: u64 = 1 << 18;
/// Maximum number of problems reported. By then a mistake repeated in a thousand sections is known.
pub const DIAGNOSTICS_MAX: usize = 1_000;
/// Maximum number of remarks.
const REMARKS_MAX: usize = 1_000;

/// A problem with a setting or a whole job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Problem {
    /// No option has this name.
    UnknownOption,
    /// The option belongs to engines that the job does not use.
    OtherEngine {
        /// The engines that have it.
        engines: &'static [&'static str],
    },
    /// The option is fio's but cannot work here.
    Refused {
        /// Why, and what to do instead: a phrase.
        why: &'static Message,
    },
    /// No engine has this name.
    NoSuchEngine {
        /// The engines that exist.
        engines: Vec<&'static str>,
    },
    /// The value is invalid.
    BadValue(ValueError),
    /// A length is missing and cannot be inferred.
    SizeMissing,
    /// The region is too small for an I/O.
    RegionTooSmall {
        /// The region's length in bytes.
        region_len_bytes: u64,
        /// The I/O's length in bytes.
        block_len_bytes: u64,
    },
    /// The blocks that are verified are too small for a header.
    NoRoomForHeader {
        /// The header's length in bytes.
        header_len_bytes: u64,
        /// The largest length in bytes that divides all I/Os.
        block_len_bytes: u64,
    },
    /// The region starts after the end of the device.
    BehindTheEnd {
        /// Its start in bytes.
        offset_bytes: u64,
        /// The device's length in bytes.
        len_bytes: u64,
    },
    /// The clones of all jobs so far use more files than a Plan may have.
    TooManyFiles {
        /// The maximum.
        max: u64,
    },
    /// The zones with shares of the I/Os exceed the region.
    ZonesTooLong {
        /// Their length in bytes.
        zones_bytes: u64,
        /// The region's length in bytes.
        region_len_bytes: u64,
    },
    /// The block length is zero.
    BlockEmpty,
    /// No earlier job has the name given by `wait_for`.
    NoSuchJob,
    /// Two options that exclude each other.
    Contradicts {
        /// The other option.
        other: &'static str,
    },
    /// An option that requires another one.
    Needs {
        /// The other, as it would be written.
        other: &'static str,
    },
    /// The file does not exist and may not be created.
    FileMissing {
        /// Its name.
        path: String,
    },
    /// The file lacks data that `verify_only` is to check.
    NothingToVerify {
        /// Its name.
        path: String,
        /// Its length in bytes; 0 if it does not exist.
        len_bytes: u64,
        /// End of the job's region in bytes.
        end_bytes: u64,
    },
    /// Another problem with a file or directory of this machine, in words for people.
    OfFile(Message),
    /// A file cannot be trimmed: only a block device can.
    TrimsFile {
        /// Its name.
        path: String,
    },
    /// The name is neither a file nor a block device.
    NotAFile {
        /// The name.
        path: String,
        /// Its kind.
        what: OtherKind,
    },
}

/// A problem with its location and the setting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// The job.
    pub job: String,
    /// The option and its value as written; `None` for the job as a whole.
    pub setting: Option<Setting>,
    /// Its location.
    pub origin: Origin,
    /// The problem.
    pub problem: Problem,
}

/// A setting that is accepted but does not, or not fully, do what its name says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remark {
    /// The job.
    pub job: String,
    /// The option and its value as written.
    pub setting: Setting,
    /// A phrase with its actual effect.
    pub why: Message,
}

/// The name of a directory in [`FileFacts::Other`].
pub const DIRECTORY: &str = "a directory";

/// A kind of object that does not support I/O at offsets: one of [`OTHER_KINDS`].
pub type OtherKind = &'static str;

/// The phrase for a kind of object.
pub fn kind_message(kind: OtherKind) -> Message {
    match kind {
        "a file" => message!("jobs-file-kind.file"),
        DIRECTORY => message!("jobs-file-kind.directory"),
        "a character device" => message!("jobs-file-kind.character-device"),
        "a pipe" => message!("jobs-file-kind.pipe"),
        "a socket" => message!("jobs-file-kind.socket"),
        _ => message!("jobs-file-kind.unknown"),
    }
}

/// All kinds.
pub const OTHER_KINDS: [OtherKind; 6] =
    ["a file", DIRECTORY, "a character device", "a pipe", "a socket", "no file"];

fn other_kind<'de, D: Deserializer<'de>>(deserializer: D) -> Result<&'static str, D::Error> {
    let what = String::deserialize(deserializer)?;
    let known = OTHER_KINDS.into_iter().find(|kind| *kind == what);
    known.ok_or_else(|| D::Error::custom(format_args!("'{what}' is no kind of file")))
}

/// The object at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FileFacts {
    /// Nothing.
    Missing,
    /// A file.
    File {
        /// Its length in bytes.
        len_bytes: u64,
    },
    /// A block device.
    Device {
        /// Its length in bytes.
        len_bytes: u64,
    },
    /// An object that does not support I/O at offsets.
    Other {
        /// Its kind, such as "a directory".
        #[serde(deserialize_with = "other_kind")]
        what: OtherKind,
    },
}

/// The resolver's access to the machine.
pub trait Surroundings {
    /// The object at a path.
    fn file(&self, path: &str) -> FileFacts;
    /// Reads a recording by these rules.
    ///
    /// # Errors
    /// The problem.
    fn recording(&self, path: &str, rules: &ReplayRules) -> Result<Recording, RecordingProblem> {
        let _ = (path, rules);
        Err(RecordingProblem { line: None, what: message!("jobs-recording.unreadable-here") })
    }
    /// Whether a path is a directory; true if unknown.
    fn is_directory(&self, _path: &str) -> bool {
        true
    }
    /// The bytes of a file that is part of a pattern.
    ///
    /// # Errors
    /// Why it cannot be read, a phrase.
    fn pattern_file(&self, _path: &str) -> Result<Vec<u8>, Message> {
        Err(message!("jobs-pattern.unreadable-here"))
    }
}

/// Surroundings without any files.
#[derive(Debug, Clone, Copy)]
pub struct Nowhere;

impl Surroundings for Nowhere {
    fn file(&self, _: &str) -> FileFacts {
        FileFacts::Missing
    }
}

/// The resolver's input besides the jobs.
#[derive(Clone, Copy)]
pub struct ResolveContext<'a> {
    /// Seed of the whole run. Jobs with `randrepeat=1` and the same `randseed` still repeat across runs.
    pub run_seed: u64,
    /// Length of a window of the series in nanoseconds.
    pub window_ns: u64,
    /// The machine.
    pub surroundings: &'a dyn Surroundings,
}

impl ResolveContext<'static> {
    /// A context without knowledge of the machine.
    pub const fn new(run_seed: u64, window_ns: u64) -> Self {
        Self { run_seed, window_ns, surroundings: &Nowhere }
    }
}

/// The result of resolving jobs.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Resolved {
    /// The resolved Plan.
    pub plan: Plan,
    /// Display settings of each job, in the order of the Plan.
    pub displays: Vec<JobDisplay>,
    /// Remarks on settings that do not do what their names say.
    pub remarks: Vec<Remark>,
}

/// Resolves jobs into a Plan.
///
/// # Errors
/// The problems of all jobs in written order, at most [`DIAGNOSTICS_MAX`].
pub fn resolve(jobs: &[JobSpec], context: &ResolveContext<'_>) -> Result<Plan, Vec<Diagnostic>> {
    resolve_all(jobs, context).map(|resolved| resolved.plan)
}

/// Resolves jobs into a Plan, with display settings and remarks on settings without effect.
///
/// # Errors
/// The problems of all jobs in written order, at most [`DIAGNOSTICS_MAX`].
pub fn resolve_all<J: Borrow<JobSpec>>(
    jobs: &[J],
    context: &ResolveContext<'_>,
) -> Result<Resolved, Vec<Diagnostic>> {
    let (resolved, diagnostics) = resolve_as_far_as_known(jobs, context);
    if diagnostics.is_empty() { Ok(resolved) } else { Err(diagnostics) }
}

/// Resolves jobs that another program ran, and that may be invalid here. Jobs that are not understood are left out.
pub fn resolve_as_far_as_known<J: Borrow<JobSpec>>(
    jobs: &[J],
    context: &ResolveContext<'_>,
) -> (Resolved, Vec<Diagnostic>) {
    let mut resolved = Resolved::default();
    let mut diagnostics = Vec::new();
    let mut targets = targets::Targets::default();
    let mut group = 0;
    for (index, spec) in jobs.iter().map(Borrow::borrow).enumerate() {
        let mut reader = Reader::new(spec, &mut diagnostics, &mut resolved.remarks);
        let engine = reader.text("ioengine").unwrap_or_else(|| "psync".to_string());
        let engine = crate::options::engine_name(&engine).to_string();
        reader.check_status(&engine);
        check_engine(&mut reader, &engine);
        let names_before = jobs[..index].iter().map(|job| job.borrow().name.as_str());
        let start = timing::start_condition(&mut reader, names_before);
        let end = timing::end_condition(&mut reader);
        // Groups are numbered as in fio: a wall or a request begins a new one, unless the last is empty.
        let begins_group = reader.switch("stonewall") || reader.switch("new_group");
        group += u32::from(begins_group && index > 0);
        let display = display::display(&mut reader);
        let stop = stop::StopWritten::read(&mut reader);
        let Some(replayed) = replay::replayed(&mut reader, context) else { continue };
        if let Some(mut workload) = workload::workload(&mut reader, engine, index, context, &display)
            && let Some(clones) = match &replayed {
                None => files::clones(&mut reader, &mut workload, &stop, &mut targets, context),
                Some(replayed) => {
                    replay::clones(&mut reader, &mut workload, replayed, &stop, &mut targets, context)
                }
            }
        {
            resolved.plan.jobs.push(PlannedJob { workload, clones, group, start, end });
            resolved.displays.push(display);
        }
    }
    resolved.plan.targets = targets.names;
    (resolved, diagnostics)
}

fn check_engine(reader: &mut Reader<'_>, engine: &str) {
    // An unsupported engine of fio was already reported with its reason.
    if crate::options::find_engine(engine).is_none()
        && let Some(def) = crate::options::find("ioengine")
        && let crate::options::Status::Works { .. } = crate::options::status_of(def, engine)
    {
        let engines = crate::options::engines_here().map(|engine| engine.name).collect();
        reader.report("ioengine", Problem::NoSuchEngine { engines });
    }
}

#[cfg(test)]
mod tests;
