//! Why the files and devices of a Plan could not be prepared.

use std::io;
use std::path::{Path, PathBuf};

use cardiograph_core::{Message, Parameter, message};
use rustix::fs::StatVfs;
use rustix::io::Errno;

use crate::target::length_limit;

/// Why the files and devices of a Plan could not be prepared.
#[derive(Debug)]
pub enum PrepareError {
    /// Erasing the device was not approved.
    NeedsConsent {
        /// Name of the first job that writes to it.
        job: String,
        /// The device.
        path: PathBuf,
        /// The id to approve.
        id: String,
        /// The content that would be lost: the model, the device and its partitions.
        content: Parameter,
    },
    /// Anything else, in words for people: what is wrong, where, and what to do.
    Refused(Message),
}

impl From<Message> for PrepareError {
    fn from(refused: Message) -> Self {
        Self::Refused(refused)
    }
}

/// A failed call: `call` completes "cannot ... PATH". For calls that allocate no space.
pub(super) fn call_failed(call: impl Into<Parameter>, path: &Path, error: impl Into<io::Error>) -> Message {
    let error = error.into();
    match Errno::from_io_error(&error) {
        Some(Errno::ACCESS | Errno::PERM) => message!("prepare-not-permitted", call, path),
        Some(Errno::ROFS) => message!("prepare-read-only", path),
        Some(Errno::NOSPC | Errno::DQUOT) => no_room(path, 0, free_bytes(path)),
        Some(Errno::FBIG) => too_long(path, 0),
        Some(Errno::TXTBSY) => message!("prepare-in-use.program", path),
        _ => failed(call, path, error),
    }
}

/// The same, with the system's error as it is.
pub(super) fn failed(call: impl Into<Parameter>, path: &Path, error: io::Error) -> Message {
    // For these the path is the cause.
    let is_of_path = matches!(
        error.kind(),
        io::ErrorKind::NotADirectory | io::ErrorKind::NotFound | io::ErrorKind::InvalidFilename
    );
    let failed = message!("prepare-failed", call, path, error);
    match is_of_path {
        true => message!("with-advice", error = failed, advice = message!("advice.other-place")),
        false => failed,
    }
}

/// Not enough space: needed in addition to what the file has, and free for this user, in bytes.
pub(super) fn no_room(path: &Path, needed_bytes: u64, free_bytes: u64) -> Message {
    let (needed, free) = (Parameter::Bytes(needed_bytes), Parameter::Bytes(free_bytes));
    message!("prepare-no-room", path, needed, free)
}

/// The file would exceed a limit on file length.
pub(super) fn too_long(path: &Path, len_bytes: u64) -> Message {
    message!("prepare-too-long", path, length = Parameter::Bytes(len_bytes), reason = length_limit(path))
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
