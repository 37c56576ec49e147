//! Remarks for readers of a result.

use serde::{Deserialize, Serialize};

use super::IoFailure;
use crate::{JsonSchema, Message};

/// Something about a run that its reader should know.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum EngineNote {
    /// Another engine than the one asked for was used.
    FellBack {
        /// The engine that was asked for.
        from: String,
        /// The one that was used.
        to: String,
        /// Why.
        reason: Message,
    },
    /// The engine runs one I/O at a time whatever depth is asked for.
    DepthCapped {
        /// The engine.
        engine: String,
        /// The depth that was asked for.
        depth: u32,
    },
    /// An engine, or a worker itself, failed in the middle of the run; what was recorded until then is here.
    Broke {
        /// The engine.
        engine: String,
        /// How.
        reason: Message,
    },
    /// The kernel did not take the buffers for registration.
    BuffersNotRegistered {
        /// The engine.
        engine: String,
        /// Why.
        reason: Message,
    },
    /// Workers run on any processor, not only on those that were asked for.
    NotPinned {
        /// The job.
        job: String,
        /// Why.
        reason: Message,
    },
    /// I/Os of a worker failed, and it went on as it was asked to.
    WentOn {
        /// The job.
        job: String,
        /// Which clone it was.
        clone: u32,
        /// How many failed.
        errors: u64,
        /// The first.
        first: IoFailure,
    },
    /// A command that was to run after a worker failed.
    CommandFailed {
        /// The job.
        job: String,
        /// How.
        reason: Message,
    },
    /// Workers do not run at the niceness that was asked for.
    NicenessNotSet {
        /// The job.
        job: String,
        /// The niceness.
        nice: i32,
        /// Why.
        reason: Message,
    },
}
