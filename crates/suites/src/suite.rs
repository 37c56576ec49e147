//! The interface of suites: [`Suite`], its input [`Context`] and its plan [`Outline`].

use cardiograph_core::message::Parameter;
use cardiograph_core::schemars;
use std::collections::BTreeMap;

use cardiograph_core::claim::Claim;
use cardiograph_core::drive::{Drive, Environment};
use cardiograph_core::metric::Measurements;
use cardiograph_core::report::{Step, StepResult, Work};
use cardiograph_core::table::Table;
use cardiograph_core::{Message, Verdict, message};
use cardiograph_judge::purpose::Purpose;
use cardiograph_judge::purposes;
use serde::{Deserialize, Serialize};

use crate::board::Board;
use crate::budget::fills_files;
use crate::next_step::NextStep;
use crate::setting::{Setting, Settings};
use crate::traits::SuiteTraits;

/// The facts that a suite has before its first step. They must be the same in all calls of one checkup.
#[derive(Debug, Clone, Copy)]
pub struct Context<'a> {
    /// The drive under the path.
    pub drive: &'a Drive,
    /// The state of the machine that can distort figures.
    pub environment: &'a Environment,
    /// The user's options.
    pub options: &'a Options,
}

/// The user's options for a checkup.
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    /// Time limit of the whole checkup in nanoseconds.
    pub max_time_ns: Option<u64>,
    /// Steps end as soon as the intervals of their rates reach at most this far to each side, as a share of the rate.
    /// `None`: steps end by time and size. Only for suites with [`SuiteTraits::ends_by_precision`].
    pub precision: Option<f64>,
    /// Whether the page cache is bypassed. `false`: the user asked for buffered I/O.
    pub direct: bool,
    /// The suite's own settings, as far as they are given.
    pub settings: Settings,
    /// Whether the Report is saved, so that an interrupted checkup can be resumed.
    pub keeps_report: bool,
    /// Parts that an interrupted checkup of the same suite left, if any.
    pub kept: Option<KeptParts>,
}

/// Complete parts of a long sequence, left by an interrupted checkup.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptParts {
    /// Length of a part in bytes; the last may be shorter.
    pub part_bytes: u64,
    /// Numbers of the complete parts, from 0.
    pub whole: Vec<u32>,
    /// Their total length in bytes.
    pub len_bytes: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            max_time_ns: None,
            precision: None,
            direct: true,
            settings: Settings::default(),
            keeps_report: true,
            kept: None,
        }
    }
}

/// A requirement of a suite, in addition to the checkup's target.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Need {
    /// Another writable directory. Files whose names begin with its path are created there.
    Directory {
        /// Its path, as the user gave it.
        path: String,
        /// Space needed for files, in bytes.
        file_bytes: u64,
    },
    /// An I/O scheduler that the drives must support.
    Scheduler {
        /// The kernel's name for it.
        name: String,
    },
    /// A file system whose free space can be trimmed.
    Trim {
        /// A directory on it; `None`: the checkup's target.
        path: Option<String>,
    },
}

/// The upper bounds of what a suite would do, before any result is known.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Outline {
    /// The steps in order, each at its largest. Empty if nothing can be run; `notes` say why.
    pub steps: Vec<OutlineStep>,
    /// Upper bound of the bytes that all steps together write. It may be less than the sum over the steps, because a step
    /// may use what another leaves.
    pub write_bytes_max: u64,
    /// Upper bound of the bytes that all test files together occupy.
    pub file_bytes_max: u64,
    /// Upper bound of the time that all steps together take, in nanoseconds, if the drive responds; `None` if a step is
    /// bounded by bytes only.
    pub time_ns_max: Option<u64>,
    /// What was reduced, shortened or left out, and why.
    pub notes: Vec<Message>,
    /// Additional requirements, checked before anything is written.
    pub needs: Vec<Need>,
}

impl Outline {
    /// The outline of steps at their largest. It includes the zeros with which some file systems fill new files.
    pub(crate) fn from_steps(
        context: &Context<'_>,
        steps: Vec<Step>,
        time_ns_max: Option<u64>,
        mut notes: Vec<Message>,
    ) -> Self {
        let file_bytes_max = file_bytes(&steps);
        let mut write_bytes_max =
            steps.iter().fold(0, |sum: u64, step| sum.saturating_add(step.write_bytes_max));
        if let Some(fs_type) = fills_files(context.drive).filter(|_| file_bytes_max > 0) {
            write_bytes_max = write_bytes_max.saturating_add(file_bytes_max);
            let bytes = Parameter::Bytes(file_bytes_max);
            notes.push(message!("note-zeros", file_system = fs_type, bytes));
        }
        let steps = steps.into_iter().map(OutlineStep::from).collect();
        Self { steps, write_bytes_max, file_bytes_max, time_ns_max, notes, needs: Vec::new() }
    }
}

/// One step of an [`Outline`].
#[derive(Debug, Clone, PartialEq)]
pub struct OutlineStep {
    /// Its title, one line.
    pub title: Message,
    /// Its work, at its largest.
    pub work: Work,
    /// Upper bound of the bytes that it writes.
    pub write_bytes_max: u64,
    /// Upper bound of its time in nanoseconds, if the drive responds; `None` if it is bounded by bytes only.
    pub time_ns_max: Option<u64>,
}

impl From<Step> for OutlineStep {
    fn from(step: Step) -> Self {
        Self {
            title: step.title,
            work: step.work,
            write_bytes_max: step.write_bytes_max,
            time_ns_max: step.time_ns_max,
        }
    }
}

/// Total length of the test files of all steps, in bytes. Steps that name the same file share it.
pub(crate) fn file_bytes(steps: &[Step]) -> u64 {
    let mut lens = BTreeMap::<&str, u64>::new();
    for file in steps.iter().flat_map(|step| &step.files) {
        let len_bytes = lens.entry(&file.name).or_default();
        *len_bytes = file.len_bytes.max(*len_bytes);
    }
    lens.into_values().sum()
}

/// A checkup: a sequence of steps, each chosen from the results before it, and the interpretation of the results.
pub trait Suite: Sync {
    /// Its name on the command line and in reports.
    fn name(&self) -> &'static str;

    /// Its purpose in one sentence.
    fn summary(&self) -> Message;

    /// Remarks on it in lists, below its summary.
    fn remarks(&self) -> Vec<Message> {
        Vec::new()
    }

    /// Its settings with their defaults.
    fn settings(&self) -> &'static [Setting] {
        &[]
    }

    /// Its traits under these settings.
    fn traits(&self, settings: &Settings) -> SuiteTraits {
        let _ = settings;
        SuiteTraits::default()
    }

    /// Upper bounds of what would be run and written.
    fn outline(&self, context: &Context<'_>) -> Outline;

    /// The step after `done`; `None` if the suite is complete or a step did not end as planned.
    fn next(&self, context: &Context<'_>, done: &[StepResult]) -> Option<NextStep>;

    /// How far a checkup is before the step `next`, for a live view; `None` if the number of steps says it all.
    fn board(&self, context: &Context<'_>, done: &[StepResult], next: &Step) -> Option<Board> {
        let _ = (context, done, next);
        None
    }

    /// The metrics, from the results so far.
    fn measure(&self, context: &Context<'_>, done: &[StepResult]) -> Measurements;

    /// Verdicts on the purposes.
    fn judge(&self, context: &Context<'_>, measurements: &Measurements, all: &[Purpose]) -> Vec<Verdict> {
        let traits = self.traits(&context.options.settings);
        let judge = if traits.judges_all_purposes { purposes::judge } else { purposes::judge_known };
        judge(all, measurements)
    }

    /// Ids of all claims that it can check; which ones it checks depends on the drive.
    fn claim_ids(&self) -> Vec<String> {
        Vec::new()
    }

    /// Claims about the drive, compared with the results so far; their ids are in [`Suite::claim_ids`].
    fn claims(&self, context: &Context<'_>, done: &[StepResult]) -> Vec<Claim> {
        let _ = (context, done);
        Vec::new()
    }

    /// The results so far, in the tables that users of this suite know.
    fn tables(&self, context: &Context<'_>, done: &[StepResult]) -> Vec<Table> {
        let _ = (context, done);
        Vec::new()
    }
}
