//! The error that ends what was asked for.

use cardiograph_core::{Message, Parameter, message, schemars};
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

/// Why something ended: what, where, why, what to do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Failure {
    /// The exit code.
    pub code: u8,
    /// The message.
    pub message: Message,
    /// Where there are several: the others, each a line.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub more: Vec<Message>,
    /// The consent for want of which it ended, where it did for that alone.
    pub needs: Option<Box<NeedsConsent>>,
}

/// What a person is asked before a device is written to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct NeedsConsent {
    /// What would be done to it.
    pub question: Message,
    /// Its id: whoever gives that has consented.
    pub id: String,
}

impl Failure {
    /// The command line or the surroundings are at fault.
    pub const fn usage(message: Message) -> Self {
        Self::new(USAGE, message)
    }

    /// An I/O is at fault.
    pub const fn io(message: Message) -> Self {
        Self::new(IO_FAILED, message)
    }

    /// The command line or the surroundings are at fault, in several ways.
    pub fn usage_lines(messages: impl IntoIterator<Item = Message>) -> Self {
        let mut lines = messages.into_iter();
        let message = lines.next().unwrap_or_default();
        Self { more: lines.collect(), ..Self::usage(message) }
    }

    /// One with an exit code.
    pub const fn new(code: u8, message: Message) -> Self {
        Self { code, message, more: Vec::new(), needs: None }
    }

    /// All its lines.
    pub fn lines(&self) -> impl Iterator<Item = &Message> {
        std::iter::once(&self.message).chain(&self.more)
    }

    /// All of it in one message.
    pub fn into_message(self) -> Message {
        if self.more.is_empty() {
            return self.message;
        }
        message!("several-errors", errors = Parameter::all(std::iter::once(self.message).chain(self.more)))
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
        Self::new(if is_misnamed { USAGE } else { IO_FAILED }, error.message())
    }
}
