//! The program's own files: exports, journals, locks, leftovers, and what lies beside the store.
//!
//! Everything goes through a [`Directory`], an open one: a name is looked up in the directory that was opened and nowhere else,
//! whatever is renamed meanwhile. [`system`] is the machine's file system; tests put a simulated one in its place that fails
//! and loses power at any call. Files under test are not here: the engine opens those.
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

/// Bytes that are copied at a time.
const COPY_LEN_BYTES: usize = 1 << 20;

/// A file system, as far as files of our own need one. Calls fail as those of the system that they name.
pub trait FileSystem: Debug + Send + Sync {
    /// Opens a directory, as open(2) with `O_DIRECTORY`. Links that lead there are followed.
    fn directory(&self, path: &Path) -> io::Result<Box<dyn Directory>>;

    /// The path without links and dots, as realpath(3). The last name need not be there.
    fn resolve(&self, path: &Path) -> io::Result<PathBuf>;

    /// A random number, for a name that nobody has.
    fn random(&self) -> u64;

    /// The descriptor of this process that a path leads to, as `/dev/stdout` and `/dev/fd/3` do, and what that is.
    fn descriptor(&self, _: &Path) -> Option<(u32, Facts)> {
        None
    }

    /// Makes a directory and those above it that are missing, with permissions `mode`, and makes each that it made durable.
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

/// What is open, a file or a directory.
pub trait Opened: Debug + Send + Sync {
    /// What it is, as fstat(2).
    fn facts(&self) -> io::Result<Facts>;

    /// Makes content and length of a file durable, or the names in a directory, as fsync(2). Network file systems that cannot do
    /// that for names, and say so, had nothing more to do.
    fn sync(&self) -> io::Result<()>;

    /// Takes its lock if nobody holds it, as flock(2); it is held for as long as this is open. `false`: another holds it.
    fn try_lock(&self) -> io::Result<bool>;
}

/// A directory that is open. Names are single: no `/`, neither `.` nor `..`. The last link is never followed.
pub trait Directory: Opened {
    /// Opens a file, as openat(2) with `O_NOFOLLOW`. A FIFO of that name does not block.
    fn open(&self, name: &OsStr, how: Open) -> io::Result<Box<dyn OwnFile>>;

    /// Opens a directory in it; [`io::ErrorKind::CrossesDevices`] where something is mounted on it.
    fn directory(&self, name: &OsStr) -> io::Result<Box<dyn Directory>>;

    /// Makes a directory in it, as mkdirat(2).
    fn create_directory(&self, name: &OsStr, mode: u32) -> io::Result<()>;

    /// What a name stands for, as fstatat(2) with `AT_SYMLINK_NOFOLLOW`.
    fn facts_of(&self, name: &OsStr) -> io::Result<Facts>;

    /// The names in it, in no order.
    fn names(&self) -> io::Result<Vec<OsString>>;

    /// Gives a file another name in this directory, in place of what bears that name, as renameat(2).
    fn rename(&self, from: &OsStr, to: &OsStr) -> io::Result<()>;

    /// Removes a name of what is no directory, as unlinkat(2).
    fn remove(&self, name: &OsStr) -> io::Result<()>;

    /// Removes an empty directory, as unlinkat(2) with `AT_REMOVEDIR`.
    fn remove_directory(&self, name: &OsStr) -> io::Result<()>;
}

/// A file of ours that is open.
pub trait OwnFile: Opened {
    /// Fills `bytes` from `offset_bytes` as far as the file goes, as pread(2), and answers how many there were.
    fn read_at(&self, bytes: &mut [u8], offset_bytes: u64) -> io::Result<usize>;

    /// Writes all of `bytes` at `offset_bytes`, as pwrite(2). After a failure any part of them may have been written.
    fn write_all_at(&self, bytes: &[u8], offset_bytes: u64) -> io::Result<()>;

    /// Makes sure that there is room for its first bytes, as fallocate(2), where the file system can.
    fn reserve(&self, _len_bytes: u64) -> io::Result<()> {
        Ok(())
    }

    /// Cuts the file, or makes it longer by a hole, as ftruncate(2).
    fn set_len(&self, len_bytes: u64) -> io::Result<()>;

    /// Gives it the owner and then the permissions of another, as fchown(2) and fchmod(2). Answers whether it has them, and
    /// nothing that makes it more readable.
    fn resemble(&self, other: &Facts) -> io::Result<bool>;

    /// Whether it carries what a file made beside it would lack or have too, as flistxattr(2): an access list, attributes of
    /// users. Labels of security modules do not count: the kernel gives them.
    fn has_attributes(&self) -> io::Result<bool> {
        Ok(false)
    }

    /// Another handle of it, for a program that is started; none where the file is not the machine's.
    fn handle(&self) -> io::Result<File> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// All of its bytes.
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
    /// To be read.
    Read,
    /// To be read and written; it is there.
    Write,
    /// To be read and written; nothing has that name yet. With these permissions, less the process's mask.
    Create(u32),
    /// To be read and written, made where it is not there, with these permissions, less the process's mask.
    OpenOrCreate(u32),
}

/// What a name stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Facts {
    /// Of which kind it is.
    pub kind: Kind,
    /// Device and inode: whether two names stand for one file.
    pub identity: (u64, u64),
    /// How many names it has.
    pub links: u64,
    /// Permissions, the twelve bits of chmod(2).
    pub mode: u32,
    /// Whose it is.
    pub user: u32,
    /// Its group.
    pub group: u32,
    /// Length in bytes.
    pub len_bytes: u64,
    /// When its content changed last, in nanoseconds since 1970-01-01 UTC.
    pub modified_ns: i128,
}

/// What there may be under a name.
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
    /// A character device that any bytes may go to: a terminal, `/dev/null`, `/dev/zero`, `/dev/full`.
    Stream,
    /// Any other character device.
    CharacterDevice,
    /// A pipe with a name, or without one.
    Pipe,
    /// A socket.
    Socket,
}

/// What a call found; `None` where nothing has that name.
pub fn if_there<T>(found: io::Result<T>) -> io::Result<Option<T>> {
    match found {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        found => found.map(Some),
    }
}

/// The directory that a file lies in, and its name there; `None` where the path has no last name, as `..` and `/` have none.
pub fn split(path: &Path) -> Option<(&Path, &OsStr)> {
    let name = path.file_name()?;
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    Some((parent, name))
}
