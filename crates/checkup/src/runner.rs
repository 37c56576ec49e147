//! Who does the steps of a checkup. Suite, Report and verdicts are on this side of it, the drive is on the other.

use cardiograph_core::drive::DriveHealth;
use cardiograph_core::report::{Step, StepOutcome, StepResult};
use cardiograph_fio::fio_command;
use cardiograph_suites::NextStep;

use crate::failure::Failure;
use crate::signals::Signals;

/// Does the steps of one checkup: files and what is known of a device outlive a step.
pub trait Runner {
    /// How long the checkup has gone on, in nanoseconds of real or simulated time.
    fn elapsed_ns(&self) -> u64;

    /// Does a step, before which so many were done.
    ///
    /// # Errors
    /// Where it could not begin.
    fn step(&mut self, nth: u64, next: NextStep) -> Result<Done, Failure>;

    /// Puts back what has to be put back, and keeps what is gone on with. No step comes after it.
    fn leave(&mut self, how: Leaving) -> Left;

    /// How those drives are that told it before, asked once more.
    fn health(&self) -> Vec<DriveHealth>;
}

/// What a step gave.
#[derive(Debug)]
pub struct Done {
    /// Its result.
    pub result: StepResult,
    /// What stayed behind that should not, if so, in a sentence.
    pub note: Option<String>,
}

/// How a checkup ended, as far as that decides what becomes of the drive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Leaving {
    /// Whether workers are still held by the kernel: the drive is left alone then.
    pub is_hung: bool,
    /// Whether it can be gone on with.
    pub is_interrupted: bool,
    /// Whether the drive was found to hold less than it says.
    pub is_fake: bool,
}

/// What became of the drive.
#[derive(Debug, Default)]
pub struct Left {
    /// What the Report says of it.
    pub notes: Vec<String>,
    /// Why a device does not hold what it held, though nothing says that it cannot.
    pub not_put_back: Option<String>,
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
