//! What a process that works for another one does to itself.

use std::ffi::{c_int, c_void};
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::ptr;

use rustix::fs::{FileType, Mode, OFlags};

/// Takes the socket that is the standard input, and closes all else that was inherited: who waits for the end of a file is not
/// to wait for a process that the kernel holds. Called while there is one thread.
///
/// # Errors
/// Where the standard input is no socket.
pub fn take_stdin_socket() -> io::Result<UnixStream> {
    let stdin = io::stdin();
    if FileType::from_raw_mode(rustix::fs::fstat(&stdin)?.st_mode) != FileType::Socket {
        return Err(io::Error::other("the standard input is no socket"));
    }
    let socket: OwnedFd = rustix::io::fcntl_dupfd_cloexec(&stdin, 3)?;
    let nothing = rustix::fs::open("/dev/null", OFlags::RDWR | OFlags::CLOEXEC, Mode::empty())?;
    rustix::stdio::dup2_stdin(&nothing)?;
    drop(nothing);
    let number = socket.as_raw_fd() as libc::c_uint;
    // The lowest number that is free is as often above as below what was inherited.
    for (first, last) in [(3, number - 1), (number + 1, libc::c_uint::MAX)] {
        if first <= last {
            // SAFETY: no descriptor of this process but the standard ones and `socket` is in use yet.
            unsafe { libc::syscall(libc::SYS_close_range, first, last, 0) };
        }
    }
    Ok(UnixStream::from(socket))
}

/// Lets go of what the program needed until now and may not need for a while: pages of its code and constants, and memory that was
/// freed. What is needed after all comes back by itself.
pub fn rest() {
    // SAFETY: the callback gets entries that live while it runs, and looks at the first, the program itself.
    unsafe { libc::dl_iterate_phdr(Some(forget_file_of), ptr::null_mut()) };
    #[cfg(target_env = "gnu")]
    // SAFETY: it gives back to the kernel what is not allocated.
    unsafe {
        libc::malloc_trim(0)
    };
}

/// Lets go of what a program or library has in its file. It answers 1, so that the first one is the last.
unsafe extern "C" fn forget_file_of(info: *mut libc::dl_phdr_info, _: usize, _: *mut c_void) -> c_int {
    // SAFETY: the loader gives a valid entry, whose headers are as many as it says.
    let (info, headers) = unsafe {
        let info = &*info;
        (info, std::slice::from_raw_parts(info.dlpi_phdr, usize::from(info.dlpi_phnum)))
    };
    let page_len = rustix::param::page_size();
    for header in headers {
        // Nothing was ever written there, so that the file holds what is let go of.
        if header.p_type != libc::PT_LOAD || header.p_flags & libc::PF_W != 0 {
            continue;
        }
        let begin = info.dlpi_addr as usize + header.p_vaddr as usize;
        let end = (begin + header.p_memsz as usize) / page_len * page_len;
        let begin = begin.next_multiple_of(page_len);
        if begin < end {
            // SAFETY: whole pages of a mapping of the file that this process runs; they are read again when they are used.
            unsafe { libc::madvise(begin as *mut c_void, end - begin, libc::MADV_DONTNEED) };
        }
    }
    1
}

/// Has memory of more than a few pages given as pages that take none before they are written to: the counts of a worker are many,
/// and few of them are used.
pub fn spare_memory() {
    // Nothing is allocated while I/O is done, so that threads need not have arenas of their own.
    const ARENAS_MAX: c_int = 1;
    #[cfg(target_env = "gnu")]
    // SAFETY: it changes how the allocator works, and nothing that was allocated.
    unsafe {
        libc::mallopt(libc::M_ARENA_MAX, ARENAS_MAX);
    }
}

/// Whether something can be written to a socket without waiting.
pub fn is_writable(socket: BorrowedFd<'_>) -> bool {
    let mut asked = libc::pollfd { fd: socket.as_fd().as_raw_fd(), events: libc::POLLOUT, revents: 0 };
    // SAFETY: one entry, which lives until the call has returned.
    unsafe { libc::poll(&raw mut asked, 1, 0) > 0 }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn what_is_needed_comes_back() {
        rest();
        assert_eq!((1..=10).sum::<u64>(), 55);
    }

    #[test]
    fn a_socket_that_nobody_reads_fills_up() {
        let (mut near, _far) = UnixStream::pair().unwrap();
        assert!(is_writable(near.as_fd()));
        near.set_nonblocking(true).unwrap();
        while near.write(&[0; 4_096]).is_ok() {}
        assert!(!is_writable(near.as_fd()));
    }
}
