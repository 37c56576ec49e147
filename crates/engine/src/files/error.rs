//! Why the files and devices of a Plan could not be made ready.

use std::io;
use std::path::{Path, PathBuf};

use cardiograph_core::Message;
use rustix::fs::StatVfs;
use rustix::io::Errno;

use crate::device::DeviceUse;
use crate::error::RunError;
use crate::gate::DeviceContent;

/// What holds a file that may not be written to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileHold {
    /// The kernel swaps to it.
    Swap,
    /// It is a program that runs.
    RunningProgram,
    /// A loop device shows it as a block device, and that is mounted, is swap, or is held by something else.
    LoopDevice,
}

/// Which of a job's values does not fit direct I/O.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MisalignedPart {
    /// A length of its I/Os.
    BlockLen,
    /// The grid of random offsets.
    Grid,
    /// Where its region starts.
    Offset,
    /// What is skipped between sequential I/Os.
    Skip,
    /// The length of a zone, or of the gap behind it.
    Zone,
}

/// Why the files and devices of a Plan could not be made ready. Jobs are given by their index in the Plan.
#[derive(Debug)]
pub enum PrepareError {
    /// The job's engine is a simulated one: its files are made on the simulated drive.
    Simulated {
        /// The job.
        job: usize,
    },
    /// The job names a target that the Plan does not have.
    TargetMissing {
        /// The job.
        job: usize,
    },
    /// The file does not exist, and the job may not make it.
    MayNotCreate {
        /// The job.
        job: usize,
        /// The file.
        path: PathBuf,
    },
    /// The job reads a file that is made, empty, when it begins.
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
    /// The name stands for something that I/O at offsets cannot be done on.
    NotAFile {
        /// The name.
        path: PathBuf,
        /// What it is, as "a directory".
        what: &'static str,
    },
    /// The name is one of a device, and there is none: a file among devices would fill the memory.
    NoSuchDevice {
        /// The name.
        path: PathBuf,
    },
    /// The user may not do that.
    NotPermitted {
        /// What was tried, as "open".
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
        /// What it needs beside what it has, in bytes.
        needed_bytes: u64,
        /// What the file system has free for this user, in bytes.
        free_bytes: u64,
    },
    /// A limit on the length of files.
    TooLong {
        /// The file.
        path: PathBuf,
        /// The length in bytes.
        len_bytes: u64,
    },
    /// The job removes its files after each loop, and others use them meanwhile.
    Shared {
        /// The job.
        job: usize,
        /// The first of its files.
        path: PathBuf,
    },
    /// The file will be written to, and something depends on its content.
    InUse {
        /// The file.
        path: PathBuf,
        /// By what.
        hold: FileHold,
    },
    /// The region ends behind the end of the device.
    OutsideDevice {
        /// The job.
        job: usize,
        /// The device.
        path: PathBuf,
        /// Where the region ends, in bytes.
        end_bytes: u64,
        /// The device's length in bytes.
        len_bytes: u64,
    },
    /// Direct I/O needs multiples of a length, and this is none.
    Misaligned {
        /// The job.
        job: usize,
        /// The file or device.
        path: PathBuf,
        /// What does not fit.
        part: MisalignedPart,
        /// Its value in bytes.
        value_bytes: u64,
        /// What it must be a multiple of, in bytes.
        align_bytes: u64,
    },
    /// The device is in use, or belongs to something. Consent does not change that.
    DeviceInUse {
        /// The device.
        path: PathBuf,
        /// All that stands against it.
        uses: Vec<DeviceUse>,
        /// Whether a job asked for writing to mounted devices. That is never done.
        wants_mounted_write: bool,
    },
    /// Nobody consented to the loss of what is on the device.
    NeedsConsent {
        /// The first job that writes to it.
        job: usize,
        /// The device.
        path: PathBuf,
        /// The id to consent to.
        id: String,
        /// What would be lost.
        content: Box<DeviceContent>,
    },
    /// The safety gate refused.
    Refused(Message),
    /// Laying out could not begin.
    Layout {
        /// The file.
        path: PathBuf,
        /// Why.
        source: Box<RunError>,
    },
    /// Anything else.
    Other {
        /// What was tried, as "open".
        call: &'static str,
        /// The file, device or directory.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

impl PrepareError {
    /// What a system call's refusal means. `needed_bytes` were asked of the file system, `len_bytes` were to be the
    /// file's length.
    pub(super) fn of(
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

    /// The same for calls that ask for no space.
    pub(super) fn of_call(call: &'static str, path: &Path, errno: Errno) -> Self {
        Self::of(call, path, errno, 0, 0)
    }

    /// The same of std's calls.
    pub(super) fn of_io(call: &'static str, path: &Path, source: io::Error) -> Self {
        match Errno::from_io_error(&source) {
            Some(errno) => Self::of_call(call, path, errno),
            None => Self::Other { call, path: path.to_path_buf(), source },
        }
    }
}

/// What this user may still write to the file system in which the path lies, in bytes; 0 where that cannot be known.
pub(super) fn free_bytes(path: &Path) -> u64 {
    room(path).map_or(0, |room| room.f_bavail.saturating_mul(room.f_frsize))
}

/// The same with what the file system keeps for its owner: nobody can write more than that. `None` where it cannot be known.
pub(super) fn unreserved_bytes(path: &Path) -> Option<u64> {
    room(path).map(|room| room.f_bfree.saturating_mul(room.f_frsize))
}

fn room(path: &Path) -> Option<StatVfs> {
    let beside = || rustix::fs::statvfs(path.parent().filter(|dir| !dir.as_os_str().is_empty())?).ok();
    rustix::fs::statvfs(path).ok().or_else(beside)
}
