//! Files and directories named by a job: existing, or created for it. They are kept, unless the job removes
//! them.

use std::fs;
use std::io;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use cardiograph_core::message;
use cardiograph_core::system_error::explained;
use rustix::fs::{FileType, Mode, OFlags};
use rustix::io::Errno;

use super::access::{Access, Identity, canonical_path, identity, identity_of, let_wait};

/// Mode of a new file, less the umask.
pub(crate) const NEW_FILE_MODE: Mode = Mode::from_raw_mode(0o644);

/// Mode of new directories, as in fio.
pub(crate) const NEW_DIRECTORY_MODE: Mode = Mode::RWXU;

/// A file or directory named by a job. It is opened by its path each time, and the path must still refer to
/// the same file.
#[derive(Debug)]
pub(crate) struct NamedFile {
    path: PathBuf,
    /// A directory is created and removed, but never opened for writing.
    is_directory: bool,
    /// Only the first to open a missing file creates it, while the others wait.
    state: Mutex<State>,
}

/// Whether the file exists.
#[derive(Debug)]
enum State {
    /// It exists.
    There(Identity),
    /// It is created when it is opened: at this path, after following symbolic links.
    ToBeMade(PathBuf),
}

impl NamedFile {
    pub(crate) fn found(path: PathBuf, identity: Identity) -> Self {
        Self { path, is_directory: false, state: Mutex::new(State::There(identity)) }
    }

    /// A file that is created when it is first opened: at `at`, after following symbolic links in `path`.
    pub(crate) fn to_be_made(path: PathBuf, at: PathBuf) -> Self {
        Self { path, is_directory: false, state: Mutex::new(State::ToBeMade(at)) }
    }

    /// Makes it a directory or a file.
    pub(crate) fn with_kind(self, is_directory: bool) -> Self {
        Self { is_directory, ..self }
    }

    /// Whether it is a directory.
    pub(crate) fn is_directory(&self) -> bool {
        self.is_directory
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Device and inode; `None` if not created yet.
    pub(crate) fn identity(&self) -> Option<Identity> {
        match *self.state() {
            State::There(identity) => Some(identity),
            State::ToBeMade(_) => None,
        }
    }

    pub(super) fn open(&self, access: Access) -> io::Result<OwnedFd> {
        if self.identity().is_none() {
            self.make(|| {})?;
        }
        // O_NONBLOCK, so that a file that has replaced it, such as a FIFO, cannot block us.
        let flags = access.flags() | OFlags::NONBLOCK;
        let opened = rustix::fs::open(&self.path, flags, Mode::empty())?;
        let stat = rustix::fs::fstat(&opened)?;
        let expected = if self.is_directory { FileType::Directory } else { FileType::RegularFile };
        if FileType::from_raw_mode(stat.st_mode) != expected {
            return Err(explained(
                io::ErrorKind::Other,
                match self.is_directory {
                    true => message!("target-not-a-directory"),
                    false => message!("target-not-a-file"),
                },
            ));
        }
        if self.identity() != Some(identity(&opened)?) {
            return Err(explained(io::ErrorKind::Other, message!("target-replaced.file")));
        }
        let_wait(&opened)?;
        access.advise(&opened);
        Ok(opened)
    }

    /// Creates the file, or opens it if it exists, keeping its content. A directory is only created. Calls
    /// `is_open` as soon as that is done, before the file is examined and closed.
    ///
    /// # Errors
    /// As open(2): `EEXIST` when a file appeared that was not examined, `ESTALE` when the path now refers to
    /// another.
    pub(crate) fn create(&self, mut is_open: impl FnMut()) -> rustix::io::Result<()> {
        if self.make(&mut is_open)? {
            return Ok(());
        }
        if self.is_directory {
            return Err(Errno::EXIST);
        }
        let flags = OFlags::RDWR | OFlags::CLOEXEC | OFlags::NOCTTY | OFlags::NONBLOCK;
        let opened = rustix::fs::open(&self.path, flags, Mode::empty())?;
        is_open();
        if self.identity() == Some(identity(&opened)?) { Ok(()) } else { Err(Errno::STALE) }
    }

    /// Removes the file if it exists; it can then be created again. Follows symbolic links.
    ///
    /// # Errors
    /// As unlink(2), and when the path now refers to another file.
    pub(crate) fn remove(&self) -> io::Result<()> {
        let mut state = self.state();
        if let State::There(identity) = *state {
            let at = canonical_path(&self.path, identity)?;
            if self.is_directory { fs::remove_dir(&at) } else { fs::remove_file(&at) }?;
            *state = State::ToBeMade(at);
        }
        Ok(())
    }

    /// Notes that the file was removed from `from`, where it is to be created again.
    pub(crate) fn was_removed(&self, from: PathBuf) {
        *self.state() = State::ToBeMade(from);
    }

    /// Creates the file if missing. A file that appeared meanwhile was not examined, so it is left alone. The
    /// flags of the later I/O are not used: the file is created even if O_DIRECT is refused. Returns whether
    /// it had to be created.
    fn make(&self, mut is_made: impl FnMut()) -> rustix::io::Result<bool> {
        let mut state = self.state();
        let State::ToBeMade(at) = &*state else { return Ok(false) };
        let made = if self.is_directory {
            rustix::fs::mkdir(at, NEW_DIRECTORY_MODE)?;
            is_made();
            identity_of(&rustix::fs::lstat(at)?)
        } else {
            let flags = OFlags::CREATE | OFlags::EXCL | OFlags::RDWR | OFlags::CLOEXEC;
            let made = rustix::fs::open(at, flags, NEW_FILE_MODE)?;
            is_made();
            identity(&made)?
        };
        *state = State::There(made);
        Ok(true)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn io_on_opened_files_may_wait() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("file");
        let file = NamedFile::to_be_made(path.clone(), path);
        let opened = file.open(Access { writes: true, ..Access::default() }).unwrap();
        assert!(!rustix::fs::fcntl_getfl(&opened).unwrap().contains(OFlags::NONBLOCK));
    }

    #[test]
    fn clearing_o_nonblock_changes_no_other_flag() {
        let directory = tempfile::tempdir().unwrap();
        let flags = OFlags::CREATE | OFlags::RDWR | OFlags::APPEND | OFlags::NONBLOCK;
        let opened = rustix::fs::open(directory.path().join("file"), flags, NEW_FILE_MODE).unwrap();
        let before = rustix::fs::fcntl_getfl(&opened).unwrap();
        assert!(before.contains(OFlags::NONBLOCK | OFlags::APPEND));
        let_wait(&opened).unwrap();
        assert_eq!(rustix::fs::fcntl_getfl(&opened).unwrap(), before.difference(OFlags::NONBLOCK));
    }
}
