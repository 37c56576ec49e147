//! One request at a time: pread, pwrite, fsync, fdatasync.

use std::io;

use crate::engine::{EngineContext, EngineEntry, IoOp, OpKind, Opened};
use crate::engines::synchronous::Synchronous;
use crate::engines::syscalls;

pub const ENTRY: EngineEntry = EngineEntry::new(open);

/// The calls go straight to the kernel: those of the C library first make the thread cancellable and then
/// undo that, which costs more than the rest of this engine once a process has several threads.
fn open(context: &EngineContext) -> io::Result<Opened> {
    let (files, buffers) = (context.open_files()?, context.buffers.clone());
    let execute = move |op: &IoOp| {
        let file = &files[op.file as usize];
        // SAFETY: the slot belongs to this engine until the request is reaped.
        let bytes = unsafe { buffers.slot_bytes(op.slot, op.len_bytes as usize) };
        match op.kind {
            OpKind::Read => syscalls::transfer(|| rustix::io::pread(file, &mut *bytes, op.offset_bytes)),
            OpKind::Write => syscalls::transfer(|| rustix::io::pwrite(file, &*bytes, op.offset_bytes)),
            _ => syscalls::execute(file, op),
        }
    };
    Ok(Opened::new(Synchronous::new(execute, &context.clock)))
}
