//! When a worker may issue its next request.

use cardiograph_core::{Direction, Workload};

use super::thinking::Thinker;
use crate::clock::Clock;
use crate::flow::FlowShare;
use crate::pacer::{NEVER, Pacer};

/// When a worker may issue its next request.
pub(super) struct Pace {
    pub pacer: Option<Box<Pacer>>,
    /// A direction that was drawn but is not due yet.
    pub drawn: Option<Direction>,
    /// When the next request is due, in ticks; [`NEVER`] if none is waiting.
    pub due_at: u64,
    /// Due time of each slot's request.
    pub dues: Box<[u64]>,
    pub thinker: Option<Box<Thinker>>,
    pub share: Option<FlowShare>,
}

impl Pace {
    pub fn new(workload: &Workload, clock: &Clock, seed: u64, depth: u32, share: Option<FlowShare>) -> Self {
        // Read-back draws the sequence again, so its order must not depend on time.
        let pacer = Pacer::new(workload, clock, seed, workload.verify.is_some()).map(Box::new);
        let dues = vec![0; if pacer.is_some() { depth as usize } else { 0 }];
        Self {
            pacer,
            drawn: None,
            due_at: NEVER,
            dues: dues.into_boxed_slice(),
            thinker: Thinker::new(workload, clock).map(Box::new),
            share,
        }
    }
}
