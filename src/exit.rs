//! Exit codes, and the error that ends a subcommand.

use cardiograph_store::StoreError;

/// All went as planned.
pub const DONE: u8 = 0;
/// A `--require` is not met.
pub const REQUIREMENT_NOT_MET: u8 = 1;
/// The command line is wrong, or the surroundings do not allow what it asks for.
pub const USAGE: u8 = 2;
/// An I/O failed, or the drive stopped answering.
pub const IO_FAILED: u8 = 3;
/// A `--require` or a `--fail-if-worse` cannot be judged.
pub const NOT_JUDGED: u8 = 4;
/// A `--fail-if-worse` found something.
pub const WORSE: u8 = 5;
/// Added to the number of the signal that ended the run, as shells do.
pub const SIGNAL_BASE: u8 = 128;

/// Why a subcommand ended, in one message: what, where, why, what to do.
#[derive(Debug)]
pub struct Failure {
    /// The exit code.
    pub code: u8,
    /// The message.
    pub message: String,
}

impl Failure {
    /// The command line or the surroundings are at fault.
    pub fn usage(message: impl Into<String>) -> Self {
        Self { code: USAGE, message: message.into() }
    }

    /// An I/O is at fault.
    pub fn io(message: impl Into<String>) -> Self {
        Self { code: IO_FAILED, message: message.into() }
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        let is_misnamed = matches!(
            error,
            StoreError::BadId { .. }
                | StoreError::NotFound { .. }
                | StoreError::NotAStore { .. }
                | StoreError::NotAFile { .. }
                | StoreError::NoStore { .. }
                | StoreError::NoHome
        );
        Self { code: if is_misnamed { USAGE } else { IO_FAILED }, message: error.to_string() }
    }
}
