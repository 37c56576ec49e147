//! Trim (discard).
//!
//! The kernel executes it synchronously (`BLKDISCARD`), through a descriptor and not a queue. So all engines
//! execute trims synchronously with [`trim`], regardless of how they read and write, as in fio.

use std::os::fd::{AsFd, AsRawFd};

use crate::engine::IoOp;

/// Discards blocks of a device (`_IO(0x12, 119)`).
const BLKDISCARD: libc::Ioctl = 0x1277;

/// Maximum number of retries while the kernel reports the device as busy.
const TRIES_MAX: u32 = 16;

/// Trims the blocks of a request. Returns its length in bytes, or a negative error number: only block devices
/// can be trimmed, and only whole blocks.
///
/// The safety gate holds the device exclusively by another descriptor. The kernel then does not drop dirty
/// pages of the blocks, but reports the device as busy: they are written first.
#[cold]
#[inline(never)]
pub fn trim(device: impl AsFd, op: &IoOp) -> i32 {
    let device = device.as_fd().as_raw_fd();
    let range = [op.offset_bytes, u64::from(op.len_bytes)];
    let mut tries = 0;
    loop {
        // SAFETY: the kernel reads two numbers, start and length in bytes, which live until the call returns.
        if unsafe { libc::ioctl(device, BLKDISCARD, range.as_ptr()) } == 0 {
            return op.len_bytes as i32;
        }
        match std::io::Error::last_os_error().raw_os_error() {
            Some(libc::EINTR) => {}
            Some(libc::EBUSY) if tries < TRIES_MAX => {
                tries += 1;
                let all = libc::SYNC_FILE_RANGE_WAIT_BEFORE
                    | libc::SYNC_FILE_RANGE_WRITE
                    | libc::SYNC_FILE_RANGE_WAIT_AFTER;
                // SAFETY: the call takes no memory. The retried trim shows whether it helped.
                unsafe {
                    libc::sync_file_range(device, op.offset_bytes as i64, i64::from(op.len_bytes), all)
                };
            }
            errno => return -errno.unwrap_or(libc::EIO),
        }
    }
}
