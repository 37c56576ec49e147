//! No I/O at all: each request is complete at once. What remains is the cost of the harness.

use std::io;

use crate::clock::Clock;
use crate::engine::{EngineContext, EngineEntry, IoEngine, IoOp, Opened};
use crate::engines::at_once::{AtOnce, Execute};

pub const ENTRY: EngineEntry = EngineEntry::new("null", "no I/O: the cost of the harness itself", open);

fn open(context: &EngineContext) -> io::Result<Opened> {
    Ok(Opened { engine: engine(&context.clock), buffers_not_registered: None })
}

/// The engine. It needs no files.
pub(crate) fn engine(clock: &Clock) -> Box<dyn IoEngine> {
    Box::new(AtOnce::new(Null, clock))
}

struct Null;

impl Execute for Null {
    fn execute(&mut self, op: &IoOp) -> i32 {
        op.len_bytes as i32
    }
}
