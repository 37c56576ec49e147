//! What is at stake when a device is written to, and consent.

use std::path::Path;

use cardiograph_core::{Message, Parameter, message};

/// Comma-separated ids, for scripts that cannot be changed.
pub const VARIABLE: &str = "CARDIOGRAPH_ALLOW_ERASE";

/// What happens to a device's content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stake {
    /// It is lost.
    Lost,
    /// It is overwritten and restored.
    Restored,
}

impl Stake {
    /// The question for the user.
    pub fn question(self, path: &Path, content: Parameter) -> Message {
        match self {
            Stake::Lost => message!("consent-question.lost", path, content),
            Stake::Restored => message!("consent-question.restored", path, content),
        }
    }
}
