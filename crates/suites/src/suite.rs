//! What a suite is, and what it sees.

use std::collections::BTreeMap;

use cardiograph_core::claim::Claim;
use cardiograph_core::drive::{Drive, Environment};
use cardiograph_core::metric::Measurements;
use cardiograph_core::report::{Step, StepOutcome, StepResult, Work};
use cardiograph_core::table::Table;
use cardiograph_core::{NS_PER_MS, Verdict};
use cardiograph_judge::purposes;

use crate::budget::fills_files;
use crate::group::Group;
use crate::setting::{Setting, Settings};
use crate::text;

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
    /// `None`: steps end by time and size. Only for suites that end steps by it ([`Suite::ends_by_precision`]).
    pub precision: Option<f64>,
    /// Whether the page cache is bypassed. `false`: the user asked for buffered I/O.
    pub direct: bool,
    /// What was set of the suite's own settings.
    pub settings: Settings,
    /// Whether the Report is kept, so that what is cut off can be gone on with.
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

/// A sequence of writes that several steps write and check together: each of its blocks says which write it is, and a place
/// holds nothing but the very write that was due there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sequence {
    /// Number of the step's first write in it.
    pub first_write: u64,
    /// The part of it that the step writes, where an interrupted checkup leaves what it has written: the step's file, or its
    /// piece of a device. `None` where the file is gone with the checkup and has its room before it is written.
    pub part: Option<Part>,
}

/// A part of a [`Sequence`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    /// Its number, from 0.
    pub number: u32,
    /// Length of a part in bytes; the last may be shorter.
    pub part_bytes: u64,
    /// Whether an interrupted checkup has written it.
    pub is_there: bool,
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

/// Whether a suite takes a whole block device in the place of a directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnDevice {
    /// It does not.
    Never,
    /// It reads one.
    Reads,
    /// It writes over one, which takes consent.
    Writes,
}

/// Something that a suite needs beside the place of the checkup.
#[derive(Debug, Clone, PartialEq, Eq)]
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
#[derive(Debug, Clone, PartialEq)]
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
    /// What was made smaller, shorter or left out, and why: sentences for people.
    pub notes: Vec<String>,
}

impl Outline {
    /// The outline of steps that are each at their largest. The zeros with which some file systems fill new files are
    /// written, too.
    pub(crate) fn of_steps(
        context: &Context<'_>,
        steps: Vec<Step>,
        time_ns_max: Option<u64>,
        mut notes: Vec<String>,
    ) -> Self {
        let file_bytes_max = file_bytes(&steps);
        let mut write_bytes_max =
            steps.iter().fold(0, |sum: u64, step| sum.saturating_add(step.write_bytes_max));
        if let Some(fs_type) = fills_files(context.drive).filter(|_| file_bytes_max > 0) {
            write_bytes_max = write_bytes_max.saturating_add(file_bytes_max);
            let zeros = text::size(file_bytes_max);
            notes.push(format!("{fs_type} fills new files with zeros: {zeros} more are written."));
        }
        let steps = steps.into_iter().map(OutlineStep::from).collect();
        Self { steps, write_bytes_max, file_bytes_max, time_ns_max, notes }
    }
}

/// One step of an [`Outline`].
#[derive(Debug, Clone, PartialEq)]
pub struct OutlineStep {
    /// What it is, in a line.
    pub title: String,
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

/// Whether all steps so far ended as planned. Nothing follows one that did not.
pub(crate) fn went_well(done: &[StepResult]) -> bool {
    done.iter().all(|step| step.outcome == StepOutcome::Done)
}

/// The first of `steps` that was not done yet; `None` when all were, or when one did not end as planned.
pub(crate) fn first_ahead(steps: impl IntoIterator<Item = Step>, done: &[StepResult]) -> Option<Step> {
    let is_ahead = |step: &Step| done.iter().all(|of| of.step.id != step.id);
    steps.into_iter().find(is_ahead).filter(|_| went_well(done))
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
    fn summary(&self) -> &'static str;

    /// Which list it stands in.
    fn group(&self) -> Group {
        Group::Checkup
    }

    /// What a user can set of it. The defaults are what it does when nothing is set.
    fn settings(&self) -> &'static [Setting] {
        &[]
    }

    /// Whether it has steps that end when their rates are known well enough.
    fn ends_by_precision(&self) -> bool {
        false
    }

    /// Length of the windows of its series, in nanoseconds: fine enough to place a fall-off, and a divisor of the windows
    /// that are quoted. Coarser where a checkup takes hours.
    fn window_ns(&self) -> u64 {
        100 * NS_PER_MS
    }

    /// What would be run and written at most.
    fn outline(&self, context: &Context<'_>) -> Outline;

    /// The step that comes after `done`; `None` when the suite is done, or when a step did not end as planned.
    fn next(&self, context: &Context<'_>, done: &[StepResult]) -> Option<Step>;

    /// The figures that decide, from what was done so far.
    fn measure(&self, context: &Context<'_>, done: &[StepResult]) -> Measurements;

    /// What the figures mean for each purpose.
    fn judge(&self, context: &Context<'_>, measurements: &Measurements) -> Vec<Verdict> {
        let _ = context;
        let judge = if self.judges_all_purposes() { purposes::judge } else { purposes::judge_known };
        judge(measurements)
    }

    /// Whether all purposes are judged, or only those about which this suite says enough.
    fn judges_all_purposes(&self) -> bool {
        true
    }

    /// Ids of all claims that it can look into; which of them it does depends on the drive.
    fn claim_ids(&self) -> Vec<String> {
        Vec::new()
    }

    /// What is said of the drive, beside what was found so far: of [`Suite::claim_ids`].
    fn claims(&self, context: &Context<'_>, done: &[StepResult]) -> Vec<Claim> {
        let _ = (context, done);
        Vec::new()
    }

    /// The figures so far, in the tables that the readers of this suite know.
    fn tables(&self, context: &Context<'_>, done: &[StepResult]) -> Vec<Table> {
        let _ = (context, done);
        Vec::new()
    }

    /// The sequence that a step's writes and checks belong to; `None` where each step writes what nobody else did.
    fn sequence(&self, context: &Context<'_>, step: &Step) -> Option<Sequence> {
        let _ = (context, step);
        None
    }

    /// Whether the notes of the outline are said before anything is written: where a checkup writes much or takes long.
    fn says_notes_first(&self) -> bool {
        false
    }

    /// Whether it takes a whole device: then all its steps use one file, which stands for the device.
    fn on_device(&self) -> OnDevice {
        OnDevice::Never
    }

    /// What must be there, beside the place of the checkup, before anything is written.
    fn needs(&self, context: &Context<'_>) -> Vec<Need> {
        let _ = context;
        Vec::new()
    }

    /// The I/O scheduler that a step is to run under; `None`: the one that is set.
    fn scheduler(&self, context: &Context<'_>, step: &Step) -> Option<String> {
        let _ = (context, step);
        None
    }

    /// Whether all free space of the file system under a step's files is to be trimmed before it.
    fn trims(&self, context: &Context<'_>, step: &Step) -> bool {
        let _ = (context, step);
        false
    }

    /// Whether an interrupted checkup can be gone on with: what was measured stays, and each step that is left finds by
    /// itself what it needs.
    fn can_resume(&self) -> bool {
        false
    }

    /// Whether what lies on a device where the steps write is saved before and put back afterwards. Then each step that
    /// writes is one job with a number of I/Os and a time, and no place is written twice.
    fn puts_back(&self, settings: &Settings) -> bool {
        let _ = settings;
        false
    }

    /// Whether steps write parts that an interrupted checkup leaves for the next one.
    fn keeps_parts(&self, context: &Context<'_>) -> bool {
        let _ = context;
        false
    }

    /// Whether nothing is wanted but that what an interrupted checkup left is removed.
    fn only_removes_leftovers(&self, context: &Context<'_>) -> bool {
        let _ = context;
        false
    }
}
