//! Each write sets the length of a file to its offset. No data is moved.

use std::io;

use crate::engine::{EngineContext, EngineEntry, IoOp, OpKind, Opened};
use crate::engines::at_once::AtOnce;
use crate::engines::in_place;

pub const ENTRY: EngineEntry = EngineEntry::new(open);

fn open(context: &EngineContext) -> io::Result<Opened> {
    let files = context.open_files()?;
    let execute = move |op: &IoOp| {
        let file = &files[op.file as usize];
        match op.kind {
            OpKind::Write => in_place::transfer(|| {
                rustix::fs::ftruncate(file, op.offset_bytes).map(|()| op.len_bytes as usize)
            }),
            OpKind::Fsync | OpKind::Fdatasync => in_place::sync(file, op.kind),
            // As fio answers them.
            OpKind::Read | OpKind::Trim => -libc::EINVAL,
        }
    };
    Ok(Opened::new(AtOnce::new(execute, &context.clock)))
}
