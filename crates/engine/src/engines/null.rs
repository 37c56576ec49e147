//! No I/O at all: each request is complete at once. What remains is the cost of the harness.

use std::io;

use crate::clock::Clock;
use crate::engine::{Completion, EngineContext, EngineEntry, IoEngine, IoOp, Opened};

pub const ENTRY: EngineEntry = EngineEntry {
    name: "null",
    summary: "no I/O: the cost of the harness itself",
    is_queueing: false,
    is_simulated: false,
    fallback: None,
    probe: || Ok(()),
    open,
};

fn open(context: &EngineContext) -> io::Result<Opened> {
    Ok(Opened::new(Null { clock: context.clock.clone(), done: None }))
}

struct Null {
    clock: Clock,
    /// What has not been reaped yet: until it has, the engine is full.
    done: Option<Completion>,
}

impl IoEngine for Null {
    fn submit(&mut self, ops: &[IoOp]) -> io::Result<usize> {
        let (Some(op), None) = (ops.first(), self.done) else { return Ok(0) };
        let completed_at = self.clock.now();
        self.done = Some(Completion { slot: op.slot, result: op.len_bytes as i32, completed_at });
        Ok(1)
    }

    fn reap(&mut self, _: u32, max: u32, _: Option<u64>, done: &mut Vec<Completion>) -> io::Result<()> {
        if max > 0
            && let Some(completion) = self.done.take()
        {
            done.push(completion);
        }
        Ok(())
    }

    fn cancel(&mut self) -> io::Result<()> {
        Ok(())
    }
}
