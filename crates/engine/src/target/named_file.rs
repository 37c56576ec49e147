//! Files that a job names: found, or made for it. They stay.

use std::io;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

use rustix::fs::{FileType, Mode, OFlags};

use super::access::{Access, Identity, identity};

/// What a new file may be used for and by whom: what open(2) and the umask make of it.
pub(crate) const NEW_FILE_MODE: Mode = Mode::from_raw_mode(0o644);

/// A file that a job names. It is opened by its path each time, and the path must still mean the same file.
#[derive(Debug)]
pub(crate) struct NamedFile {
    path: PathBuf,
    /// Empty while the file is still to be made, by who opens it first.
    identity: OnceLock<Identity>,
    /// Where it is to be made; empty afterwards. Only one of those who open it first makes it.
    to_be_made: Mutex<Option<PathBuf>>,
}

impl NamedFile {
    /// A file that exists.
    pub(crate) fn found(path: PathBuf, identity: Identity) -> Self {
        Self { path, identity: OnceLock::from(identity), to_be_made: Mutex::new(None) }
    }

    /// A file that is made when it is opened first: at `at`, where `path` leads through symbolic links.
    pub(crate) fn to_be_made(path: PathBuf, at: PathBuf) -> Self {
        Self { path, identity: OnceLock::new(), to_be_made: Mutex::new(Some(at)) }
    }

    /// Its path as the job has it.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Device and inode; `None` while it is still to be made.
    pub(crate) fn identity(&self) -> Option<Identity> {
        self.identity.get().copied()
    }

    pub(super) fn open(&self, access: Access) -> io::Result<OwnedFd> {
        if self.identity.get().is_none() {
            self.make()?;
        }
        // O_NONBLOCK: whatever lies there by now, a FIFO for instance, must not hold us. It has no effect on files.
        let flags = access.flags() | OFlags::NONBLOCK;
        let opened = rustix::fs::open(&self.path, flags, Mode::empty())?;
        let stat = rustix::fs::fstat(&opened)?;
        if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile {
            return Err(io::Error::other("what is open is not a file"));
        }
        if self.identity() != Some(identity(&opened)?) {
            return Err(io::Error::other("the file was replaced by something else"));
        }
        access.advise(&opened);
        Ok(opened)
    }

    /// Makes the file, unless another thread did. What appeared there in the meantime was not examined, so it is left
    /// alone. The flags of the I/O to come are not used: where O_DIRECT is refused, the file is made all the same.
    fn make(&self) -> io::Result<()> {
        let mut to_be_made = self.to_be_made.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(at) = to_be_made.as_deref() else { return Ok(()) };
        let flags = OFlags::CREATE | OFlags::EXCL | OFlags::RDWR | OFlags::CLOEXEC;
        let made = rustix::fs::open(at, flags, NEW_FILE_MODE)?;
        let made = identity(&made)?;
        self.identity.get_or_init(|| made);
        *to_be_made = None;
        Ok(())
    }
}
