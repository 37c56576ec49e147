//! One request at a time: preadv and pwritev with a list of one buffer, fsync, fdatasync.

use std::io::{self, IoSlice, IoSliceMut};

use crate::engine::{EngineContext, EngineEntry, IoOp, OpKind, Opened};
use crate::engines::synchronous::Synchronous;
use crate::engines::syscalls;

pub const ENTRY: EngineEntry = EngineEntry::new(open);

fn open(context: &EngineContext) -> io::Result<Opened> {
    let (files, buffers) = (context.open_files()?, context.buffers.clone());
    let execute = move |op: &IoOp| {
        let file = &files[op.file as usize];
        // SAFETY: the slot belongs to this engine until the request is reaped.
        let bytes = unsafe { buffers.slot_bytes(op.slot, op.len_bytes as usize) };
        match op.kind {
            OpKind::Read => syscalls::transfer(|| {
                rustix::io::preadv(file, &mut [IoSliceMut::new(bytes)], op.offset_bytes)
            }),
            OpKind::Write => {
                syscalls::transfer(|| rustix::io::pwritev(file, &[IoSlice::new(bytes)], op.offset_bytes))
            }
            _ => syscalls::execute(file, op),
        }
    };
    Ok(Opened::new(Synchronous::new(execute, &context.clock)))
}
