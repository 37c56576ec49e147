//! System calls for thread settings that our dependencies do not offer.

use std::io;

use cardiograph_core::workload::IoPriority;

/// Bits of a mask of NUMA nodes, more than the nodes of any kernel.
const NODE_BITS: usize = 1_024;
const WORD_BITS: usize = libc::c_ulong::BITS as usize;
/// `IOPRIO_WHO_PROCESS`, which means a thread.
const WHO_THREAD: libc::c_long = 1;

/// Sets the I/O priority of the calling thread.
///
/// # Errors
/// When the kernel refuses it, as it does realtime priorities without privileges.
pub(super) fn set_io_priority(priority: IoPriority) -> io::Result<()> {
    let value = libc::c_long::from(priority.kernel_value());
    // SAFETY: the call takes three numbers; 0 is the calling thread.
    let result = unsafe { libc::syscall(libc::SYS_ioprio_set, WHO_THREAD, 0 as libc::c_long, value) };
    if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

/// Sets the calling thread's memory policy (`MPOL_BIND`, ...) to these nodes.
///
/// # Errors
/// When the kernel refuses it: a node does not exist or has no memory, or the kernel has no NUMA support.
pub(super) fn set_memory_policy(mode: libc::c_int, nodes: &[u32]) -> io::Result<()> {
    let mut mask = [0 as libc::c_ulong; NODE_BITS / WORD_BITS];
    for &node in nodes {
        let word = mask.get_mut(node as usize / WORD_BITS).ok_or(io::ErrorKind::InvalidInput)?;
        *word |= 1 << (node as usize % WORD_BITS);
    }
    // The kernel uses one bit less than this.
    let bits = NODE_BITS as libc::c_long + 1;
    let mode = libc::c_long::from(mode);
    // SAFETY: the kernel reads `NODE_BITS` bits of the mask, which has that length and outlives the call.
    let result = unsafe { libc::syscall(libc::SYS_set_mempolicy, mode, mask.as_ptr(), bits) };
    if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}
