//! Remarks for readers of a result.

use serde::{Deserialize, Serialize};

use super::IoFailure;
use crate::{JsonSchema, Message};

/// A remark on a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum EngineNote {
    /// Another engine than the requested one was used.
    FellBack {
        /// The requested engine.
        from: String,
        /// The engine used.
        to: String,
        /// Why.
        reason: Message,
    },
    /// The engine runs one I/O at a time whatever depth is requested.
    DepthCapped {
        /// The engine.
        engine: String,
        /// The requested depth.
        depth: u32,
    },
    /// An engine, or a worker itself, failed during the run; the results contain what was recorded until then.
    Broke {
        /// The engine.
        engine: String,
        /// How.
        reason: Message,
    },
    /// The kernel rejected the buffers for registration.
    BuffersNotRegistered {
        /// The engine.
        engine: String,
        /// Why.
        reason: Message,
    },
    /// Workers run on any processor, not only on the requested ones.
    NotPinned {
        /// The job.
        job: String,
        /// Why.
        reason: Message,
    },
    /// I/Os of a worker failed, and it continued as requested.
    WentOn {
        /// The job.
        job: String,
        /// Number of its clone.
        clone: u32,
        /// Number of failures.
        errors: u64,
        /// The first failure.
        first: IoFailure,
    },
    /// The command to run after a worker failed.
    CommandFailed {
        /// The job.
        job: String,
        /// How.
        reason: Message,
    },
    /// Workers do not run at the requested niceness.
    NicenessNotSet {
        /// The job.
        job: String,
        /// The requested niceness.
        nice: i32,
        /// Why.
        reason: Message,
    },
}
