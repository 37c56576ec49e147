//! A simulated drive, in simulated time (see [`crate::sim`]).

use std::io;
use std::sync::Arc;

use crate::buffers::{Arena, STAMP_LEN_BYTES};
use crate::clock::Clock;
use crate::engine::{Completion, EngineContext, EngineEntry, IoEngine, IoOp, OpKind, Opened};
use crate::sim::{CONTENT_BLOCK_BYTES, Served, SimFile, SimRequest};
use crate::target::Target;

pub const ENTRY: EngineEntry = EngineEntry {
    name: "sim",
    summary: "a simulated drive in simulated time",
    is_queueing: true,
    is_simulated: true,
    fallback: None,
    probe: || Ok(()),
    open,
};

fn open(context: &EngineContext) -> io::Result<Opened> {
    if context.target.simulated_file().is_none() {
        return Err(io::ErrorKind::Unsupported.into());
    }
    Ok(Opened::new(Sim {
        target: context.target.clone(),
        buffers: context.buffers.clone(),
        clock: context.clock.clone(),
        in_flight: Vec::with_capacity(context.depth as usize),
    }))
}

struct Pending {
    op: IoOp,
    /// `None` when the drive will never answer.
    served: Option<Served>,
}

struct Sim {
    target: Arc<Target>,
    buffers: Arc<Arena>,
    clock: Clock,
    in_flight: Vec<Pending>,
}

impl Sim {
    fn file(&self) -> &SimFile {
        self.target.simulated_file().expect("checked when it was opened")
    }

    /// The content blocks of a request: position in the slot, and position on the drive.
    fn blocks(&self, op: &IoOp, moved_bytes: usize) -> impl Iterator<Item = (usize, u64)> + use<> {
        let base = self.file().base_bytes() + op.offset_bytes;
        (0..moved_bytes).step_by(CONTENT_BLOCK_BYTES).map(move |at| (at, base + at as u64))
    }

    fn store(&self, op: &IoOp, moved_bytes: usize) {
        // SAFETY: the request was submitted and not yet reaped: the slot belongs to the engine.
        let slot = unsafe { self.buffers.slot_bytes(op.slot, op.len_bytes as usize) };
        let drive = self.file().drive();
        for (at, position) in self.blocks(op, moved_bytes) {
            if let Some(stamp) = slot.get(at..).and_then(|rest| rest.first_chunk::<STAMP_LEN_BYTES>()) {
                drive.store_content(position, u128::from_le_bytes(*stamp));
            }
        }
    }

    fn load(&self, op: &IoOp, moved_bytes: usize) {
        // SAFETY: as in `store`.
        let slot = unsafe { self.buffers.slot_bytes(op.slot, op.len_bytes as usize) };
        let drive = self.file().drive();
        for (at, position) in self.blocks(op, moved_bytes) {
            if let Some(place) = slot.get_mut(at..).and_then(|rest| rest.first_chunk_mut::<STAMP_LEN_BYTES>())
            {
                *place = drive.load_content(position).to_le_bytes();
            }
        }
    }
}

impl IoEngine for Sim {
    fn submit(&mut self, ops: &[IoOp]) -> io::Result<usize> {
        for op in ops {
            let request = SimRequest {
                kind: op.kind,
                position_bytes: self.file().base_bytes() + op.offset_bytes,
                len_bytes: op.len_bytes,
            };
            let served = self.file().drive().serve(self.clock.now(), &request);
            if let (OpKind::Write, Some(served)) = (op.kind, &served) {
                self.store(op, served.result.max(0) as usize);
            }
            self.in_flight.push(Pending { op: *op, served });
        }
        Ok(ops.len())
    }

    fn reap(&mut self, _: u32, _: Option<u64>, done: &mut Vec<Completion>) -> io::Result<()> {
        let now = self.clock.now();
        let first = done.len();
        let mut at = 0;
        while at < self.in_flight.len() {
            match &self.in_flight[at].served {
                Some(served) if served.completed_at_ns <= now => {
                    let (completed_at, result) = (served.completed_at_ns, served.result);
                    let Pending { op, .. } = self.in_flight.swap_remove(at);
                    if op.kind == OpKind::Read {
                        self.load(&op, result.max(0) as usize);
                    }
                    done.push(Completion { slot: op.slot, result, completed_at });
                }
                _ => at += 1,
            }
        }
        done[first..].sort_by_key(|completion| (completion.completed_at, completion.slot));
        Ok(())
    }

    fn cancel(&mut self) -> io::Result<()> {
        // A simulated drive that answers does so soon; one that does not is given up like a real one.
        Ok(())
    }

    fn next_completion_at(&self) -> Option<u64> {
        self.in_flight.iter().filter_map(|pending| pending.served.as_ref()).map(|s| s.completed_at_ns).min()
    }
}
