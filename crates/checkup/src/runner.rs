//! What runs the steps of a checkup. Suite, Report and verdicts are on one side of it, the drive is on the other.

use cardiograph_core::drive::DriveHealth;
use cardiograph_core::report::{Step, StepOutcome, StepResult};
use cardiograph_fio::fio_command;
use cardiograph_suites::NextStep;

use crate::failure::Failure;
use crate::signals::Signals;

/// Runs the steps of one checkup. Test files and what is known of a device outlive a step.
pub trait Runner {
    /// Time since the checkup began, in nanoseconds, real or simulated.
    fn elapsed_ns(&self) -> u64;

    /// Runs a step; `nth` counts the steps of the Report from 0.
    ///
    /// # Errors
    /// Where it could not begin.
    fn run_step(&mut self, nth: u64, next: NextStep) -> Result<StepRun, Failure>;

    /// Restores what was overwritten, and keeps what a later checkup can resume. No step comes after it.
    fn leave_drive(&mut self, end: RunEnd) -> DriveLeft;

    /// The health of the drives that reported it before.
    fn read_health(&self) -> Vec<DriveHealth>;
}

/// What a step gave.
#[derive(Debug)]
pub struct StepRun {
    /// Its result.
    pub result: StepResult,
    /// What could not be removed, in a sentence.
    pub note: Option<String>,
}

/// How the steps ended, as far as it decides what is done to the drive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RunEnd {
    /// Whether workers are still held by the kernel: the drive is left alone then.
    pub is_hung: bool,
    /// Whether it can be resumed.
    pub is_interrupted: bool,
    /// Whether the drive was found to hold less than it says.
    pub is_fake: bool,
}

/// What was done to the drive after the last step.
#[derive(Debug, Default)]
pub struct DriveLeft {
    /// What the Report says of it.
    pub notes: Vec<String>,
    /// Why a device does not hold what it held, though it is no fake.
    pub not_restored: Option<String>,
    /// What stays for the next checkup.
    pub parts: Kept,
}

/// What stays for the next checkup.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
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
