//! From what was written to what will run: JobSpecs become a [`Plan`].
//!
//! Everything that can be wrong with a job is found here, all of it at once and before anything is touched: what does not
//! exist, what cannot be read, what contradicts, what is missing. What options mean is fio's.

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

/// The longest single I/O in bytes: Linux moves at most 2 GiB less a page in one call.
const BLOCK_LEN_BYTES_MAX: u64 = 1 << 30;
/// Where the longest file ends, in bytes: offsets are signed.
const FILE_LEN_BYTES_MAX: u64 = i64::MAX as u64;

/// Files that the clones of all jobs of a Plan use together, at most.
const FILES_MAX: u64 = 1 << 18;
/// Maximum number of problems reported. A mistake in a section that is repeated a thousand times is known by
/// then.
pub const DIAGNOSTICS_MAX: usize = 1_000;
/// So many remarks are made.
const REMARKS_MAX: usize = 1_000;

/// What is wrong with a setting or with a whole job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Problem {
    /// No option has this name.
    UnknownOption,
    /// The option belongs to engines of which the job uses none.
    OtherEngine {
        /// The engines that have it.
        engines: &'static [&'static str],
    },
    /// The option is fio's, and cannot work here.
    Refused {
        /// Why, and what to do instead: a phrase.
        why: &'static Message,
    },
    /// No engine has this name.
    NoSuchEngine {
        /// Those that there are.
        engines: Vec<&'static str>,
    },
    /// The value cannot be read.
    BadValue(ValueError),
    /// A length is needed and there is nothing to infer it from.
    SizeMissing,
    /// The region does not hold one I/O.
    RegionTooSmall {
        /// The region's length in bytes.
        region_len_bytes: u64,
        /// The I/O's length in bytes.
        block_len_bytes: u64,
    },
    /// The blocks that are checked by themselves hold no header.
    NoRoomForHeader {
        /// The header's length in bytes.
        header_len_bytes: u64,
        /// The length in bytes by which all I/Os can be divided.
        block_len_bytes: u64,
    },
    /// The region begins behind the end of the device.
    BehindTheEnd {
        /// Where it begins, in bytes.
        offset_bytes: u64,
        /// The device's length in bytes.
        len_bytes: u64,
    },
    /// The clones of all jobs up to this one use more files than a Plan holds.
    TooManyFiles {
        /// How many it holds.
        max: u64,
    },
    /// The zones that have shares of the I/Os are together longer than the region.
    ZonesTooLong {
        /// Their length in bytes.
        zones_bytes: u64,
        /// The region's length in bytes.
        region_len_bytes: u64,
    },
    /// The block length is zero.
    BlockEmpty,
    /// No job written before has the name that `wait_for` gives.
    NoSuchJob,
    /// Both of two options that exclude each other.
    Contradicts {
        /// The other option.
        other: &'static str,
    },
    /// An option without another that it needs.
    Needs {
        /// The other, as it would be written.
        other: &'static str,
    },
    /// The file does not exist, and may not be made.
    FileMissing {
        /// Its name.
        path: String,
    },
    /// The file does not hold what `verify_only` is to check.
    NothingToVerify {
        /// Its name.
        path: String,
        /// How long it is in bytes; 0 where it does not exist.
        len_bytes: u64,
        /// Where the job's region ends, in bytes.
        end_bytes: u64,
    },
    /// A recording cannot be replayed.
    BadRecording {
        /// Its path.
        path: String,
        /// What is wrong with it.
        problem: RecordingProblem,
    },
    /// A recording would write to a file that is there and that the job itself does not name.
    ReplayWrites {
        /// The file's name.
        path: String,
    },
    /// The path in `directory` is not a directory.
    NotADirectory {
        /// The name.
        path: String,
    },
    /// A file cannot be trimmed: only a block device can.
    TrimsFile {
        /// Its name.
        path: String,
    },
    /// The name does not stand for a file or a block device.
    NotAFile {
        /// The name.
        path: String,
        /// What it is.
        what: OtherKind,
    },
}

/// A problem, where it is, and what was written there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// The job.
    pub job: String,
    /// The option and its value as written; `None` when the job as a whole is meant.
    pub setting: Option<Setting>,
    /// Where.
    pub origin: Origin,
    /// What is wrong.
    pub problem: Problem,
}

/// A setting that is accepted and does not do what its name says, or not all of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remark {
    /// The job.
    pub job: String,
    /// The option and its value as written.
    pub setting: Setting,
    /// What became of it, in a phrase.
    pub why: Message,
}

/// What [`FileFacts::Other`] calls a directory.
pub const DIRECTORY: &str = "a directory";

/// What [`FileFacts::Other`] calls what I/O at offsets cannot be done on: one of [`OTHER_KINDS`].
pub type OtherKind = &'static str;

/// The phrase for what stands under a name.
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

/// All of them.
pub const OTHER_KINDS: [OtherKind; 6] =
    ["a file", DIRECTORY, "a character device", "a pipe", "a socket", "no file"];

fn other_kind<'de, D: Deserializer<'de>>(deserializer: D) -> Result<&'static str, D::Error> {
    let what = String::deserialize(deserializer)?;
    let known = OTHER_KINDS.into_iter().find(|kind| *kind == what);
    known.ok_or_else(|| D::Error::custom(format_args!("'{what}' is no kind of file")))
}

/// What stands under a name.
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
    /// Something that I/O at offsets cannot be done on.
    Other {
        /// What it is, as "a directory".
        #[serde(deserialize_with = "other_kind")]
        what: OtherKind,
    },
}

/// What the resolver asks about the machine.
pub trait Surroundings {
    /// What stands under a name.
    fn file(&self, path: &str) -> FileFacts;
    /// What a recording holds when it is replayed by these rules.
    ///
    /// # Errors
    /// What is wrong with it.
    fn recording(&self, path: &str, rules: &ReplayRules) -> Result<Recording, RecordingProblem> {
        let _ = (path, rules);
        Err(RecordingProblem { line: None, what: message!("jobs-recording.unreadable-here") })
    }
    /// Whether a directory stands under a name; where that is not known, one does.
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

/// Surroundings of which nothing is known: no file exists.
#[derive(Debug, Clone, Copy)]
pub struct Nowhere;

impl Surroundings for Nowhere {
    fn file(&self, _: &str) -> FileFacts {
        FileFacts::Missing
    }
}

/// What a resolver needs to know besides the jobs.
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
    /// A context in which nothing is known of the machine.
    pub const fn new(run_seed: u64, window_ns: u64) -> Self {
        Self { run_seed, window_ns, surroundings: &Nowhere }
    }
}

/// What became of jobs.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Resolved {
    /// What will run.
    pub plan: Plan,
    /// How each job is shown, in the order of the Plan.
    pub displays: Vec<JobDisplay>,
    /// Settings that do not do what their names say.
    pub remarks: Vec<Remark>,
}

/// Turns jobs into a Plan.
///
/// # Errors
/// The problems of all jobs in the order in which they were written; the first [`DIAGNOSTICS_MAX`] if there are more.
pub fn resolve(jobs: &[JobSpec], context: &ResolveContext<'_>) -> Result<Plan, Vec<Diagnostic>> {
    resolve_all(jobs, context).map(|resolved| resolved.plan)
}

/// Turns jobs into a Plan, and tells how they are to be shown and what was accepted without effect.
///
/// # Errors
/// The problems of all jobs in the order in which they were written; the first [`DIAGNOSTICS_MAX`] if there are more.
pub fn resolve_all<J: Borrow<JobSpec>>(
    jobs: &[J],
    context: &ResolveContext<'_>,
) -> Result<Resolved, Vec<Diagnostic>> {
    let (resolved, diagnostics) = resolve_as_far_as_known(jobs, context);
    if diagnostics.is_empty() { Ok(resolved) } else { Err(diagnostics) }
}

/// The same of jobs that are not to run: what another program ran may have problems here. Jobs that cannot be understood are left
/// out.
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
        // As fio numbers groups: a wall or a wish begins a new one, unless the last has no job yet.
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
    // An engine of fio that is not supported was reported with its reason.
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
