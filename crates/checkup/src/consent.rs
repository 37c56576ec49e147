//! What is at stake when a device is written to, and consent.

use std::path::Path;

use cardiograph_core::{Parameter, message};

use crate::failure::{Failure, NeedsConsent};

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
    /// Why a job may not write to a device: erasing `content` was not approved. With the question for the user.
    pub fn refusal(self, job: &str, path: &Path, id: String, content: Parameter) -> Failure {
        let (asked, needed, variable) = (content.clone(), &id, VARIABLE);
        let (question, missing) = match self {
            Stake::Lost => (
                message!("consent-question.lost", path, content = asked),
                message!("prepare-needs-consent.lost", job, path, content, id = needed, variable),
            ),
            Stake::Restored => (
                message!("consent-question.restored", path, content = asked),
                message!("prepare-needs-consent.restored", job, path, content, id = needed, variable),
            ),
        };
        Failure { needs: Some(Box::new(NeedsConsent { question, id })), ..Failure::usage(missing) }
    }
}
