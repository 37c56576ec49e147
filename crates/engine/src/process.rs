//! What a process that works for another one does to itself.

use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;

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
    fn a_socket_that_nobody_reads_fills_up() {
        let (mut near, _far) = UnixStream::pair().unwrap();
        assert!(is_writable(near.as_fd()));
        near.set_nonblocking(true).unwrap();
        while near.write(&[0; 4_096]).is_ok() {}
        assert!(!is_writable(near.as_fd()));
    }
}
