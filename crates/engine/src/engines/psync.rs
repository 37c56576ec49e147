//! One request at a time: pread, pwrite, fsync, fdatasync.

use std::io;
use std::os::fd::OwnedFd;
use std::sync::Arc;

use rustix::io::Errno;

use crate::buffers::Arena;
use crate::clock::Clock;
use crate::engine::{Completion, EngineContext, EngineEntry, IoEngine, IoOp, OpKind, Opened};

pub const ENTRY: EngineEntry = EngineEntry {
    name: "psync",
    summary: "pread and pwrite, one at a time",
    is_queueing: false,
    is_simulated: false,
    fallback: None,
    probe: || Ok(()),
    open,
};

fn open(context: &EngineContext) -> io::Result<Opened> {
    Ok(Opened::new(Psync {
        files: context.open_files()?,
        buffers: context.buffers.clone(),
        clock: context.clock.clone(),
        done: None,
    }))
}

struct Psync {
    files: Vec<OwnedFd>,
    buffers: Arc<Arena>,
    clock: Clock,
    /// What has not been reaped yet: until it has, the engine is full.
    done: Option<Completion>,
}

impl Psync {
    /// Executes one request. Returns bytes moved or a negative error number.
    ///
    /// The calls go straight to the kernel: those of the C library would first make the thread cancellable and then not,
    /// which costs more than all the rest of this engine once a process has several threads.
    fn execute(&self, op: &IoOp) -> i32 {
        let file = &self.files[op.file as usize];
        loop {
            // SAFETY: the slot belongs to this engine until the request was reaped.
            let bytes = unsafe { self.buffers.slot_bytes(op.slot, op.len_bytes as usize) };
            let result = match op.kind {
                OpKind::Read => rustix::io::pread(file, bytes, op.offset_bytes),
                OpKind::Write => rustix::io::pwrite(file, bytes, op.offset_bytes),
                OpKind::Fsync => rustix::fs::fsync(file).map(|()| 0),
                OpKind::Fdatasync => rustix::fs::fdatasync(file).map(|()| 0),
            };
            match result {
                Ok(len) => return len as i32,
                Err(Errno::INTR) => {}
                Err(errno) => return -errno.raw_os_error(),
            }
        }
    }
}

impl IoEngine for Psync {
    fn submit(&mut self, ops: &[IoOp]) -> io::Result<usize> {
        let (Some(op), None) = (ops.first(), self.done) else { return Ok(0) };
        let result = self.execute(op);
        self.done = Some(Completion { slot: op.slot, result, completed_at: self.clock.now() });
        Ok(1)
    }

    fn reap(&mut self, _: u32, max: u32, _: Option<u64>, done: &mut Vec<Completion>) -> io::Result<()> {
        if max > 0
            && let Some(completion) = self.done.take()
        {
            done.push(completion);
        }
        Ok(())
    }

    fn cancel(&mut self) -> io::Result<()> {
        Ok(())
    }
}
