//! One request at a time: read and write at the file's position, fsync, fdatasync.
//!
//! The position is moved first where it is not yet the request's, so that random I/O costs two system calls and
//! sequential I/O one.

use std::io;
use std::os::fd::OwnedFd;
use std::sync::Arc;

use rustix::fs::SeekFrom;
use rustix::io::Errno;

use crate::buffers::Arena;
use crate::engine::{EngineContext, EngineEntry, IoOp, OpKind, Opened};
use crate::engines::at_once::{AtOnce, Execute};
use crate::engines::trim::trim;

pub const ENTRY: EngineEntry = EngineEntry {
    name: "sync",
    summary: "lseek, read and write, one at a time",
    is_queueing: false,
    is_simulated: false,
    fallback: None,
    probe: || Ok(()),
    open,
};

fn open(context: &EngineContext) -> io::Result<Opened> {
    let files: Vec<OpenFile> =
        context.open_files()?.into_iter().map(|fd| OpenFile { fd, position_bytes: Some(0) }).collect();
    let sync = Sync { files, buffers: context.buffers.clone() };
    Ok(Opened::new(AtOnce::new(sync, &context.clock)))
}

struct OpenFile {
    fd: OwnedFd,
    /// Where the next read or write begins; `None` after a failure, which may have left it anywhere.
    position_bytes: Option<u64>,
}

impl OpenFile {
    /// Moves the position, if it is not there yet.
    fn seek(&mut self, offset_bytes: u64) -> rustix::io::Result<()> {
        if self.position_bytes != Some(offset_bytes) {
            self.position_bytes = None;
            rustix::fs::seek(&self.fd, SeekFrom::Start(offset_bytes))?;
        }
        Ok(())
    }
}

struct Sync {
    files: Vec<OpenFile>,
    buffers: Arc<Arena>,
}

impl Execute for Sync {
    fn execute(&mut self, op: &IoOp) -> i32 {
        let file = &mut self.files[op.file as usize];
        if op.kind == OpKind::Trim {
            return trim(&file.fd, op);
        }
        // SAFETY: the slot belongs to this engine until the request was reaped.
        let bytes = unsafe { self.buffers.slot_bytes(op.slot, op.len_bytes as usize) };
        let is_transfer = matches!(op.kind, OpKind::Read | OpKind::Write);
        if is_transfer && let Err(errno) = file.seek(op.offset_bytes) {
            return -errno.raw_os_error();
        }
        loop {
            let result = match op.kind {
                OpKind::Read => rustix::io::read(&file.fd, &mut *bytes),
                OpKind::Write => rustix::io::write(&file.fd, bytes),
                OpKind::Fsync => rustix::fs::fsync(&file.fd).map(|()| 0),
                _ => rustix::fs::fdatasync(&file.fd).map(|()| 0),
            };
            match result {
                Ok(len) => {
                    if is_transfer {
                        file.position_bytes = Some(op.offset_bytes + len as u64);
                    }
                    return len as i32;
                }
                // A call that moved bytes tells how many: one that was interrupted left the position alone.
                Err(Errno::INTR) => {}
                Err(errno) => {
                    file.position_bytes = None;
                    return -errno.raw_os_error();
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::target::{Access, Naming, Target};

    #[test]
    fn the_position_is_moved_only_where_it_must_be() {
        let directory = cardiograph_testing::disk_dir();
        let target = Target::create_file(directory.path(), 16_384, Naming::Automatic).unwrap();
        let fd = target.open(Access::default()).unwrap();
        let mut file = OpenFile { fd, position_bytes: Some(8_192) };
        // In truth it is at 0, and stays there while the engine believes that it need not move it.
        for (offset_bytes, moved_to) in [(8_192, 0), (4_096, 4_096), (0, 0)] {
            file.seek(offset_bytes).unwrap();
            assert_eq!(rustix::fs::tell(&file.fd), Ok(moved_to), "{offset_bytes}");
        }
        assert_eq!(file.seek(u64::MAX), Err(Errno::INVAL));
        assert_eq!(file.position_bytes, None, "a failed move leaves it unknown");
    }
}
