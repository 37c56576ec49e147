//! No I/O: each request completes immediately, which leaves only the overhead of the harness.

use std::io;

use crate::clock::Clock;
use crate::engine::{Completion, EngineContext, EngineEntry, IoEngine, IoOp, Opened};
use crate::engines::synchronous::Synchronous;

pub const ENTRY: EngineEntry = EngineEntry::new(open);

fn open(context: &EngineContext) -> io::Result<Opened> {
    if context.depth <= 1 {
        return Ok(Opened { engine: engine(&context.clock), buffers_not_registered: None });
    }
    let waiting = Vec::with_capacity(context.depth as usize);
    Ok(Opened::new(Batches { clock: context.clock.clone(), waiting }))
}

/// The engine, which needs no files.
pub(crate) fn engine(clock: &Clock) -> Box<dyn IoEngine> {
    Box::new(Synchronous::new(|op: &IoOp| op.len_bytes as i32, clock))
}

/// The queueing version: a request completes when the caller waits for it.
struct Batches {
    clock: Clock,
    waiting: Vec<IoOp>,
}

impl IoEngine for Batches {
    fn submit(&mut self, ops: &[IoOp]) -> io::Result<usize> {
        self.waiting.extend_from_slice(ops);
        Ok(ops.len())
    }

    fn reap(&mut self, _: u32, max: u32, _: Option<u64>, done: &mut Vec<Completion>) -> io::Result<()> {
        let completed_at = self.clock.now();
        let reaped = self.waiting.drain(..self.waiting.len().min(max as usize));
        done.extend(reaped.map(|op| Completion { slot: op.slot, result: op.len_bytes as i32, completed_at }));
        Ok(())
    }

    fn cancel(&mut self) -> io::Result<()> {
        Ok(())
    }
}
