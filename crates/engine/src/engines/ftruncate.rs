//! Each write sets the length of a file to its offset. No data is moved.

use std::io;

use crate::engine::{EngineContext, EngineEntry, IoOp, OpKind, Opened};
use crate::engines::synchronous::Synchronous;
use crate::engines::syscalls;

pub const ENTRY: EngineEntry = EngineEntry::new(open);

fn open(context: &EngineContext) -> io::Result<Opened> {
    let files = context.open_files()?;
    let execute = move |op: &IoOp| {
        let file = &files[op.file as usize];
        match op.kind {
            OpKind::Write => syscalls::transfer(|| {
                rustix::fs::ftruncate(file, op.offset_bytes).map(|()| op.len_bytes as usize)
            }),
            OpKind::Fsync | OpKind::Fdatasync => syscalls::sync(file, op.kind),
            // The same errors as fio.
            OpKind::Read | OpKind::Trim => -libc::EINVAL,
        }
    };
    Ok(Opened::new(Synchronous::new(execute, &context.clock)))
}
