//! Each request allocates or frees space in a file. No data is moved.

use std::io;

use rustix::fs::{FallocateFlags, fallocate};

use crate::engine::{EngineContext, EngineEntry, IoOp, OpKind, Opened};
use crate::engines::synchronous::Synchronous;
use crate::engines::syscalls;

pub const ENTRY: EngineEntry = EngineEntry::new(open);

/// A read allocates space and keeps the file's length, a write extends the file, and a trim frees the space.
/// fio 3.33 maps them to the same calls (observed with strace).
fn open(context: &EngineContext) -> io::Result<Opened> {
    let files = context.open_files()?;
    let execute = move |op: &IoOp| {
        let file = &files[op.file as usize];
        let flags = match op.kind {
            OpKind::Read => FallocateFlags::KEEP_SIZE,
            OpKind::Write => FallocateFlags::empty(),
            OpKind::Trim => FallocateFlags::KEEP_SIZE | FallocateFlags::PUNCH_HOLE,
            kind => return syscalls::sync(file, kind),
        };
        syscalls::transfer(|| {
            fallocate(file, flags, op.offset_bytes, u64::from(op.len_bytes)).map(|()| op.len_bytes as usize)
        })
    };
    Ok(Opened::new(Synchronous::new(execute, &context.clock)))
}
