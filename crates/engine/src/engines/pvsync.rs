//! One request at a time: preadv and pwritev with a list of one buffer, fsync, fdatasync.

use std::io::{self, IoSlice, IoSliceMut};
use std::os::fd::OwnedFd;
use std::sync::Arc;

use crate::buffers::Arena;
use crate::engine::{EngineContext, EngineEntry, IoOp, OpKind, Opened};
use crate::engines::at_once::{AtOnce, Execute};
use crate::engines::in_place;

pub const ENTRY: EngineEntry = EngineEntry::new(open);

fn open(context: &EngineContext) -> io::Result<Opened> {
    let pvsync = Pvsync { files: context.open_files()?, buffers: context.buffers.clone() };
    Ok(Opened::new(AtOnce::new(pvsync, &context.clock)))
}

struct Pvsync {
    files: Vec<OwnedFd>,
    buffers: Arc<Arena>,
}

impl Execute for Pvsync {
    #[inline(always)]
    fn execute(&mut self, op: &IoOp) -> i32 {
        let file = &self.files[op.file as usize];
        // SAFETY: the slot belongs to this engine until the request was reaped.
        let bytes = unsafe { self.buffers.slot_bytes(op.slot, op.len_bytes as usize) };
        match op.kind {
            OpKind::Read => in_place::transfer(|| {
                rustix::io::preadv(file, &mut [IoSliceMut::new(bytes)], op.offset_bytes)
            }),
            OpKind::Write => {
                in_place::transfer(|| rustix::io::pwritev(file, &[IoSlice::new(bytes)], op.offset_bytes))
            }
            _ => in_place::execute(file, op),
        }
    }
}
