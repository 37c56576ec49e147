//! Requests without bytes, by system calls of their own: what engines do that have no better way for them.

use std::os::fd::AsFd;

use rustix::io::Errno;

use crate::engine::{IoOp, OpKind};
use crate::engines::trim::trim;

/// Executes a sync or a trim. Returns 0, or what was trimmed, or a negative error number.
pub fn execute(file: impl AsFd, op: &IoOp) -> i32 {
    match op.kind {
        OpKind::Trim => trim(file, op),
        kind => sync(file, kind),
    }
}

/// Makes what was written to a file durable. Returns 0 or a negative error number.
pub fn sync(file: impl AsFd, kind: OpKind) -> i32 {
    loop {
        let result = match kind {
            OpKind::Fdatasync => rustix::fs::fdatasync(&file),
            _ => rustix::fs::fsync(&file),
        };
        match result {
            Ok(()) => return 0,
            Err(Errno::INTR) => {}
            Err(errno) => return -errno.raw_os_error(),
        }
    }
}
