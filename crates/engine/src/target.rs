//! What is read and written: files, block devices, and things without storage.

use std::io;
use std::os::fd::OwnedFd;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::device::BlockDevice;
use crate::device::facts::DeviceFacts;
use crate::fill_files::FillSet;
use crate::sim::SimFile;

mod access;
mod named_file;
mod test_file;

pub use access::Access;
pub(crate) use access::{Identity, identity, identity_of, let_wait, open_again, place_of};
pub(crate) use named_file::{NEW_DIRECTORY_MODE, NEW_FILE_MODE, NamedFile};
pub(crate) use test_file::TestFile;
pub use test_file::{CreateError, Naming};

/// Something that a Workload can use.
#[derive(Debug)]
pub struct Target {
    id: u64,
    /// As the job has it; the directory where a file has no name; empty without storage.
    name: String,
    kind: Kind,
    len_bytes: u64,
    /// Bytes from the start that have been written; what lies behind must not be read.
    filled_bytes: AtomicU64,
}

#[derive(Debug)]
enum Kind {
    File(TestFile),
    Named(NamedFile),
    Device(BlockDevice),
    WithoutStorage,
    Simulated(SimFile),
}

impl Target {
    fn new(name: String, kind: Kind, len_bytes: u64) -> Arc<Self> {
        static NEXT_ID: AtomicU64 = AtomicU64::new(0);
        let id = NEXT_ID.fetch_add(1, Ordering::Relaxed);
        Arc::new(Self { id, name, kind, len_bytes, filled_bytes: AtomicU64::new(0) })
    }

    /// Makes a test file of `len_bytes` in `directory`. Its space is reserved, but nothing is written. It is gone when
    /// the Target is dropped, at the latest when the process ends or, where it has a name, when a later run finds it.
    ///
    /// # Errors
    /// See [`CreateError`].
    pub fn create_file(directory: &Path, len_bytes: u64, naming: Naming) -> Result<Arc<Self>, CreateError> {
        let file = TestFile::create(directory, len_bytes, naming)?;
        let name = directory.to_string_lossy().into_owned();
        Ok(Self::new(name, Kind::File(file), len_bytes))
    }

    /// Makes a part of a set of files that fill a file system (see [`crate::fill_files`]). It is gone when the Target is
    /// dropped, unless it is whole ([`end_part`](Self::end_part)) and was to be [kept](Self::keep_part).
    ///
    /// # Errors
    /// See [`CreateError`].
    pub fn create_part(
        directory: &Path,
        set: FillSet,
        part: u32,
        len_bytes: u64,
    ) -> Result<Arc<Self>, CreateError> {
        let file = TestFile::create_part(directory, set, part, len_bytes)?;
        Ok(Self::new(directory.to_string_lossy().into_owned(), Kind::File(file), len_bytes))
    }

    /// Opens a part that an interrupted checkup left whole.
    ///
    /// # Errors
    /// See [`CreateError`].
    pub fn open_part(directory: &Path, set: FillSet, part: u32) -> Result<Arc<Self>, CreateError> {
        let (file, len_bytes) = TestFile::open_part(directory, set, part)?;
        let target = Self::new(directory.to_string_lossy().into_owned(), Kind::File(file), len_bytes);
        target.mark_filled(len_bytes);
        Ok(target)
    }

    /// Notes that all of a part has been written, and lets its name say so. Does nothing to another target.
    ///
    /// # Errors
    /// When it could not be made durable or renamed.
    pub fn end_part(&self) -> io::Result<()> {
        self.test_file().map_or(Ok(()), TestFile::end_part)
    }

    /// Lets a part stay when the Target is dropped, if it is whole. Whether it does.
    pub fn keep_part(&self) -> bool {
        self.test_file().is_some_and(TestFile::keep_part)
    }

    /// Removes the name of a test file that is not to be [kept](Self::keep_part), whoever still uses it: a thread that the kernel
    /// holds would keep it from being dropped.
    pub fn remove(&self) {
        self.test_file().iter().for_each(|file| file.remove());
    }

    /// What the file system has set aside for a test file, in bytes, be it written or not; the length of what is no test file.
    ///
    /// # Errors
    /// As fstat(2).
    pub fn room_bytes(&self) -> io::Result<u64> {
        self.test_file().map_or(Ok(self.len_bytes), TestFile::room_bytes)
    }

    /// A file that a job names. Bytes before `filled_bytes` may be read.
    pub(crate) fn named(file: NamedFile, len_bytes: u64, filled_bytes: u64) -> Arc<Self> {
        let name = file.path().to_string_lossy().into_owned();
        let target = Self::new(name, Kind::Named(file), len_bytes);
        target.mark_filled(filled_bytes);
        target
    }

    /// A block device. All of it may be read.
    pub(crate) fn device(device: BlockDevice, len_bytes: u64) -> Arc<Self> {
        let name = device.path().to_string_lossy().into_owned();
        let target = Self::new(name, Kind::Device(device), len_bytes);
        target.mark_filled(len_bytes);
        target
    }

    /// Something of a length without storage, for engines that do no I/O.
    pub fn without_storage(len_bytes: u64) -> Arc<Self> {
        Self::new(String::new(), Kind::WithoutStorage, len_bytes)
    }

    /// A file on a simulated drive.
    pub fn simulated(file: SimFile) -> Arc<Self> {
        let len_bytes = file.len_bytes();
        Self::new(String::new(), Kind::Simulated(file), len_bytes)
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

    /// Opens it: a descriptor of its own, with its own position and flags, of the very file that was examined.
    ///
    /// # Errors
    /// `Unsupported` where there is nothing to open. Otherwise as open(2): `EINVAL` where the file system refuses
    /// O_DIRECT. And when the name has come to mean another file.
    pub fn open(&self, access: Access) -> io::Result<OwnedFd> {
        match &self.kind {
            Kind::File(file) => file.open(access),
            Kind::Named(file) => file.open(access),
            Kind::Device(device) => device.open(access),
            Kind::WithoutStorage | Kind::Simulated(_) => Err(io::ErrorKind::Unsupported.into()),
        }
    }

    /// What it is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether it is a regular file.
    pub fn is_file(&self) -> bool {
        matches!(self.kind, Kind::File(_) | Kind::Named(_))
    }

    /// Whether it is a block device.
    pub fn is_device(&self) -> bool {
        matches!(self.kind, Kind::Device(_))
    }

    /// By what a user gives it away, if it is a block device of which the kernel tells enough.
    pub fn consent_id(&self) -> Option<String> {
        let number = self.block_device()?.number();
        Some(DeviceFacts::look_up(Path::new("/"), number).ok()?.id)
    }

    /// The test file, if it is one.
    pub(crate) fn test_file(&self) -> Option<&TestFile> {
        match &self.kind {
            Kind::File(file) => Some(file),
            _ => None,
        }
    }

    /// The file that a job names, if it is one.
    pub(crate) fn named_file(&self) -> Option<&NamedFile> {
        match &self.kind {
            Kind::Named(file) => Some(file),
            _ => None,
        }
    }

    /// The block device, if it is one.
    pub(crate) fn block_device(&self) -> Option<&BlockDevice> {
        match &self.kind {
            Kind::Device(device) => Some(device),
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
