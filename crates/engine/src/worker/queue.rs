//! Requests between a worker and its engine.

use crate::engine::{Completion, IoOp, OpKind};

/// A request in flight, indexed by slot.
#[derive(Debug, Clone, Copy)]
pub(super) struct InFlight {
    pub op: IoOp,
    pub started_at: u64,
    pub submitted_at: u64,
}

/// Requests between a worker and its engine.
pub(super) struct Queue {
    pub slots: Vec<InFlight>,
    /// Free slots.
    pub free: Vec<u32>,
    /// Requests to be submitted.
    pub batch: Vec<IoOp>,
    /// Reaped completions.
    pub done: Vec<Completion>,
    pub in_flight: u32,
}

impl Queue {
    pub fn new(depth: u32) -> Self {
        let nothing = IoOp { slot: 0, file: 0, kind: OpKind::Read, offset_bytes: 0, len_bytes: 0 };
        Self {
            slots: vec![InFlight { op: nothing, started_at: 0, submitted_at: 0 }; depth as usize],
            free: (0..depth).rev().collect(),
            batch: Vec::with_capacity(depth as usize),
            done: Vec::with_capacity(depth as usize),
            in_flight: 0,
        }
    }
}
