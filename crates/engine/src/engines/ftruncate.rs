//! Each write sets the length of a file to its offset. No data is moved.

use std::io;
use std::os::fd::OwnedFd;

use crate::engine::{EngineContext, EngineEntry, IoOp, OpKind, Opened};
use crate::engines::at_once::{AtOnce, Execute};
use crate::engines::in_place;

pub const ENTRY: EngineEntry = EngineEntry::new(open);

fn open(context: &EngineContext) -> io::Result<Opened> {
    let truncate = Truncate { files: context.open_files()? };
    Ok(Opened::new(AtOnce::new(truncate, &context.clock)))
}

struct Truncate {
    files: Vec<OwnedFd>,
}

impl Execute for Truncate {
    fn execute(&mut self, op: &IoOp) -> i32 {
        let file = &self.files[op.file as usize];
        match op.kind {
            OpKind::Write => in_place::transfer(|| {
                rustix::fs::ftruncate(file, op.offset_bytes).map(|()| op.len_bytes as usize)
            }),
            OpKind::Fsync | OpKind::Fdatasync => in_place::sync(file, op.kind),
            // As fio answers them.
            OpKind::Read | OpKind::Trim => -libc::EINVAL,
        }
    }
}
