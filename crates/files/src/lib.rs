//! The program's own files: exports, journals, locks, leftovers, and files next to the store.
//!
//! All access goes through an open [`Directory`]: names are looked up in the directory that was opened, whatever is
//! renamed meanwhile. [`system`] is the machine's file system; tests replace it with a simulated one that fails and
//! loses power at any call. Files under test are not here: the engine opens those.
#![forbid(unsafe_code)]

pub mod input;
pub mod leftovers;
pub mod output;
mod system;
pub mod tree;

use std::ffi::{OsStr, OsString};
use std::fmt::Debug;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

pub use system::{System, system};

/// Number of bytes copied at a time.
const COPY_LEN_BYTES: usize = 1 << 20;

/// The operations that our own files need of a file system. They fail like the system calls that they name.
pub trait FileSystem: Debug + Send + Sync {
    /// Opens a directory like open(2) with `O_DIRECTORY`, following symbolic links.
    fn directory(&self, path: &Path) -> io::Result<Box<dyn Directory>>;

    /// The path without links and dots, like realpath(3). The last name need not exist.
    fn resolve(&self, path: &Path) -> io::Result<PathBuf>;

    /// A random number for an unused name.
    fn random(&self) -> u64;

    /// The descriptor of this process that a path such as `/dev/stdout` or `/dev/fd/3` refers to, and its type.
    fn descriptor(&self, _: &Path) -> Option<(u32, Facts)> {
        None
    }

    /// Creates a directory and its missing parents with permissions `mode`, and makes each one durable.
    fn create_directories(&self, path: &Path, mode: u32) -> io::Result<()> {
        let missing: Vec<&Path> = path.ancestors().take_while(|path| self.directory(path).is_err()).collect();
        for (parent, name) in missing.into_iter().rev().filter_map(split) {
            let parent = self.directory(parent)?;
            match parent.create_directory(name, mode) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                made => made?,
            }
            parent.sync()?;
        }
        Ok(())
    }
}

/// An open file or directory.
pub trait Opened: Debug + Send + Sync {
    /// Its metadata, like fstat(2).
    fn facts(&self) -> io::Result<Facts>;

    /// Makes a file's content and length durable, or the names in a directory, like fsync(2). Network file systems that
    /// report that they cannot do this for names have nothing left to do.
    fn sync(&self) -> io::Result<()>;

    /// Tries to lock it like flock(2), until it is closed. `false`: another process holds the lock.
    fn try_lock(&self) -> io::Result<bool>;
}

/// An open directory. Names are single components, not `.` or `..`, and never followed if they are links.
pub trait Directory: Opened {
    /// Opens a file like openat(2) with `O_NOFOLLOW`. A FIFO does not block.
    fn open(&self, name: &OsStr, how: Open) -> io::Result<Box<dyn OwnFile>>;

    /// Opens a subdirectory; [`io::ErrorKind::CrossesDevices`] if something is mounted on it.
    fn directory(&self, name: &OsStr) -> io::Result<Box<dyn Directory>>;

    /// Creates a subdirectory like mkdirat(2).
    fn create_directory(&self, name: &OsStr, mode: u32) -> io::Result<()>;

    /// Metadata of a name, like fstatat(2) with `AT_SYMLINK_NOFOLLOW`.
    fn facts_of(&self, name: &OsStr) -> io::Result<Facts>;

    /// The names in it, in any order.
    fn names(&self) -> io::Result<Vec<OsString>>;

    /// Renames a file within the directory, replacing an existing one, like renameat(2).
    fn rename(&self, from: &OsStr, to: &OsStr) -> io::Result<()>;

    /// Removes a file, like unlinkat(2).
    fn remove(&self, name: &OsStr) -> io::Result<()>;

    /// Removes an empty directory, like unlinkat(2) with `AT_REMOVEDIR`.
    fn remove_directory(&self, name: &OsStr) -> io::Result<()>;
}

/// An open file of ours.
pub trait OwnFile: Opened {
    /// Reads into `bytes` from `offset_bytes` up to the end of the file, like pread(2), and returns the number of bytes
    /// read.
    fn read_at(&self, bytes: &mut [u8], offset_bytes: u64) -> io::Result<usize>;

    /// Writes all of `bytes` at `offset_bytes`, like pwrite(2). After a failure any part of them may have been written.
    fn write_all_at(&self, bytes: &[u8], offset_bytes: u64) -> io::Result<()>;

    /// Allocates space for its first bytes, like fallocate(2), if the file system can.
    fn reserve(&self, _len_bytes: u64) -> io::Result<()> {
        Ok(())
    }

    /// Truncates the file, or extends it by a hole, like ftruncate(2).
    fn set_len(&self, len_bytes: u64) -> io::Result<()>;

    /// Copies owner and permissions of another file, like fchown(2) and fchmod(2). Returns whether it has them; it
    /// never becomes more readable than the other.
    fn resemble(&self, other: &Facts) -> io::Result<bool>;

    /// Whether a new file would not have its attributes, like flistxattr(2): an access control list, user attributes.
    /// Labels of security modules do not count: the kernel sets them.
    fn has_attributes(&self) -> io::Result<bool> {
        Ok(false)
    }

    /// Another handle of it for a child process; fails if the file is not on the machine's file system.
    fn handle(&self) -> io::Result<File> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Reads all bytes.
    fn read_all(&self) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; usize::try_from(self.facts()?.len_bytes).map_err(io::Error::other)?];
        let len = self.read_at(&mut bytes, 0)?;
        bytes.truncate(len);
        Ok(bytes)
    }

    /// Overwrites it with the content of another, durably.
    fn copy_from(&self, from: &dyn OwnFile) -> io::Result<()> {
        let mut bytes = vec![0; COPY_LEN_BYTES];
        let mut done_bytes = 0;
        loop {
            let read = from.read_at(&mut bytes, done_bytes)?;
            if read == 0 {
                break;
            }
            self.write_all_at(&bytes[..read], done_bytes)?;
            done_bytes += read as u64;
        }
        self.set_len(done_bytes)?;
        self.sync()
    }
}

/// How a file is opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Open {
    /// Read only.
    Read,
    /// Read and write; it must exist.
    Write,
    /// Read and write; it must not exist. Permissions are reduced by the umask.
    Create(u32),
    /// Read and write, created if missing. Permissions are reduced by the umask.
    OpenOrCreate(u32),
}

/// Metadata of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Facts {
    /// Type.
    pub kind: Kind,
    /// Device and inode, which identify the file.
    pub identity: (u64, u64),
    /// Number of links.
    pub links: u64,
    /// Permissions, the twelve bits of chmod(2).
    pub mode: u32,
    /// Owner.
    pub user: u32,
    /// Group.
    pub group: u32,
    /// Length in bytes.
    pub len_bytes: u64,
    /// Modification time, in nanoseconds since 1970-01-01 UTC.
    pub modified_ns: i128,
}

/// Type of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A regular file.
    File,
    /// A directory.
    Directory,
    /// A symbolic link.
    Link,
    /// A block device.
    BlockDevice,
    /// A character device that accepts any bytes: a terminal, `/dev/null`, `/dev/zero`, `/dev/full`.
    Stream,
    /// Any other character device.
    CharacterDevice,
    /// A pipe, named or not.
    Pipe,
    /// A socket.
    Socket,
}

/// Turns a missing file into `None`.
pub fn if_there<T>(found: io::Result<T>) -> io::Result<Option<T>> {
    match found {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        found => found.map(Some),
    }
}

/// Splits a path into directory and name; `None` for a path without a last name, such as `..` and `/`.
pub fn split(path: &Path) -> Option<(&Path, &OsStr)> {
    let name = path.file_name()?;
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    Some((parent, name))
}
