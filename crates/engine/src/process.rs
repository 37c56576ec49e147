//! Process setup for helper processes.

use std::ffi::{c_int, c_void};
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::ptr;

use rustix::fs::{FileType, Mode, OFlags};

/// Takes the socket on standard input, and closes all other inherited descriptors: a reader waiting for end
/// of file must not depend on a process stuck in the kernel. Call it while there is one thread.
///
/// # Errors
/// When standard input is not a socket.
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
    // The lowest free number may be above or below the inherited ones.
    for (first, last) in [(3, number - 1), (number + 1, libc::c_uint::MAX)] {
        if first <= last {
            // SAFETY: this process does not use any descriptor yet except the standard ones and `socket`.
            unsafe { libc::syscall(libc::SYS_close_range, first, last, 0) };
        }
    }
    Ok(UnixStream::from(socket))
}

/// Releases memory that is not needed for now: pages of the program's code and constants, and freed heap
/// memory. Pages that are needed again are reloaded automatically.
pub fn release_memory() {
    // SAFETY: the callback gets entries that live while it runs, and uses only the first, the program itself.
    unsafe { libc::dl_iterate_phdr(Some(forget_file_of), ptr::null_mut()) };
    #[cfg(target_env = "gnu")]
    // SAFETY: it returns unallocated memory to the kernel.
    unsafe {
        libc::malloc_trim(0)
    };
    #[cfg(target_env = "musl")]
    // SAFETY: the same, if the program's allocator is this one; else nothing is allocated by it.
    unsafe {
        libmimalloc_sys::mi_collect(true)
    };
}

/// Releases the file-backed pages of a program or library. Returns 1, so that the iteration ends after the
/// first.
unsafe extern "C" fn forget_file_of(info: *mut libc::dl_phdr_info, _: usize, _: *mut c_void) -> c_int {
    // SAFETY: the loader passes a valid entry with the stated number of headers.
    let (info, headers) = unsafe {
        let info = &*info;
        (info, std::slice::from_raw_parts(info.dlpi_phdr, usize::from(info.dlpi_phnum)))
    };
    let page_len = rustix::param::page_size();
    for header in headers {
        // Read-only, so the file holds the same content.
        if header.p_type != libc::PT_LOAD || header.p_flags & libc::PF_W != 0 {
            continue;
        }
        let begin = info.dlpi_addr as usize + header.p_vaddr as usize;
        let end = (begin + header.p_memsz as usize) / page_len * page_len;
        let begin = begin.next_multiple_of(page_len);
        if begin < end {
            // SAFETY: whole pages of a mapping of the file that this process runs; they are read again when
            // needed.
            unsafe { libc::madvise(begin as *mut c_void, end - begin, libc::MADV_DONTNEED) };
        }
    }
    1
}

/// Makes large allocations use mmap, whose pages use no memory until they are written: a worker has many
/// counters and uses few of them.
pub fn spare_memory() {
    // Nothing is allocated during I/O, so threads need no arenas.
    #[cfg(target_env = "gnu")]
    const ARENAS_MAX: c_int = 1;
    #[cfg(target_env = "gnu")]
    // SAFETY: it changes the allocator's settings but no allocated memory.
    unsafe {
        libc::mallopt(libc::M_ARENA_MAX, ARENAS_MAX);
    }
}

/// Whether a socket can be written to without blocking.
pub fn is_writable(socket: BorrowedFd<'_>) -> bool {
    let mut asked = libc::pollfd { fd: socket.as_fd().as_raw_fd(), events: libc::POLLOUT, revents: 0 };
    // SAFETY: one entry, which lives until the call returns.
    unsafe { libc::poll(&raw mut asked, 1, 0) > 0 }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn released_memory_is_reloaded() {
        release_memory();
        assert_eq!((1..=10).sum::<u64>(), 55);
    }

    #[test]
    fn a_socket_without_a_reader_fills_up() {
        let (mut near, _far) = UnixStream::pair().unwrap();
        assert!(is_writable(near.as_fd()));
        near.set_nonblocking(true).unwrap();
        while near.write(&[0; 4_096]).is_ok() {}
        assert!(!is_writable(near.as_fd()));
    }
}
