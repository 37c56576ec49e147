//! What a suite is, and what it sees.

use cardiograph_core::message::Parameter;
use cardiograph_core::schemars;
use std::collections::BTreeMap;

use cardiograph_core::claim::Claim;
use cardiograph_core::drive::{Drive, Environment};
use cardiograph_core::metric::Measurements;
use cardiograph_core::report::{Step, StepResult, Work};
use cardiograph_core::table::Table;
use cardiograph_core::{Message, Verdict, message};
use cardiograph_judge::purposes;
use serde::{Deserialize, Serialize};

use crate::budget::fills_files;
use crate::next_step::NextStep;
use crate::setting::{Setting, Settings};
use crate::traits::SuiteTraits;

/// What a suite knows before its first step. It must be the same for all calls of one checkup.
#[derive(Debug, Clone, Copy)]
pub struct Context<'a> {
    /// What stands under the path.
    pub drive: &'a Drive,
    /// What can spoil a figure.
    pub environment: &'a Environment,
    /// What the user asked for.
    pub options: &'a Options,
}

/// What a user can ask of a suite.
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    /// The whole checkup is to fit into so many nanoseconds.
    pub max_time_ns: Option<u64>,
    /// How well rates are to be known for their steps to end: how far their intervals may reach to each side, as a share.
    /// `None`: steps end by time and size. Only for suites that end steps by it ([`SuiteTraits::ends_by_precision`]).
    pub precision: Option<f64>,
    /// Whether the page cache is bypassed. `false`: the user asked for buffered I/O.
    pub direct: bool,
    /// What was set of the suite's own settings.
    pub settings: Settings,
    /// Whether the Report is saved, so that an interrupted checkup can be resumed.
    pub keeps_report: bool,
    /// What an interrupted checkup of the same suite has written and left; `None` where there is nothing.
    pub kept: Option<KeptParts>,
}

/// Parts of a long sequence that an interrupted checkup left, whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptParts {
    /// Length of a part in bytes; the last may be shorter.
    pub part_bytes: u64,
    /// Their numbers, from 0.
    pub whole: Vec<u32>,
    /// How long they are together, in bytes.
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

/// A requirement of a suite besides the place of the checkup.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Need {
    /// Another directory that can be written to. Files with its path before their names are made there.
    Directory {
        /// Its path, as the user gave it.
        path: String,
        /// Room for files, in bytes.
        file_bytes: u64,
    },
    /// An I/O scheduler that the drives can be given.
    Scheduler {
        /// The kernel's name for it.
        name: String,
    },
    /// A file system whose free space can be trimmed.
    Trim {
        /// A directory on it; `None`: the place of the checkup.
        path: Option<String>,
    },
}

/// What a suite would do at most, before it knows any result.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Outline {
    /// The steps in their order, each at its largest. Empty when nothing can be run; `notes` say why.
    pub steps: Vec<OutlineStep>,
    /// At most so many bytes are written by all steps together. It may be less than the sum over the steps, because
    /// what one leaves another may use.
    pub write_bytes_max: u64,
    /// At most so many bytes are occupied by all test files together.
    pub file_bytes_max: u64,
    /// At most so many nanoseconds pass in all steps together, if the drive answers; `None` when a step is bound by
    /// bytes only.
    pub time_ns_max: Option<u64>,
    /// What was made smaller, shorter or left out, and why.
    pub notes: Vec<Message>,
    /// Requirements besides the place of the checkup, checked before anything is written.
    pub needs: Vec<Need>,
}

impl Outline {
    /// The outline of steps that are each at their largest. The zeros with which some file systems fill new files are
    /// written, too.
    pub(crate) fn of_steps(
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
            notes.push(message!("note-zeros", file_system = fs_type, bytes = bytes));
        }
        let steps = steps.into_iter().map(OutlineStep::from).collect();
        Self { steps, write_bytes_max, file_bytes_max, time_ns_max, notes, needs: Vec::new() }
    }
}

/// One step of an [`Outline`].
#[derive(Debug, Clone, PartialEq)]
pub struct OutlineStep {
    /// What it is, in a line.
    pub title: Message,
    /// What it does, at its largest.
    pub work: Work,
    /// At most so many bytes are written by this step.
    pub write_bytes_max: u64,
    /// At most so many nanoseconds pass, if the drive answers; `None` when only bytes bound it.
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

/// What the test files of all steps occupy together, in bytes. Steps that name a file share it.
pub(crate) fn file_bytes(steps: &[Step]) -> u64 {
    let mut lens = BTreeMap::<&str, u64>::new();
    for file in steps.iter().flat_map(|step| &step.files) {
        let len_bytes = lens.entry(&file.name).or_default();
        *len_bytes = file.len_bytes.max(*len_bytes);
    }
    lens.into_values().sum()
}

/// A checkup: a sequence of steps, each chosen in sight of the results before it, and what the results mean.
pub trait Suite: Sync {
    /// Its name on the command line and in reports.
    fn name(&self) -> &'static str;

    /// What it does, in a sentence.
    fn summary(&self) -> Message;

    /// What a user can set of it. The defaults are what it does when nothing is set.
    fn settings(&self) -> &'static [Setting] {
        &[]
    }

    /// What it is like with these settings.
    fn traits(&self, settings: &Settings) -> SuiteTraits {
        let _ = settings;
        SuiteTraits::default()
    }

    /// What would be run and written at most.
    fn outline(&self, context: &Context<'_>) -> Outline;

    /// The step that comes after `done`; `None` when the suite is done, or when a step did not end as planned.
    fn next(&self, context: &Context<'_>, done: &[StepResult]) -> Option<NextStep>;

    /// The figures that decide, from what was done so far.
    fn measure(&self, context: &Context<'_>, done: &[StepResult]) -> Measurements;

    /// What the figures mean for each purpose.
    fn judge(&self, context: &Context<'_>, measurements: &Measurements) -> Vec<Verdict> {
        let traits = self.traits(&context.options.settings);
        let judge = if traits.judges_all_purposes { purposes::judge } else { purposes::judge_known };
        judge(measurements)
    }

    /// Ids of all claims that it can look into; which of them it does depends on the drive.
    fn claim_ids(&self) -> Vec<String> {
        Vec::new()
    }

    /// Claims about the drive, compared with the findings so far: of [`Suite::claim_ids`].
    fn claims(&self, context: &Context<'_>, done: &[StepResult]) -> Vec<Claim> {
        let _ = (context, done);
        Vec::new()
    }

    /// The figures so far, in the tables that the readers of this suite know.
    fn tables(&self, context: &Context<'_>, done: &[StepResult]) -> Vec<Table> {
        let _ = (context, done);
        Vec::new()
    }
}
