//! In which way something is opened.

use std::fs;
use std::io;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};

use cardiograph_core::system_error::explained;
use cardiograph_core::workload::{OrderAdvice, WriteThrough};
use cardiograph_core::{Workload, message};
use rustix::fs::{Advice, OFlags, Stat};

/// In which way a descriptor is opened.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Access {
    /// Whether the page cache is bypassed (O_DIRECT).
    pub direct: bool,
    /// What each write promises when it is complete (O_DSYNC, O_SYNC).
    pub write_through: WriteThrough,
    /// Whether it is opened for reading and writing; for reading alone otherwise.
    pub writes: bool,
    /// Whether what is written is checked: a simulated drive keeps and gives back all of it then, and otherwise stamps alone,
    /// which it does not put into what is read.
    pub checks_content: bool,
    /// At most so many bytes are read and written; `None` where the job's targets alone bound it.
    pub moved_bytes_max: Option<u64>,
    /// What the kernel is told about the order of blocks. It holds for one descriptor, not for the file.
    pub advice: Option<Advice>,
}

impl Access {
    /// What a job needs.
    pub fn of(workload: &Workload) -> Self {
        let advice = match workload.files.advice {
            OrderAdvice::None => None,
            OrderAdvice::AsDone if workload.order.is_random() => Some(Advice::Random),
            OrderAdvice::AsDone | OrderAdvice::Sequential => Some(Advice::Sequential),
            OrderAdvice::Random => Some(Advice::Random),
        };
        let by_ios = workload.stop.ios.map(|ios| ios.saturating_mul(workload.block_len_bytes_max()));
        Self {
            direct: workload.direct,
            write_through: workload.write_through,
            writes: workload.is_modifying(),
            checks_content: workload.verify.is_some(),
            moved_bytes_max: [workload.stop.bytes, by_ios].into_iter().flatten().min(),
            advice,
        }
    }

    /// Flags for open(2).
    pub(crate) fn flags(self) -> OFlags {
        let mut flags = OFlags::CLOEXEC | OFlags::NOCTTY;
        flags |= if self.writes { OFlags::RDWR } else { OFlags::RDONLY };
        if self.direct {
            flags |= OFlags::DIRECT;
        }
        flags
            | match self.write_through {
                WriteThrough::None => OFlags::empty(),
                // rustix means O_SYNC by its DSYNC.
                WriteThrough::Data => OFlags::from_bits_retain(libc::O_DSYNC as u32),
                WriteThrough::All => OFlags::SYNC,
            }
    }

    /// Tells the kernel in which order blocks will come. What it makes of it is its own affair, and so are refusals.
    pub(crate) fn advise(self, fd: &OwnedFd) {
        if let Some(advice) = self.advice {
            let _ = rustix::fs::fadvise(fd, 0, None, advice);
        }
    }
}

/// Lets I/O wait on what was opened with `O_NONBLOCK`, which is of use while opening only. io_uring takes it to mean that a
/// request fails with `EAGAIN` where a device cannot begin it without waiting, as many of device mapper's cannot.
///
/// # Errors
/// As fcntl(2).
pub(crate) fn let_wait(fd: &OwnedFd) -> rustix::io::Result<()> {
    let flags = rustix::fs::fcntl_getfl(fd)?;
    rustix::fs::fcntl_setfl(fd, flags.difference(OFlags::NONBLOCK))
}

/// Opens what a descriptor refers to once more, as an open file description of its own. It is the same file even when
/// its name is gone or means another by now.
///
/// # Errors
/// As open(2), and when `/proc` is not there.
pub(crate) fn open_again(fd: BorrowedFd<'_>, access: Access) -> io::Result<OwnedFd> {
    use std::os::fd::AsRawFd;
    let path = format!("/proc/self/fd/{}", fd.as_raw_fd());
    let opened = rustix::fs::open(path, access.flags(), rustix::fs::Mode::empty())?;
    access.advise(&opened);
    Ok(opened)
}

/// Device and inode of a file.
pub(crate) type Identity = (u64, u64);

/// Which file stat(2) told of.
pub(crate) fn identity_of(stat: &Stat) -> Identity {
    (stat.st_dev, stat.st_ino)
}

/// Where the file lies that a path means, without symbolic links on the way, if the path still means it.
///
/// # Errors
/// As stat(2), and when it means another file.
pub(crate) fn place_of(path: &Path, expected: Identity) -> io::Result<PathBuf> {
    let path = fs::canonicalize(path)?;
    if identity_of(&rustix::fs::stat(&path)?) != expected {
        return Err(explained(io::ErrorKind::Other, message!("target-replaced.file")));
    }
    Ok(path)
}

/// Which file is open.
pub(crate) fn identity(fd: &OwnedFd) -> rustix::io::Result<Identity> {
    Ok(identity_of(&rustix::fs::fstat(fd)?))
}
