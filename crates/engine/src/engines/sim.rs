//! A simulated drive, in simulated time (see [`crate::sim`]).

use std::io;
use std::sync::Arc;

use cardiograph_core::system_error::explained;
use cardiograph_core::workload::WriteThrough;
use cardiograph_core::{Parameter, message};

use crate::buffers::Arena;
use crate::clock::Clock;
use crate::engine::{Completion, EngineContext, EngineEntry, IoEngine, IoOp, OpKind, Opened};
use crate::sim::{CONTENT_BLOCK_BYTES, Served, SimFile, SimRequest};
use crate::target::Target;

pub const ENTRY: EngineEntry = EngineEntry::new(open);

fn open(context: &EngineContext) -> io::Result<Opened> {
    if context.targets.iter().any(|target| target.simulated_file().is_none()) {
        return Err(io::ErrorKind::Unsupported.into());
    }
    let len_bytes: u64 = context.targets.iter().map(|target| target.len_bytes()).sum();
    let len_bytes = len_bytes.min(context.access.moved_bytes_max.unwrap_or(u64::MAX));
    if context.access.checks_content && len_bytes > CHECKED_LEN_BYTES_MAX {
        let (most, length) = (Parameter::Bytes(CHECKED_LEN_BYTES_MAX), Parameter::Bytes(len_bytes));
        let reason = message!("engine-simulated-too-long", most, length);
        return Err(explained(io::ErrorKind::Other, reason));
    }
    Ok(Opened::new(Sim {
        checks_content: context.access.checks_content,
        writes_through: context.access.write_through != WriteThrough::None,
        targets: context.targets.clone(),
        buffers: context.buffers.clone(),
        clock: context.clock.clone(),
        in_flight: Vec::with_capacity(context.depth as usize),
        wanted: 0,
    }))
}

/// Maximum length up to which all content is kept.
const CHECKED_LEN_BYTES_MAX: u64 = 4 << 30;

struct Pending {
    op: IoOp,
    /// `None` when the drive will never respond.
    served: Option<Served>,
}

impl Pending {
    /// Reaping order: earliest completion first, requests without response last.
    fn turn(&self) -> (u64, u32) {
        (self.served.as_ref().map_or(u64::MAX, |served| served.completed_at_ns), self.op.slot)
    }
}

struct Sim {
    /// Whether all bytes are stored, not only stamps.
    checks_content: bool,
    /// Whether a write completes only when it is durable.
    writes_through: bool,
    targets: Vec<Arc<Target>>,
    buffers: Arc<Arena>,
    clock: Clock,
    /// Sorted with the earliest completion last.
    in_flight: Vec<Pending>,
    /// Completions that the last call of `reap` waits for.
    wanted: u32,
}

impl Sim {
    fn file(&self, op: &IoOp) -> &SimFile {
        self.targets[op.file as usize].simulated_file().expect("checked when it was opened")
    }

    /// Result of a write that completes only after a flush; `None` if the drive never responds to the flush.
    fn made_durable(&self, file: &SimFile, written: &SimRequest, served: Served) -> Option<Served> {
        if served.result < 0 {
            return Some(served);
        }
        let flush = SimRequest { kind: OpKind::Fdatasync, len_bytes: 0, ..*written };
        let flushed = file.drive().serve(self.clock.now(), &flush)?;
        let completed_at_ns = served.completed_at_ns.max(flushed.completed_at_ns);
        let result = if flushed.result < 0 { flushed.result } else { served.result };
        Some(Served { completed_at_ns, result })
    }

    fn store(&self, op: &IoOp, moved_bytes: usize) {
        // SAFETY: the request was submitted and not yet reaped, so the slot belongs to the engine.
        let bytes = unsafe { self.buffers.slot_bytes(op.slot, op.len_bytes as usize) };
        let position_bytes = self.file(op).base_bytes() + op.offset_bytes;
        let drive = self.file(op).drive();
        if self.checks_content {
            return drive.store_bytes(position_bytes, &bytes[..moved_bytes.min(bytes.len())]);
        }
        let blocks_len = moved_bytes.next_multiple_of(CONTENT_BLOCK_BYTES);
        drive.store_stamps(position_bytes, &bytes[..blocks_len.min(bytes.len())]);
    }

    /// Fills the buffer of a read. Without content checks nobody reads it.
    fn load(&self, op: &IoOp, moved_bytes: usize) {
        if self.checks_content {
            // SAFETY: as in `store`.
            let bytes = unsafe { self.buffers.slot_bytes(op.slot, op.len_bytes as usize) };
            let len = moved_bytes.min(bytes.len());
            let position_bytes = self.file(op).base_bytes() + op.offset_bytes;
            self.file(op).drive().load_bytes(position_bytes, &mut bytes[..len]);
        }
    }
}

impl IoEngine for Sim {
    fn submit(&mut self, ops: &[IoOp]) -> io::Result<usize> {
        for op in ops {
            let file = self.file(op);
            let request = SimRequest {
                kind: op.kind,
                position_bytes: file.base_bytes() + op.offset_bytes,
                len_bytes: op.len_bytes,
            };
            let mut served = file.drive().serve(self.clock.now(), &request);
            if self.writes_through && op.kind == OpKind::Write {
                served = served.and_then(|written| self.made_durable(file, &request, written));
            }
            if let (OpKind::Write, Some(served)) = (op.kind, &served) {
                self.store(op, served.result.max(0) as usize);
            }
            let pending = Pending { op: *op, served };
            let place = self.in_flight.partition_point(|other| other.turn() > pending.turn());
            self.in_flight.insert(place, pending);
        }
        Ok(ops.len())
    }

    fn reap(&mut self, min: u32, max: u32, _: Option<u64>, done: &mut Vec<Completion>) -> io::Result<()> {
        let now = self.clock.now();
        self.wanted = min;
        if self.next_completion_at().is_some_and(|at| at > now) {
            return Ok(());
        }
        for _ in 0..max {
            let is_due = |pending: &mut Pending| {
                pending.served.as_ref().is_some_and(|served| served.completed_at_ns <= now)
            };
            let Some(Pending { op, served: Some(served) }) = self.in_flight.pop_if(is_due) else { break };
            if op.kind == OpKind::Read {
                self.load(&op, served.result.max(0) as usize);
            }
            done.push(Completion {
                slot: op.slot,
                result: served.result,
                completed_at: served.completed_at_ns,
            });
        }
        Ok(())
    }

    fn cancel(&mut self) -> io::Result<()> {
        // A simulated drive responds soon; one that hangs is given up as a real one is.
        Ok(())
    }

    /// When the awaited number of completions, or all that will ever arrive, are available.
    fn next_completion_at(&self) -> Option<u64> {
        let answered = self.in_flight.iter().rev().map_while(|pending| pending.served.as_ref());
        answered.take(self.wanted.max(1) as usize).last().map(|served| served.completed_at_ns)
    }
}
