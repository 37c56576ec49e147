//! Runs the steps of a checkup. It separates suite, Report and verdicts from the drive.

use cardiograph_core::{Message, schemars};
use std::path::PathBuf;

use cardiograph_core::drive::{Calibration, Drive, DriveHealth, Environment, Host};
use cardiograph_core::report::{Step, StepOutcome, StepResult};
use cardiograph_engine::fill_files::{FillSet, Found};
use cardiograph_engine::sim::DriveModel;
use cardiograph_fio::fio_command;
use cardiograph_suites::{Need, NextStep, SuiteTraits};
use serde::{Deserialize, Serialize};

use crate::cleaned::Cleaned;
use crate::failure::Failure;
use crate::signals::Signals;
use crate::sink::Sink;

/// Caller of an operation on a drive: receives events, and may stop it.
#[derive(Clone, Copy)]
pub struct Caller<'a> {
    /// Receives events.
    pub sink: &'a dyn Sink,
    /// May stop the operation.
    pub signals: &'a Signals,
}

/// Runs a checkup's steps on its open drive. Test files and device state outlive a step.
pub trait Runner {
    /// Finds leftovers of interrupted checkups, and queries the drives' health.
    ///
    /// # Errors
    /// When the drive does not respond, or the Agent has died.
    fn look(&mut self, caller: Caller<'_>) -> Result<Looked, Failure>;

    /// Checks the suite's requirements, and space for its files.
    ///
    /// # Errors
    /// When something is missing, and as [`look`](Self::look).
    fn make_ready(&mut self, wanted: &Wanted, caller: Caller<'_>) -> Result<(), Failure>;

    /// Restores and removes leftovers; steps come next.
    ///
    /// # Errors
    /// As [`look`](Self::look).
    fn begin(&mut self, terms: Terms, caller: Caller<'_>) -> Result<Begun, Failure>;

    /// Time since it [began](Self::begin), in nanoseconds, real or simulated.
    fn elapsed_ns(&self) -> u64;

    /// Decides what comes next: the step that the suite wants, and whether the checkup must end before it. Among several hosts
    /// rank 0's suite decides, and each of them may end all.
    ///
    /// # Errors
    /// When a host is lost.
    fn decide(&mut self, next: Option<NextStep>, is_over: bool) -> Result<(Option<NextStep>, bool), Failure> {
        Ok((next, is_over))
    }

    /// Runs a step; `nth` counts the steps of the Report from 0.
    ///
    /// # Errors
    /// When it could not begin.
    fn run_step(&mut self, nth: u64, next: NextStep, caller: Caller<'_>) -> Result<StepRun, Failure>;

    /// Restores overwritten data, and keeps what a later checkup can resume. No step follows.
    fn leave_drive(&mut self, end: RunEnd, caller: Caller<'_>) -> DriveLeft;

    /// The health of the drives that reported it before.
    fn read_health(&mut self, caller: Caller<'_>) -> Vec<DriveHealth>;

    /// Releases and removes its test files, including a set of parts that is not needed.
    fn clean(&mut self, unneeded: Option<FillSet>, caller: Caller<'_>) -> Cleaned;

    /// Removes or restores what interrupted checkups left, and reports it; with `is_dry` only reports.
    /// Returns whether nothing remains.
    ///
    /// # Errors
    /// As [`look`](Self::look).
    fn remove_leftovers(&mut self, is_dry: bool, caller: Caller<'_>) -> Result<bool, Failure>;
}

/// A target to open.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct TargetSpec {
    /// A directory on the drive, or its block device.
    pub path: PathBuf,
    /// Name of the suite.
    pub suite: String,
    /// Traits of the suite.
    pub traits: SuiteTraits,
    /// Ids of the devices whose content may be destroyed.
    pub consents: Vec<String>,
    /// Whether this is a dry run.
    pub is_dry: bool,
}

/// An opened target.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Opened {
    /// The stack under it.
    pub drive: Drive,
    /// The machine. Left out in simulated checkups, which do not depend on it.
    pub host: Host,
    /// The environment.
    pub environment: Environment,
    /// Kind of the target.
    pub kind: TargetKind,
    /// The simulated model, if any.
    #[serde(skip)]
    pub model: Option<Box<DriveModel>>,
}

/// Kind of a checkup's target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TargetKind {
    /// A directory.
    Directory,
    /// A whole block device.
    Device {
        /// Whether changes are recorded in journals, because it can be recognised again.
        has_journals: bool,
    },
    /// A simulated drive.
    Simulated,
}

/// Findings before anything is done.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Looked {
    /// The drive, including its own records.
    pub drive: Drive,
    /// Resumable leftovers of interrupted checkups, longest first.
    pub found: Vec<Found>,
}

/// Requirements of a suite.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Wanted {
    /// Besides the target.
    pub needs: Vec<Need>,
    /// Space for all test files that exist at the same time, in bytes.
    pub file_bytes_max: u64,
    /// Whether nothing may be touched.
    pub is_dry: bool,
}

/// How to run the steps.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Terms {
    /// Whether it measures past the page cache.
    pub direct: bool,
    /// How long the checkup may take, in nanoseconds.
    pub max_time_ns: Option<u64>,
    /// Seed of the Report.
    pub seed: u64,
    /// Parts of an interrupted checkup to resume.
    pub resumed: Option<FillSet>,
}

/// Known before the first step.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Begun {
    /// Notes for the Report.
    pub notes: Vec<Message>,
    /// Rates without a drive; `None` if they cannot be measured.
    pub calibration: Option<Calibration>,
}

/// Result of running a step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct StepRun {
    /// Its result.
    pub result: StepResult,
    /// What could not be removed, in a sentence.
    pub note: Option<Message>,
}

/// How the steps ended, as far as it matters for the drive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct RunEnd {
    /// Whether it can be resumed.
    pub is_interrupted: bool,
    /// Whether the drive was found to be a fake.
    pub is_fake: bool,
}

/// Result of leaving the drive.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct DriveLeft {
    /// Notes for the Report.
    pub notes: Vec<Message>,
    /// Why a device was not restored, though it is not a fake: sentences; empty if it was.
    pub not_restored: Vec<Message>,
    /// What remains for the next checkup.
    pub parts: Kept,
}

/// What remains for the next checkup.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Kept {
    /// Number of files; 0 on a whole device.
    pub files: u64,
    /// Its length, in bytes.
    pub len_bytes: u64,
}

/// Whether a checkup that has run this long must end.
pub(crate) fn is_over(max_time_ns: Option<u64>, elapsed_ns: u64, signals: &Signals) -> bool {
    max_time_ns.is_some_and(|max_ns| elapsed_ns >= max_ns) || signals.received().is_some()
}

/// A step without figures, only with its outcome.
pub(crate) fn without_result(step: Step, outcome: StepOutcome) -> StepResult {
    StepResult {
        fio_commands: step.jobs().iter().map(fio_command::command_line).collect(),
        ..StepResult::new(step, outcome)
    }
}
