//! No I/O at all: each request is complete at once. What remains is the cost of the harness.

use std::io;

use crate::engine::{EngineContext, EngineEntry, IoOp, Opened};
use crate::engines::at_once::{AtOnce, Execute};

pub const ENTRY: EngineEntry = EngineEntry {
    name: "null",
    summary: "no I/O: the cost of the harness itself",
    is_queueing: false,
    is_batching: false,
    is_simulated: false,
    fallback: None,
    probe: || Ok(()),
    open,
};

fn open(context: &EngineContext) -> io::Result<Opened> {
    Ok(Opened::new(AtOnce::new(Null, &context.clock)))
}

struct Null;

impl Execute for Null {
    fn execute(&mut self, op: &IoOp) -> i32 {
        op.len_bytes as i32
    }
}
