//! The error that ends what was asked for.

use cardiograph_core::schemars;
use cardiograph_store::StoreError;
use serde::{Deserialize, Serialize};

/// The exit code where all went as planned.
pub const DONE: u8 = 0;
/// The exit code of a wrong command line, or of surroundings that do not allow what it asks for.
pub const USAGE: u8 = 2;
/// The exit code where an I/O failed, or the drive stopped answering.
pub const IO_FAILED: u8 = 3;
/// Added to the number of the signal that ended the run, as shells do.
pub const SIGNAL_BASE: u8 = 128;

/// Why something ended, in one message: what, where, why, what to do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Failure {
    /// The exit code.
    pub code: u8,
    /// The message.
    pub message: String,
    /// The consent for want of which it ended, where it did for that alone.
    pub needs: Option<Box<NeedsConsent>>,
}

/// What a person is asked before a device is written to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct NeedsConsent {
    /// What would be done to it.
    pub question: String,
    /// Its id: whoever gives that has consented.
    pub id: String,
}

impl Failure {
    /// The command line or the surroundings are at fault.
    pub fn usage(message: impl Into<String>) -> Self {
        Self { code: USAGE, message: message.into(), needs: None }
    }

    /// An I/O is at fault.
    pub fn io(message: impl Into<String>) -> Self {
        Self { code: IO_FAILED, message: message.into(), needs: None }
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        let is_misnamed = matches!(
            error,
            StoreError::BadId { .. }
                | StoreError::NotFound { .. }
                | StoreError::NotAStore { .. }
                | StoreError::NoSuchKind { .. }
                | StoreError::NotAFile { .. }
                | StoreError::NoStore { .. }
                | StoreError::NoHome
        );
        Self { code: if is_misnamed { USAGE } else { IO_FAILED }, message: error.to_string(), needs: None }
    }
}
