//! Synchronous system calls shared by engines: transfers that a signal may interrupt, and requests without
//! data (sync, trim) for engines that cannot queue them.

use std::os::fd::AsFd;

use rustix::io::Errno;

use crate::engine::{IoOp, OpKind};
use crate::engines::trim::trim;

/// Executes a sync or a trim. Returns 0, the trimmed length, or a negative error number.
pub fn execute(file: impl AsFd, op: &IoOp) -> i32 {
    match op.kind {
        OpKind::Trim => trim(file, op),
        kind => sync(file, kind),
    }
}

/// Makes the data written to a file durable. Returns 0 or a negative error number.
pub fn sync(file: impl AsFd, kind: OpKind) -> i32 {
    transfer(|| {
        let synced = match kind {
            OpKind::Fdatasync => rustix::fs::fdatasync(&file),
            _ => rustix::fs::fsync(&file),
        };
        synced.map(|()| 0)
    })
}

/// Retries a call while signals interrupt it. Returns bytes moved or a negative error number.
#[inline(always)]
pub fn transfer(mut call: impl FnMut() -> Result<usize, Errno>) -> i32 {
    loop {
        match call() {
            Ok(len) => return len as i32,
            Err(Errno::INTR) => {}
            Err(errno) => return -errno.raw_os_error(),
        }
    }
}
