//! Why the files and devices of a Plan could not be prepared.

use std::io;
use std::path::{Path, PathBuf};

use cardiograph_core::Message;
use rustix::fs::StatVfs;
use rustix::io::Errno;

use crate::device::DeviceUse;
use crate::gate::DeviceContent;

/// Why a file must not be written to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileHold {
    /// The kernel swaps to it.
    Swap,
    /// It is a running program.
    RunningProgram,
    /// It backs a loop device that is mounted, is swap, or is otherwise held.
    LoopDevice,
}

/// The value of a job that does not fit direct I/O.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MisalignedPart {
    /// A length of its I/Os.
    BlockLen,
    /// The alignment of random offsets.
    Grid,
    /// The start of its region.
    Offset,
    /// The gap between sequential I/Os.
    Skip,
    /// The length of a zone, or of the gap after it.
    Zone,
}

/// Why the files and devices of a Plan could not be prepared. Jobs are given by their index in the Plan.
#[derive(Debug)]
pub enum PrepareError {
    /// The job's engine is simulated: its files are created on the simulated drive.
    Simulated {
        /// The job.
        job: usize,
    },
    /// The job refers to a target that the Plan does not have.
    TargetMissing {
        /// The job.
        job: usize,
    },
    /// The file does not exist, and the job may not create it.
    MayNotCreate {
        /// The job.
        job: usize,
        /// The file.
        path: PathBuf,
    },
    /// The job reads a file that is created empty when it begins.
    NothingToRead {
        /// The job.
        job: usize,
        /// The file.
        path: PathBuf,
        /// Its length in bytes.
        len_bytes: u64,
        /// Where the job's region ends, in bytes.
        end_bytes: u64,
    },
    /// The name is not a file or device that supports I/O at offsets.
    NotAFile {
        /// The name.
        path: PathBuf,
        /// Its type, such as "a directory".
        what: &'static str,
    },
    /// The name lies in `/dev`, and no such device exists: a file there would fill memory.
    NoSuchDevice {
        /// The name.
        path: PathBuf,
    },
    /// The user lacks permission.
    NotPermitted {
        /// The call that failed, such as "open".
        call: &'static str,
        /// The file, device or directory.
        path: PathBuf,
    },
    /// The file system is mounted read-only.
    ReadOnly {
        /// The file.
        path: PathBuf,
    },
    /// Not enough space.
    NoSpace {
        /// The file.
        path: PathBuf,
        /// Space needed in addition to what it has, in bytes.
        needed_bytes: u64,
        /// Free space for this user, in bytes.
        free_bytes: u64,
    },
    /// The file would exceed a limit on file length.
    TooLong {
        /// The file.
        path: PathBuf,
        /// The length in bytes.
        len_bytes: u64,
    },
    /// The job removes its files after each loop while others use them.
    Shared {
        /// The job.
        job: usize,
        /// The first of its files.
        path: PathBuf,
    },
    /// The file would be written to, but something depends on its content.
    InUse {
        /// The file.
        path: PathBuf,
        /// What depends on it.
        hold: FileHold,
    },
    /// The region ends beyond the end of the device.
    OutsideDevice {
        /// The job.
        job: usize,
        /// The device.
        path: PathBuf,
        /// End of the region, in bytes.
        end_bytes: u64,
        /// The device's length in bytes.
        len_bytes: u64,
    },
    /// A value is not a multiple of the length that direct I/O requires.
    Misaligned {
        /// The job.
        job: usize,
        /// The file or device.
        path: PathBuf,
        /// The value.
        part: MisalignedPart,
        /// Its value in bytes.
        value_bytes: u64,
        /// Required alignment, in bytes.
        align_bytes: u64,
    },
    /// The device is in use, or a member of something. Consent does not change that.
    DeviceInUse {
        /// The device.
        path: PathBuf,
        /// All its uses.
        uses: Vec<DeviceUse>,
        /// Whether a job asked to write to mounted devices, which is never done.
        wants_mounted_write: bool,
    },
    /// Erasing the device was not approved.
    NeedsConsent {
        /// The first job that writes to it.
        job: usize,
        /// The device.
        path: PathBuf,
        /// The id to approve.
        id: String,
        /// The content that would be lost.
        content: Box<DeviceContent>,
    },
    /// The safety gate refused, or the file could not be filled, in words for people.
    Refused(Message),
    /// Anything else.
    Other {
        /// The call that failed, such as "open".
        call: &'static str,
        /// The file, device or directory.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
}

impl PrepareError {
    /// Classifies a failed system call. `needed_bytes` were requested from the file system; `len_bytes` was
    /// to be the file's length.
    pub(super) fn new(
        call: &'static str,
        path: &Path,
        errno: Errno,
        needed_bytes: u64,
        len_bytes: u64,
    ) -> Self {
        let path = path.to_path_buf();
        match errno {
            Errno::ACCESS | Errno::PERM => Self::NotPermitted { call, path },
            Errno::ROFS => Self::ReadOnly { path },
            Errno::NOSPC | Errno::DQUOT => {
                let free_bytes = free_bytes(&path);
                Self::NoSpace { path, needed_bytes, free_bytes }
            }
            Errno::FBIG => Self::TooLong { path, len_bytes },
            Errno::TXTBSY => Self::InUse { path, hold: FileHold::RunningProgram },
            errno => Self::Other { call, path, source: errno.into() },
        }
    }

    /// Like [`new`](Self::new), for calls that allocate no space.
    pub(super) fn from_call(call: &'static str, path: &Path, errno: Errno) -> Self {
        Self::new(call, path, errno, 0, 0)
    }

    /// Like [`from_call`](Self::from_call), for calls of std.
    pub(super) fn from_io(call: &'static str, path: &Path, source: io::Error) -> Self {
        match Errno::from_io_error(&source) {
            Some(errno) => Self::from_call(call, path, errno),
            None => Self::Other { call, path: path.to_path_buf(), source },
        }
    }
}

/// Free space for this user on the path's file system, in bytes; 0 if unknown.
pub(super) fn free_bytes(path: &Path) -> u64 {
    room(path).map_or(0, |room| room.f_bavail.saturating_mul(room.f_frsize))
}

/// Free space including the reserve for the superuser: an upper limit for everyone. `None` if unknown.
pub(super) fn unreserved_bytes(path: &Path) -> Option<u64> {
    room(path).map(|room| room.f_bfree.saturating_mul(room.f_frsize))
}

fn room(path: &Path) -> Option<StatVfs> {
    let beside = || rustix::fs::statvfs(path.parent().filter(|dir| !dir.as_os_str().is_empty())?).ok();
    rustix::fs::statvfs(path).ok().or_else(beside)
}
