//! One request at a time: pread, pwrite, fsync, fdatasync.

use std::io;
use std::os::fd::OwnedFd;
use std::sync::Arc;

use crate::buffers::Arena;
use crate::engine::{EngineContext, EngineEntry, IoOp, OpKind, Opened};
use crate::engines::at_once::{AtOnce, Execute};
use crate::engines::in_place;

pub const ENTRY: EngineEntry = EngineEntry::new(open);

fn open(context: &EngineContext) -> io::Result<Opened> {
    let psync = Psync { files: context.open_files()?, buffers: context.buffers.clone() };
    Ok(Opened::new(AtOnce::new(psync, &context.clock)))
}

struct Psync {
    files: Vec<OwnedFd>,
    buffers: Arc<Arena>,
}

impl Execute for Psync {
    /// The calls go straight to the kernel: those of the C library would first make the thread cancellable and then not,
    /// which costs more than all the rest of this engine once a process has several threads.
    #[inline(always)]
    fn execute(&mut self, op: &IoOp) -> i32 {
        let file = &self.files[op.file as usize];
        // SAFETY: the slot belongs to this engine until the request was reaped.
        let bytes = unsafe { self.buffers.slot_bytes(op.slot, op.len_bytes as usize) };
        match op.kind {
            OpKind::Read => in_place::transfer(|| rustix::io::pread(file, &mut *bytes, op.offset_bytes)),
            OpKind::Write => in_place::transfer(|| rustix::io::pwrite(file, &*bytes, op.offset_bytes)),
            _ => in_place::execute(file, op),
        }
    }
}
