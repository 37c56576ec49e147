//! The error for an invalid value on the command line.

use std::fmt;

use cardiograph_core::Message;

/// Why a value is invalid, as a phrase.
#[derive(Debug, Clone, PartialEq)]
pub struct Invalid(pub Message);

/// For developers: [`crate::usage`] shows the message.
impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for Invalid {}

impl From<Message> for Invalid {
    fn from(message: Message) -> Self {
        Self(message)
    }
}
