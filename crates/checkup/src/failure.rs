//! The error that ends a request.

use cardiograph_core::{Message, Parameter, message, schemars};
use cardiograph_store::StoreError;
use serde::{Deserialize, Serialize};

/// Exit code for success.
pub const DONE: u8 = 0;
/// Exit code for a wrong command line, or an environment that does not allow the request.
pub const USAGE: u8 = 2;
/// Exit code if an I/O failed, or the drive stopped responding.
pub const IO_FAILED: u8 = 3;
/// Added to the number of the signal that ended the run, as in shells.
pub const SIGNAL_BASE: u8 = 128;

/// Why a request ended: what, where, why, what to do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Failure {
    /// The exit code.
    pub code: u8,
    /// The message.
    pub message: Message,
    /// Further messages, each a line.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub more: Vec<Message>,
    /// The missing consent, if that is the only cause.
    pub needs: Option<Box<NeedsConsent>>,
}

/// The question before a device is written to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct NeedsConsent {
    /// What would be done to it.
    pub question: Message,
    /// The id to give as consent.
    pub id: String,
}

impl Failure {
    /// Wrong command line or environment.
    pub const fn usage(message: Message) -> Self {
        Self::new(USAGE, message)
    }

    /// Failed I/O.
    pub const fn io(message: Message) -> Self {
        Self::new(IO_FAILED, message)
    }

    /// Wrong command line or environment, in several ways.
    pub fn usage_lines(messages: impl IntoIterator<Item = Message>) -> Self {
        let mut lines = messages.into_iter();
        let message = lines.next().unwrap_or_default();
        Self { more: lines.collect(), ..Self::usage(message) }
    }

    /// With an exit code.
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
                | StoreError::TokenExists { .. }
                | StoreError::NoSuchKind { .. }
                | StoreError::NoStore(_)
        );
        Self::new(if is_misnamed { USAGE } else { IO_FAILED }, error.message())
    }
}
