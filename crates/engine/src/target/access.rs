//! Options for opening a target.

use std::fs;
use std::io;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};

use cardiograph_core::system_error::explained;
use cardiograph_core::workload::{OrderAdvice, WriteThrough};
use cardiograph_core::{Workload, message};
use rustix::fs::{Advice, OFlags, Stat};

/// Options for opening a target.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Access {
    /// Whether the page cache is bypassed (O_DIRECT).
    pub direct: bool,
    /// Durability of each write on completion (O_DSYNC, O_SYNC).
    pub write_through: WriteThrough,
    /// Whether to open for reading and writing; otherwise read-only.
    pub writes: bool,
    /// Whether written data is verified: a simulated drive then keeps and returns all of it; otherwise only
    /// stamps, which reads do not return.
    pub checks_content: bool,
    /// Maximum number of bytes read and written; `None` if only the job's targets limit it.
    pub moved_bytes_max: Option<u64>,
    /// Advice to the kernel on the access pattern. It applies to one descriptor, not to the file.
    pub advice: Option<Advice>,
}

impl Access {
    /// The access that a job needs.
    pub fn for_workload(workload: &Workload) -> Self {
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
                // rustix's DSYNC means O_SYNC.
                WriteThrough::Data => OFlags::from_bits_retain(libc::O_DSYNC as u32),
                WriteThrough::All => OFlags::SYNC,
            }
    }

    /// Advises the kernel on the access pattern. Refusals are ignored.
    pub(crate) fn advise(self, fd: &OwnedFd) {
        if let Some(advice) = self.advice {
            let _ = rustix::fs::fadvise(fd, 0, None, advice);
        }
    }
}

/// Clears `O_NONBLOCK`, which is only useful for opening. With it, io_uring fails a request with `EAGAIN` if
/// a device cannot start it without waiting, as with many device mapper targets.
///
/// # Errors
/// As fcntl(2).
pub(crate) fn let_wait(fd: &OwnedFd) -> rustix::io::Result<()> {
    let flags = rustix::fs::fcntl_getfl(fd)?;
    rustix::fs::fcntl_setfl(fd, flags.difference(OFlags::NONBLOCK))
}

/// Reopens a descriptor's file as a new open file description. It is the same file even if its name is gone
/// or now refers to another.
///
/// # Errors
/// As open(2), and when `/proc` is not mounted.
pub(crate) fn open_again(fd: BorrowedFd<'_>, access: Access) -> io::Result<OwnedFd> {
    use std::os::fd::AsRawFd;
    let path = format!("/proc/self/fd/{}", fd.as_raw_fd());
    let opened = rustix::fs::open(path, access.flags(), rustix::fs::Mode::empty())?;
    access.advise(&opened);
    Ok(opened)
}

/// Device and inode of a file.
pub(crate) type Identity = (u64, u64);

/// The file that stat(2) reported on.
pub(crate) fn identity_of(stat: &Stat) -> Identity {
    (stat.st_dev, stat.st_ino)
}

/// The canonical path of a file, if the path still refers to it.
///
/// # Errors
/// As stat(2), and when it refers to another file.
pub(crate) fn canonical_path(path: &Path, expected: Identity) -> io::Result<PathBuf> {
    let path = fs::canonicalize(path)?;
    if identity_of(&rustix::fs::stat(&path)?) != expected {
        return Err(explained(io::ErrorKind::Other, message!("target-replaced.file")));
    }
    Ok(path)
}

/// Identity of an open file.
pub(crate) fn identity(fd: &OwnedFd) -> rustix::io::Result<Identity> {
    Ok(identity_of(&rustix::fs::fstat(fd)?))
}
