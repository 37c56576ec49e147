//! What requests are to engines that handle whole files and move no data.

use crate::engine::{IoOp, OpKind};
use crate::engines::in_place::transfer;

/// Handles a file by a system call. Returns the request's length in bytes, which is no more than what it counts for, or a
/// negative error number.
#[inline(always)]
pub fn handle(op: &IoOp, mut call: impl FnMut() -> rustix::io::Result<()>) -> i32 {
    match op.kind {
        OpKind::Read | OpKind::Write => transfer(|| call().map(|()| op.len_bytes as usize)),
        // Nothing was written that could be made durable.
        OpKind::Fsync | OpKind::Fdatasync => 0,
        OpKind::Trim => -libc::ENOTTY,
    }
}
