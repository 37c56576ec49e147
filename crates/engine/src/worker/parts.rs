//! What a worker is made of.

use std::sync::Arc;

use cardiograph_core::{FileUse, Workload};

use super::StopFlag;
use crate::buffers::Arena;
use crate::clock::Clock;
use crate::engine::IoEngine;
use crate::flow::FlowShare;
use crate::offload::HandOvers;
use crate::recorder::Writer;

/// What a worker is made of.
pub(crate) struct WorkerParts {
    pub workload: Arc<Workload>,
    /// The files that it uses: those that the engine has, in the same order.
    pub files: Vec<FileUse>,
    pub file_names: Vec<String>,
    pub clone: u32,
    /// Its number in the run, and whether others write to the same places at the same time.
    pub number: u32,
    pub shares_files: bool,
    pub run_seed: u64,
    pub engine: Box<dyn IoEngine>,
    pub is_queueing: bool,
    /// Requests in flight at most; 1 for an engine that executes at once.
    pub depth: u32,
    pub buffers: Arc<Arena>,
    pub clock: Clock,
    pub writer: Writer,
    pub stop: Arc<StopFlag>,
    /// Its share in a flow of jobs.
    pub share: Option<FlowShare>,
    /// When requests were handed over, where other threads do that.
    pub hand_overs: Option<HandOvers>,
}
