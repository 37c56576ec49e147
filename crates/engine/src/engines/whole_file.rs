//! Requests of engines that handle whole files and move no data.

use crate::engine::{IoOp, OpKind};
use crate::engines::syscalls::transfer;

/// Handles a file with a system call. Returns the request's length in bytes, for accounting only, or a
/// negative error number.
#[inline(always)]
pub fn handle(op: &IoOp, mut call: impl FnMut() -> rustix::io::Result<()>) -> i32 {
    match op.kind {
        OpKind::Read | OpKind::Write => transfer(|| call().map(|()| op.len_bytes as usize)),
        // Nothing was written.
        OpKind::Fsync | OpKind::Fdatasync => 0,
        OpKind::Trim => -libc::ENOTTY,
    }
}
