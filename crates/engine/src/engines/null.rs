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
    Ok(Opened::new(Null { clock: context.clock.clone(), done: Vec::with_capacity(context.depth as usize) }))
}

struct Null {
    clock: Clock,
    done: Vec<Completion>,
}

impl IoEngine for Null {
    fn submit(&mut self, ops: &[IoOp]) -> io::Result<usize> {
        for op in ops {
            let completed_at = self.clock.now();
            self.done.push(Completion { slot: op.slot, result: op.len_bytes as i32, completed_at });
        }
        Ok(ops.len())
    }

    fn reap(&mut self, _: u32, _: Option<u64>, done: &mut Vec<Completion>) -> io::Result<()> {
        done.append(&mut self.done);
        Ok(())
    }

    fn cancel(&mut self) -> io::Result<()> {
        Ok(())
    }
}
