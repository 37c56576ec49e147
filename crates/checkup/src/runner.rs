//! What does the steps of a checkup. Suite, Report and verdicts are on one side of it, the drive is on the other.

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

/// Who has something done on a drive: hears what happens meanwhile, and may want it to end.
#[derive(Clone, Copy)]
pub struct Caller<'a> {
    /// Who receives what happens.
    pub sink: &'a dyn Sink,
    /// What may end it.
    pub signals: &'a Signals,
}

/// Does what a checkup wants done on its drive, which is open. Test files and what is known of a device outlive a step.
pub trait Runner {
    /// Finds what interrupted checkups left, and asks the drives how they are.
    ///
    /// # Errors
    /// Where it cannot be done any more: the drive does not answer, or whoever did it has died.
    fn look(&mut self, caller: Caller<'_>) -> Result<Looked, Failure>;

    /// Makes sure that there is what the suite needs, and room for its files.
    ///
    /// # Errors
    /// Where there is not, and as [`look`](Self::look).
    fn make_ready(&mut self, wanted: &Wanted, caller: Caller<'_>) -> Result<(), Failure>;

    /// Restores and removes what was left; steps come next.
    ///
    /// # Errors
    /// As [`look`](Self::look).
    fn begin(&mut self, terms: Terms, caller: Caller<'_>) -> Result<Begun, Failure>;

    /// Time since it [began](Self::begin), in nanoseconds, real or simulated.
    fn elapsed_ns(&self) -> u64;

    /// Runs a step; `nth` counts the steps of the Report from 0.
    ///
    /// # Errors
    /// Where it could not begin.
    fn run_step(&mut self, nth: u64, next: NextStep, caller: Caller<'_>) -> Result<StepRun, Failure>;

    /// Restores what was overwritten, and keeps what a later checkup can resume. No step comes after it.
    fn leave_drive(&mut self, end: RunEnd, caller: Caller<'_>) -> DriveLeft;

    /// The health of the drives that reported it before.
    fn read_health(&mut self, caller: Caller<'_>) -> Vec<DriveHealth>;

    /// Lets go of its test files, and removes what is left of them: also a set of parts that nobody needs.
    fn clean(&mut self, unneeded: Option<FillSet>, caller: Caller<'_>) -> Cleaned;

    /// Removes, or puts back, what interrupted checkups left, and says so; `is_dry` only says it. Returns whether nothing stays.
    ///
    /// # Errors
    /// As [`look`](Self::look).
    fn remove_leftovers(&mut self, is_dry: bool, caller: Caller<'_>) -> Result<bool, Failure>;
}

/// What is to be opened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct PlaceSpec {
    /// A directory on the drive, or its block device.
    pub path: PathBuf,
    /// Name of the suite.
    pub suite: String,
    /// What the suite is like.
    pub traits: SuiteTraits,
    /// Ids of the devices whose content may be destroyed.
    pub consents: Vec<String>,
    /// Whether nothing is done but looked at.
    pub is_dry: bool,
}

/// What was opened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Opened {
    /// What stands there.
    pub drive: Drive,
    /// The machine. A simulated checkup says nothing of it: its figures do not depend on it.
    pub host: Host,
    /// What can spoil a figure.
    pub environment: Environment,
    /// What kind of place it is.
    pub kind: PlaceKind,
    /// What is simulated, where it is.
    #[serde(skip)]
    pub model: Option<Box<DriveModel>>,
}

/// What kind of place a checkup has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PlaceKind {
    /// A directory.
    Directory,
    /// A whole block device.
    Device {
        /// Whether what is done to it is written down: it can be known again.
        has_journals: bool,
    },
    /// A simulated drive.
    Simulated,
}

/// What was found before anything was done.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Looked {
    /// The drive, with what it told of itself.
    pub drive: Drive,
    /// What interrupted checkups left to go on with: the longest first.
    pub found: Vec<Found>,
}

/// What a suite wants to be there.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Wanted {
    /// Beside the place.
    pub needs: Vec<Need>,
    /// Room for all test files that are there at the same time, in bytes.
    pub file_bytes_max: u64,
    /// Whether nothing may be touched.
    pub is_dry: bool,
}

/// How the steps are run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Terms {
    /// Whether it measures past the page cache.
    pub direct: bool,
    /// How long the checkup may take, in nanoseconds.
    pub max_time_ns: Option<u64>,
    /// Seed of the Report.
    pub seed: u64,
    /// Parts of an interrupted checkup that are gone on with.
    pub resumed: Option<FillSet>,
}

/// What is known before the first step.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Begun {
    /// What the Report says of it.
    pub notes: Vec<Message>,
    /// What the program manages here without a drive; `None` where that cannot be measured.
    pub calibration: Option<Calibration>,
}

/// What a step gave.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct StepRun {
    /// Its result.
    pub result: StepResult,
    /// What could not be removed, in a sentence.
    pub note: Option<Message>,
}

/// How the steps ended, as far as it decides what is done to the drive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct RunEnd {
    /// Whether it can be resumed.
    pub is_interrupted: bool,
    /// Whether the drive was found to hold less than it says.
    pub is_fake: bool,
}

/// What was done to the drive after the last step.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct DriveLeft {
    /// What the Report says of it.
    pub notes: Vec<Message>,
    /// Why a device does not hold what it held, though it is no fake: sentences; empty where it does.
    pub not_restored: Vec<Message>,
    /// What stays for the next checkup.
    pub parts: Kept,
}

/// What stays for the next checkup.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Kept {
    /// How many files; none where it lies on a whole device.
    pub files: u64,
    /// How long it is, in bytes.
    pub len_bytes: u64,
}

/// Whether a checkup that has gone on so long is to end.
pub(crate) fn is_over(max_time_ns: Option<u64>, elapsed_ns: u64, signals: &Signals) -> bool {
    max_time_ns.is_some_and(|max_ns| elapsed_ns >= max_ns) || signals.received().is_some()
}

/// A step of which nothing is known but how it ended.
pub(crate) fn without_result(step: Step, outcome: StepOutcome) -> StepResult {
    StepResult {
        fio_commands: step.jobs().iter().map(fio_command::command_line).collect(),
        ..StepResult::new(step, outcome)
    }
}
