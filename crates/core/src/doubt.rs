//! Reasons why a figure is not the drive's, or may not be.

use serde::{Deserialize, Serialize};

use crate::direction::Direction;
use crate::{JsonSchema, Message, Parameter, message};

/// Why a figure is not the drive's, or may not be, in order of severity.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Doubt {
    /// The kernel counted fewer bytes on the drive than requested.
    Contradicted {
        /// Counted bytes relative to requested.
        share: f64,
    },
    /// It exceeds the capacity of the drive's link.
    AboveLink,
    /// The program was paused: I/Os in flight last as long as the pause, and the step's time passes without I/O.
    Paused {
        /// Length of the pause, in nanoseconds.
        paused_ns: u64,
        /// Length of the step, in nanoseconds; 0 if unknown.
        of_ns: u64,
    },
    /// The step failed.
    Failed {
        /// Why.
        message: Message,
    },
    /// The drive stopped answering.
    Hung,
    /// The file system is in memory.
    MemoryFileSystem,
    /// It went through a page cache, which a simulated drive lacks: the figure is not representative.
    NoPageCache,
    /// The page cache may have answered.
    PageCache,
    /// The source does not report whether the page cache was bypassed.
    CacheUnknown,
    /// The engine ran one I/O at a time although a higher depth was requested.
    OneAtATime {
        /// The requested depth.
        asked: u32,
    },
    /// The step was stopped early.
    Interrupted,
    /// A proof is incomplete, as a step did not complete.
    NotProved {
        /// Short title of the step.
        step: Message,
        /// How it ended.
        ended: Box<Doubt>,
    },
    /// The cache of a RAID controller took the writes.
    ControllerCache,
    /// The program that measured it is known to compute it wrongly.
    ToolDefect {
        /// The defect, as a phrase.
        message: Message,
    },
    /// Too few latencies lie above a percentile for judging by it.
    FewSamples {
        /// Their number.
        above: u64,
    },
    /// The source's own remark.
    Stated {
        /// Its words.
        why: String,
    },
}

impl Doubt {
    /// Whether it makes the figure unreliable, so that it is not used for judging. Missing information does not.
    pub fn speaks_against(&self) -> bool {
        *self != Doubt::CacheUnknown
    }

    /// Whether the figure is of something other than the drive alone, so that it is not shown at all. Any other
    /// figure is shown with the reason.
    pub const fn withholds(&self) -> bool {
        matches!(self, Doubt::Contradicted { .. } | Doubt::AboveLink | Doubt::Paused { .. })
    }

    /// The reason, as a phrase to show with a figure.
    pub fn message(&self) -> Message {
        match self {
            Doubt::Contradicted { share } => message!("doubt-contradicted", share = Parameter::share(*share)),
            Doubt::AboveLink => message!("doubt-above-link"),
            Doubt::Paused { paused_ns, of_ns: 0 } => {
                message!("doubt-paused", paused = Parameter::DurationNs(*paused_ns))
            }
            Doubt::Paused { paused_ns, of_ns } => message!(
                "doubt-paused.of-step",
                paused = Parameter::DurationNs(*paused_ns),
                duration = Parameter::DurationNs(*of_ns)
            ),
            Doubt::Failed { message } => message!("doubt-failed", error = without_stop(message)),
            Doubt::Hung => message!("doubt-hung"),
            Doubt::MemoryFileSystem => message!("doubt-memory"),
            Doubt::NoPageCache => message!("doubt-no-page-cache"),
            Doubt::PageCache => message!("doubt-page-cache"),
            Doubt::CacheUnknown => message!("doubt-cache-unknown"),
            Doubt::OneAtATime { asked } => message!("doubt-one-at-a-time", depth = *asked),
            Doubt::Interrupted => message!("doubt-interrupted"),
            Doubt::NotProved { step, ended } => {
                message!("doubt-not-proved", ended = ended.message_of_step(step))
            }
            Doubt::ControllerCache => message!("doubt-controller-cache"),
            Doubt::ToolDefect { message } => message.clone(),
            Doubt::FewSamples { above } => message!("doubt-few-samples", above = *above),
            Doubt::Stated { why } => Message::verbatim(why),
        }
    }

    /// The reason, where the step is named separately.
    pub fn message_of_step(&self, step: &Message) -> Message {
        let step = step.clone();
        match self {
            Doubt::Interrupted => message!("doubt-interrupted.named", step),
            Doubt::Failed { message } => message!("doubt-failed.named", step, error = without_stop(message)),
            Doubt::Hung => message!("doubt-hung.named", step),
            other => message!("doubt-of-step", step, doubt = other.message()),
        }
    }
}

/// An error as part of a phrase.
fn without_stop(error: &Message) -> Message {
    let verbatim = error.as_verbatim().map(|text| Message::verbatim(text.trim_end_matches('.')));
    verbatim.unwrap_or_else(|| error.clone())
}

/// A doubt about figures of a step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct StepDoubt {
    /// The direction ([`Direction::counted_with`]); `None` for all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub direction: Option<Direction>,
    /// The reason.
    #[serde(flatten)]
    pub doubt: Doubt,
}

impl StepDoubt {
    /// Whether it applies to a direction's figures.
    pub fn is_of(&self, direction: Direction) -> bool {
        self.direction.is_none_or(|of| of == direction.counted_with())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_doubt_of_a_direction_is_one_object() {
        for (of, written) in [
            (
                StepDoubt { direction: Some(Direction::Write), doubt: Doubt::Contradicted { share: 0.25 } },
                r#"{"direction":"write","kind":"contradicted","share":0.25}"#,
            ),
            (StepDoubt { direction: None, doubt: Doubt::Interrupted }, r#"{"kind":"interrupted"}"#),
        ] {
            assert_eq!(serde_json::to_string(&of).unwrap(), written);
            assert_eq!(serde_json::from_str::<StepDoubt>(written).unwrap(), of);
            assert!(of.is_of(Direction::Sync));
            assert_eq!(of.is_of(Direction::Read), of.direction.is_none());
        }
    }
}
