//! What is at stake when a device is written to, and who has consented to it.

use std::path::Path;

use cardiograph_core::{Message, Parameter, message};

/// Ids, separated by commas, for scripts that cannot be changed.
pub const VARIABLE: &str = "CARDIOGRAPH_ALLOW_DESTROY";

/// What becomes of a device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stake {
    /// What is on it is lost.
    Lost,
    /// What is overwritten is put back.
    Restored,
}

impl Stake {
    /// What a person is asked.
    pub fn question(self, path: &Path, content: Parameter) -> Message {
        match self {
            Stake::Lost => message!("consent-question.lost", path = path, content = content),
            Stake::Restored => message!("consent-question.restored", path = path, content = content),
        }
    }
}
