//! What is read and written: test files that this program made, and things without storage.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use rustix::fs::{FallocateFlags, FileType, FlockOperation, Mode, OFlags};
use rustix::io::Errno;
use thiserror::Error;

use crate::leftovers;
use crate::sim::SimFile;

/// Something that a Workload can use.
#[derive(Debug)]
pub struct Target {
    id: u64,
    kind: Kind,
    len_bytes: u64,
    /// Bytes from the start that have been written; what lies behind must not be read.
    filled_bytes: AtomicU64,
}

#[derive(Debug)]
enum Kind {
    File(TestFile),
    WithoutStorage,
    Simulated(SimFile),
}

/// How a test file is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Naming {
    /// Nameless where the file system can do that, so that nothing can be left behind; named otherwise.
    Automatic,
    /// With a name and a lock, as on a file system without nameless files.
    Named,
}

/// Why a test file could not be made.
#[derive(Debug, Error)]
pub enum CreateError {
    /// The directory does not exist.
    #[error("{path} does not exist")]
    Missing {
        /// The directory.
        path: PathBuf,
    },
    /// It is no directory.
    #[error("{path} is not a directory")]
    NotADirectory {
        /// What was given.
        path: PathBuf,
    },
    /// It is a device.
    #[error("{path} is a device")]
    Device {
        /// What was given.
        path: PathBuf,
    },
    /// The user may not write there.
    #[error("no permission to make a file in {path}")]
    NotPermitted {
        /// The directory.
        path: PathBuf,
    },
    /// The file system is mounted read-only.
    #[error("{path} lies on a file system that is read-only")]
    ReadOnly {
        /// The directory.
        path: PathBuf,
    },
    /// Not enough space.
    #[error("{path} has no room for a file of {len_bytes} bytes")]
    NoSpace {
        /// The directory.
        path: PathBuf,
        /// The file's length.
        len_bytes: u64,
    },
    /// A limit on the length of files.
    #[error("a file of {len_bytes} bytes in {path} is over a limit on the length of files")]
    TooLong {
        /// The directory.
        path: PathBuf,
        /// The file's length.
        len_bytes: u64,
    },
    /// Anything else.
    #[error("{call} in {path}: {source}")]
    Other {
        /// The system call.
        call: &'static str,
        /// The directory.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

impl Target {
    fn new(kind: Kind, len_bytes: u64) -> Arc<Self> {
        static NEXT_ID: AtomicU64 = AtomicU64::new(0);
        let id = NEXT_ID.fetch_add(1, Ordering::Relaxed);
        Arc::new(Self { id, kind, len_bytes, filled_bytes: AtomicU64::new(0) })
    }

    /// Makes a test file of `len_bytes` in `directory`. Its space is reserved, but nothing is written. It is gone when
    /// the Target is dropped, at the latest when the process ends or, where it has a name, when a later run finds it.
    ///
    /// # Errors
    /// See [`CreateError`].
    pub fn create_file(directory: &Path, len_bytes: u64, naming: Naming) -> Result<Arc<Self>, CreateError> {
        let file = TestFile::create(directory, len_bytes, naming)?;
        Ok(Self::new(Kind::File(file), len_bytes))
    }

    /// Something of a length without storage, for engines that do no I/O.
    pub fn without_storage(len_bytes: u64) -> Arc<Self> {
        Self::new(Kind::WithoutStorage, len_bytes)
    }

    /// A file on a simulated drive.
    pub fn simulated(file: SimFile) -> Arc<Self> {
        let len_bytes = file.len_bytes();
        Self::new(Kind::Simulated(file), len_bytes)
    }

    /// Tells targets apart.
    pub(crate) fn id(&self) -> u64 {
        self.id
    }

    /// Length in bytes.
    pub fn len_bytes(&self) -> u64 {
        self.len_bytes
    }

    /// Whether reads need to have been preceded by writes.
    pub(crate) fn has_storage(&self) -> bool {
        !matches!(self.kind, Kind::WithoutStorage)
    }

    /// Bytes from the start that have been written.
    pub fn filled_bytes(&self) -> u64 {
        self.filled_bytes.load(Ordering::Relaxed)
    }

    /// Notes that all bytes before `end_bytes` have been written.
    pub(crate) fn mark_filled(&self, end_bytes: u64) {
        self.filled_bytes.fetch_max(end_bytes, Ordering::Relaxed);
    }

    /// A descriptor of the file.
    ///
    /// # Errors
    /// When there is no file, or its file system refuses O_DIRECT.
    pub fn fd(&self, direct: bool) -> io::Result<BorrowedFd<'_>> {
        match &self.kind {
            Kind::File(file) => file.fd(direct),
            Kind::WithoutStorage | Kind::Simulated(_) => Err(io::ErrorKind::Unsupported.into()),
        }
    }

    /// The test file, if it is one.
    pub(crate) fn test_file(&self) -> Option<&TestFile> {
        match &self.kind {
            Kind::File(file) => Some(file),
            _ => None,
        }
    }

    /// The simulated file, if it is one.
    pub fn simulated_file(&self) -> Option<&SimFile> {
        match &self.kind {
            Kind::Simulated(file) => Some(file),
            _ => None,
        }
    }
}

/// A file that this program made, open, and nobody else's.
#[derive(Debug)]
pub struct TestFile {
    buffered: OwnedFd,
    direct: OnceLock<OwnedFd>,
    /// Directory and name, where it has a name.
    name: Option<(OwnedFd, String)>,
    /// Device and inode at the time of its making.
    pub(crate) identity: (u64, u64),
}

impl TestFile {
    fn create(directory: &Path, len_bytes: u64, naming: Naming) -> Result<Self, CreateError> {
        let wrap = |call| move |errno| create_error(call, directory, len_bytes, errno);
        let dir =
            rustix::fs::open(directory, OFlags::DIRECTORY | OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty())
                .map_err(|errno| match errno {
                    Errno::NOTDIR => not_a_directory(directory),
                    errno => create_error("open", directory, len_bytes, errno),
                })?;
        let (buffered, name) = match naming {
            Naming::Automatic => match open_nameless(&dir) {
                Ok(fd) => (fd, None),
                Err(Errno::OPNOTSUPP | Errno::ISDIR | Errno::INVAL | Errno::NOENT | Errno::NOSYS) => {
                    open_named(&dir).map(|(fd, name)| (fd, Some(name))).map_err(wrap("open"))?
                }
                Err(errno) => return Err(create_error("open", directory, len_bytes, errno)),
            },
            Naming::Named => open_named(&dir).map(|(fd, name)| (fd, Some(name))).map_err(wrap("open"))?,
        };
        let stat = rustix::fs::fstat(&buffered).map_err(wrap("fstat"))?;
        let file = Self {
            buffered,
            direct: OnceLock::new(),
            name: name.map(|name| (dir, name)),
            identity: (stat.st_dev as u64, stat.st_ino as u64),
        };
        // From here on the file is removed again when an error returns.
        match rustix::fs::fallocate(&file.buffered, FallocateFlags::empty(), 0, len_bytes) {
            Ok(()) => {}
            // Without preallocation the length alone is set; blocks are then found while writing.
            Err(Errno::OPNOTSUPP | Errno::NOSYS) => {
                rustix::fs::ftruncate(&file.buffered, len_bytes).map_err(wrap("ftruncate"))?;
            }
            Err(errno) => return Err(create_error("fallocate", directory, len_bytes, errno)),
        }
        Ok(file)
    }

    fn fd(&self, direct: bool) -> io::Result<BorrowedFd<'_>> {
        if !direct {
            return Ok(self.buffered.as_fd());
        }
        if self.direct.get().is_none() {
            let opened = self.open_direct()?;
            // Another worker may have been faster; then this one's descriptor is closed again.
            let _ = self.direct.set(opened);
        }
        Ok(self.direct.get().expect("set above").as_fd())
    }

    fn open_direct(&self) -> io::Result<OwnedFd> {
        use std::os::fd::AsRawFd;
        let flags = OFlags::RDWR | OFlags::CLOEXEC | OFlags::DIRECT;
        let opened = match &self.name {
            Some((dir, name)) => rustix::fs::openat(dir, name, flags | OFlags::NOFOLLOW, Mode::empty()),
            // A nameless file is opened again through its descriptor.
            None => {
                let path = format!("/proc/self/fd/{}", self.buffered.as_raw_fd());
                rustix::fs::open(path, flags, Mode::empty())
            }
        };
        let opened = opened?;
        // Between its making and now the name may have come to mean another file: that one is not ours to write to.
        let stat = rustix::fs::fstat(&opened)?;
        if (stat.st_dev as u64, stat.st_ino as u64) != self.identity {
            return Err(io::Error::other("the test file was replaced by something else"));
        }
        Ok(opened)
    }

    /// The descriptor by which the file was made, for the safety gate.
    pub(crate) fn made_by(&self) -> BorrowedFd<'_> {
        self.buffered.as_fd()
    }
}

impl Drop for TestFile {
    fn drop(&mut self) {
        if let Some((dir, name)) = &self.name {
            // Nothing can be done about a failure here; a later run recognises and removes the file.
            let _ = rustix::fs::unlinkat(dir, name, rustix::fs::AtFlags::empty());
        }
    }
}

fn open_nameless(dir: &OwnedFd) -> rustix::io::Result<OwnedFd> {
    let flags = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC;
    rustix::fs::openat(dir, ".", flags, Mode::RUSR | Mode::WUSR)
}

/// Makes a file with a name and locks it. Between the two another run may take it for a leftover and remove it; then
/// it has no links left, and the next name is tried.
fn open_named(dir: &OwnedFd) -> rustix::io::Result<(OwnedFd, String)> {
    let flags = OFlags::CREATE | OFlags::EXCL | OFlags::RDWR | OFlags::CLOEXEC | OFlags::NOFOLLOW;
    loop {
        let name = leftovers::new_name();
        let fd = match rustix::fs::openat(dir, &name, flags, Mode::RUSR | Mode::WUSR) {
            Err(Errno::EXIST) => continue,
            opened => opened?,
        };
        // File systems without locks work, too: then leftovers stay until they are removed by hand.
        let locked = rustix::fs::flock(&fd, FlockOperation::NonBlockingLockExclusive);
        let is_linked = rustix::fs::fstat(&fd).is_ok_and(|stat| stat.st_nlink > 0);
        if is_linked && !matches!(locked, Err(Errno::WOULDBLOCK)) {
            return Ok((fd, name));
        }
    }
}

fn not_a_directory(path: &Path) -> CreateError {
    let path = path.to_path_buf();
    match rustix::fs::stat(&path).map(|stat| FileType::from_raw_mode(stat.st_mode)) {
        Ok(FileType::BlockDevice | FileType::CharacterDevice) => CreateError::Device { path },
        _ => CreateError::NotADirectory { path },
    }
}

fn create_error(call: &'static str, directory: &Path, len_bytes: u64, errno: Errno) -> CreateError {
    let path = directory.to_path_buf();
    match errno {
        Errno::NOENT => CreateError::Missing { path },
        Errno::ACCESS | Errno::PERM => CreateError::NotPermitted { path },
        Errno::ROFS => CreateError::ReadOnly { path },
        Errno::NOSPC | Errno::DQUOT => CreateError::NoSpace { path, len_bytes },
        Errno::FBIG => CreateError::TooLong { path, len_bytes },
        errno => CreateError::Other { call, path, source: errno.into() },
    }
}

#[cfg(test)]
mod tests {
    use std::os::fd::AsRawFd;

    use super::*;

    fn entries(directory: &Path) -> usize {
        std::fs::read_dir(directory).unwrap().count()
    }

    #[test]
    fn a_test_file_leaves_nothing_behind() {
        let directory = tempfile::tempdir().unwrap();
        for naming in [Naming::Automatic, Naming::Named] {
            let target = Target::create_file(directory.path(), 1 << 20, naming).unwrap();
            let stat = rustix::fs::fstat(target.fd(false).unwrap()).unwrap();
            assert_eq!(stat.st_size, 1 << 20);
            assert!(stat.st_blocks * 512 >= 1 << 20, "the space is reserved");
            assert_eq!(entries(directory.path()), usize::from(naming == Naming::Named));
            drop(target);
            assert_eq!(entries(directory.path()), 0, "{naming:?}");
        }
    }

    #[test]
    fn the_direct_descriptor_is_the_same_file() {
        let directory = tempfile::tempdir_in(".").unwrap();
        for naming in [Naming::Automatic, Naming::Named] {
            let target = Target::create_file(directory.path(), 4_096, naming).unwrap();
            let (buffered, direct) = (target.fd(false).unwrap(), target.fd(true).unwrap());
            assert_ne!(buffered.as_raw_fd(), direct.as_raw_fd());
            let inode = |fd| rustix::fs::fstat(fd).unwrap().st_ino;
            assert_eq!(inode(buffered), inode(direct));
        }
    }

    #[test]
    fn errors_say_what_is_wrong() {
        let directory = tempfile::tempdir().unwrap();
        let create = |path: &Path, len| Target::create_file(path, len, Naming::Automatic).unwrap_err();
        assert!(matches!(create(&directory.path().join("x"), 1), CreateError::Missing { .. }));
        let file = directory.path().join("f");
        std::fs::write(&file, "").unwrap();
        assert!(matches!(create(&file, 1), CreateError::NotADirectory { .. }));
        assert!(matches!(create(Path::new("/dev/null"), 1), CreateError::Device { .. }));
        let huge = create(directory.path(), 1 << 60);
        assert!(matches!(huge, CreateError::NoSpace { .. } | CreateError::TooLong { .. }), "{huge:?}");
        assert_eq!(entries(directory.path()), 1);
    }
}
