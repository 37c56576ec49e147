//! When a worker's next request may go.

use cardiograph_core::{Direction, Workload};

use super::thinking::Thinker;
use crate::clock::Clock;
use crate::flow::FlowShare;
use crate::pacer::{NEVER, Pacer};

/// When a worker's next request may go.
pub(super) struct Pace {
    pub pacer: Option<Box<Pacer>>,
    /// The direction that was drawn and was not due.
    pub drawn: Option<Direction>,
    /// When the next request is due, in ticks; [`NEVER`] when none waits for that.
    pub due_at: u64,
    /// When the request of a slot was due.
    pub dues: Box<[u64]>,
    pub thinker: Option<Box<Thinker>>,
    pub share: Option<FlowShare>,
}

impl Pace {
    pub fn new(workload: &Workload, clock: &Clock, seed: u64, depth: u32, share: Option<FlowShare>) -> Self {
        // What is to be read back is found by drawing again: the order may not depend on time.
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
