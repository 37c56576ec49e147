//! Parts to build a worker from.

use std::sync::Arc;

use cardiograph_core::{FileUse, Workload};

use super::StopFlag;
use crate::buffers::Arena;
use crate::clock::Clock;
use crate::engine::IoEngine;
use crate::flow::FlowShare;
use crate::offload::SubmitTimes;
use crate::recorder::Writer;

/// Parts to build a worker from.
pub(crate) struct WorkerParts {
    pub workload: Arc<Workload>,
    /// The files that it uses, in the same order as the engine's.
    pub files: Vec<FileUse>,
    pub file_names: Vec<String>,
    pub clone: u32,
    /// Its number in the run, and whether others write to the same offsets at the same time.
    pub number: u32,
    pub shares_files: bool,
    pub run_seed: u64,
    pub engine: Box<dyn IoEngine>,
    pub is_queueing: bool,
    /// Queue depth; 1 for a synchronous engine.
    pub depth: u32,
    pub buffers: Arc<Arena>,
    pub clock: Clock,
    pub writer: Writer,
    pub stop: Arc<StopFlag>,
    /// Its share in a flow, if any.
    pub share: Option<FlowShare>,
    /// Submission times, if other threads submit.
    pub submit_times: Option<SubmitTimes>,
}
