//! One request at a time: pread, pwrite, fsync, fdatasync.

use std::io;
use std::os::fd::{AsRawFd, RawFd};
use std::sync::Arc;

use crate::buffers::Arena;
use crate::clock::Clock;
use crate::engine::{Completion, EngineContext, EngineEntry, IoEngine, IoOp, OpKind, Opened};
use crate::target::Target;

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
    let fd = context.target.fd(context.direct)?.as_raw_fd();
    Ok(Opened::new(Psync {
        fd,
        _target: context.target.clone(),
        buffers: context.buffers.clone(),
        clock: context.clock.clone(),
        done: Vec::with_capacity(context.depth as usize),
    }))
}

struct Psync {
    fd: RawFd,
    /// Keeps `fd` open.
    _target: Arc<Target>,
    buffers: Arc<Arena>,
    clock: Clock,
    done: Vec<Completion>,
}

impl Psync {
    /// Executes one request. Returns bytes moved or a negative error number.
    fn execute(&self, op: &IoOp) -> i32 {
        let buffer = self.buffers.slot(op.slot).cast::<libc::c_void>();
        let len = op.len_bytes as usize;
        debug_assert!(len <= self.buffers.slot_len_bytes());
        loop {
            // SAFETY: the descriptor is open while `_target` lives; the slot is `len` bytes or longer and belongs to
            // this engine until the request was reaped.
            let result = unsafe {
                match op.kind {
                    OpKind::Read => libc::pread64(self.fd, buffer, len, op.offset_bytes as i64),
                    OpKind::Write => libc::pwrite64(self.fd, buffer, len, op.offset_bytes as i64),
                    OpKind::Fsync => libc::fsync(self.fd) as isize,
                    OpKind::Fdatasync => libc::fdatasync(self.fd) as isize,
                }
            };
            if result >= 0 {
                return result as i32;
            }
            match io::Error::last_os_error().raw_os_error() {
                Some(libc::EINTR) => continue,
                errno => return -errno.unwrap_or(libc::EIO),
            }
        }
    }
}

impl IoEngine for Psync {
    fn submit(&mut self, ops: &[IoOp]) -> io::Result<usize> {
        let Some(op) = ops.first() else { return Ok(0) };
        let result = self.execute(op);
        self.done.push(Completion { slot: op.slot, result, completed_at: self.clock.now() });
        Ok(1)
    }

    fn reap(&mut self, _: u32, _: Option<u64>, done: &mut Vec<Completion>) -> io::Result<()> {
        done.append(&mut self.done);
        Ok(())
    }

    fn cancel(&mut self) -> io::Result<()> {
        Ok(())
    }
}
