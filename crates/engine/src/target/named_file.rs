//! Files and directories that a job names: found, or made for it. They stay, unless the job removes them.

use std::fs;
use std::io;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use cardiograph_core::message;
use cardiograph_core::system_error::explained;
use rustix::fs::{FileType, Mode, OFlags};
use rustix::io::Errno;

use super::access::{Access, Identity, identity, identity_of, let_wait, place_of};

/// What a new file may be used for and by whom: what open(2) and the umask make of it.
pub(crate) const NEW_FILE_MODE: Mode = Mode::from_raw_mode(0o644);

/// What new directories may be used for and by whom, as fio makes them.
pub(crate) const NEW_DIRECTORY_MODE: Mode = Mode::RWXU;

/// A file or directory that a job names. It is opened by its path each time, and the path must still mean the same file.
#[derive(Debug)]
pub(crate) struct NamedFile {
    path: PathBuf,
    /// A directory is made and removed, and never opened for writing.
    is_directory: bool,
    /// Only one of those who open a missing file first makes it: the others wait for that.
    state: Mutex<State>,
}

/// Whether the file is there.
#[derive(Debug)]
enum State {
    /// It is.
    There(Identity),
    /// It is made when it is opened: here, where the path leads through symbolic links.
    ToBeMade(PathBuf),
}

impl NamedFile {
    /// A file that exists.
    pub(crate) fn found(path: PathBuf, identity: Identity) -> Self {
        Self { path, is_directory: false, state: Mutex::new(State::There(identity)) }
    }

    /// A file that is made when it is opened first: at `at`, where `path` leads through symbolic links.
    pub(crate) fn to_be_made(path: PathBuf, at: PathBuf) -> Self {
        Self { path, is_directory: false, state: Mutex::new(State::ToBeMade(at)) }
    }

    /// The same, of a directory or of a file.
    pub(crate) fn with_kind(self, is_directory: bool) -> Self {
        Self { is_directory, ..self }
    }

    /// Whether it is a directory.
    pub(crate) fn is_directory(&self) -> bool {
        self.is_directory
    }

    /// Its path as the job has it.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Device and inode; `None` while it is still to be made.
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
        // O_NONBLOCK: whatever lies there by now, a FIFO for instance, must not hold us.
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

    /// Makes the file, or opens it where it is there: what it holds stays. A directory is only made. `is_open` is called at the
    /// moment at which that is done; looking at what was opened, and closing it, comes after.
    ///
    /// # Errors
    /// As open(2): `EEXIST` when a file appeared that was not examined, `ESTALE` when the path means another by now.
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

    /// Removes the file where it is there; then it is to be made again. Of a symbolic link, what it points to is removed.
    ///
    /// # Errors
    /// As unlink(2), and when the path means another file by now.
    pub(crate) fn remove(&self) -> io::Result<()> {
        let mut state = self.state();
        if let State::There(identity) = *state {
            let at = place_of(&self.path, identity)?;
            if self.is_directory { fs::remove_dir(&at) } else { fs::remove_file(&at) }?;
            *state = State::ToBeMade(at);
        }
        Ok(())
    }

    /// Notes that the file was removed from where it lay: it is to be made again there.
    pub(crate) fn was_removed(&self, from: PathBuf) {
        *self.state() = State::ToBeMade(from);
    }

    /// Makes the file, unless it is there. What appeared there in the meantime was not examined, so it is left alone. The
    /// flags of the I/O to come are not used: where O_DIRECT is refused, the file is made all the same. Whether it had to be
    /// made.
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
    fn io_on_what_was_opened_may_wait() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("file");
        let file = NamedFile::to_be_made(path.clone(), path);
        let opened = file.open(Access { writes: true, ..Access::default() }).unwrap();
        assert!(!rustix::fs::fcntl_getfl(&opened).unwrap().contains(OFlags::NONBLOCK));
    }

    #[test]
    fn letting_wait_changes_nothing_else() {
        let directory = tempfile::tempdir().unwrap();
        let flags = OFlags::CREATE | OFlags::RDWR | OFlags::APPEND | OFlags::NONBLOCK;
        let opened = rustix::fs::open(directory.path().join("file"), flags, NEW_FILE_MODE).unwrap();
        let before = rustix::fs::fcntl_getfl(&opened).unwrap();
        assert!(before.contains(OFlags::NONBLOCK | OFlags::APPEND));
        let_wait(&opened).unwrap();
        assert_eq!(rustix::fs::fcntl_getfl(&opened).unwrap(), before.difference(OFlags::NONBLOCK));
    }
}
