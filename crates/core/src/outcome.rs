//! How a step ended.

use serde::{Deserialize, Serialize};

use crate::doubt::Doubt;
use crate::{JsonSchema, Message};

/// How a step ended.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum StepOutcome {
    /// As planned.
    #[default]
    Done,
    /// Stopped early.
    Interrupted,
    /// An I/O failed.
    Failed {
        /// What failed, where and why.
        message: Message,
    },
    /// The drive stopped answering.
    Hung,
}

impl StepOutcome {
    /// Why figures of a step with this ending may not be the drive's.
    pub fn doubt(&self) -> Option<Doubt> {
        match self {
            StepOutcome::Done => None,
            StepOutcome::Interrupted => Some(Doubt::Interrupted),
            StepOutcome::Failed { message } => Some(Doubt::Failed { message: message.clone() }),
            StepOutcome::Hung => Some(Doubt::Hung),
        }
    }
}
