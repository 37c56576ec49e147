//! One request at a time: read and write at the file's position, fsync, fdatasync.
//!
//! The engine seeks first unless the position is already right, so random I/O costs two system calls and
//! sequential I/O one.

use std::io;

use crate::engine::{EngineContext, EngineEntry, IoOp, OpKind, Opened};
use crate::engines::positioned::PositionedFile;
use crate::engines::synchronous::Synchronous;
use crate::engines::syscalls;

pub const ENTRY: EngineEntry = EngineEntry::new(open);

fn open(context: &EngineContext) -> io::Result<Opened> {
    let mut files: Vec<_> = context.open_files()?.into_iter().map(PositionedFile::new).collect();
    let buffers = context.buffers.clone();
    let execute = move |op: &IoOp| {
        let file = &mut files[op.file as usize];
        // SAFETY: the slot belongs to this engine until the request is reaped.
        let bytes = unsafe { buffers.slot_bytes(op.slot, op.len_bytes as usize) };
        let moved = match op.kind {
            OpKind::Read => file.transfer_at(op.offset_bytes, |fd| rustix::io::read(fd, &mut *bytes)),
            OpKind::Write => file.transfer_at(op.offset_bytes, |fd| rustix::io::write(fd, bytes)),
            _ => return syscalls::execute(&file.fd, op),
        };
        moved.map_or_else(|errno| -errno.raw_os_error(), |len| len as i32)
    };
    Ok(Opened::new(Synchronous::new(execute, &context.clock)))
}
